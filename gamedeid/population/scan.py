"""Counts made by a scan of the population for each question: for lattices with too many strategies to store."""

from functools import lru_cache

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.data.profiles import PopulationCells, Profiles
from gamedeid.grouping import distinct_rows, sums_by
from gamedeid.kernels import scan
from gamedeid.kernels.tables import HierarchyTables, ScannedPopulation
from gamedeid.parallel import run_in_slices
from gamedeid.population.rows import sparse_counting

COUNTED_ONCE_FROM = 256
"""A strategy that at least this many profiles look up is counted once for all of them."""

SLICE = 64
"""Profiles, or pairs, that one worker takes at a time."""


class ScannedCounts:
    """Counts that are not stored: the distinct cells of the population are scanned for each question."""

    def __init__(self, cells: PopulationCells, hierarchy_tables: HierarchyTables, least: int) -> None:
        first, of_cell, _ = distinct_rows(cells.codes)
        people = sums_by(of_cell, cells.people, len(first))
        used = [np.unique(column, return_inverse=True) for column in cells.codes[first].T]
        groups = np.zeros((*hierarchy_tables.groups.shape[:2], max(len(leaves) for leaves, _ in used)), np.int32)
        for attribute, (leaves, _) in enumerate(used):
            groups[attribute, :, : len(leaves)] = hierarchy_tables.groups[attribute][:, leaves]
        self.scanned = ScannedPopulation(
            codes=np.stack([codes.reshape(-1) for _, codes in used], axis=1).astype(np.int32),
            people=people,
            used=np.array([len(leaves) for leaves, _ in used], np.int64),
            groups=groups,
            least=least,
        )
        self._hierarchy_tables = hierarchy_tables
        self._by_class = lru_cache(maxsize=1)(sparse_counting(cells.codes[first], people, hierarchy_tables, least))

    def people(self, profiles: Profiles, chosen: IntArray, nodes: IntArray) -> IntArray:
        """Return n_p, (k,) int64, of profiles ``chosen`` (k,) at ``nodes`` (k,)."""
        people = np.empty(len(chosen), np.int64)
        common, place_of, times = np.unique(nodes, return_inverse=True, return_counts=True)
        for place in np.flatnonzero(times >= COUNTED_ONCE_FROM):
            pairs = np.flatnonzero(place_of == place)
            people[pairs] = self._by_class(profiles)(common[place : place + 1])[0][chosen[pairs]]
        few = np.flatnonzero(times[place_of] < COUNTED_ONCE_FROM)
        found = np.empty(len(few), np.int64)
        profile_of, node_of = np.asarray(chosen, np.int64)[few], np.asarray(nodes, np.int64)[few]

        def count(first: int, last: int) -> None:
            part = slice(first, last)
            scan.people_of_pairs(
                self.scanned, self._hierarchy_tables, profiles.codes, profile_of[part], node_of[part], found[part]
            )

        run_in_slices(count, len(few), least=SLICE, most=SLICE)
        people[few] = found
        return people

    def of(self, profiles: Profiles) -> "ScannedCounts":  # noqa: ARG002  (as the contract of counts has it)
        """Return the same counts: they count all people."""
        return self
