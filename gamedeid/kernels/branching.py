"""Exact search where the lattice is large: branch and bound over the levels of one attribute after the other.

With the levels of some attributes fixed, only people in a profile's groups of these can match it. Their number bounds
n_p(g) from above, v(g) with the least levels elsewhere bounds the value, and so both bound the payoff. Profiles with
the same values of the fixed attributes are searched together: the same people may match them.
"""

from typing import NamedTuple

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.kernels.compiled import allocating, compiled
from gamedeid.kernels.rules import permitted_payoff, value
from gamedeid.kernels.scan import ScannedGame, ScanSolutions, find_level_row
from gamedeid.kernels.tables import NONE, WITHHELD
from gamedeid.reprs import brief


@brief
class SearchPlan(NamedTuple):
    """The order and the start of a search: q profiles, a attributes."""

    attributes: IntArray  # (a,) int64: the one whose levels are fixed first, and so on
    profiles: IntArray  # (q,) int64: by their values of these attributes, so that equal ones are adjacent
    people: IntArray  # (q,) int64: how many match each profile at its floor
    columns: IntArray  # (a, c) int32: the leaves of the population's cells, attribute by attribute
    slack: float  # dollars: levels are given up where they can pay no more than this above the best found
    start_nodes: IntArray  # (q,) int64: a permitted strategy of each profile that the search begins with; -1 none
    start_payoffs: FloatArray  # (q,): its payoff; -inf none
    stopped: BoolArray  # (1,): another thread sets it to end the search


@brief
class Branches(NamedTuple):
    """The state of a search at each depth: a attributes, b profiles, c cells, h the most levels."""

    levels: IntArray  # (a,) int64, by attribute: those fixed, and -1 elsewhere
    next_level: IntArray  # (a,) int64: to be tried next
    members: IntArray  # (a, b) int64: the profiles that may still find something better, as places in the slice
    counts: IntArray  # (a,) int64: how many these are
    begins: IntArray  # (a,) int64: of those members that have the same value of the attribute at this depth, the first
    ends: IntArray  # (a,) int64: the first after them
    cells: IntArray  # (a, c) int32: the cells that may match these, by the least level at which they do
    cell_levels: IntArray  # (c,) uint8: the least level of each cell that is being sorted
    sizes: IntArray  # (a, h) int64: how many of these cells there are at each level
    people: IntArray  # (a, h) int64: how many people are in them


@brief
class LevelRows(NamedTuple):
    """Least levels at which leaves are in the groups of profiles: u the most leaves in use, a slice of b profiles."""

    of_place: IntArray  # (b, a) int64: the row of each profile
    rows: IntArray  # (a, b, u) uint8


@brief
class Incumbents(NamedTuple):
    """The best strategies found so far, of each profile of a slice, (b,) each."""

    profiles: IntArray  # which they are
    best: FloatArray  # greatest payoff seen; -inf none
    keys: IntArray  # walk key of the first in walk order among the payoffs equal to it; -1 none
    payoffs: FloatArray  # that strategy's
    searched: IntArray  # strategies whose people were counted
    given_up: FloatArray  # greatest payoff of the branches given up for the slack; -inf none
    unsure: BoolArray  # a chain of near-equal payoffs was met: the choice is made again


@allocating
def find_rows(game: ScannedGame, profiles: IntArray) -> LevelRows:
    """Return the least levels of a slice of profiles, (b,), each row once."""
    population, hierarchies = game.counts, game.hierarchies
    count, attributes = profiles.shape[0], game.codes.shape[1]
    of_place = np.empty((count, attributes), np.int64)
    rows = np.empty((attributes, count, population.groups.shape[2]), np.uint8)
    row_of = np.empty(hierarchies.groups.shape[2], np.int64)
    for attribute in range(attributes):
        row_of[:] = NONE
        made = 0
        for place in range(count):
            code = game.codes[profiles[place], attribute]
            if row_of[code] == NONE:
                find_level_row(population, hierarchies, attribute, code, rows[attribute, made])
                row_of[code] = made
                made += 1
            of_place[place, attribute] = row_of[code]
    return LevelRows(of_place, rows)


@compiled
def sort_cells(column: IntArray, people: IntArray, row: IntArray, cells: IntArray, at: Branches, depth: int) -> None:
    """Sort ``cells``, (n,), into those of a depth by their least levels, and sum them up by level.

    ``column``, (c,), has the leaf of each of the population's cells, ``row``, (u,), the least level of each leaf. The
    cells of the last depth are summed up only.
    """
    sizes, sums, ordered, levels = at.sizes[depth], at.people[depth], at.cells[depth], at.cell_levels
    sizes[:] = 0
    sums[:] = 0
    for place in range(cells.shape[0]):
        level = row[column[cells[place]]]
        levels[place] = level
        sizes[level] += 1
        sums[level] += people[cells[place]]
    for level in range(1, sizes.shape[0]):
        sizes[level] += sizes[level - 1]
        sums[level] += sums[level - 1]
    if depth + 1 == at.levels.shape[0]:
        return
    for place in range(cells.shape[0] - 1, -1, -1):
        level = levels[place]
        sizes[level] -= 1
        ordered[sizes[level]] = cells[place]
    for level in range(sizes.shape[0] - 1):  # each is where its level begins by now, which is where the one before ends
        sizes[level] = sizes[level + 1]
    sizes[sizes.shape[0] - 1] = cells.shape[0]


@compiled
def least_of(game: ScannedGame, profile: int, levels: IntArray) -> tuple[float, int]:
    """Return v(g) and walk key of the least strategy of a profile that has the fixed ``levels``, (a,).

    No such strategy is worth more or precedes it in walk order. The key is -1 if a level is below the floor.
    """
    hierarchies = game.hierarchies
    size = hierarchies.strides[0] * hierarchies.heights[0]
    raw = 0.0
    key = 0
    for attribute in range(levels.shape[0]):
        level, floor = levels[attribute], int(game.floors[profile, attribute])
        if level == NONE:
            level = floor
        elif level < floor:
            return 0.0, NONE
        raw += hierarchies.raw_losses[attribute, level, game.codes[profile, attribute]]
        key += level * (size + hierarchies.strides[attribute])
    return value(raw, hierarchies.total_loss, game.stakes.benefit), key


@compiled
def may_improve(bound: float, key: int, tolerance: float, found: Incumbents, place: int) -> bool:
    """Return whether a payoff of at most ``bound``, at a walk key of ``key`` or more, can change the choice."""
    best, chosen = found.best[place], found.keys[place]
    return bool(bound > best - tolerance and (bound > best or chosen == NONE or key < chosen))


@compiled
def accept_strategy(paid: float, key: int, tolerance: float, found: Incumbents, place: int) -> None:
    """Take a strategy that pays more than the best, or pays the same and precedes the chosen one."""
    best, has_choice = found.best[place], found.keys[place] != NONE
    if paid > best:
        stays = has_choice and found.payoffs[place] > paid - tolerance
        if has_choice and not stays and best > paid - tolerance:
            found.unsure[place] = True
        found.best[place] = paid
        if stays and key > found.keys[place]:
            return
    found.keys[place] = key
    found.payoffs[place] = paid


@compiled
def try_level(
    game: ScannedGame,
    slack: float,
    depth: int,
    people: int,
    is_last: bool,
    at: Branches,
    found: Incumbents,
) -> bool:
    """Try the fixed levels on all members with the present value; those that may still improve move one depth on.

    At most ``people`` match them there, whatever the other levels. At the last depth, strategies are accepted. Returns
    whether a greater level of this attribute may help any member.
    """
    stakes = game.stakes
    continuing = 0
    for one in range(at.begins[depth], at.ends[depth]):
        place = at.members[depth, one]
        worth, key = least_of(game, found.profiles[place], at.levels)
        if key == NONE:
            continuing += 1
            continue
        enough = found.best[place] + slack
        if worth <= enough - stakes.tolerance:
            found.given_up[place] = max(found.given_up[place], worth)
            continue
        continuing += 1
        found.searched[place] += is_last
        bound = permitted_payoff(worth, people, stakes, game.forbids_attack)
        if slack > 0 and not is_last and bound <= enough:
            found.given_up[place] = max(found.given_up[place], bound)
        elif may_improve(bound, key, stakes.tolerance, found, place):
            if is_last:
                accept_strategy(bound, key, stakes.tolerance, found, place)
            else:
                at.members[depth + 1, at.counts[depth + 1]] = place
                at.counts[depth + 1] += 1
    return continuing > 0


@allocating
def search_depths(game: ScannedGame, plan: SearchPlan, rows: LevelRows, at: Branches, found: Incumbents) -> None:
    """Search for the members of ``at``'s first depth, until none can find anything better."""
    attributes = plan.attributes.shape[0]
    all_cells: IntArray = np.arange(game.counts.codes.shape[0]).astype(np.int32)
    at.levels[:] = NONE
    at.ends[0] = 0
    at.next_level[0] = game.hierarchies.groups.shape[1]
    depth = 0
    while depth >= 0 and not plan.stopped[0]:
        attribute = plan.attributes[depth]
        is_last = depth + 1 == attributes
        level = at.next_level[depth]
        if level >= game.hierarchies.heights[attribute]:  # the next value of this attribute
            at.levels[attribute] = NONE
            begin = at.ends[depth]
            if begin == at.counts[depth]:
                depth -= 1
                continue
            row = rows.of_place[at.members[depth, begin], attribute]
            end = begin + 1
            while end < at.counts[depth] and rows.of_place[at.members[depth, end], attribute] == row:
                end += 1
            at.begins[depth], at.ends[depth], at.next_level[depth] = begin, end, 0
            cells = all_cells
            if depth > 0:
                before = at.levels[plan.attributes[depth - 1]]
                cells = at.cells[depth - 1, : at.sizes[depth - 1, before]]
            sort_cells(plan.columns[attribute], game.counts.people, rows.rows[attribute, row], cells, at, depth)
            continue
        at.levels[attribute] = level
        at.next_level[depth] = level + 1
        if not is_last:
            at.counts[depth + 1] = 0
        people = max(at.people[depth, level], game.counts.least)
        if not try_level(game, plan.slack, depth, people, is_last, at, found):
            at.next_level[depth] = game.hierarchies.heights[attribute]
        elif not is_last and at.counts[depth + 1] > 0:
            depth += 1
            at.ends[depth] = 0
            at.next_level[depth] = game.hierarchies.heights[plan.attributes[depth]]


@compiled
def accept_start(game: ScannedGame, plan: SearchPlan, found: Incumbents, place: int) -> None:
    """Take the strategy that the search of a profile begins with, if there is one."""
    profile = found.profiles[place]
    node = plan.start_nodes[profile]
    if node == NONE:
        return
    hierarchies = game.hierarchies
    key = node
    for attribute in range(plan.attributes.shape[0]):
        level = node // hierarchies.strides[attribute] % hierarchies.heights[attribute]
        key += level * hierarchies.strides[0] * hierarchies.heights[0]
    found.best[place] = found.payoffs[place] = plan.start_payoffs[profile]
    found.keys[place] = key


@allocating
def prove_all(game: ScannedGame, plan: SearchPlan, first: int, last: int, solutions: ScanSolutions) -> None:
    """Solve with proof the profiles at places ``first`` to ``last`` - 1 of the plan."""
    count, attributes = last - first, game.codes.shape[1]
    height = game.hierarchies.groups.shape[1]
    found = Incumbents(
        profiles=plan.profiles[first:last],
        best=np.full(count, -np.inf),
        keys=np.full(count, NONE, np.int64),
        payoffs=np.full(count, -np.inf),
        searched=np.zeros(count, np.int64),
        given_up=np.full(count, -np.inf),
        unsure=np.zeros(count, np.bool_),
    )
    at = Branches(
        levels=np.full(attributes, NONE, np.int64),
        next_level=np.empty(attributes, np.int64),
        members=np.empty((attributes, count), np.int64),
        counts=np.zeros(attributes, np.int64),
        begins=np.empty(attributes, np.int64),
        ends=np.empty(attributes, np.int64),
        cells=np.empty((attributes, game.counts.codes.shape[0]), np.int32),
        cell_levels=np.empty(game.counts.codes.shape[0], np.uint8),
        sizes=np.empty((attributes, height), np.int64),
        people=np.empty((attributes, height), np.int64),
    )
    for place in range(count):
        profile = found.profiles[place]
        people = plan.people[profile]
        if 0 < people <= game.stakes.attack_limit:
            accept_start(game, plan, found, place)
            at.members[0, at.counts[0]] = place
            at.counts[0] += 1
        else:  # the floor is worth most, and no one attacks
            found.best[place], found.keys[place] = least_of(game, profile, at.levels)
            found.payoffs[place] = found.best[place]
            found.searched[place] = 1
    rows = find_rows(game, found.profiles)
    search_depths(game, plan, rows, at, found)
    if plan.slack == 0 and found.unsure.any():  # choose anew, knowing the best payoff
        searched = found.searched.copy()
        at.counts[0] = 0
        for place in range(count):
            if found.unsure[place]:
                found.keys[place] = NONE
                at.members[0, at.counts[0]] = place
                at.counts[0] += 1
        search_depths(game, plan, rows, at, found)
        found.searched[:] = searched
    size = game.hierarchies.strides[0] * game.hierarchies.heights[0]
    for place in range(count):
        profile = found.profiles[place]
        solutions.nodes[profile] = WITHHELD if found.keys[place] == NONE else found.keys[place] % size
        solutions.payoffs[profile] = found.payoffs[place]
        solutions.bounds[profile] = max(found.best[place], found.given_up[place])
        solutions.searched[profile] = max(found.searched[place], 1)  # the floor at least
