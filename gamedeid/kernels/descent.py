"""Lattice search (Algorithm 2), where counts are kept in tables: greedy descent from the most specific strategy."""

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.kernels.compiled import compiled
from gamedeid.kernels.replies import are_counted, loss_to, no_attackers, reply_at
from gamedeid.kernels.rules import value_at_node
from gamedeid.kernels.tables import NONE, CountTables, HierarchyTables, RecipientTables, Stakes


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
    recipients: RecipientTables | None,
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
    the others can; both are about permitted strategies. A child stands for its payoff if those who attack its parent
    attack it too: nobody else can begin to.
    """
    attackers = no_attackers(recipients)
    attributes = hierarchies.heights.shape[0]
    values = np.empty(attributes)
    for index in range(active.shape[0]):
        profile = active[index]
        wanted[index, :] = NONE
        while not done[profile]:
            node = current_nodes[profile]
            if not are_counted(counts, recipients, node):
                wanted[index, attributes] = node
                break
            attacked, deterrable, loss, least_loss = reply_at(
                counts, hierarchies, stakes, recipients, codes[profile], profile, node, attackers
            )
            must_go = forbids_attack and deterrable
            if not attacked:
                done[profile] = True
                break
            missing = False
            children = 0
            for attribute in range(attributes):
                if hierarchies.levels[node, attribute] + 1 < hierarchies.heights[attribute]:
                    children += 1
                    child = node + hierarchies.strides[attribute]
                    if not are_counted(counts, recipients, child):
                        wanted[index, attribute] = child
                        missing = True
            if missing:
                break
            if not must_go:
                bounds[profile] = max(bounds[profile], beyond[profile] - least_loss)
            beyond[profile] = most_beyond(hierarchies, codes[profile], floors[profile], node, stakes.benefit)
            if children == 0:
                done[profile] = True
                break
            best_child = -np.inf
            for attribute in range(attributes):
                values[attribute] = -np.inf
                if hierarchies.levels[node, attribute] + 1 < hierarchies.heights[attribute]:
                    child = node + hierarchies.strides[attribute]
                    worth = value_at_node(hierarchies, codes[profile], child, stakes.benefit)
                    values[attribute] = worth - loss_to(
                        counts, hierarchies, stakes, recipients, codes[profile], profile, child, attackers
                    )
                    best_child = max(best_child, values[attribute])
            searched[profile] += children
            here = value_at_node(hierarchies, codes[profile], node, stakes.benefit) - loss
            best = best_child if must_go else max(best_child, here)
            step = NONE
            for attribute in range(attributes):
                if values[attribute] > best - stakes.tolerance:
                    step = attribute
            if step == NONE:
                done[profile] = True
                break
            current_nodes[profile] = node + hierarchies.strides[step]
