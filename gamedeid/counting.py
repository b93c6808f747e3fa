"""How many people of the population match a profile at a strategy: n_p(g)."""

from copy import copy
from functools import partial
from threading import RLock
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np

from gamedeid import kernels
from gamedeid.arrays import BoolArray, IntArray
from gamedeid.coding import Cells, Profiles, distinct_rows
from gamedeid.kernels import Ladders, Tables
from gamedeid.lattice import Lattice
from gamedeid.meets import MeetCounts
from gamedeid.threads import LEAST, in_slices

Layout: TypeAlias = Literal["auto", "dense", "sparse", "meets"]

DENSE_LIMIT = 3 * 2**29
"""Most bytes that all dense roll-ups together may take (1.5 GiB, touched only as strategies are asked for)."""

DENSE_WASTE = 64
"""A dense cube may have this many places for each cell of the population, small cubes aside."""

SMALL_CUBE = 2**20
"""Cubes up to this size are dense however few people live in them."""

BLOCK = 2**20
"""Cells, or pairs of profile and strategy, that are taken at a time."""

_COUNTING = RLock()
"""Held by who rolls up: several may look up at once."""


class Counts(Protocol):
    """People of the population who match a profile at a strategy."""

    def people(self, profiles: Profiles, chosen: IntArray, nodes: IntArray) -> IntArray:
        """Return n_p, (k,) int64, of profiles ``chosen`` (k,) at ``nodes`` (k,)."""
        ...

    def of(self, profiles: Profiles) -> "Counts":
        """Return counts of the same population for other profiles, of the same attributes."""
        ...

    def anew(self, profiles: Profiles) -> "Counts":
        """Return the same with nothing rolled up yet, for who measures how long that takes."""
        ...


class TableCounts(Counts, Protocol):
    """Population counts, rolled up from finer to coarser strategies when a strategy is first asked for."""

    @property
    def tables(self) -> Tables:
        """What the inner loops read; asked for anew after each ``count``."""
        ...

    def count(self, nodes: IntArray) -> None:
        """Make sure that the people of these nodes, (k,), can be looked up."""
        ...

    def of(self, profiles: Profiles) -> "TableCounts":
        """Return counts of the same population for other profiles, of the same attributes."""
        ...

    def anew(self, profiles: Profiles) -> "TableCounts":
        """Return the same with nothing rolled up yet, for who measures how long that takes."""
        ...


def count_population(
    cells: Cells,
    profiles: Profiles,
    lattice: Lattice,
    ladders: Ladders,
    *,
    unmatched_as_one: bool = False,
    layout: Layout = "auto",
) -> "DenseCounts | SparseCounts | MeetCounts":
    """Return the counts of a population, the same numbers however they are kept.

    They are dense where the domain is small and sparse where it is not; where the lattice is large nothing is kept, and
    the population is looked through for whoever is asked about.

    Parameters
    ----------
    cells : the population.
    profiles : who will be looked up.
    lattice, ladders : the strategies and their tables.
    unmatched_as_one : count a profile that matches nobody as one person instead of none.
    layout : "auto" chooses by size; a large lattice always has "meets".
    """
    least = int(unmatched_as_one)
    if layout == "meets" or lattice.is_large:
        return MeetCounts(cells, ladders, least)
    widths = _widths(ladders, cells.missing)
    if layout == "auto":
        cube = float(np.prod(widths[:, 0].astype(float)))
        total = float(np.prod([widths[a, :h].sum() for a, h in enumerate(lattice.heights)], dtype=float))
        roomy = cube <= max(SMALL_CUBE, DENSE_WASTE * len(cells.people))
        layout = "dense" if total * _number(cells).itemsize <= DENSE_LIMIT and roomy else "sparse"
    if layout == "dense":
        return DenseCounts(cells, lattice, ladders, widths, least)
    return SparseCounts(cells, profiles, lattice, ladders, widths, least)


def look_up(counts: TableCounts, ladders: Ladders, profiles: Profiles, chosen: IntArray, nodes: IntArray) -> IntArray:
    """Return n_p, (k,) int64, of profiles ``chosen`` (k,) at ``nodes`` (k,), counting what was not counted yet."""
    with _COUNTING:
        counts.count(distinct_nodes(nodes, len(ladders.levels)))
        tables = counts.tables
    people = np.empty(len(chosen), np.int64)

    def fill(start: int, stop: int) -> None:
        some = slice(start, stop)
        kernels.people_of(tables, ladders, profiles.codes, chosen[some], nodes[some].astype(np.int64), people[some])

    in_slices(fill, len(chosen), least=LEAST // 8)
    return people


def distinct_nodes(nodes: IntArray, size: int) -> IntArray:
    """Return the distinct ones of node numbers, (k,), of a lattice of ``size``, in order."""
    if len(nodes) < size:
        return np.unique(nodes)
    asked = np.zeros(size, np.bool_)
    asked[nodes] = True
    return np.flatnonzero(asked)


class DenseCounts:
    """One cube of counts per strategy; each is summed from the smallest cube that is one step finer."""

    def __init__(self, cells: Cells, lattice: Lattice, ladders: Ladders, widths: IntArray, least: int) -> None:
        self._ladders = ladders
        shapes = widths[np.arange(lattice.attributes), ladders.levels]
        spans = np.cumprod(shapes[:, ::-1], axis=1)[:, ::-1]
        self._sizes = spans[:, 0]
        self._widths = widths
        self._places = np.cumsum(self._sizes) - self._sizes
        self._run_starts = _run_starts(ladders, widths)
        self.tables = Tables(
            dense=True,
            cells=np.empty(int(self._sizes.sum()), _number(cells)),
            offsets=np.full(lattice.size, -1, np.int64),
            steps=spans // shapes,
            rows=np.empty((0, 0), np.int64),
            least=least,
        )
        base = self.tables.cells[: self._sizes[0]]
        base[:] = 0
        for start in range(0, len(cells.people), BLOCK):
            some = slice(start, start + BLOCK)
            people = cells.people[some].astype(np.int64, copy=False)
            kernels.add_people(cells.codes[some], people, widths[:, 0].copy(), base)
        self.tables.offsets[0] = 0

    def count(self, nodes: IntArray) -> None:
        """Roll up the nodes, and the finer ones on the way to them, that are not there yet."""
        tables = self.tables
        for finer, coarser, attribute in kernels.roll_up_steps(nodes, tables.offsets, self._ladders, self._sizes):
            level = self._ladders.levels[coarser, attribute]
            runs, inner = int(self._widths[attribute, level]), int(tables.steps[coarser, attribute])
            source, target = self._cube(finer), self._cube(coarser)
            roll_up = partial(kernels.roll_up, source, self._run_starts[attribute, level], runs, inner, target)
            in_slices(roll_up, len(target) // inner, least=1 + LEAST * len(target) // (inner * len(source)))
            tables.offsets[coarser] = self._places[coarser]

    def people(self, profiles: Profiles, chosen: IntArray, nodes: IntArray) -> IntArray:
        """Return n_p, (k,) int64, of profiles ``chosen`` (k,) at ``nodes`` (k,)."""
        return look_up(self, self._ladders, profiles, chosen, nodes)

    def of(self, profiles: Profiles) -> "DenseCounts":  # noqa: ARG002  (as the contract has it)
        """Return the same counts: cubes answer for everybody."""
        return self

    def anew(self, profiles: Profiles) -> "DenseCounts":  # noqa: ARG002
        """Return the same with nothing rolled up yet; the cubes keep their places, and will be filled as they were."""
        new = copy(self)
        new.tables = self.tables._replace(offsets=np.full_like(self.tables.offsets, -1))
        new.tables.offsets[0] = 0
        return new

    def _cube(self, node: int) -> IntArray:
        return self.tables.cells[self._places[node] : self._places[node] + self._sizes[node]]


class SparseCounts:
    """Only groups that hold somebody, or a profile; each strategy is summed from the shortest finer list there is."""

    def __init__(
        self, cells: Cells, profiles: Profiles, lattice: Lattice, ladders: Ladders, widths: IntArray, least: int
    ) -> None:
        self._lattice = lattice
        self._ladders = ladders
        self._widths = widths
        self._least = least
        # Profiles are listed as groups without people, so that each always has a group to stand in.
        self._codes = np.concatenate([profiles.codes, cells.codes])
        nobody = np.zeros(profiles.count, np.int64)
        self._lists: dict[int, _GroupList] = {}
        self._offsets = np.full(lattice.size, -1, np.int64)
        self._rows = np.empty((4, profiles.count), np.int64)
        everyone = _GroupList(
            example=np.arange(len(self._codes)),
            people=np.concatenate([nobody, cells.people]),
            of_profile=np.arange(profiles.count),
        )
        self._store(0, self._summed(everyone, 0))

    @property
    def tables(self) -> Tables:
        """What the inner loops read."""
        return Tables(
            dense=False,
            cells=np.empty(0, np.int64),
            offsets=self._offsets,
            steps=np.empty((0, 0), np.int64),
            rows=self._rows,
            least=self._least,
        )

    def count(self, nodes: IntArray) -> None:
        """Sum up the nodes that are not there yet."""
        for node in nodes[self._offsets[nodes] < 0].tolist():
            levels = self._lattice.levels_of(node)
            finer = [other for other in self._lists if self._is_finer(other, levels)]
            shortest = min(finer, key=lambda other: len(self._lists[other].people))
            self._store(node, self._summed(self._lists[shortest], node))

    def people(self, profiles: Profiles, chosen: IntArray, nodes: IntArray) -> IntArray:
        """Return n_p, (k,) int64, of profiles ``chosen`` (k,) at ``nodes`` (k,)."""
        return look_up(self, self._ladders, profiles, chosen, nodes)

    def of(self, profiles: Profiles) -> "SparseCounts":
        """Return counts of the same population for other profiles: nothing is rolled up for them yet."""
        everybody = self._lists[0]
        cells = Cells(
            codes=self._codes[everybody.example],
            people=everybody.people,
            missing=np.empty(0, np.bool_),  # the widths know it
        )
        return SparseCounts(cells, profiles, self._lattice, self._ladders, self._widths, self._least)

    def anew(self, profiles: Profiles) -> "SparseCounts":
        """Return the same with nothing rolled up yet."""
        return self.of(profiles)

    def _is_finer(self, other: int, levels: tuple[int, ...]) -> bool:
        return all(a <= b for a, b in zip(self._lattice.levels_of(other), levels, strict=True))

    def _summed(self, finer: "_GroupList", node: int) -> "_GroupList":
        levels = self._lattice.levels_of(node)
        codes = self._codes[finer.example]
        groups = np.stack(
            [self._ladders.groups[attribute, level, codes[:, attribute]] for attribute, level in enumerate(levels)],
            axis=1,
        )
        bases = [int(self._widths[attribute, level]) + 1 for attribute, level in enumerate(levels)]
        first, of_finer, _ = distinct_rows(groups, bases)
        people = np.zeros(len(first), np.int64)
        np.add.at(people, of_finer, finer.people)
        return _GroupList(example=finer.example[first], people=people, of_profile=of_finer[finer.of_profile])

    def _store(self, node: int, groups: "_GroupList") -> None:
        self._lists[node] = groups
        row = len(self._lists) - 1
        if row == len(self._rows):
            self._rows = np.concatenate([self._rows, np.empty_like(self._rows)])
        self._rows[row] = groups.people[groups.of_profile]
        self._offsets[node] = row


class _GroupList:
    """The groups of one strategy: a row that shows its codes, its people, and the group of each profile."""

    __slots__ = ("example", "of_profile", "people")

    def __init__(self, *, example: IntArray, people: IntArray, of_profile: IntArray) -> None:
        self.example = example
        self.people = people
        self.of_profile = of_profile


def _widths(ladders: Ladders, with_missing: BoolArray) -> IntArray:
    """Return groups per attribute and level, (a, h) int64; the group of missing values counts only where it is used."""
    widths = np.ones(ladders.groups.shape[:2], np.int64)
    for attribute, height in enumerate(ladders.heights):
        groups = ladders.groups[attribute, : height - 1].max(axis=1)
        widths[attribute, : height - 1] = groups + with_missing[attribute]
    return widths


def _number(cells: Cells) -> np.dtype[np.integer[Any]]:
    """Return the smallest type that holds everybody."""
    return np.dtype(np.int32 if cells.people.sum() < 2**31 else np.int64)


def _run_starts(ladders: Ladders, widths: IntArray) -> IntArray:
    """Return for each attribute and level, (a, h, groups + 1), where its groups start among those one level finer.

    After the last start stands the number of finer groups.
    """
    starts = np.zeros((*widths.shape, int(widths.max()) + 1), np.int64)
    for attribute, height in enumerate(ladders.heights):
        table = ladders.groups[attribute, :height, : widths[attribute, 0]]
        for level in range(1, int(height)):
            firsts = np.concatenate([[0], 1 + np.flatnonzero(np.diff(table[level - 1]))])
            changes = 1 + np.flatnonzero(np.diff(table[level][firsts]))
            starts[attribute, level, 1 : len(changes) + 1] = changes
            starts[attribute, level, len(changes) + 1] = len(firsts)
    return starts
