"""In which order strategies are tried: by v(g), which all profiles of one kind above one floor share."""

from dataclasses import field
from threading import RLock

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.generalization.lattice import Lattice
from gamedeid.grouping import examples_of, number_keys
from gamedeid.kernels.best_first import BestFirstLists, list_best_first
from gamedeid.kernels.tables import HierarchyTables
from gamedeid.parallel import in_slices
from gamedeid.reprs import frozen

WORTH_A_THREAD = 2**9
"""Lists that are worth a thread: to make one takes as long as the searches of many profiles."""

_LISTING = RLock()
"""Held while lists are made: several threads may play on the same data."""


@frozen(eq=False, slots=False)
class SearchOrder:
    """Best-first lists with v(g) as shares of the benefit, made when first needed and only as long as needed.

    Parameters
    ----------
    of_profile : (q,) int32, the list of each profile.
    codes, floors : (k, a) int32 and int8, of one profile of each list.
    hierarchy_tables : the tables of the lattice.
    """

    of_profile: IntArray
    codes: IntArray
    floors: IntArray
    hierarchy_tables: HierarchyTables
    _made: dict[int, "_Lists"] = field(init=False, repr=False, default_factory=dict)

    @classmethod
    def compile(
        cls,
        kinds: IntArray,
        floors: IntArray,
        lattice: Lattice,
        hierarchy_tables: HierarchyTables,
        codes: IntArray,
    ) -> "SearchOrder":
        """Return the order of all profiles; nothing is listed yet.

        Parameters
        ----------
        kinds : (q,) from 0; profiles of one kind have the same v(g) everywhere.
        floors : (q, a) int8, levels below which nothing is tried.
        codes : (q, a) leaf codes.
        """
        floor_nodes, floor_of = number_keys(lattice.nodes(floors), lattice.size)
        span, many = int(kinds.max(initial=0)) + 1, len(floor_nodes)
        if many == 1:
            examples, of_profile = examples_of(kinds, span), kinds
        else:
            key = np.multiply(kinds, many, dtype=np.int32 if span * many < 2**31 else np.int64)
            key += floor_of
            examples, of_profile = number_keys(key, span * many)
        return cls(
            of_profile=of_profile,
            codes=codes[examples],
            floors=floors[examples],
            hierarchy_tables=hierarchy_tables,
        )

    def none_attacked(self) -> IntArray:
        """Return zeros, (q,), of the smallest type that holds a place in a list."""
        return np.zeros(len(self.of_profile), np.int16 if len(self.hierarchy_tables.levels) < 2**15 else np.int32)

    def lists(self, profiles: IntArray, length: int) -> tuple[BestFirstLists, IntArray]:
        """Return lists of the first ``length`` strategies, and which of them each profile's, (k,), is, (k,) int64."""
        wanted = self.of_profile[profiles]
        with _LISTING:
            made = self._made.setdefault(length, _Lists(len(self.codes), length))
            asked = np.zeros(len(self.codes), np.bool_)
            asked[wanted] = True
            new = np.flatnonzero(asked & (made.rows < 0))
            if len(new):
                made.append(self, new)
            return made.best_first(complete=length == len(self.hierarchy_tables.levels)), made.rows[wanted]


class _Lists:
    """Lists of one length, those that were asked for, with room for more."""

    def __init__(self, kinds: int, length: int) -> None:
        self.rows = np.full(kinds, -1, np.int64)
        self._used = 0
        self._nodes = np.empty((0, length), np.int64)
        self._values = np.empty((0, length))
        self._lengths = np.empty(0, np.int64)

    def append(self, order: SearchOrder, new: IntArray) -> None:
        """Make the lists ``new``, (k,)."""
        first, last = self._used, self._used + len(new)
        if last > len(self._lengths):
            room = min(len(self.rows), 2 * last)
            self._nodes, self._values, self._lengths = (
                np.concatenate([array[:first], np.empty((room - first, *array.shape[1:]), array.dtype)])
                for array in (self._nodes, self._values, self._lengths)
            )
        codes, floors = order.codes[new], order.floors[new]
        lists = self.best_first(complete=False)

        def fill(start: int, stop: int) -> None:
            some = slice(first + start, first + stop)
            part = BestFirstLists(lists.nodes[some], lists.values[some], lists.lengths[some], complete=False)
            list_best_first(order.hierarchy_tables, codes[start:stop], floors[start:stop], part)

        in_slices(fill, len(new), least=WORTH_A_THREAD)
        self.rows[new] = np.arange(first, last)
        self._used = last

    def best_first(self, *, complete: bool) -> BestFirstLists:
        """Return the lists for the inner loops."""
        return BestFirstLists(self._nodes, self._values, self._lengths, complete)
