"""Counts as one row of numbers per strategy, one for each profile: for sparse and for estimated counts."""

from collections.abc import Callable
from threading import RLock
from typing import TypeAlias

import numpy as np

from gamedeid.arrays import ARRAY_ROWS, IntArray
from gamedeid.data.profiles import Profiles
from gamedeid.grouping import distinct_rows, sums_by
from gamedeid.kernels.equivalence_classes import ListedProfiles, count_class_members
from gamedeid.kernels.tables import WITHHELD, CountTables, HierarchyTables
from gamedeid.parallel import LEAST_ITEMS, run_in_slices
from gamedeid.population.contract import distinct_nodes, look_up_people

PeopleAt: TypeAlias = Callable[[IntArray], IntArray]
"""A function from strategies, (k,), to the counted or estimated people, (k, q) int64, who match every profile there."""

Counting: TypeAlias = Callable[[Profiles], PeopleAt]
"""A function from profiles to their counts at all strategies."""


def sparse_counting(codes: IntArray, people: IntArray, hierarchy_tables: HierarchyTables, least: int) -> Counting:
    """Return counts over the cells with people or a profile; equal cells are found again at each strategy.

    ``codes``, (c, a), are leaf codes of the population, which ``people``, (c,), have; rows may repeat.
    """

    def of(profiles: Profiles) -> PeopleAt:
        # Profiles are listed as cells without people, so that each always has a group.
        all_codes = np.concatenate([profiles.codes, codes])
        first, of_row, _ = distinct_rows(all_codes)
        held = sums_by(of_row[profiles.count :], people, len(first))
        cells = listed_profiles(hierarchy_tables, all_codes[first], held)
        cells = cells._replace(of_profile=of_row[: profiles.count].astype(np.int64), least=least)

        def people_at(nodes: IntArray) -> IntArray:
            found = np.empty((len(nodes), profiles.count), np.int64)

            def count(start: int, stop: int) -> None:
                count_class_members(cells, hierarchy_tables, nodes[start:stop], found[start:stop])

            run_in_slices(count, len(nodes), least=1 + LEAST_ITEMS // (16 * len(cells.people)))
            return found

        return people_at

    return of


def listed_profiles(hierarchy_tables: HierarchyTables, codes: IntArray, people: IntArray) -> ListedProfiles:
    """Return distinct leaf codes, (c, a), with people, (c,), as cells of the compiled loops; each is a profile's."""
    groups = [np.take(table, column, axis=1) for table, column in zip(hierarchy_tables.groups, codes.T, strict=True)]
    return ListedProfiles(
        groups=np.stack(groups),
        widths=hierarchy_tables.groups.max(axis=2).astype(np.int64) + 1,
        people=people.astype(np.int64),
        of_profile=np.arange(len(codes)),
        least=0,
    )


FIRST_BYTES = 3 * 2**29
"""Bytes allocated at first (1.5 GiB, used only as strategies are counted); doubled when used up."""


_STRATEGIES_TOGETHER = 4
"""Strategies that are counted together if their numbers are not kept."""


class RowCounts:
    """Counts of given profiles only; a strategy is counted when first looked up.

    Parameters
    ----------
    profiles : (q) profiles that can be looked up.
    most : the greatest possible count; numbers take as few bytes as it needs.
    places : how many nodes there are (default: as many as strategies).
    """

    scanned = None

    def __init__(
        self,
        counting: Counting,
        profiles: Profiles,
        hierarchy_tables: HierarchyTables,
        most: int,
        places: int | None = None,
    ) -> None:
        self._counting, self._people_at = counting, counting(profiles)
        self._codes, self._most = profiles.codes, most
        self._hierarchy_tables = hierarchy_tables
        self._places = len(hierarchy_tables.levels) if places is None else places
        self._counting_now = RLock()  # several threads may look people up at once
        self.forget()

    def forget(self) -> None:
        """Free all counts; they are counted again when next looked up."""
        number = np.uint16 if self._most < 2**16 else np.int32 if self._most < 2**31 else np.int64
        room = max(1, FIRST_BYTES // (np.dtype(number).itemsize * max(len(self._codes), 1)))
        self._offsets = np.full(self._places, -1, np.int64)
        self._rows: IntArray = np.empty((min(room, self._places), len(self._codes)), number)
        self._used = 0
        self._of_all: tuple[IntArray, IntArray] | None = None

    @property
    def most_bytes(self) -> int:
        """Bytes that the numbers of all strategies take."""
        return self._places * len(self._codes) * self._rows.itemsize

    @property
    def tables(self) -> CountTables:
        """The tables that the inner loops read."""
        return CountTables(
            dense=False,
            cells=np.empty(0, np.int32),  # as cubes have: one compiled form for both
            offsets=self._offsets,
            steps=np.empty((0, 0), np.int64),
            rows=self._rows,
            least=0,
        )

    def count(self, nodes: IntArray) -> None:
        """Count the people of nodes, (k,), if not counted yet."""
        new = nodes[self._offsets[nodes] < 0]
        together = max(1, ARRAY_ROWS // (4 * max(len(self._codes), 1)))
        for start in range(0, len(new), together):
            some = new[start : start + together]
            after = self._used + len(some)
            if after > len(self._rows):
                more = min(max(after, 2 * len(self._rows)), self._places)
                rows = np.empty((more, len(self._codes)), self._rows.dtype)
                rows[: self._used] = self._rows[: self._used]
                self._rows = rows
            self._rows[self._used : after] = self._people_at(some)
            self._offsets[some] = np.arange(self._used, after)
            self._used = after

    def people(self, profiles: Profiles, chosen: IntArray, nodes: IntArray) -> IntArray:
        """Return n_p, (k,) int64, of profiles ``chosen`` (k,) at ``nodes`` (k,).

        If the numbers of all strategies would take too much room, and most profiles are looked up, only the requested
        numbers are kept.
        """
        if self._of_all is not None and (self._of_all[0][chosen] == nodes).all():
            return self._of_all[1][chosen]
        if 2 * len(chosen) > len(self._codes):
            distinct = distinct_nodes(nodes, self._places)
            rows = self._used + int((self._offsets[distinct] < 0).sum())
            if rows * len(self._codes) * self._rows.itemsize > FIRST_BYTES:
                return self._count_without_storing(chosen, nodes)
        with self._counting_now:
            self.count(distinct_nodes(nodes, self._places))
            tables = self.tables
        return look_up_people(tables, self._hierarchy_tables, profiles, chosen, nodes)

    def _count_without_storing(self, chosen: IntArray, nodes: IntArray) -> IntArray:
        people, order = np.empty(len(chosen), np.int64), np.argsort(nodes, kind="stable")
        distinct, starts = np.unique(nodes[order], return_index=True)
        ends = np.append(starts[1:], len(order))
        for first in range(0, len(distinct), _STRATEGIES_TOGETHER):
            some = slice(first, first + _STRATEGIES_TOGETHER)
            found = self._people_at(distinct[some])
            for row, start, end in zip(found, starts[some].tolist(), ends[some].tolist(), strict=True):
                people[order[start:end]] = row[chosen[order[start:end]]]
        of_all = np.full((2, len(self._codes)), WITHHELD, np.int64)
        of_all[:, chosen] = nodes, people
        self._of_all = (of_all[0], of_all[1])
        return people

    def of(self, profiles: Profiles) -> "RowCounts":
        """Return counts of the same population for other profiles, or these counts if the profiles are the same."""
        if np.array_equal(profiles.codes, self._codes):
            return self
        return RowCounts(self._counting, profiles, self._hierarchy_tables, self._most, self._places)
