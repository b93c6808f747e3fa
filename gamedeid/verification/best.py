"""Whether a better strategy was permitted: every strategy tried for every profile, by plain counting."""

from collections.abc import Callable, Sequence
from itertools import product
from math import isfinite, prod

import numpy as np

from gamedeid.amounts import number_of
from gamedeid.arrays import FloatArray, IntArray
from gamedeid.progress import Progress
from gamedeid.results.stored import SUMMARY
from gamedeid.scenario.sections import Stakes
from gamedeid.verification.attributes import NO_LABEL, AttributeLabels, labels_at
from gamedeid.verification.claims import Claims
from gamedeid.verification.outcomes import EQUAL, ExaminedRun, information_lost
from gamedeid.verification.people import People, matching_people
from gamedeid.verification.permitted import NO_ATTACK
from gamedeid.verification.recipients import answers_of, attacks
from gamedeid.verification.tables import distinct_rows

TIE = 1e-9
"""Payoffs that differ by less than this share of the benefit are equal."""

MOST_ROWS = 200_000_000
"""Strategies times rows of people that are looked at; more takes more than half a minute."""


def compare_with_best(run: ExaminedRun, least: IntArray | None) -> None:
    """Note records for which a permitted strategy pays the publisher more than the stated one.

    Searched where everything that this takes is there. Of a solver that does not promise the best, the payoff may be
    below it by what the summary states.

    Parameters
    ----------
    least : (n, a) the least levels that the game permits; None where they are not known.
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
    searched = evidence.with_kept(attributes, least[first], records.standing[first], first)
    best = _best_payoffs(run, people, *searched, stated)
    tolerance = gap + EQUAL * run.scenario.payoffs.benefit
    better = (best > stated + tolerance)[of_record]
    expected, says = np.maximum(best, stated)[of_record], "a permitted strategy pays the publisher more"
    log.find_rows(run.file, "publisher_payoff", better, says, numbers=(expected, stated[of_record]))
    strategies = number_of(count_strategies(attributes), "strategy")
    log.did(f"{what}: {strategies} of {number_of(len(first), 'profile')}")


def count_strategies(attributes: Sequence[AttributeLabels]) -> int:
    """Return how many strategies there are."""
    return prod(one.top + 1 for one in attributes)


def too_many_to_try(run: ExaminedRun, people: People, attributes: Sequence[AttributeLabels]) -> str | None:
    """Return why not all strategies are tried, or None where they are."""
    strategies = count_strategies(attributes)
    rows = len(people.values) + sum(len(one.values) for one in run.evidence.own.values())
    if strategies * rows <= MOST_ROWS:
        return None
    return f"{strategies:,} strategies and {rows:,} rows of people are too many to try all"


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
    least: IntArray,
    values: IntArray,
    stated: FloatArray,
) -> FloatArray:
    """Return the best payoffs, (k,), of profiles with these values (k, a), as far as they are above the stated ones."""
    best = np.maximum(stated, 0.0)  # withholding is always open
    benefit = run.scenario.payoffs.benefit
    return best_strategies(attributes, values, least, benefit, payer(run, people, attributes), best=best)[0]


def payer(
    run: ExaminedRun, people: People, attributes: Sequence[AttributeLabels]
) -> Callable[[FloatArray, Sequence[int], IntArray], FloatArray]:
    """Return what :func:`best_strategies` calls for what rows pay: -inf where the game forbids it."""
    stakes, forbids_attack = run.scenario.payoffs, run.stored.game == NO_ATTACK

    def pay(worth: FloatArray, levels: Sequence[int], labels: IntArray) -> FloatArray:
        if not run.scenario.recipients:
            return payoffs(worth, matching_people(people, attributes, levels, labels), people, stakes, forbids_attack)
        wide = np.tile(levels, (len(worth), 1))
        found = answers_of(run.scenario, people, run.evidence.own, attributes, wide, labels)
        if found is None:
            return np.full(len(worth), -np.inf)
        return np.where(found.deterrable & forbids_attack, -np.inf, worth - found.lost)

    return pay


def payoffs(worth: FloatArray, matching: IntArray, people: People, stakes: Stakes, forbids_attack: bool) -> FloatArray:
    """Return what rows pay the publisher, (k,) dollars, that are worth so much and match so many people."""
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
    report_progress: Progress | None = None,
) -> tuple[FloatArray, IntArray]:
    """Return the best payoffs of profiles and their strategies, found by trying all: (k,) dollars and (k, a) levels.

    What a strategy is worth unless it is attacked bounds what it pays: people are counted only where that is more than
    the best payoff so far. Payoffs that differ by less than ``TIE`` times the benefit are equal; the first strategy in
    walk order is taken.

    Parameters
    ----------
    values, least : (k, a) numbers of values, and the least levels that the game permits.
    benefit : of a record as it is, dollars.
    pay : called with what rows are worth unless they are attacked, (m,), their levels, (a,), and labels, (m, a);
        returns what they pay, (m,).
    best : (k,) payoffs to begin with; where no strategy pays more, levels are 0.
    report_progress : called with (strategies tried, all).
    """
    best, chosen = best.copy(), np.zeros(values.shape, np.int64)
    walk = sorted(product(*(range(one.top + 1) for one in attributes)), key=lambda levels: (sum(levels), levels))
    for done, levels in enumerate(walk, 1):
        if report_progress is not None:
            report_progress(done, len(walk))
        rows = np.flatnonzero((least <= levels).all(axis=1))
        labels = labels_at(attributes, levels, values[rows])
        known = (labels != NO_LABEL).all(axis=1)
        rows, labels = rows[known], labels[known]
        worth = benefit * (1 - information_lost(attributes, levels, labels))
        hopeful = worth > best[rows] + TIE * benefit
        if hopeful.any():
            rows = rows[hopeful]
            pays = pay(worth[hopeful], levels, labels[hopeful])
            better = pays > best[rows] + TIE * benefit
            best[rows[better]], chosen[rows[better]] = pays[better], levels
    return best, chosen
