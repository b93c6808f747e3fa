"""What every way of counting a population promises, and the one way to look people up in tables."""

from threading import RLock
from typing import Protocol

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.data.profiles import Profiles
from gamedeid.kernels import solving as kernels
from gamedeid.kernels.solving import Ladders, Tables
from gamedeid.parallel import LEAST, in_slices

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
