"""The contract of all counts of a population, and the look-up of people in tables."""

from typing import Protocol, TypeAlias

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.data.profiles import Profiles
from gamedeid.kernels import rollups
from gamedeid.kernels.tables import CountTables, HierarchyTables, ScannedPopulation
from gamedeid.parallel import LEAST_ITEMS, run_in_slices


class TableCounts(Protocol):
    """People of the population who match a profile at a strategy, in tables that grow strategy by strategy."""

    @property
    def scanned(self) -> None:
        """None: ``tables`` has the people of a strategy once it is counted."""
        ...

    @property
    def tables(self) -> CountTables:
        """The tables that the inner loops read; to be read again after each ``count``."""
        ...

    def count(self, nodes: IntArray) -> None:
        """Make sure that the people of these nodes, (k,) and distinct, can be looked up."""
        ...

    def people(self, profiles: Profiles, chosen: IntArray, nodes: IntArray) -> IntArray:
        """Return n_p, (k,) int64, of profiles ``chosen`` (k,) at ``nodes`` (k,)."""
        ...

    def of(self, profiles: Profiles) -> "TableCounts":
        """Return counts of the same population for other profiles, of the same attributes."""
        ...


class ScanCounts(Protocol):
    """People of the population who match a profile at a strategy, found by a scan of its cells for each question."""

    @property
    def scanned(self) -> ScannedPopulation:
        """The distinct cells of the population, for solvers that count many strategies in one scan."""
        ...

    def people(self, profiles: Profiles, chosen: IntArray, nodes: IntArray) -> IntArray:
        """Return n_p, (k,) int64, of profiles ``chosen`` (k,) at ``nodes`` (k,)."""
        ...

    def of(self, profiles: Profiles) -> "ScanCounts":
        """Return counts of the same population for other profiles, of the same attributes."""
        ...


Counts: TypeAlias = TableCounts | ScanCounts
"""Counts of either kind; ``scanned`` distinguishes them."""


def count_all_profiles(counts: Counts, profiles: Profiles, nodes: IntArray) -> IntArray:
    """Return n_p, (k, q) int64, of all profiles at some nodes, (k,)."""
    all_profiles = np.tile(np.arange(profiles.count, dtype=np.int64), len(nodes))
    return counts.people(profiles, all_profiles, np.repeat(nodes, profiles.count)).reshape(-1, profiles.count)


def look_up_people(
    tables: CountTables, hierarchy_tables: HierarchyTables, profiles: Profiles, chosen: IntArray, nodes: IntArray
) -> IntArray:
    """Return n_p, (k,) int64, of profiles ``chosen`` (k,) at ``nodes`` (k,), which are all counted."""
    people = np.empty(len(chosen), np.int64)

    def fill(start: int, stop: int) -> None:
        some = slice(start, stop)
        rollups.people_of(
            tables, hierarchy_tables, profiles.codes, chosen[some], nodes[some].astype(np.int64), people[some]
        )

    run_in_slices(fill, len(chosen), least=LEAST_ITEMS // 8)
    return people


def distinct_nodes(nodes: IntArray, size: int) -> IntArray:
    """Return the distinct node numbers, int64 in order, of ``nodes``, (k,) from 0 to ``size`` - 1."""
    if len(nodes) < size:
        return np.unique(nodes).astype(np.int64, copy=False)
    asked = np.zeros(size, np.bool_)
    asked[nodes] = True
    return np.flatnonzero(asked)
