"""Counts as one cube per strategy: for small domains, and for large ones that are well filled."""

from copy import copy
from functools import partial
from typing import Any

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.blocks import ARRAY_ROWS
from gamedeid.data.profiles import Cells, Profiles
from gamedeid.generalization.lattice import Lattice
from gamedeid.kernels import solving as kernels
from gamedeid.kernels.solving import Ladders, Tables
from gamedeid.parallel import LEAST, in_slices
from gamedeid.population.contract import look_up


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
            cells=np.empty(int(self._sizes.sum()), number_of(cells)),
            offsets=np.full(lattice.size, -1, np.int64),
            steps=spans // shapes,
            rows=np.empty((0, 0), np.int64),
            least=least,
        )
        base = self.tables.cells[: self._sizes[0]]
        base[:] = 0
        for start in range(0, len(cells.people), ARRAY_ROWS):
            some = slice(start, start + ARRAY_ROWS)
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


def number_of(cells: Cells) -> np.dtype[np.integer[Any]]:
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
