"""Where the answer changes along one stake: nearest to the value chosen, and how much along the slider."""

from typing import Any

import numpy as np

from gamedeid.analysis.breakpoints import game_stretches
from gamedeid.analysis.range_ends import Answers
from gamedeid.analysis.robustness import SHARE, keeping_range
from gamedeid.analysis.stretches import StakeStretches
from gamedeid.arrays import ROUNDING, BoolArray
from gamedeid.choices import GameName
from gamedeid.explorer.counts import told
from gamedeid.progress import Progress
from gamedeid.scenario.grid import StakeName
from gamedeid.study.study import Study

BINS = 40
"""Parts of the slider's way for which it is said how many records change there."""


def stretches_of(study: Study, game: GameName, stake: StakeName, progress: Progress | None = None) -> StakeStretches:
    """Return where a game's answers change along a stake; takes a second or two for 30,000 records.

    Parameters
    ----------
    study : the question; its other stakes stand still.
    game : whose answers.
    stake : what is varied.
    progress : called every few milliseconds; may wait while something else is more urgent, or raise to end the work.
    """
    return game_stretches(
        study.instance,
        study.frontier(game),
        study.instance.payoffs,
        stake,
        forbids_attack=study.game(game).forbids_attack,
        progress=progress,
    )


def describe_turning_points(
    study: Study,
    game: GameName,
    stretches: StakeStretches,
    ends: tuple[float, float],
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Return, as plain values, where the answer changes next, what range keeps it, and how busy the slider's way is.

    Parameters
    ----------
    study : the question at the stakes chosen.
    game : whose answers.
    stretches : as :func:`stretches_of` returns them for the same other stakes.
    ends : of the slider, dollars, both above 0.
    progress : as :func:`stretches_of` has it.
    """
    payoffs, stake = study.instance.payoffs, stretches.stake
    value = float(payoffs.adversary_gain if stake == "gain" else getattr(payoffs, stake))
    turns = ~stretches.first
    low, high = value * (1 - ROUNDING), value * (1 + ROUNDING)
    (least, most), _ = keeping_range(Answers.of(study), game, stretches, progress=progress)
    return {
        "stake": stake,
        "game": game,
        "value": value,
        "below": _nearest(study, stretches, turns & (stretches.lows < low), below=True),
        "here": _nearest(study, stretches, turns & (stretches.lows >= low) & (stretches.lows <= high), below=True),
        "above": _nearest(study, stretches, turns & (stretches.lows > high), below=False),
        "keeps": {"share": SHARE, "from": least, "to": most},
        "bins": _bins(study, stretches, ends),
    }


def _nearest(study: Study, stretches: StakeStretches, among: BoolArray, *, below: bool) -> dict[str, Any] | None:
    """Return the greatest, or least, of some breakpoints, and how many records change there."""
    lows = stretches.lows[among]
    if not len(lows):
        return None
    value = float(lows.max() if below else lows.min())
    there = among & (np.abs(stretches.lows - value) <= ROUNDING * value)
    weights = study.instance.profiles.records[stretches.profiles[there]]
    return {
        "value": float(f"{value:.12g}"),
        "strategies": told(int(weights[stretches.strategy_changes[there]].sum())),
        "replies": told(int(weights[stretches.reply_changes[there]].sum())),
    }


def _bins(study: Study, stretches: StakeStretches, ends: tuple[float, float]) -> list[dict[str, Any]]:
    """Return how many records change their strategies in each part of the slider's way; the parts are equal ratios."""
    edges = np.geomspace(*ends, BINS + 1)
    changes = stretches.strategy_changes & (stretches.lows > edges[0]) & (stretches.lows <= edges[-1])
    which = np.searchsorted(edges, stretches.lows[changes]) - 1
    records = study.instance.profiles.records
    pairs = np.unique(which * len(records) + stretches.profiles[changes])  # a record may change more than once
    sums = np.zeros(BINS, np.int64)
    np.add.at(sums, pairs // len(records), records[pairs % len(records)])
    return [
        {"from": low, "to": high, "records": told(number)}
        for low, high, number in zip(edges[:-1].tolist(), edges[1:].tolist(), sums.tolist(), strict=True)
    ]
