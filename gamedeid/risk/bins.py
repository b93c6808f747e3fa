"""Bins: how distinct people of one group are if their finer value is one of many equally likely ones.

Each of n people in a group falls into one of b bins (days of a year, years of an open age group) with equal chances,
independently of the others, as Golle assumed for birthdays. All functions take arrays of groups, which broadcast.

References
----------
benitez2010: K. Benitez and B. Malin, "Evaluating re-identification risks with respect to the HIPAA privacy rule",
   JAMIA 17 (2010), equations 1 to 4.
"""

import importlib
from collections.abc import Mapping
from types import EllipsisType
from typing import Any

import numpy as np
import numpy.typing as npt

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.errors import InvalidDataError, quoted
from gamedeid.extras import missing_extra_error
from gamedeid.population.estimates import occupied_bins, people_by_class
from gamedeid.reprs import frozen
from gamedeid.results.result import Dollars, Mean, Result

Numbers = npt.ArrayLike
"""Whole numbers, one for each group or one for all groups."""


@frozen
class BinsFacts(Result):
    """The document of ``gamedeid risk bins --json``.

    Parameters
    ----------
    distinct : size -> expected number of people who share a bin with no more people than that.
    total_risk : expected re-identifications.
    price_per_reidentification : dollars of the list's price, None if none is expected; left out without a price.
    """

    document = "bins"

    distinct: Mapping[str, Mean]
    total_risk: Mean
    price_per_reidentification: Dollars | EllipsisType | None = ...


def distinct_share(people: Numbers, bins: Numbers, at_most: Numbers) -> FloatArray:
    """Return the chance, in [0, 1], that a person of the group is among at most ``at_most`` people in a bin.

    The other n - 1 people fall into the same bin with chance 1/b each: P(Binomial(n - 1, 1/b) <= g - 1). An empty group
    has a share of 1.
    """
    n, b = _whole(people, "people", 0), _whole(bins, "bins", 1)
    g = _whole(at_most, "distinct", 1)
    if n.ndim == 1 and b.ndim == 0 and (g.ndim == 0 or g.shape[-1] == 1):
        sizes, of_group = np.unique(n, return_inverse=True)  # groups of one size are computed once
        return _share(sizes, b, g)[..., of_group]
    return _share(n, b, g)


def distinct_people(people: Numbers, bins: Numbers, at_most: Numbers, sampled: Numbers | None = None) -> FloatArray:
    """Return the expected number of g-distinct people: (j/n) sum_{i<=g} i f_n(i).

    The factor i, the people in a bin of i, is missing in the paper's equation 2; its example needs it. The sum is n
    times :func:`distinct_share`.

    Parameters
    ----------
    people, bins, at_most : numbers, or arrays (k,) or of any shapes that broadcast, as for :func:`distinct_share`.
    sampled : (k,): j <= n, how many of the people are in the release (default: all).

    Returns
    -------
    float64 of the common shape, each from 0 to j.

    Raises
    ------
    InvalidDataError : a number out of its range.

    References
    ----------
    benitez2010, equations 2 and 3.
    """
    return np.asarray(_sampled(people, sampled) * distinct_share(people, bins, at_most), np.float64)


def total_risk(people: Numbers, bins: Numbers, sampled: Numbers | None = None) -> FloatArray:
    """Return the expected re-identifications if all released people are guessed: (j/n) b (1 - (1 - 1/b)^n).

    A person who shares a bin with i - 1 others is named with chance 1/i, so each bin that is not empty gives one.

    Parameters
    ----------
    people, bins, sampled : numbers, or arrays (k,) or of any shapes that broadcast, as for :func:`distinct_people`.

    Returns
    -------
    float64 of the common shape, each from 0 to the lesser of j and b; 0 for an empty group.

    Raises
    ------
    InvalidDataError : a number out of its range.

    References
    ----------
    benitez2010, equation 4.
    """
    n, b = _whole(people, "people", 0), _whole(bins, "bins", 1)
    j = _sampled(people, sampled)
    n, b, j = np.broadcast_arrays(n, b, j)
    empty = n == 0
    return np.asarray(np.where(empty, 0.0, occupied_bins(n, b) * j / np.where(empty, 1.0, n)), np.float64)


def chance_of_at_most(fraction: float, people: IntArray, at_most: int) -> FloatArray:
    """Return the chance, (q,), that a class has at most g people in the population; 0 for an empty class.

    It is the chance that of g people at least k are sampled, as many as in its sample: P(Binomial(g, fraction) >= k).
    The sampling ``fraction`` is in (0, 1); ``people``, (q,), is n_p from :func:`people_by_class`, which rises with k;
    ``at_most`` is g >= 1.
    """
    largest = min(int(people.max(initial=0)), at_most)  # a class with more in the sample has more in the population
    in_sample = np.searchsorted(people_by_class(fraction, largest), people)
    some = (in_sample > 0) & (in_sample <= at_most)
    sizes = np.where(some, in_sample, 1)
    chance: FloatArray = np.where(some, _special().betainc(sizes, at_most - sizes + 1, fraction), 0.0)
    return chance


def trust_differential(risk: float, against: float) -> float | None:
    """Return this risk divided by the risk under another policy, or None if the other risk is 0."""
    return risk / against if against > 0 else None


def price_per_reidentification(list_price: float, risk: float) -> float | None:
    """Return the cost of one expected re-identification, dollars, or None if none is expected.

    Parameters
    ----------
    list_price : price of the list of named people, dollars, more than 0.
    risk : total risk of the release to an attacker who has the list.

    Raises
    ------
    InvalidDataError : the list price is not above 0.
    """
    if not 0 < list_price < np.inf:
        raise InvalidDataError(f"list price: expected a number of dollars above 0, not {quoted(list_price)}")
    return list_price / risk if risk > 0 else None


def _share(people: FloatArray, bins: FloatArray, at_most: FloatArray) -> FloatArray:
    n, b, g = np.broadcast_arrays(people, bins, at_most)
    is_certain = n <= g
    # P(Binomial(m, p) <= k) is the upper part of the beta function at p: no 1 - 1/b is rounded, no power overflows
    share = _special().betaincc(g, np.where(is_certain, 1.0, n - g), 1 / b)
    return np.asarray(np.where(is_certain, 1.0, share), np.float64)


def _special() -> Any:
    """Return scipy.special, which the schemas of results do without."""
    try:
        return importlib.import_module("scipy.special")
    except ImportError:
        raise missing_extra_error("risk", "the risk of bins") from None


def _whole(numbers: Numbers, name: str, least: int) -> FloatArray:
    """Return whole numbers as float64, which holds those up to 2^53."""
    try:
        found = np.asarray(numbers, np.float64)
    except (OverflowError, TypeError, ValueError):
        raise InvalidDataError(f"{name}: expected a whole number from {least} to 2^53, not {quoted(numbers)}") from None
    wrong = ~((found >= least) & (found <= 2.0**53) & (np.floor(found) == found))
    if wrong.any():
        value = np.asarray(numbers)[wrong].flat[0]
        raise InvalidDataError(f"{name}: expected a whole number from {least} to 2^53, not {quoted(value)}")
    return found


def _sampled(people: Numbers, sampled: Numbers | None) -> FloatArray:
    n = _whole(people, "people", 0)
    if sampled is None:
        return n
    j = _whole(sampled, "sampled", 0)
    n, j = np.broadcast_arrays(n, j)
    if (j > n).any():
        place = tuple(np.argwhere(j > n)[0])
        raise InvalidDataError(f"sampled: {j[place]:.0f} people cannot be sampled from {n[place]:.0f}")
    return j
