"""Large lattices: people counted by a scan of the population's cells, and greedy descent with them."""

from typing import NamedTuple

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.kernels.compiled import compiled
from gamedeid.kernels.rules import is_attacked, payoff_if_attacked, permitted_payoff, value_at_levels, value_raised
from gamedeid.kernels.tables import NONE, WITHHELD, HierarchyTables, PopulationCells, Stakes
from gamedeid.reprs import brief


@compiled
def find_level_row(
    population: PopulationCells, hierarchies: HierarchyTables, attribute: int, code: int, row: IntArray
) -> None:
    """Write the least level at which each leaf in use is in the group of the leaf ``code`` into ``row``, (u,) uint8."""
    for leaf in range(population.used[attribute]):
        level = 0
        while population.groups[attribute, level, leaf] != hierarchies.groups[attribute, level, code]:
            level += 1
        row[leaf] = level


@compiled
def find_match_levels(
    population: PopulationCells, hierarchies: HierarchyTables, code: IntArray, match_levels: IntArray
) -> None:
    """Write the match levels of a profile, (a,) leaf codes, with each cell into ``match_levels``, (c, a) uint8."""
    attributes = code.shape[0]
    rows = np.empty((attributes, population.groups.shape[2]), np.uint8)
    for attribute in range(attributes):
        find_level_row(population, hierarchies, attribute, code[attribute], rows[attribute])
    for cell in range(population.codes.shape[0]):
        for attribute in range(attributes):
            match_levels[cell, attribute] = rows[attribute, population.codes[cell, attribute]]


@compiled
def people_of_pairs(
    population: PopulationCells,
    hierarchies: HierarchyTables,
    codes: IntArray,
    chosen: IntArray,
    nodes: IntArray,
    out: IntArray,
) -> None:
    """Write n_p of each pair of profile ``chosen`` and node, (k,), into ``out``, (k,); codes is (q, a)."""
    attributes = codes.shape[1]
    matching = np.empty((attributes, population.groups.shape[2]), np.bool_)
    for pair in range(chosen.shape[0]):
        for attribute in range(attributes):
            level = nodes[pair] // hierarchies.strides[attribute] % hierarchies.heights[attribute]
            group = hierarchies.groups[attribute, level, codes[chosen[pair], attribute]]
            for leaf in range(population.used[attribute]):
                matching[attribute, leaf] = population.groups[attribute, level, leaf] == group
        people = 0
        for cell in range(population.codes.shape[0]):
            alike = True
            for attribute in range(attributes):
                if not matching[attribute, population.codes[cell, attribute]]:
                    alike = False
                    break
            if alike:
                people += population.people[cell]
        out[pair] = max(people, population.least)


@compiled
def people_around(population: PopulationCells, match_levels: IntArray, levels: IntArray, children: IntArray) -> int:
    """Return the people at ``levels``, (a,), and write those of each child into ``children``, (a,): one scan."""
    attributes = levels.shape[0]
    here = 0
    children[:] = 0
    for cell in range(match_levels.shape[0]):
        beyond = -1
        for attribute in range(attributes):
            if match_levels[cell, attribute] > levels[attribute]:
                if beyond >= 0 or match_levels[cell, attribute] > levels[attribute] + 1:
                    beyond = attributes
                    break
                beyond = attribute
        if beyond < 0:
            here += population.people[cell]
        elif beyond < attributes:
            children[beyond] += population.people[cell]
    for attribute in range(attributes):
        children[attribute] = max(here + children[attribute], population.least)
    return max(here, population.least)


@brief
class ScanSolutions(NamedTuple):
    """What is found for each profile, (q,) each."""

    nodes: IntArray  # strategy chosen or stood on; -1 none
    payoffs: FloatArray  # best payoff found; -inf none
    searched: IntArray  # strategies whose payoff was evaluated
    bounds: FloatArray  # no permitted strategy pays more


@brief
class ScannedGame(NamedTuple):
    """A game whose counts are made by scans of the population: q profiles, a attributes."""

    population: PopulationCells
    hierarchies: HierarchyTables
    stakes: Stakes
    forbids_attack: bool
    codes: IntArray  # (q, a) leaf codes
    floors: IntArray  # (q, a) int8: the least levels permitted
    stopped: BoolArray  # (1,): becomes true in another thread when nobody waits for the answers any more


@compiled
def descend_one(game: ScannedGame, profile: int, match_levels: IntArray, levels: IntArray) -> tuple[int, int, float]:
    """Move ``levels``, (a,), from the profile's floor down the lattice by Algorithm 2.

    Returns
    -------
    people where it ends, strategies evaluated, and a bound on the payoff of every permitted strategy. The strategies
    stood on form a chain; what is no more general than one of them that is attacked finds no more people than it does.
    """
    hierarchies, stakes, code, floor = game.hierarchies, game.stakes, game.codes[profile], game.floors[profile]
    attributes = code.shape[0]
    levels[:] = floor
    around = np.empty(attributes, np.int64)
    values = np.empty(attributes)
    searched = 1
    bound = -np.inf
    beyond = value_at_levels(hierarchies, code, levels, stakes.benefit)
    while True:
        people = people_around(game.population, match_levels, levels, around)
        if not is_attacked(people, stakes.attack_limit):
            break
        if not game.forbids_attack:
            bound = max(bound, payoff_if_attacked(beyond, people, stakes.loss))
        beyond = -np.inf
        children = 0
        best_child = -np.inf
        for attribute in range(attributes):
            values[attribute] = -np.inf
            level = levels[attribute] + 1
            if level < hierarchies.heights[attribute]:
                children += 1
                beyond = max(beyond, value_raised(hierarchies, code, floor, attribute, level, stakes.benefit))
                worth = value_raised(hierarchies, code, levels, attribute, level, stakes.benefit)
                values[attribute] = payoff_if_attacked(worth, around[attribute], stakes.loss)
                best_child = max(best_child, values[attribute])
        if children == 0:
            break
        searched += children
        best = best_child
        if not game.forbids_attack:
            worth = value_at_levels(hierarchies, code, levels, stakes.benefit)
            best = max(best, payoff_if_attacked(worth, people, stakes.loss))
        step = NONE
        for attribute in range(attributes):
            if values[attribute] > best - stakes.tolerance:
                step = attribute
        if step == NONE:
            break
        levels[step] += 1
    return people, searched, max(bound, beyond)


@compiled
def payoff_at_levels(game: ScannedGame, profile: int, levels: IntArray, people: int) -> float:
    """Return the publisher's payoff of a profile at ``levels``, (a,); -inf where it is not permitted."""
    worth = value_at_levels(game.hierarchies, game.codes[profile], levels, game.stakes.benefit)
    return permitted_payoff(worth, people, game.stakes, game.forbids_attack)


@compiled
def descend_all(game: ScannedGame, first: int, last: int, found: ScanSolutions) -> None:
    """Solve profiles ``first`` to ``last`` - 1 by lattice search."""
    match_levels = np.empty(game.population.codes.shape, np.uint8)
    levels = np.empty(game.codes.shape[1], np.int64)
    for profile in range(first, last):
        if game.stopped[0]:
            break
        find_match_levels(game.population, game.hierarchies, game.codes[profile], match_levels)
        people, searched, bound = descend_one(game, profile, match_levels, levels)
        best = payoff_at_levels(game, profile, levels, people)
        node = 0
        for attribute in range(levels.shape[0]):
            node += levels[attribute] * game.hierarchies.strides[attribute]
        found.nodes[profile] = WITHHELD if best == -np.inf else node
        found.payoffs[profile] = best
        found.searched[profile] = searched
        found.bounds[profile] = max(bound, best)


KEY_LIMIT = 2**62
"""Groups of several attributes are one number below this; greater ones are numbered anew on the way."""

SCATTER = -7046029254386353131
"""An odd number whose products spread keys over a table: 2^64 over the golden ratio, as a signed number."""


@compiled
def number_keys(keys: IntArray, others: IntArray) -> int:
    """Replace ``keys``, (c,), and ``others``, (q,), by numbers from 0; those among others that no key equals become -1.

    Returns
    -------
    how many numbers there are.
    """
    bits = 4
    while 2**bits < 2 * keys.shape[0]:
        bits += 1
    size = 2**bits
    slots = np.full(size, NONE, np.int64)
    known = np.empty(size, np.int64)
    made = 0
    for place in range(keys.shape[0]):
        key = keys[place]
        slot = ((key * SCATTER) >> (62 - bits)) & (size - 1)
        while slots[slot] != NONE and known[slot] != key:
            slot = (slot + 1) & (size - 1)
        if slots[slot] == NONE:
            slots[slot] = made
            known[slot] = key
            made += 1
        keys[place] = slots[slot]
    for place in range(others.shape[0]):
        key = others[place]
        if key == NONE:
            continue
        slot = ((key * SCATTER) >> (62 - bits)) & (size - 1)
        while slots[slot] != NONE and known[slot] != key:
            slot = (slot + 1) & (size - 1)
        others[place] = slots[slot]
    return made


@compiled
def people_at(game: ScannedGame, levels: IntArray, first: int, last: int, out: IntArray) -> None:
    """Write n_p of profiles ``first`` to ``last`` - 1 at the same ``levels``, (a,), into ``out``, (last - first,)."""
    population, hierarchies = game.population, game.hierarchies
    cells, profiles = np.zeros(population.codes.shape[0], np.int64), np.zeros(last - first, np.int64)
    span = 1
    for attribute in range(levels.shape[0]):
        of_leaf = hierarchies.groups[attribute, levels[attribute]]
        in_use = population.groups[attribute, levels[attribute]]
        base = max(int(of_leaf.max()), int(in_use.max())) + 1
        if span > KEY_LIMIT // base:
            span = number_keys(cells, profiles)
        span *= base
        for place in range(cells.shape[0]):
            cells[place] = cells[place] * base + in_use[population.codes[place, attribute]]
        for place in range(profiles.shape[0]):
            if profiles[place] != NONE:
                profiles[place] = profiles[place] * base + of_leaf[game.codes[first + place, attribute]]
    people = np.zeros(number_keys(cells, profiles), np.int64)
    for place in range(cells.shape[0]):
        people[cells[place]] += population.people[place]
    for place in range(profiles.shape[0]):
        out[place] = max(people[profiles[place]] if profiles[place] != NONE else 0, population.least)


@compiled
def take_best(
    game: ScannedGame, candidates: IntArray, first: int, last: int, nodes: IntArray, payoffs: FloatArray
) -> None:
    """Find for profiles ``first`` to ``last`` - 1 the permitted one of ``candidates``, (k,), that pays most.

    Its node and payoff are written into ``nodes`` and ``payoffs``, (q,) each; nothing where none is permitted.
    """
    hierarchies = game.hierarchies
    levels = np.empty(game.codes.shape[1], np.int64)
    people = np.empty(last - first, np.int64)
    for node in candidates:
        if game.stopped[0]:
            break
        for attribute in range(levels.shape[0]):
            levels[attribute] = node // hierarchies.strides[attribute] % hierarchies.heights[attribute]
        people_at(game, levels, first, last, people)
        for profile in range(first, last):
            if (levels < game.floors[profile]).any():
                continue
            worth = value_at_levels(hierarchies, game.codes[profile], levels, game.stakes.benefit)
            paid = permitted_payoff(worth, people[profile - first], game.stakes, game.forbids_attack)
            if paid > payoffs[profile]:
                nodes[profile], payoffs[profile] = node, paid
