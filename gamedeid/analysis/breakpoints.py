"""Along one stake, the values at which a strategy or the adversary's reply changes: computed, not sampled."""

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.game.frontier import Frontier, check_frontier
from gamedeid.game.instance import Instance
from gamedeid.kernels.breakpoints import FoundStretches, VariedStake, find_stretches
from gamedeid.kernels.tables import NOBODY, WITHHELD
from gamedeid.progress import Progress
from gamedeid.reprs import frozen
from gamedeid.scenario.grid import StakeName
from gamedeid.scenario.payoffs import TIE, Payoffs, attacked_within, indifferent_cost, indifferent_gain

AT_ONCE = 1 << 12
"""Stretches that are found at once: enough that the calls cost nothing, few enough that other work need not wait."""


@frozen(eq=False)
class StakeStretches:
    """For every profile the stretches of one stake on which strategy and reply stay the same.

    The stretches of a profile cover all values from 0 on: each ends where the next begins, the last never. At the very
    value between two of them the adversary is indifferent, or two strategies pay the same.

    Parameters
    ----------
    stake : which one is varied; the others are fixed, except a gain that follows the loss.
    starts : (q + 1,) int64, where each profile's stretches begin.
    lows : (s,) lower end of each stretch, dollars; a profile's first is 0.
    nodes : (s,) int64 node numbers, -1 where the record is withheld.
    attacked : (s,) whether the adversary attacks.
    benefit_share : (s,) v(g) / V = 1 - IL; 0 where withheld.
    people : (s,) int64, n_p of the strategy; 0 where nobody matches or the record is withheld.
    """

    stake: StakeName
    starts: IntArray
    lows: FloatArray
    nodes: IntArray
    attacked: BoolArray
    benefit_share: FloatArray
    people: IntArray

    @property
    def profiles(self) -> IntArray:
        """Which profile each stretch belongs to, (s,) int64."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    @property
    def highs(self) -> FloatArray:
        """Upper end of each stretch, (s,) dollars; infinite for a profile's last."""
        highs = np.append(self.lows[1:], np.inf)
        highs[self.starts[1:] - 1] = np.inf
        return highs

    @property
    def first(self) -> BoolArray:
        """Whether a stretch is its profile's first, (s,)."""
        first: BoolArray = np.zeros(len(self.lows), np.bool_)
        first[self.starts[:-1]] = True
        return first

    @property
    def strategy_changes(self) -> BoolArray:
        """Whether the strategy is another one than in the stretch before, (s,)."""
        changes: BoolArray = np.append(False, self.nodes[1:] != self.nodes[:-1]) & ~self.first
        return changes

    @property
    def reply_changes(self) -> BoolArray:
        """Whether the adversary's reply is another one than in the stretch before, (s,)."""
        changes: BoolArray = np.append(False, self.attacked[1:] != self.attacked[:-1]) & ~self.first
        return changes


def game_stretches(
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
    check_frontier(frontier.instance)
    entries = frontier.entries
    varied = varied_stake(payoffs, stake, forbids_attack=forbids_attack, tie=tie)
    profiles = frontier.instance.profiles.count
    ends = np.empty(profiles, np.int64)
    found = _empty_stretches(AT_ONCE, ends)
    parts: list[tuple[FloatArray, IntArray, BoolArray]] = []
    done = kept = 0
    while done < profiles:
        first = done
        done, filled = find_stretches(entries, varied, first, 0, found)
        if done == first:  # one profile has more than there is room for
            found = _empty_stretches(2 * len(found.lows), ends)
            continue
        ends[first:done] += kept
        kept += filled
        parts.append((found.lows[:filled].copy(), found.entries[:filled].copy(), found.attacked[:filled].copy()))
        if progress is not None:
            progress(done, profiles)
    lows, chosen, attacked = (np.concatenate(column) for column in zip(*parts, strict=True))
    withheld = chosen == WITHHELD
    people = np.where(withheld | (entries.people[chosen] == NOBODY), 0, entries.people[chosen])
    return StakeStretches(
        stake=stake,
        starts=np.append(0, ends),
        lows=lows,
        nodes=np.where(withheld, WITHHELD, frontier.nodes[chosen]),
        attacked=attacked,
        benefit_share=np.where(withheld, 0.0, entries.benefit_share[chosen]),
        people=people,
    )


def policy_stretches(instance: Instance, nodes: IntArray, payoffs: Payoffs, stake: StakeName) -> StakeStretches:
    """Return where the adversary's reply to fixed strategies, (q,) node numbers, changes along a stake."""
    check_frontier(instance)
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
        attacked=attacked,
        benefit_share=benefit_share[owner],
        people=people[owner],
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
        benefit=(0.0, 1.0) if stake == "benefit" else (float(payoffs.benefit), 0.0),
        loss=(0.0, 1.0) if stake == "loss" else (float(payoffs.loss), 0.0),
        attack_scale=scale,
        attack_direction=direction,
        limit=payoffs.attack_limit,
        tie=tie,
        forbids_attack=forbids_attack,
    )


def _empty_stretches(size: int, ends: IntArray) -> FoundStretches:
    """Return room for so many stretches; ``ends``, (q,), are shared."""
    return FoundStretches(np.empty(size), np.empty(size, np.int64), np.empty(size, np.bool_), ends)
