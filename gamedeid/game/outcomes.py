"""The outcomes of profiles with a strategy for each, and the totals over their records."""

from functools import reduce
from typing import NamedTuple

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.game.instance import Instance
from gamedeid.game.measures import Totals
from gamedeid.game.replies import Replies
from gamedeid.generalization.lattice import information_loss
from gamedeid.kernels.tables import WITHHELD
from gamedeid.parallel import cached_property, run_in_slices
from gamedeid.reprs import frozen

PROFILES_PER_BLOCK = 2**17
"""Profiles that are added up together: few enough for the processor's cache, whose memory is used again."""


@frozen(eq=False, slots=False)
class Outcomes:
    """The outcomes of some profiles, (k,) each, with a strategy for each.

    A withheld record counts as a record that loses all information: at the most general strategy, matched by no one,
    and worth nothing to either player.
    """

    instance: Instance
    profiles: IntArray  # (k,) their numbers, with repetitions
    nodes: IntArray  # (k,) strategies; -1 where the record is withheld

    @cached_property
    def withheld(self) -> BoolArray:
        """Whether the record is not released at all."""
        withheld: BoolArray = self.nodes == WITHHELD
        return withheld

    @cached_property
    def levels(self) -> IntArray:
        """Chosen levels, (k, a) int64; the most general ones where the record is withheld."""
        return self.instance.lattice.levels(self._published_nodes)[:, : len(self.instance.hierarchies)]

    @cached_property
    def _all_released(self) -> bool:
        """Whether no record is withheld."""
        return not self.withheld.any()

    @cached_property
    def _published_nodes(self) -> IntArray:
        """Strategies; the most general one where the record is withheld."""
        if self._all_released:
            return self.nodes
        return np.where(self.withheld, self.instance.lattice.most_general, self.nodes)

    @cached_property
    def people(self) -> IntArray:
        """People who match the released record, n_p; 0 where no one does or the record is withheld."""
        return self._people_at(self._published_nodes)

    def _people_at(self, nodes: IntArray) -> IntArray:
        """Return the people who match at ``nodes``, (k,); 0 where the record is withheld."""
        if self._all_released:
            return self.instance.people(self.profiles, nodes)
        released = np.flatnonzero(~self.withheld)
        people = np.zeros(len(nodes), np.int64)
        people[released] = self.instance.people(self.profiles[released], nodes[released])
        return people

    @property
    def unmatched(self) -> BoolArray:
        """Whether the record is released and matches no one in the population."""
        unmatched: BoolArray = ~self.withheld & (self.people == 0)
        return unmatched

    @cached_property
    def replies(self) -> Replies:
        """The reply of each adversary to the released records; a withheld record is not attacked."""
        of_each = self.instance.recipients.lookup_nodes(self._published_nodes)
        people = [self.people if nodes is self._published_nodes else self._people_at(nodes) for nodes in of_each]
        return Replies(adversaries=self.instance.adversaries, people=tuple(people))

    @cached_property
    def attacked(self) -> BoolArray:
        """Whether any adversary attacks; a withheld record is not attacked."""
        return self.replies.attacked

    @cached_property
    def success_probability(self) -> FloatArray:
        """Chance that an attack names the right person, pi, in [0, 1]; of several recipients as in :class:`Replies`."""
        return self.replies.success_probability

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
        intensity: FloatArray = lattice.ranks(self._published_nodes) / lattice.steps
        return intensity

    @cached_property
    def publisher_payoff(self) -> FloatArray:
        """Publisher's expected payoff, dollars; 0 for a withheld record."""
        payoff = self.instance.publisher_payoffs(self.profiles, self._published_nodes, self.replies)
        return payoff if self._all_released else np.where(self.withheld, 0.0, payoff)

    @cached_property
    def adversary_payoff(self) -> FloatArray:
        """Adversaries' expected payoff, dollars; 0 where there is no attack."""
        return self.replies.adversary_payoff

    @cached_property
    def totals(self) -> Totals:
        """Sums over the records that have these profiles."""
        weights = self.instance.profiles.records[self.profiles]
        unweighted = bool((weights == 1).all())

        def total(values: FloatArray | BoolArray) -> float:
            if unweighted and values.dtype == np.bool_:
                return float(np.count_nonzero(values))
            return float(np.sum(values if unweighted else values * weights, dtype=float))

        return Totals(
            records=int(weights.sum()),
            publisher_payoff=total(self.publisher_payoff),
            adversary_payoff=total(self.adversary_payoff),
            suppressed=total(self.generalization_intensity == 1),
            unmodified=total(self.generalization_intensity == 0),
            withheld=total(self.withheld),
            unmatched=int(total(self.unmatched)),
            generalization_intensity=total(self.generalization_intensity),
            attacks=int(total(self.attacked)),
            reidentified=total(self.replies.reidentifications),
            success_probability=total(self.replies.if_all_attacked),
            found=int(total(self.replies.if_all_attacked > 0)),
        )


class RecipientSums(NamedTuple):
    """Sums over the records for one recipient; all but ``attacks`` are times its probability."""

    attacks: float = 0.0  # number of records that the recipient attacks, if present
    reidentified: float = 0.0
    publisher_loss: float = 0.0  # cost to the publisher, dollars
    payoff: float = 0.0  # of the recipient, dollars


def recipient_sums(instance: Instance, nodes: IntArray) -> dict[str, RecipientSums]:
    """Return name -> sums over the records, of each recipient, with a strategy for every profile, (q,).

    Attacks of a recipient who may learn something are the mean over the sets of attributes that it may know.
    """
    sums: dict[str, RecipientSums] = {}
    if instance.recipients.is_paper_adversary:
        return sums
    for start, stop, profiles in instance.blocks():
        replies = Outcomes(instance=instance, profiles=profiles, nodes=nodes[start:stop]).replies
        weights = instance.profiles.records[start:stop]
        for of, one, people, attacks, payoff in zip(
            instance.recipients.types,
            replies.adversaries,
            replies.people_decided_among,
            replies.attacks,
            replies.adversary_payoffs,
            strict=True,
        ):
            amounts = (one.success_probability(people) * attacks, one.publisher_loss(people) * attacks, payoff)
            block_sums = [float((amount * weights).sum()) for amount in amounts]
            attacked = of.chance * float((attacks * weights).sum())
            before = sums.get(of.name, RecipientSums())
            sums[of.name] = RecipientSums(*map(sum, zip(before, (attacked, *block_sums), strict=True)))
    return sums


def strategy_totals(instance: Instance, nodes: IntArray) -> Totals:
    """Return the totals of a strategy for every profile, (q,), some profiles at a time."""
    count = instance.profiles.count
    blocks = [
        slice(start, min(start + PROFILES_PER_BLOCK, count)) for start in range(0, max(count, 1), PROFILES_PER_BLOCK)
    ]
    found = [Totals()] * len(blocks)

    def add_up(first: int, last: int) -> None:
        for place in range(first, last):
            profiles = np.arange(blocks[place].start, blocks[place].stop)
            found[place] = Outcomes(instance=instance, profiles=profiles, nodes=nodes[blocks[place]]).totals

    run_in_slices(add_up, len(blocks), least=1, most=1)
    return reduce(Totals.plus, found)
