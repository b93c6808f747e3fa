"""How large and how small stakes and weights may be: beyond these bounds sums overflow, and differences are lost."""

from math import isinf
from numbers import Real
from typing import Any, NamedTuple

from gamedeid.errors import quoted

MOST_PEOPLE = 2**62
"""A population of so many people or more cannot be counted."""


class Bounds(NamedTuple):
    """From the least to the most that a number above 0 may be, both included."""

    least: float
    most: float

    def fault(self, value: object, unit: str = "") -> str | None:
        """Return what is wrong with a number above 0 that is out of the bounds; None if nothing is.

        Of 0, negative and infinite numbers, and of what is no number, other checks speak.

        Parameters
        ----------
        value : anything.
        unit : what it is a number of, such as " of dollars".
        """
        if isinstance(value, bool) or not isinstance(value, Real):
            return None
        number: Any = value  # a whole number may be too large for a float
        if not number > 0 or self.least <= number <= self.most or (isinstance(number, float) and isinf(number)):
            return None
        return f"expected a number{unit} from {self.least:g} to {self.most:g}, not {quoted(value)}"


DOLLARS = Bounds(1e-6, 1e12)
"""Stakes that a scenario may name: a millionth of a dollar, to more than any publisher has to lose."""

VARIED_DOLLARS = Bounds(1e-12, 1e18)
"""Stakes that may be played with: there is room for multiples of any that a scenario names."""

WEIGHTS = Bounds(1e-6, 1e6)
"""Weights of attributes: a lighter one beside a heavier one would not show in any payoff."""
