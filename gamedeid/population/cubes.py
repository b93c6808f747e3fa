"""Roll-ups as cubes: a dense block of counts per strategy, of a whole population or of one that is read by regions."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import field
from functools import cached_property, partial
from threading import Lock, RLock
from typing import Any, ClassVar

import numpy as np

from gamedeid.arrays import ARRAY_ROWS, BoolArray, IntArray
from gamedeid.capabilities import Operation, refuse_unsupported
from gamedeid.data.profiles import PopulationCells, Profiles
from gamedeid.errors import InvalidScenarioError
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.lattice import Lattice
from gamedeid.kernels import rollups
from gamedeid.kernels.tables import CountTables, HierarchyTables
from gamedeid.parallel import LEAST_ITEMS, run_in_slices
from gamedeid.population.contract import distinct_nodes, look_up_people
from gamedeid.reprs import frozen

NO_CUBE = 2**62
"""Size of a roll-up that does not exist, so that no other is made from it."""


@frozen(eq=False, slots=False)
class Cubes:
    """Roll-ups of some strategies: the place of each, and the starts of groups among the finer ones.

    Parameters
    ----------
    sizes : (n,) int64, numbers in the roll-up of each strategy; ``NO_CUBE`` for those that are not among these.
    steps : (n, a) int64, distance of neighbouring groups.
    widths : (a, h) int64, groups at each level.
    starts : (attribute, level) -> where each group starts among those one level finer, their number at the end.
    """

    sizes: IntArray
    steps: IntArray
    widths: IntArray
    starts: Mapping[tuple[int, int], IntArray]

    @classmethod
    def of(
        cls, hierarchy_tables: HierarchyTables, leaves: Sequence[tuple[int, int]], finest: IntArray, among: BoolArray
    ) -> "Cubes":
        """Return the roll-ups of the strategies ``among``, (n,), of people with leaves in [first, last) of attributes.

        Parameters
        ----------
        hierarchy_tables : their groups, from 0 within these leaves at the levels that count.
        finest : (a,) the finest level of each attribute among these strategies.
        """
        widths = np.ones(hierarchy_tables.groups.shape[:2], np.int64)
        starts = {}
        for attribute, (first, last) in enumerate(leaves):
            table = hierarchy_tables.groups[attribute, :, first:last]
            least = int(finest[attribute])
            for level in range(least, int(hierarchy_tables.heights[attribute])):
                widths[attribute, level] = int(table[level].max()) + 1
                if level > least:
                    firsts = np.flatnonzero(np.diff(table[level - 1], prepend=-1))
                    begins = np.flatnonzero(np.diff(table[level][firsts], prepend=-1))
                    starts[attribute, level] = np.append(begins, len(firsts)).astype(np.int64)
        shapes = widths[np.arange(len(leaves)), hierarchy_tables.levels]
        spans = np.cumprod(shapes[:, ::-1], axis=1)[:, ::-1]
        return cls(sizes=np.where(among, spans[:, 0], NO_CUBE), steps=spans // shapes, widths=widths, starts=starts)

    @property
    def total(self) -> int:
        """Numbers in all roll-ups together."""
        return int(self.sizes[self.sizes < NO_CUBE].sum())

    @cached_property
    def places(self) -> IntArray:
        """The first place of each roll-up when they are stored one after another, (n,) int64."""
        sizes = np.where(self.sizes < NO_CUBE, self.sizes, 0)
        return np.cumsum(sizes) - sizes


def empty_cubes(cells: IntArray, steps: IntArray, least: int) -> CountTables:
    """Return the tables of cubes, none of them filled.

    Parameters
    ----------
    cells : (total,) int32 or int64, memory of the cubes.
    steps : (n, a) int64, distance of neighbouring groups.
    """
    return CountTables(
        dense=True,
        cells=cells,
        offsets=np.full(len(steps), -1, np.int64),
        steps=steps,
        rows=np.empty((0, 0), np.uint16),  # as rows of small numbers: one compiled form for both
        least=least,
    )


def fill_cubes(
    tables: CountTables, cubes: Cubes, hierarchy_tables: HierarchyTables, nodes: IntArray, *, start: int = 0
) -> None:
    """Roll up nodes, (k,), and the finer ones from which they are made, if not rolled up yet."""

    def cube(node: int) -> IntArray:
        place = start + cubes.places[node]
        return tables.cells[place : place + cubes.sizes[node]]

    for finer, coarser, attribute in rollups.roll_up_steps(nodes, tables.offsets, hierarchy_tables, cubes.sizes):
        level = int(hierarchy_tables.levels[coarser, attribute])
        runs, inner = int(cubes.widths[attribute, level]), int(cubes.steps[coarser, attribute])
        counts, sums = cube(finer), cube(coarser)
        roll_up = partial(rollups.roll_up, counts, cubes.starts[attribute, level], runs, inner, sums)
        run_in_slices(roll_up, len(sums) // inner, least=1 + LEAST_ITEMS * len(sums) // (inner * len(counts)))
        tables.offsets[coarser] = start + cubes.places[coarser]


@frozen(eq=False)
class CubeCounts:
    """One cube of counts per strategy, of a whole population, or of one region and the groups that regions share.

    Parameters
    ----------
    hierarchy_tables : in which the groups of these people are numbered from 0.
    count_shared : counts all other strategies and returns their offsets, among those of all; None if there are none.
    """

    scanned: ClassVar[None] = None

    tables: CountTables
    hierarchy_tables: HierarchyTables
    cubes: Cubes
    start: int = 0
    count_shared: Callable[[IntArray], IntArray] | None = None
    _counting: AbstractContextManager[Any] = field(init=False, repr=False, default_factory=RLock)

    def count(self, nodes: IntArray) -> None:
        """Roll up the nodes, and the finer ones from which they are made, if not rolled up yet."""
        has_cube, offsets = self.cubes.sizes < NO_CUBE, self.tables.offsets
        fill_cubes(self.tables, self.cubes, self.hierarchy_tables, nodes[has_cube[nodes]], start=self.start)
        shared = nodes[~has_cube[nodes]]
        if self.count_shared is not None and (offsets[shared] < 0).any():
            offsets[~has_cube] = self.count_shared(shared)[~has_cube]

    def people(self, profiles: Profiles, chosen: IntArray, nodes: IntArray) -> IntArray:
        """Return n_p, (k,) int64, of profiles ``chosen`` (k,) at ``nodes`` (k,)."""
        return self._count_people(self.tables, profiles, chosen, nodes)

    def matching(self, profiles: Profiles, nodes: IntArray) -> IntArray:
        """Return how many people match each profile at its node, (q,) int64.

        It may be 0, whatever the least of the other counts.
        """
        return self._count_people(self.tables._replace(least=0), profiles, np.arange(profiles.count), nodes)

    def _count_people(self, tables: CountTables, profiles: Profiles, chosen: IntArray, nodes: IntArray) -> IntArray:
        with self._counting:
            self.count(distinct_nodes(nodes, len(tables.offsets)))
        return look_up_people(tables, self.hierarchy_tables, profiles, chosen, nodes)

    def of(self, profiles: Profiles) -> "CubeCounts":  # noqa: ARG002  (as the contract has it)
        """Return the same counts: cubes count all people."""
        return self


def cubes_of_population(hierarchy_tables: HierarchyTables, leaves: IntArray) -> Cubes:
    """Return the roll-ups of all strategies of a whole population.

    ``leaves``, (a,), is the number of leaf codes of each attribute in use, with that of missing values if there are
    any.
    """
    finest, all_strategies = np.zeros(len(leaves), np.int64), np.ones(len(hierarchy_tables.levels), np.bool_)
    return Cubes.of(hierarchy_tables, [(0, last) for last in leaves.tolist()], finest, all_strategies)


def counts_in_cubes(cells: PopulationCells, hierarchy_tables: HierarchyTables, cubes: Cubes, least: int) -> CubeCounts:
    """Return the counts of a whole population, with only its most specific cube filled."""
    counts = np.empty(cubes.total, people_type(cells))
    tables = empty_cubes(counts, cubes.steps, least)
    base = counts[: cubes.sizes[0]]
    base[:] = 0
    add_people(cells, cubes.widths[:, 0], base)
    tables.offsets[0] = 0
    return CubeCounts(tables=tables, hierarchy_tables=hierarchy_tables, cubes=cubes)


def add_people(cells: PopulationCells, widths: IntArray, cube: IntArray, groups: IntArray | None = None) -> None:
    """Add people to a cube of these widths, (a,), by their leaf codes, or by the ``groups`` of these, (a, l)."""
    widths = np.ascontiguousarray(widths)  # one compiled form for all, as below
    for start in range(0, len(cells.people), ARRAY_ROWS):
        some = slice(start, start + ARRAY_ROWS)
        codes, people = cells.codes[some], cells.people[some].astype(np.int64, copy=False)
        if groups is not None:
            codes = np.stack([table[column] for table, column in zip(groups, codes.T, strict=True)], axis=1)
        for array in (codes, people):
            array.setflags(write=False)
        rollups.add_people(codes, people, widths, cube)


def people_type(cells: PopulationCells) -> np.dtype[np.integer[Any]]:
    """Return the smallest type that holds the number of all people."""
    return np.dtype(np.int32 if cells.people.sum() < 2**31 else np.int64)


MOST_PLACES = 2**30
"""Most numbers in all roll-ups of one region, or of all people; memory is used only as strategies are counted."""


class RegionalCounts:
    """Counts of a population whose regions share no group of one attribute at a level.

    *Regional* strategies have this attribute at that level or a finer one: they need only the people of the profile's
    region, and are counted in each region. *Shared* strategies are coarser: they need the people of all regions, and
    are counted once.

    Parameters
    ----------
    attribute : place of the attribute by which regions differ.
    level : its level at which no two regions share a group; below its top level.
    missing : (a,) whether any person's value is missing; never that of this attribute.
    workers : how many regions may be looked up at the same time.
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
        refuse_unsupported(Operation.BY_REGIONS, lattice.features)
        self._hierarchy_tables = hierarchy_tables
        self._attribute, self._level, self._least, self._workers = attribute, level, least, workers
        self._regional: BoolArray = hierarchy_tables.levels[:, attribute] <= level
        self._leaves = [
            (0, len(hierarchy.leaves) + int(has_missing))
            for hierarchy, has_missing in zip(hierarchies.values(), missing, strict=True)
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

    def region(self, cells: PopulationCells, worker: int) -> CubeCounts:
        """Return the counts of an added region for a worker, from 0 to ``workers`` - 1, and end its former ones."""
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
        """Return the tables with the people of all regions; the memory of a roll-up is used when it is counted."""
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
        """Roll up shared strategies for all workers, if not rolled up yet, and return the offsets of all."""
        with self._counting:
            tables = self._all_regions_added()
            fill_cubes(tables, self._shared_cubes, self._hierarchy_tables, nodes)
            return tables.offsets.copy()

    def _region(self, codes: IntArray) -> tuple[HierarchyTables, Cubes]:
        """Return the tables of the region with these codes, (c, a): its groups are numbered from 0."""
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


def _check_size(cubes: Cubes, table_name: str) -> Cubes:
    """Return the cubes if they hold no more numbers than ``MOST_PLACES``."""
    if cubes.total > MOST_PLACES:
        raise InvalidScenarioError(
            f"the counts of {table_name} would need {cubes.total:,} places, more than the {MOST_PLACES:,} there may "
            "be; take regions by a finer level, or hierarchies with fewer values"
        )
    return cubes
