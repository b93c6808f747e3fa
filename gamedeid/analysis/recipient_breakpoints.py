"""Where along one stake strategies change, or who attacks them, when the release has several recipients."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gamedeid.analysis.stretches import StakeStretches, all_stretches, benefit_along, stretches_of_entries
from gamedeid.arrays import FloatArray, IntArray
from gamedeid.capabilities import Operation, check
from gamedeid.game.frontier import Frontier
from gamedeid.game.instance import Instance
from gamedeid.game.recipients import Recipients
from gamedeid.kernels.breakpoints import SLIVER
from gamedeid.kernels.recipient_breakpoints import FoundReplies, VariedRecipients, find_stretches_against
from gamedeid.progress import Progress
from gamedeid.scenario.grid import StakeName
from gamedeid.scenario.payoffs import TIE, Adversary, Payoffs, attacked_within, indifferent_cost, indifferent_gain
from gamedeid.scenario.recipients import features_of


def stretches_against(
    frontier: Frontier,
    recipients: Recipients,
    payoffs: Payoffs,
    stake: StakeName,
    *,
    forbids_attack: bool,
    tie: float = TIE,
    progress: Progress | None = None,
) -> StakeStretches:
    """Return where the answers of a game against recipients change along a stake; those with their own stand still.

    Parameters
    ----------
    frontier : the strategies that can be best.
    recipients : whom the frontier is of.
    payoffs, stake, forbids_attack, tie, progress : as :func:`gamedeid.analysis.breakpoints.game_stretches` has them.

    Raises
    ------
    InvalidScenarioError : one may learn something at a price, or there are more than ``MOST_PARTIES``.
    """
    varied = _varied(recipients, payoffs, stake, forbids_attack=forbids_attack, tie=tie)
    entries, found_by = (
        frontier.entries,
        np.stack([frontier.found[party.name, party.learned] for party in recipients.parties]),
    )
    ends = np.empty(frontier.data.profiles.count, np.int64)
    lows, chosen, replies = all_stretches(
        lambda first, found: find_stretches_against(entries, found_by, varied, first, found),
        lambda room: FoundReplies(np.empty(room), np.empty(room, np.int64), np.empty(room, np.int64), ends),
        progress,
    )
    losses = _losses(recipients.adversaries(payoffs), varied, replies, found_by[:, chosen])
    return stretches_of_entries(
        frontier, stake, ends=ends, lows=lows, chosen=chosen, replies=replies, losses=lambda _: losses
    )


def policy_stretches_against(
    instance: Instance, recipients: Recipients, nodes: IntArray, payoffs: Payoffs, stake: StakeName
) -> StakeStretches:
    """Return where the replies of recipients to fixed strategies, (q,) node numbers, change along a stake.

    Raises
    ------
    InvalidScenarioError : one may learn something at a price, or there are more than ``MOST_PARTIES``.
    """
    varied = _varied(recipients, payoffs, stake, forbids_attack=False, tie=TIE)
    people = np.stack(instance.replies(instance.everyone, nodes).people)
    attacks_first: IntArray = np.zeros(len(nodes), np.int64)
    thresholds = np.full(people.shape, np.inf)
    for one, (scale, direction) in enumerate(zip(varied.scales.tolist(), varied.directions.tolist(), strict=True)):
        matched = people[one] > 0
        if direction == 0:
            at_first = attacked_within(people[one], varied.limits[one])
        else:
            at_first = matched & ((scale > 0) if direction < 0 else (scale == 0))
            indifferent = indifferent_gain if direction > 0 else indifferent_cost
            thresholds[one] = np.where(matched & (scale > 0), indifferent(people[one], scale), np.inf)
        attacks_first |= at_first.astype(np.int64) << one
    order = np.argsort(thresholds, axis=0, kind="stable")
    rising = np.take_along_axis(thresholds, order, axis=0)
    attacks = np.concatenate([attacks_first[None], np.left_shift(np.int64(1), order)])
    attacks = np.bitwise_xor.accumulate(attacks, axis=0)
    lows = np.concatenate([np.zeros((1, len(nodes))), rising])
    ends = np.concatenate([rising, np.full((1, len(nodes)), np.inf)])
    wanted = (ends > lows * (1 + SLIVER)) & np.isfinite(lows)  # of thresholds at one place the last says who attacks
    owner, place = np.nonzero(wanted.T)
    replies = attacks[place, owner]
    benefit_share = instance.values(instance.everyone, nodes) / instance.payoffs.benefit
    return StakeStretches(
        stake=stake,
        starts=np.append(0, np.cumsum(wanted.sum(axis=0))),
        lows=lows[place, owner],
        nodes=nodes[owner],
        replies=replies,
        benefit_share=benefit_share[owner],
        losses=_losses(recipients.adversaries(payoffs), varied, replies, people[:, owner]),
    )


def _varied(
    recipients: Recipients, payoffs: Payoffs, stake: StakeName, *, forbids_attack: bool, tie: float
) -> VariedRecipients:
    """Return how a stake moves the recipients: those who play for another amount where it has another value."""
    check(Operation.BREAKPOINTS, features_of({party.name: party.recipient for party in recipients.parties}))
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
    return VariedRecipients(
        benefit=benefit_along(payoffs, stake),
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
    adversaries: Sequence[Adversary], varied: VariedRecipients, replies: IntArray, people: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Return what attacks cost the publisher as a line in the stake: (k,) dollars at 0, and (k,) for each dollar.

    ``people`` is how many each recipient finds, (R, k), and ``replies`` who attacks, (k,).
    """
    constant, slope = np.zeros(len(replies)), np.zeros(len(replies))
    for one, adversary in enumerate(adversaries):
        per_dollar = replace(adversary, probability=1.0, loss=1.0).publisher_loss(people[one])
        attacks = (replies >> one & 1).astype(np.bool_)
        constant += np.where(attacks, varied.losses[0, one] * per_dollar, 0.0)
        slope += np.where(attacks, varied.losses[1, one] * per_dollar, 0.0)
    return constant, slope
