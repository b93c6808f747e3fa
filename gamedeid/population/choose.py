"""Choose how to count the people who match a profile at a strategy, n_p(g), in one population or in several."""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from gamedeid.arrays import IntArray, sealed
from gamedeid.capabilities import Operation, refuse_unsupported
from gamedeid.choices import Unmatched
from gamedeid.data.profiles import PopulationCells, Profiles
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.lattice import Lattice
from gamedeid.kernels.tables import HierarchyTables
from gamedeid.lazy_imports import LazyModule
from gamedeid.population.contract import Counts, count_all_profiles
from gamedeid.population.cubes import counts_in_cubes, cubes_of_population, people_type
from gamedeid.population.rows import Counting, PeopleAt, RowCounts, sparse_counting
from gamedeid.reprs import frozen

if TYPE_CHECKING:
    from gamedeid.population import estimates, scan
else:  # few populations are estimated, and few lattices are large
    estimates, scan = LazyModule("gamedeid.population.estimates"), LazyModule("gamedeid.population.scan")

Layout: TypeAlias = Literal["auto", "dense", "sparse", "scan"]

DENSE_LIMIT = 3 * 2**29
"""Most bytes of all dense roll-ups together (1.5 GiB, used only as strategies are counted)."""

DENSE_WASTE = 64
"""Most places of a dense cube for each cell of the population, except in small cubes."""

SMALL_CUBE = 2**20
"""Cubes up to this size are dense, however few people are in them."""


@frozen(eq=False)
class CountedPopulation:
    """The people that the adversary can look up, and the counts of those who match a record.

    Parameters
    ----------
    cells : the people, in the codes of the question's hierarchies; the records if these are their own population.
    unmatched : treatment of a profile that matches no one: an "error", "unique" (one person) or "safe" (no one).
    known : attribute -> level, for those that the population has only at a level; in ``cells`` a group has the code of
        its first leaf. Finer counts are then estimates.
    sampling_fraction : share of the population in ``cells``, in (0, 1), if these are a random sample of it and nothing
        else is known of it. All counts are then estimates.
    people : how many people there are, if ``cells`` have a person once for each class of earlier releases; None if they
        have each person once.
    """

    cells: PopulationCells
    unmatched: Unmatched = "error"
    known: Mapping[str, int] = field(default_factory=dict)
    sampling_fraction: float | None = None
    layout: Layout = "auto"
    people: int | None = None

    @property
    def size(self) -> int:
        """How many people there are; estimated if ``cells`` are a sample of them."""
        people = int(self.cells.people.sum()) if self.people is None else self.people
        return round(people / (self.sampling_fraction or 1))

    @property
    def estimate(self) -> str | None:
        """The key of ``[population]`` that makes the numbers of matching people estimates; None if they are counts."""
        if self.known:
            return "levels"
        return None if self.sampling_fraction is None else "sampling_fraction"

    def count(
        self,
        profiles: Profiles,
        hierarchies: Mapping[str, Hierarchy],
        lattice: Lattice,
        hierarchy_tables: HierarchyTables,
        own: Mapping[str, "OwnPeople"],
    ) -> Counts:
        """Return n_p of every profile at every strategy, without roll-ups yet.

        They include the people of each recipient in ``own``, at node numbers that follow in this order.
        """
        if self.estimate is not None:
            refuse_unsupported(Operation.ESTIMATE, lattice.features)
        most = int(self.cells.people.sum())
        counts = count_population(
            self.cells, profiles, lattice, hierarchy_tables, unmatched=self.unmatched, layout=self.layout
        )
        if self.known:
            spread = estimates.EvenSpread(hierarchies, self.known)
            counts = RowCounts(estimates.spread_counting(counts, lattice, spread), profiles, hierarchy_tables, most)
        if self.sampling_fraction is not None:
            by_class = estimates.people_by_class(self.sampling_fraction, most)
            most = int(by_class.max())
            counts = RowCounts(estimates.sampled_counting(counts, by_class), profiles, hierarchy_tables, most)
        if not own:
            return counts
        refuse_unsupported(Operation.AGAINST_RECIPIENTS, lattice.features)
        sources = [counts, *(one.count(profiles, lattice, hierarchy_tables) for one in own.values())]
        most = max(most, *(int(one.cells.people.sum()) for one in own.values()), 1)
        places = len(sources) * lattice.size
        return RowCounts(_counting(sources, lattice.size), profiles, hierarchy_tables, most, places)


def count_population(
    cells: PopulationCells,
    profiles: Profiles,
    lattice: Lattice,
    hierarchy_tables: HierarchyTables,
    *,
    unmatched: Unmatched = "error",
    layout: Layout = "auto",
) -> Counts:
    """Return the counts of a population, the same numbers in every layout.

    They are dense if the domain is small, and sparse otherwise; if the lattice is large, nothing is stored, and the
    population is scanned for each question.
    """
    least = int(unmatched == "unique")
    if cells.floors is not None:
        cells, hierarchy_tables = with_agreed_leaves(cells, cells.floors, hierarchy_tables)
        layout = "scan" if layout == "scan" else "sparse"
    if layout == "scan" or lattice.is_large:
        return scan.ScannedCounts(cells, hierarchy_tables, least)
    leaves = hierarchy_tables.groups[:, 0].max(axis=1) + cells.missing
    leaves[np.equal(lattice.heights, 1)] += 1  # fixed classes: none is missing, and there is no root
    fits_dense = np.prod(leaves, dtype=float) <= max(SMALL_CUBE, DENSE_WASTE * len(cells.people))
    if layout == "dense" or (layout == "auto" and fits_dense):
        cubes = cubes_of_population(hierarchy_tables, leaves)
        if layout == "dense" or cubes.total * people_type(cells).itemsize <= DENSE_LIMIT:
            return counts_in_cubes(cells, hierarchy_tables, cubes, least)
    counting = sparse_counting(cells.codes, cells.people, hierarchy_tables, least)
    return RowCounts(counting, profiles, hierarchy_tables, max(int(cells.people.sum()), least))


def with_agreed_leaves(
    cells: PopulationCells, floors: IntArray, hierarchy_tables: HierarchyTables
) -> tuple[PopulationCells, HierarchyTables]:
    """Return the cells with new leaves for the groups on which rows agree, and the tables with these leaves.

    Such a leaf is a group of its attribute at a level. From that level on it is in the groups of the leaves in it;
    below, in a separate group, which no profile has: a person whose rows differ there matches no record. ``floors``,
    (c, a) int8, are the least levels at which the rows of each cell's people agree.
    """
    padded = hierarchy_tables.groups.shape[2]
    codes = cells.codes.astype(np.int64)
    found = []
    for place, (column, levels) in enumerate(zip(cells.codes.T, floors.T, strict=True)):
        differ = np.flatnonzero(levels)
        keys, key_of = np.unique(levels[differ].astype(np.int64) * padded + column[differ], return_inverse=True)
        codes[differ, place] = padded + key_of.reshape(-1)
        found.append(keys)
    most = max(len(keys) for keys in found)
    groups = np.zeros((*hierarchy_tables.groups.shape[:2], padded + most), np.int32)
    groups[:, :, :padded] = hierarchy_tables.groups
    for place, keys in enumerate(found):
        own = padded + np.arange(len(keys))
        floor, leaf = np.divmod(keys, padded)
        for level in range(int(hierarchy_tables.heights[place])):
            leaf_groups = hierarchy_tables.groups[place, level]
            groups[place, level, own] = np.where(
                level < floor, int(leaf_groups.max()) + 1 + np.arange(len(keys)), leaf_groups[leaf]
            )
    return (
        replace(cells, codes=sealed(codes, np.int32), missing=np.ones_like(cells.missing), floors=None),
        hierarchy_tables._replace(groups=groups),
    )


@frozen(eq=False)
class OwnPeople:
    """The people that one recipient can look up.

    Parameters
    ----------
    cells : the people, in the codes of the question's hierarchies; any code if nothing is known of an attribute.
    levels : (a,) int64, the least level at which the recipient knows each of their attributes, or may learn it.
    unmatched : treatment of a profile that matches none of them: an "error", "unique" (one person) or "safe" (no one).
    classes : (e,) the group of each class of kept values, the last attribute, if a recipient knows kept columns and
        looks people up among the records; None for others, who do not distinguish the classes.
    """

    cells: PopulationCells
    levels: IntArray
    unmatched: Unmatched
    classes: IntArray | None = None

    def count(self, profiles: Profiles, lattice: Lattice, hierarchy_tables: HierarchyTables) -> Counts:
        """Return how many of them match every profile at every strategy."""
        layout: Layout = "auto"
        if self.classes is not None:
            groups = hierarchy_tables.groups.copy()
            groups[-1, 0, : len(self.classes)] = self.classes
            hierarchy_tables, layout = hierarchy_tables._replace(groups=groups), "sparse"
        return count_population(
            self.cells, profiles, lattice, hierarchy_tables, unmatched=self.unmatched, layout=layout
        )


def _counting(sources: Sequence[Counts], size: int) -> Counting:
    """Return the counts with strategy g of population s, from 0, at node s n + g, where n is ``size``."""

    def of(profiles: Profiles) -> PeopleAt:
        counted = [source.of(profiles) for source in sources]

        def people_at(nodes: IntArray) -> IntArray:
            people = np.empty((len(nodes), profiles.count), np.int64)
            for number, source in enumerate(counted):
                own = nodes // size == number
                people[own] = count_all_profiles(source, profiles, nodes[own] % size)
            return people

        return people_at

    return of
