"""Better groups by destroying some that share people and repairing the rest at random: one step of a search."""

from typing import NamedTuple

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.kernels.compiled import allocating, compiled
from gamedeid.kernels.group_listing import spread_bits
from gamedeid.kernels.group_opening import NO_GROUP, Placement, draw_uniform, move_profile, open_groups
from gamedeid.kernels.group_prices import GroupTables
from gamedeid.kernels.group_rules import KeptTables, keeps_rules
from gamedeid.reprs import brief

_DESTROYED_BELOW = 12
"""Fewer groups than this are destroyed together."""

_ONLY_NEEDED = 0.7
"""Chance that a repaired group takes only as many people as it needs, and leaves the others to the next ones."""


@brief
class Neighbourhoods(NamedTuple):
    """The neighbourhood of a group in the search, and the sizes of its steps."""

    by_profile: IntArray  # (p + 1,) int64: where the groups of each profile begin
    groups_of: IntArray  # (e,) int32: groups of profile after profile, ascending
    prices: FloatArray  # (p,) price of a person of each profile, dollars
    most_profiles: int  # that are freed together
    repairs: int  # tries to place them again
    noise: float  # mean dollars by which the order of the groups is disturbed


@brief
class Proposals(NamedTuple):
    """The changes that each try of a step proposes: better places of some profiles."""

    gains: FloatArray  # (b,) dollars; 0 where nothing better was found
    counts: IntArray  # (b,) int64: how many profiles
    profiles: IntArray  # (b, m) their numbers
    places: IntArray  # (b, m) the new group of each, or NO_GROUP


@allocating
def propose_repairs(
    groups: GroupTables,
    kept: KeptTables,
    placement: Placement,
    around: Neighbourhoods,
    seed: int,
    first: int,
    last: int,
    proposals: Proposals,
) -> None:
    """Look for better places of the profiles around one group at random, for each of the tries first..last-1.

    Some groups that share profiles with it are destroyed. Groups are opened again at random, and the remaining profiles
    join the best group that stayed open. The best of several such repairs is proposed if it pays more.
    """
    count = groups.values.shape[0]
    scratch = (np.zeros(count, np.int64), np.full(count, NO_GROUP, np.int64))
    destroyed = np.zeros(count, np.bool_)
    for number in range(first, last):
        state = np.array([spread_bits(seed) ^ spread_bits(number + 1)], np.uint64)
        proposals.gains[number], proposals.counts[number] = 0.0, 0
        freed, broken = _destroy(groups, placement, around, state, destroyed, scratch[0])
        if freed.shape[0] > 0:
            _repair(groups, kept, placement, around, state, freed, broken, destroyed, scratch, number, proposals)
        for group in broken:
            destroyed[group] = False


@allocating
def _destroy(
    groups: GroupTables,
    placement: Placement,
    around: Neighbourhoods,
    state: IntArray,
    destroyed: BoolArray,
    left: IntArray,
) -> tuple[IntArray, IntArray]:
    """Return (freed profiles, those first that may gain most; groups that are destroyed), around a group at random.

    All profiles of the destroyed groups are freed, and members of the group that their own groups do not need.
    """
    centre = int(draw_uniform(state) * groups.values.shape[0])
    members = groups.members[groups.starts[centre] : groups.starts[centre + 1]].astype(np.int64)
    for place in range(members.shape[0] - 1, 0, -1):
        other = int(draw_uniform(state) * (place + 1))
        members[place], members[other] = members[other], members[place]
    most = int(draw_uniform(state) * _DESTROYED_BELOW)
    freed, broken = np.empty(around.most_profiles, np.int64), np.empty(most, np.int64)
    count, groups_broken = 0, 0
    for profile in members:
        group = placement.group_of[profile]
        before = count
        if group == NO_GROUP:
            if count < around.most_profiles:
                freed[count] = profile
                count += 1
        elif groups_broken < most and not destroyed[group]:
            for place in range(groups.starts[group], groups.starts[group + 1]):
                if placement.group_of[groups.members[place]] == group:
                    if count == around.most_profiles:
                        count = before - 1
                        break
                    freed[count] = groups.members[place]
                    count += 1
            if count < before:
                count = before  # it is too large
            else:
                destroyed[group] = True
                broken[groups_broken] = group
                groups_broken += 1
    not_needed = count
    for profile in members:
        group = placement.group_of[profile]
        if group == NO_GROUP or destroyed[group] or count == around.most_profiles:
            continue
        rest = placement.held[group] - left[group] - groups.people[profile]
        if rest >= groups.least or 0 < rest <= placement.held[group] < groups.least:
            left[group] += groups.people[profile]
            freed[count] = profile
            count += 1
    freed = freed[:count]
    for profile in freed[not_needed:]:
        left[placement.group_of[profile]] = 0
    gains = groups.weights[freed] * groups.values[0] - around.prices[freed]
    return freed[np.argsort(-gains, kind="mergesort")], broken[:groups_broken]


@allocating
def _repair(
    groups: GroupTables,
    kept: KeptTables,
    placement: Placement,
    around: Neighbourhoods,
    state: IntArray,
    freed: IntArray,
    broken: IntArray,
    destroyed: BoolArray,
    scratch: tuple[IntArray, IntArray],
    number: int,
    proposals: Proposals,
) -> None:
    """Propose the best of several repairs, if it pays more than the destroyed groups."""
    count = freed.shape[0]
    best_outside = np.full(count, NO_GROUP, np.int64)
    outside = np.zeros(count)
    current = 0.0
    for one in range(count):
        profile = freed[one]
        if placement.group_of[profile] != NO_GROUP:
            current += groups.people[profile] * groups.weights[profile] * groups.values[placement.group_of[profile]]
        for place in range(around.by_profile[profile], around.by_profile[profile + 1]):
            group = around.groups_of[place]
            if placement.held[group] == 0 or destroyed[group]:
                continue
            if kept.kinds.shape[0] == 0 or keeps_rules(placement.shown[group] + kept.counts[profile], kept):
                best_outside[one], outside[one] = group, groups.values[group]
                break
    for group in broken:
        if placement.held[group] < groups.least:
            current -= groups.fee
    possible, numbers = _possible_groups(groups, around, freed, scratch)
    rules = KeptTables(kept.counts[freed], kept.kinds, kept.spans, kept.limits, kept.overall)
    best = current + 1e-9 * max(abs(current), 1.0)
    places, prices = np.empty(count, np.int64), around.prices[freed]
    for _ in range(around.repairs):
        worth = open_groups(possible, rules, outside, prices, state, around.noise, _ONLY_NEEDED, places)
        if worth > best:
            best = worth
            proposals.gains[number], proposals.counts[number] = worth - current, count
            for one in range(count):
                proposals.profiles[number, one] = freed[one]
                place = places[one]
                proposals.places[number, one] = best_outside[one] if place == NO_GROUP else numbers[place]


@allocating
def _possible_groups(
    groups: GroupTables, around: Neighbourhoods, freed: IntArray, scratch: tuple[IntArray, IntArray]
) -> tuple[GroupTables, IntArray]:
    """Return the groups that freed profiles can form alone, and their numbers; members by their place in ``freed``."""
    people, local = scratch
    most, count = 0, 0
    for profile in freed:
        for place in range(around.by_profile[profile], around.by_profile[profile + 1]):
            most += people[around.groups_of[place]] == 0
            people[around.groups_of[place]] += groups.people[profile]
    listed, sizes = np.empty(most, np.int64), np.zeros(most, np.int64)
    for profile in freed:
        for place in range(around.by_profile[profile], around.by_profile[profile + 1]):
            group = around.groups_of[place]
            if people[group] >= groups.least or groups.fee < np.inf:
                if local[group] == NO_GROUP:
                    local[group], listed[count] = count, group
                    count += 1
                sizes[local[group]] += 1
    listed = listed[:count]
    starts = np.zeros(count + 1, np.int64)
    for group in range(count):
        starts[group + 1] = starts[group] + sizes[group]
    members, cursor = np.empty(starts[count], groups.members.dtype), starts[:count].copy()
    for one in range(freed.shape[0]):
        for place in range(around.by_profile[freed[one]], around.by_profile[freed[one] + 1]):
            number_here = local[around.groups_of[place]]
            if number_here != NO_GROUP:
                members[cursor[number_here]] = one
                cursor[number_here] += 1
    for profile in freed:
        for place in range(around.by_profile[profile], around.by_profile[profile + 1]):
            people[around.groups_of[place]] = 0
            local[around.groups_of[place]] = NO_GROUP
    tables = GroupTables(
        starts, members, groups.values[listed], groups.people[freed], groups.weights[freed], groups.least, groups.fee
    )
    return tables, listed


@allocating
def accept_repairs(
    groups: GroupTables, kept: KeptTables, placement: Placement, step: int, proposals: Proposals
) -> float:
    """Carry out proposals in their order; return their gain, dollars.

    A proposal is left out if an earlier one changed a group that it takes from or gives to, or if it breaks the rules.
    """
    gained = 0.0
    for number in range(proposals.gains.shape[0]):
        count = proposals.counts[number]
        if count == 0 or not _is_current(placement, step, number, proposals):
            continue
        profiles, after = proposals.profiles[number, :count], proposals.places[number, :count]
        before = placement.group_of[profiles]
        for one in range(count):
            move_profile(groups, kept, placement, profiles[one], after[one])
        holds = True
        if kept.kinds.shape[0] > 0:
            for group in after:
                holds &= group == NO_GROUP or keeps_rules(placement.shown[group], kept)
            for group in before:
                holds &= group == NO_GROUP or keeps_rules(placement.shown[group], kept)
        if not holds:
            for one in range(count):
                move_profile(groups, kept, placement, profiles[one], before[one])
            continue
        for one in range(count):
            if before[one] != NO_GROUP:
                placement.changed[before[one]] = step
            if after[one] != NO_GROUP:
                placement.changed[after[one]] = step
        gained += proposals.gains[number]
    return gained


@compiled
def _is_current(placement: Placement, step: int, number: int, proposals: Proposals) -> bool:
    """Return whether no group that a proposal takes from or gives to was changed in this step."""
    for one in range(proposals.counts[number]):
        before = placement.group_of[proposals.profiles[number, one]]
        after = proposals.places[number, one]
        if before != NO_GROUP and placement.changed[before] == step:
            return False
        if after != NO_GROUP and placement.changed[after] == step:
            return False
    return True
