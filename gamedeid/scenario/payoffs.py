"""What both players win and lose, and when the adversary attacks."""

from dataclasses import dataclass
from math import floor, isfinite
from numbers import Real

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.errors import InvalidScenarioError, quoted
from gamedeid.kernels import solving as kernels
from gamedeid.scenario.bounds import VARIED_DOLLARS

TIE = 1e-9
"""Payoffs closer than this share of the benefit are equal: sums of logarithms round differently in different orders."""

INDIFFERENCE = 1e-12
"""A gain above the expected cost by no more than this share of it is a tie, so that rounding starts no attack."""

MOST_PEOPLE = 2**53
"""Group sizes from here on are all alike: a ratio of gain to cost beyond it means that every group is attacked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Payoffs:
    """The stakes of one record, in dollars.

    Parameters
    ----------
    benefit : V, what the publisher gains from a record released in its original form. > 0.
    loss : L, what the publisher loses when a record is re-identified. >= 0 (a scenario file demands > 0).
    cost : c, what one attack costs the adversary. > 0.
    gain : what the adversary gains from a re-identified record; ``loss`` unless given. >= 0.

    Raises
    ------
    InvalidScenarioError : a stake that is not a finite number in its range.

    Examples
    --------
    >>> payoffs = Payoffs(benefit=1200, loss=300, cost=4)
    >>> payoffs.attack_limit  # 300 against 4 x 75 is a tie: the adversary stays home
    74
    """

    benefit: float
    loss: float
    cost: float
    gain: float | None = None

    def __post_init__(self) -> None:
        for name, least in (("benefit", "> 0"), ("cost", "> 0"), ("loss", ">= 0"), ("gain", ">= 0")):
            value = getattr(self, name)
            if value is None:
                continue
            if not isinstance(value, Real) or isinstance(value, bool):
                raise InvalidScenarioError(f"payoffs.{name} must be a number of dollars, not {quoted(value)}")
            if (fault := VARIED_DOLLARS.fault(value, " of dollars")) is not None:
                raise InvalidScenarioError(f"payoffs.{name}: {fault}")
            if not isfinite(value) or value < 0 or (value == 0 and least == "> 0"):
                raise InvalidScenarioError(f"payoffs.{name} must be a finite number of dollars {least}, not {value}")

    @property
    def adversary_gain(self) -> float:
        """What the adversary gains from one re-identified record, dollars."""
        return self.loss if self.gain is None else self.gain

    @property
    def tolerance(self) -> float:
        """Payoffs, in dollars, that differ by less than this are equal."""
        return TIE * self.benefit

    @property
    def attack_limit(self) -> int:
        """Largest group that is attacked: the largest n with gain > cost x n; 0 when none is."""
        ratio = self.adversary_gain / self.cost
        if ratio >= MOST_PEOPLE:
            return 2**62
        people = floor(ratio) + 1
        while people > 0 and not self.adversary_gain > self.cost * people * (1 + INDIFFERENCE):
            people -= 1
        return people

    def attacked(self, people: IntArray) -> BoolArray:
        """Return whether the adversary attacks groups of these sizes; where nobody matches there is no one to find."""
        attacked: BoolArray = (people > 0) & (people <= self.attack_limit)
        return attacked

    def publisher(self, value: FloatArray, people: IntArray) -> FloatArray:
        """Return v(g), less L pi(g) where the adversary attacks, in dollars (wan2015, Table 3)."""
        return np.where(self.attacked(people), value - self.loss / np.maximum(people, 1), value)

    def adversary(self, people: IntArray) -> FloatArray:
        """Return gain x pi(g) - cost where the adversary attacks, else 0, in dollars (wan2015, Table 3)."""
        return np.where(self.attacked(people), self.adversary_gain / np.maximum(people, 1) - self.cost, 0.0)

    @property
    def stakes(self) -> kernels.Stakes:
        """The same for the inner loops."""
        return kernels.Stakes(
            benefit=float(self.benefit),
            loss=float(self.loss),
            attack_limit=self.attack_limit,
            tolerance=self.tolerance,
        )


def success_probability(people: IntArray) -> FloatArray:
    """Return pi(g) = 1 / n_p(g), in [0, 1]; 0 where nobody matches (wan2015, equation 4)."""
    return np.where(people > 0, 1.0 / np.maximum(people, 1), 0.0)
