"""Counts as sums over the cells that are alike at a strategy: for domains that are nearly empty."""

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.data.profiles import Profiles
from gamedeid.grouping import distinct_rows
from gamedeid.kernels.alike import ListedCells, count_alike
from gamedeid.kernels.tables import HierarchyTables
from gamedeid.parallel import LEAST, in_slices


class SparseCounter:
    """Only cells that hold somebody, or a profile; those alike at a strategy are found anew whenever it is counted.

    Parameters
    ----------
    codes, people : (c, a) leaf codes of the population, and (c,) how many people have them; rows may repeat.
    profiles : (q) who will be looked up.
    hierarchy_tables : the hierarchies' tables.
    least : no count is below this.
    """

    def __init__(
        self, codes: IntArray, people: IntArray, profiles: Profiles, hierarchy_tables: HierarchyTables, least: int
    ) -> None:
        self._codes, self._people, self._hierarchy_tables = codes, people, hierarchy_tables
        # Profiles are listed as cells without people, so that each always has a group to stand in.
        everyone = np.concatenate([profiles.codes, codes])
        first, of_row, _ = distinct_rows(everyone, [hierarchy_tables.groups.shape[2]] * everyone.shape[1])
        held = np.zeros(len(first), np.int64)
        np.add.at(held, of_row[profiles.count :], people)
        cells = listed_cells(hierarchy_tables, everyone[first], held)
        self._cells = cells._replace(of_profile=of_row[: profiles.count].astype(np.int64), least=least)

    def people_at(self, nodes: IntArray) -> IntArray:
        """Return n_p, (k, q) int64, of every profile at some nodes, (k,)."""
        people = np.empty((len(nodes), len(self._cells.of_profile)), np.int64)

        def count(start: int, stop: int) -> None:
            count_alike(self._cells, self._hierarchy_tables, nodes[start:stop], people[start:stop])

        in_slices(count, len(nodes), least=1 + LEAST // (16 * len(self._cells.people)))
        return people

    def of(self, profiles: Profiles) -> "SparseCounter":
        """Return the same for other profiles."""
        return SparseCounter(self._codes, self._people, profiles, self._hierarchy_tables, self._cells.least)


def listed_cells(hierarchy_tables: HierarchyTables, codes: IntArray, people: IntArray) -> ListedCells:
    """Return cells for the compiled loops; each is a profile's.

    Parameters
    ----------
    codes, people : (c, a) distinct leaf codes, and (c,) how many have them.
    """
    groups = [table[:, column] for table, column in zip(hierarchy_tables.groups, codes.T, strict=True)]
    return ListedCells(
        groups=np.stack(groups),
        widths=hierarchy_tables.groups.max(axis=2).astype(np.int64) + 1,
        people=people.astype(np.int64),
        of_profile=np.arange(len(codes)),
        least=0,
    )
