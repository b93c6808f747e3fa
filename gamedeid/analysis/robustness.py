"""Robust ranges: within which values of each stake the strategies and the ranking of the policies stay the same."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import combinations
from math import inf, isfinite, isinf
from typing import Literal, TypeAlias

import numpy as np

from gamedeid.analysis.stretches import (
    StakeStretches,
    benefit_along,
    best_measures,
    best_nodes,
    instance_at,
    study_stretches,
)
from gamedeid.arrays import ARRAY_ROWS, ROUNDING, BoolArray, FloatArray, IntArray
from gamedeid.capabilities import Feature, Operation, refusal_words, refuse_unsupported
from gamedeid.choices import GameName
from gamedeid.errors import InvalidScenarioError, quoted
from gamedeid.game.instance import Instance
from gamedeid.parallel import cores
from gamedeid.progress import Progress, unreported
from gamedeid.reprs import frozen
from gamedeid.results.result import Dollars, OpenEnds, RangeEnds, Result, Share, Text
from gamedeid.scenario.grid import StakeName
from gamedeid.scenario.payoffs import TIE
from gamedeid.scenario.scenario import ScenarioLike
from gamedeid.study.study import Study

SHARE = 0.95
"""Default share of the records that must keep their strategy."""

EQUAL = 4 * TIE
"""Mean payoffs closer than this share of the benefit are equal."""

FINER, FARTHER = 1e-4, 1e3
"""An end that moves ``FARTHER`` times away when ties are ``FINER`` times narrower is an artefact of the ties alone."""

Ends: TypeAlias = tuple[float, float | None]
"""The ends of a range, dollars; None for no upper end."""

Open: TypeAlias = tuple[bool, bool]
"""Whether each end of a range is itself outside of it; False for no end."""

PiecewiseLinear: TypeAlias = tuple[FloatArray, FloatArray, FloatArray]
"""A piecewise linear function: the lows of its pieces, rising from 0, and each piece's constant and slope."""


@frozen
class RobustRange(Result):
    """The range within which one stake may move while all others are fixed.

    Parameters
    ----------
    chosen : its value in the scenario, dollars.
    keeps : the dollars within which at least the requested share of the records keep their strategy all the way from
        ``chosen``; None for no upper end. No range ends where strategies change only because their payoffs begin to
        count as equal, a billionth of the benefit apart.
    keeps_open : whether fewer records keep it at the end itself.
    ranking : the dollars within which no two policies change places by the publisher's mean payoff.
    ranking_open : whether two policies have changed places at the end itself.
    """

    chosen: Dollars
    keeps: RangeEnds
    keeps_open: OpenEnds
    ranking: RangeEnds
    ranking_open: OpenEnds


@frozen
class Robustness(Result):
    """The robust ranges of one game, played with its best strategies, for a release by any solver.

    Parameters
    ----------
    share : the share of the records that keep their strategy within ``RobustRange.keeps``, in (0, 1].
    order : the policy and the games from the best for the publisher to the worst, as chosen.
    ranges : stake -> how far it may move.
    """

    shown = ("share", "order", "ranges")
    table_of = "ranges"

    keys = ("solver", "share", "ranking", "ranges")

    share: Share
    order: tuple[str, ...]
    ranges: Mapping[StakeName, RobustRange]

    @property
    def solver(self) -> Literal["exact"]:
        """The solver of the strategies."""
        return "exact"

    @property
    def ranking(self) -> tuple[Text, ...]:
        """The same as ``order``."""
        return self.order


def robust_ranges(
    scenario: ScenarioLike | Study,
    game: GameName,
    *,
    share: float = SHARE,
    progress: Progress | None = None,
) -> Robustness:
    """Return the benefit, loss and cost (and gain, where the scenario gives one) between which the answer holds.

    Exact: every value at which a strategy changes is computed, none is sampled.

    Parameters
    ----------
    scenario : the question, at the stakes chosen, or a study of it.
    game : the game of the strategies; the ranking is of the policy and all games.
    share : the share of the records that must keep their strategy, in (0, 1].
    progress : called with (done, total): pairs of a stake and a policy or game.

    Raises
    ------
    InvalidScenarioError : no such share, limits on the whole dataset, more strategies than tables can hold, or
        recipients whose replies along a stake are not followed: more than 62, or one with a price of learning.
    """
    study = Study.prepare(scenario)
    refuse_unsupported(Operation.BREAKPOINTS, study.features)
    check_share(share)
    game = study.scenario.game_of_records(game)
    progress = progress or unreported
    payoffs = study.instance.payoffs
    chosen: dict[StakeName, float] = {"benefit": payoffs.benefit, "loss": payoffs.loss, "cost": payoffs.cost}
    if not payoffs.gain_follows_loss:
        chosen["gain"] = payoffs.adversary_gain
    means = _means(study, study.instance)
    order = sorted(means, key=lambda name: -means[name])  # equals in the order of wan2015's Table 7

    def follow(stake: StakeName, name: str) -> tuple[PiecewiseLinear, tuple[Ends, Open] | None]:
        """Return a policy's payoffs along a stake and, for the requested game, the range that keeps its strategies."""
        stretches = study_stretches(study, name, stake)
        return _payoff_sums(study, stretches), keeping_range(study, game, stretches, share) if name == game else None

    entries, twin = study.frontier("basic").entries, {}
    if study.frontier("sh-friendly").entries is entries:  # the policy permits everything
        twin = {"basic": "sh-friendly"} if game == "sh-friendly" else {"sh-friendly": "basic"}
    tasks = [(stake, name) for stake in chosen for name in order if name not in twin]
    followed: dict[tuple[StakeName, str], PiecewiseLinear] = {}
    kept: dict[StakeName, tuple[Ends, Open]] = {}
    at_once = min(len(tasks), cores(), max(1, 4 * ARRAY_ROWS // len(entries.people)))  # many entries, many stretches
    with ThreadPoolExecutor(at_once) as pool:
        for task, (payoff_sums, keeping) in zip(tasks, pool.map(follow, *zip(*tasks, strict=True)), strict=True):
            followed[task] = payoff_sums
            if keeping is not None:
                kept[task[0]] = keeping
            progress(len(followed), len(tasks))
    ranges = {}
    for stake, value in chosen.items():
        keeps, keeps_open = kept[stake]
        sums = [followed[stake, twin.get(name, name)] for name in order]
        ranking = _ranking_range(study, stake, value, [means[name] for name in order], sums)
        ranges[stake] = RobustRange(
            chosen=float(value),
            keeps=keeps,
            keeps_open=keeps_open,
            ranking=ranking,
            ranking_open=_open(ranking, value, partial(_ranks_alike, study, means, order, stake)),
        )
    return Robustness(share=share, order=tuple(order), ranges=ranges)


def has_robust_ranges(study: Study) -> bool:
    """Return whether robust ranges are computed for the games of a study, for a lattice of any size."""
    small: dict[Feature, str] = {one: where for one, where in study.features.items() if one is not Feature.LARGE}
    return refusal_words(Operation.BREAKPOINTS, small) is None


def check_share(share: float) -> None:
    """Check the share of the records that must keep their strategy."""
    if not (isfinite(share) and 0 < share <= 1):
        raise InvalidScenarioError(f"the share of records must be above 0 and at most 1, not {quoted(f'{share:g}')}")


@frozen(eq=False)
class _StrategyRanges:
    """The range of a stake around ``chosen``, (q,) dollars each, in which a profile keeps its strategy."""

    chosen: float
    low: FloatArray
    high: FloatArray

    @classmethod
    def of(cls, stretches: StakeStretches, nodes: IntArray, chosen: float) -> "_StrategyRanges":
        """Return the ranges around ``chosen`` in which the profiles keep ``nodes``, (q,), their strategies there."""
        profiles, highs = stretches.profiles, stretches.highs
        at = (
            (stretches.lows <= chosen * (1 + ROUNDING))
            & (highs >= chosen * (1 - ROUNDING))
            & (stretches.nodes == nodes[profiles])
        )
        joined = np.cumsum(stretches.strategy_changes | stretches.first)  # neighbours of one profile and strategy
        low, high = np.full(len(nodes), chosen), np.full(len(nodes), chosen)
        last = np.append(np.diff(joined) > 0, True)
        joined_low, joined_high = stretches.lows[np.append(0, np.flatnonzero(last)[:-1] + 1)], highs[last]
        np.minimum.at(low, profiles[at], joined_low[joined[at] - 1])
        np.maximum.at(high, profiles[at], joined_high[joined[at] - 1])
        return cls(chosen=chosen, low=low, high=high)

    def ends(self, records: IntArray, spare: float) -> Ends:
        """Return the range beyond which more records than ``spare`` have changed their strategies."""
        low, high = -_first_end_beyond(-self.low, records, spare), _first_end_beyond(self.high, records, spare)
        return low + 0.0, None if isinf(high) else high

    def changed_before(self, end: float) -> BoolArray:
        """Return which profiles, (q,), change their strategies on the way from ``chosen`` to ``end``."""
        changed: BoolArray = (self.low > end) | (self.high < end)
        return changed


def keeping_range(
    study: Study, game: str, stretches: StakeStretches, share: float = SHARE, *, progress: Progress = unreported
) -> tuple[Ends, Open]:
    """Return the range in which enough records keep their strategies, and whether its ends are outside of it.

    Parameters
    ----------
    share : the share of the records that must keep theirs, in (0, 1].
    progress : called every few milliseconds if stretches are searched again; may wait, or raise.
    """
    stake = stretches.stake
    payoffs, nodes = study.instance.payoffs, best_nodes(study, game)
    chosen = payoffs.adversary_gain if stake == "gain" else float(getattr(payoffs, stake))
    ranges = _StrategyRanges.of(stretches, nodes, chosen)
    records = study.instance.profiles.records
    spare = (1 - share) * float(records.sum()) * (1 + ROUNDING)
    low, high = ranges.ends(records, spare)
    if (stake == "benefit" and high is not None) or (stake == "loss" and low):  # only these ends can result from ties
        stretches = study_stretches(study, game, stake, tie=FINER * TIE, progress=progress)
        finer = _StrategyRanges.of(stretches, nodes, ranges.chosen).ends(records, spare)
        if stake == "loss" and finer[0] * FARTHER < low:
            low = 0.0
        if stake == "benefit" and high is not None and (finer[1] is None or finer[1] > high * FARTHER):
            high = None

    def keeps_at(end: float) -> bool:
        changed = best_nodes(study, game, instance_at(study, {stake: end})) != nodes
        return float(records[changed | ranges.changed_before(end)].sum()) <= spare

    return (low, high), _open((low, high), ranges.chosen, keeps_at)


def _open(ends: Ends, chosen: float, stands: Callable[[float], bool]) -> Open:
    """Return for each end of a range whether the answer no longer holds there."""
    low, high = ends
    return low not in {0.0, chosen} and not stands(low), high not in {None, chosen} and not stands(float(high or 0))


def _means(study: Study, instance: Instance) -> dict[str, float]:
    """Return the publisher's mean payoff, dollars, under the policy and in each game."""
    return {name: float(found["publisher_payoff"]) for name, found in best_measures(study, instance).items()}


def _ranks_alike(study: Study, here: Mapping[str, float], order: Sequence[str], stake: StakeName, value: float) -> bool:
    """Return whether no two policies, the best first, change places where one stake has another value."""
    instance = instance_at(study, {stake: value})
    there = _means(study, instance)
    least_here, least_there = (EQUAL * one.payoffs.benefit for one in (study.instance, instance))
    return not any(
        here[upper] - here[lower] > least_here and there[lower] - there[upper] > least_there
        for upper, lower in combinations(order, 2)
    )


def _first_end_beyond(ends: FloatArray, records: IntArray, spare: float) -> float:
    """Return the first of the rising ends, (q,), at which more records than ``spare`` have ended."""
    order = np.argsort(ends, kind="stable")
    over = np.cumsum(records[order]) > spare
    return float(ends[order][np.argmax(over)])


def _payoff_sums(study: Study, stretches: StakeStretches) -> PiecewiseLinear:
    """Return the publisher's payoff, summed over the records, along the stake."""
    records = study.instance.profiles.records[stretches.profiles]
    benefits = benefit_along(study.instance.payoffs, stretches.stake)
    order = np.argsort(stretches.lows, kind="stable")
    lows = stretches.lows[order]
    where = np.flatnonzero(np.diff(lows, prepend=-1))

    def summed(benefit: float, lost: FloatArray) -> FloatArray:
        values = records * (benefit * stretches.benefit_share - lost)
        values[1:] -= np.where(stretches.first[1:], 0.0, values[:-1])
        return np.cumsum(np.add.reduceat(values[order], where))

    constant, slope = (summed(*of) for of in zip(benefits, stretches.losses, strict=True))
    return lows[where], constant, slope


def _ranking_range(
    study: Study, stake: StakeName, chosen: float, means: Sequence[float], payoff_sums: Sequence[PiecewiseLinear]
) -> Ends:
    """Return the ends of the range around ``chosen`` on which no two policies change places.

    ``means`` are the policies' payoffs, per record, at exactly the chosen value, best first: there the adversary may be
    indifferent, and the sums of payoffs jump.
    """
    records = float(study.instance.profiles.records.sum())
    benefit = study.instance.payoffs.benefit
    equal = (0.0, EQUAL * records) if stake == "benefit" else (EQUAL * records * benefit, 0.0)
    low, high = 0.0, inf
    for (upper_mean, upper), (lower_mean, lower) in combinations(zip(means, payoff_sums, strict=True), 2):
        if upper_mean - lower_mean <= EQUAL * benefit:
            continue  # equal as chosen, so neither is above the other
        lows, constants, slopes = _difference(upper, lower)
        slopes[np.abs(slopes) <= ROUNDING * records] = 0.0
        constants, slopes = constants + equal[0], slopes + equal[1]
        highs = np.append(lows[1:], inf)
        above, below = highs > chosen, lows < chosen
        high = min(high, _first_below(constants[above], slopes[above], np.maximum(lows[above], chosen), highs[above]))
        backwards = [values[below][::-1] for values in (constants, slopes, np.minimum(highs, chosen), lows)]
        low = max(low, _first_below(*backwards, otherwise=0.0))
    return low, None if isinf(high) else high


def _first_below(
    constants: FloatArray, slopes: FloatArray, starts: FloatArray, ends: FloatArray, *, otherwise: float = inf
) -> float:
    """Return the first place, from the start to the end of each piece, at which a piece falls below 0."""
    at_start = constants + slopes * starts
    with np.errstate(invalid="ignore"):
        at_end = np.where(np.isinf(ends), slopes, constants + slopes * ends)
    found = np.flatnonzero((at_start < 0) | (at_end < 0))
    if not len(found):
        return otherwise
    first = found[0]
    return float(starts[first] if at_start[first] < 0 else -constants[first] / slopes[first])


def _difference(upper: PiecewiseLinear, lower: PiecewiseLinear) -> PiecewiseLinear:
    """Return one piecewise linear function less another."""
    lows = np.union1d(upper[0], lower[0])
    places = [np.searchsorted(one[0], lows, side="right") - 1 for one in (upper, lower)]
    return lows, upper[1][places[0]] - lower[1][places[1]], upper[2][places[0]] - lower[2][places[1]]
