"""What a strategy for each of some profiles comes to, and the sums that measures are made of."""

from dataclasses import dataclass
from functools import cached_property, reduce
from typing import NamedTuple

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.game.instance import Instance
from gamedeid.generalization.information_loss import information_loss
from gamedeid.kernels.solving import NOBODY_CHOSEN
from gamedeid.parallel import in_slices
from gamedeid.reprs import short_repr
from gamedeid.scenario.payoffs import success_probability


class Totals(NamedTuple):
    """Sums over records; those of parts add up to those of the whole."""

    records: int = 0
    publisher_payoff: float = 0.0
    adversary_payoff: float = 0.0
    suppressed: float = 0.0
    unmodified: float = 0.0
    withheld: float = 0.0
    unmatched: int = 0
    generalization_intensity: float = 0.0
    attacks: int = 0
    reidentified: float = 0.0

    def plus(self, other: "Totals") -> "Totals":
        """Return the totals of both."""
        return Totals._make(mine + its for mine, its in zip(self, other, strict=True))

    @property
    def measures(self) -> dict[str, float | int]:
        """What they mean for the dataset: means and shares over records, and their number, which is at least 1."""
        return {
            "publisher_payoff": self.publisher_payoff / self.records,
            "adversary_payoff": self.adversary_payoff / self.records,
            "suppressed": self.suppressed / self.records,
            "unmodified": self.unmodified / self.records,
            "withheld": self.withheld / self.records,
            "unmatched": self.unmatched / self.records,
            "generalization_intensity": self.generalization_intensity / self.records,
            "attacked": self.attacks / self.records,
            "reidentification_probability": self.reidentified / self.records,
            "reidentification_probability_attacked": self.reidentified / self.attacks if self.attacks else 0.0,
            "expected_reidentifications": self.reidentified,
            "records": self.records,
            "unmatched_records": self.unmatched,
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class Outcomes:
    """What becomes of profiles ``start`` to ``stop``, (k,) each.

    Parameters
    ----------
    instance : what they play with.
    start, stop : which profiles.
    nodes : (k,) strategies; -1 where the record is withheld.
    """

    instance: Instance
    start: int
    stop: int
    nodes: IntArray

    __repr__ = short_repr

    @cached_property
    def withheld(self) -> BoolArray:
        """Whether the record is not released at all."""
        withheld: BoolArray = self.nodes == NOBODY_CHOSEN
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
        people[released] = self.instance.people(self.start + released, self.nodes[released])
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
        codes = self.instance.profiles.codes[self.start : self.stop]
        return information_loss(self.instance.ladders, codes, self.levels)

    @cached_property
    def generalization_intensity(self) -> FloatArray:
        """GI, in [0, 1]; 1 for a withheld record (wan2015, equation 5)."""
        lattice = self.instance.lattice
        intensity: FloatArray = lattice.ranks(self._published) / lattice.steps
        return intensity

    @cached_property
    def publisher_payoff(self) -> FloatArray:
        """Publisher's expected payoff, dollars; 0 for a withheld record."""
        value = self.instance.values(np.arange(self.start, self.stop), self._published)
        return np.where(self.withheld, 0.0, self.instance.payoffs.publisher(value, self.people))

    @cached_property
    def adversary_payoff(self) -> FloatArray:
        """Adversary's expected payoff, dollars; 0 where she stays home."""
        return self.instance.payoffs.adversary(self.people)

    @cached_property
    def totals(self) -> Totals:
        """Sums over the records that have these profiles."""
        weights = self.instance.profiles.records[self.start : self.stop]

        def total(values: FloatArray | BoolArray) -> float:
            return float(np.sum(values * weights, dtype=float))

        return Totals(
            records=int(weights.sum()),
            publisher_payoff=total(self.publisher_payoff),
            adversary_payoff=total(self.adversary_payoff),
            suppressed=total(self.generalization_intensity == 1),
            unmodified=total(self.generalization_intensity == 0),
            withheld=total(self.withheld),
            unmatched=int((self.unmatched * weights).sum()),
            generalization_intensity=total(self.generalization_intensity),
            attacks=int((self.attacked * weights).sum()),
            reidentified=float((self.success_probability * self.attacked * weights).sum()),
        )


def total_of(instance: Instance, nodes: IntArray) -> Totals:
    """Return the totals of a strategy for every profile, (q,), some profiles at a time."""
    blocks = [(start, stop) for start, stop, _ in instance.blocks()]
    found = [Totals()] * len(blocks)

    def add_up(first: int, last: int) -> None:
        for place in range(first, last):
            start, stop = blocks[place]
            found[place] = Outcomes(instance=instance, start=start, stop=stop, nodes=nodes[start:stop]).totals

    in_slices(add_up, len(blocks), least=1, most=1)
    return reduce(Totals.plus, found)
