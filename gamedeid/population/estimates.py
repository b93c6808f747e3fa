"""Estimate how many people match if the population is not known in full: by even spreading, or from a sample."""

from collections.abc import Mapping
from math import log

import numpy as np
import numpy.typing as npt

from gamedeid.arrays import EXACT_INTEGERS, ROUNDING, FloatArray, IntArray
from gamedeid.data.profiles import Profiles
from gamedeid.errors import InvalidScenarioError, quoted
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.lattice import Lattice
from gamedeid.population.contract import Counts, count_all_profiles
from gamedeid.population.rows import Counting, PeopleAt


def occupied_bins(people: npt.ArrayLike, bins: npt.ArrayLike) -> FloatArray:
    """Return the expected number of b equally likely bins that hold any of n people: b (1 - (1 - 1/b)^n).

    Returns
    -------
    float64 of the common shape; no power overflows, and none is lost if b is large.

    References
    ----------
    Benitez and Malin (2010), equation 4.
    """
    n, b = np.asarray(people, np.float64), np.asarray(bins, np.float64)
    several = b > 1
    expected = -b * np.expm1(n * np.log1p(-1 / np.where(several, b, 2.0)))
    found: FloatArray = np.where(several, expected, np.minimum(n, 1.0))  # one bin would be the logarithm of 0
    return found


def expected_people(people: IntArray, bins: IntArray) -> IntArray:
    """Return n_p, int64, of a person among n people over b equally likely bins.

    It is the number whose inverse is the chance of a right guess, the expected occupied bins over n, rounded down: the
    game then never treats a record as safer than by the estimate. It is n for one bin, 0 for no people, else at least
    1; and it never falls as n rises, nor as b falls.
    """
    means = people / np.maximum(occupied_bins(people, bins), ROUNDING)
    # logarithms may leave a number slightly below a whole one before it is rounded down
    rounded = np.floor(means * (1 + ROUNDING)).astype(np.int64)
    alike: IntArray = np.where(bins == 1, people, np.maximum(rounded, np.minimum(people, 1)))
    return alike


class EvenSpread:
    """The number of equally likely groups of people for whom an attribute is known only at a level.

    Parameters
    ----------
    known : attribute -> level at which the population has it (default: level 0).
    """

    def __init__(self, hierarchies: Mapping[str, Hierarchy], known: Mapping[str, int]) -> None:
        self._known = np.array([known.get(attribute, 0) for attribute in hierarchies], np.int8)
        self._bins = [
            _bins(hierarchy, level) for hierarchy, level in zip(hierarchies.values(), self._known, strict=True)
        ]

    def known_levels(self, levels: IntArray) -> IntArray:
        """Return the finest levels at or above ``levels``, (k, a) both, at which the population is known."""
        return np.maximum(levels, self._known)

    def bins(self, codes: IntArray, levels: IntArray) -> IntArray:
        """Return over how many groups at levels, (k, a), leaf codes, (k, a), are spread: (k,) int64; 1 if known."""
        bins = np.ones(len(codes), np.int64)
        for place, table in enumerate(self._bins):
            bins *= table[levels[:, place], codes[:, place]]
        return bins


def spread_counting(counts: Counts, lattice: Lattice, spread: EvenSpread) -> Counting:
    """Return the estimator of the people of a population that has some attributes only at a level.

    They are spread evenly over the finer groups.
    """

    def of(profiles: Profiles) -> PeopleAt:
        known_counts, all_profiles = counts.of(profiles), np.arange(profiles.count)

        def estimated_at(node: int) -> IntArray:
            levels = np.tile(lattice.levels_of(node), (len(all_profiles), 1))
            people = known_counts.people(profiles, all_profiles, lattice.nodes(spread.known_levels(levels)))
            return expected_people(people, spread.bins(profiles.codes, levels))

        return lambda nodes: np.stack([estimated_at(node) for node in nodes.tolist()])

    return of


def _bins(hierarchy: Hierarchy, known: int) -> IntArray:
    """Return for each level and leaf, (h, l + 1) int64, into how many groups there its group at ``known`` is split.

    The last leaf is a missing value, which needs no guess.
    """
    bins = np.ones((hierarchy.levels, len(hierarchy.leaves) + 1), np.int64)
    groups = hierarchy.groups
    for level in range(known):
        first = np.flatnonzero(np.diff(groups[level], prepend=-1))
        bins[level, :-1] = np.bincount(groups[known][first])[groups[known]]
    return bins


_HALF = 0.5
_BURN_IN = 2000
"""Steps after which the start of a recurrence that shrinks errors by a factor does not matter."""

_ROUNDING = 1e-9
"""How far below a whole number the many steps of the recurrence may end, before it is rounded down."""


def success_by_class(fraction: float, largest: int) -> FloatArray:
    """Return the chance to name the right person of a class, by the size of the class in the sample.

    A class with k people in the sample has F in the population, k among them by chance: F - k is negative binomial, and
    the chance is the mean of 1 / F.

    Parameters
    ----------
    fraction : share of the population that is in the sample, in (0, 1).
    largest : greatest size in the sample, 0 or more.

    Raises
    ------
    InvalidScenarioError : a number out of its range.

    Returns
    -------
    (largest + 1,) float64, falling; the first, of a class with no one in the sample, is 1.

    References
    ----------
    dankar2012, mu-argus; the integral of the generating function over s, by parts.
    """
    if not (0 < fraction < 1 and 0 <= largest <= EXACT_INTEGERS):
        raise InvalidScenarioError(
            f"expected a fraction between 0 and 1 and a size of 0 or more, not {quoted(fraction)} and {quoted(largest)}"
        )
    odds = fraction / (1 - fraction)
    chances = np.ones(largest + 1)
    if fraction <= _HALF:  # forwards errors shrink by the odds
        chance = -odds * log(fraction)
        for size in range(1, largest + 1):
            if size > 1:
                chance = odds * (1 / (size - 1) - chance)
            chances[size] = chance
    else:  # backwards they shrink by their inverse
        start = largest + _BURN_IN
        chance = fraction / start * (1 + (1 - fraction) / start)
        for size in range(start, 1, -1):
            chance = 1 / (size - 1) - chance / odds
            if size - 1 <= largest:
                chances[size - 1] = chance
    return chances


def people_by_class(fraction: float, largest: int) -> IntArray:
    """Return the estimated n_p, (largest + 1,) int64, of a class by its size in the sample.

    It is one over the chance of a right guess, rounded down, no fewer than in the sample; 0 for no people.
    """
    sizes = np.floor((1 + _ROUNDING) / success_by_class(fraction, largest)).astype(np.int64)
    people: IntArray = np.maximum(sizes, np.arange(largest + 1))
    people[0] = 0
    return people


def sampled_counting(counts: Counts, by_class: IntArray) -> Counting:
    """Return the estimator of the people of the population of which the records are a random sample."""

    def of(profiles: Profiles) -> PeopleAt:
        in_sample = counts.of(profiles)
        return lambda nodes: by_class[count_all_profiles(in_sample, profiles, nodes)]

    return of
