"""Exact search by the bound v(g): strategies are listed from the greatest v(g) down, until the best is proved."""

import heapq
from typing import NamedTuple

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.kernels.compiled import allocating
from gamedeid.kernels.replies import are_counted, reply_at, reply_room
from gamedeid.kernels.rules import value_at_node
from gamedeid.kernels.tables import NONE, BestFirstLists, CountTables, HierarchyTables, PlayedGame
from gamedeid.reprs import brief


@allocating
def list_best_first(hierarchies: HierarchyTables, codes: IntArray, floors: IntArray, lists: BestFirstLists) -> None:
    """Fill ``lists`` for representative profiles of each kind, (k, a) codes and floors.

    Each strategy is reached once: from the one that has one level less in the last attribute above its floor.
    """
    attributes = hierarchies.heights.shape[0]
    for kind in range(codes.shape[0]):
        start = 0
        for attribute in range(attributes):
            start += floors[kind, attribute] * hierarchies.strides[attribute]
        heap = [(-value_at_node(hierarchies, codes[kind], start, 1.0), hierarchies.walk_keys[start])]
        listed = 0
        while len(heap) > 0 and listed < lists.nodes.shape[1]:
            negative, key = heapq.heappop(heap)
            node = key % hierarchies.levels.shape[0]
            lists.nodes[kind, listed] = node
            lists.values[kind, listed] = -negative
            listed += 1
            for attribute in range(attributes - 1, -1, -1):
                if hierarchies.levels[node, attribute] + 1 < hierarchies.heights[attribute]:
                    child = node + hierarchies.strides[attribute]
                    worth = value_at_node(hierarchies, codes[kind], child, 1.0)
                    heapq.heappush(heap, (-worth, hierarchies.walk_keys[child]))
                if hierarchies.levels[node, attribute] > floors[kind, attribute]:
                    break
        lists.lengths[kind] = listed


@brief
class SearchState(NamedTuple):
    """The state of the exact search for each profile of a block, (b,) each."""

    position: IntArray  # next entry of the best-first list
    best: FloatArray  # greatest payoff seen
    chosen: IntArray  # first in walk order among the payoffs equal to best; -1 where there is none
    chosen_payoff: FloatArray
    searched: IntArray  # strategies whose payoff was evaluated
    attacked: IntArray  # entries at the head of the list that were all looked up and are all attacked at a cost
    unsure: BoolArray  # a chain of near-equal payoffs was met: the choice is made again at the end
    done: BoolArray


@allocating
def prove_best(
    active: IntArray,
    lists_of: IntArray,
    lists: BestFirstLists,
    game: PlayedGame[CountTables],
    state: SearchState,
    first: int,
    wanted: IntArray,
) -> None:
    """Walk each profile down its best-first list until no strategy left can change the answer.

    ``state`` begins with profile ``first``. ``wanted`` (active,) receives the node whose people must be counted before
    the profile can go on, or -1.
    """
    room, walk_keys, stakes = reply_room(game.recipients), game.hierarchies.walk_keys, game.stakes
    for index in range(active.shape[0]):
        profile = active[index]
        place = profile - first
        kind = lists_of[index]
        wanted[index] = NONE
        position, searched, attacked = state.position[place], state.searched[place], state.attacked[place]
        best, chosen, chosen_payoff = state.best[place], state.chosen[place], state.chosen_payoff[place]
        chosen_key = walk_keys[chosen] if chosen >= 0 else 0
        while True:
            if position >= lists.lengths[kind]:
                state.done[place] = lists.complete or position < lists.nodes.shape[1]
                break
            worth = stakes.benefit * lists.values[kind, position]
            if worth <= best - stakes.tolerance:
                state.done[place] = True
                break
            node = lists.nodes[kind, position]
            key = walk_keys[node]
            if worth <= best and chosen >= 0 and key > chosen_key:
                position += 1
                continue
            if not are_counted(game, game.recipients, node):
                wanted[index] = node
                break
            _, deterrable, loss, _ = reply_at(game, game.recipients, profile, node, room)
            searched += 1
            if deterrable:
                attacked += attacked == position
                if game.forbids_attack:
                    position += 1
                    continue
            position += 1
            paid = worth - loss
            if paid > best:
                stays = chosen >= 0 and chosen_payoff > paid - stakes.tolerance
                if chosen >= 0 and not stays and best > paid - stakes.tolerance:
                    state.unsure[place] = True
                if not stays or key < chosen_key:
                    chosen, chosen_key, chosen_payoff = node, key, paid
                best = paid
            elif paid > best - stakes.tolerance and key < chosen_key:
                chosen, chosen_key, chosen_payoff = node, key, paid
        state.position[place], state.searched[place], state.attacked[place] = position, searched, attacked
        state.best[place], state.chosen[place], state.chosen_payoff[place] = best, chosen, chosen_payoff
