"""How many people match where the population comes region by region: n_p(g) from one region's people or from all."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from gamedeid.arrays import BoolArray, IntArray
from gamedeid.blocks import ARRAY_ROWS
from gamedeid.data.profiles import Cells, Profiles
from gamedeid.errors import InvalidScenarioError
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.lattice import Lattice
from gamedeid.kernels import solving as kernels
from gamedeid.kernels.solving import Ladders, Tables
from gamedeid.parallel import LEAST, in_slices
from gamedeid.population.contract import look_up
from gamedeid.reprs import short_repr

FAR = 2**62
"""Stands for the size of a roll-up that none may be made from."""

MOST_PLACES = 2**30
"""Most numbers that the roll-ups of one region, or those of everybody, may hold together; touched as asked for."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Cubes:
    """Roll-ups of some strategies: where each stands, and where groups start among the finer ones.

    Parameters
    ----------
    sizes : (n,) int64, numbers in the roll-up of each strategy; ``FAR`` for those that are not among these.
    steps : (n, a) int64, how far apart neighbouring groups stand.
    widths : (a, h) int64, groups at each level.
    starts : (attribute, level) -> where each group starts among those one level finer, their number at the end.
    """

    sizes: IntArray
    steps: IntArray
    widths: IntArray
    starts: Mapping[tuple[int, int], IntArray]

    __repr__ = short_repr

    @classmethod
    def of(cls, ladders: Ladders, leaves: list[tuple[int, int]], finest: IntArray, among: BoolArray) -> "Cubes":
        """Return the roll-ups of the strategies ``among``, (n,), of people with leaves in [first, last) of attributes.

        Parameters
        ----------
        ladders : their groups, from 0 within these leaves at the levels that count.
        leaves : of each attribute.
        finest : (a,) the finest level of each attribute among these strategies.
        """
        widths = np.ones(ladders.groups.shape[:2], np.int64)
        starts = {}
        for attribute, (first, last) in enumerate(leaves):
            table = ladders.groups[attribute, :, first:last]
            least = int(finest[attribute])
            for level in range(least, int(ladders.heights[attribute])):
                widths[attribute, level] = int(table[level].max()) + 1
                if level > least:
                    firsts = np.flatnonzero(np.diff(table[level - 1], prepend=-1))
                    begins = np.flatnonzero(np.diff(table[level][firsts], prepend=-1))
                    starts[attribute, level] = np.append(begins, len(firsts)).astype(np.int64)
        shapes = widths[np.arange(len(leaves)), ladders.levels]
        spans = np.cumprod(shapes[:, ::-1], axis=1)[:, ::-1]
        return cls(sizes=np.where(among, spans[:, 0], FAR), steps=spans // shapes, widths=widths, starts=starts)

    @property
    def total(self) -> int:
        """Numbers in all roll-ups together."""
        return int(self.sizes[self.sizes < FAR].sum())

    def places(self) -> IntArray:
        """Return where each roll-up begins when they stand one after another, (n,) int64."""
        sizes = np.where(self.sizes < FAR, self.sizes, 0)
        return np.cumsum(sizes) - sizes


class RegionalCounts:
    """Counts of a population of which no two regions share a group of one attribute at a level.

    Strategies that tell this attribute at that level or finer need only people of a profile's own region, and are
    counted anew in each. The coarser ones need everybody, as told one level coarser, and are counted once.

    Parameters
    ----------
    hierarchies, lattice, ladders : the strategies and their tables.
    attribute : place of the attribute that regions differ in.
    level : at which no two of them share a group; below its top one.
    missing : (a,) whether anybody's value is missing; never that of the attribute itself.
    least : no count is below this.
    """

    def __init__(
        self,
        hierarchies: Mapping[str, Hierarchy],
        lattice: Lattice,
        ladders: Ladders,
        *,
        attribute: int,
        level: int,
        missing: BoolArray,
        least: int = 0,
    ) -> None:
        self.ladders = self._national = ladders
        self._attribute, self._level, self._least = attribute, level, least
        self._near: BoolArray = ladders.levels[:, attribute] <= level
        self._leaves = [
            (0, len(hierarchy.leaves) + int(gone))
            for hierarchy, gone in zip(hierarchies.values(), missing, strict=True)
        ]
        self._finest = np.zeros(lattice.attributes, np.int64)
        self._finest[attribute] = level + 1
        self._base = int(lattice.strides[attribute]) * (level + 1)
        self._far = _fitting(Cubes.of(ladders, self._leaves, self._finest, ~self._near), "everybody")
        self._everybody = np.zeros(int(self._far.sizes[self._base]), np.int32)
        self._people = self._room = 0
        self._here = self._far
        self.tables = self._nothing(np.empty(0, np.int32))

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
            self.tables = self._nothing(np.empty(self._far.total + self._room, self._everybody.dtype))
            place = int(self._far.places()[self._base])
            self.tables.cells[place : place + len(self._everybody)] = self._everybody
            self.tables.offsets[self._base] = place
            self._everybody = np.empty(0, np.int32)
        self.ladders, self._here = self._region(cells.codes)
        self.tables.offsets[self._near] = -1
        self.tables.steps[self._near] = self._here.steps[self._near]
        start = self._far.total
        base = self.tables.cells[start : start + int(self._here.sizes[0])]
        base[:] = 0
        _add(cells, self.ladders.groups[:, 0], self._here.widths[:, 0], base)
        self.tables.offsets[0] = start

    def count(self, nodes: IntArray) -> None:
        """Roll up the nodes, and the finer ones on the way to them, that are not there yet."""
        near = self._near[nodes]
        for cubes, some, start in ((self._here, nodes[near], self._far.total), (self._far, nodes[~near], 0)):
            offsets, places = self.tables.offsets, start + cubes.places()
            for finer, coarser, attribute in kernels.roll_up_steps(some, offsets, self.ladders, cubes.sizes):
                level = int(self.ladders.levels[coarser, attribute])
                inner = int(cubes.steps[coarser, attribute])
                source, target = (
                    self.tables.cells[places[node] : places[node] + cubes.sizes[node]] for node in (finer, coarser)
                )
                runs = int(cubes.widths[attribute, level])
                roll_up = partial(kernels.roll_up, source, cubes.starts[attribute, level], runs, inner, target)
                least = 1 + LEAST * len(target) // (inner * len(source))
                in_slices(roll_up, len(target) // inner, least=least)
                offsets[coarser] = places[coarser]

    def people(self, profiles: Profiles, chosen: IntArray, nodes: IntArray) -> IntArray:
        """Return n_p, (k,) int64, of profiles ``chosen`` (k,) of the region at ``nodes`` (k,)."""
        return look_up(self, self.ladders, profiles, chosen, nodes)

    def of(self, profiles: Profiles) -> "RegionalCounts":  # noqa: ARG002  (as the contract has it)
        """Return the same counts: they answer for everybody in the region."""
        return self

    def anew(self, profiles: Profiles) -> "RegionalCounts":
        """Return the same counts."""
        return self.of(profiles)

    def _nothing(self, cells: IntArray) -> Tables:
        return Tables(
            dense=True,
            cells=cells,
            offsets=np.full(len(self._near), -1, np.int64),
            steps=self._far.steps.copy(),
            rows=np.empty((0, 0), np.int64),
            least=self._least,
        )

    def _region(self, codes: IntArray) -> tuple[Ladders, Cubes]:
        """Return the tables of the region in which these codes, (c, a), lie: its groups are numbered from 0."""
        own = codes[:, self._attribute]
        leaves, groups = list(self._leaves), self._national.groups.copy()
        shared = groups[self._attribute, self._level, : leaves[self._attribute][1]]
        first = int(np.searchsorted(shared, shared[own.min()]))
        leaves[self._attribute] = (first, int(np.searchsorted(shared, shared[own.max()], side="right")))
        fine = groups[self._attribute, : self._level + 1]
        fine -= fine[:, first, None].copy()
        ladders = self._national._replace(groups=groups)
        cubes = Cubes.of(ladders, leaves, np.zeros(len(leaves), np.int64), self._near)
        return ladders, _fitting(cubes, "a region")


def _add(cells: Cells, groups: IntArray, widths: IntArray, cube: IntArray) -> None:
    """Add the people of cells to a cube of these widths, (a,), by the groups, (a, l), of their leaves."""
    for start in range(0, len(cells.people), ARRAY_ROWS):
        some = slice(start, start + ARRAY_ROWS)
        codes = np.stack([table[column] for table, column in zip(groups, cells.codes[some].T, strict=True)], axis=1)
        codes.setflags(write=False)
        people = cells.people[some].astype(np.int64)
        people.setflags(write=False)
        kernels.add_people(codes, people, widths, cube)


def _fitting(cubes: Cubes, whose: str) -> Cubes:
    if cubes.total > MOST_PLACES:
        raise InvalidScenarioError(
            f"the counts of {whose} would need {cubes.total:,} places, more than the {MOST_PLACES:,} there may be; "
            "take regions by a finer level, or hierarchies with fewer values"
        )
    return cubes
