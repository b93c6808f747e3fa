"""The rules of the game for the compiled loops: the value of a strategy, the attacks, and their cost.

Strategies are *node numbers* of :class:`gamedeid.generalization.lattice.Lattice` or (a,) levels; profiles are (a,) leaf
codes. Every sum over the attributes is taken in their order, so that all callers round alike.
"""

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.kernels.compiled import compiled
from gamedeid.kernels.tables import INDIFFERENCE, CompiledStakes, HierarchyTables, RecipientTables


@compiled
def value(raw_loss: float, total_loss: float, benefit: float) -> float:
    """Return v(g) = V (1 - IL(g)) where IL is a raw loss, sum_f w_f ln(size_f(g)), over that of the whole domain."""
    return benefit * (1.0 - raw_loss / total_loss)


@compiled
def value_at_node(hierarchies: HierarchyTables, code: IntArray, node: int, benefit: float) -> float:
    """Return v(g) of a profile at a node of a lattice that is not large."""
    raw = 0.0
    for attribute in range(code.shape[0]):
        raw += hierarchies.raw_losses[attribute, hierarchies.levels[node, attribute], code[attribute]]
    return value(raw, hierarchies.total_loss, benefit)


@compiled
def value_raised(
    hierarchies: HierarchyTables, code: IntArray, levels: IntArray, raised: int, level: int, benefit: float
) -> float:
    """Return v(g) of a profile at ``levels``, (a,), with the attribute ``raised``, unless none is, at ``level``."""
    raw = 0.0
    for attribute in range(code.shape[0]):
        own_level = level if attribute == raised else levels[attribute]
        raw += hierarchies.raw_losses[attribute, own_level, code[attribute]]
    return value(raw, hierarchies.total_loss, benefit)


@compiled
def values_of(
    hierarchies: HierarchyTables, codes: IntArray, profiles: IntArray, nodes: IntArray, benefit: float, out: FloatArray
) -> None:
    """Write v(g) of each pair of profile and node, (k,), into ``out``, (k,); codes is (q, a), the lattice of any size.

    A large lattice has no table of levels: they are worked out from the node numbers.
    """
    has_levels = hierarchies.levels.shape[0] > 0
    for index in range(profiles.shape[0]):
        profile, node = profiles[index], nodes[index]
        raw = 0.0
        for attribute in range(codes.shape[1]):
            if has_levels:
                level = int(hierarchies.levels[node, attribute])
            else:
                level = node // hierarchies.strides[attribute] % hierarchies.heights[attribute]
            raw += hierarchies.raw_losses[attribute, level, codes[profile, attribute]]
        out[index] = value(raw, hierarchies.total_loss, benefit)


@compiled
def is_attacked(people: int, attack_limit: int) -> bool:
    """Return whether the adversary attacks a group of this size; where no one matches there is no one to find."""
    return 0 < people <= attack_limit


@compiled
def expected_loss(people: int, loss: float) -> float:
    """Return the average cost of one attack to the publisher, L pi(g); 0 where no one matches."""
    return loss / people if people > 0 else 0.0


@compiled
def listed_probability(people: int, log_uncovered: float) -> float:
    """Return the chance that a list has at least one of ``people``: 1 - (1 - covers)^n; 1 if it covers all."""
    return 1.0 if log_uncovered == -np.inf else -np.expm1(people * log_uncovered)


@compiled
def recipient_loss(people: int, loss: float, log_uncovered: float) -> float:
    """Return the average cost of attacks by a recipient whose list covers a share; 0 where no one matches."""
    return loss * listed_probability(people, log_uncovered) / people if people > 0 else 0.0


@compiled
def look_up_value(people: int, recipients: RecipientTables, one: int) -> float:
    """Return the worth of a look-up to a recipient, dollars; 0 without an attack."""
    if not is_attacked(people, recipients.attack_limits[one]):
        return 0.0
    paid: float = recipients.gains[one] / people - recipients.costs[one]
    return listed_probability(people, recipients.log_uncovered[one]) * paid


@compiled
def people_decided_among(found: IntArray, recipients: RecipientTables, one: int) -> int:
    """Return among how many people, of those ``found``, (R,), a recipient decides.

    A recipient who may learn at a price decides as before learning where learning is not worth the price.
    """
    people, price = int(found[one]), recipients.prices[one]
    if price == 0.0:
        return people
    before, chance = int(found[one + 1]), recipients.learning_chances[one]
    value_learned = chance * look_up_value(people, recipients, one)
    gain = value_learned - chance * look_up_value(before, recipients, one)
    return people if gain > price + INDIFFERENCE * (price + value_learned) else before


@compiled
def attack_loss(people: int, stakes: CompiledStakes) -> float:
    """Return the average cost of the adversary to the publisher: L pi(g) in an attack, else 0."""
    return expected_loss(people, stakes.loss) if is_attacked(people, stakes.attack_limit) else 0.0


@compiled
def permitted_payoff(worth: float, people: int, stakes: CompiledStakes, forbids_attack: bool) -> float:
    """Return the publisher's payoff of a strategy worth v(g); -inf where it is attacked and the game forbids that."""
    if forbids_attack and is_attacked(people, stakes.attack_limit):
        return -np.inf
    return worth - attack_loss(people, stakes)
