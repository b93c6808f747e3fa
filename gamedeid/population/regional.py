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
from gamedeid.population.cubes import Cubes, fill_cubes, nothing_counted

MOST_PLACES = 2**30
"""Most numbers that the roll-ups of one region, or those of everybody, may hold together; touched as asked for."""


class RegionalCounts:
    """Counts of a population of which no two regions share a group of one attribute at a level.

    Strategies that tell this attribute at that level or finer need only people of a profile's own region, and are
    counted anew in each. The coarser ones need everybody, as told one level coarser, and are counted once.

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
        self.hierarchy_tables = self._national = hierarchy_tables
        self._attribute, self._level, self._least = attribute, level, least
        self._near: BoolArray = hierarchy_tables.levels[:, attribute] <= level
        self._leaves = [
            (0, len(hierarchy.leaves) + int(gone))
            for hierarchy, gone in zip(hierarchies.values(), missing, strict=True)
        ]
        self._finest = np.zeros(lattice.attributes, np.int64)
        self._finest[attribute] = level + 1
        self._base = int(lattice.strides[attribute]) * (level + 1)
        self._far = _fitting(Cubes.of(hierarchy_tables, self._leaves, self._finest, ~self._near), "everybody")
        self._everybody = np.zeros(int(self._far.sizes[self._base]), np.int32)
        self._people = self._room = 0
        self._here = self._far
        self.tables = self._nothing_counted(0)

    def add(self, cells: Cells) -> None:
        """Count the people of a region among everybody; once for each region, before any is entered."""
        self._people += int(cells.people.sum())
        if self._people >= 2**31 and self._everybody.dtype == np.int32:
            self._everybody = self._everybody.astype(np.int64)
        _, here = self._region(cells.codes)
        self._room = max(self._room, here.total)
        groups = np.array([self._national.groups[place, level] for place, level in enumerate(self._finest)])
        _add(cells, groups, self._far.widths[np.arange(len(groups)), self._finest], self._everybody)

    def enter(self, cells: Cells) -> None:
        """Turn to a region, whose people are counted anew."""
        if not len(self.tables.cells):  # the first of them
            self.tables = self._nothing_counted(self._far.total + self._room)
            place = int(self._far.places[self._base])
            self.tables.cells[place : place + len(self._everybody)] = self._everybody
            self.tables.offsets[self._base] = place
            self._everybody = np.empty(0, np.int32)
        self.hierarchy_tables, self._here = self._region(cells.codes)
        self.tables.offsets[self._near] = -1
        self.tables.steps[self._near] = self._here.steps[self._near]
        start = self._far.total
        base = self.tables.cells[start : start + int(self._here.sizes[0])]
        base[:] = 0
        _add(cells, self.hierarchy_tables.groups[:, 0], self._here.widths[:, 0], base)
        self.tables.offsets[0] = start

    def count(self, nodes: IntArray) -> None:
        """Roll up the nodes, and the finer ones on the way to them, that are not there yet."""
        near = self._near[nodes]
        fill_cubes(self.tables, self._here, self.hierarchy_tables, nodes[near], start=self._far.total)
        fill_cubes(self.tables, self._far, self.hierarchy_tables, nodes[~near])

    def people(self, profiles: Profiles, chosen: IntArray, nodes: IntArray) -> IntArray:
        """Return n_p, (k,) int64, of profiles ``chosen`` (k,) of the region at ``nodes`` (k,)."""
        return look_up(self, self.hierarchy_tables, profiles, chosen, nodes)

    def of(self, profiles: Profiles) -> "RegionalCounts":  # noqa: ARG002  (as the contract has it)
        """Return the same counts: they answer for everybody in the region."""
        return self

    def _nothing_counted(self, places: int) -> CountTables:
        return nothing_counted(np.empty(places, self._everybody.dtype), self._far.steps.copy(), self._least)

    def _region(self, codes: IntArray) -> tuple[HierarchyTables, Cubes]:
        """Return the tables of the region in which these codes, (c, a), lie: its groups are numbered from 0."""
        own = codes[:, self._attribute]
        leaves, groups = list(self._leaves), self._national.groups.copy()
        shared = groups[self._attribute, self._level, : leaves[self._attribute][1]]
        first = int(np.searchsorted(shared, shared[own.min()]))
        leaves[self._attribute] = (first, int(np.searchsorted(shared, shared[own.max()], side="right")))
        fine = groups[self._attribute, : self._level + 1]
        fine -= fine[:, first, None].copy()
        hierarchy_tables = self._national._replace(groups=groups)
        cubes = Cubes.of(hierarchy_tables, leaves, np.zeros(len(leaves), np.int64), self._near)
        return hierarchy_tables, _fitting(cubes, "a region")


def _add(cells: Cells, groups: IntArray, widths: IntArray, cube: IntArray) -> None:
    """Add the people of cells to a cube of these widths, (a,), by the groups, (a, l), of their leaves."""
    for start in range(0, len(cells.people), ARRAY_ROWS):
        some = slice(start, start + ARRAY_ROWS)
        codes = np.stack([table[column] for table, column in zip(groups, cells.codes[some].T, strict=True)], axis=1)
        codes.setflags(write=False)
        people = cells.people[some].astype(np.int64)
        people.setflags(write=False)
        rollups.add_people(codes, people, widths, cube)


def _fitting(cubes: Cubes, whose: str) -> Cubes:
    if cubes.total > MOST_PLACES:
        raise InvalidScenarioError(
            f"the counts of {whose} would need {cubes.total:,} places, more than the {MOST_PLACES:,} there may be; "
            "take regions by a finer level, or hierarchies with fewer values"
        )
    return cubes
