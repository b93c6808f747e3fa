"""Equivalence classes of a population at a strategy, where its cells are few among all possible ones.

At each strategy the groups of a cell are combined into one number, attribute by attribute. If numbers would become too
long, those in use are renumbered, so that no two different cells are ever confused.
"""

from typing import NamedTuple

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.kernels.compiled import allocating, compiled
from gamedeid.kernels.tables import NONE, HierarchyTables
from gamedeid.reprs import brief

NUMBER_LIMIT = 2**62
"""Numbers stay below this."""


@brief
class ListedProfiles(NamedTuple):
    """Distinct leaf codes of a population and of profiles: c of them, a attributes, h the most levels, q profiles."""

    groups: IntArray  # (a, h, c) int32: the group of each cell at a level
    widths: IntArray  # (a, h) int64: possible groups
    people: IntArray  # (c,) int64; 0 where only a profile is
    of_profile: IntArray  # (q,) int64: the cell of each profile
    least: int  # no count is below this


@allocating
def allocate_slots(count: int) -> tuple[IntArray, IntArray]:
    """Return room to number ``count`` cells, c: a power of two of at least 2 c places, (p,) int32, and (c,) int64."""
    places = 2
    while places < 2 * count:
        places *= 2
    return np.empty(places, np.int32), np.empty(count, np.int64)


@compiled
def renumber_keys(keys: IntArray, span: int, slots: IntArray, seen: IntArray) -> int:
    """Replace keys, (c,) in [0, ``span``), by numbers from 0 in the order in which they are met; return how many.

    ``slots`` and ``seen`` are room to work in, as :func:`allocate_slots` makes it.
    """
    slots[:] = NONE
    mask = slots.shape[0] - 1
    is_direct = span <= slots.shape[0]
    count = 0
    for cell in range(keys.shape[0]):
        key = keys[cell]
        slot = key if is_direct else (((key ^ (key >> 31)) & 0x7FFFFFFF) * 0x9E3779B1 >> 20) & mask
        while slots[slot] != NONE and seen[slots[slot]] != key:
            slot = (slot + 1) & mask
        if slots[slot] == NONE:
            slots[slot] = count
            seen[count] = key
            count += 1
        keys[cell] = slots[slot]
    return count


@compiled
def number_classes(
    cells: ListedProfiles, hierarchies: HierarchyTables, node: int, keys: IntArray, slots: IntArray, seen: IntArray
) -> int:
    """Write the class of each cell at a node, from 0, into ``keys``, (c,) int64; return how many classes there are."""
    keys[:] = 0
    span = 1
    for attribute in range(cells.groups.shape[0]):
        level = node // hierarchies.strides[attribute] % hierarchies.heights[attribute]
        width = cells.widths[attribute, level]
        if width == 1:
            continue
        if span > NUMBER_LIMIT // width:
            span = renumber_keys(keys, span, slots, seen)
        column = cells.groups[attribute, level]
        for cell in range(keys.shape[0]):
            keys[cell] = keys[cell] * width + column[cell]
        span *= width
    return renumber_keys(keys, span, slots, seen)


@allocating
def count_class_members(cells: ListedProfiles, hierarchies: HierarchyTables, nodes: IntArray, out: IntArray) -> None:
    """Write n_p of every profile at each node, (k,), into ``out``, (k, q) int64."""
    count = cells.people.shape[0]
    slots, seen = allocate_slots(count)
    keys, sums = np.empty(count, np.int64), np.empty(count, np.int64)
    for place in range(nodes.shape[0]):
        groups = number_classes(cells, hierarchies, nodes[place], keys, slots, seen)
        sums[:groups] = 0
        for cell in range(count):
            sums[keys[cell]] += cells.people[cell]
        for profile in range(cells.of_profile.shape[0]):
            out[place, profile] = max(sums[keys[cells.of_profile[profile]]], cells.least)


@compiled
def add_by_key(keys: IntArray, amounts: FloatArray, sums: FloatArray) -> None:
    """Add amounts, (c,), to the sums, (a, m), of their keys, (a, c)."""
    for row in range(keys.shape[0]):
        for cell in range(keys.shape[1]):
            sums[row, keys[row, cell]] += amounts[cell]
