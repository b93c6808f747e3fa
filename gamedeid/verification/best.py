"""Search for better permitted strategies, for records and rows of a report: all are tried, by counting people."""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import isfinite, prod
from typing import Any

import numpy as np

from gamedeid.amounts import number_of
from gamedeid.arrays import FloatArray, IntArray
from gamedeid.errors import GamedeidError
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.progress import Progress, unreported
from gamedeid.results.stored import CONTENT, SUMMARY
from gamedeid.scenario.sections import Stakes
from gamedeid.verification.attributes import NO_LABEL, AttributeLabels, labels_at
from gamedeid.verification.claims import Claims
from gamedeid.verification.outcomes import EQUAL, ExaminedRun, information_lost
from gamedeid.verification.people import People, count_people, matching_people
from gamedeid.verification.permitted import NO_ATTACK, floor_policy, least_levels
from gamedeid.verification.recipients import attacks, recipient_replies
from gamedeid.verification.tables import distinct_rows

TIE = 1e-9
"""Payoffs that differ by less than this share of the benefit are equal."""

MOST_ROWS = 200_000_000
"""Most strategies times rows of people that are examined; more takes more than half a minute."""

OVERHEAD_ROWS = 2_000
"""Rows of people that take as long as the work on a strategy that does not depend on them."""

_SHOWN = 10
"""Most rows of the population that a report shows."""


def compare_with_best(run: ExaminedRun, least: IntArray | None) -> None:
    """Note records for which a permitted strategy pays the publisher more than the stated one.

    The search needs all inputs. If the solver does not prove the best strategies, the payoff may be below the best one
    by the gap that the summary states.

    Parameters
    ----------
    least : (n, a) the least levels that the game permits; None if not known.
    """
    evidence, stored, log = run.evidence, run.stored, run.log
    gap = 0.0 if stored.is_proved else _stated_gap(run.claims)
    what = "that no permitted strategy is better" + ("" if stored.is_proved else " by more than the stated gap")
    if not stored.is_game:
        return
    if stored.knows_mechanism:
        log.skip(what, "the strategies permitted for a record depend on those of all other people")
        return
    if run.scenario.has_limits:
        log.skip(what, "limits on the whole dataset make strategies of records depend on each other")
        return
    if gap is None:
        log.find(SUMMARY, "search.gap_most is no number of dollars")
        return
    people, attributes, records = evidence.people, evidence.attributes, evidence.records
    if people is None or attributes is None or records is None or least is None or people.known:
        log.skip(what, "records or people are not there, or the people are estimates")
        return
    if (why := too_many_to_try(run, people, attributes)) is not None:
        log.skip(what, why)
        return
    first, of_record = distinct_rows(records.profiles)
    stated = run.found.outcomes["publisher_payoff"][first]
    attributes, lowest, values = evidence.with_kept(attributes, least[first], records.standing[first], first)
    benefit, pay = run.scenario.payoffs.benefit, payoff_function(run, people, attributes)
    at_first = np.maximum(stated, 0.0)  # withholding is always permitted
    best, _ = best_strategies(attributes, values, lowest, benefit, pay, best=at_first)
    tolerance = gap + EQUAL * benefit
    better = (best > stated + tolerance)[of_record]
    expected, says = np.maximum(best, stated)[of_record], "a permitted strategy pays the publisher more"
    log.find_rows(run.file, "publisher_payoff", better, says, numbers=(expected, stated[of_record]))
    strategies = number_of(count_strategies(attributes), "strategy")
    log.did(f"{what}: {strategies} of {number_of(len(first), 'profile')}")


def count_strategies(attributes: Sequence[AttributeLabels]) -> int:
    """Return the number of strategies."""
    return prod(one.top + 1 for one in attributes)


def too_many_to_try(run: ExaminedRun, people: People, attributes: Sequence[AttributeLabels]) -> str | None:
    """Return why not all strategies are tried; None if they are."""
    strategies = count_strategies(attributes)
    rows = len(people.values) + sum(len(one.values) for one in run.evidence.own.values())
    if strategies * (rows + OVERHEAD_ROWS) <= MOST_ROWS:
        return None
    return f"{strategies:,} strategies and {number_of(rows, 'row')} of people are too many to try all"


def _stated_gap(claims: Claims) -> float | None:
    """Return the most dollars, by the summary, that a better strategy may pay more; None if it states none."""
    search = claims.summary.get("search")
    gap = search.get("gap_most") if isinstance(search, dict) else None
    if not isinstance(gap, int | float) or isinstance(gap, bool) or not isfinite(gap) or gap < 0:
        return None
    return float(gap)


def payoff_function(
    run: ExaminedRun, people: People, attributes: Sequence[AttributeLabels]
) -> Callable[[FloatArray, Sequence[int], IntArray], FloatArray]:
    """Return the function of payoffs for :func:`best_strategies`: -inf for a strategy that the game forbids."""
    stakes, forbids_attack = run.scenario.payoffs, run.stored.game == NO_ATTACK

    def pay(worth: FloatArray, levels: Sequence[int], labels: IntArray) -> FloatArray:
        if not run.scenario.recipients:
            return payoffs(worth, matching_people(people, attributes, levels, labels), people, stakes, forbids_attack)
        wide = np.tile(levels, (len(worth), 1))
        found = recipient_replies(run.scenario, people, run.evidence.own, attributes, wide, labels)
        if found is None:
            return np.full(len(worth), -np.inf)
        return np.where(found.deterrable & forbids_attack, -np.inf, worth - found.lost)

    return pay


def payoffs(worth: FloatArray, matching: IntArray, people: People, stakes: Stakes, forbids_attack: bool) -> FloatArray:
    """Return the publisher's payoffs, (k,) dollars, of rows worth ``worth`` that match ``matching`` people."""
    if people.unmatched == "unique":
        matching = np.maximum(matching, 1)
    lost = np.inf if forbids_attack else stakes.loss / np.maximum(matching, 1)
    return worth - np.where(attacks(matching, stakes), lost, 0.0)


def best_strategies(
    attributes: Sequence[AttributeLabels],
    values: IntArray,
    least: IntArray,
    benefit: float,
    pay: Callable[[FloatArray, Sequence[int], IntArray], FloatArray],
    *,
    best: FloatArray,
    report_progress: Progress = unreported,
) -> tuple[FloatArray, IntArray]:
    """Return the best payoffs of profiles and their strategies, found by trying all: (k,) dollars and (k, a) levels.

    The value of a strategy without attacks bounds its payoff: people are counted only if it exceeds the best payoff so
    far. Payoffs that differ by less than ``TIE`` times the benefit are equal; the first strategy in walk order is
    taken.

    Parameters
    ----------
    values, least : (k, a) numbers of values, and the least levels that the game permits.
    benefit : of a record in full detail, dollars.
    pay : called with the values of rows without attacks, (m,), their levels, (a,), and labels, (m, a);
        returns their payoffs, (m,).
    best : (k,) payoffs to begin with; where no strategy pays more, levels are 0.
    report_progress : called with (strategies tried, all).
    """
    best, chosen = best.copy(), np.zeros(values.shape, np.int64)
    walk = sorted(product(*(range(one.top + 1) for one in attributes)), key=lambda levels: (sum(levels), levels))
    for done, levels in enumerate(walk, 1):
        report_progress(done, len(walk))
        rows = np.flatnonzero((least <= levels).all(axis=1))
        labels = labels_at(attributes, levels, values[rows])
        known = (labels != NO_LABEL).all(axis=1)
        rows, labels = rows[known], labels[known]
        worth = benefit * (1 - information_lost(attributes, levels, labels))
        promising = worth > best[rows] + TIE * benefit
        if promising.any():
            rows = rows[promising]
            pays = pay(worth[promising], levels, labels[promising])
            better = pays > best[rows] + TIE * benefit
            best[rows[better]], chosen[rows[better]] = pays[better], levels
    return best, chosen


def compare_examples(run: ExaminedRun) -> None:
    """Compare the rows before and after that the report shows with the population, and their levels with the best."""
    evidence, stated, log = run.evidence, run.claims.report.get("examples"), run.log
    people, attributes = evidence.people, evidence.attributes
    if not isinstance(stated, list):
        return  # a sentence instead of examples
    what = f"the rows before and after of {CONTENT}"
    if people is None or attributes is None:
        log.skip(what, "population or hierarchies are not there")
        return
    values = _shown_values(people.living(), attributes)
    if len(stated) != len(values):
        log.find(
            CONTENT, f"shows another number of rows of the population: expected {len(values)}, found {len(stated)}"
        )
        return
    read = [_levels(row, attributes) for row in stated]
    if None in read:
        log.find(CONTENT, f"examples {read.index(None)} has not one level for each attribute")
        return
    levels = np.array(read, np.int64)
    withheld = np.array([row.get("withheld") is True for row in stated], np.bool_)
    labels = labels_at(attributes, levels, values)
    matching = np.where(withheld, 0, count_people(people, attributes, levels, labels))
    tops = [one.top for one in attributes]
    for place, row in enumerate(stated):
        expected = {
            "before": _texts(attributes, [0] * len(attributes), values[place]),
            "levels": dict(zip(row["levels"], tops if withheld[place] else levels[place].tolist(), strict=True)),
            "released": _texts(attributes, levels[place].tolist(), values[place]),
            "withheld": bool(withheld[place]),
            "people": int(matching[place]),
        }
        for key, follows in expected.items():
            if row.get(key) != follows:
                log.find(CONTENT, f"examples {place} does not follow from the population", column=key)
    log.did(f"{what}: {number_of(len(values), 'row')}")
    _compare_examples_with_best(run, people, attributes, values, np.where(withheld[:, None], -1, levels))


def _shown_values(people: People, attributes: Sequence[AttributeLabels]) -> IntArray:
    """Return the numbers of values, (k, a), of rows evenly spaced among the sorted distinct rows of the population."""
    known = (people.values < [one.missing for one in attributes]).all(axis=1) & (people.floors == 0).all(axis=1)
    rows: IntArray = np.array(sorted(set(map(tuple, people.values[known].tolist()))), np.int64)
    last, count = len(rows) - 1, min(_SHOWN, len(rows))
    places = sorted({round(last * one / max(1, count - 1)) for one in range(count)})
    return rows[places]


def _levels(row: Any, attributes: Sequence[AttributeLabels]) -> list[int] | None:
    """Return the levels that a row states; None unless it states one for each attribute."""
    found = row.get("levels") if isinstance(row, Mapping) else None
    if not isinstance(found, Mapping) or [*found] != [one.name for one in attributes]:
        return None
    fits = [type(found[one.name]) is int and 0 <= found[one.name] <= one.top for one in attributes]
    return [*found.values()] if all(fits) else None


def _texts(attributes: Sequence[AttributeLabels], levels: Sequence[int], values: IntArray) -> dict[str, str]:
    """Return labels as a report may show them: characters are hidden if the domain consists of values in the data."""

    def shown(hierarchy: Hierarchy, label: str) -> str:
        return re.sub(r"\w", "#", label) if hierarchy.from_data else label

    return {
        one.name: shown(one.hierarchy, one.labels[level][one.label_numbers[level, value]])
        for one, level, value in zip(attributes, levels, values.tolist(), strict=True)
    }


def _compare_examples_with_best(
    run: ExaminedRun, people: People, attributes: Sequence[AttributeLabels], values: IntArray, levels: IntArray
) -> None:
    """Note rows for which a permitted strategy pays more, by trying all; levels (k, a) are -1 where withheld."""
    what = f"that no permitted strategy is better for the rows before and after of {CONTENT}"
    why = too_many_to_try(run, people, attributes) if run.stored.is_proved else "the solver does not prove it"
    if why is not None:
        run.log.skip(what, why)
        return
    least, policy = np.zeros_like(values), floor_policy(run.stored, run.scenario)
    try:
        least = least if policy is None else least_levels(policy, run.evidence, run.current_scenario, values)
    except GamedeidError as error:
        run.log.skip(what, str(error))
        return
    pay, benefit = payoff_function(run, people, attributes), run.scenario.payoffs.benefit
    stated = np.zeros(len(values))
    for place in np.flatnonzero((levels >= 0).all(axis=1)).tolist():
        row = levels[place].tolist()
        labels = labels_at(attributes, row, values[[place]])
        stated[place] = pay(benefit * (1 - information_lost(attributes, row, labels)), row, labels)[0]
    best = best_strategies(attributes, values, least, benefit, pay, best=np.zeros(len(values)))[0]
    low = ((levels < least) & (levels >= 0)).any(axis=1)
    for place in np.flatnonzero(low | (np.abs(best - stated) > EQUAL * benefit)).tolist():
        run.log.find(CONTENT, f"examples {place} is not released as the game would", column="levels")
    run.log.did(what)
