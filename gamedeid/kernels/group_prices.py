"""Profits of released groups at prices for people: the steps of a bound that no mechanism exceeds."""

from typing import NamedTuple

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.kernels.compiled import allocating, compiled
from gamedeid.reprs import brief

_STEPS = 32
"""Steps to which losses are rounded down for a first test of whether they matter."""


@brief
class GroupTables(NamedTuple):
    """Groups that may be open, with their members, and the weights of profiles and groups."""

    starts: IntArray  # (g + 1,) int64: where the members of each group begin
    members: IntArray  # (e,) numbers of profiles
    values: FloatArray  # (g,) v of the group, dollars for each unit of weight
    people: IntArray  # (p,) int64: of each profile, at least 1
    weights: FloatArray  # (p,) weight of a person of each profile, 0 or more
    least: int  # people from which on a group costs nothing
    fee: float  # fee of a smaller group, dollars; infinite where it may not be open


@allocating
def first_prices(groups: GroupTables, held: IntArray) -> FloatArray:
    """Return the most that a person of each profile, (p,), can be worth in a group with ``held``, (g,), people."""
    prices = np.zeros(groups.people.shape[0])
    for group in range(groups.values.shape[0]):
        fee = 0.0 if held[group] >= groups.least else groups.fee / held[group]
        for place in range(groups.starts[group], groups.starts[group + 1]):
            profile = groups.members[place]
            worth = groups.weights[profile] * groups.values[group] - fee
            prices[profile] = max(prices[profile], worth)
    return prices


@allocating
def price_groups(
    price_table: FloatArray, groups: GroupTables, first: int, last: int, floor: float, profits: FloatArray
) -> None:
    """Write the greatest profit of each of the groups first..last-1 above the prices of its members, dollars.

    A group takes the profiles that gain. If these are too few people, it pays its fee, or also takes the profiles that
    lose least for each person until there are enough, the last of them in part. ``price_table``, (p, 3), has for each
    profile the price of a person in dollars, the weight of a person, and the number of people.
    """
    room = groups.people.shape[0]
    scratch = (np.empty(room), np.empty(room, np.int64), np.empty(_STEPS + 1, np.int64))
    for group in range(first, last):
        profits[group] = _price_group(price_table, groups, group, floor, scratch, profits[:0])


@allocating
def use_profiles(price_table: FloatArray, groups: GroupTables, opened: IntArray, used: FloatArray) -> None:
    """Add to ``used``, (p,), the number of groups, (k,), that take each profile at their greatest profit."""
    room = groups.people.shape[0]
    scratch = (np.empty(room), np.empty(room, np.int64), np.empty(_STEPS + 1, np.int64))
    for group in opened:
        _price_group(price_table, groups, group, 0.0, scratch, used)


@compiled
def _price_group(
    price_table: FloatArray,
    groups: GroupTables,
    group: int,
    floor: float,
    scratch: tuple[FloatArray, IntArray, IntArray],
    used: FloatArray,
) -> float:
    """Return the profit of a group; where ``used``, (p,), is not empty, count its people there."""
    losses, losers, steps = scratch
    begin, end = groups.starts[group], groups.starts[group + 1]
    value, gain, held, total = groups.values[group], 0.0, 0, 0
    for place in range(begin, end):
        profile = groups.members[place]
        net = price_table[profile, 1] * value - price_table[profile, 0]
        people = int(price_table[profile, 2])
        total += people
        if net > 0:
            gain += net * people
            held += people
    profit, count, left, share = gain, 0, 0, 0.0
    if held < groups.least:
        profit = gain - groups.fee
        missing, most = groups.least - held, gain - max(profit, floor)
        if total >= groups.least and _may_be_filled(price_table, groups, group, missing, most, steps):
            for place in range(begin, end):
                profile = groups.members[place]
                loss = price_table[profile, 0] - price_table[profile, 1] * value
                if loss >= 0 and loss * min(int(price_table[profile, 2]), missing) < most:
                    losses[count], losers[count] = loss, profile
                    count += 1
            lost, left, share = _cheapest(losses, losers, count, missing, most, groups.people)
            if lost < most:
                profit = gain - lost
            else:
                left = count
    if profit < floor:
        return -np.inf
    if used.shape[0] > 0:
        for place in range(begin, end):
            profile = groups.members[place]
            if price_table[profile, 1] * value - price_table[profile, 0] > 0:
                used[profile] += 1.0
        for place in range(left, count):
            used[losers[place]] += share if place == left else 1.0
    return profit


@compiled
def _may_be_filled(
    price_table: FloatArray, groups: GroupTables, group: int, missing: int, most: float, steps: IntArray
) -> bool:
    """Return whether ``missing`` people may lose less than ``most`` by joining; decided by rounding losses down."""
    if most <= 0:
        return False
    value, width = groups.values[group], 4.0 * most / missing / _STEPS
    steps[:] = 0
    scale = 1.0 / width
    for place in range(groups.starts[group], groups.starts[group + 1]):
        profile = groups.members[place]
        step = (price_table[profile, 0] - price_table[profile, 1] * value) * scale
        if step >= 0:
            steps[int(min(step, _STEPS))] += int(price_table[profile, 2])
    lost = 0.0
    for step in range(_STEPS + 1):
        joining = min(steps[step], missing)
        lost += joining * step * width
        missing -= joining
        if missing == 0 or lost >= most:
            break
    return missing == 0 and lost * (1.0 - 1e-9) < most


@compiled
def _cheapest(
    losses: FloatArray, losers: IntArray, count: int, missing: int, most: float, people: IntArray
) -> tuple[float, int, float]:
    """Take the profiles that lose least for each person until ``missing`` people are there; they are put last.

    Returns their loss, infinite where they are too few or would lose ``most`` or more; how many are left; and the
    share of the last one, the first of those taken, that is needed.
    """
    for root in range(count // 2 - 1, -1, -1):
        sift_down(losses, losers, root, count)
    lost, left = 0.0, count
    while left > 0:
        size = people[losers[0]]
        share = min(1.0, missing / size)
        lost += losses[0] * size * share
        if lost >= most:
            break
        missing -= size
        left -= 1
        losses[0], losses[left] = losses[left], losses[0]
        losers[0], losers[left] = losers[left], losers[0]
        sift_down(losses, losers, 0, left)
        if missing <= 0:
            return lost, left, share
    return np.inf, count, 0.0


@compiled
def sift_down(keys: FloatArray, owners: IntArray, root: int, count: int) -> None:
    """Let an entry of a heap sink to its place; the least key comes first, the smaller owner among equals."""
    while 2 * root + 1 < count:
        child = 2 * root + 1
        if child + 1 < count and _is_before(keys, owners, child + 1, child):
            child += 1
        if not _is_before(keys, owners, child, root):
            return
        keys[root], keys[child] = keys[child], keys[root]
        owners[root], owners[child] = owners[child], owners[root]
        root = child


@compiled
def _is_before(keys: FloatArray, owners: IntArray, one: int, other: int) -> bool:
    return bool(keys[one] < keys[other] or (keys[one] == keys[other] and owners[one] < owners[other]))
