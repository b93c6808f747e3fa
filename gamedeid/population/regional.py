"""How many people match where the population comes region by region: n_p(g) from one region's people or from all."""

from collections.abc import Mapping
from threading import Lock

import numpy as np

from gamedeid.arrays import BoolArray, IntArray
from gamedeid.capabilities import Operation, check
from gamedeid.data.profiles import PopulationCells
from gamedeid.errors import InvalidScenarioError
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.lattice import Lattice
from gamedeid.kernels.tables import CountTables, HierarchyTables
from gamedeid.population.cubes import CubeCounts, Cubes, add_people, empty_cubes, fill_cubes

MOST_PLACES = 2**30
"""Most numbers that the roll-ups of one region, or those of everybody, may hold together; touched as asked for."""


class RegionalCounts:
    """Counts of a population of which no two regions share a group of one attribute at a level.

    *Regional* strategies have this attribute at that level or a finer one: they need only the people of a profile's own
    region, and are counted anew in each. *Shared* strategies are coarser: they need the people of all regions, from one
    level above on, and are counted once.

    Parameters
    ----------
    attribute : place of the attribute that regions differ in.
    level : at which no two of them share a group; below its top one.
    missing : (a,) whether anybody's value is missing; never that of the attribute itself.
    workers : how many regions may be asked about at the same time.
    """

    def __init__(
        self,
        hierarchies: Mapping[str, Hierarchy],
        lattice: Lattice,
        hierarchy_tables: HierarchyTables,
        *,
        attribute: int,
        level: int,
        missing: BoolArray,
        least: int = 0,
        workers: int = 1,
    ) -> None:
        check(Operation.BY_REGIONS, lattice.features)
        self._hierarchy_tables = hierarchy_tables
        self._attribute, self._level, self._least, self._workers = attribute, level, least, workers
        self._regional: BoolArray = hierarchy_tables.levels[:, attribute] <= level
        self._leaves = [
            (0, len(hierarchy.leaves) + int(gone))
            for hierarchy, gone in zip(hierarchies.values(), missing, strict=True)
        ]
        self._finest = np.zeros(lattice.attributes, np.int64)
        self._finest[attribute] = level + 1
        self._shared_base = int(lattice.strides[attribute]) * (level + 1)
        self._shared_cubes = _check_size(
            Cubes.of(hierarchy_tables, self._leaves, self._finest, ~self._regional), "everybody"
        )
        self._people_at_base = np.zeros(int(self._shared_cubes.sizes[self._shared_base]), np.int32)
        self._people = self._most_regional = 0
        self._tables: CountTables | None = None
        self._counting = Lock()

    def add_region(self, cells: PopulationCells) -> None:
        """Add the people of a region to the shared counts; once for each region, before :meth:`region`."""
        self._people += int(cells.people.sum())
        if self._people >= 2**31 and self._people_at_base.dtype == np.int32:
            self._people_at_base = self._people_at_base.astype(np.int64)
        _, regional_cubes = self._region(cells.codes)
        self._most_regional = max(self._most_regional, regional_cubes.total)
        groups = np.array([self._hierarchy_tables.groups[place, level] for place, level in enumerate(self._finest)])
        widths = self._shared_cubes.widths[np.arange(len(groups)), self._finest]
        add_people(cells, widths, self._people_at_base, groups)

    def region(self, cells: PopulationCells, worker: int = 0) -> CubeCounts:
        """Return the counts of a region, whose people were added; those that this worker had before are gone.

        Parameters
        ----------
        worker : from 0 to ``workers`` - 1, who alone asks about it.
        """
        with self._counting:
            tables = self._all_regions_added()
        hierarchy_tables, cubes = self._region(cells.codes)
        own = tables._replace(
            offsets=tables.offsets.copy(), steps=np.where(self._regional[:, None], cubes.steps, tables.steps)
        )
        own.offsets[self._regional] = -1
        start = self._shared_cubes.total + worker * self._most_regional
        base = own.cells[start : start + int(cubes.sizes[0])]
        base[:] = 0
        add_people(cells, cubes.widths[:, 0], base, hierarchy_tables.groups[:, 0])
        own.offsets[0] = start
        return CubeCounts(
            tables=own,
            hierarchy_tables=hierarchy_tables,
            cubes=cubes,
            start=start,
            count_shared=self._count_shared,
        )

    def _all_regions_added(self) -> CountTables:
        """Return the tables with the people of all regions; the memory of roll-ups is touched as they are asked for."""
        if self._tables is None:
            places = self._shared_cubes.total + self._workers * self._most_regional
            cells = np.empty(places, self._people_at_base.dtype)
            self._tables = empty_cubes(cells, self._shared_cubes.steps.copy(), self._least)
            place = int(self._shared_cubes.places[self._shared_base])
            cells[place : place + len(self._people_at_base)] = self._people_at_base
            self._tables.offsets[self._shared_base] = place
            self._people_at_base = np.empty(0, np.int32)
        return self._tables

    def _count_shared(self, nodes: IntArray) -> IntArray:
        """Roll up shared strategies that are not there yet, for all workers, and return the offsets of all."""
        with self._counting:
            tables = self._all_regions_added()
            fill_cubes(tables, self._shared_cubes, self._hierarchy_tables, nodes)
            return tables.offsets.copy()

    def _region(self, codes: IntArray) -> tuple[HierarchyTables, Cubes]:
        """Return the tables of the region in which these codes, (c, a), lie: its groups are numbered from 0."""
        own = codes[:, self._attribute]
        leaves, groups = list(self._leaves), self._hierarchy_tables.groups.copy()
        shared = groups[self._attribute, self._level, : leaves[self._attribute][1]]
        first = int(np.searchsorted(shared, shared[own.min()]))
        leaves[self._attribute] = (first, int(np.searchsorted(shared, shared[own.max()], side="right")))
        fine = groups[self._attribute, : self._level + 1]
        fine -= fine[:, first, None].copy()
        hierarchy_tables = self._hierarchy_tables._replace(groups=groups)
        cubes = Cubes.of(hierarchy_tables, leaves, np.zeros(len(leaves), np.int64), self._regional)
        return hierarchy_tables, _check_size(cubes, "a region")


def _check_size(cubes: Cubes, whose: str) -> Cubes:
    """Return the cubes if they hold no more numbers than ``MOST_PLACES``."""
    if cubes.total > MOST_PLACES:
        raise InvalidScenarioError(
            f"the counts of {whose} would need {cubes.total:,} places, more than the {MOST_PLACES:,} there may be; "
            "take regions by a finer level, or hierarchies with fewer values"
        )
    return cubes
