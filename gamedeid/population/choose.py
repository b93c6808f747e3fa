"""How many people of the population match a profile at a strategy, n_p(g): which way of counting suits a question."""

from typing import Literal, TypeAlias

import numpy as np

from gamedeid.arrays import BoolArray, IntArray
from gamedeid.data.profiles import Cells, Profiles
from gamedeid.generalization.lattice import Lattice
from gamedeid.kernels.solving import Ladders
from gamedeid.population.dense import DenseCounts, number_of
from gamedeid.population.scan import ScannedCounts
from gamedeid.population.sparse import SparseCounts

Layout: TypeAlias = Literal["auto", "dense", "sparse", "meets"]

DENSE_LIMIT = 3 * 2**29
"""Most bytes that all dense roll-ups together may take (1.5 GiB, touched only as strategies are asked for)."""

DENSE_WASTE = 64
"""A dense cube may have this many places for each cell of the population, small cubes aside."""

SMALL_CUBE = 2**20
"""Cubes up to this size are dense however few people live in them."""


def count_population(
    cells: Cells,
    profiles: Profiles,
    lattice: Lattice,
    ladders: Ladders,
    *,
    unmatched_as_one: bool = False,
    layout: Layout = "auto",
) -> "DenseCounts | SparseCounts | ScannedCounts":
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
        return ScannedCounts(cells, ladders, least)
    widths = _widths(ladders, cells.missing)
    if layout == "auto":
        cube = float(np.prod(widths[:, 0].astype(float)))
        total = float(np.prod([widths[a, :h].sum() for a, h in enumerate(lattice.heights)], dtype=float))
        roomy = cube <= max(SMALL_CUBE, DENSE_WASTE * len(cells.people))
        layout = "dense" if total * number_of(cells).itemsize <= DENSE_LIMIT and roomy else "sparse"
    if layout == "dense":
        return DenseCounts(cells, lattice, ladders, widths, least)
    return SparseCounts(cells, profiles, lattice, ladders, widths, least)


def _widths(ladders: Ladders, with_missing: BoolArray) -> IntArray:
    """Return groups per attribute and level, (a, h) int64; the group of missing values counts only where it is used."""
    widths = np.ones(ladders.groups.shape[:2], np.int64)
    for attribute, height in enumerate(ladders.heights):
        groups = ladders.groups[attribute, : height - 1].max(axis=1)
        widths[attribute, : height - 1] = groups + with_missing[attribute]
    return widths
