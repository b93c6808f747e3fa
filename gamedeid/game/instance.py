"""Everything that a profile's game is played with, compiled once and shared by all games and solvers."""

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from functools import cached_property
from math import prod

import numpy as np

from gamedeid.amounts import number_of
from gamedeid.arrays import FloatArray, IntArray
from gamedeid.blocks import ARRAY_ROWS
from gamedeid.choices import Unmatched
from gamedeid.data.profiles import Cells, Profiles
from gamedeid.errors import InvalidScenarioError, UnmatchedRecordError, quoted
from gamedeid.game.best_first import SearchOrder
from gamedeid.game.own_populations import OwnPeople, counts_with_own
from gamedeid.game.recipients import Recipients
from gamedeid.game.replies import Replies
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.information_loss import compile_hierarchy_tables, loss_kinds
from gamedeid.generalization.lattice import Lattice
from gamedeid.grouping import DIRECT_SPAN, distinct_rows, number_keys
from gamedeid.kernels import rules
from gamedeid.kernels.tables import HierarchyTables, RecipientTables
from gamedeid.parallel import LEAST, in_slices
from gamedeid.population.choose import Layout, count_or_estimate
from gamedeid.population.contract import Counts
from gamedeid.reprs import frozen
from gamedeid.scenario.payoffs import Adversary, Payoffs
from gamedeid.scenario.recipients import Recipient, own_population


@frozen(eq=False, slots=False)
class Instance:
    """One question, compiled against its data.

    Parameters
    ----------
    hierarchies : attribute -> its hierarchy, in the order of the attributes.
    lattice, hierarchy_tables : the strategies and their tables.
    profiles : (q) distinct quasi-identifier values; each is one game.
    counts : n_p of every profile at every strategy, counted as asked for.
    payoffs : the stakes.
    recipients : who may get the release; None where that is the paper's one adversary.
    own : name of a recipient -> her own people, where she looks nobody else up; ``counts`` answer for them too.
    """

    hierarchies: Mapping[str, Hierarchy]
    lattice: Lattice
    hierarchy_tables: HierarchyTables
    profiles: Profiles
    counts: Counts
    payoffs: Payoffs
    recipients: Recipients | None = None
    own: Mapping[str, OwnPeople] = field(default_factory=dict)

    @classmethod
    def compile(
        cls,
        hierarchies: Mapping[str, Hierarchy],
        *,
        weights: Mapping[str, float],
        profiles: Profiles,
        cells: Cells,
        payoffs: Payoffs,
        unmatched: Unmatched = "error",
        layout: Layout = "auto",
        known: Mapping[str, int] | None = None,
        sampling_fraction: float | None = None,
        recipients: Mapping[str, Recipient] | None = None,
        own: Mapping[str, OwnPeople] | None = None,
    ) -> "Instance":
        """Build the tables of one question.

        Parameters
        ----------
        hierarchies : attribute -> its hierarchy.
        weights : attribute -> w_f >= 0.
        profiles, cells : records and population in the codes of these hierarchies.
        payoffs : the stakes.
        unmatched : what a profile that matches nobody is: an "error", "unique" (one person) or "safe" (nobody).
        layout : how counts are stored, "auto" by size.
        known : attribute -> level, for those that the population has at a level only; in ``cells`` the first leaf
            stands for its group. Finer counts are estimates then.
        sampling_fraction : share of the population that ``cells`` are a random sample of, in (0, 1), where nothing else
            is known of it. All counts are estimates then.
        recipients : name -> who may get the release; the paper's one adversary unless given.
        own : name of a recipient -> her own people, for each who has a population of her own.

        Raises
        ------
        UnmatchedRecordError : with ``unmatched="error"``, a profile whose most specific strategy matches nobody.
        InvalidScenarioError : no strategies, too many for estimates or for recipients, a level that a hierarchy does
            not have, or nothing could be lost.
        """
        listed = list(hierarchies.values())
        lattice = Lattice.of(listed)
        hierarchy_tables = compile_hierarchy_tables(lattice, listed, [weights[attribute] for attribute in hierarchies])
        counts = count_or_estimate(
            cells,
            profiles,
            hierarchies,
            lattice,
            hierarchy_tables,
            unmatched_as_one=unmatched == "unique",
            layout=layout,
            known=known,
            sampling_fraction=sampling_fraction,
        )
        instance = cls(
            hierarchies=hierarchies,
            lattice=lattice,
            hierarchy_tables=hierarchy_tables,
            profiles=profiles,
            counts=counts_with_own(counts, own or {}, profiles, lattice, hierarchy_tables),
            payoffs=payoffs,
            recipients=Recipients.compile(recipients or {}, hierarchies, lattice, list(own or {})),
            own=own or {},
        )
        instance.check_matches(unmatched)
        return instance

    def of(self, profiles: Profiles, unmatched: Unmatched) -> "Instance":
        """Return the same question for other profiles: same population, same stakes.

        Parameters
        ----------
        profiles : the other ones, in the codes of the same hierarchies.
        unmatched : what a profile counts as that matches nobody: "error", "unique" or "safe".

        Raises
        ------
        UnmatchedRecordError : with ``unmatched="error"``, a profile whose most specific strategy matches nobody.
        """
        instance = replace(self, profiles=profiles, counts=self.counts.of(profiles))
        instance.check_matches(unmatched)
        return instance

    def weighing(self, weights: Mapping[str, float]) -> "Instance":
        """Return the same question with other weights of the attributes; nothing is counted again.

        Parameters
        ----------
        weights : attribute -> w_f >= 0.

        Raises
        ------
        InvalidScenarioError : nothing could be lost.
        """
        tables = compile_hierarchy_tables(
            self.lattice, list(self.hierarchies.values()), [weights[attribute] for attribute in self.hierarchies]
        )
        return replace(self, hierarchy_tables=tables)

    def facing(self, recipients: Mapping[str, Recipient], payoffs: Payoffs) -> "Instance":
        """Return the same question with other stakes and recipients; nothing is counted again.

        Parameters
        ----------
        recipients : name -> who may get the release; none for the paper's one adversary.
        payoffs : the stakes.

        Raises
        ------
        InvalidScenarioError : a level that a hierarchy does not have, or too many strategies.
        """
        compiled = Recipients.compile(recipients, self.hierarchies, self.lattice, list(self.own))
        return replace(self, payoffs=payoffs, recipients=compiled)

    def refuse_recipients(self, what: str) -> None:
        """Refuse work that knows of one adversary only.

        Parameters
        ----------
        what : does not know of more, as the message begins; a plural.

        Raises
        ------
        InvalidScenarioError : there are recipients for whom the paper's one adversary does not stand.
        """
        if self.recipients is not None:
            raise InvalidScenarioError(
                f"recipients: {what} know only of one adversary who surely comes to be and knows all"
            )

    @cached_property
    def base(self) -> IntArray:
        """Most specific levels open to each profile, (q, a) int8: 0, but the top where the value is missing.

        Where the rows of a person differ, the least level at which they agree.
        """
        tops = np.array(self.lattice.heights, np.int8) - np.int8(1)
        missing, floors = self.profiles.missing, self.profiles.floors
        base: IntArray = missing * tops if missing.any() else np.zeros(missing.shape, np.int8)
        if floors is not None:
            base = np.maximum(base, floors)
        base.setflags(write=False)
        return base

    @cached_property
    def kinds(self) -> IntArray:
        """Kind of each profile, (q,) int32 from 0: profiles of one kind have the same v(g) at every strategy."""
        by_leaf = [
            loss_kinds(hierarchy) if losses.any() else np.zeros(len(hierarchy.leaves) + 1, np.int64)
            for hierarchy, losses in zip(self.hierarchies.values(), self.hierarchy_tables.raw_losses, strict=True)
        ]
        bases = [int(kinds.max()) + 1 for kinds in by_leaf]
        codes = self.profiles.codes
        if prod(bases) > max(DIRECT_SPAN * len(codes), 1) or prod(bases) >= 2**31:
            columns = [kinds[codes[:, place]] for place, kinds in enumerate(by_leaf)]
            return distinct_rows(np.stack(columns, axis=1), bases)[1].astype(np.int32)
        key = np.zeros(len(codes), np.int32)

        def fill(start: int, stop: int) -> None:
            for place, (kinds, base) in enumerate(zip(by_leaf, bases, strict=True)):
                key[start:stop] *= np.int32(base)
                key[start:stop] += kinds.astype(np.int32)[codes[start:stop, place]]

        in_slices(fill, len(key))
        return number_keys(key, prod(bases))[1]

    @cached_property
    def open_order(self) -> SearchOrder:
        """In which order strategies are tried where all are open that release no missing value."""
        return self.order(self.base)

    def order(self, floors: IntArray) -> SearchOrder:
        """Return in which order the strategies not below ``floors``, (q, a) int8, are tried for each profile."""
        return SearchOrder.compile(
            self.kinds, floors, self.lattice, self.hierarchy_tables, self.profiles.codes, float(self.payoffs.benefit)
        )

    @property
    def everyone(self) -> IntArray:
        """All profile numbers, (q,)."""
        return np.arange(self.profiles.count, dtype=np.int64)

    def blocks(self) -> Iterator[tuple[int, int, IntArray]]:
        """Yield (start, stop, profile numbers from start to stop, (k,) int64) of all profiles, some at a time."""
        for start in range(0, max(self.profiles.count, 1), ARRAY_ROWS):
            stop = min(start + ARRAY_ROWS, self.profiles.count)
            yield start, stop, np.arange(start, stop, dtype=np.int64)

    def people(self, profiles: IntArray, nodes: IntArray) -> IntArray:
        """Return n_p(g), (k,) int64, of profiles (k,) at nodes (k,).

        Parameters
        ----------
        profiles : (k,) numbers of profiles.
        nodes : (k,) a strategy of each.
        """
        return self.counts.people(self.profiles, profiles, nodes)

    @property
    def adversaries(self) -> tuple[Adversary, ...]:
        """Who may attack, and what each plays for: the paper's one adversary, or the recipients."""
        one = self.payoffs.only_adversary
        return (one,) if self.recipients is None else self.recipients.adversaries(self.payoffs)

    @property
    def recipient_tables(self) -> RecipientTables | None:
        """The recipients for the inner loops; None where the stakes tell all of the one adversary."""
        return None if self.recipients is None else self.recipients.tables(self.payoffs)

    def looked_up(self, nodes: IntArray) -> IntArray:
        """Return the strategies whose people are counted where those of ``nodes``, (k,), are released."""
        return nodes if self.recipients is None else self.recipients.nodes[:, nodes].ravel()

    def replies(self, profiles: IntArray, nodes: IntArray) -> Replies:
        """Return what the adversaries do about profiles (k,) at nodes (k,).

        Parameters
        ----------
        profiles : (k,) numbers of profiles.
        nodes : (k,) a strategy of each.
        """
        maps = [nodes] if self.recipients is None else [one[nodes] for one in self.recipients.nodes]
        people = tuple(self.people(profiles, looked_up) for looked_up in maps)
        return Replies(adversaries=self.adversaries, people=people)

    def publisher_payoffs(self, profiles: IntArray, nodes: IntArray, replies: Replies) -> FloatArray:
        """Return v(g) less the expected loss, (k,) dollars, of profiles (k,) at nodes (k,), given the replies.

        Parameters
        ----------
        profiles : (k,) numbers of profiles.
        nodes : (k,) a strategy of each.
        replies : to these.
        """
        return self.values(profiles, nodes) - replies.expected_loss

    def values(self, profiles: IntArray, nodes: IntArray) -> FloatArray:
        """Return v(g) in dollars, (k,), of profiles (k,) at nodes (k,) (wan2015, equation 3).

        Parameters
        ----------
        profiles : (k,) numbers of profiles.
        nodes : (k,) a strategy of each.
        """
        values = np.empty(len(profiles))
        hierarchy_tables, codes, benefit = self.hierarchy_tables, self.profiles.codes, float(self.payoffs.benefit)

        def fill(start: int, stop: int) -> None:
            some = slice(start, stop)
            rules.values_of(
                hierarchy_tables, codes, profiles[some], nodes[some].astype(np.int64), benefit, values[some]
            )

        in_slices(fill, len(profiles), least=LEAST // 8)
        return values

    @property
    def unmatched(self) -> IntArray:
        """Numbers of the profiles, (k,), that match nobody at their most specific strategy, as people are counted."""
        return self._matching_nobody(0, np.zeros(self.lattice.attributes, np.int64))

    def unmatched_by(self, recipient: str) -> IntArray:
        """Return the numbers of the profiles, (k,), that match none of a recipient's own people, whatever she learns.

        Parameters
        ----------
        recipient : the name of one who has a population of her own.
        """
        return self._matching_nobody(1 + list(self.own).index(recipient), self.own[recipient].levels)

    def _matching_nobody(self, source: int, levels: IntArray) -> IntArray:
        """Return the profiles, (k,), that match nobody at their most specific strategy, nor at ``levels``, (a,)."""
        found = []
        for start, stop, rows in self.blocks():
            nodes = self.lattice.nodes(np.maximum(self.base[start:stop], levels))
            found.append(start + np.flatnonzero(self.people(rows, source * self.lattice.size + nodes) == 0))
        return np.concatenate(found)

    def check_matches(self, unmatched: Unmatched) -> None:
        """Check that every profile matches somebody at its most specific strategy, unless ``unmatched`` permits it.

        Raises
        ------
        UnmatchedRecordError : with ``unmatched="error"``, a profile that matches nobody; or one that matches nobody in
            a recipient's own population, whose ``unmatched`` is "error".
        """
        if unmatched == "error":
            self._refuse_unmatched(self.unmatched, "the population", "[population]")
        for name, own in self.own.items():
            if own.unmatched == "error":
                whom, section = f"the population of recipient {quoted(name)}", f"[{own_population(name)}]"
                self._refuse_unmatched(self.unmatched_by(name), whom, section)

    def _refuse_unmatched(self, alone: IntArray, whom: str, section: str) -> None:
        """Refuse profiles, (k,), that match nobody in a population."""
        if not len(alone):
            return
        first = alone[0]
        person = ", ".join(
            f"{attribute}={hierarchy.label(int(level), int(code)) if not gone else '*'}"
            for (attribute, hierarchy), level, code, gone in zip(
                self.hierarchies.items(),
                self.base[first],
                self.profiles.codes[first],
                self.profiles.missing[first],
                strict=True,
            )
        )
        count = int(self.profiles.records[alone].sum())
        raise UnmatchedRecordError(
            f"{number_of(count, self.profiles.unit)} {'match' if count > 1 else 'matches'} nobody in {whom}; "
            f'check that both describe the same people, or set {section} unmatched = "unique" or "safe"',
            values=[person],
        )
