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


@compiled
def descend_one(
    population: PopulationCells,
    hierarchies: HierarchyTables,
    stakes: Stakes,
    forbids_attack: bool,
    code: IntArray,
    floor: IntArray,
    match_levels: IntArray,
    levels: IntArray,
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
    beyond = value_at_levels(hierarchies, code, levels, stakes.benefit)
    while True:
        people = people_around(population, match_levels, levels, around)
        if not is_attacked(people, stakes.attack_limit):
            break
        if not forbids_attack:
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
        if not forbids_attack:
            best = max(
                best,
                payoff_if_attacked(value_at_levels(hierarchies, code, levels, stakes.benefit), people, stakes.loss),
            )
        step = NONE
        for attribute in range(attributes):
            if values[attribute] > best - stakes.tolerance:
                step = attribute
        if step == NONE:
            break
        levels[step] += 1
    return people, searched, max(bound, beyond)


@compiled
def payoff_at_levels(
    hierarchies: HierarchyTables, stakes: Stakes, forbids_attack: bool, code: IntArray, levels: IntArray, people: int
) -> float:
    """Return the publisher's payoff of a profile at ``levels``, (a,); -inf where it is not permitted."""
    worth = value_at_levels(hierarchies, code, levels, stakes.benefit)
    return permitted_payoff(worth, people, stakes, forbids_attack)


@compiled
def descend_all(
    population: PopulationCells,
    hierarchies: HierarchyTables,
    stakes: Stakes,
    forbids_attack: bool,
    codes: IntArray,
    floors: IntArray,
    first: int,
    last: int,
    stopped: BoolArray,
    found: ScanSolutions,
) -> None:
    """Solve profiles ``first`` to ``last`` - 1 by lattice search; codes and floors are (q, a).

    ``stopped``, (1,), becomes true in another thread when nobody waits for the answers any more.
    """
    attributes = codes.shape[1]
    match_levels = np.empty(population.codes.shape, np.uint8)
    levels = np.empty(attributes, np.int64)
    for profile in range(first, last):
        if stopped[0]:
            break
        find_match_levels(population, hierarchies, codes[profile], match_levels)
        people, searched, bound = descend_one(
            population, hierarchies, stakes, forbids_attack, codes[profile], floors[profile], match_levels, levels
        )
        best = payoff_at_levels(hierarchies, stakes, forbids_attack, codes[profile], levels, people)
        node = 0
        for attribute in range(attributes):
            node += levels[attribute] * hierarchies.strides[attribute]
        found.nodes[profile] = WITHHELD if best == -np.inf else node
        found.payoffs[profile] = best
        found.searched[profile] = searched
        found.bounds[profile] = max(bound, best)
