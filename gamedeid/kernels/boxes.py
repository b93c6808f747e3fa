"""Exact search where the lattice is large: the people of a whole box of levels are counted at once.

A histogram of match levels, summed up along each attribute, holds the people of all strategies of a box at once.
"""

from typing import NamedTuple

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.kernels.compiled import compiled
from gamedeid.kernels.rules import permitted_payoff, value, value_at_levels, value_raised
from gamedeid.kernels.scan import find_match_levels
from gamedeid.kernels.scan_descent import ScannedGame, ScanSolutions, descend_one, payoff_at_levels
from gamedeid.kernels.tables import WITHHELD, HierarchyTables, PopulationCells, Stakes
from gamedeid.reprs import brief


@brief
class BoxStrategies(NamedTuple):
    """The strategies of a box that may still be chosen: room for as many as a box may have places."""

    places: IntArray  # (room,) int64: where in the box
    raised: IntArray  # (room,) int64: bit f is set where attribute f is above the box's least level
    values: FloatArray  # (room,): v(g), later the payoff
    people: IntArray  # (room,): by place in the box
    steps: IntArray  # (a,) int64: how far apart in the box neighbouring levels of an attribute stand


@compiled
def narrow(
    hierarchies: HierarchyTables, code: IntArray, low: IntArray, high: IntArray, first: int, cut: float, benefit: float
) -> int:
    """Lower the ``high`` levels, (a,), from attribute ``first`` on, to where v(g) can still be above ``cut``.

    Returns
    -------
    strategies left in the box from ``low`` to ``high``, both included; 0 where v(low) is not above the cut.
    """
    if value_at_levels(hierarchies, code, low, benefit) <= cut:
        return 0
    size = 1
    for attribute in range(first, code.shape[0]):
        while high[attribute] > low[attribute] and (
            value_raised(hierarchies, code, low, attribute, high[attribute], benefit) <= cut
        ):
            high[attribute] -= 1
        size *= high[attribute] - low[attribute] + 1
    return size


@compiled
def list_box(
    hierarchies: HierarchyTables,
    code: IntArray,
    low: IntArray,
    high: IntArray,
    cut: float,
    benefit: float,
    box: BoxStrategies,
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
        box.steps[attribute] = step
        step *= high[attribute] - low[attribute] + 1
    levels = low.copy()
    raw = np.zeros(attributes + 1)
    places = np.zeros(attributes + 1, np.int64)
    raised = np.zeros(attributes + 1, np.int64)
    listed = 0
    depth = 0
    while depth >= 0:
        level = levels[depth]
        worth = -np.inf
        if level <= high[depth]:
            raw[depth + 1] = raw[depth] + hierarchies.raw_losses[depth, level, code[depth]]
            most = raw[depth + 1]
            for attribute in range(depth + 1, attributes):
                most += hierarchies.raw_losses[attribute, low[attribute], code[attribute]]
            worth = value(most, hierarchies.total_loss, benefit)
        if level > high[depth] or worth <= cut:  # nor do greater levels of this attribute
            levels[depth] = low[depth]
            depth -= 1
            if depth >= 0:
                levels[depth] += 1
            continue
        places[depth + 1] = places[depth] + (level - low[depth]) * box.steps[depth]
        raised[depth + 1] = raised[depth] | (1 << depth) if level > low[depth] else raised[depth]
        if depth < attributes - 1:
            depth += 1
            continue
        box.places[listed] = places[attributes]
        box.raised[listed] = raised[attributes]
        box.values[listed] = worth
        listed += 1
        levels[depth] += 1
    return listed


@compiled
def count_listed(
    population: PopulationCells, match_levels: IntArray, low: IntArray, high: IntArray, box: BoxStrategies, listed: int
) -> None:
    """Count the people of every strategy that is listed, at its place in ``box.people``.

    Each cell is added where its match levels stand, and then, along one attribute after the other, each strategy's
    people to those of the one that is a level more general. Places of strategies that are not listed hold nothing.
    """
    attributes = low.shape[0]
    people = box.people
    for one in range(listed):
        people[box.places[one]] = 0
    for cell in range(match_levels.shape[0]):
        place = 0
        for attribute in range(attributes):
            level = match_levels[cell, attribute]
            if level > high[attribute]:
                place = -1
                break
            if level > low[attribute]:
                place += (level - low[attribute]) * box.steps[attribute]
        if place >= 0:
            people[place] += population.people[cell]
    for attribute in range(attributes):
        step = box.steps[attribute]
        for one in range(listed):
            if box.raised[one] >> attribute & 1:
                place = box.places[one]
                people[place] += people[place - step]


@compiled
def pay_listed(stakes: Stakes, forbids_attack: bool, least: int, box: BoxStrategies, listed: int) -> float:
    """Turn the values v(g) of the strategies listed into payoffs, -inf where not permitted; return the best."""
    best = -np.inf
    for one in range(listed):
        people = max(int(box.people[box.places[one]]), least)
        box.values[one] = permitted_payoff(box.values[one], people, stakes, forbids_attack)
        best = max(best, box.values[one])
    return best


@compiled
def choose_listed(
    hierarchies: HierarchyTables,
    low: IntArray,
    high: IntArray,
    box: BoxStrategies,
    listed: int,
    cut: float,
    chosen: IntArray,
) -> None:
    """Put into ``chosen`` the first in walk order of the strategies listed that pay more than ``cut``.

    ``chosen`` holds rank and node number; the rank is -1 while there is none.
    """
    for one in range(listed):
        if box.values[one] <= cut:
            continue
        rank = 0
        node = 0
        for attribute in range(low.shape[0]):
            above = box.places[one] // box.steps[attribute] % (high[attribute] - low[attribute] + 1)
            rank += low[attribute] + above
            node += (low[attribute] + above) * hierarchies.strides[attribute]
        if chosen[0] < 0 or rank < chosen[0] or (rank == chosen[0] and node < chosen[1]):
            chosen[0] = rank
            chosen[1] = node


@compiled
def search_above(
    game: ScannedGame, profile: int, match_levels: IntArray, box: BoxStrategies, best: float, chosen: IntArray
) -> tuple[float, int]:
    """Search all strategies above the floor whose v(g) exceeds the payoff ``best``, less the tolerance.

    Where their box is too large, its first attributes are fixed to one combination of levels after the other. They are
    gone through twice: for the best payoff, and for the first in walk order of those equal to it.

    Returns
    -------
    the best payoff, and how many strategies were counted for it.
    """
    population, hierarchies, stakes = game.population, game.hierarchies, game.stakes
    code, floor = game.codes[profile], game.floors[profile]
    low = floor.astype(np.int64)
    high = hierarchies.heights - 1
    size = narrow(hierarchies, code, low, high, 0, best - stakes.tolerance, stakes.benefit)
    widest = high.copy()
    fixed = 0
    while size > box.people.shape[0]:
        size //= high[fixed] - low[fixed] + 1
        fixed += 1
    counted = 0
    listed = 0
    for chooses in range(2):
        last = 0
        while last >= 0 and not game.stopped[0]:
            if fixed > 0 or not chooses:  # a single box stays as it was counted
                high[:fixed] = low[:fixed]
                high[fixed:] = widest[fixed:]
                listed = 0
                cut = best - stakes.tolerance
                if narrow(hierarchies, code, low, high, fixed, cut, stakes.benefit) > 0:
                    listed = list_box(hierarchies, code, low, high, cut, stakes.benefit, box)
                    count_listed(population, match_levels, low, high, box, listed)
                    best = max(best, pay_listed(stakes, game.forbids_attack, population.least, box, listed))
            if chooses:
                choose_listed(hierarchies, low, high, box, listed, best - stakes.tolerance, chosen)
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
def prove_all(game: ScannedGame, first: int, last: int, box: BoxStrategies, found: ScanSolutions) -> None:
    """Solve profiles ``first`` to ``last`` - 1 with proof."""
    match_levels = np.empty(game.population.codes.shape, np.uint8)
    levels = np.empty(game.codes.shape[1], np.int64)
    chosen = np.empty(2, np.int64)
    for profile in range(first, last):
        if game.stopped[0]:
            break
        find_match_levels(game.population, game.hierarchies, game.codes[profile], match_levels)
        people, counted, _ = descend_one(game, profile, match_levels, levels)
        best = payoff_at_levels(game, profile, levels, people)
        chosen[0] = -1
        if best > -np.inf:  # or else the descent has been to the top, and not even that is permitted
            best, counted = search_above(game, profile, match_levels, box, best, chosen)
        found.nodes[profile] = WITHHELD if chosen[0] < 0 else chosen[1]
        found.payoffs[profile] = best
        found.searched[profile] = counted
        found.bounds[profile] = best
