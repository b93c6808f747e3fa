"""Opening of groups for people in no group: the most valuable first, while enough people are left."""

from typing import NamedTuple

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.kernels.compiled import allocating, compiled
from gamedeid.kernels.group_listing import spread_bits
from gamedeid.kernels.group_prices import GroupTables, sift_down
from gamedeid.kernels.group_rules import KeptTables, add_records, keeps_rules
from gamedeid.reprs import brief

NO_GROUP = -1
"""Group number of a profile that is in no group."""


@brief
class Placement(NamedTuple):
    """The group of each profile, and the people and records in the groups."""

    group_of: IntArray  # (p,) int64; NO_GROUP if it is in none
    held: IntArray  # (g,) int64: people of each group
    shown: IntArray  # (g, s) int64: records of each group with each kept value
    changed: IntArray  # (g,) int64: the step at which a group changed last


@compiled
def move_profile(groups: GroupTables, kept: KeptTables, placement: Placement, profile: int, after: int) -> None:
    """Put a profile into another group, or into none."""
    for group, sign in ((placement.group_of[profile], -1), (after, 1)):
        if group != NO_GROUP:
            placement.held[group] += sign * groups.people[profile]
            add_records(placement.shown, group, kept, profile, sign)
    placement.group_of[profile] = after


@compiled
def draw_uniform(state: IntArray) -> float:
    """Return the next random number in [0, 1) of a generator, (1,) uint64."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    return float((spread_bits(state[0]) >> np.uint64(11)) * (1.0 / 9007199254740992.0))


@allocating
def open_groups(
    groups: GroupTables,
    kept: KeptTables,
    outside: FloatArray,
    prices: FloatArray,
    state: IntArray,
    noise: float,
    only_needed: float,
    places: IntArray,
) -> float:
    """Put profiles into groups, the group first that pays most for each person; return the worth, dollars.

    Profiles move on to better groups that were opened later, where the group that they leave stays as good.

    Parameters
    ----------
    outside : (p,) v of a profile in none of these groups, dollars, 0 or more.
    prices : (p,) price of a person of each profile, dollars; the first members of a group should gain most.
    state : (1,) uint64 of the random numbers.
    noise : mean dollars by which the order of the groups is disturbed at random.
    places : (p,) receives the group of each profile, or NO_GROUP; the members of a group are tried in their order.
    """
    count = groups.values.shape[0]
    places[:] = NO_GROUP
    held = np.zeros(count, np.int64)
    shown = np.zeros((count if kept.kinds.shape[0] > 0 else 0, kept.counts.shape[1]), np.int64)
    placement = Placement(places, held, shown, np.empty(0, np.int64))
    disturbed, lacks = np.zeros(count), np.empty(count)  # negative of what a group pays, dollars
    for group in range(count):
        if noise > 0:
            disturbed[group] = -np.log(1.0 - draw_uniform(state)) * noise
        lacks[group] = -_key(groups, disturbed[group], group, prices, places)[0]
    heap = np.argsort(lacks, kind="mergesort")  # in rising order it is a heap
    lacks = lacks[heap]
    left = count
    opened, number_opened = np.empty(min(count, places.shape[0]), np.int64), 0
    while left > 0 and lacks[0] < np.inf:
        group = heap[0]
        key, available = _key(groups, disturbed[group], group, prices, places)
        if -key == lacks[0]:
            left -= 1
            heap[0], lacks[0] = heap[left], lacks[left]
            if available >= groups.least or _is_worth_its_fee(groups, group, outside, places):
                only = only_needed > 0 and draw_uniform(state) < only_needed
                if _open(groups, kept, placement, group, only) or (
                    only and _open(groups, kept, placement, group, only=False)
                ):
                    opened[number_opened] = group
                    number_opened += 1
        else:
            lacks[0] = -key
        sift_down(lacks, heap, 0, left)
    opened = opened[:number_opened]
    opened = opened[np.argsort(-groups.values[opened], kind="mergesort")]
    _move_up(groups, kept, placement, outside, opened)
    worth = 0.0
    for profile in range(places.shape[0]):
        value = outside[profile] if places[profile] == NO_GROUP else groups.values[places[profile]]
        worth += groups.people[profile] * groups.weights[profile] * value
    for group in opened:
        if 0 < held[group] < groups.least:
            worth -= groups.fee
    return worth


@compiled
def _key(groups: GroupTables, noise: float, group: int, prices: FloatArray, places: IntArray) -> tuple[float, int]:
    """Return (dollars that a group pays for each unit of weight above people's prices; how many people it can take).

    Only the first members in no group count, as many as the group needs.
    """
    available, weight, asked = 0, 0.0, 0.0
    for place in range(groups.starts[group], groups.starts[group + 1]):
        profile = groups.members[place]
        if places[profile] == NO_GROUP:
            available += groups.people[profile]
            weight += groups.people[profile] * groups.weights[profile]
            asked += groups.people[profile] * prices[profile]
            if available >= groups.least:
                break
    if weight == 0:
        return -np.inf, available
    if available < groups.least:
        asked += groups.fee
    return groups.values[group] - asked / weight + noise, available


@compiled
def _is_worth_its_fee(groups: GroupTables, group: int, outside: FloatArray, places: IntArray) -> bool:
    gain = 0.0
    for place in range(groups.starts[group], groups.starts[group + 1]):
        profile = groups.members[place]
        if places[profile] == NO_GROUP:
            more = max(groups.values[group] - outside[profile], 0.0)
            gain += more * groups.people[profile] * groups.weights[profile]
    return gain > groups.fee


@compiled
def _open(groups: GroupTables, kept: KeptTables, placement: Placement, group: int, only: bool) -> bool:
    """Put profiles in no group into this, all or ``only`` as many as it needs; return whether it keeps the rules."""
    for counting in (True, False):  # if not all are needed, people of weight 0 come last
        for place in range(groups.starts[group], groups.starts[group + 1]):
            profile = groups.members[place]
            if only and placement.held[group] >= groups.least:
                break
            if placement.group_of[profile] == NO_GROUP and (groups.weights[profile] > 0) == counting:
                move_profile(groups, kept, placement, profile, group)
    if placement.shown.shape[0] == 0 or keeps_rules(placement.shown[group], kept):
        return True
    for place in range(groups.starts[group], groups.starts[group + 1]):
        profile = groups.members[place]
        if placement.group_of[profile] == group:
            move_profile(groups, kept, placement, profile, NO_GROUP)
    return False


@compiled
def _keeps_with(kept: KeptTables, shown: IntArray, group: int, profile: int, sign: int) -> bool:
    """Return whether a group keeps the rules with a profile's records, or without them."""
    if shown.shape[0] == 0:
        return True
    add_records(shown, group, kept, profile, sign)
    holds = keeps_rules(shown[group], kept)
    add_records(shown, group, kept, profile, -sign)
    return holds


@compiled
def _move_up(
    groups: GroupTables, kept: KeptTables, placement: Placement, outside: FloatArray, opened: IntArray
) -> None:
    """Move profiles to better groups, ``opened`` from the greatest value down, or out of all groups."""
    group_of = placement.group_of
    for group in opened:
        if placement.held[group] == 0:
            continue
        for place in range(groups.starts[group], groups.starts[group + 1]):
            profile = groups.members[place]
            before = group_of[profile]
            value = outside[profile] if before == NO_GROUP else groups.values[before]
            if before == group or value >= groups.values[group] or not _may_leave(groups, kept, placement, profile):
                continue
            if _keeps_with(kept, placement.shown, group, profile, 1):
                move_profile(groups, kept, placement, profile, group)
    for profile in range(group_of.shape[0]):
        before = group_of[profile]
        better = before != NO_GROUP and outside[profile] > groups.values[before]
        if better and _may_leave(groups, kept, placement, profile):
            move_profile(groups, kept, placement, profile, NO_GROUP)


@compiled
def _may_leave(groups: GroupTables, kept: KeptTables, placement: Placement, profile: int) -> bool:
    """Return whether a profile can leave its group, if it is in one, without harm to the others in it."""
    before = placement.group_of[profile]
    if before == NO_GROUP:
        return True
    rest = placement.held[before] - groups.people[profile]
    if rest < groups.least <= placement.held[before]:
        return False
    return rest == 0 or _keeps_with(kept, placement.shown, before, profile, -1)
