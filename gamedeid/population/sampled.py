"""How many people match a profile when the records are a random sample of a population that nobody has: an estimate."""

from math import log

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.data.profiles import Profiles
from gamedeid.population.contract import Counts, people_of_all

_HALF = 0.5
_SETTLED = 2000
"""Steps after which a recurrence that shrinks errors by a factor has forgotten where it started."""

_ROUNDING = 1e-9
"""What the recurrence may take from a whole number before it is rounded down: each of its many steps loses a little."""


def success_by_class(fraction: float, largest: int) -> FloatArray:
    """Return the chance to name the right person of a class, by the size that the class has in the sample.

    A class with k people in the sample has F in the population, k among them by chance: F - k is negative binomial, and
    the chance is the mean of 1 / F.

    Parameters
    ----------
    fraction : share of the population that is in the sample, in (0, 1).
    largest : greatest size in the sample.

    Returns
    -------
    (largest + 1,) float64, falling; the first, of a class with nobody in the sample, is 1.

    References
    ----------
    dankar2012, mu-argus; the integral of the generating function over s, by parts.
    """
    odds = fraction / (1 - fraction)
    chances = np.ones(largest + 1)
    if fraction <= _HALF:  # forwards errors shrink by the odds
        chance = -odds * log(fraction)
        for size in range(1, largest + 1):
            if size > 1:
                chance = odds * (1 / (size - 1) - chance)
            chances[size] = chance
    else:  # backwards they shrink by their inverse
        start = largest + _SETTLED
        chance = fraction / start * (1 + (1 - fraction) / start)
        for size in range(start, 1, -1):
            chance = 1 / (size - 1) - chance / odds
            if size - 1 <= largest:
                chances[size - 1] = chance
    return chances


def people_by_class(fraction: float, largest: int) -> IntArray:
    """Return the estimated n_p, (largest + 1,) int64, of a class by the size that it has in the sample.

    It is one over the chance of a right guess, rounded down, no fewer than in the sample; 0 for nobody.
    """
    sizes = np.floor((1 + _ROUNDING) / success_by_class(fraction, largest)).astype(np.int64)
    people: IntArray = np.maximum(sizes, np.arange(largest + 1))
    people[0] = 0
    return people


class SampledCounter:
    """Estimated counts of the population from which the records are a random sample.

    Parameters
    ----------
    counts : of the records.
    profiles : who will be looked up.
    by_class : (records + 1,) int64, the people of a class by its size among the records.
    """

    def __init__(self, counts: Counts, profiles: Profiles, by_class: IntArray) -> None:
        self._counts = counts
        self._profiles = profiles
        self._by_class = by_class

    def people_at(self, nodes: IntArray) -> IntArray:
        """Return the estimated n_p, (k, q) int64, of every profile at some nodes, (k,)."""
        return self._by_class[people_of_all(self._counts, self._profiles, nodes)]

    def of(self, profiles: Profiles) -> "SampledCounter":
        """Return the same for other profiles."""
        return SampledCounter(self._counts.of(profiles), profiles, self._by_class)
