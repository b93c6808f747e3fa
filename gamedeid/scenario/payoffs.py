"""What both players win and lose, when the adversary attacks, and which payoffs are equal.

Outside of the compiled loops these rules are stated here and nowhere else; :mod:`gamedeid.kernels` states them for the
loops.
"""

from dataclasses import dataclass
from math import floor, isfinite
from numbers import Real
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from gamedeid.arrays import EXACT_INTEGERS, BoolArray, FloatArray, IntArray
from gamedeid.errors import InvalidScenarioError, quoted
from gamedeid.kernels import tables
from gamedeid.scenario.bounds import MOST_PEOPLE, VARIED_DOLLARS

if TYPE_CHECKING:
    from gamedeid.scenario.sections import Stakes

TIE = 1e-9
"""Payoffs closer than this share of the benefit are equal: sums of logarithms round differently in different orders."""

INDIFFERENCE = 1e-12
"""A gain above the expected cost by no more than this share of it is a tie, so that rounding starts no attack."""

EVERY_GROUP = EXACT_INTEGERS
"""A ratio of gain to cost from here on means that every group is attacked: larger ones are not told apart."""


Dollars = TypeVar("Dollars", float, FloatArray)
"""An amount, or one for each of many points of a grid."""


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

    @classmethod
    def of(cls, stakes: "Stakes") -> "Payoffs":
        """Return the payoffs that a scenario states.

        Parameters
        ----------
        stakes : the section ``[payoffs]`` of a scenario.
        """
        return cls(benefit=stakes.benefit, loss=stakes.loss, cost=stakes.cost, gain=stakes.gain)

    @property
    def gain_follows_loss(self) -> bool:
        """Whether no gain is given, so that the adversary gains what the publisher loses."""
        return self.gain is None

    @property
    def adversary_gain(self) -> float:
        """What the adversary gains from one re-identified record, dollars."""
        return self.gain_at(self.loss)

    def gain_at(self, loss: Dollars) -> Dollars | float:
        """Return what the adversary gains where the publisher loses ``loss``: the same, unless a gain is given."""
        return loss if self.gain is None else self.gain

    @property
    def tolerance(self) -> float:
        """Payoffs, in dollars, that differ by less than this are equal."""
        return TIE * self.benefit

    def as_good(self, payoff: FloatArray, than: FloatArray | float) -> BoolArray:
        """Return whether payoffs are above others or equal to them, dollars each.

        Parameters
        ----------
        payoff : dollars, of one strategy or (k,) of several.
        than : dollars, (k,) too: what it is compared with.
        """
        good: BoolArray = payoff > than - self.tolerance
        return good

    @property
    def attack_limit(self) -> int:
        """Largest group that is attacked: the largest n with gain > cost x n; 0 when none is."""
        ratio = self.adversary_gain / self.cost
        if ratio >= EVERY_GROUP:
            return MOST_PEOPLE
        people = floor(ratio) + 1
        while people > 0 and not self.adversary_gain > self.cost * people * (1 + INDIFFERENCE):
            people -= 1
        return people

    def attacked(self, people: IntArray) -> BoolArray:
        """Return whether the adversary attacks groups of these sizes.

        Parameters
        ----------
        people : (k,) how many people match, n_p; 0 where nobody does.
        """
        return attacked_within(people, self.attack_limit)

    def publisher(self, value: FloatArray, people: IntArray) -> FloatArray:
        """Return the publisher's payoffs, in dollars, of records with these values v(g) and matching people.

        Parameters
        ----------
        value : (k,) dollars, what the released records are worth unless attacked.
        people : (k,) how many people match, n_p; 0 where nobody does.
        """
        return publisher_payoff(value, people, attacked=self.attacked(people), loss=self.loss)

    def adversary(self, people: IntArray) -> FloatArray:
        """Return the adversary's payoffs, in dollars, of records that so many people match.

        Parameters
        ----------
        people : (k,) how many people match, n_p; 0 where nobody does.
        """
        return adversary_payoff(people, attacked=self.attacked(people), gain=self.adversary_gain, cost=self.cost)

    @property
    def stakes(self) -> tables.Stakes:
        """The same for the inner loops."""
        return tables.Stakes(
            benefit=float(self.benefit),
            loss=float(self.loss),
            attack_limit=self.attack_limit,
            tolerance=self.tolerance,
        )


def success_probability(people: IntArray) -> FloatArray:
    """Return pi(g) = 1 / n_p(g), in [0, 1]; 0 where nobody matches (wan2015, equation 4)."""
    return np.where(people > 0, 1.0 / np.maximum(people, 1), 0.0)


def attacked_within(people: IntArray, limit: IntArray | int) -> BoolArray:
    """Return whether the adversary attacks groups of these sizes, given the largest one that is attacked.

    Where nobody matches there is no one to find, and no attack.
    """
    attacked: BoolArray = (people > 0) & (people <= limit)
    return attacked


def attack_limits(gain: FloatArray, cost: FloatArray) -> IntArray:
    """Return the largest group that is attacked, (k,) int64, at gains and costs, (k,) dollars each."""
    pairs, of_pair = np.unique(np.stack([gain, cost], axis=1), axis=0, return_inverse=True)
    limits = [Payoffs(benefit=1.0, loss=gain, cost=cost).attack_limit for gain, cost in pairs.tolist()]
    return np.array(limits, np.int64)[of_pair]


def publisher_payoff(
    value: FloatArray, people: IntArray, *, attacked: BoolArray, loss: FloatArray | float
) -> FloatArray:
    """Return v(g), less L pi(g) where the adversary attacks, in dollars (wan2015, Table 3)."""
    return np.where(attacked, value - loss / np.maximum(people, 1), value)


def adversary_payoff(
    people: IntArray, *, attacked: BoolArray, gain: FloatArray | float, cost: FloatArray | float
) -> FloatArray:
    """Return gain x pi(g) - cost where the adversary attacks, else 0, in dollars (wan2015, Table 3)."""
    return np.where(attacked, gain / np.maximum(people, 1) - cost, 0.0)


def publisher_total(
    benefit_share: FloatArray, reidentified: FloatArray, *, benefit: FloatArray | float, loss: FloatArray | float
) -> FloatArray:
    """Return the publisher's payoffs summed over records, in dollars: the payoff is linear in V and L.

    Parameters
    ----------
    benefit_share : sums of v(g) / V = 1 - IL(g) over the records.
    reidentified : sums of pi(g) over the attacked records.
    benefit, loss : V and L, dollars.
    """
    return benefit * benefit_share - loss * reidentified


def adversary_total(
    attacks: FloatArray, reidentified: FloatArray, *, gain: FloatArray | float, cost: FloatArray | float
) -> FloatArray:
    """Return the adversary's payoffs summed over records, in dollars.

    Parameters
    ----------
    attacks : numbers of the attacked records.
    reidentified : sums of pi(g) over them.
    gain, cost : of one attack, dollars.
    """
    return gain * reidentified - cost * attacks


def indifferent_gain(people: IntArray, cost: float) -> FloatArray:
    """Return the gain, dollars, at which the adversary is indifferent to attacking groups of these sizes."""
    return np.asarray(people * cost, np.float64)


def indifferent_cost(people: IntArray, gain: float) -> FloatArray:
    """Return the cost, dollars, at which the adversary is indifferent to attacking groups of these sizes."""
    return np.asarray(gain / np.maximum(people, 1), np.float64)
