"""Breakpoints as rows: how many records change at each value of a stake, or the outcomes of one record between them."""

from math import inf, isfinite
from typing import Any

import numpy as np

from gamedeid.analysis.stretches import StakeStretches, compared_names, instance_at, study_stretches
from gamedeid.analysis.study_table import StudyTable, SweepBlock, check_attributes, columns_of
from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.errors import InvalidScenarioError
from gamedeid.game.outcomes import Outcomes
from gamedeid.scenario.grid import StakeName, parse_stake
from gamedeid.scenario.scenario import ScenarioLike
from gamedeid.study.study import Study


def breakpoints(scenario: ScenarioLike | Study, stake: StakeName, low: float = 0.0, high: float = inf) -> StudyTable:
    """Return every value of a stake at which some record's strategy or the adversary's reply changes: none is sampled.

    Parameters
    ----------
    scenario : the question, or a study of it; its other stakes are fixed, except a gain that follows the loss.
    stake : "benefit", "loss", "cost" or "gain".
    low, high : only breakpoints above ``low`` and below ``high``, dollars; 0 <= low < high.

    Returns
    -------
    a table with the columns of :func:`breakpoint_table`; for the study of one person those of :func:`stretch_table`.

    Raises
    ------
    InvalidScenarioError : no such stake or range, an attribute named like one of the columns, limits on the whole
        dataset, more strategies than tables can hold, or recipients whose replies along a stake are not followed.
    """
    known = parse_stake(stake, "stake")
    if (fault := bounds_fault(low, high)) is not None:
        raise InvalidScenarioError(f"breakpoints of {known} between {low:g} and {high:g}: {fault}")
    study = Study.prepare(scenario)
    of_one_person = bool(study.person)
    make = stretch_table if of_one_person else breakpoint_table
    return StudyTable(
        study=study,
        name="stretches" if of_one_person else "breakpoints",
        asked={"exact": _in_words(known, low, high), **study.person},
        blocks=lambda: iter([SweepBlock(columns=make(study, known, low, high))]),
    )


def bounds_fault(low: float, high: float) -> str | None:
    """Return the fault of the bounds, dollars, between which breakpoints are wanted; None if there is none."""
    if isfinite(low) and 0 <= low < high:
        return None
    return "the range is empty; it must start at 0 or above and end after it starts"


def _in_words(stake: StakeName, low: float, high: float) -> str:
    """Return the question as in the manifest: ``loss``, or ``loss=0:400``."""
    if low == 0 and high == inf:
        return stake
    ends = (repr(float(end) + 0.0).removesuffix(".0") for end in (low, high))
    return f"{stake}={':'.join(ends)}"


def breakpoint_table(study: Study, stake: StakeName, low: float = 0.0, high: float = inf) -> dict[str, list[Any]]:
    """Return every value of a stake at which some record's strategy or the adversary's reply changes.

    Parameters
    ----------
    low, high : only breakpoints above ``low`` and below ``high``, dollars.

    Returns
    -------
    columns : ``policy`` (the policy and the three games), ``value`` (dollars to twelve digits, rising within a policy),
        ``strategies`` (how many records change strategy there) and ``replies`` (for how many the adversary's reply,
        or who of several recipients attacks, changes, whether or not the strategy does).
    """
    columns: dict[str, list[Any]] = {name: [] for name in ("policy", "value", "strategies", "replies")}
    records = study.instance.profiles.records
    for name in compared_names(study):
        stretches = study_stretches(study, name, stake)
        wanted = ~stretches.first & (stretches.lows > low) & (stretches.lows < high)
        values, places = _rounded_to_twelve_digits(stretches.lows[wanted])
        weights = records[stretches.profiles[wanted]]
        columns["policy"] += [name] * len(values)
        columns["value"] += values.tolist()
        for column, changes in (("strategies", stretches.strategy_changes), ("replies", stretches.reply_changes)):
            moved = np.bincount(places, weights * changes[wanted], len(values))
            columns[column] += moved.astype(np.int64).tolist()
    return columns


def stretch_table(study: Study, stake: StakeName, low: float = 0.0, high: float = inf) -> dict[str, list[Any]]:
    """Return the outcomes of the one record of a study along a stake: a row for each policy and stretch.

    Returns
    -------
    columns : ``policy``, ``low`` and ``high`` (dollars; None without end), the level of each attribute, ``withheld``,
        ``attacked``, ``information_loss``, ``generalization_intensity`` and ``success_probability``.
    """
    check_attributes(study, ("policy", "low", "high"), "the table of stretches")
    parts = []
    for name in compared_names(study):
        stretches = study_stretches(study, name, stake)
        highs = stretches.highs
        wanted = (stretches.lows < high) & (highs > low)
        nodes = stretches.nodes[wanted]
        outcomes = Outcomes(instance=study.instance, profiles=np.zeros(len(nodes), np.int64), nodes=nodes)
        columns: dict[str, list[Any]] = {
            "policy": [name] * len(nodes),
            "low": np.maximum(stretches.lows[wanted], low).tolist(),
            "high": [None if end == inf else end for end in np.minimum(highs[wanted], high).tolist()],
        }
        columns |= dict(zip(study.instance.hierarchies, outcomes.levels.T.tolist(), strict=True))
        columns |= {
            "withheld": outcomes.withheld.tolist(),
            "attacked": stretches.attacked[wanted].tolist(),
            "information_loss": outcomes.information_loss.tolist(),
            "generalization_intensity": outcomes.generalization_intensity.tolist(),
            "success_probability": _success_probability(study, outcomes, stretches, wanted),
        }
        parts.append(SweepBlock(columns=columns))
    return columns_of(parts)


def _success_probability(study: Study, outcomes: Outcomes, stretches: StakeStretches, wanted: BoolArray) -> list[float]:
    """Return the chance of success of the attacks on one record within each wanted stretch, (w,)."""
    if study.instance.recipients.is_paper_adversary:  # the chance of success is 1 / n_p, attacked or not
        return list(outcomes.success_probability.tolist())
    found: list[float] = []
    for node, low, high in zip(outcomes.nodes, stretches.lows[wanted], stretches.highs[wanted], strict=True):
        there = instance_at(study, {stretches.stake: 2 * low + 1 if high == inf else (low + high) / 2})
        within = Outcomes(instance=there, profiles=np.zeros(1, np.int64), nodes=np.array([node]))
        found += within.success_probability.tolist()
    return found


def _rounded_to_twelve_digits(values: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return the distinct values, rising, rounded so that sums in different orders agree, and the place of each."""
    distinct, place = np.unique(values, return_inverse=True)
    rounded, again = np.unique([float(f"{value:.12g}") for value in distinct.tolist()], return_inverse=True)
    return rounded, again[place]
