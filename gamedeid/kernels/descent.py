"""Lattice search (Algorithm 2), where counts are kept in tables: greedy descent from the most specific strategy."""

from typing import NamedTuple

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.kernels.compiled import allocating, compiled
from gamedeid.kernels.replies import are_counted, loss_to, reply_at, reply_room
from gamedeid.kernels.rules import value_at_node
from gamedeid.kernels.tables import NONE, CountTables, HierarchyTables, PlayedGame
from gamedeid.reprs import brief


@compiled
def greatest_value_beyond(
    hierarchies: HierarchyTables, codes: IntArray, floors: IntArray, node: int, benefit: float
) -> float:
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


@brief
class Descent(NamedTuple):
    """The state of the search for each profile, (q,) each."""

    nodes: IntArray  # the current strategy
    searched: IntArray  # strategies whose payoff was evaluated
    done: BoolArray
    bounds: FloatArray  # rises to the payoffs of permitted strategies no more general than one visited
    beyond: FloatArray  # falls to the payoffs of the others


@allocating
def descend(active: IntArray, game: PlayedGame[CountTables], at: Descent, wanted: IntArray) -> None:
    """Move each profile down the lattice by Algorithm 2; ``wanted`` (active, a + 1) receives the nodes to count first.

    A child counts with its payoff if the attackers of its parent attack it too: no others can begin to.
    """
    hierarchies, benefit = game.hierarchies, game.stakes.benefit
    room = reply_room(game.recipients)
    attributes = hierarchies.heights.shape[0]
    values = np.empty(attributes)
    for index in range(active.shape[0]):
        profile = active[index]
        code = game.codes[profile]
        wanted[index, :] = NONE
        while not at.done[profile]:
            node = at.nodes[profile]
            if not are_counted(game, game.recipients, node):
                wanted[index, attributes] = node
                break
            attacked, deterrable, loss, least_loss = reply_at(game, game.recipients, profile, node, room)
            is_forbidden = game.forbids_attack and deterrable
            if not attacked:
                at.done[profile] = True
                break
            missing = False
            children = 0
            for attribute in range(attributes):
                if hierarchies.levels[node, attribute] + 1 < hierarchies.heights[attribute]:
                    children += 1
                    child = node + hierarchies.strides[attribute]
                    if not are_counted(game, game.recipients, child):
                        wanted[index, attribute] = child
                        missing = True
            if missing:
                break
            if not is_forbidden:
                at.bounds[profile] = max(at.bounds[profile], at.beyond[profile] - least_loss)
            at.beyond[profile] = greatest_value_beyond(hierarchies, code, game.floors[profile], node, benefit)
            if children == 0:
                at.done[profile] = True
                break
            best_child = -np.inf
            for attribute in range(attributes):
                values[attribute] = -np.inf
                if hierarchies.levels[node, attribute] + 1 < hierarchies.heights[attribute]:
                    child = node + hierarchies.strides[attribute]
                    lost = loss_to(game, game.recipients, profile, child, room)
                    values[attribute] = value_at_node(hierarchies, code, child, benefit) - lost
                    best_child = max(best_child, values[attribute])
            at.searched[profile] += children
            payoff = value_at_node(hierarchies, code, node, benefit) - loss
            best = best_child if is_forbidden else max(best_child, payoff)
            step = NONE
            for attribute in range(attributes):
                if values[attribute] > best - game.stakes.tolerance:
                    step = attribute
            if step == NONE:
                at.done[profile] = True
                break
            at.nodes[profile] = node + hierarchies.strides[step]
