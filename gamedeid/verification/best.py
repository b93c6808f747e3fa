"""Whether a better strategy was permitted: every strategy tried for every profile, by plain counting."""

from itertools import product
from math import isfinite

import numpy as np

from gamedeid.amounts import number_of
from gamedeid.arrays import FloatArray, IntArray
from gamedeid.results.stored import STRATEGIES, SUMMARY
from gamedeid.verification.claims import Claims
from gamedeid.verification.evidence import Evidence
from gamedeid.verification.findings import Notebook
from gamedeid.verification.meanings import NO_LABEL
from gamedeid.verification.outcomes import EQUAL, Recomputed, attacks, information_lost
from gamedeid.verification.people import People, matching_people
from gamedeid.verification.permitted import NO_ATTACK
from gamedeid.verification.recipients import answers_of
from gamedeid.verification.row_keys import distinct_rows

MOST_ROWS = 200_000_000
"""Strategies times rows of people that are looked at; more takes more than half a minute."""


def compare_with_best(
    claims: Claims, least: IntArray | None, found: Recomputed, evidence: Evidence, notes: Notebook
) -> None:
    """Note records for which a permitted strategy pays the publisher more than the stated one.

    Looked for where everything that this takes is there. Of a solver that does not promise the best, the payoff may be
    below it by what the summary states.

    Parameters
    ----------
    claims : the folder.
    least : (n, a) the least levels that the game permits; None where they are not known.
    found : the outcomes of the stated strategies.
    evidence : records, people and hierarchies.
    notes : takes what is wrong.
    """
    gap = 0.0 if claims.stored.is_proved else _stated_gap(claims)
    what = "that no permitted strategy is better" + ("" if claims.stored.is_proved else " by more than the stated gap")
    if not claims.stored.is_game:
        return
    if claims.stored.knows_mechanism:
        notes.skip(what, "what a record may have depends on the strategies of everybody else")
        return
    if evidence.scenario.has_limits:
        notes.skip(what, "limits on the whole dataset make strategies of records depend on each other")
        return
    if gap is None:
        notes.find(SUMMARY, "search.gap_most is no number of dollars")
        return
    people, attributes, records = evidence.people, evidence.attributes, evidence.records
    if people is None or attributes is None or records is None or least is None or people.known:
        notes.skip(what, "records or people are not there, or the people are estimates")
        return
    tops = [one.top for one in attributes]
    strategies = int(np.prod([top + 1 for top in tops], dtype=object))
    rows = len(people.values) + sum(len(one.values) for one in evidence.own.values())
    if strategies * rows > MOST_ROWS:
        notes.skip(what, f"{strategies:,} strategies and {rows:,} rows of people are too many to try all")
        return
    first, of_record = distinct_rows(records.profiles)
    stated = found.outcomes["publisher_payoff"][first]
    best = _best_payoffs(claims, people, evidence, records.standing[first], least[first], stated)
    tolerance = gap + EQUAL * evidence.scenario.payoffs.benefit
    better = (best > stated + tolerance)[of_record]
    file, says = claims.stored.parts(STRATEGIES)[0], "a permitted strategy pays the publisher more"
    expected = np.maximum(best, stated)[of_record]
    notes.find_rows(file, "publisher_payoff", better, says, numbers=(expected, stated[of_record]))
    notes.did(f"{what}: {number_of(strategies, 'strategy')} of {number_of(len(first), 'profile')}")


def _stated_gap(claims: Claims) -> float | None:
    """Return by how many dollars at most a better strategy may be missed, as the summary says."""
    search = claims.summary.get("search")
    gap = search.get("gap_most") if isinstance(search, dict) else None
    if not isinstance(gap, int | float) or isinstance(gap, bool) or not isfinite(gap) or gap < 0:
        return None
    return float(gap)


def _best_payoffs(
    claims: Claims,
    people: People,
    evidence: Evidence,
    values: IntArray,
    least: IntArray,
    stated: FloatArray,
) -> FloatArray:
    """Return the best payoffs, (k,), of profiles with these values (k, a), as far as they are above the stated ones.

    What a strategy is worth unless it is attacked bounds what it pays: people are counted only where that is more than
    the best payoff so far, which begins with the stated one.
    """
    scenario, attributes = claims.scenario, evidence.attributes
    if scenario is None or attributes is None:
        return stated
    stakes = scenario.payoffs
    best = np.maximum(stated, 0.0)  # withholding is always open
    for levels in product(*(range(one.top + 1) for one in attributes)):
        rows = np.flatnonzero((least <= levels).all(axis=1))
        labels = np.stack(
            [
                one.label_numbers[level][values[rows, place]]
                for place, (one, level) in enumerate(zip(attributes, levels, strict=True))
            ],
            axis=1,
        )
        known = (labels != NO_LABEL).all(axis=1)
        rows, labels = rows[known], labels[known]
        worth = stakes.benefit * (1 - information_lost(attributes, np.tile(levels, (len(rows), 1)), labels))
        hopeful = worth > best[rows]
        rows, labels, worth = rows[hopeful], labels[hopeful], worth[hopeful]
        if not len(rows):
            continue
        if scenario.recipients:
            found = answers_of(scenario, people, evidence.own, attributes, np.tile(levels, (len(rows), 1)), labels)
            if found is None:
                continue
            attacked, pays = found.deterrable, worth - found.lost
        else:
            matching = matching_people(people, attributes, levels, labels)
            if people.unmatched == "unique":
                matching = np.maximum(matching, 1)
            attacked = attacks(matching, stakes)
            pays = np.where(attacked, worth - stakes.loss / np.maximum(matching, 1), worth)
        if claims.stored.game == NO_ATTACK:
            pays = np.where(attacked, -np.inf, pays)
        best[rows] = np.maximum(best[rows], pays)
    return best
