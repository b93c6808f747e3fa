"""The strategies that can be best at some stakes: a short list for each profile, compiled once."""

from functools import cached_property
from hashlib import sha256

import numpy as np

from gamedeid.arrays import ARRAY_ROWS, BoolArray, FloatArray, IntArray, sealed
from gamedeid.capabilities import Operation, refuse_unsupported
from gamedeid.game.compiled_data import CompiledData
from gamedeid.game.instance import Instance
from gamedeid.game.recipients import Recipients
from gamedeid.game.replies import Replies
from gamedeid.grouping import distinct_rows
from gamedeid.kernels import frontier as kernels
from gamedeid.kernels.best_first import list_best_first
from gamedeid.kernels.tables import NO_MATCH, WITHHELD, BestFirstLists, Entries
from gamedeid.reprs import frozen
from gamedeid.scenario.payoffs import TIE

MARGIN = 2 * TIE
"""Strategies whose benefit shares differ by more cannot tie: payoffs are equal within ``TIE`` of the benefit only."""


@frozen(eq=False, slots=False)
class Frontier:
    """For every profile the permitted strategies that no other one makes superfluous.

    A strategy is struck if another one is matched by no fewer people, loses no more information, and comes no later in
    walk order; or, in any order, if another one is matched by no fewer people, and loses less information by more than
    can count as a tie. Neither changes an answer, for any benefit, loss, gain and cost. With recipients, the condition
    on people must hold as each of them finds people; then no probability changes an answer either. For a recipient who
    may learn at a price, it must hold after learning, with as many people before learning; or the other strategy, both
    before and after learning, must be matched by no fewer people than the struck one is before learning.
    """

    data: CompiledData
    floors: IntArray  # (q, a) levels below which nothing is permitted
    nodes: IntArray  # (f,) int64 node number of each entry, profile after profile
    entries: Entries  # their benefit shares, people as the first adversary finds them, and walk keys
    found: IntArray  # people that each adversary finds at each entry, (R, f) int64
    types: tuple[tuple[str, bool], ...]  # name of each adversary, and whether it has learned something

    @classmethod
    def of(cls, instance: Instance, floors: IntArray) -> "Frontier":
        """Return the frontiers above ``floors``, (q, a), as :meth:`compile` does, but once for the same data."""
        data, recipients = instance.data, instance.recipients
        known = (*recipients.keys, recipients.nodes.tobytes(), recipients.unlearned.tobytes())
        key = ("frontier", None if floors is data.base else sha256(floors.tobytes()).digest(), known)
        return data.memoized(key, lambda: cls.compile(instance, floors))

    @classmethod
    def compile(cls, instance: Instance, floors: IntArray) -> "Frontier":
        """Return the frontiers of all profiles above ``floors``, (q, a), the lowest levels that are permitted."""
        lattice = instance.lattice
        refuse_unsupported(Operation.OTHER_STAKES, lattice.features)
        rows = np.stack([instance.data.kinds, lattice.nodes(floors)], axis=1)
        examples, kind_of, _ = distinct_rows(rows)
        lists = BestFirstLists(
            # entries beyond the end of a list have no use
            nodes=np.full((len(examples), lattice.size), lattice.most_general),
            values=np.zeros((len(examples), lattice.size)),
            lengths=np.empty(len(examples), np.int64),
            complete=True,
        )
        list_best_first(instance.hierarchy_tables, instance.profiles.codes[examples], floors[examples], lists)
        block = max(1, ARRAY_ROWS // (4 * lattice.size))  # a row is a pair of profile and strategy
        parts = [
            cls._undominated(instance, kind_of[start : start + block], start, lists)
            for start in range(0, instance.profiles.count, block)
        ]
        lengths = np.concatenate([part[0] for part in parts])
        nodes = np.concatenate([part[1] for part in parts])
        found = np.ascontiguousarray(np.concatenate([part[3] for part in parts], axis=1))
        entries = Entries(
            starts=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
            benefit_share=np.concatenate([part[2] for part in parts]),
            people=found[0],
            walk_keys=instance.hierarchy_tables.walk_keys[nodes],
            hull=np.ones(len(nodes), np.bool_),
        )
        if instance.recipients.is_paper_adversary:
            kernels.mark_hull(entries, MARGIN)
        return cls(
            data=instance.data,
            floors=sealed(floors, np.int8),
            nodes=nodes,
            entries=entries,
            found=np.where(found == NO_MATCH, 0, found),
            types=instance.recipients.keys,
        )

    @staticmethod
    def _undominated(
        instance: Instance, kind_of: IntArray, first: int, lists: BestFirstLists
    ) -> tuple[IntArray, IntArray, FloatArray, IntArray]:
        """Return entries per profile, and node, benefit share and people, (R, k), of each entry, of some profiles."""
        nodes = lists.nodes[kind_of]
        profiles = np.repeat(np.arange(first, first + len(kind_of)), nodes.shape[1])
        found = np.stack(instance.replies(profiles, nodes.ravel()).people).reshape(-1, *nodes.shape)
        found[found == 0] = NO_MATCH
        undominated: BoolArray = np.zeros(nodes.shape, np.bool_)
        unlearned, walk_keys = instance.recipients.unlearned, instance.hierarchy_tables.walk_keys
        kernels.mark_undominated(kind_of, lists, found, unlearned, walk_keys, MARGIN, undominated)
        return undominated.sum(axis=1), nodes[undominated], lists.values[kind_of][undominated], found[:, undominated]

    @cached_property
    def lengths(self) -> IntArray:
        """How many strategies remain for each profile, (q,)."""
        return np.diff(self.entries.starts)

    def replies(self, instance: Instance) -> Replies:
        """Return the reply of each adversary to all entries, (f,)."""
        return Replies(adversaries=instance.adversaries, people=tuple(self.found_by(instance.recipients)))

    def found_by(self, recipients: Recipients) -> IntArray:
        """Return the people that each of some recipients finds, (R, f) int64, as for :meth:`replies`."""
        keys = recipients.keys
        return self.found if keys == self.types else self.found[[self.types.index(key) for key in keys]]

    def choose(self, instance: Instance, *, forbids_attack: bool) -> IntArray:
        """Return the choice of backward induction, (q,) int64 node numbers, -1 where withheld."""
        recipients, against = instance.recipients.tables(instance.payoffs), None
        if recipients is not None:
            found = self.found_by(instance.recipients)
            against = kernels.FoundBy(found, recipients, np.empty(len(found), np.bool_))
        chosen = np.empty(len(self.lengths), np.int64)
        kernels.choose_entries(self.entries, instance.payoffs.stakes, against, forbids_attack, chosen)
        return np.where(chosen == WITHHELD, WITHHELD, self.nodes[chosen])
