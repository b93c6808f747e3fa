"""A question on its data: compiled data, stakes and recipients."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.data.profiles import Profiles
from gamedeid.game.compiled_data import CompiledData
from gamedeid.game.recipients import Recipients
from gamedeid.game.replies import Replies
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.lattice import Lattice
from gamedeid.kernels import rules
from gamedeid.kernels.tables import HierarchyTables
from gamedeid.parallel import LEAST_ITEMS, run_in_slices
from gamedeid.population.contract import Counts
from gamedeid.reprs import frozen
from gamedeid.scenario.payoffs import Adversary, Payoffs
from gamedeid.scenario.recipients import Recipient


@frozen(eq=False, slots=False)
class Instance:
    """Compiled data with the stakes and recipients of a question."""

    data: CompiledData
    payoffs: Payoffs
    recipients: Recipients  # who may get the release and attack; the paper's adversary, or those of the scenario

    @classmethod
    def of(cls, data: CompiledData, payoffs: Payoffs, recipients: Mapping[str, Recipient] | None = None) -> "Instance":
        """Return a question on compiled data, against recipients by name, or the paper's one adversary."""
        compiled = Recipients.compile(recipients or {}, data.hierarchies, data.lattice, list(data.own))
        return cls(data=data, payoffs=payoffs, recipients=compiled)

    def for_profiles(self, profiles: Profiles) -> "Instance":
        """Return the same question for other profiles; their matches are not checked."""
        return replace(self, data=self.data.of(profiles))

    def uncounted(self, profiles: Profiles | None = None) -> "Instance":
        """Return the same question, or for other profiles, without roll-ups."""
        return replace(self, data=self.data.uncounted(profiles))

    @property
    def hierarchies(self) -> Mapping[str, Hierarchy]:
        """Attribute -> its hierarchy, in the order of the attributes, without classes that are fixed."""
        return {name: one for name, one in self.data.hierarchies.items() if not one.is_fixed}

    def levels_of(self, node: int) -> dict[str, int]:
        """Return attribute -> its level in a strategy, given by its node number."""
        return dict(zip(self.hierarchies, self.lattice.levels_of(node), strict=False))

    @property
    def lattice(self) -> Lattice:
        """The strategies."""
        return self.data.lattice

    @property
    def hierarchy_tables(self) -> HierarchyTables:
        """The groups of the hierarchies and their information loss, for the compiled loops."""
        return self.data.hierarchy_tables

    @property
    def profiles(self) -> Profiles:
        """The distinct quasi-identifier values, (q); each is one game."""
        return self.data.profiles

    @property
    def counts(self) -> Counts:
        """n_p of every profile at every strategy."""
        return self.data.counts

    @property
    def base(self) -> IntArray:
        """Most specific levels open to each profile, (q, a) int8."""
        return self.data.base

    @property
    def all_profiles(self) -> IntArray:
        """All profile numbers, (q,)."""
        return np.arange(self.profiles.count, dtype=np.int64)

    def blocks(self) -> Iterator[tuple[int, int, IntArray]]:
        """Yield (start, stop, profile numbers from start to stop, (k,) int64) of all profiles, some at a time."""
        return self.data.blocks()

    def people(self, profiles: IntArray, nodes: IntArray) -> IntArray:
        """Return n_p(g), (k,) int64, of profiles (k,) at nodes (k,)."""
        return self.data.people(profiles, nodes)

    @cached_property
    def attacked_first(self) -> IntArray:
        """How many strategies at the head of each profile's open order are known to be attacked, (q,) integers.

        A game that forbids attacks need not look these up again.
        """
        return self.data.open_order.none_attacked()

    @property
    def adversaries(self) -> tuple[Adversary, ...]:
        """The adversaries with their stakes."""
        return self.recipients.adversaries(self.payoffs)

    def replies(self, profiles: IntArray, nodes: IntArray) -> Replies:
        """Return the replies of the adversaries to ``profiles``, (k,), at ``nodes``, (k,)."""
        people = tuple(self.people(profiles, seen) for seen in self.recipients.lookup_nodes(nodes))
        return Replies(adversaries=self.adversaries, people=people)

    def publisher_payoffs(self, profiles: IntArray, nodes: IntArray, replies: Replies) -> FloatArray:
        """Return v(g) less the expected loss, (k,) dollars, of ``profiles``, (k,), at ``nodes``, (k,), by replies."""
        return self.values(profiles, nodes) - replies.expected_loss

    def values(self, profiles: IntArray, nodes: IntArray) -> FloatArray:
        """Return v(g) in dollars, (k,), of ``profiles``, (k,), at ``nodes``, (k,) (wan2015, equation 3)."""
        values = np.empty(len(profiles))
        hierarchy_tables, codes, benefit = self.hierarchy_tables, self.profiles.codes, float(self.payoffs.benefit)

        def fill(start: int, stop: int) -> None:
            some = slice(start, stop)
            rules.values_of(
                hierarchy_tables, codes, profiles[some], nodes[some].astype(np.int64), benefit, values[some]
            )

        run_in_slices(fill, len(profiles), least=LEAST_ITEMS // 8)
        return values
