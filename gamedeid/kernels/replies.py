"""The replies to a strategy by adversaries with different knowledge.

Without tables of recipients there is the paper's adversary only, and the loops are compiled for one.
"""

import numpy as np

from gamedeid.arrays import BoolArray, IntArray
from gamedeid.kernels.compiled import allocating, compiled
from gamedeid.kernels.rollups import people_at
from gamedeid.kernels.rules import attack_loss, expected_loss, is_attacked, people_decided_among, recipient_loss
from gamedeid.kernels.tables import CountTables, PlayedGame, RecipientTables


@allocating
def allocate_attackers(recipients: RecipientTables | None) -> BoolArray:
    """Return room for who attacks, (R,)."""
    return np.empty(1 if recipients is None else recipients.losses.shape[0], np.bool_)


@compiled
def are_counted(game: PlayedGame[CountTables], recipients: RecipientTables | None, node: int) -> bool:
    """Return whether the people whom each adversary finds at a released strategy have been counted."""
    if recipients is None:
        counted: bool = game.counts.offsets[node] >= 0
        return counted
    missing = 0
    for one in range(recipients.losses.shape[0]):
        missing += game.counts.offsets[recipients.nodes[one, node]] < 0
    return missing == 0


@allocating
def reply_at(
    game: PlayedGame[CountTables], recipients: RecipientTables | None, profile: int, node: int, attackers: BoolArray
) -> tuple[bool, bool, float, float]:
    """Return the reply to a strategy as :func:`reply_to` has it."""
    if recipients is None:
        people = people_at(game.counts, game.hierarchies, game.codes[profile], profile, node)
        attackers[0] = is_attacked(people, game.stakes.attack_limit)
        loss = attack_loss(people, game.stakes)
        return attackers[0], attackers[0], loss, loss
    return reply_to(_people(game, recipients, profile, node), recipients, attackers)


@compiled
def reply_to(found: IntArray, recipients: RecipientTables, attackers: BoolArray) -> tuple[bool, bool, float, float]:
    """Return whether a strategy is attacked, whether by somebody whom a cost could deter, the expected loss, its bound.

    ``found``, (R,), is how many people each recipient finds; ``attackers``, (R,), receives who attacks. The bound is
    what every less general strategy loses at least: the expected loss if no one paid to learn.
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


@allocating
def loss_to(
    game: PlayedGame[CountTables], recipients: RecipientTables | None, profile: int, node: int, attackers: BoolArray
) -> float:
    """Return the expected loss of a strategy if the ``attackers``, and no one else, attack it."""
    if recipients is None:
        people = people_at(game.counts, game.hierarchies, game.codes[profile], profile, node)
        return expected_loss(people, game.stakes.loss)
    loss = 0.0
    found = _people(game, recipients, profile, node)
    for one in range(recipients.losses.shape[0]):
        if attackers[one]:
            people = people_decided_among(found, recipients, one)
            loss += recipient_loss(people, recipients.losses[one], recipients.log_uncovered[one])
    return loss


@allocating
def _people(game: PlayedGame[CountTables], recipients: RecipientTables, profile: int, node: int) -> IntArray:
    """Return how many people each recipient finds, (R,) int64."""
    found = np.empty(recipients.losses.shape[0], np.int64)
    for one in range(found.shape[0]):
        known_node = recipients.nodes[one, node]
        found[one] = people_at(game.counts, game.hierarchies, game.codes[profile], profile, known_node)
    return found
