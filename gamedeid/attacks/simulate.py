"""Simulate attacks on a published release, person by person, and compare them with the formulas."""

import logging
from collections.abc import Sequence
from dataclasses import fields
from os import PathLike
from pathlib import Path
from typing import cast

import numpy as np

from gamedeid.amounts import number_of
from gamedeid.arrays import FloatArray, IntArray
from gamedeid.attacks.labels import UNKNOWN_TEXT
from gamedeid.attacks.published import Published, read_published
from gamedeid.attacks.recipients import AttackingRecipient, fewest_matches_by_attribute, recipients_by_name
from gamedeid.attacks.result import AttackCounts, AttackSimulation, RecipientResult
from gamedeid.attacks.worlds import Worlds, group_rows
from gamedeid.choices import SIMULATED_RECIPIENTS, SimulatedRecipient
from gamedeid.errors import InvalidScenarioError, quoted, refuse_text, refuse_unknown
from gamedeid.extras import missing_extra_error
from gamedeid.progress import Phases, no_progress
from gamedeid.results.manifest import ResultWarning, WarningKind
from gamedeid.scenario.scenario import ScenarioLike
from gamedeid.scenario.shipped import scenario_of
from gamedeid.verification.recipients import adversary_gain
from gamedeid.verification.warnings import stated_warnings

try:
    from scipy.stats import binom
except ImportError:
    raise missing_extra_error("risk", "a simulated attack") from None

_LOG = logging.getLogger(__name__)

MOST_REPEATS = 1_000_000
"""Most worlds that can be drawn: their mean is known to a thousandth of the standard deviation of one world."""

_SCENARIO_STREAMS = 1_000
"""First random stream of the scenario's recipients."""

FALSE_ALARM_RATE = 0.001
"""Greatest chance that any comparison of a simulation rejects a correct release."""

_TAIL = 1e-18  # probability left out at both ends of a distribution

EQUAL_CHANCES = 1e-12
"""Chances that differ by no more are equal."""


def simulate_attacks(
    folder: str | PathLike[str],
    scenario: ScenarioLike | None = None,
    *,
    recipients: Sequence[SimulatedRecipient | str] | None = None,
    repeats: int = 10,
    seed: int = 1,
    workers: int = 1,
    covers: float = 0.9,
    wrong: float = 0.05,
    identity: str | None = None,
    phases: Phases = no_progress,
) -> AttackSimulation:
    """Let recipients attack a published release, and count how often they name the right person.

    In each world the person behind every released row is drawn among the people of the population who have the record's
    values, no person twice. Recipients read the release and the population, choose which rows to attack, and name one
    candidate for each. Their successes are compared with the formulas for the stated strategies.

    Parameters
    ----------
    folder : a folder that ``gamedeid run -o`` or ``Solution.write`` has written.
    scenario : the question, which gives the paths of the inputs; without it, they are searched for from the current
        folder, by their names in the manifest.
    recipients : the attackers: recipients of the scenario by name, or "naive", "aware", "marketer",
        "aware-marketer", "noisy" or "in-release"; a name that both have means the scenario's. (default: all those of
        the scenario, or "naive" and "aware" if it has none)
    repeats : worlds, from 1 to 1,000,000.
    seed : of the random numbers, 0 or more.
    workers : threads that share the work, at least 1; they change no number.
    covers : share of the people on the noisy recipient's list, above 0 and at most 1.
    wrong : chance that a value on that list is another person's, from 0 to below 1.
    identity : column that names the person of each row, in the files of records and of the population; the population
        is then a register with a row for each person. None: the person of each row is drawn in each world.
    phases : called with the name of each phase of the work; returns the callback for its progress.

    Returns
    -------
    the results of each recipient, and whether they agree with the formulas.

    Raises
    ------
    OutputError : the folder holds no results of a run, or they are damaged.
    InvalidScenarioError : an argument is invalid, or attacks on such a release cannot be simulated.
    InvalidDataError : an input is missing, or does not match the scenario.
    """
    _check_arguments(repeats=repeats, seed=seed, workers=workers, covers=covers, wrong=wrong)
    phases("reading the release and the people")
    published = read_published(Path(folder), None if scenario is None else scenario_of(scenario), identity)
    own = published.scenario.recipients
    names = _known_names(recipients, list(own))
    options = {"covers": covers, "wrong": wrong} if "noisy" in names and "noisy" not in own else {}
    attackers = recipients_by_name(published, names, options, phases)
    streams: dict[str, int] = {name: place for place, name in enumerate(SIMULATED_RECIPIENTS, 1)}
    streams |= {name: _SCENARIO_STREAMS + place for place, name in enumerate(own)}  # whatever others are called
    phases("matching people")
    group, strategies = group_rows(published.levels)
    worlds = Worlds(
        published=published,
        one_attribute=fewest_matches_by_attribute(published),
        group=group,
        strategies=strategies,
        recipients={name: (streams[name], one) for name, one in attackers.items()},
        repeats=repeats,
        seed=seed,
    )
    played = worlds.play(workers, phases("worlds"))
    _LOG.info("attacks of %d recipients on %d rows played %d times", len(attackers), published.rows, repeats)
    stated = stated_warnings(published.claims.summary.get("warnings")) or []
    return AttackSimulation(
        folder=str(folder),
        game=published.claims.stored.game,
        people=published.total,
        records=published.records,
        released=published.rows,
        left_out=int((~published.judged).sum()),
        more_records_than_people=_excess_records(published),
        repeats=repeats,
        seed=seed,
        options=options,
        recipients=[_judged(worlds, name, counts) for name, counts in played.items()],
        notes=(*published.notes, *_notes(published, names)),
        warnings=[ResultWarning(kind=cast("WarningKind", one["kind"]), says=one["says"]) for one in stated],
        inputs=published.inputs,
    )


def _known_names(asked: Sequence[str] | None, own: Sequence[str]) -> Sequence[str]:
    """Return the attackers, by name (default: those of the scenario, or else naive and aware)."""
    if asked is None:
        return own or ("naive", "aware")
    refuse_text("recipients", asked)
    known = list(dict.fromkeys([*own, *SIMULATED_RECIPIENTS]))
    for one in asked:
        refuse_unknown("recipient", one, known)
    if not asked or len(set(asked)) < len(asked):
        raise InvalidScenarioError("recipients must be one or several, each named once")
    return asked


def _check_arguments(*, repeats: int, seed: int, workers: int, covers: float, wrong: float) -> None:
    for name, value, least in (("repeats", repeats, 1), ("seed", seed, 0), ("workers", workers, 1)):
        if type(value) is not int or value < least:
            raise InvalidScenarioError(f"{name} must be a whole number, {least} or more, not {quoted(value)}")
    if repeats > MOST_REPEATS:
        raise InvalidScenarioError(f"repeats must be {MOST_REPEATS:,} or fewer, not {quoted(repeats)}")
    if not 0 < covers <= 1:
        raise InvalidScenarioError(f"covers must be a share above 0 and at most 1, not {quoted(covers)}")
    if not 0 <= wrong < 1:
        raise InvalidScenarioError(f"wrong must be a chance from 0 to below 1, not {quoted(wrong)}")


def _excess_records(published: Published) -> int:
    """Return how many released records exceed the people who have their values."""
    if published.person is not None:
        return 0
    rows = np.bincount(published.cell[published.judged], minlength=len(published.people.counts))
    return int(np.maximum(rows - published.people.counts, 0).sum())


def _notes(published: Published, names: Sequence[str]) -> list[str]:
    """Return notes on this release and its recipients for the reader, a line each."""
    unread = int((published.texts == UNKNOWN_TEXT).any(axis=1).sum())
    left_out, excess = int((~published.judged).sum()), _excess_records(published)
    found = []
    if unread:
        found.append(f"with labels that their hierarchy does not have: {number_of(unread, 'released row')}")
    if left_out:
        why = "no person of the population has their values" if published.person is None else "the register lacks them"
        found.append(f"left out, as {why}: {number_of(left_out, 'released record')}")
    if excess:
        found.append(
            f"more than the people with their values, so that some people have several rows: "
            f"{number_of(excess, 'released record')}"
        )
    own = published.scenario.recipients
    uncertain = [(name, own[name].probability) for name in names if name in own and own[name].probability < 1]
    return found + [
        f"{name} is present in the simulation; in the scenario with probability {chance:g}"
        for name, chance in uncertain
    ]


def _judged(worlds: Worlds, name: str, counts: IntArray) -> RecipientResult:
    """Return the result of one recipient from the counts of all worlds together, (groups, 4)."""
    recipient, judged = worlds.recipients[name][1], worlds.published.judged
    total = _counted(worlds, recipient, counts.sum(axis=0), np.flatnonzero(judged), None)
    groups = [
        _counted(worlds, recipient, counts[place], np.flatnonzero(judged & (worlds.group == place)), strategy)
        for place, strategy in enumerate(worlds.strategies)
    ]
    otherwise = 0
    if recipient.expected is not None and recipient.believed is not None:
        otherwise = int((np.abs(recipient.expected - recipient.believed) > EQUAL_CHANCES)[judged].sum())
    return RecipientResult(
        **{field.name: getattr(total, field.name) for field in fields(total) if field.name != "agrees"},
        agrees=not otherwise and all(one.agrees for one in (total, *groups)),
        total_agrees=total.agrees,
        recipient=name,
        groups=groups,
        dollars_gained=adversary_gain(recipient.stakes) * total.successes,
        dollars_paid=recipient.stakes.cost * total.attacks,
        rows_seen_otherwise=otherwise,
    )


def _counted(
    worlds: Worlds, recipient: AttackingRecipient, counts: IntArray, rows: IntArray, strategy: tuple[int, ...] | None
) -> AttackCounts:
    """Return the attacks on some of the judged rows, (m,), of one strategy."""
    attacks, successes, by_chance, by_one = (int(one) for one in counts)
    expected = surprise = None
    if recipient.expected is not None:
        chances = recipient.expected[rows]
        expected = float(chances.sum()) * worlds.repeats
        if recipient.believed is not None:
            surprise = surprise_of(successes, chances, worlds.repeats)
    compared = len(worlds.recipients) * (1 + len(worlds.strategies))  # numbers of successes, of all recipients
    names = list(worlds.published.scenario.attributes)
    return AttackCounts(
        strategy=None if strategy is None else dict(zip(names, strategy[: len(names)], strict=True)),
        records=len(rows),
        attacks=attacks,
        successes=successes,
        expected_successes=expected,
        random_guess_successes=by_chance,
        one_attribute_successes=by_one if recipient.seeks_people else None,
        surprise=surprise,
        agrees=surprise is None or surprise >= FALSE_ALARM_RATE / compared,
    )


def surprise_of(successes: int, chances: FloatArray, times: int) -> float:
    """Return the chance of a number of successes as far out as this on either side: twice the smaller tail, at most 1.

    It is exact, for independent attacks with ``chances``, (m,) in [0, 1], each made ``times`` times.
    """
    kinds, counts = np.unique(chances[chances > 0], return_counts=True)
    first, weights = 0, np.ones(1)
    for chance, count in zip(kinds.tolist(), (counts * times).tolist(), strict=True):
        low, high = (int(one) for one in binom.ppf([_TAIL, 1 - 1e-16], count, chance))
        low, high = max(low - 1, 0), min(high + 8, count)
        weights = np.convolve(weights, binom.pmf(np.arange(low, high + 1), count, chance))
        likely = np.flatnonzero(weights > _TAIL)
        weights, first = weights[likely[0] : likely[-1] + 1], first + low + int(likely[0])
    weights, place = weights / weights.sum(), successes - first
    below, above = float(weights[: max(place + 1, 0)].sum()), float(weights[max(place, 0) :].sum())
    return min(1.0, 2 * min(below, above))
