"""Whether a better strategy was permitted: every strategy tried for every profile, by plain counting."""

from collections.abc import Sequence
from itertools import product
from math import isfinite

import numpy as np

from gamedeid.amounts import number_of
from gamedeid.arrays import FloatArray, IntArray
from gamedeid.results.stored import SUMMARY
from gamedeid.verification.attributes import NO_LABEL, AttributeLabels, labels_at
from gamedeid.verification.claims import Claims
from gamedeid.verification.outcomes import EQUAL, ExaminedRun, information_lost
from gamedeid.verification.people import People, matching_people
from gamedeid.verification.permitted import NO_ATTACK
from gamedeid.verification.recipients import answers_of, attacks
from gamedeid.verification.tables import distinct_rows

MOST_ROWS = 200_000_000
"""Strategies times rows of people that are looked at; more takes more than half a minute."""


def compare_with_best(run: ExaminedRun, least: IntArray | None) -> None:
    """Note records for which a permitted strategy pays the publisher more than the stated one.

    Searched where everything that this takes is there. Of a solver that does not promise the best, the payoff may be
    below it by what the summary states.

    Parameters
    ----------
    run : the folder.
    least : (n, a) the least levels that the game permits; None where they are not known.
    """
    evidence, stored, log = run.evidence, run.stored, run.log
    gap = 0.0 if stored.is_proved else _stated_gap(run.claims)
    what = "that no permitted strategy is better" + ("" if stored.is_proved else " by more than the stated gap")
    if not stored.is_game:
        return
    if stored.knows_mechanism:
        log.skip(what, "what a record may have depends on the strategies of everybody else")
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
    strategies = int(np.prod([one.top + 1 for one in attributes], dtype=object))
    rows = len(people.values) + sum(len(one.values) for one in evidence.own.values())
    if strategies * rows > MOST_ROWS:
        log.skip(what, f"{strategies:,} strategies and {rows:,} rows of people are too many to try all")
        return
    first, of_record = distinct_rows(records.profiles)
    stated = run.found.outcomes["publisher_payoff"][first]
    best = _best_payoffs(run, people, attributes, records.standing[first], least[first], stated)
    tolerance = gap + EQUAL * run.scenario.payoffs.benefit
    better = (best > stated + tolerance)[of_record]
    expected, says = np.maximum(best, stated)[of_record], "a permitted strategy pays the publisher more"
    log.find_rows(run.file, "publisher_payoff", better, says, numbers=(expected, stated[of_record]))
    log.did(f"{what}: {number_of(strategies, 'strategy')} of {number_of(len(first), 'profile')}")


def _stated_gap(claims: Claims) -> float | None:
    """Return by how many dollars at most a better strategy may be missed, as the summary says."""
    search = claims.summary.get("search")
    gap = search.get("gap_most") if isinstance(search, dict) else None
    if not isinstance(gap, int | float) or isinstance(gap, bool) or not isfinite(gap) or gap < 0:
        return None
    return float(gap)


def _best_payoffs(
    run: ExaminedRun,
    people: People,
    attributes: Sequence[AttributeLabels],
    values: IntArray,
    least: IntArray,
    stated: FloatArray,
) -> FloatArray:
    """Return the best payoffs, (k,), of profiles with these values (k, a), as far as they are above the stated ones.

    What a strategy is worth unless it is attacked bounds what it pays: people are counted only where that is more than
    the best payoff so far, which begins with the stated one.
    """
    stakes = run.scenario.payoffs
    best = np.maximum(stated, 0.0)  # withholding is always open
    for levels in product(*(range(one.top + 1) for one in attributes)):
        rows = np.flatnonzero((least <= levels).all(axis=1))
        labels = labels_at(attributes, levels, values[rows])
        known = (labels != NO_LABEL).all(axis=1)
        rows, labels = rows[known], labels[known]
        worth = stakes.benefit * (1 - information_lost(attributes, np.tile(levels, (len(rows), 1)), labels))
        hopeful = worth > best[rows]
        rows, labels, worth = rows[hopeful], labels[hopeful], worth[hopeful]
        if not len(rows):
            continue
        if run.scenario.recipients:
            wide = np.tile(levels, (len(rows), 1))
            found = answers_of(run.scenario, people, run.evidence.own, attributes, wide, labels)
            if found is None:
                continue
            attacked, pays = found.deterrable, worth - found.lost
        else:
            matching = matching_people(people, attributes, levels, labels)
            if people.unmatched == "unique":
                matching = np.maximum(matching, 1)
            attacked = attacks(matching, stakes)
            pays = np.where(attacked, worth - stakes.loss / np.maximum(matching, 1), worth)
        if run.stored.game == NO_ATTACK:
            pays = np.where(attacked, -np.inf, pays)
        best[rows] = np.maximum(best[rows], pays)
    return best
