"""What the adversaries do about strategies, and what that comes to for both sides."""

from collections.abc import Callable
from functools import reduce

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.cached import cached_property
from gamedeid.reprs import frozen
from gamedeid.scenario.payoffs import Adversary


@frozen(eq=False, slots=False)
class Replies:
    """What each adversary does about some pairs of profile and strategy, (k,) each, and what all of it comes to.

    Parameters
    ----------
    adversaries : who may attack, R of them; the paper has one.
    people : (R, k) int64, how many people each of them finds who match, n_r; 0 where nobody does.
    """

    adversaries: tuple[Adversary, ...]
    people: tuple[IntArray, ...]

    @cached_property
    def attacks(self) -> tuple[BoolArray, ...]:
        """Who attacks: (R, k)."""
        return tuple(one.attacked(people) for one, people in zip(self.adversaries, self.people, strict=True))

    @property
    def attacked(self) -> BoolArray:
        """Whether anybody attacks who may come to be, (k,)."""
        return reduce(np.logical_or, self.attacks)

    @property
    def deterrable(self) -> BoolArray:
        """Whether somebody attacks whom a cost could deter, (k,): what the no-attack game rules out."""
        weighed = [attacks for one, attacks in zip(self.adversaries, self.attacks, strict=True) if one.weighs_cost]
        return reduce(np.logical_or, weighed) if weighed else np.zeros_like(self.attacks[0])

    @cached_property
    def expected_loss(self) -> FloatArray:
        """What attacks cost the publisher on average, (k,) dollars: sum of probability x loss x pi of who attacks."""
        return self._over_attacks(Adversary.publisher_loss)

    @cached_property
    def reidentifications(self) -> FloatArray:
        """How many attacks are expected to name the right person, (k,): sum of probability x pi of who attacks."""
        return self._over_attacks(Adversary.success_probability)

    @cached_property
    def if_all_attacked(self) -> FloatArray:
        """How many would name the right person if all attacked, whether it pays or not, (k,)."""
        found = [one.success_probability(people) for one, people in zip(self.adversaries, self.people, strict=True)]
        return reduce(np.add, found)

    @property
    def success_probability(self) -> FloatArray:
        """Right names expected of those who attack; where nobody does, of all if they attacked, (k,).

        Of one adversary it is pi = 1 / n_p either way (wan2015, equation 4).
        """
        return np.where(self.attacked, self.reidentifications, self.if_all_attacked)

    @cached_property
    def adversary_payoff(self) -> FloatArray:
        """What the attacks bring those who attack on average, (k,) dollars: summed, each times her probability."""
        return self._over_attacks(Adversary.payoff)

    def _over_attacks(self, amount: Callable[[Adversary, IntArray], FloatArray]) -> FloatArray:
        """Return the sum of an amount over who attacks, (k,)."""
        each = zip(self.adversaries, self.people, self.attacks, strict=True)
        return reduce(np.add, [np.where(attacks, amount(one, people), 0.0) for one, people, attacks in each])
