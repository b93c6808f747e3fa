"""The strategies of the policy and the games at one point of stakes, and the stretches of a stake that keep them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.capabilities import Operation, refuse_unsupported
from gamedeid.choices import GAMES, GameName
from gamedeid.game.frontier import Frontier
from gamedeid.game.instance import Instance
from gamedeid.game.outcomes import strategy_totals
from gamedeid.game.recipients import Recipients
from gamedeid.game.solvers import Choice
from gamedeid.kernels.breakpoints import SLIVER, FoundStretches, VariedStake, find_stretches
from gamedeid.kernels.tables import WITHHELD
from gamedeid.progress import Progress, unreported
from gamedeid.reprs import frozen
from gamedeid.scenario.grid import StakeName
from gamedeid.scenario.payoffs import TIE, Payoffs, attacked_within
from gamedeid.scenario.recipients import recipient_features
from gamedeid.study.solution import Solution
from gamedeid.study.study import Study

STRETCHES_PER_CALL = 1 << 12
"""Stretches that are found at once: enough that the calls cost nothing, few enough that other work need not wait."""


@frozen(eq=False)
class StakeStretches:
    """For every profile the stretches of one stake on which strategy and replies stay the same.

    The stretches of a profile cover all values from 0 on: each ends where the next begins, the last never. At the very
    value between two of them an adversary is indifferent, or two strategies pay the same.

    Parameters
    ----------
    stake : which one is varied; the others are fixed, except a gain that follows the loss.
    starts : (q + 1,) int64, where each profile's stretches begin.
    lows : (s,) lower end of each stretch, dollars; a profile's first is 0.
    nodes : (s,) int64 node numbers, -1 where the record is withheld.
    replies : (s,) int64, who attacks: a bit for each adversary, the first the lowest.
    benefit_share : (s,) v(g) / V = 1 - IL; 0 where withheld.
    losses : average cost of attacks to the publisher, as a line in the stake: (s,) dollars at 0, and (s,) for each
        dollar of the stake.
    """

    stake: StakeName
    starts: IntArray
    lows: FloatArray
    nodes: IntArray
    replies: IntArray
    benefit_share: FloatArray
    losses: tuple[FloatArray, FloatArray]

    @property
    def attacked(self) -> BoolArray:
        """Whether anyone attacks, (s,)."""
        attacked: BoolArray = self.replies != 0
        return attacked

    @property
    def profiles(self) -> IntArray:
        """The profile of each stretch, (s,) int64."""
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
        """Whether the strategy differs from that of the stretch before, (s,)."""
        changes: BoolArray = np.append(False, self.nodes[1:] != self.nodes[:-1]) & ~self.first
        return changes

    @property
    def reply_changes(self) -> BoolArray:
        """Whether the attackers differ from those of the stretch before, (s,)."""
        changes: BoolArray = np.append(False, self.replies[1:] != self.replies[:-1]) & ~self.first
        return changes


def compared_names(study: Study) -> tuple[str, ...]:
    """Return the names of the scenario's policy and of the three games, in the order of tables."""
    return (study.scenario_policy.name, *GAMES)


def instance_at(study: Study, stakes: Mapping[str, float], recipients: Recipients | None = None) -> Instance:
    """Return the instance at other stakes than those of a study.

    Parameters
    ----------
    stakes : name -> dollars of the stakes that differ; a gain that follows the loss goes with it.
    """
    payoffs = replace(study.instance.payoffs, **stakes)
    return replace(study.instance, payoffs=payoffs, recipients=recipients or study.instance.recipients)


def best_nodes(study: Study, name: str, instance: Instance | None = None) -> IntArray:
    """Return the best strategies of a game, or those of the scenario's policy, (q,) node numbers, -1 where withheld."""
    instance = instance or study.instance
    if name == study.scenario_policy.name:
        return instance.lattice.nodes(study.scenario_policy.levels)
    game = cast("GameName", name)
    return study.frontier(game).choose(instance, forbids_attack=study.game(game).forbids_attack)


def best_solution(study: Study, game: GameName) -> Solution:
    """Return the best strategies of a game, from its frontier: milliseconds if it is compiled."""
    choice = Choice.unsearched(best_nodes(study, game), proved=True)
    return Solution(study=study, name=game, solver="exact", choice=choice)


def best_measures(study: Study, instance: Instance) -> dict[str, dict[str, float | int]]:
    """Return name -> measures over the records, of the policy and of each game with its best strategies."""
    return {
        name: strategy_totals(instance, best_nodes(study, name, instance)).measures for name in compared_names(study)
    }


def study_stretches(
    study: Study,
    name: str,
    stake: StakeName,
    instance: Instance | None = None,
    *,
    tie: float = TIE,
    progress: Progress = unreported,
) -> StakeStretches:
    """Return where the answers of a game, or the replies to the scenario's policy, change along a stake.

    Parameters
    ----------
    instance : the compiled question (default: that of the study).
    """
    instance = instance or study.instance
    if name == study.scenario_policy.name:
        return policy_stretches(instance, best_nodes(study, name), stake)
    game = cast("GameName", name)
    frontier, forbids_attack = study.frontier(game), study.game(game).forbids_attack
    return game_stretches(instance, frontier, stake, forbids_attack=forbids_attack, tie=tie, progress=progress)


def game_stretches(
    instance: Instance,
    frontier: Frontier,
    stake: StakeName,
    *,
    forbids_attack: bool,
    tie: float = TIE,
    progress: Progress = unreported,
) -> StakeStretches:
    """Return where the answers of a game change along a stake.

    Parameters
    ----------
    stake : the varied stake, from 0 on; recipients with such a stake keep theirs, and a gain that is not given follows
        the loss.
    tie : payoffs closer than this share of the benefit are equal; at most ``TIE``.
    progress : called with (profiles done, all profiles) every few milliseconds; may wait, or raise.

    References
    ----------
    The frontier's page in the documentation, "Exact breakpoints".
    """
    varied = _varied(instance, stake, forbids_attack=forbids_attack, tie=tie)
    entries, found_by = frontier.entries, frontier.found_by(instance.recipients)
    ends = np.empty(instance.profiles.count, np.int64)
    room, parts, done, kept = STRETCHES_PER_CALL, [], 0, 0
    while done < len(ends):
        found = FoundStretches(np.empty(room), np.empty(room, np.int64), np.empty(room, np.int64), ends)
        first = done
        done, filled = find_stretches(entries, found_by, varied, first, found)
        if done == first:  # one profile has more than there is room for
            room *= 2
            continue
        ends[first:done] += kept
        kept += filled
        parts.append((found.lows[:filled], found.entries[:filled], found.replies[:filled]))
        progress(done, len(ends))
    lows, chosen, replies = (np.concatenate(column) for column in zip(*parts, strict=True))
    withheld = chosen == WITHHELD
    return StakeStretches(
        stake=stake,
        starts=np.append(0, ends),
        lows=lows,
        nodes=np.where(withheld, WITHHELD, frontier.nodes[chosen]),
        replies=replies,
        benefit_share=np.where(withheld, 0.0, entries.benefit_share[chosen]),
        losses=_losses(instance, varied, replies, found_by[:, chosen]),
    )


def policy_stretches(instance: Instance, nodes: IntArray, stake: StakeName) -> StakeStretches:
    """Return where the replies to fixed strategies, (q,) node numbers, change along a stake."""
    varied = _varied(instance, stake)
    people = np.stack(instance.replies(instance.all_profiles, nodes).people)
    attacks_first: IntArray = np.zeros(len(nodes), np.int64)
    thresholds = np.full(people.shape, np.inf)
    for one, (scale, direction) in enumerate(zip(varied.scales.tolist(), varied.directions.tolist(), strict=True)):
        matched = people[one] > 0
        if direction == 0:
            at_first = attacked_within(people[one], varied.limits[one])
        else:
            at_first = matched & ((scale > 0) if direction < 0 else (scale == 0))
            indifferent = people[one] * scale if direction > 0 else scale / np.maximum(people[one], 1)
            thresholds[one] = np.where(matched & (scale > 0), indifferent, np.inf)
        attacks_first |= at_first.astype(np.int64) << one
    order = np.argsort(thresholds, axis=0, kind="stable")
    rising = np.take_along_axis(thresholds, order, axis=0)
    attacks = np.concatenate([attacks_first[None], np.left_shift(np.int64(1), order)])
    attacks = np.bitwise_xor.accumulate(attacks, axis=0)
    lows = np.concatenate([np.zeros((1, len(nodes))), rising])
    ends = np.concatenate([rising, np.full((1, len(nodes)), np.inf)])
    wanted = (ends > lows * (1 + SLIVER)) & np.isfinite(lows)  # among equal thresholds the last has the attackers
    owner, place = np.nonzero(wanted.T)
    replies = attacks[place, owner]
    benefit_share = instance.values(instance.all_profiles, nodes) / instance.payoffs.benefit
    return StakeStretches(
        stake=stake,
        starts=np.append(0, np.cumsum(wanted.sum(axis=0))),
        lows=lows[place, owner],
        nodes=nodes[owner],
        replies=replies,
        benefit_share=benefit_share[owner],
        losses=_losses(instance, varied, replies, people[:, owner]),
    )


def benefit_along(payoffs: Payoffs, stake: StakeName) -> tuple[float, float]:
    """Return the benefit as a line in a stake: dollars at 0, and for each dollar of the stake."""
    return (0.0, 1.0) if stake == "benefit" else (float(payoffs.benefit), 0.0)


def _varied(instance: Instance, stake: StakeName, *, forbids_attack: bool = False, tie: float = TIE) -> VariedStake:
    """Return the effect of a stake on each adversary, whose amounts may change with it."""
    recipients, payoffs = instance.recipients, instance.payoffs
    features = recipient_features({one.name: one.recipient for one in recipients.types})
    refuse_unsupported(Operation.BREAKPOINTS, {**instance.lattice.features, **features})
    here = recipients.adversaries(payoffs)
    at_one, at_two = (recipients.adversaries(replace(payoffs, **{stake: value})) for value in (1.0, 2.0))
    scales, directions = np.zeros(len(here)), np.zeros(len(here), np.int64)
    losses = np.zeros((2, len(here)))
    for place, (own, one, two) in enumerate(zip(here, at_one, at_two, strict=True)):
        if one.gain != two.gain:
            scales[place], directions[place] = own.cost, 1
        elif one.cost != two.cost:
            scales[place], directions[place] = own.gain, -1
        moves = one.expected_loss != two.expected_loss
        losses[:, place] = (0.0, one.expected_loss) if moves else (own.expected_loss, 0.0)
    unit = (1.0, 1.0)
    if len(here) == 1:  # chances of re-identification are subtracted before they are multiplied by the loss
        unit, losses = (float(losses[0, 0]), float(losses[1, 0])), np.ones((2, 1))
    return VariedStake(
        benefit=benefit_along(payoffs, stake),
        loss=unit,
        tie=tie,
        forbids_attack=forbids_attack,
        losses=losses,
        log_uncovered=np.array([one.log_uncovered for one in here]),
        weighs_cost=np.array([one.weighs_cost for one in here]),
        scales=scales,
        directions=directions,
        limits=np.array([one.attack_limit for one in here], np.int64),
    )


def _losses(
    instance: Instance, varied: VariedStake, replies: IntArray, people: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Return the cost of attacks to the publisher as a line in the stake: (k,) dollars at 0, and (k,) for each dollar.

    ``people`` is the number that each adversary finds, (R, k), and ``replies`` has the attackers, (k,).
    """
    found = np.zeros((2, len(replies)))
    for one, adversary in enumerate(instance.recipients.adversaries(instance.payoffs)):
        per_dollar = replace(adversary, probability=1.0, loss=1.0).publisher_loss(people[one])
        per_dollar[(replies >> one & 1) == 0] = 0.0
        for line in (0, 1):
            if factor := varied.loss[line] * varied.losses[line, one]:
                found[line] += factor * per_dollar
    return found[0], found[1]
