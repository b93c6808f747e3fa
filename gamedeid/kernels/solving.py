"""The inner loops, compiled by numba: what happens once per profile, strategy or cell.

They stand in one file because numba's on-disk cache notices a change only in the file of the kernel itself: a kernel
that called another across files could be served stale. The rooms that call them say what they are for. Strategies are
*node numbers* of :class:`gamedeid.generalization.lattice.Lattice`, profiles are rows of leaf codes.
"""

import heapq
from typing import NamedTuple

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.kernels.compiled import compiled
from gamedeid.reprs import short_repr

NOBODY_CHOSEN = -1

NARROW = 8
"""Rows of fewer numbers are summed number by number: to slice them would take longer."""


class Ladders(NamedTuple):
    """All hierarchies as padded tables: a attributes, h the most levels, l the most leaves plus the missing one."""

    heights: IntArray  # (a,) int64: levels of each attribute
    strides: IntArray  # (a,) int64: what one level more adds to a node number
    levels: IntArray  # (n, a) int8: levels of each node
    walk_keys: IntArray  # (n,) int64: order nodes by sum of levels, then lexicographically
    groups: IntArray  # (a, h, l) int32: group of a leaf at a level
    raw_losses: FloatArray  # (a, h, l): weight x ln(group size)
    total_loss: float  # the raw loss of the whole domain

    def __repr__(self) -> str:
        return short_repr(self)


class Tables(NamedTuple):
    """Where population counts stand; ``dense`` picks which half is in use."""

    dense: bool
    cells: IntArray  # dense: (total,) int64, the roll-ups one after another
    offsets: IntArray  # (n,) int64: start of a node's roll-up in cells, or its row in rows; -1 while not counted
    steps: IntArray  # dense: (n, a) int64: how far apart neighbouring groups of an attribute stand in a node's roll-up
    rows: IntArray  # sparse: (k, q) int64, people per counted node and profile
    least: int  # no count is below this: 1 when a record without a match counts as one of a kind

    def __repr__(self) -> str:
        return short_repr(self)


class Stakes(NamedTuple):
    """What the players stand to win and lose, as the loops need it."""

    benefit: float
    loss: float
    attack_limit: int  # the adversary attacks groups of 1..attack_limit people
    tolerance: float  # payoffs closer than this are equal


@compiled
def share_value(ladders: Ladders, codes: IntArray, node: int, benefit: float) -> float:
    """Return v(g), summing the attributes in their order so that every caller rounds alike."""
    raw = 0.0
    for attribute in range(codes.shape[0]):
        raw += ladders.raw_losses[attribute, ladders.levels[node, attribute], codes[attribute]]
    return benefit * (1.0 - raw / ladders.total_loss)


@compiled
def people_at(tables: Tables, ladders: Ladders, codes: IntArray, profile: int, node: int) -> int:
    """Return n_p(g) of one profile at a node that has been counted."""
    if tables.dense:
        position = tables.offsets[node]
        for attribute in range(codes.shape[0]):
            group = ladders.groups[attribute, ladders.levels[node, attribute], codes[attribute]]
            position += tables.steps[node, attribute] * group
        people = tables.cells[position]
    else:
        people = tables.rows[tables.offsets[node], profile]
    return int(max(people, tables.least))


@compiled
def attacked_value(value: float, people: int, loss: float) -> float:
    """Return v - L pi, where nobody found means pi = 0."""
    if people == 0:
        return value
    return value - loss / people


@compiled
def payoff_of(value: float, people: int, stakes: Stakes) -> float:
    """Return the publisher's payoff, given that the adversary replies as suits her best."""
    if people <= stakes.attack_limit:
        return attacked_value(value, people, stakes.loss)
    return value


# --- counting ---------------------------------------------------------------------------------------------------------


@compiled
def roll_up(source: IntArray, starts: IntArray, runs: int, inner: int, target: IntArray, first: int, last: int) -> None:
    """Sum an (outer, middle, inner) block over runs of its middle axis; ``starts`` (runs + 1,) ends with its length.

    Only rows first..last-1 of the (outer x runs, inner) sums are made.
    """
    middle = starts[runs]
    block, run = divmod(first, runs)
    for row in range(first, last):
        begin, end = block * middle + starts[run], block * middle + starts[run + 1]
        if inner < NARROW:
            for column in range(inner):
                total = source[begin * inner + column]
                for place in range(begin + 1, end):
                    total += source[place * inner + column]
                target[row * inner + column] = total
        else:
            sums = target[row * inner : (row + 1) * inner]
            sums[:] = source[begin * inner : (begin + 1) * inner]
            for place in range(begin + 1, end):
                row_there = source[place * inner : (place + 1) * inner]
                for column in range(inner):
                    sums[column] += row_there[column]
        run += 1
        if run == runs:
            run = 0
            block += 1


@compiled
def roll_up_steps(nodes: IntArray, offsets: IntArray, ladders: Ladders, sizes: IntArray) -> list[tuple[int, int, int]]:
    """Return the roll-ups, (finer node, coarser node, attribute raised) each, that lead to every node, (k,), in order.

    Each comes from the smallest cube one step finer, (n,) ``sizes``, and so on down to one whose offset is known.
    """
    steps = [(0, 0, 0)]
    planned = {0}
    for node in nodes:
        first = len(steps)
        here = node
        while offsets[here] < 0 and here not in planned:
            planned.add(here)
            finer = -1
            raised = 0
            for attribute in range(ladders.heights.shape[0]):
                if ladders.levels[here, attribute] > 0:
                    parent = here - ladders.strides[attribute]
                    if finer < 0 or sizes[parent] < sizes[finer]:
                        finer = parent
                        raised = attribute
            steps.append((finer, here, raised))
            here = finer
        steps[first:] = steps[first:][::-1]
    return steps[1:]


@compiled
def add_people(codes: IntArray, people: IntArray, widths: IntArray, target: IntArray) -> None:
    """Add each population cell into the most specific roll-up; codes is (c, a), widths (a,)."""
    for cell in range(codes.shape[0]):
        position = 0
        for attribute in range(codes.shape[1]):
            position = position * widths[attribute] + codes[cell, attribute]
        target[position] += people[cell]


@compiled
def people_of(
    tables: Tables, ladders: Ladders, codes: IntArray, profiles: IntArray, nodes: IntArray, out: IntArray
) -> None:
    """Write n_p of each pair of profile and node, (k,), into ``out``, (k,) int64."""
    for index in range(profiles.shape[0]):
        profile = profiles[index]
        out[index] = people_at(tables, ladders, codes[profile], profile, nodes[index])


@compiled
def values_of(
    ladders: Ladders, codes: IntArray, profiles: IntArray, nodes: IntArray, benefit: float, out: FloatArray
) -> None:
    """Write v(g) of each pair of profile and node, (k,), into ``out``, (k,)."""
    for index in range(profiles.shape[0]):
        raw = 0.0  # as share_value has it, without its table of levels
        for attribute in range(codes.shape[1]):
            level = nodes[index] // ladders.strides[attribute] % ladders.heights[attribute]
            raw += ladders.raw_losses[attribute, level, codes[profiles[index], attribute]]
        out[index] = benefit * (1.0 - raw / ladders.total_loss)


# --- exact ------------------------------------------------------------------------------------------------------------


class BestFirst(NamedTuple):
    """Strategies of each kind of profile from the greatest v(g) down, in walk order among equals."""

    nodes: IntArray  # (k, limit) int64
    values: FloatArray  # (k, limit), v(g)
    lengths: IntArray  # (k,) int64, how many are listed
    complete: bool  # whether the limit leaves out none

    def __repr__(self) -> str:
        return short_repr(self)


@compiled
def best_first(ladders: Ladders, codes: IntArray, floors: IntArray, benefit: float, lists: BestFirst) -> None:
    """Fill ``lists`` for representative profiles of each kind, (k, a) codes and floors.

    Each strategy is reached once: from the one that has one level less in the last attribute above its floor.
    """
    attributes = ladders.heights.shape[0]
    for kind in range(codes.shape[0]):
        start = 0
        for attribute in range(attributes):
            start += floors[kind, attribute] * ladders.strides[attribute]
        heap = [(-share_value(ladders, codes[kind], start, benefit), ladders.walk_keys[start])]
        listed = 0
        while len(heap) > 0 and listed < lists.nodes.shape[1]:
            negative, key = heapq.heappop(heap)
            node = key % ladders.levels.shape[0]
            lists.nodes[kind, listed] = node
            lists.values[kind, listed] = -negative
            listed += 1
            for attribute in range(attributes - 1, -1, -1):
                if ladders.levels[node, attribute] + 1 < ladders.heights[attribute]:
                    child = node + ladders.strides[attribute]
                    value = share_value(ladders, codes[kind], child, benefit)
                    heapq.heappush(heap, (-value, ladders.walk_keys[child]))
                if ladders.levels[node, attribute] > floors[kind, attribute]:
                    break
        lists.lengths[kind] = listed


class Search(NamedTuple):
    """How far the exact search has come for each profile of a block, (b,) each."""

    position: IntArray  # next entry of the best-first list
    best: FloatArray  # greatest payoff seen
    chosen: IntArray  # first in walk order among the payoffs equal to best; -1 none
    chosen_payoff: FloatArray
    searched: IntArray  # strategies whose payoff was evaluated
    attacked: IntArray  # entries at the head of the list that were all looked up and are all attacked
    unsure: BoolArray  # a chain of near-equal payoffs was met: the choice is made again at the end
    done: BoolArray

    def __repr__(self) -> str:
        return short_repr(self)


@compiled
def prove_best(
    active: IntArray,
    lists_of: IntArray,
    lists: BestFirst,
    tables: Tables,
    ladders: Ladders,
    codes: IntArray,
    stakes: Stakes,
    forbids_attack: bool,
    search: Search,
    first: int,
    wanted: IntArray,
) -> None:
    """Walk each profile down its best-first list until no strategy left can change the answer.

    ``search`` begins with profile ``first``. ``wanted`` (active,) receives the node whose people must be counted before
    the profile can go on, or -1.
    """
    for index in range(active.shape[0]):
        profile = active[index]
        here = profile - first
        kind = lists_of[index]
        wanted[index] = NOBODY_CHOSEN
        position, searched, attacked = search.position[here], search.searched[here], search.attacked[here]
        best, chosen, chosen_payoff = search.best[here], search.chosen[here], search.chosen_payoff[here]
        chosen_key = ladders.walk_keys[chosen] if chosen >= 0 else 0
        while True:
            if position >= lists.lengths[kind]:
                search.done[here] = lists.complete or position < lists.nodes.shape[1]
                break
            value = lists.values[kind, position]
            if value <= best - stakes.tolerance:
                search.done[here] = True
                break
            node = lists.nodes[kind, position]
            key = ladders.walk_keys[node]
            if value <= best and chosen >= 0 and key > chosen_key:
                position += 1
                continue
            if tables.offsets[node] < 0:
                wanted[index] = node
                break
            people = people_at(tables, ladders, codes[profile], profile, node)
            searched += 1
            if 0 < people <= stakes.attack_limit:
                attacked += attacked == position
                if forbids_attack:
                    position += 1
                    continue
            position += 1
            payoff = payoff_of(value, people, stakes)
            if payoff > best:
                keeps = chosen >= 0 and chosen_payoff > payoff - stakes.tolerance
                if chosen >= 0 and not keeps and best > payoff - stakes.tolerance:
                    search.unsure[here] = True
                if not keeps or key < chosen_key:
                    chosen, chosen_key, chosen_payoff = node, key, payoff
                best = payoff
            elif payoff > best - stakes.tolerance and key < chosen_key:
                chosen, chosen_key, chosen_payoff = node, key, payoff
        search.position[here], search.searched[here], search.attacked[here] = position, searched, attacked
        search.best[here], search.chosen[here], search.chosen_payoff[here] = best, chosen, chosen_payoff


# --- lattice search ---------------------------------------------------------------------------------------------------


@compiled
def most_beyond(ladders: Ladders, codes: IntArray, floors: IntArray, node: int, benefit: float) -> float:
    """Return the greatest v(g) of strategies above the floor, (a,), that are not at most as general as ``node``."""
    start = 0
    for attribute in range(codes.shape[0]):
        start += floors[attribute] * ladders.strides[attribute]
    most = -np.inf
    for attribute in range(codes.shape[0]):
        level = ladders.levels[node, attribute] + 1
        if level < ladders.heights[attribute]:
            raised = start + (level - floors[attribute]) * ladders.strides[attribute]
            most = max(most, share_value(ladders, codes, raised, benefit))
    return most


@compiled
def descend(
    active: IntArray,
    tables: Tables,
    ladders: Ladders,
    codes: IntArray,
    stakes: Stakes,
    forbids_attack: bool,
    standing: IntArray,
    searched: IntArray,
    done: BoolArray,
    wanted: IntArray,
    floors: IntArray,
    bounds: FloatArray,
    beyond: FloatArray,
) -> None:
    """Move each profile down the lattice by Algorithm 2; ``wanted`` (active, a + 1) says what to count first.

    ``bounds`` (q,) rises to what strategies no more general than one stood on can pay, ``beyond`` (q,) falls to what
    the others can; both are about permitted strategies.
    """
    attributes = ladders.heights.shape[0]
    values = np.empty(attributes)
    for index in range(active.shape[0]):
        profile = active[index]
        wanted[index, :] = NOBODY_CHOSEN
        while not done[profile]:
            node = standing[profile]
            if tables.offsets[node] < 0:
                wanted[index, attributes] = node
                break
            people = people_at(tables, ladders, codes[profile], profile, node)
            if people == 0 or people > stakes.attack_limit:
                done[profile] = True
                break
            missing = False
            children = 0
            for attribute in range(attributes):
                if ladders.levels[node, attribute] + 1 < ladders.heights[attribute]:
                    children += 1
                    if tables.offsets[node + ladders.strides[attribute]] < 0:
                        wanted[index, attribute] = node + ladders.strides[attribute]
                        missing = True
            if missing:
                break
            if not forbids_attack:
                bounds[profile] = max(bounds[profile], attacked_value(beyond[profile], people, stakes.loss))
            beyond[profile] = most_beyond(ladders, codes[profile], floors[profile], node, stakes.benefit)
            if children == 0:
                done[profile] = True
                break
            best_child = -np.inf
            for attribute in range(attributes):
                values[attribute] = -np.inf
                if ladders.levels[node, attribute] + 1 < ladders.heights[attribute]:
                    child = node + ladders.strides[attribute]
                    people_there = people_at(tables, ladders, codes[profile], profile, child)
                    value = share_value(ladders, codes[profile], child, stakes.benefit)
                    values[attribute] = attacked_value(value, people_there, stakes.loss)
                    best_child = max(best_child, values[attribute])
            searched[profile] += children
            here = attacked_value(share_value(ladders, codes[profile], node, stakes.benefit), people, stakes.loss)
            best = best_child if forbids_attack else max(best_child, here)
            step = NOBODY_CHOSEN
            for attribute in range(attributes):
                if values[attribute] > best - stakes.tolerance:
                    step = attribute
            if step == NOBODY_CHOSEN:
                done[profile] = True
                break
            standing[profile] = node + ladders.strides[step]
