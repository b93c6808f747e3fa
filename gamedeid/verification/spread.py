"""How many attacks succeed: the distribution of a sum of independent chances, stated here a second time."""

import numpy as np

from gamedeid.arrays import FloatArray

_AWAY = 12.0
"""Standard deviations above the mean, with as many numbers more again and 40, beyond which no number is looked at."""

_ROUNDING = 1e-9
"""Sums of chances that differ by less are equal."""


def spread_of(chances: FloatArray) -> dict[str, float | int]:
    """Return the chance of at least one success, the 2.5% and the 97.5% quantile of their number, the highest chance.

    One binomial distribution for each distinct chance, convolved one after another.

    Parameters
    ----------
    chances : (n,) of the attacks, in [0, 1]; 0 where there is none.
    """
    values, counts = np.unique(chances[chances > 0], return_counts=True)
    mean = float((values * counts).sum())
    away = _AWAY * float(np.sqrt((values * (1 - values) * counts).sum()))
    most = min(int(counts.sum()), int(mean + away + _AWAY) + 40)
    log_factorials = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, counts.sum() + 1)))])
    law = np.ones(1)
    for value, count in zip(values.tolist(), counts.tolist(), strict=True):
        numbers = np.arange(min(count, most) + 1)
        if value == 1:
            one = (numbers == count).astype(float)
        else:
            ways = log_factorials[count] - log_factorials[numbers] - log_factorials[count - numbers]
            one = np.exp(ways + numbers * np.log(value) + (count - numbers) * np.log1p(-value))
        law = np.convolve(law, one)[: most + 1]
    upto = np.cumsum(law) + _ROUNDING
    return {
        "at_least_one": 1.0 - float(law[0]),
        "low": int(np.searchsorted(upto, 0.025)),
        "high": int(np.searchsorted(upto, 0.975)),
        "highest": float(values.max(initial=0.0)),
    }
