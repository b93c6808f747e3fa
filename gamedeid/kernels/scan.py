"""Large lattices: people counted by a scan of the population's cells, and greedy descent with them."""

from typing import NamedTuple, TypeAlias

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.kernels.compiled import allocating, compiled
from gamedeid.kernels.rules import expected_loss, is_attacked, permitted_payoff, value_raised
from gamedeid.kernels.tables import NONE, WITHHELD, HierarchyTables, PlayedGame, ScannedPopulation
from gamedeid.reprs import brief


@compiled
def find_level_row(
    population: ScannedPopulation, hierarchies: HierarchyTables, attribute: int, code: int, row: IntArray
) -> None:
    """Write the least level at which each leaf in use is in the group of the leaf ``code`` into ``row``, (u,) uint8."""
    for leaf in range(population.used[attribute]):
        level = 0
        while population.groups[attribute, level, leaf] != hierarchies.groups[attribute, level, code]:
            level += 1
        row[leaf] = level


@allocating
def find_match_levels(
    population: ScannedPopulation, hierarchies: HierarchyTables, code: IntArray, match_levels: IntArray
) -> None:
    """Write the match levels of a profile, (a,) leaf codes, with each cell into ``match_levels``, (c, a) uint8."""
    attributes = code.shape[0]
    rows = np.empty((attributes, population.groups.shape[2]), np.uint8)
    for attribute in range(attributes):
        find_level_row(population, hierarchies, attribute, code[attribute], rows[attribute])
    for cell in range(population.codes.shape[0]):
        for attribute in range(attributes):
            match_levels[cell, attribute] = rows[attribute, population.codes[cell, attribute]]


@allocating
def people_of_pairs(
    population: ScannedPopulation,
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
def people_around(population: ScannedPopulation, match_levels: IntArray, levels: IntArray, children: IntArray) -> int:
    """Return the people at ``levels``, (a,), and write those of each child into ``children``, (a,): one scan."""
    attributes = levels.shape[0]
    people = 0
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
            people += population.people[cell]
        elif beyond < attributes:
            children[beyond] += population.people[cell]
    for attribute in range(attributes):
        children[attribute] = max(people + children[attribute], population.least)
    return max(people, population.least)


@brief
class ScanSolutions(NamedTuple):
    """The solution of each profile, (q,) each."""

    nodes: IntArray  # chosen or current strategy; -1 none
    payoffs: FloatArray  # best payoff found; -inf none
    searched: IntArray  # strategies whose payoff was evaluated
    bounds: FloatArray  # no permitted strategy pays more


ScannedGame: TypeAlias = PlayedGame[ScannedPopulation]
"""A game whose people are counted by scans of the population."""


@allocating
def descend_one(game: ScannedGame, profile: int, match_levels: IntArray, levels: IntArray) -> tuple[int, int, float]:
    """Move ``levels``, (a,), from the profile's floor down the lattice by Algorithm 2.

    Returns people where it ends, strategies evaluated, and a bound on the payoff of every permitted strategy. The
    strategies visited form a chain; a strategy no more general than an attacked one of them finds no more people than
    it does.
    """
    hierarchies, stakes, code, floor = game.hierarchies, game.stakes, game.codes[profile], game.floors[profile]
    attributes = code.shape[0]
    levels[:] = floor
    around = np.empty(attributes, np.int64)
    values = np.empty(attributes)
    searched = 1
    bound = -np.inf
    beyond = value_raised(hierarchies, code, levels, NONE, 0, stakes.benefit)
    while True:
        people = people_around(game.counts, match_levels, levels, around)
        if not is_attacked(people, stakes.attack_limit):
            break
        if not game.forbids_attack:
            bound = max(bound, beyond - expected_loss(people, stakes.loss))
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
                values[attribute] = worth - expected_loss(around[attribute], stakes.loss)
                best_child = max(best_child, values[attribute])
        if children == 0:
            break
        searched += children
        best = best_child
        if not game.forbids_attack:
            worth = value_raised(hierarchies, code, levels, NONE, 0, stakes.benefit)
            best = max(best, worth - expected_loss(people, stakes.loss))
        step = NONE
        for attribute in range(attributes):
            if values[attribute] > best - stakes.tolerance:
                step = attribute
        if step == NONE:
            break
        levels[step] += 1
    return people, searched, max(bound, beyond)


@allocating
def descend_all(game: ScannedGame, first: int, last: int, stopped: BoolArray, found: ScanSolutions) -> None:
    """Solve profiles ``first`` to ``last`` - 1 by lattice search, until ``stopped``, (1,), is set by another thread."""
    match_levels = np.empty(game.counts.codes.shape, np.uint8)
    levels = np.empty(game.codes.shape[1], np.int64)
    for profile in range(first, last):
        if stopped[0]:
            break
        find_match_levels(game.counts, game.hierarchies, game.codes[profile], match_levels)
        people, searched, bound = descend_one(game, profile, match_levels, levels)
        worth = value_raised(game.hierarchies, game.codes[profile], levels, NONE, 0, game.stakes.benefit)
        best = permitted_payoff(worth, people, game.stakes, game.forbids_attack)
        node = 0
        for attribute in range(levels.shape[0]):
            node += levels[attribute] * game.hierarchies.strides[attribute]
        found.nodes[profile] = WITHHELD if best == -np.inf else node
        found.payoffs[profile] = best
        found.searched[profile] = searched
        found.bounds[profile] = max(bound, best)
