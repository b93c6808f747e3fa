"""The replies of the adversaries to strategies, and both sides' payoffs."""

from collections.abc import Callable
from functools import reduce

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.parallel import cached_property
from gamedeid.reprs import frozen
from gamedeid.scenario.payoffs import Adversary


@frozen(eq=False, slots=False)
class Replies:
    """The reply of each adversary to pairs of profile and strategy, (k,) each, and the sums over adversaries.

    Parameters
    ----------
    people : (R, k) int64, n_r, how many matching people each adversary finds; 0 if none. An adversary who has learned
        at a price is followed by the same one before learning.
    """

    adversaries: tuple[Adversary, ...]
    people: tuple[IntArray, ...]

    @cached_property
    def attacks(self) -> tuple[BoolArray, ...]:
        """The adversaries who attack, (R, k)."""
        return tuple(
            one.attacked(people) for one, people in zip(self.adversaries, self.people_decided_among, strict=True)
        )

    @cached_property
    def people_decided_among(self) -> tuple[IntArray, ...]:
        """Number of people among whom each guesses, (R, k): the number before learning if learning does not pay."""
        pairs = zip(self.people, self.learning, (*self.people[1:], self.people[-1]), strict=True)
        return tuple(people if pays is None else np.where(pays, people, before) for people, pays, before in pairs)

    @cached_property
    def learning(self) -> tuple[BoolArray | None, ...]:
        """Whether each adversary who may learn at a price pays it, (R, k); None for all others."""
        unlearned = (*self.people[1:], self.people[-1])
        return tuple(
            one.pays_to_learn(before, people) if one.price else None
            for one, people, before in zip(self.adversaries, self.people, unlearned, strict=True)
        )

    @property
    def attacked(self) -> BoolArray:
        """Whether any adversary attacks, (k,)."""
        return reduce(np.logical_or, self.attacks)

    @property
    def deterrable(self) -> BoolArray:
        """Whether an adversary who weighs the cost attacks, (k,); the no-attack game rules these strategies out."""
        weighed = [attacks for one, attacks in zip(self.adversaries, self.attacks, strict=True) if one.weighs_cost]
        return reduce(np.logical_or, weighed) if weighed else np.zeros_like(self.attacks[0])

    @cached_property
    def expected_loss(self) -> FloatArray:
        """The expected cost to the publisher, (k,) dollars: sum of probability x loss x pi over those who attack."""
        return reduce(np.add, self._where_attacked(Adversary.publisher_loss))

    @cached_property
    def reidentifications(self) -> FloatArray:
        """Expected attacks that name the right person, (k,): sum of probability x pi over those who attack."""
        return reduce(np.add, self._where_attacked(Adversary.success_probability))

    @cached_property
    def if_all_attacked(self) -> FloatArray:
        """Expected number that name the right person if all attack, whether it pays or not, (k,)."""
        found = [
            one.success_probability(people)
            for one, people in zip(self.adversaries, self.people_decided_among, strict=True)
        ]
        return reduce(np.add, found)

    @property
    def success_probability(self) -> FloatArray:
        """Expected number of right names by those who attack, (k,); if no one does, by all if they attacked.

        For one adversary it is pi = 1 / n_p in both cases (wan2015, equation 4).
        """
        return np.where(self.attacked, self.reidentifications, self.if_all_attacked)

    @cached_property
    def adversary_payoffs(self) -> tuple[FloatArray, ...]:
        """Expected payoff of each adversary, (R, k) dollars, times its probability; 0 without an attack.

        The price of learning is deducted if it is paid.
        """
        paid = self._where_attacked(Adversary.payoff)
        return tuple(
            payoff if pays is None else payoff - one.expected_price * pays
            for one, payoff, pays in zip(self.adversaries, paid, self.learning, strict=True)
        )

    @property
    def adversary_payoff(self) -> FloatArray:
        """Sum of their expected payoffs, (k,) dollars."""
        return reduce(np.add, self.adversary_payoffs)

    def _where_attacked(self, amount: Callable[[Adversary, IntArray], FloatArray]) -> tuple[FloatArray, ...]:
        """Return an amount of each who attacks, (R, k); 0 without an attack."""
        each = zip(self.adversaries, self.people_decided_among, self.attacks, strict=True)
        return tuple(np.where(attacks, amount(one, people), 0.0) for one, people, attacks in each)
