"""What becomes of profiles under a strategy for each, and the totals over their records."""

from functools import reduce

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.cached import cached_property
from gamedeid.game.instance import Instance
from gamedeid.game.measures import Totals, is_suppressed, is_unmodified
from gamedeid.generalization.information_loss import information_loss
from gamedeid.kernels.tables import WITHHELD
from gamedeid.parallel import in_slices
from gamedeid.reprs import frozen
from gamedeid.scenario.payoffs import success_probability


@frozen(eq=False, slots=False)
class Outcomes:
    """What becomes of some profiles, (k,) each, with a strategy for each.

    A withheld record counts as one of which all information is lost: at the most general strategy, matched by nobody,
    and worth nothing to either player.

    Parameters
    ----------
    instance : what they play with.
    profiles : (k,) their numbers; one may stand there several times.
    nodes : (k,) strategies; -1 where the record is withheld.
    """

    instance: Instance
    profiles: IntArray
    nodes: IntArray

    @cached_property
    def withheld(self) -> BoolArray:
        """Whether the record is not released at all."""
        withheld: BoolArray = self.nodes == WITHHELD
        return withheld

    @cached_property
    def levels(self) -> IntArray:
        """Chosen levels, (k, a) int64; the most general ones where the record is withheld."""
        return self.instance.lattice.levels(self._published)

    @cached_property
    def _published(self) -> IntArray:
        """Strategies; the most general one where the record is withheld."""
        return np.where(self.withheld, self.instance.lattice.most_general, self.nodes)

    @cached_property
    def people(self) -> IntArray:
        """People who match the released record, n_p; 0 where nobody does or the record is withheld."""
        released = np.flatnonzero(~self.withheld)
        people = np.zeros(len(self.nodes), np.int64)
        people[released] = self.instance.people(self.profiles[released], self.nodes[released])
        return people

    @property
    def unmatched(self) -> BoolArray:
        """Whether the record is released and matches nobody: no attack pays only because the population lacks it."""
        unmatched: BoolArray = ~self.withheld & (self.people == 0)
        return unmatched

    @cached_property
    def attacked(self) -> BoolArray:
        """Whether the adversary attacks; nobody attacks a withheld record."""
        return self.instance.payoffs.attacked(self.people)

    @cached_property
    def success_probability(self) -> FloatArray:
        """Chance that an attack names the right person, pi, in [0, 1]."""
        return success_probability(self.people)

    @cached_property
    def information_loss(self) -> FloatArray:
        """IL, in [0, 1]; 1 for a withheld record."""
        return information_loss(
            self.instance.hierarchy_tables, self.instance.profiles.codes[self.profiles], self.levels
        )

    @cached_property
    def generalization_intensity(self) -> FloatArray:
        """GI, in [0, 1]; 1 for a withheld record (wan2015, equation 5)."""
        lattice = self.instance.lattice
        intensity: FloatArray = lattice.ranks(self._published) / lattice.steps
        return intensity

    @cached_property
    def publisher_payoff(self) -> FloatArray:
        """Publisher's expected payoff, dollars; 0 for a withheld record."""
        value = self.instance.values(self.profiles, self._published)
        return np.where(self.withheld, 0.0, self.instance.payoffs.publisher(value, self.people))

    @cached_property
    def adversary_payoff(self) -> FloatArray:
        """Adversary's expected payoff, dollars; 0 where there is no attack."""
        return self.instance.payoffs.adversary(self.people)

    @cached_property
    def totals(self) -> Totals:
        """Sums over the records that have these profiles."""
        weights = self.instance.profiles.records[self.profiles]

        def total(values: FloatArray | BoolArray) -> float:
            return float(np.sum(values * weights, dtype=float))

        return Totals(
            records=int(weights.sum()),
            publisher_payoff=total(self.publisher_payoff),
            adversary_payoff=total(self.adversary_payoff),
            suppressed=total(is_suppressed(self.generalization_intensity)),
            unmodified=total(is_unmodified(self.generalization_intensity)),
            withheld=total(self.withheld),
            unmatched=int((self.unmatched * weights).sum()),
            generalization_intensity=total(self.generalization_intensity),
            attacks=int((self.attacked * weights).sum()),
            reidentified=float((self.success_probability * self.attacked * weights).sum()),
            success_probability=total(self.success_probability),
        )


def total_of(instance: Instance, nodes: IntArray) -> Totals:
    """Return the totals of a strategy for every profile, (q,), some profiles at a time.

    Parameters
    ----------
    instance : what the game is played with.
    nodes : (q,) the strategy of each profile.
    """
    blocks = [slice(start, stop) for start, stop, _ in instance.blocks()]
    found = [Totals()] * len(blocks)

    def add_up(first: int, last: int) -> None:
        for place in range(first, last):
            profiles = np.arange(blocks[place].start, blocks[place].stop)
            found[place] = Outcomes(instance=instance, profiles=profiles, nodes=nodes[blocks[place]]).totals

    in_slices(add_up, len(blocks), least=1, most=1)
    return reduce(Totals.plus, found)
