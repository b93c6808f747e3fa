"""Counts as one row of numbers per strategy, a number for each profile: for sparse and for estimated counts."""

from typing import Protocol

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.data.profiles import Profiles
from gamedeid.kernels.tables import CountTables, HierarchyTables
from gamedeid.population.contract import look_up

FIRST_ROWS = 4
"""Strategies for which there is room at first; the room is doubled whenever it is used up."""


class StrategyCounter(Protocol):
    """Counts, or estimates, the people of one strategy at a time for all profiles that it was made for."""

    def people_at(self, node: int) -> IntArray:
        """Return n_p, (q,) int64, of every profile at one node."""
        ...

    def of(self, profiles: Profiles) -> "StrategyCounter":
        """Return the same for other profiles."""
        ...


class RowCounts:
    """Counts of those profiles only that they are made for, made when a strategy is first asked for.

    Parameters
    ----------
    counter : counts one strategy for all profiles.
    profiles : (q) who will be looked up.
    hierarchy_tables : the hierarchies' tables.
    places : how many nodes there are; as many as strategies unless given.
    """

    scanned = None

    def __init__(
        self,
        counter: StrategyCounter,
        profiles: Profiles,
        hierarchy_tables: HierarchyTables,
        places: int | None = None,
    ) -> None:
        self._counter = counter
        self._hierarchy_tables = hierarchy_tables
        self._offsets = np.full(len(hierarchy_tables.levels) if places is None else places, -1, np.int64)
        self._rows = np.empty((FIRST_ROWS, profiles.count), np.int64)
        self._used = 0

    @property
    def tables(self) -> CountTables:
        """What the inner loops read."""
        return CountTables(
            dense=False,
            cells=np.empty(0, np.int64),
            offsets=self._offsets,
            steps=np.empty((0, 0), np.int64),
            rows=self._rows,
            least=0,
        )

    def count(self, nodes: IntArray) -> None:
        """Count the people of nodes, (k,), that are not there yet."""
        for node in nodes[self._offsets[nodes] < 0].tolist():
            if self._used == len(self._rows):
                self._rows = np.concatenate([self._rows, np.empty_like(self._rows)])
            self._rows[self._used] = self._counter.people_at(node)
            self._offsets[node] = self._used
            self._used += 1

    def people(self, profiles: Profiles, chosen: IntArray, nodes: IntArray) -> IntArray:
        """Return n_p, (k,) int64, of profiles ``chosen`` (k,) at ``nodes`` (k,)."""
        return look_up(self, self._hierarchy_tables, profiles, chosen, nodes)

    def of(self, profiles: Profiles) -> "RowCounts":
        """Return counts of the same population for other profiles: nothing is counted for them yet."""
        return RowCounts(self._counter.of(profiles), profiles, self._hierarchy_tables, len(self._offsets))
