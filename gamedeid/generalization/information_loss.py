"""What each attribute loses at each level, in padded tables beside its groups: what the inner loops read."""

from collections.abc import Sequence

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.errors import InvalidScenarioError
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.lattice import Lattice
from gamedeid.grouping import distinct_rows
from gamedeid.kernels.tables import HierarchyTables


def compile_hierarchy_tables(
    lattice: Lattice, hierarchies: Sequence[Hierarchy], weights: Sequence[float]
) -> HierarchyTables:
    """Return group and information-loss tables of all attributes.

    A leaf code equal to the number of leaves stands for a missing value. It has a group of its own below the top level
    (so nobody with a known value is counted with it) and belongs to ``*`` at the top. The tables that have an entry for
    each strategy are empty where the lattice is large.

    References
    ----------
    wan2015, equations (1) and (2).
    """
    levels = max(hierarchy.levels for hierarchy in hierarchies)
    leaves = max(len(hierarchy.leaves) for hierarchy in hierarchies) + 1
    groups = np.zeros((len(hierarchies), levels, leaves), np.int32)
    raw_losses = np.zeros((len(hierarchies), levels, leaves))
    total = 0.0
    for attribute, (hierarchy, weight) in enumerate(zip(hierarchies, weights, strict=True)):
        known = len(hierarchy.leaves)
        groups[attribute, : hierarchy.levels, :known] = hierarchy.groups
        groups[attribute, : hierarchy.levels - 1, known] = hierarchy.group_counts[:-1]
        raw_losses[attribute, : hierarchy.levels, :known] = weight * np.log(hierarchy.sizes)
        raw_losses[attribute, : hierarchy.levels, known] = weight * np.log(known)
        total += float(raw_losses[attribute, hierarchy.levels - 1, 0])
    if total <= 0:
        raise InvalidScenarioError(
            "information loss is undefined: every attribute has weight 0 or a single value; "
            "give at least one attribute with several values a positive weight"
        )
    everything = np.arange(0 if lattice.is_large else lattice.size, dtype=np.int64)
    return HierarchyTables(
        heights=np.array(lattice.heights, np.int64),
        strides=np.array(lattice.strides, np.int64),
        levels=lattice.levels(everything).astype(np.int8),
        walk_keys=lattice.walk_keys(everything),
        groups=groups,
        raw_losses=raw_losses,
        total_loss=total,
    )


def loss_kinds(hierarchy: Hierarchy) -> IntArray:
    """Return the kind of each leaf, (leaves + 1,) int64 from 0: leaves of one kind lose the same at every level.

    The last entry is a missing value's.
    """
    _, kinds, _ = distinct_rows(hierarchy.sizes.T, [len(hierarchy.leaves) + 1] * hierarchy.levels)
    return np.append(kinds, kinds.max() + 1)


def information_loss(hierarchy_tables: HierarchyTables, codes: IntArray, levels: IntArray) -> FloatArray:
    """Return IL(g), (q,) in [0, 1], of profiles with leaf codes (q, a) at levels (q, a)."""
    raw = np.zeros(len(codes))
    for attribute in range(codes.shape[1]):
        raw += hierarchy_tables.raw_losses[attribute, levels[:, attribute], codes[:, attribute]]
    return raw / hierarchy_tables.total_loss
