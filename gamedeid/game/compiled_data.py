"""Compiled data: strategies, profiles, people who match and information lost; no stakes."""

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import field, replace
from functools import cached_property
from math import prod
from threading import RLock
from typing import Any, TypeVar

import numpy as np

from gamedeid.amounts import number_of
from gamedeid.arrays import ARRAY_ROWS, IntArray
from gamedeid.data.profiles import Profiles
from gamedeid.errors import UnmatchedRecordError, quoted
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.lattice import Lattice, compile_hierarchy_tables, loss_kinds
from gamedeid.grouping import DIRECT_SPAN, distinct_rows, examples_of, number_keys
from gamedeid.kernels.best_first import list_best_first
from gamedeid.kernels.tables import BestFirstLists, HierarchyTables
from gamedeid.parallel import run_in_slices
from gamedeid.population.choose import CountedPopulation, OwnPeople
from gamedeid.population.contract import Counts
from gamedeid.reprs import frozen
from gamedeid.scenario.recipients import own_population

WORTH_A_THREAD = 2**9
"""Lists that are worth a thread: to make one takes as long as the searches of many profiles."""

_LISTS_LOCK = RLock()
"""Held while lists are made: several threads may play on the same data."""


@frozen(eq=False, slots=False)
class SearchOrder:
    """Best-first lists with v(g) as shares of the benefit, made when first needed and only as long as needed."""

    of_profile: IntArray  # (q,) int32, the list of each profile
    codes: IntArray  # (k, a) int32, of one profile of each list
    floors: IntArray  # (k, a) int8, of the same
    hierarchy_tables: HierarchyTables
    _made: dict[int, "_Lists"] = field(init=False, repr=False, default_factory=dict)

    def none_attacked(self) -> IntArray:
        """Return zeros, (q,), of the smallest type that holds a place in a list."""
        return np.zeros(len(self.of_profile), np.int16 if len(self.hierarchy_tables.levels) < 2**15 else np.int32)

    def lists(self, profiles: IntArray, length: int) -> tuple[BestFirstLists, IntArray]:
        """Return lists of the first ``length`` strategies, and which of them each profile's, (k,), is, (k,) int64."""
        wanted = self.of_profile[profiles]
        with _LISTS_LOCK:
            complete = length == len(self.hierarchy_tables.levels)
            made = self._made.setdefault(length, _Lists(len(self.codes), length, complete=complete))
            asked = np.zeros(len(self.codes), np.bool_)
            asked[wanted] = True
            new = np.flatnonzero(asked & (made.rows < 0))
            if len(new):
                made.append(self, new)
            return made.lists, made.rows[wanted]


class _Lists:
    """Lists of one length, those made so far, with room for more."""

    def __init__(self, kinds: int, length: int, *, complete: bool) -> None:
        self.rows, self._used = np.full(kinds, -1, np.int64), 0
        nodes, values, lengths = np.empty((0, length), np.int64), np.empty((0, length)), np.empty(0, np.int64)
        self.lists = BestFirstLists(nodes, values, lengths, complete)

    def append(self, order: SearchOrder, new: IntArray) -> None:
        """Make the lists ``new``, (k,)."""
        first, last = self._used, self._used + len(new)
        if last > len(self.lists.lengths):
            room = min(len(self.rows), 2 * last)
            nodes, values, lengths = (
                np.concatenate([array[:first], np.empty((room - first, *array.shape[1:]), array.dtype)])
                for array in (self.lists.nodes, self.lists.values, self.lists.lengths)
            )
            self.lists = BestFirstLists(nodes, values, lengths, self.lists.complete)
        codes, floors, lists = order.codes[new], order.floors[new], self.lists

        def fill(start: int, stop: int) -> None:
            some = slice(first + start, first + stop)
            part = BestFirstLists(lists.nodes[some], lists.values[some], lists.lengths[some], lists.complete)
            list_best_first(order.hierarchy_tables, codes[start:stop], floors[start:stop], part)

        run_in_slices(fill, len(new), least=WORTH_A_THREAD)
        self.rows[new] = np.arange(first, last)
        self._used = last


Value = TypeVar("Value")

MOST_MEMOIZED = 8
"""Number of compiled values, such as frontiers and policies, that are kept with the data."""


def _tables(lattice: Lattice, hierarchies: Mapping[str, Hierarchy], weights: Mapping[str, float]) -> HierarchyTables:
    return compile_hierarchy_tables(
        lattice, list(hierarchies.values()), [weights.get(attribute, 0.0) for attribute in hierarchies]
    )


@frozen(eq=False, slots=False)
class CompiledData:
    """The data of one question, compiled; the answers to any stakes are computed from it.

    Parameters
    ----------
    hierarchies : attribute -> its hierarchy, in the order of the attributes; classes that are fixed come last.
    weights : attribute -> its weight w_f in the information loss.
    profiles : (q) distinct quasi-identifier values; each is one game.
    counts : n_p of every profile at every strategy, counted as asked for.
    own : name of a recipient -> the people of its population; ``counts`` include them.
    kept : values compiled from these data later, see :meth:`memoized`.
    """

    hierarchies: Mapping[str, Hierarchy]
    weights: Mapping[str, float]
    lattice: Lattice
    hierarchy_tables: HierarchyTables
    profiles: Profiles
    population: CountedPopulation
    counts: Counts
    own: Mapping[str, OwnPeople] = field(default_factory=dict)
    kept: dict[Hashable, Any] = field(init=False, repr=False, default_factory=dict)

    @classmethod
    def compile(
        cls,
        hierarchies: Mapping[str, Hierarchy],
        *,
        weights: Mapping[str, float],
        profiles: Profiles,
        population: CountedPopulation,
        own: Mapping[str, OwnPeople] | None = None,
    ) -> "CompiledData":
        """Build the tables of one question; the arguments are as in the class."""
        own, lattice = own or {}, Lattice.of(list(hierarchies.values()))
        tables = _tables(lattice, hierarchies, weights)
        data = cls(
            hierarchies=hierarchies,
            weights=weights,
            lattice=lattice,
            hierarchy_tables=tables,
            profiles=profiles,
            population=population,
            counts=population.count(profiles, hierarchies, lattice, tables, own),
            own=own,
        )
        data.check_matches()
        return data

    def of(self, profiles: Profiles) -> "CompiledData":
        """Return the same for other profiles, coded by the same hierarchies; their matches are not checked."""
        return replace(self, profiles=profiles, counts=self.counts.of(profiles))

    def uncounted(self, profiles: Profiles | None = None) -> "CompiledData":
        """Return the same, or for other profiles, without roll-ups: for measuring the time of a solver."""
        chosen = self.profiles if profiles is None else profiles
        counts = self.population.count(chosen, self.hierarchies, self.lattice, self.hierarchy_tables, self.own)
        return replace(self, profiles=chosen, counts=counts)

    def with_weights(self, weights: Mapping[str, float]) -> "CompiledData":
        """Return the same with other weights of the attributes, w_f >= 0, or itself; nothing is counted again."""
        if weights == self.weights:
            return self
        return replace(self, weights=weights, hierarchy_tables=_tables(self.lattice, self.hierarchies, weights))

    def memoized(self, key: Hashable, made: Callable[[], Value]) -> Value:
        """Return a value that depends only on these data and a key; it is made once, and the last few are kept."""
        if key not in self.kept:
            self.kept[key] = made()
            for oldest in list(self.kept)[:-MOST_MEMOIZED]:
                self.kept.pop(oldest, None)
        found: Value = self.kept[key]
        return found

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
            return distinct_rows(np.stack(columns, axis=1))[1].astype(np.int32)
        key = np.zeros(len(codes), np.int32)

        def fill(start: int, stop: int) -> None:
            for place, (kinds, base) in enumerate(zip(by_leaf, bases, strict=True)):
                key[start:stop] *= np.int32(base)
                key[start:stop] += kinds.astype(np.int32)[codes[start:stop, place]]

        run_in_slices(fill, len(key))
        return number_keys(key, prod(bases))[1]

    @cached_property
    def open_order(self) -> SearchOrder:
        """The order in which strategies are tried if all that release no missing value are permitted."""
        return self.order(self.base)

    def order(self, floors: IntArray) -> SearchOrder:
        """Return the order in which strategies not below ``floors``, (q, a) int8, are tried for each profile."""
        floor_nodes, floor_of = number_keys(self.lattice.nodes(floors), self.lattice.size)
        span, many = int(self.kinds.max(initial=0)) + 1, len(floor_nodes)
        if many == 1:
            examples, of_profile = examples_of(self.kinds, span), self.kinds
        else:
            key = np.multiply(self.kinds, many, dtype=np.int32 if span * many < 2**31 else np.int64)
            key += floor_of
            examples, of_profile = number_keys(key, span * many)
        codes, tables = self.profiles.codes[examples], self.hierarchy_tables
        return SearchOrder(of_profile=of_profile, codes=codes, floors=floors[examples], hierarchy_tables=tables)

    def blocks(self) -> Iterator[tuple[int, int, IntArray]]:
        """Yield (start, stop, profile numbers from start to stop, (k,) int64) of all profiles, some at a time."""
        for start in range(0, max(self.profiles.count, 1), ARRAY_ROWS):
            stop = min(start + ARRAY_ROWS, self.profiles.count)
            yield start, stop, np.arange(start, stop, dtype=np.int64)

    def people(self, profiles: IntArray, nodes: IntArray) -> IntArray:
        """Return n_p(g), (k,) int64, of profiles (k,) at nodes (k,)."""
        return self.counts.people(self.profiles, profiles, nodes)

    def unmatched(self, recipient: str | None = None) -> IntArray:
        """Return the profiles, (k,), that match no one at their most specific strategy.

        With a recipient: those that match none of its people at any strategy, even with all that it can learn.
        """
        source: int = 0
        levels: IntArray = np.zeros(self.lattice.attributes, np.int64)
        if recipient is not None:
            source, levels = 1 + list(self.own).index(recipient), self.own[recipient].levels
        found = []
        for start, stop, rows in self.blocks():
            nodes = self.lattice.nodes(np.maximum(self.base[start:stop], levels))
            found.append(start + np.flatnonzero(self.people(rows, source * self.lattice.size + nodes) == 0))
        return np.concatenate(found)

    def check_matches(self) -> None:
        """Check that every profile has a match in each population that requires one; see :meth:`unmatched`."""
        if self.population.unmatched == "error":
            self._refuse_unmatched(self.unmatched(), "the population", "[population]")
        for name, own in self.own.items():
            if own.unmatched == "error":
                whom, section = f"the population of recipient {quoted(name)}", f"[{own_population(name)}]"
                self._refuse_unmatched(self.unmatched(name), whom, section)

    def _refuse_unmatched(self, unmatched: IntArray, whom: str, section: str) -> None:
        """Refuse profiles, (k,), that match no one in a population."""
        if not len(unmatched):
            return
        first = unmatched[0]
        person = ", ".join(
            f"{attribute}={hierarchy.label(int(level), int(code)) if not is_missing else '*'}"
            for (attribute, hierarchy), level, code, is_missing in zip(
                self.hierarchies.items(),
                self.base[first],
                self.profiles.codes[first],
                self.profiles.missing[first],
                strict=True,
            )
        )
        count = int(self.profiles.records[unmatched].sum())
        raise UnmatchedRecordError(
            f"{number_of(count, self.profiles.unit)} {'match' if count > 1 else 'matches'} no one in {whom}; "
            f'check that both describe the same people, or set {section} unmatched = "unique" or "safe"',
            values=[person],
        )
