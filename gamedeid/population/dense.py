"""Counts as one cube per strategy: for small domains, and for large ones that are well filled."""

from typing import Any

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.blocks import ARRAY_ROWS
from gamedeid.data.profiles import Cells, Profiles
from gamedeid.kernels import rollups
from gamedeid.kernels.tables import HierarchyTables
from gamedeid.population.contract import look_up
from gamedeid.population.cubes import Cubes, empty_cubes, fill_cubes


class DenseCounts:
    """One cube of counts per strategy; each is summed from the smallest cube that is one step finer.

    Parameters
    ----------
    cells : the population.
    hierarchy_tables : the hierarchies' tables.
    leaves : (a,) leaf codes of each attribute in use, that of missing values included where there are any.
    least : no count is below this.
    """

    scanned = None

    def __init__(self, cells: Cells, hierarchy_tables: HierarchyTables, leaves: IntArray, least: int) -> None:
        self._hierarchy_tables = hierarchy_tables
        finest, everywhere = np.zeros(len(leaves), np.int64), np.ones(len(hierarchy_tables.levels), np.bool_)
        self._cubes = Cubes.of(hierarchy_tables, [(0, int(last)) for last in leaves], finest, everywhere)
        counts = np.empty(self._cubes.total, people_type(cells))
        self.tables = empty_cubes(counts, self._cubes.steps, least)
        base = counts[: self._cubes.sizes[0]]
        base[:] = 0
        for start in range(0, len(cells.people), ARRAY_ROWS):
            some = slice(start, start + ARRAY_ROWS)
            people = cells.people[some].astype(np.int64, copy=False)
            rollups.add_people(cells.codes[some], people, self._cubes.widths[:, 0].copy(), base)
        self.tables.offsets[0] = 0

    def count(self, nodes: IntArray) -> None:
        """Roll up the nodes, and the finer ones on the way to them, that are not there yet."""
        fill_cubes(self.tables, self._cubes, self._hierarchy_tables, nodes)

    def people(self, profiles: Profiles, chosen: IntArray, nodes: IntArray) -> IntArray:
        """Return n_p, (k,) int64, of profiles ``chosen`` (k,) at ``nodes`` (k,)."""
        return look_up(self, self._hierarchy_tables, profiles, chosen, nodes)

    def of(self, profiles: Profiles) -> "DenseCounts":  # noqa: ARG002  (as the contract has it)
        """Return the same counts: cubes answer for everybody."""
        return self


def people_type(cells: Cells) -> np.dtype[np.integer[Any]]:
    """Return the smallest type that holds the number of all people."""
    return np.dtype(np.int32 if cells.people.sum() < 2**31 else np.int64)
