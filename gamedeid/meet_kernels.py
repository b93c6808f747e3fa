"""The inner loops of large lattices: one profile against all cells of the population, without a table of strategies.

The *meet levels* of a profile and a cell are, attribute by attribute, the least levels at which the cell is in the
profile's group. At a strategy match those cells whose meet levels it reaches everywhere, so that a histogram of meet
levels, summed up along each attribute, holds the people of all strategies of a box of levels at once.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeVar, cast

import numba
import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray

F = TypeVar("F", bound=Callable[..., object])

NOBODY_CHOSEN = -1


def _compiled(function: F) -> F:
    return cast("F", numba.njit(cache=True, nogil=True)(function))


class Crowd(NamedTuple):
    """The population's distinct cells: c cells, a attributes, h the most levels, u the most leaves in use."""

    codes: IntArray  # (c, a) int32: which of the leaves in use
    people: IntArray  # (c,)
    used: IntArray  # (a,) int64: how many leaves are in use
    groups: IntArray  # (a, h, u) int32: group of each leaf in use at a level
    least: int  # no count is below this


class Rungs(NamedTuple):
    """All hierarchies: l the most leaves plus the missing one."""

    heights: IntArray  # (a,) int64
    strides: IntArray  # (a,) int64: what one level more adds to a node number
    groups: IntArray  # (a, h, l) int32
    raw_losses: FloatArray  # (a, h, l)
    total_loss: float


class Rules(NamedTuple):
    """What the players stand to win and lose, and what is permitted."""

    benefit: float
    loss: float
    attack_limit: int
    tolerance: float
    forbids_attack: bool


class Answers(NamedTuple):
    """What is found for each profile, (q,) each."""

    nodes: IntArray  # strategy chosen or stood on; -1 none
    payoffs: FloatArray  # best payoff found; -inf none
    searched: IntArray  # strategies whose payoff was evaluated
    counted: IntArray  # strategies whose people were counted: of exact, the boxes
    bounds: FloatArray  # no permitted strategy pays more


@_compiled
def meet_levels(crowd: Crowd, rungs: Rungs, code: IntArray, meets: IntArray) -> None:
    """Write the meet levels of a profile, (a,) leaf codes, with each cell into ``meets``, (c, a) uint8."""
    attributes = code.shape[0]
    rows = np.empty((attributes, crowd.groups.shape[2]), np.uint8)
    for attribute in range(attributes):
        for leaf in range(crowd.used[attribute]):
            level = 0
            while crowd.groups[attribute, level, leaf] != rungs.groups[attribute, level, code[attribute]]:
                level += 1
            rows[attribute, leaf] = level
    for cell in range(crowd.codes.shape[0]):
        for attribute in range(attributes):
            meets[cell, attribute] = rows[attribute, crowd.codes[cell, attribute]]


@_compiled
def value_at(rungs: Rungs, code: IntArray, levels: IntArray, benefit: float) -> float:
    """Return v(g) of a profile, (a,) leaf codes, at levels, (a,), the attributes summed in their order."""
    raw = 0.0
    for attribute in range(code.shape[0]):
        raw += rungs.raw_losses[attribute, levels[attribute], code[attribute]]
    return benefit * (1.0 - raw / rungs.total_loss)


@_compiled
def value_raised(rungs: Rungs, code: IntArray, levels: IntArray, raised: int, level: int, benefit: float) -> float:
    """Return v(g) at ``levels``, (a,), with one attribute at another level."""
    raw = 0.0
    for attribute in range(code.shape[0]):
        here = level if attribute == raised else levels[attribute]
        raw += rungs.raw_losses[attribute, here, code[attribute]]
    return benefit * (1.0 - raw / rungs.total_loss)


@_compiled
def attacked_value(value: float, people: int, loss: float) -> float:
    """Return v - L pi, where nobody found means pi = 0."""
    if people == 0:
        return value
    return value - loss / people


# --- people of single strategies --------------------------------------------------------------------------------------


@_compiled
def people_of_pairs(
    crowd: Crowd, rungs: Rungs, codes: IntArray, chosen: IntArray, nodes: IntArray, out: IntArray
) -> None:
    """Write n_p of each pair of profile ``chosen`` and node, (k,), into ``out``, (k,); codes is (q, a)."""
    attributes = codes.shape[1]
    matching = np.empty((attributes, crowd.groups.shape[2]), np.bool_)
    for pair in range(chosen.shape[0]):
        for attribute in range(attributes):
            level = nodes[pair] // rungs.strides[attribute] % rungs.heights[attribute]
            group = rungs.groups[attribute, level, codes[chosen[pair], attribute]]
            for leaf in range(crowd.used[attribute]):
                matching[attribute, leaf] = crowd.groups[attribute, level, leaf] == group
        people = 0
        for cell in range(crowd.codes.shape[0]):
            alike = True
            for attribute in range(attributes):
                if not matching[attribute, crowd.codes[cell, attribute]]:
                    alike = False
                    break
            if alike:
                people += crowd.people[cell]
        out[pair] = max(people, crowd.least)


# --- lattice search ---------------------------------------------------------------------------------------------------


@_compiled
def people_around(crowd: Crowd, meets: IntArray, levels: IntArray, children: IntArray) -> int:
    """Return the people at ``levels``, (a,), and write those of each child into ``children``, (a,): one scan."""
    attributes = levels.shape[0]
    here = 0
    children[:] = 0
    for cell in range(meets.shape[0]):
        beyond = -1
        for attribute in range(attributes):
            if meets[cell, attribute] > levels[attribute]:
                if beyond >= 0 or meets[cell, attribute] > levels[attribute] + 1:
                    beyond = attributes
                    break
                beyond = attribute
        if beyond < 0:
            here += crowd.people[cell]
        elif beyond < attributes:
            children[beyond] += crowd.people[cell]
    for attribute in range(attributes):
        children[attribute] = max(here + children[attribute], crowd.least)
    return max(here, crowd.least)


@_compiled
def descend_one(
    crowd: Crowd, rungs: Rungs, rules: Rules, code: IntArray, floor: IntArray, meets: IntArray, levels: IntArray
) -> tuple[int, int, float]:
    """Move ``levels``, (a,), from the floor down the lattice by Algorithm 2.

    Returns
    -------
    people where it ends, strategies evaluated, and a bound on the payoff of every permitted strategy. The strategies
    stood on form a chain; what is no more general than one of them that is attacked finds no more people than it does.
    """
    attributes = code.shape[0]
    levels[:] = floor
    around = np.empty(attributes, np.int64)
    values = np.empty(attributes)
    searched = 1
    bound = -np.inf
    beyond = value_at(rungs, code, levels, rules.benefit)
    while True:
        people = people_around(crowd, meets, levels, around)
        if people == 0 or people > rules.attack_limit:
            break
        if not rules.forbids_attack:
            bound = max(bound, attacked_value(beyond, people, rules.loss))
        beyond = -np.inf
        children = 0
        best_child = -np.inf
        for attribute in range(attributes):
            values[attribute] = -np.inf
            level = levels[attribute] + 1
            if level < rungs.heights[attribute]:
                children += 1
                beyond = max(beyond, value_raised(rungs, code, floor, attribute, level, rules.benefit))
                value = value_raised(rungs, code, levels, attribute, level, rules.benefit)
                values[attribute] = attacked_value(value, around[attribute], rules.loss)
                best_child = max(best_child, values[attribute])
        if children == 0:
            break
        searched += children
        best = best_child
        if not rules.forbids_attack:
            best = max(best, attacked_value(value_at(rungs, code, levels, rules.benefit), people, rules.loss))
        step = NOBODY_CHOSEN
        for attribute in range(attributes):
            if values[attribute] > best - rules.tolerance:
                step = attribute
        if step == NOBODY_CHOSEN:
            break
        levels[step] += 1
    return people, searched, max(bound, beyond)


@_compiled
def payoff_of(rungs: Rungs, rules: Rules, code: IntArray, levels: IntArray, people: int) -> float:
    """Return the publisher's payoff at ``levels``, (a,); -inf where it is not permitted."""
    value = value_at(rungs, code, levels, rules.benefit)
    if people == 0 or people > rules.attack_limit:
        return value
    if rules.forbids_attack:
        return -np.inf
    return attacked_value(value, people, rules.loss)


@_compiled
def descend_all(
    crowd: Crowd, rungs: Rungs, rules: Rules, codes: IntArray, floors: IntArray, first: int, last: int, found: Answers
) -> None:
    """Solve profiles ``first`` to ``last`` - 1 by lattice search; codes and floors are (q, a)."""
    attributes = codes.shape[1]
    meets = np.empty(crowd.codes.shape, np.uint8)
    levels = np.empty(attributes, np.int64)
    for profile in range(first, last):
        meet_levels(crowd, rungs, codes[profile], meets)
        people, searched, bound = descend_one(crowd, rungs, rules, codes[profile], floors[profile], meets, levels)
        payoff = payoff_of(rungs, rules, codes[profile], levels, people)
        node = 0
        for attribute in range(attributes):
            node += levels[attribute] * rungs.strides[attribute]
        found.nodes[profile] = NOBODY_CHOSEN if payoff == -np.inf else node
        found.payoffs[profile] = payoff
        found.searched[profile] = searched
        found.counted[profile] = searched
        found.bounds[profile] = max(bound, payoff)


# --- exact ------------------------------------------------------------------------------------------------------------


@_compiled
def narrow(rungs: Rungs, code: IntArray, low: IntArray, high: IntArray, first: int, cut: float, benefit: float) -> int:
    """Lower the ``high`` levels, (a,), from attribute ``first`` on, to where v(g) can still be above ``cut``.

    Returns
    -------
    strategies left in the box from ``low`` to ``high``, both included; 0 where v(low) is not above the cut.
    """
    if value_at(rungs, code, low, benefit) <= cut:
        return 0
    size = 1
    for attribute in range(first, code.shape[0]):
        while high[attribute] > low[attribute] and (
            value_raised(rungs, code, low, attribute, high[attribute], benefit) <= cut
        ):
            high[attribute] -= 1
        size *= high[attribute] - low[attribute] + 1
    return size


@_compiled
def count_box(
    crowd: Crowd, meets: IntArray, low: IntArray, high: IntArray, steps: IntArray, size: int, people: IntArray
) -> None:
    """Write the people of each strategy of a box into ``people``, (size,), the last attribute quickest.

    ``steps``, (a,), receives how far apart neighbouring levels of an attribute stand.
    """
    attributes = low.shape[0]
    step = 1
    for attribute in range(attributes - 1, -1, -1):
        steps[attribute] = step
        step *= high[attribute] - low[attribute] + 1
    people[:size] = 0
    for cell in range(meets.shape[0]):
        place = 0
        for attribute in range(attributes):
            level = meets[cell, attribute]
            if level > high[attribute]:
                place = -1
                break
            if level > low[attribute]:
                place += (level - low[attribute]) * steps[attribute]
        if place >= 0:
            people[place] += crowd.people[cell]
    for attribute in range(attributes):
        step = steps[attribute]
        levels = high[attribute] - low[attribute] + 1
        for block in range(0, size, step * levels):
            for place in range(block + step, block + step * levels):
                people[place] += people[place - step]


@_compiled
def search_box(
    rungs: Rungs,
    rules: Rules,
    code: IntArray,
    low: IntArray,
    high: IntArray,
    steps: IntArray,
    people: IntArray,
    least: int,
    best: float,
    chooses: bool,
    chosen: IntArray,
) -> tuple[float, int]:
    """Evaluate the strategies of a counted box whose v(g) is above ``best`` less the tolerance.

    With ``chooses`` the best payoff is known, and the first in walk order of those that equal it goes into ``chosen``:
    (rank, node number), the rank -1 while there is none. Without, the best payoff rises on the way.

    Returns
    -------
    the best payoff, and how many strategies were evaluated.
    """
    attributes = code.shape[0]
    levels = low.copy()
    raw = np.zeros(attributes + 1)
    places = np.zeros(attributes + 1, np.int64)
    evaluated = 0
    depth = 0
    while depth >= 0:
        level = levels[depth]
        goes_on = level <= high[depth]
        if goes_on:
            raw[depth + 1] = raw[depth] + rungs.raw_losses[depth, level, code[depth]]
            most = raw[depth + 1]
            for attribute in range(depth + 1, attributes):
                most += rungs.raw_losses[attribute, low[attribute], code[attribute]]
            value = rules.benefit * (1.0 - most / rungs.total_loss)
            goes_on = value > best - rules.tolerance
        if not goes_on:  # nor do greater levels of this attribute
            levels[depth] = low[depth]
            depth -= 1
            if depth >= 0:
                levels[depth] += 1
            continue
        places[depth + 1] = places[depth] + (level - low[depth]) * steps[depth]
        if depth < attributes - 1:
            depth += 1
            continue
        evaluated += 1
        found = max(np.int64(people[places[attributes]]), least)
        payoff = value
        if 0 < found <= rules.attack_limit:
            payoff = -np.inf if rules.forbids_attack else attacked_value(value, found, rules.loss)
        if not chooses:
            best = max(best, payoff)
        elif payoff > best - rules.tolerance:
            rank = 0
            node = 0
            for attribute in range(attributes):
                rank += levels[attribute]
                node += levels[attribute] * rungs.strides[attribute]
            if chosen[0] < 0 or rank < chosen[0] or (rank == chosen[0] and node < chosen[1]):
                chosen[0] = rank
                chosen[1] = node
        levels[depth] += 1
    return best, evaluated


@_compiled
def search_slabs(
    crowd: Crowd,
    rungs: Rungs,
    rules: Rules,
    code: IntArray,
    floor: IntArray,
    meets: IntArray,
    room: IntArray,
    best: float,
    chooses: bool,
    chosen: IntArray,
) -> tuple[float, int, int]:
    """Search all strategies above the floor by v(g), in boxes that fit into ``room``.

    Where the box of all is too large, its first attributes are fixed to one combination of levels after the other.

    Returns
    -------
    the best payoff, how many strategies were evaluated, and how many counted.
    """
    attributes = code.shape[0]
    low = floor.astype(np.int64)
    high = rungs.heights - 1
    steps = np.empty(attributes, np.int64)
    size = narrow(rungs, code, low, high, 0, best - rules.tolerance, rules.benefit)
    widest = high.copy()
    fixed = 0
    while size > room.shape[0]:
        size //= high[fixed] - low[fixed] + 1
        fixed += 1
    evaluated = 0
    counted = 0
    while True:
        high[:fixed] = low[:fixed]
        high[fixed:] = widest[fixed:]
        size = narrow(rungs, code, low, high, fixed, best - rules.tolerance, rules.benefit)
        if size > 0:
            count_box(crowd, meets, low, high, steps, size, room)
            best, more = search_box(rungs, rules, code, low, high, steps, room, crowd.least, best, chooses, chosen)
            evaluated += more
            counted += size
        last = fixed - 1
        while last >= 0:
            low[last] += 1
            if low[last] <= widest[last]:
                break
            low[last] = floor[last]
            last -= 1
        if last < 0:
            break
    return best, evaluated, counted


@_compiled
def prove_all(
    crowd: Crowd,
    rungs: Rungs,
    rules: Rules,
    codes: IntArray,
    floors: IntArray,
    first: int,
    last: int,
    room: IntArray,
    found: Answers,
) -> None:
    """Solve profiles ``first`` to ``last`` - 1 with proof; codes and floors are (q, a), ``room`` holds one box."""
    attributes = codes.shape[1]
    meets = np.empty(crowd.codes.shape, np.uint8)
    levels = np.empty(attributes, np.int64)
    chosen = np.empty(2, np.int64)
    for profile in range(first, last):
        code, floor = codes[profile], floors[profile]
        meet_levels(crowd, rungs, code, meets)
        people, evaluated, _ = descend_one(crowd, rungs, rules, code, floor, meets, levels)
        counted = evaluated
        best = payoff_of(rungs, rules, code, levels, people)
        chosen[0] = -1
        if best > -np.inf:  # or else the descent has been to the top, and not even that is permitted
            best, evaluated, counted = search_slabs(crowd, rungs, rules, code, floor, meets, room, best, False, chosen)
            search_slabs(crowd, rungs, rules, code, floor, meets, room, best, True, chosen)
        found.nodes[profile] = NOBODY_CHOSEN if chosen[0] < 0 else chosen[1]
        found.payoffs[profile] = best
        found.searched[profile] = evaluated
        found.counted[profile] = counted
        found.bounds[profile] = best
