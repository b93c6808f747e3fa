"""How many people match where the population comes region by region: n_p(g) from one region's people or from all."""

from collections.abc import Mapping

import numpy as np

from gamedeid.arrays import BoolArray, IntArray
from gamedeid.blocks import ARRAY_ROWS
from gamedeid.data.profiles import Cells, Profiles
from gamedeid.errors import InvalidScenarioError
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.lattice import Lattice
from gamedeid.kernels import rollups
from gamedeid.kernels.tables import CountTables, HierarchyTables
from gamedeid.population.contract import look_up
from gamedeid.population.cubes import Cubes, empty_cubes, fill_cubes

MOST_PLACES = 2**30
"""Most numbers that the roll-ups of one region, or those of everybody, may hold together; touched as asked for."""


class RegionalCounts:
    """Counts of a population of which no two regions share a group of one attribute at a level.

    *Regional* strategies have this attribute at that level or a finer one: they need only the people of a profile's own
    region, and are counted anew in each. *Shared* strategies are coarser: they need the people of all regions, from one
    level above on, and are counted once.

    Parameters
    ----------
    hierarchies, lattice, hierarchy_tables : the strategies and their tables.
    attribute : place of the attribute that regions differ in.
    level : at which no two of them share a group; below its top one.
    missing : (a,) whether anybody's value is missing; never that of the attribute itself.
    least : no count is below this.
    """

    scanned = None

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
    ) -> None:
        self.hierarchy_tables = self._all_tables = hierarchy_tables
        self._attribute, self._level, self._least = attribute, level, least
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
        self._regional_cubes = self._shared_cubes
        self.tables = self._empty_tables(0)

    def add_region(self, cells: Cells) -> None:
        """Add the people of a region to the shared counts; once for each region, before :meth:`select_region`."""
        self._people += int(cells.people.sum())
        if self._people >= 2**31 and self._people_at_base.dtype == np.int32:
            self._people_at_base = self._people_at_base.astype(np.int64)
        _, regional_cubes = self._region(cells.codes)
        self._most_regional = max(self._most_regional, regional_cubes.total)
        groups = np.array([self._all_tables.groups[place, level] for place, level in enumerate(self._finest)])
        _add_people(
            cells, groups, self._shared_cubes.widths[np.arange(len(groups)), self._finest], self._people_at_base
        )

    def select_region(self, cells: Cells) -> None:
        """Make a region the one whose profiles are looked up; its own people are counted anew."""
        if not len(self.tables.cells):  # the first of them
            self.tables = self._empty_tables(self._shared_cubes.total + self._most_regional)
            place = int(self._shared_cubes.places[self._shared_base])
            self.tables.cells[place : place + len(self._people_at_base)] = self._people_at_base
            self.tables.offsets[self._shared_base] = place
            self._people_at_base = np.empty(0, np.int32)
        self.hierarchy_tables, self._regional_cubes = self._region(cells.codes)
        self.tables.offsets[self._regional] = -1
        self.tables.steps[self._regional] = self._regional_cubes.steps[self._regional]
        start = self._shared_cubes.total
        base = self.tables.cells[start : start + int(self._regional_cubes.sizes[0])]
        base[:] = 0
        _add_people(cells, self.hierarchy_tables.groups[:, 0], self._regional_cubes.widths[:, 0], base)
        self.tables.offsets[0] = start

    def count(self, nodes: IntArray) -> None:
        """Roll up the nodes, and the finer ones on the way to them, that are not there yet."""
        regional = self._regional[nodes]
        fill_cubes(
            self.tables, self._regional_cubes, self.hierarchy_tables, nodes[regional], start=self._shared_cubes.total
        )
        fill_cubes(self.tables, self._shared_cubes, self.hierarchy_tables, nodes[~regional])

    def people(self, profiles: Profiles, chosen: IntArray, nodes: IntArray) -> IntArray:
        """Return n_p, (k,) int64, of profiles ``chosen`` (k,) of the region at ``nodes`` (k,)."""
        return look_up(self, self.hierarchy_tables, profiles, chosen, nodes)

    def of(self, profiles: Profiles) -> "RegionalCounts":  # noqa: ARG002  (as the contract has it)
        """Return the same counts: they answer for everybody in the region."""
        return self

    def _empty_tables(self, places: int) -> CountTables:
        return empty_cubes(np.empty(places, self._people_at_base.dtype), self._shared_cubes.steps.copy(), self._least)

    def _region(self, codes: IntArray) -> tuple[HierarchyTables, Cubes]:
        """Return the tables of the region in which these codes, (c, a), lie: its groups are numbered from 0."""
        own = codes[:, self._attribute]
        leaves, groups = list(self._leaves), self._all_tables.groups.copy()
        shared = groups[self._attribute, self._level, : leaves[self._attribute][1]]
        first = int(np.searchsorted(shared, shared[own.min()]))
        leaves[self._attribute] = (first, int(np.searchsorted(shared, shared[own.max()], side="right")))
        fine = groups[self._attribute, : self._level + 1]
        fine -= fine[:, first, None].copy()
        hierarchy_tables = self._all_tables._replace(groups=groups)
        cubes = Cubes.of(hierarchy_tables, leaves, np.zeros(len(leaves), np.int64), self._regional)
        return hierarchy_tables, _check_size(cubes, "a region")


def _add_people(cells: Cells, groups: IntArray, widths: IntArray, cube: IntArray) -> None:
    """Add the people of cells to a cube of these widths, (a,), by the groups, (a, l), of their leaves."""
    for start in range(0, len(cells.people), ARRAY_ROWS):
        some = slice(start, start + ARRAY_ROWS)
        codes = np.stack([table[column] for table, column in zip(groups, cells.codes[some].T, strict=True)], axis=1)
        codes.setflags(write=False)
        people = cells.people[some].astype(np.int64)
        people.setflags(write=False)
        rollups.add_people(codes, people, widths, cube)


def _check_size(cubes: Cubes, whose: str) -> Cubes:
    """Return the cubes if they hold no more numbers than ``MOST_PLACES``.

    Raises
    ------
    InvalidScenarioError : they hold more.
    """
    if cubes.total > MOST_PLACES:
        raise InvalidScenarioError(
            f"the counts of {whose} would need {cubes.total:,} places, more than the {MOST_PLACES:,} there may be; "
            "take regions by a finer level, or hierarchies with fewer values"
        )
    return cubes
