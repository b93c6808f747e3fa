"""Along one stake, the values at which a strategy or the reply to it changes: computed, not sampled.

One adversary has loops of her own, though she could be played as one recipient: a threshold of attack is then the size
of a group, which a table of sizes gives without a line for every entry. The loops for recipients take about
twice as long for the same answer on the case study, and along benefit and loss they round otherwise in the basic game
(``benchmarks/breakpoints.py``).
"""

import numpy as np

from gamedeid.analysis.recipient_breakpoints import policy_stretches_against, stretches_against
from gamedeid.analysis.stretches import StakeStretches, all_stretches, benefit_along, stretches_of_entries
from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.capabilities import Operation, check
from gamedeid.game.frontier import Frontier
from gamedeid.game.instance import Instance
from gamedeid.kernels.breakpoints import FoundStretches, VariedStake, find_stretches
from gamedeid.progress import Progress
from gamedeid.scenario.grid import StakeName
from gamedeid.scenario.payoffs import (
    TIE,
    Payoffs,
    attacked_within,
    indifferent_cost,
    indifferent_gain,
    success_probability,
)


def game_stretches(
    instance: Instance,
    frontier: Frontier,
    payoffs: Payoffs,
    stake: StakeName,
    *,
    forbids_attack: bool,
    tie: float = TIE,
    progress: Progress | None = None,
) -> StakeStretches:
    """Return where the answers of a game change along a stake.

    Parameters
    ----------
    instance : what the games are played with.
    frontier : the strategies that can be best.
    payoffs : the other stakes; without a gain of its own the adversary gains what the publisher loses.
    stake : what is varied, from 0 on.
    forbids_attack : whether strategies that are attacked are ruled out.
    tie : payoffs closer than this share of the benefit are equal; at most ``TIE``.
    progress : called with how many profiles are done, of how many, every few milliseconds; may wait, or raise.

    References
    ----------
    The frontier's page in the documentation, "Exact breakpoints".
    """
    if (recipients := instance.recipients) is not None:
        return stretches_against(
            frontier, recipients, payoffs, stake, forbids_attack=forbids_attack, tie=tie, progress=progress
        )
    entries = frontier.entries
    varied = varied_stake(payoffs, stake, forbids_attack=forbids_attack, tie=tie)
    ends = np.empty(instance.profiles.count, np.int64)
    lows, chosen, attacked = all_stretches(
        lambda first, found: find_stretches(entries, varied, first, 0, found),
        lambda room: FoundStretches(np.empty(room), np.empty(room, np.int64), np.empty(room, np.bool_), ends),
        progress,
    )
    return stretches_of_entries(
        frontier,
        stake,
        ends=ends,
        lows=lows,
        chosen=chosen,
        replies=attacked,
        losses=lambda people: _losses(varied, attacked, people),
    )


def policy_stretches(instance: Instance, nodes: IntArray, payoffs: Payoffs, stake: StakeName) -> StakeStretches:
    """Return where the replies to fixed strategies, (q,) node numbers, change along a stake."""
    check(Operation.BREAKPOINTS, instance.lattice.features)
    if instance.recipients is not None:
        return policy_stretches_against(instance, instance.recipients, nodes, payoffs, stake)
    people = instance.people(instance.everyone, nodes)
    varied = varied_stake(payoffs, stake, forbids_attack=False)
    matched = people > 0
    if varied.attack_direction == 0:
        threshold = np.full(len(nodes), np.inf)
        attacked_first = attacked_within(people, varied.limit)
    else:
        indifferent = indifferent_gain if varied.attack_direction > 0 else indifferent_cost
        threshold = np.where(matched, indifferent(people, varied.attack_scale), np.inf)
        attacked_first = matched & (varied.attack_direction < 0)
    changes = np.isfinite(threshold) & (threshold > 0)
    counts = 1 + changes
    starts = np.append(0, np.cumsum(counts))
    owner: IntArray = np.repeat(instance.everyone, counts)
    lows = np.zeros(starts[-1])
    attacked: BoolArray = attacked_first[owner]
    second = starts[1:][changes] - 1
    lows[second] = threshold[changes]
    attacked[second] = ~attacked[second]
    benefit_share = instance.values(instance.everyone, nodes) / instance.payoffs.benefit
    return StakeStretches(
        stake=stake,
        starts=starts,
        lows=lows,
        nodes=nodes[owner],
        replies=attacked,
        benefit_share=benefit_share[owner],
        losses=_losses(varied, attacked, people[owner]),
    )


def varied_stake(payoffs: Payoffs, stake: StakeName, *, forbids_attack: bool, tie: float = TIE) -> VariedStake:
    """Return how payoffs and attacks depend on a stake."""
    if stake == "gain" or (stake == "loss" and payoffs.gain_follows_loss):
        scale, direction = float(payoffs.cost), 1
    elif stake == "cost" and payoffs.adversary_gain > 0:
        scale, direction = float(payoffs.adversary_gain), -1
    else:
        scale, direction = 0.0, 0
    return VariedStake(
        benefit=benefit_along(payoffs, stake),
        loss=(0.0, 1.0) if stake == "loss" else (float(payoffs.loss), 0.0),
        attack_scale=scale,
        attack_direction=direction,
        limit=payoffs.attack_limit,
        tie=tie,
        forbids_attack=forbids_attack,
    )


def _losses(varied: VariedStake, attacked: BoolArray, people: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return what attacks cost the publisher as a line in the stake: (k,) dollars at 0, and (k,) for each dollar."""
    chance = np.where(attacked, success_probability(people), 0.0)
    constant, slope = (dollars * chance if dollars else np.broadcast_to(0.0, chance.shape) for dollars in varied.loss)
    return constant, slope
