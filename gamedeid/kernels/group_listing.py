"""Groups of profiles that share their released values, strategy after strategy, each set of members once."""

from typing import Any, NamedTuple

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.kernels.compiled import allocating, compiled
from gamedeid.kernels.tables import NONE
from gamedeid.reprs import brief


@brief
class GroupLists(NamedTuple):
    """Groups and their members, with room for more: ``counts`` says how much is in use."""

    counts: IntArray  # (2,) int64: groups, members of all of them together
    starts: IntArray  # (g + 1,) int64: where the members of each group begin
    members: IntArray  # (e,) numbers of profiles, group after group
    values: FloatArray  # (g,) v of the group, dollars
    nodes: IntArray  # (g,) int32: its strategy
    people: IntArray  # (g,) int64: people of all members
    marks: IntArray  # (g,) uint64: sum of the members' marks, by which equal sets are found


@compiled
def spread_bits(number: Any) -> Any:
    """Return a number whose bits depend on all bits of another one (the finalizer of splitmix64)."""
    word = np.uint64(number) + np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@allocating
def list_groups_at(
    node: int,
    some: IntArray,
    keys: IntArray,
    count: int,
    values: FloatArray,
    people: IntArray,
    least: int,
    lists: GroupLists,
    known: IntArray,
) -> bool:
    """Add the groups of a strategy that hold enough people; of groups with the same members the most valuable stays.

    The strategy is open to the profiles ``some``, (m,). Those with the same released values have the same one of
    ``count`` keys, (p,); values, (p,) dollars, and people, (p,), are those of each profile. ``known``, (t,) int32, t a
    power of 2, has the existing groups by their marks. Returns whether there was room for all groups.
    """
    held = np.zeros(count, np.int64)
    size = np.zeros(count, np.int64)
    mark = np.zeros(count, np.uint64)
    first = np.full(count, NONE, np.int64)
    for profile in some:
        group = keys[profile]
        held[group] += people[profile]
        size[group] += 1
        mark[group] += spread_bits(profile)
        if first[group] == NONE:
            first[group] = profile
    cursor = np.full(count, NONE, np.int64)
    mask = known.shape[0] - 1
    groups, entries = lists.counts[0], lists.counts[1]
    fits = True
    for group in range(count):
        if held[group] < least:
            continue
        value = values[first[group]]
        slot = np.int64(spread_bits(mark[group]) & np.uint64(mask))
        other = known[slot]
        while other != NONE and not (
            lists.marks[other] == mark[group]
            and lists.starts[other + 1] - lists.starts[other] == size[group]
            and lists.members[lists.starts[other]] == first[group]
        ):
            slot = (slot + 1) & mask
            other = known[slot]
        if other != NONE:
            if value > lists.values[other]:
                lists.values[other] = value
                lists.nodes[other] = node
            continue
        if entries + size[group] > lists.members.shape[0] or groups == lists.values.shape[0]:
            fits = False
            continue
        known[slot] = groups
        lists.values[groups], lists.nodes[groups] = value, node
        lists.people[groups], lists.marks[groups] = held[group], mark[group]
        cursor[group] = entries
        entries += size[group]
        groups += 1
        lists.starts[groups] = entries
    for profile in some:
        group = keys[profile]
        if cursor[group] != NONE:
            lists.members[cursor[group]] = profile
            cursor[group] += 1
    lists.counts[0], lists.counts[1] = groups, entries
    return fits
