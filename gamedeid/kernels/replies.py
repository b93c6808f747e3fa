"""What several recipients do about a strategy, each of whom knows more or less than the others."""

from gamedeid.arrays import BoolArray, IntArray
from gamedeid.kernels.compiled import compiled
from gamedeid.kernels.rollups import people_at
from gamedeid.kernels.rules import is_attacked, people_decided_among, recipient_loss
from gamedeid.kernels.tables import CountTables, HierarchyTables, RecipientTables


@compiled
def are_counted(counts: CountTables, recipients: RecipientTables | None, node: int) -> bool:
    """Return whether the people whom each recipient finds at a released strategy have been counted."""
    if recipients is None:
        counted: bool = counts.offsets[node] >= 0
        return counted
    missing = 0
    for one in range(recipients.losses.shape[0]):
        missing += counts.offsets[recipients.nodes[one, node]] < 0
    return missing == 0


@compiled
def reply_at(
    counts: CountTables,
    hierarchies: HierarchyTables,
    recipients: RecipientTables,
    codes: IntArray,
    profile: int,
    node: int,
    attackers: BoolArray,
) -> tuple[bool, bool, float, float]:
    """Return whether a strategy is attacked, whether by somebody whom a cost could deter, the expected loss, its bound.

    ``attackers``, one for each recipient, receives who attacks. The bound is what every less general strategy loses at
    least: the expected loss if nobody paid to learn.
    """
    attacked, deterrable, loss, bound = False, False, 0.0, 0.0
    for one in range(recipients.losses.shape[0]):
        people = people_at(counts, hierarchies, codes, profile, recipients.nodes[one, node])
        limit, price, before = recipients.attack_limits[one], recipients.prices[one], people
        if price > 0.0:
            before = people_at(counts, hierarchies, codes, profile, recipients.nodes[one + 1, node])
            gain, cost, uncovered = recipients.gains[one], recipients.costs[one], recipients.log_uncovered[one]
            chance = recipients.learning_chances[one]
            people = people_decided_among(people, before, limit, gain, cost, uncovered, chance, price)
        attackers[one] = is_attacked(people, recipients.attack_limits[one])
        if attackers[one]:
            attacked = True
            deterrable = deterrable or recipients.weighs_cost[one]
            lost = recipient_loss(people, recipients.losses[one], recipients.log_uncovered[one])
            loss += lost
            if price == 0.0:
                bound += lost
        if price > 0.0 and is_attacked(before, limit):
            bound += recipient_loss(before, recipients.losses[one], recipients.log_uncovered[one])
    return attacked, deterrable, loss, bound


@compiled
def loss_to(
    counts: CountTables,
    hierarchies: HierarchyTables,
    recipients: RecipientTables,
    codes: IntArray,
    profile: int,
    node: int,
    attackers: BoolArray,
) -> float:
    """Return the expected loss of a strategy if the ``attackers``, and nobody else, attack it."""
    loss = 0.0
    for one in range(recipients.losses.shape[0]):
        if attackers[one]:
            people = people_at(counts, hierarchies, codes, profile, recipients.nodes[one, node])
            if recipients.prices[one] > 0.0:
                before = people_at(counts, hierarchies, codes, profile, recipients.nodes[one + 1, node])
                people = people_decided_among(
                    people,
                    before,
                    recipients.attack_limits[one],
                    recipients.gains[one],
                    recipients.costs[one],
                    recipients.log_uncovered[one],
                    recipients.learning_chances[one],
                    recipients.prices[one],
                )
            loss += recipient_loss(people, recipients.losses[one], recipients.log_uncovered[one])
    return loss
