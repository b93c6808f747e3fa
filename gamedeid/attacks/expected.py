"""What the formulas expect of each recipient, from the stated strategies and the records: no release, no guessing."""

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.attacks.labels import texts_at
from gamedeid.attacks.mechanism import Mechanism
from gamedeid.attacks.published import Published
from gamedeid.extras import lacking
from gamedeid.scenario.sections import Stakes
from gamedeid.verification.attributes import labels_at
from gamedeid.verification.people import count_people, rows_by_levels
from gamedeid.verification.recipients import attacks
from gamedeid.verification.tables import distinct_rows, row_keys

try:
    from scipy.stats import binom
except ImportError:
    raise lacking("risk", "a simulated attack") from None


def stated_chances(published: Published) -> FloatArray:
    """Return the chance, (n,), that the paper's adversary finds the person of each row: as the strategies state it.

    In a scenario with recipients, where they do not state it: by the people who match at the stated strategy.
    """
    if published.scenario.recipients:  # the strategies state what all of them do together
        people = matching(published)
        return chances(people, attacks(people, published.scenario.payoffs))
    return np.where(published.attacked, published.success, 0.0)


def matching(published: Published, least: Sequence[int] | None = None) -> IntArray:
    """Return n_p, (n,): how many people match each record at its strategy, at levels not below ``least``."""
    levels = published.levels if least is None else np.maximum(published.levels, least)
    labels = labels_at(published.attributes, levels, published.values)
    return count_people(published.people, published.attributes, levels, labels)


def aware_matching(published: Published, mechanism: Mechanism) -> IntArray:
    """Return n_a, (n,): how many people would be released in just the words in which each record is stated to be."""
    people = published.people
    words = texts_at(published.labels, mechanism.levels, people.values)
    stated = texts_at(published.labels, published.levels, published.values)
    place = distinct_rows(np.concatenate([words, stated]))[1]
    alike = np.zeros(len(place), np.int64)
    np.add.at(alike, place[: len(words)], np.where(mechanism.withheld, 0, people.counts))
    return alike[place[len(words) :]]


def matching_rows(published: Published) -> IntArray:
    """Return how many released rows, (n,), match each row's own person, as the stated strategies release them."""
    found = np.zeros(published.rows, np.int64)
    for levels, rows in rows_by_levels(published.levels):
        labels = labels_at(published.attributes, levels, published.values)
        known = np.flatnonzero((labels >= 0).all(axis=1))
        keys = np.full(published.rows, -1, np.int64)
        keys[known] = row_keys(labels[known])
        released = np.sort(keys[rows])
        low, high = (np.searchsorted(released, keys, side) for side in ("left", "right"))
        found += np.where(keys >= 0, high - low, 0)
    return found


def chances(people: IntArray, attacked: BoolArray) -> FloatArray:
    """Return 1 / n, (n,), where so many candidates are attacked, else 0."""
    return np.where(attacked & (people > 0), 1 / np.maximum(people, 1), 0.0)


def chances_on_list(people: IntArray, covers: float, stakes: Stakes) -> FloatArray:
    """Return the chance, (n,), of a recipient whose list is right, and has each person with probability ``covers``.

    Of n people who match, k are on the list; the recipient attacks if gain > cost x k, and finds the right one
    of n with 1 / n: the chance is P(1 <= k <= most) / n with k binomial, where groups of up to ``most`` are attacked.
    """
    limit = attack_limit(stakes, int(people.max(initial=0)))
    some = binom.cdf(np.minimum(limit, people), people, covers) - binom.pmf(0, people, covers)
    return np.where((people > 0) & (limit > 0), some / np.maximum(people, 1), 0.0)


def attack_limit(stakes: Stakes, most: int) -> int:
    """Return the largest group, of at most so many people, that is worth an attack; 0 if none is."""
    return bisect_left(range(1, most + 1), x=True, key=lambda people: not attacks(np.array([people]), stakes)[0])
