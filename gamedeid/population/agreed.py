"""People whose rows differ, as cells of a population: in a group from the level on at which all their rows are."""

from dataclasses import replace

import numpy as np

from gamedeid.arrays import IntArray, sealed
from gamedeid.data.profiles import Cells
from gamedeid.kernels.tables import HierarchyTables


def with_agreed_leaves(
    cells: Cells, floors: IntArray, hierarchy_tables: HierarchyTables
) -> tuple[Cells, HierarchyTables]:
    """Return the cells with leaves of their own for what rows agree on, and the tables with the groups of these leaves.

    Such a leaf stands for a group of its attribute at a level. From that level on it lies in the groups of the leaves
    in it; below, in a group of its own, which no profile has: whose rows differ there matches nobody.

    Parameters
    ----------
    cells : the population; codes are the first leaves of the groups at the floors.
    floors : (c, a) int8, the least level at which the rows of each cell's people agree.
    hierarchy_tables : the tables of the hierarchies, leaves of all attributes padded to one number.
    """
    padded = hierarchy_tables.groups.shape[2]
    codes = cells.codes.astype(np.int64)
    found = []
    for place, (column, levels) in enumerate(zip(cells.codes.T, floors.T, strict=True)):
        differ = np.flatnonzero(levels)
        keys, which = np.unique(levels[differ].astype(np.int64) * padded + column[differ], return_inverse=True)
        codes[differ, place] = padded + which.reshape(-1)
        found.append(keys)
    most = max(len(keys) for keys in found)
    groups = np.zeros((*hierarchy_tables.groups.shape[:2], padded + most), np.int32)
    groups[:, :, :padded] = hierarchy_tables.groups
    for place, keys in enumerate(found):
        own = padded + np.arange(len(keys))
        floor, leaf = np.divmod(keys, padded)
        for level in range(int(hierarchy_tables.heights[place])):
            there = hierarchy_tables.groups[place, level]
            groups[place, level, own] = np.where(
                level < floor, int(there.max()) + 1 + np.arange(len(keys)), there[leaf]
            )
    groups.setflags(write=False)
    return (
        replace(cells, codes=sealed(codes, np.int32), missing=np.ones_like(cells.missing), floors=None),
        hierarchy_tables._replace(groups=groups),
    )
