"""Several populations counted as one: those who match a profile among all people, or on one of several lists."""

from collections.abc import Sequence

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.data.profiles import Profiles
from gamedeid.kernels.tables import HierarchyTables
from gamedeid.population.contract import Counts, people_of_all
from gamedeid.population.rows import RowCounts


class SeveralCounter:
    """Counts one strategy in one of several populations, for all profiles.

    Nodes are numbered on from population to population: strategy g of population s, from 0, is s n + g, where n is how
    many strategies there are.

    Parameters
    ----------
    sources : the counts of each population.
    profiles : (q) who will be looked up.
    size : n, how many strategies there are.
    """

    def __init__(self, sources: Sequence[Counts], profiles: Profiles, size: int) -> None:
        self._sources = sources
        self._profiles = profiles
        self._size = size

    def people_at(self, nodes: IntArray) -> IntArray:
        """Return n_p, (k, q) int64, of every profile at some of these nodes, (k,)."""
        people = np.empty((len(nodes), self._profiles.count), np.int64)
        for number, source in enumerate(self._sources):
            own = nodes // self._size == number
            people[own] = people_of_all(source, self._profiles, nodes[own] % self._size)
        return people

    def of(self, profiles: Profiles) -> "SeveralCounter":
        """Return the same for other profiles."""
        return SeveralCounter([source.of(profiles) for source in self._sources], profiles, self._size)


def count_several(sources: Sequence[Counts], profiles: Profiles, hierarchy_tables: HierarchyTables) -> Counts:
    """Return the counts of several populations: of the first as they are, of the others at nodes numbered on.

    Parameters
    ----------
    sources : the counts of each population.
    profiles : (q) who will be looked up.
    hierarchy_tables : the hierarchies' tables, of a lattice that is not large.
    """
    size = len(hierarchy_tables.levels)
    counter = SeveralCounter(sources, profiles, size)
    return RowCounts(counter, profiles, hierarchy_tables, places=len(sources) * size)
