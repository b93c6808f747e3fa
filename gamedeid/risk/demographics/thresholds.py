"""Which age groups of a place are identifiable: thresholds against census counts (sweeney2000)."""

from collections.abc import Mapping, Sequence

import numpy as np

from gamedeid.arrays import BoolArray, IntArray
from gamedeid.choices import Boundary, Detail
from gamedeid.errors import InvalidScenarioError, nearest, quoted
from gamedeid.risk.demographics.age_groups import AgeGroup

BOUNDARIES: tuple[Boundary, ...] = ("at-most", "below")
"""The paper uses the first in its Figures 18 and 27, the second in Figure 23."""

SEXES = 2

_VALUES_IN_YEARS: Mapping[Detail, tuple[int, int]] = {
    "date": (365, 1),
    "month": (12, 1),
    "year": (1, 1),
    "two-year": (1, 2),
}
"""So many values of the birth in so many years."""


def thresholds(groups: Sequence[AgeGroup], detail: Detail) -> IntArray:
    """Return |Q|, (g,) int64: how many values sex and birth can take within each age group.

    Two sexes, times the years of the group, times 365 dates, 12 months, 1 year, or half a range of two years in each.

    Raises
    ------
    InvalidScenarioError : no such detail.

    References
    ----------
    sweeney2000, section 4.3.1 and Figures 12, 19 and 24.
    """
    if detail not in _VALUES_IN_YEARS:
        raise InvalidScenarioError(f"there is no detail {quoted(detail)}{nearest(detail, _VALUES_IN_YEARS)}")
    values, years = _VALUES_IN_YEARS[detail]
    return np.array([SEXES * values * group.years // years for group in groups], np.int64)


def identifiable_groups(people: IntArray, limits: IntArray, boundary: Boundary) -> BoolArray:
    """Return which groups of ``people``, (z, g), are identifiable, (z, g) bool, by the thresholds of each, (g,).

    A group of nobody is not: it identifies nobody.

    Raises
    ------
    InvalidScenarioError : no such boundary.
    """
    if boundary not in BOUNDARIES:
        raise InvalidScenarioError(f"there is no boundary {quoted(boundary)}{nearest(boundary, BOUNDARIES)}")
    few = people <= limits if boundary == "at-most" else people < limits
    identifiable: BoolArray = few & (people > 0)
    return identifiable
