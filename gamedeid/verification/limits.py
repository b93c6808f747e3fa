"""Whether a release is within the limits that the scenario sets the whole dataset, stated here a second time."""

from collections.abc import Iterator, Mapping
from math import isclose
from typing import Any

import numpy as np
import pyarrow as pa

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.results.stored import SUMMARY
from gamedeid.scenario.limits import OF_GROUPS, GroupLimits, Limits
from gamedeid.scenario.sections import Stakes
from gamedeid.verification.outcomes import GAINED_BY, ExaminedRun, Recomputed
from gamedeid.verification.tables import distinct_rows

_ROUND = 1e-8
"""Sums over limits by no more than this share are within them: they are added up in another order."""


def compare_limits(run: ExaminedRun, people: IntArray) -> None:
    """Note limits that the release exceeds, and what the summary says of them.

    Whether other strategies within the limits pay more is not examined.

    Parameters
    ----------
    people : (p,) the first record of each person.
    """
    scenario, log, limits = run.scenario, run.log, run.scenario.limits
    if limits is None or not scenario.has_limits or not run.stored.is_game:
        return
    levels, labels, found = run.strategies.levels[people], run.labels[people], run.found.of(people)
    stated = run.claims.summary.get("limits")
    asked = stated.get("asked") if isinstance(stated, dict) else None
    group = None if limits.groups is None else _group_of_each(run, limits.groups, people)
    count = 0
    for name, limit, reached, exceeded in _reached(limits, levels, labels, found, scenario.payoffs, group):
        if name in OF_GROUPS and group is None:
            log.skip(f"the limit {name}", "the values that make the groups are not known")
            continue
        if name == "smallest_cell" and run.evidence.attributes is None:
            log.skip(f"the limit {name}", "a hierarchy is not known, and with it which rows share their labels")
            continue
        count += 1
        if exceeded:
            log.find(SUMMARY, f"the limit {name} is {limit:g}, and the release has {reached:.9g}")
        said = asked.get(name) if isinstance(asked, dict) else None
        if not isinstance(said, Mapping) or not _is_close(said.get("reached"), reached):
            log.find(SUMMARY, f"limits.asked.{name}.reached is not {reached:.9g}, which the release has")
    if limits.is_uniform:
        _compare_uniform(run, limits, levels, found)
    log.did(f"{count} limits on the whole dataset")
    log.skip("the bound and the prices of the limits", "no other strategies within the limits are looked for")


def _is_close(said: object, reached: float) -> bool:
    return isinstance(said, int | float) and isclose(said, reached, rel_tol=_ROUND, abs_tol=_ROUND)


def _reached(
    limits: Limits, levels: IntArray, labels: IntArray, found: Recomputed, stakes: Stakes, group: IntArray | None
) -> Iterator[tuple[str, float, float, bool]]:
    """Yield name, value, what the release comes to, and whether that is beyond it, of each limit that is a number."""
    outcomes: Mapping[str, Any] = found.outcomes
    released = ~outcomes["withheld"]
    chance = np.where(released, outcomes["success_probability"], 0.0)
    if_all = np.where(released, outcomes.get("if_all_attacked", outcomes["success_probability"]), 0.0)
    gains = [amounts for name, amounts in outcomes.items() if name.startswith(GAINED_BY)]
    if "if_all_attacked" not in outcomes:
        gains = [outcomes["adversary_payoff"]]
    attacked = outcomes["attacked"]
    for name, limit in limits.asked():
        if name == "expected_reidentifications":
            reached, size = float(chance[attacked].sum()), 1.0
        elif name == "attacked":
            reached, size = float(attacked.mean()), 1.0
        elif name == "list_price":
            reached, size = max((float(amounts[attacked].sum()) for amounts in gains), default=0.0), stakes.loss
        elif name == "record_risk":
            reached, size = float(if_all.max(initial=0.0)), 1.0
        elif name == "information_loss":
            reached, size = float(outcomes["information_loss"].mean()), 1.0
        elif name == "publisher_payoff":
            reached, size = float(outcomes["publisher_payoff"].mean()), stakes.benefit
        elif name in OF_GROUPS:
            amounts = np.asarray(outcomes[name.rpartition(".")[2]], np.float64)
            reached, size = 0.0 if group is None else _difference(limits.groups, group, amounts), 1.0
        else:
            reached, size = float(_smallest_cell(levels[released], labels[released])), 1.0
        over = limit - reached if name in {"publisher_payoff", "smallest_cell"} else reached - limit
        empty = name == "smallest_cell" and not released.any()
        yield name, limit, reached, over > _ROUND * max(abs(limit), size) and not empty


def _group_of_each(run: ExaminedRun, limits: GroupLimits, people: IntArray) -> IntArray | None:
    """Return the number of each person's group, (p,); None where it is not known."""
    records, column = run.evidence.records, limits.column
    if records is not None and column in records.kept:
        texts = records.kept[column].cast(pa.string()).fill_null("").to_numpy(zero_copy_only=False)
        return np.unique(texts, return_inverse=True)[1][people]
    attribute = run.evidence.known_attributes.get(column)
    if records is None or attribute is None:
        return None
    level = max(attribute.top - 1, 0) if limits.level is None else limits.level
    values = records.standing[people, list(run.scenario.attributes).index(column)]
    return np.where(values == attribute.missing, -1, attribute.label_numbers[level, values])


def _difference(limits: GroupLimits | None, group: IntArray, amounts: FloatArray) -> float:
    """Return the greatest mean of a group less the smallest, of those that are large enough."""
    _, of_row, sizes = np.unique(group, return_inverse=True, return_counts=True)
    means = np.bincount(of_row, amounts) / sizes
    compared = means[sizes >= (1 if limits is None else limits.least)]
    return float(np.ptp(compared)) if len(compared) else 0.0


def _smallest_cell(levels: IntArray, labels: IntArray) -> int:
    """Return how many rows share their released values, at the least; 0 where there are none."""
    if not len(levels):
        return 0
    _, cells = distinct_rows(np.concatenate([levels, labels], axis=1))
    return int(np.bincount(cells).min())


def _compare_uniform(run: ExaminedRun, limits: Limits, levels: IntArray, found: Recomputed) -> None:
    """Note groups of records that are released by several strategies."""
    log, records, attributes = run.log, run.evidence.records, run.evidence.attributes
    if records is None or run.scenario.records.person is not None:
        log.skip("that records share a strategy", "the records are not there, or several are one person's")
        return
    if attributes is None:
        log.skip("that records share a strategy", "a hierarchy is not known")
        return
    names = [one.name for one in attributes]
    missing = np.array([one.missing for one in attributes])
    released = np.flatnonzero(~found.outcomes["withheld"])
    places = [names.index(name) for name in limits.uniform] if isinstance(limits.uniform, tuple) else []
    values = records.values[released]
    of_group = distinct_rows(values[:, places])[1] if places else np.zeros(len(released), np.int64)
    for group in np.unique(of_group).tolist():
        rows = of_group == group
        for place, name in enumerate(names):
            seen = levels[released[rows], place][values[rows, place] != missing[place]]
            if len(np.unique(seen)) > 1:
                log.find(SUMMARY, f"limits.uniform: {name} has several levels among records that share a strategy")
