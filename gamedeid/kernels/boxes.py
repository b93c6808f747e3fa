"""The inner loops of large lattices: one profile against all cells of the population, without a table of strategies.

The *meet levels* of a profile and a cell are, attribute by attribute, the least levels at which the cell is in the
profile's group. At a strategy match those cells whose meet levels it reaches everywhere, so that a histogram of meet
levels, summed up along each attribute, holds the people of all strategies of a box of levels at once.
"""

from typing import NamedTuple

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.kernels.compiled import compiled
from gamedeid.reprs import short_repr

NOBODY_CHOSEN = -1


class Crowd(NamedTuple):
    """The population's distinct cells: c cells, a attributes, h the most levels, u the most leaves in use."""

    codes: IntArray  # (c, a) int32: which of the leaves in use
    people: IntArray  # (c,)
    used: IntArray  # (a,) int64: how many leaves are in use
    groups: IntArray  # (a, h, u) int32: group of each leaf in use at a level
    least: int  # no count is below this

    def __repr__(self) -> str:
        return short_repr(self)


class Rungs(NamedTuple):
    """All hierarchies: l the most leaves plus the missing one."""

    heights: IntArray  # (a,) int64
    strides: IntArray  # (a,) int64: what one level more adds to a node number
    groups: IntArray  # (a, h, l) int32
    raw_losses: FloatArray  # (a, h, l)
    total_loss: float

    def __repr__(self) -> str:
        return short_repr(self)


class Rules(NamedTuple):
    """What the players stand to win and lose, and what is permitted."""

    benefit: float
    loss: float
    attack_limit: int
    tolerance: float
    forbids_attack: bool
    ended: BoolArray  # (1,): becomes true, in another thread, when nobody waits for the answers any more

    def __repr__(self) -> str:
        return short_repr(self)


class Answers(NamedTuple):
    """What is found for each profile, (q,) each."""

    nodes: IntArray  # strategy chosen or stood on; -1 none
    payoffs: FloatArray  # best payoff found; -inf none
    searched: IntArray  # strategies whose payoff was evaluated
    bounds: FloatArray  # no permitted strategy pays more

    def __repr__(self) -> str:
        return short_repr(self)


class Needed(NamedTuple):
    """The strategies of a box that may still be chosen: room for as many as a box may have places."""

    places: IntArray  # (room,) int64: where in the box
    raised: IntArray  # (room,) int64: bit f is set where attribute f is above the box's least level
    values: FloatArray  # (room,): v(g), later the payoff
    people: IntArray  # (room,): by place in the box
    steps: IntArray  # (a,) int64: how far apart in the box neighbouring levels of an attribute stand

    def __repr__(self) -> str:
        return short_repr(self)


@compiled
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


@compiled
def value_at(rungs: Rungs, code: IntArray, levels: IntArray, benefit: float) -> float:
    """Return v(g) of a profile, (a,) leaf codes, at levels, (a,), the attributes summed in their order."""
    raw = 0.0
    for attribute in range(code.shape[0]):
        raw += rungs.raw_losses[attribute, levels[attribute], code[attribute]]
    return benefit * (1.0 - raw / rungs.total_loss)


@compiled
def value_raised(rungs: Rungs, code: IntArray, levels: IntArray, raised: int, level: int, benefit: float) -> float:
    """Return v(g) at ``levels``, (a,), with one attribute at another level."""
    raw = 0.0
    for attribute in range(code.shape[0]):
        here = level if attribute == raised else levels[attribute]
        raw += rungs.raw_losses[attribute, here, code[attribute]]
    return benefit * (1.0 - raw / rungs.total_loss)


@compiled
def attacked_value(value: float, people: int, loss: float) -> float:
    """Return v - L pi, where nobody found means pi = 0."""
    if people == 0:
        return value
    return value - loss / people


# --- people of single strategies --------------------------------------------------------------------------------------


@compiled
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


@compiled
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


@compiled
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


@compiled
def payoff_of(rungs: Rungs, rules: Rules, code: IntArray, levels: IntArray, people: int) -> float:
    """Return the publisher's payoff at ``levels``, (a,); -inf where it is not permitted."""
    value = value_at(rungs, code, levels, rules.benefit)
    if people == 0 or people > rules.attack_limit:
        return value
    if rules.forbids_attack:
        return -np.inf
    return attacked_value(value, people, rules.loss)


@compiled
def descend_all(
    crowd: Crowd, rungs: Rungs, rules: Rules, codes: IntArray, floors: IntArray, first: int, last: int, found: Answers
) -> None:
    """Solve profiles ``first`` to ``last`` - 1 by lattice search; codes and floors are (q, a)."""
    attributes = codes.shape[1]
    meets = np.empty(crowd.codes.shape, np.uint8)
    levels = np.empty(attributes, np.int64)
    for profile in range(first, last):
        if rules.ended[0]:
            break
        meet_levels(crowd, rungs, codes[profile], meets)
        people, searched, bound = descend_one(crowd, rungs, rules, codes[profile], floors[profile], meets, levels)
        payoff = payoff_of(rungs, rules, codes[profile], levels, people)
        node = 0
        for attribute in range(attributes):
            node += levels[attribute] * rungs.strides[attribute]
        found.nodes[profile] = NOBODY_CHOSEN if payoff == -np.inf else node
        found.payoffs[profile] = payoff
        found.searched[profile] = searched
        found.bounds[profile] = max(bound, payoff)


# --- exact ------------------------------------------------------------------------------------------------------------


@compiled
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


@compiled
def list_box(
    rungs: Rungs, code: IntArray, low: IntArray, high: IntArray, cut: float, benefit: float, needed: Needed
) -> int:
    """List the strategies of a box whose v(g) is above ``cut``, in the order of their places in it.

    Whatever is no more general than a strategy listed is listed too, since v falls with each level.

    Returns
    -------
    how many there are.
    """
    attributes = code.shape[0]
    step = 1
    for attribute in range(attributes - 1, -1, -1):
        needed.steps[attribute] = step
        step *= high[attribute] - low[attribute] + 1
    levels = low.copy()
    raw = np.zeros(attributes + 1)
    places = np.zeros(attributes + 1, np.int64)
    raised = np.zeros(attributes + 1, np.int64)
    listed = 0
    depth = 0
    while depth >= 0:
        level = levels[depth]
        value = -np.inf
        if level <= high[depth]:
            raw[depth + 1] = raw[depth] + rungs.raw_losses[depth, level, code[depth]]
            most = raw[depth + 1]
            for attribute in range(depth + 1, attributes):
                most += rungs.raw_losses[attribute, low[attribute], code[attribute]]
            value = benefit * (1.0 - most / rungs.total_loss)
        if level > high[depth] or value <= cut:  # nor do greater levels of this attribute
            levels[depth] = low[depth]
            depth -= 1
            if depth >= 0:
                levels[depth] += 1
            continue
        places[depth + 1] = places[depth] + (level - low[depth]) * needed.steps[depth]
        raised[depth + 1] = raised[depth] | (1 << depth) if level > low[depth] else raised[depth]
        if depth < attributes - 1:
            depth += 1
            continue
        needed.places[listed] = places[attributes]
        needed.raised[listed] = raised[attributes]
        needed.values[listed] = value
        listed += 1
        levels[depth] += 1
    return listed


@compiled
def count_listed(crowd: Crowd, meets: IntArray, low: IntArray, high: IntArray, needed: Needed, listed: int) -> None:
    """Count the people of every strategy that is listed, at its place in ``needed.people``.

    Each cell is added where its meet levels stand, and then, along one attribute after the other, each strategy's
    people to those of the one that is a level more general. Places of strategies that are not listed hold nothing.
    """
    attributes = low.shape[0]
    people = needed.people
    for one in range(listed):
        people[needed.places[one]] = 0
    for cell in range(meets.shape[0]):
        place = 0
        for attribute in range(attributes):
            level = meets[cell, attribute]
            if level > high[attribute]:
                place = -1
                break
            if level > low[attribute]:
                place += (level - low[attribute]) * needed.steps[attribute]
        if place >= 0:
            people[place] += crowd.people[cell]
    for attribute in range(attributes):
        step = needed.steps[attribute]
        for one in range(listed):
            if needed.raised[one] >> attribute & 1:
                place = needed.places[one]
                people[place] += people[place - step]


@compiled
def pay_listed(rules: Rules, least: int, needed: Needed, listed: int) -> float:
    """Turn the values v(g) of the strategies listed into payoffs, -inf where not permitted; return the best."""
    best = -np.inf
    for one in range(listed):
        people = max(int(needed.people[needed.places[one]]), least)
        if 0 < people <= rules.attack_limit:
            if rules.forbids_attack:
                needed.values[one] = -np.inf
            else:
                needed.values[one] = attacked_value(needed.values[one], people, rules.loss)
        best = max(best, needed.values[one])
    return best


@compiled
def choose_listed(
    rungs: Rungs, low: IntArray, high: IntArray, needed: Needed, listed: int, cut: float, chosen: IntArray
) -> None:
    """Put into ``chosen`` the first in walk order of the strategies listed that pay more than ``cut``.

    ``chosen`` holds rank and node number; the rank is -1 while there is none.
    """
    for one in range(listed):
        if needed.values[one] <= cut:
            continue
        rank = 0
        node = 0
        for attribute in range(low.shape[0]):
            above = needed.places[one] // needed.steps[attribute] % (high[attribute] - low[attribute] + 1)
            rank += low[attribute] + above
            node += (low[attribute] + above) * rungs.strides[attribute]
        if chosen[0] < 0 or rank < chosen[0] or (rank == chosen[0] and node < chosen[1]):
            chosen[0] = rank
            chosen[1] = node


@compiled
def search_above(
    crowd: Crowd,
    rungs: Rungs,
    rules: Rules,
    code: IntArray,
    floor: IntArray,
    meets: IntArray,
    needed: Needed,
    best: float,
    chosen: IntArray,
) -> tuple[float, int]:
    """Search all strategies above the floor whose v(g) exceeds the payoff ``best``, less the tolerance.

    Where their box is too large, its first attributes are fixed to one combination of levels after the other. They are
    gone through twice: for the best payoff, and for the first in walk order of those equal to it.

    Returns
    -------
    the best payoff, and how many strategies were counted for it.
    """
    low = floor.astype(np.int64)
    high = rungs.heights - 1
    size = narrow(rungs, code, low, high, 0, best - rules.tolerance, rules.benefit)
    widest = high.copy()
    fixed = 0
    while size > needed.people.shape[0]:
        size //= high[fixed] - low[fixed] + 1
        fixed += 1
    counted = 0
    listed = 0
    for chooses in range(2):
        last = 0
        while last >= 0 and not rules.ended[0]:
            if fixed > 0 or not chooses:  # a single box stays as it was counted
                high[:fixed] = low[:fixed]
                high[fixed:] = widest[fixed:]
                listed = 0
                cut = best - rules.tolerance
                if narrow(rungs, code, low, high, fixed, cut, rules.benefit) > 0:
                    listed = list_box(rungs, code, low, high, cut, rules.benefit, needed)
                    count_listed(crowd, meets, low, high, needed, listed)
                    best = max(best, pay_listed(rules, crowd.least, needed, listed))
            if chooses:
                choose_listed(rungs, low, high, needed, listed, best - rules.tolerance, chosen)
            else:
                counted += listed
            last = fixed - 1
            if listed == 0:  # nor does anything more general in the last attribute that is raised hold any
                while last >= 0 and low[last] == floor[last]:
                    last -= 1
                if last >= 0:
                    low[last] = floor[last]
                    last -= 1
            while last >= 0:
                low[last] += 1
                if low[last] <= widest[last]:
                    break
                low[last] = floor[last]
                last -= 1
    return best, counted


@compiled
def prove_all(
    crowd: Crowd,
    rungs: Rungs,
    rules: Rules,
    codes: IntArray,
    floors: IntArray,
    first: int,
    last: int,
    needed: Needed,
    found: Answers,
) -> None:
    """Solve profiles ``first`` to ``last`` - 1 with proof; codes and floors are (q, a)."""
    attributes = codes.shape[1]
    meets = np.empty(crowd.codes.shape, np.uint8)
    levels = np.empty(attributes, np.int64)
    chosen = np.empty(2, np.int64)
    for profile in range(first, last):
        if rules.ended[0]:
            break
        code, floor = codes[profile], floors[profile]
        meet_levels(crowd, rungs, code, meets)
        people, counted, _ = descend_one(crowd, rungs, rules, code, floor, meets, levels)
        best = payoff_of(rungs, rules, code, levels, people)
        chosen[0] = -1
        if best > -np.inf:  # or else the descent has been to the top, and not even that is permitted
            best, counted = search_above(crowd, rungs, rules, code, floor, meets, needed, best, chosen)
        found.nodes[profile] = NOBODY_CHOSEN if chosen[0] < 0 else chosen[1]
        found.payoffs[profile] = best
        found.searched[profile] = counted
        found.bounds[profile] = best
