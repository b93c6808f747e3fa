"""Payoffs of both players, the rule of an attack, and the tie of payoffs.

Outside of the compiled loops these rules are stated only here; :mod:`gamedeid.kernels` states them for the
loops.
"""

from dataclasses import dataclass, replace
from math import floor, inf, isfinite, log1p
from numbers import Real
from typing import TYPE_CHECKING, TypeVar, overload

import numpy as np

from gamedeid.arrays import EXACT_INTEGERS, BoolArray, FloatArray, IntArray
from gamedeid.errors import InvalidScenarioError, quoted
from gamedeid.kernels import tables
from gamedeid.kernels.tables import INDIFFERENCE
from gamedeid.scenario.recipients import sole_paper_adversary
from gamedeid.scenario.sections import MOST_PEOPLE, VARIED_DOLLARS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gamedeid.scenario.recipients import Recipient
    from gamedeid.scenario.sections import Stakes

TIE = 1e-9
"""Payoffs closer than this share of the benefit are equal: sums of logarithms round differently in different orders."""

EVERY_GROUP = EXACT_INTEGERS
"""From this ratio of gain to cost on, every group is attacked: greater ratios are equal."""


Dollars = TypeVar("Dollars", float, FloatArray)
"""An amount, or one for each of many points of a grid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Payoffs:
    """The stakes of one record, in dollars.

    Parameters
    ----------
    benefit : V, the publisher's gain from a record released in its original form, dollars. > 0.
    loss : L, the publisher's loss when a record is re-identified, dollars. >= 0 (a scenario file demands > 0).
    cost : c, the adversary's cost of one attack, dollars. > 0.
    gain : the adversary's gain from a re-identified record, dollars (default: ``loss``). >= 0.

    Raises
    ------
    InvalidScenarioError : a stake that is not a finite number in its range.

    Examples
    --------
    >>> payoffs = Payoffs(benefit=1200, loss=300, cost=4)
    >>> payoffs.attack_limit  # 300 against 4 x 75 is a tie: no attack
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
    def of(cls, stakes: "Stakes", recipients: "Mapping[str, Recipient] | None" = None) -> "Payoffs":
        """Return the payoffs of ``stakes``; those of the paper's adversary where it alone is among ``recipients``."""
        own = cls(benefit=stakes.benefit, loss=stakes.loss, cost=stakes.cost, gain=stakes.gain)
        sole = sole_paper_adversary(recipients or {})
        stated = {} if sole is None else {name: getattr(sole, name) for name in ("loss", "cost", "gain")}
        return replace(own, **{name: value for name, value in stated.items() if value is not None})

    @property
    def gain_follows_loss(self) -> bool:
        """Whether no gain is given, so that the adversary's gain is the publisher's loss."""
        return self.gain is None

    @property
    def adversary_gain(self) -> float:
        """The adversary's gain from one re-identified record, dollars."""
        return self.gain_at(self.loss)

    def gain_at(self, loss: Dollars) -> Dollars | float:
        """Return the adversary's gain if the publisher loses ``loss``: the same, unless a gain is given."""
        return loss if self.gain is None else self.gain

    @property
    def tolerance(self) -> float:
        """Payoffs, in dollars, that differ by less than this are equal."""
        return TIE * self.benefit

    def as_good(self, payoff: FloatArray, than: FloatArray | float) -> BoolArray:
        """Return whether ``payoff`` is above ``than`` or equal to it, (k,) dollars or one amount each."""
        is_good: BoolArray = payoff > than - self.tolerance
        return is_good

    @property
    def attack_limit(self) -> int:
        """Largest group that is attacked: the largest n with gain > cost x n; 0 when none is."""
        return largest_attacked(self.adversary_gain, self.cost)

    def attacked(self, people: IntArray) -> BoolArray:
        """Return whether the paper's adversary attacks groups of ``people``, (k,) n_p; 0 where no one matches."""
        return attacked_within(people, self.attack_limit)

    @property
    def stakes(self) -> tables.CompiledStakes:
        """The same for the inner loops."""
        return tables.CompiledStakes(
            benefit=float(self.benefit), loss=float(self.loss), attack_limit=self.attack_limit, tolerance=self.tolerance
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Adversary:
    """An adversary: its probability, its stakes, and the share of people that its list covers.

    The list has each person of the population with the same chance, independently of the others.

    Parameters
    ----------
    probability : chance that it is present, in [0, 1].
    gain : gain from a re-identified record, dollars >= 0.
    cost : cost of an attack, dollars >= 0; with 0 every attack pays at any chance.
    loss : the publisher's loss from a re-identified record, dollars >= 0.
    covers : share of the people on the list, in (0, 1].
    price : price of an attempt to learn, for an adversary who has learned, dollars; 0 if learning is free.
    learning_chance : chance that an attempt to learn succeeds, in (0, 1].
    """

    probability: float
    gain: float
    cost: float
    loss: float
    covers: float
    price: float = 0.0
    learning_chance: float = 1.0

    @classmethod
    def of(cls, recipient: "Recipient", payoffs: Payoffs, chance: float = 1.0, *, learned: bool = False) -> "Adversary":
        """Return a recipient as an adversary, with the chance, in [0, 1], of this knowledge."""
        price = recipient.learns.price or 0.0 if learned and recipient.learns is not None else 0.0
        loss = payoffs.loss if recipient.loss is None else recipient.loss
        return cls(
            probability=recipient.probability * chance,
            gain=float(payoffs.gain_at(loss) if recipient.gain is None else recipient.gain),
            cost=float(payoffs.cost if recipient.cost is None else recipient.cost),
            loss=float(loss),
            covers=recipient.covers,
            price=float(price),
            learning_chance=chance if learned else 1.0,
        )

    @property
    def weighs_cost(self) -> bool:
        """Whether an attack costs something, so that a release can deter it."""
        return self.cost > 0

    @property
    def attack_limit(self) -> int:
        """Largest group that is attacked; 0 where none is."""
        return largest_attacked(self.gain, self.cost)

    @property
    def expected_loss(self) -> float:
        """The publisher's loss from a re-identification, times the probability of the adversary, dollars."""
        return self.probability * self.loss

    @property
    def log_uncovered(self) -> float:
        """ln(1 - covers), where 1 - covers is the chance of not being on the list; -inf where all are on it."""
        return log1p(-self.covers) if self.covers < 1 else -inf

    def attacked(self, people: IntArray) -> BoolArray:
        """Return whether groups of these sizes, (k,), are attacked, if any of their people is on the list."""
        return attacked_within(people, self.attack_limit)

    def listed_probability(self, people: IntArray) -> FloatArray:
        """Return the chance that the list has any person of groups of these sizes, (k,): 1 - (1 - covers)^n."""
        if self.covers == 1:
            return np.where(people > 0, 1.0, 0.0)
        found: FloatArray = -np.expm1(np.asarray(people, np.float64) * self.log_uncovered)
        return found

    def success_probability(self, people: IntArray) -> FloatArray:
        """Return the chance, (k,), that it is present, the list has any of the people, and the right one is picked."""
        if self.covers == 1:
            return self.probability * success_probability(people)
        return self.probability * self.listed_probability(people) * success_probability(people)

    def publisher_loss(self, people: IntArray) -> FloatArray:
        """Return the expected cost of attacks to the publisher, (k,) dollars."""
        return self.expected_loss * self.listed_probability(people) / np.maximum(people, 1)

    def payoff(self, people: IntArray) -> FloatArray:
        """Return the expected payoff of attacks, (k,) dollars; the cost is paid only if the list has any person."""
        paid = adversary_payoff(people, attacked=people > 0, gain=self.gain, cost=self.cost)
        return self.probability * self.listed_probability(people) * paid

    @property
    def expected_price(self) -> float:
        """The price of trying to learn times the probability of the adversary, dollars."""
        return self.probability / self.learning_chance * self.price

    def look_up_value(self, people: IntArray) -> FloatArray:
        """Return the worth of a look-up, (k,) dollars: 0 without an attack."""
        paid = adversary_payoff(people, attacked=self.attacked(people), gain=self.gain, cost=self.cost)
        return self.listed_probability(people) * paid

    def pays_to_learn(self, unlearned: IntArray, learned: IntArray) -> BoolArray:
        """Return whether trying to learn pays, (k,): q (u(n') - u(n)) > price; n match before learning, n' after it."""
        value_learned = self.learning_chance * self.look_up_value(learned)
        gained = value_learned - self.learning_chance * self.look_up_value(unlearned)
        pays: BoolArray = gained > self.price + INDIFFERENCE * (self.price + value_learned)
        return pays


def largest_attacked(gain: float, cost: float) -> int:
    """Return the largest n with gain > cost x n, dollars >= 0 of one attack; 0 when no group is attacked."""
    if cost == 0:
        return MOST_PEOPLE if gain > 0 else 0
    ratio = gain / cost
    if ratio >= EVERY_GROUP:
        return MOST_PEOPLE
    people = floor(ratio) + 1
    while people > 0 and not worth_attacking(people, gain=gain, cost=cost):
        people -= 1
    return people


@overload
def worth_attacking(people: int, *, gain: float, cost: float) -> bool: ...
@overload
def worth_attacking(people: FloatArray, *, gain: float, cost: float) -> BoolArray: ...
def worth_attacking(people: FloatArray | int, *, gain: float, cost: float) -> BoolArray | bool:
    """Return whether an attack pays with the chance 1 / people, above 0: gain > cost x people, not if they are equal.

    Parameters
    ----------
    people : (k,) or one; a fraction if not all of them are equally likely.
    gain, cost : gain and cost of one attack, dollars >= 0.
    """
    return gain > cost * people * (1 + INDIFFERENCE)


def success_probability(people: IntArray) -> FloatArray:
    """Return pi(g) = 1 / n_p(g), in [0, 1]; 0 where no one matches (wan2015, equation 4)."""
    return np.where(people > 0, 1.0 / np.maximum(people, 1), 0.0)


def attacked_within(people: IntArray, limit: IntArray | int) -> BoolArray:
    """Return whether the adversary attacks groups of these sizes, given the largest one that is attacked.

    If no one matches, there is no attack.
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
