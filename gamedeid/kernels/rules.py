"""The rules of the game for the compiled loops: what a strategy is worth, who is attacked, and what that costs.

Strategies are *node numbers* of :class:`gamedeid.generalization.lattice.Lattice` or (a,) levels; profiles are (a,) leaf
codes. Every sum over the attributes is taken in their order, so that all callers round alike.
"""

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.kernels.compiled import compiled
from gamedeid.kernels.tables import INDIFFERENCE, HierarchyTables, Stakes


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
def value_at_levels(hierarchies: HierarchyTables, code: IntArray, levels: IntArray, benefit: float) -> float:
    """Return v(g) of a profile at ``levels``, (a,)."""
    raw = 0.0
    for attribute in range(code.shape[0]):
        raw += hierarchies.raw_losses[attribute, levels[attribute], code[attribute]]
    return value(raw, hierarchies.total_loss, benefit)


@compiled
def value_raised(
    hierarchies: HierarchyTables, code: IntArray, levels: IntArray, raised: int, level: int, benefit: float
) -> float:
    """Return v(g) of a profile at ``levels``, (a,), with the attribute ``raised`` at ``level`` instead."""
    raw = 0.0
    for attribute in range(code.shape[0]):
        here = level if attribute == raised else levels[attribute]
        raw += hierarchies.raw_losses[attribute, here, code[attribute]]
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
    """Return whether the adversary attacks a group of this size; where nobody matches there is no one to find."""
    return 0 < people <= attack_limit


@compiled
def expected_loss(people: int, loss: float) -> float:
    """Return what one attack costs the publisher on average, L pi(g); 0 where nobody matches."""
    return loss / people if people > 0 else 0.0


@compiled
def finds_somebody(people: int, log_uncovered: float) -> float:
    """Return the chance that a list has somebody of ``people``: 1 - (1 - covers)^n; 1 where it covers all."""
    return 1.0 if log_uncovered == -np.inf else -np.expm1(people * log_uncovered)


@compiled
def recipient_loss(people: int, loss: float, log_uncovered: float) -> float:
    """Return what attacks of a recipient whose list covers a share cost on average; 0 where nobody matches."""
    return loss * finds_somebody(people, log_uncovered) / people if people > 0 else 0.0


@compiled
def look_up_value(people: int, attack_limit: int, gain: float, cost: float, log_uncovered: float) -> float:
    """Return what looking the record up is worth to a recipient, dollars; 0 without an attack."""
    if not is_attacked(people, attack_limit):
        return 0.0
    return finds_somebody(people, log_uncovered) * (gain / people - cost)


@compiled
def people_decided_among(
    learned: int,
    unlearned: int,
    attack_limit: int,
    gain: float,
    cost: float,
    log_uncovered: float,
    chance: float,
    price: float,
) -> int:
    """Return among how many people a recipient looks: ``learned`` if trying to learn is worth its price."""
    hoped = chance * look_up_value(learned, attack_limit, gain, cost, log_uncovered)
    more = hoped - chance * look_up_value(unlearned, attack_limit, gain, cost, log_uncovered)
    return learned if more > price + INDIFFERENCE * (price + hoped) else unlearned


@compiled
def attack_loss(people: int, stakes: Stakes) -> float:
    """Return what the adversary costs the publisher on average: L pi(g) in an attack, else 0."""
    return expected_loss(people, stakes.loss) if is_attacked(people, stakes.attack_limit) else 0.0


@compiled
def payoff_if_attacked(worth: float, people: int, loss: float) -> float:
    """Return the publisher's payoff v(g) - L pi(g) of a strategy worth v(g) that is attacked."""
    return worth - expected_loss(people, loss)


@compiled
def payoff(worth: float, people: int, stakes: Stakes) -> float:
    """Return the publisher's payoff of a strategy worth v(g), given the best response of the adversary."""
    if is_attacked(people, stakes.attack_limit):
        return payoff_if_attacked(worth, people, stakes.loss)
    return worth


@compiled
def permitted_payoff(worth: float, people: int, stakes: Stakes, forbids_attack: bool) -> float:
    """Return the same; -inf where the strategy is attacked and the game forbids that."""
    if forbids_attack and is_attacked(people, stakes.attack_limit):
        return -np.inf
    return payoff(worth, people, stakes)
