"""Whether what happened agrees with what was expected: intervals and exact chances of numbers of successes."""

from math import sqrt

import numpy as np

from gamedeid.arrays import FloatArray
from gamedeid.extras import lacking

try:
    from scipy.stats import binom, norm
except ImportError:
    raise lacking("risk", "a simulated attack") from None

SURPRISE = 0.001
"""All comparisons of one simulation together call an honest release wrong at most this often."""

_NEVER = 1e-18  # what is left out at both ends of a distribution


def wilson_interval(successes: int, tries: int, *, confidence: float = 0.95) -> tuple[float, float]:
    """Return Wilson's interval of a share, by its successes.

    Parameters
    ----------
    successes, tries : 0 <= successes <= tries, and one try at least.
    confidence : of both ends together.

    Examples
    --------
    >>> low, high = wilson_interval(10, 100)
    >>> round(low, 4), round(high, 4)
    (0.0552, 0.1744)
    """
    z = float(norm.ppf((1 + confidence) / 2))
    share, square = successes / tries, z * z / tries
    middle = (share + square / 2) / (1 + square)
    half = z * sqrt(share * (1 - share) / tries + square / (4 * tries)) / (1 + square)
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    return low, 1.0 if successes == tries else min(1.0, middle + half)


class SuccessNumbers:
    """The exact distribution of how many of many independent attacks succeed, each with a chance of its own.

    Parameters
    ----------
    chances : (m,) chance of each attack, in [0, 1].
    times : how often each of them is made.
    """

    def __init__(self, chances: FloatArray, times: int) -> None:
        kinds, counts = np.unique(chances[chances > 0], return_counts=True)
        self._first, weights = 0, np.ones(1)
        for chance, count in zip(kinds.tolist(), (counts * times).tolist(), strict=True):
            low, high = (int(one) for one in binom.ppf([_NEVER, 1 - 1e-16], count, chance))
            low, high = max(low - 1, 0), min(high + 8, count)
            weights = np.convolve(weights, binom.pmf(np.arange(low, high + 1), count, chance))
            self._first += low
            likely = np.flatnonzero(weights > _NEVER)
            weights, self._first = weights[likely[0] : likely[-1] + 1], self._first + int(likely[0])
        self._weights = weights / weights.sum()

    def tail(self, successes: int) -> float:
        """Return how likely a number as far out as this is, on either side: twice the smaller tail, at most 1."""
        place = successes - self._first
        below = float(self._weights[: max(place + 1, 0)].sum())
        above = float(self._weights[max(place, 0) :].sum())
        return min(1.0, 2 * min(below, above))

    def interval(self, confidence: float) -> tuple[int, int]:
        """Return the least and the greatest number that are not surprising at this confidence."""
        outside = (1 - confidence) / 2
        below = np.cumsum(self._weights)
        above = np.cumsum(self._weights[::-1])[::-1]
        low, high = np.flatnonzero(below > outside)[0], np.flatnonzero(above > outside)[-1]
        return self._first + int(low), self._first + int(high)
