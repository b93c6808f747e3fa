"""Lattice search (Algorithm 2), where counts are kept in tables: greedy descent from the most specific strategy."""

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.kernels.compiled import compiled
from gamedeid.kernels.rollups import people_at
from gamedeid.kernels.rules import is_attacked, payoff_if_attacked, value_at_node
from gamedeid.kernels.tables import NONE, CountTables, HierarchyTables, Stakes


@compiled
def most_beyond(hierarchies: HierarchyTables, codes: IntArray, floors: IntArray, node: int, benefit: float) -> float:
    """Return the greatest v(g) of strategies above the floor, (a,), that are not at most as general as ``node``."""
    start = 0
    for attribute in range(codes.shape[0]):
        start += floors[attribute] * hierarchies.strides[attribute]
    most = -np.inf
    for attribute in range(codes.shape[0]):
        level = hierarchies.levels[node, attribute] + 1
        if level < hierarchies.heights[attribute]:
            raised = start + (level - floors[attribute]) * hierarchies.strides[attribute]
            most = max(most, value_at_node(hierarchies, codes, raised, benefit))
    return most


@compiled
def descend(
    active: IntArray,
    counts: CountTables,
    hierarchies: HierarchyTables,
    codes: IntArray,
    stakes: Stakes,
    forbids_attack: bool,
    current_nodes: IntArray,
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
    attributes = hierarchies.heights.shape[0]
    values = np.empty(attributes)
    for index in range(active.shape[0]):
        profile = active[index]
        wanted[index, :] = NONE
        while not done[profile]:
            node = current_nodes[profile]
            if counts.offsets[node] < 0:
                wanted[index, attributes] = node
                break
            people = people_at(counts, hierarchies, codes[profile], profile, node)
            if not is_attacked(people, stakes.attack_limit):
                done[profile] = True
                break
            missing = False
            children = 0
            for attribute in range(attributes):
                if hierarchies.levels[node, attribute] + 1 < hierarchies.heights[attribute]:
                    children += 1
                    if counts.offsets[node + hierarchies.strides[attribute]] < 0:
                        wanted[index, attribute] = node + hierarchies.strides[attribute]
                        missing = True
            if missing:
                break
            if not forbids_attack:
                bounds[profile] = max(bounds[profile], payoff_if_attacked(beyond[profile], people, stakes.loss))
            beyond[profile] = most_beyond(hierarchies, codes[profile], floors[profile], node, stakes.benefit)
            if children == 0:
                done[profile] = True
                break
            best_child = -np.inf
            for attribute in range(attributes):
                values[attribute] = -np.inf
                if hierarchies.levels[node, attribute] + 1 < hierarchies.heights[attribute]:
                    child = node + hierarchies.strides[attribute]
                    people_there = people_at(counts, hierarchies, codes[profile], profile, child)
                    worth = value_at_node(hierarchies, codes[profile], child, stakes.benefit)
                    values[attribute] = payoff_if_attacked(worth, people_there, stakes.loss)
                    best_child = max(best_child, values[attribute])
            searched[profile] += children
            here = payoff_if_attacked(
                value_at_node(hierarchies, codes[profile], node, stakes.benefit), people, stakes.loss
            )
            best = best_child if forbids_attack else max(best_child, here)
            step = NONE
            for attribute in range(attributes):
                if values[attribute] > best - stakes.tolerance:
                    step = attribute
            if step == NONE:
                done[profile] = True
                break
            current_nodes[profile] = node + hierarchies.strides[step]
