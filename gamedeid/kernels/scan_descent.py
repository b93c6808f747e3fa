"""Lattice search (Algorithm 2) by scans of the population: one scan counts a strategy and all its children."""

from typing import NamedTuple

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.kernels.compiled import compiled
from gamedeid.kernels.rules import is_attacked, payoff_if_attacked, permitted_payoff, value_at_levels, value_raised
from gamedeid.kernels.scan import find_match_levels, people_around
from gamedeid.kernels.tables import NONE, WITHHELD, HierarchyTables, PopulationCells, Stakes
from gamedeid.reprs import brief


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
