"""The replies to a strategy by adversaries with different knowledge.

Without tables of recipients there is the paper's adversary only, and the loops are compiled for one.
"""

from typing import NamedTuple

import numpy as np

from gamedeid.arrays import BoolArray, IntArray
from gamedeid.kernels.compiled import allocating, compiled
from gamedeid.kernels.rollups import people_at
from gamedeid.kernels.rules import attack_loss, expected_loss, is_attacked, people_decided_among, recipient_loss
from gamedeid.kernels.tables import CountTables, PlayedGame, RecipientTables
from gamedeid.reprs import brief


@brief
class ReplyRoom(NamedTuple):
    """Room for the reply of each adversary to one strategy, (R,) each."""

    attackers: BoolArray  # who attacks
    found: IntArray  # int64: how many people the recipient finds


@allocating
def reply_room(recipients: RecipientTables | None) -> ReplyRoom:
    """Return room for the replies to strategies, one after another."""
    count = 1 if recipients is None else recipients.losses.shape[0]
    return ReplyRoom(np.empty(count, np.bool_), np.empty(count, np.int64))


@compiled
def are_counted(game: PlayedGame[CountTables], recipients: RecipientTables | None, node: int) -> bool:
    """Return whether the people that each adversary finds at a released strategy have been counted."""
    if recipients is None:
        counted: bool = game.counts.offsets[node] >= 0
        return counted
    missing = 0
    for one in range(recipients.losses.shape[0]):
        missing += game.counts.offsets[recipients.nodes[one, node]] < 0
    return missing == 0


@compiled
def reply_at(
    game: PlayedGame[CountTables], recipients: RecipientTables | None, profile: int, node: int, room: ReplyRoom
) -> tuple[bool, bool, float, float]:
    """Return the reply to a strategy as :func:`reply_to` has it."""
    if recipients is None:
        people = people_at(game.counts, game.hierarchies, game.codes[profile], profile, node)
        attacked = is_attacked(people, game.stakes.attack_limit)
        loss = attack_loss(people, game.stakes)
        room.attackers[0] = attacked
        return attacked, attacked, loss, loss
    _find_people(game, recipients, profile, node, room.found)
    return reply_to(room.found, recipients, room.attackers)


@compiled
def reply_to(found: IntArray, recipients: RecipientTables, attackers: BoolArray) -> tuple[bool, bool, float, float]:
    """Return whether a strategy is attacked, whether by an adversary who weighs the cost, the expected loss, its bound.

    ``found``, (R,), is how many people each recipient finds; ``attackers``, (R,), receives who attacks. The bound is
    the least loss of every less general strategy: the expected loss if no recipient paid to learn.
    """
    attacked, deterrable, loss, bound = False, False, 0.0, 0.0
    for one in range(recipients.losses.shape[0]):
        people = people_decided_among(found, recipients, one)
        limit, price = recipients.attack_limits[one], recipients.prices[one]
        attackers[one] = is_attacked(people, limit)
        if attackers[one]:
            attacked = True
            deterrable = deterrable or recipients.weighs_cost[one]
            lost = recipient_loss(people, recipients.losses[one], recipients.log_uncovered[one])
            loss += lost
            if price == 0.0:
                bound += lost
        if price > 0.0 and is_attacked(found[one + 1], limit):
            bound += recipient_loss(found[one + 1], recipients.losses[one], recipients.log_uncovered[one])
    return attacked, deterrable, loss, bound


@compiled
def loss_to(
    game: PlayedGame[CountTables], recipients: RecipientTables | None, profile: int, node: int, room: ReplyRoom
) -> float:
    """Return the expected loss of a strategy if exactly the attackers of the last reply attack it."""
    if recipients is None:
        people = people_at(game.counts, game.hierarchies, game.codes[profile], profile, node)
        return expected_loss(people, game.stakes.loss)
    loss = 0.0
    _find_people(game, recipients, profile, node, room.found)
    for one in range(recipients.losses.shape[0]):
        if room.attackers[one]:
            people = people_decided_among(room.found, recipients, one)
            loss += recipient_loss(people, recipients.losses[one], recipients.log_uncovered[one])
    return loss


@compiled
def _find_people(
    game: PlayedGame[CountTables], recipients: RecipientTables, profile: int, node: int, found: IntArray
) -> None:
    """Write how many people each recipient finds into ``found``, (R,) int64."""
    for one in range(found.shape[0]):
        known = recipients.nodes[one, node]
        found[one] = people_at(game.counts, game.hierarchies, game.codes[profile], profile, known)
