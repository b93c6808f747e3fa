import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any
from unittest.mock import patch

import oracle_breakpoints as oracle
import pyarrow as pa
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from oracle_robustness import (
    POLICY,
    End,
    MeanPayoffs,
    ProfileStretches,
    chosen_value,
    first_beyond,
    is_decidable,
    profile_stretches,
    strategy_changes,
)
from oracle_worlds import floors_of, game_of, instance_of
from oracles import SAME, World
from printed_ranges import printed_ends
from worlds import CROSSING, HIDDEN, RISING, few_strategies, worlds

from gamedeid import InvalidScenarioError, Study, compare, robust_ranges, solve
from gamedeid.amounts import range_words
from gamedeid.choices import GAMES
from gamedeid.data.engines.rows import ReadRows
from gamedeid.game.policies import AppliedPolicy
from gamedeid.scenario.grid import StakeName
from gamedeid.scenario.shipped import scenario_of

EQUAL = 4 * oracle.TIE
"""Mean payoffs closer than this share of the benefit, at the scenario's stake, are equal: four ties."""

ROUNDED = Fraction(1, 10**13)
"""Largest rounding error of a mean payoff, as a share of benefit and loss."""

NEAR = 1e-9
"""Largest relative error of the value at which two mean payoffs cross: a choice may be a tie, 1e-9, below the best."""


# Eight of nine are found among eight, whom the adversary, at these stakes, is just indifferent to attack. With more
# gain, the game that forbids attacks costs them more than the attack costs them under the policy.
ON_THE_EDGE = World(
    ladders={"a": [["p", "*"], ["q", "*"]], "b": [["p", "*"], ["q", "*"]]},
    weights={"a": 1.0, "b": 1.0},
    records=[*[{"a": "p", "b": "p"}] * 8, {"a": "p", "b": "q"}],
    population=None,
    benefit=0.25,
    loss=0.25,
    gain=2.0,
    cost=0.25,
    unmatched="error",
    floors=[{}] * 9,
)

# No record is attacked at these stakes, so that all policies pay the same and their ranking cannot change.
ALL_ALIKE = World(
    ladders={"a": [["p", "*"], ["q", "*"]]},
    weights={"a": 1.0},
    records=[{"a": "p"}],
    population=None,
    benefit=1.0,
    loss=0.25,
    gain=0.25,
    cost=0.25,
    unmatched="error",
    floors=[{}],
)

# Two strategies that differ little, as the loss is far below the benefit at which they pay the same: four ties of that
# benefit are then more than three of benefit and loss, and move the place a long way.
LITTLE_LOSS = replace(
    ON_THE_EDGE,
    weights={"a": 0.05, "b": 0.95},
    records=[{"a": "p", "b": "p"}, {"a": "q", "b": "p"}],
    gain=0.25,
    cost=0.2,
    floors=[{}] * 2,
)


def study_of(world: World, *, follows: bool) -> Study:
    """Return a world as a study without files, with its floors for a policy."""
    instance = instance_of(world)
    if follows:
        instance = replace(instance, payoffs=replace(instance.payoffs, gain=None))
    study = Study(
        scenario=scenario_of(
            {
                "attributes": {"sex": {"hierarchy": "sex"}},
                "population": {"sampling_fraction": 0.5},  # so that knowing the method is not measured
                "game": "basic",
                "payoffs": {"benefit": 1.0, "loss": 1.0, "cost": 1.0},
            }
        ),  # only used to say that it has no limits
        instance=instance,
        rows=ReadRows(source=pa.table({})),
        is_own_population=False,
    )
    levels = game_of(world, instance, "sh-friendly").floors
    vars(study)["scenario_policy"] = AppliedPolicy(name=POLICY, levels=levels, in_words={})
    assert (levels >= floors_of(world, instance)).all()
    return study


def same(expected: End | None, actual: float | None, *, open_end: float | None) -> bool:
    if expected is None or actual is None:
        return expected is None and actual == open_end
    return abs(expected.value - Fraction(actual)) <= expected.blur + expected.value * Fraction(1e-11)


def ends_of(
    profiles: list[ProfileStretches], weights: list[int], chosen: Fraction, allowed: Fraction
) -> tuple[End | None, End | None]:
    """Return the lower and the upper end of the range in which enough records keep their strategies."""
    changes = [strategy_changes(one, chosen) for one in profiles]
    high = first_beyond([(up, w) for (up, _), w in zip(changes, weights, strict=True)], allowed, falling=False)
    low = first_beyond([(down, w) for (_, down), w in zip(changes, weights, strict=True)], allowed, falling=True)
    return low, high


@contextmanager
def finer_ties() -> Iterator[None]:
    """Let the oracle use a tolerance for equal payoffs that is ten thousand times smaller."""
    with patch.object(oracle, "TIE", oracle.TIE / 10_000):
        yield


def moved_far(
    stake: str, finer: tuple[End | None, End | None], ends: tuple[End | None, End | None]
) -> tuple[bool, bool]:
    """Return which ends are due to ties alone: with a smaller tolerance they are far away, or missing.

    Ties begin to count as the loss falls, and as the benefit rises.
    """
    (low, high), (finer_low, finer_high) = ends, finer
    return (
        stake == "loss" and low is not None and (finer_low is None or finer_low.value * 1000 < low.value),
        stake == "benefit" and high is not None and (finer_high is None or finer_high.value > high.value * 1000),
    )


STAKES: tuple[StakeName, ...] = ("benefit", "loss", "cost", "gain")
SHARES = (0.25, 0.5, 0.75, 0.95, 1.0)


@given(
    world=worlds().map(few_strategies),
    name=st.sampled_from(GAMES),
    share=st.sampled_from(SHARES),
    follows=st.booleans(),
)
@example(world=CROSSING, name="basic", share=0.95, follows=False)
@example(world=HIDDEN, name="no-attack", share=1.0, follows=True)
@example(world=RISING, name="basic", share=0.5, follows=False)
@example(world=ON_THE_EDGE, name="no-attack", share=0.95, follows=False)
@example(world=ALL_ALIKE, name="no-attack", share=1.0, follows=True)
def test_strategies_are_kept_until_too_many_records_change_theirs(world, name, share, follows):
    study = study_of(world, follows=follows)
    instance = study.instance
    found = robust_ranges(study, name, share=share).as_dict()
    floors = study.game(name).floors
    weights = instance.profiles.records.tolist()

    assert share == found["share"]
    assert set(STAKES[: 3 if follows else 4]) == set(found["ranges"])
    for stake, ranges in found["ranges"].items():
        chosen = chosen_value(instance, stake)
        profiles = [
            profile_stretches(instance, floors, profile, stake, name) for profile in range(instance.profiles.count)
        ]
        assume(is_decidable(profiles, chosen))
        allowed = (1 - Fraction(share)) * sum(weights)
        low, high = ends_of(profiles, weights, chosen, allowed)
        with finer_ties():
            finer = [
                profile_stretches(instance, floors, profile, stake, name) for profile in range(instance.profiles.count)
            ]
        low_of_ties, high_of_ties = moved_far(stake, ends_of(finer, weights, chosen, allowed), (low, high))

        assert float(chosen) == ranges["chosen"]
        actual_low, actual_high = ranges["keeps"]
        assert same(None if low_of_ties else low, actual_low, open_end=0.0), (stake, low, ranges)
        assert same(None if high_of_ties else high, actual_high, open_end=None), (stake, high, ranges)
        for end, is_open in zip(ranges["keeps"], ranges["keeps_open"], strict=True):
            assert not (is_open and end in {0.0, None, ranges["chosen"]})


@settings(max_examples=6)
@given(world=worlds().map(few_strategies), name=st.sampled_from(GAMES), share=st.sampled_from(SHARES))
@example(world=CROSSING, name="basic", share=0.95)
@example(world=ON_THE_EDGE, name="no-attack", share=0.95)
@example(world=HIDDEN, name="basic", share=1.0)
def test_every_printed_end_is_in_its_range_and_keeps_the_stated_property(world, name, share):
    study = study_of(world, follows=False)
    weights = study.instance.profiles.records
    now = solve(study, game=name).choice.nodes
    here = payoffs_of(study)
    found = robust_ranges(study, name, share=share).as_dict()
    apart = [
        (upper, lower)
        for upper, lower in combinations(found["ranking"], 2)
        if here[upper] - here[lower] > 10 * NEAR * study.instance.payoffs.benefit
    ]
    for stake, ranges in found["ranges"].items():
        profiles = [
            profile_stretches(study.instance, study.game(name).floors, profile, stake, name)
            for profile in range(study.instance.profiles.count)
        ]
        assume(is_decidable(profiles, chosen_value(study.instance, stake)))
        for value in values_at_ends(ranges, "keeps"):
            there = solve(moved(study, stake, value), game=name).choice.nodes
            assert ((there == now) * weights).sum() >= share * weights.sum() * (1 - 1e-12), (stake, value, ranges)
        for value in values_at_ends(ranges, "ranking"):
            payoffs = payoffs_of(moved(study, stake, value))
            least = 10 * NEAR * (value if stake == "benefit" else study.instance.payoffs.benefit)
            for upper, lower in apart:
                assert payoffs[upper] >= payoffs[lower] - least, (stake, value, ranges)


def payoffs_of(study: Study) -> dict[str, float]:
    """Return the publisher's payoff by the policy and by each game, dollars a record."""
    return {name: one.measures["publisher_payoff"] for name, one in compare(study).solutions.items()}


def values_at_ends(ranges: dict[str, Any], which: str) -> list[float]:
    """Return a value at each printed end of a range: the end itself, or just inside of one that is open."""
    low, high, (low_open, high_open) = printed_ends(
        range_words(ranges[which], ranges["chosen"], ranges[f"{which}_open"])
    )
    inside = [low + min(1e-7 * low, (ranges["chosen"] - low) / 2) if low_open else low]
    if high is not None:
        inside.append(high - min(1e-7 * high, (high - ranges["chosen"]) / 2) if high_open else high)
    return [value for value in inside if value > 0]


@given(worlds().map(few_strategies), st.sampled_from(STAKES), st.floats(-2, 2))
def test_the_means_of_the_oracle_are_those_of_the_comparison(world, stake, step):
    study = study_of(world, follows=False)
    means = MeanPayoffs(study, stake)
    chosen = float(means.chosen)
    for value in (chosen, chosen * 10**step or 10**step):
        near = [cut for cut in means.cuts if cut != means.chosen and abs(float(cut) - value) <= 1e-6 * value]
        if value == chosen or not near:
            lines = {name: means.line(name, None if value == chosen else Fraction(value)) for name in means.profiles}
            expected = {name: float(oracle.at(line, Fraction(value))) for name, line in lines.items()}
            assert expected == pytest.approx(payoffs_of(moved(study, stake, value)), abs=1e-6)


@given(world=worlds().map(few_strategies), follows=st.booleans())
@example(world=CROSSING, follows=False)
@example(world=replace(RISING, loss=4.2), follows=False)
@example(world=HIDDEN, follows=True)
@example(world=ON_THE_EDGE, follows=False)
@example(world=ALL_ALIKE, follows=True)
@example(world=LITTLE_LOSS, follows=False)
def test_the_ranking_stays_until_two_policies_change_places(world, follows):
    study = study_of(world, follows=follows)
    found = robust_ranges(study, "basic").as_dict()

    assert {POLICY, *GAMES} == set(found["ranking"])
    for stake, ranges in found["ranges"].items():
        means = MeanPayoffs(study, stake)
        assume(means.is_decidable)
        now = {name: oracle.at(means.line(name, None), means.chosen) for name in found["ranking"]}
        tie = oracle.TIE * Fraction(study.instance.payoffs.benefit)
        pairs = []
        for one, other in combinations(found["ranking"], 2):
            gap = now[one] - now[other]
            assert gap > -tie
            assume(gap < tie / 100 or gap > 2 * tie)
            if gap > 2 * tie:
                pairs.append((one, other))
        for upwards, actual, open_end in ((True, ranges["ranking"][1], None), (False, ranges["ranking"][0], 0.0)):
            soonest, latest = (first_reversal(means, pairs, equal, upwards=upwards) for equal in (Fraction(0), EQUAL))
            between(soonest, latest, actual, open_end=open_end, upwards=upwards)


def first_reversal(
    means: MeanPayoffs, pairs: list[tuple[str, str]], equal: Fraction, *, upwards: bool
) -> Fraction | None:
    """Return the nearest value at which one of the pairs has changed places by more than this share of the benefit."""
    ends = [means.reversal(*pair, equal=equal, rounding=ROUNDED, upwards=upwards) for pair in pairs]
    return (min if upwards else max)((end for end in ends if end is not None), default=None)


def between(
    soonest: Fraction | None, latest: Fraction | None, actual: float | None, *, open_end: float | None, upwards: bool
) -> None:
    """Check that an end is between the first value where a reversal may be seen, and the last.

    A game's choice may be a tie worse than the best, so a reversal by less than a tie is not due to the game.
    """
    if actual == open_end:
        assert latest is None
        return
    assert actual is not None
    assert soonest is not None
    outer = float("inf" if upwards else 0) if latest is None else float(latest)
    low, high = (float(soonest), outer) if upwards else (outer, float(soonest))
    assert low * (1 - 10 * NEAR) <= actual <= high * (1 + 10 * NEAR)


def moved(study: Study, stake: str, value: float) -> Study:
    there = replace(study, instance=replace(study.instance, payoffs=replace(study.instance.payoffs, **{stake: value})))
    vars(there)["scenario_policy"] = study.scenario_policy
    return there


@pytest.mark.parametrize("game", GAMES)
def test_within_its_ranges_the_quickstart_keeps_strategies_and_just_beyond_it_does_not(study, game):
    weights = study.instance.profiles.records
    now = solve(study, game=game).choice.nodes
    seeded = random.Random(5)  # noqa: S311
    for share in (0.5, 0.95):
        for stake, ranges in robust_ranges(study, game, share=share).as_dict()["ranges"].items():
            chosen, (low, high) = ranges["chosen"], ranges["keeps"]
            assert low <= chosen
            assert high is None or chosen <= high
            top = 100 * chosen if high is None else high
            places = [low + (top - low) * seeded.uniform(0.001, 0.999) for _ in range(25)]
            for value in places:
                there = solve(moved(study, stake, value), game=game).choice.nodes
                assert ((there == now) * weights).sum() >= share * weights.sum()
            for end, inward, outward in ((low, 1 + 1e-7, 1 - 1e-7), (high, 1 - 1e-7, 1 + 1e-7)):
                if end:
                    before, after = (
                        solve(moved(study, stake, end * side), game=game).choice.nodes for side in (inward, outward)
                    )
                    assert ((before == now) & (after != now)).any()


def test_within_its_ranges_the_quickstart_keeps_its_ranking_and_just_beyond_it_does_not(study):
    found = robust_ranges(study, "basic").as_dict()
    ranking = found["ranking"]
    seeded = random.Random(6)  # noqa: S311

    def payoffs(stake: str, value: float) -> list[float]:
        found = payoffs_of(moved(study, stake, value))
        return [found[name] for name in ranking]

    for stake, ranges in found["ranges"].items():
        chosen, (low, high) = ranges["chosen"], ranges["ranking"]
        assert payoffs(stake, chosen) == sorted(payoffs(stake, chosen), reverse=True)
        top = 100 * chosen if high is None else high
        for value in [low + (top - low) * seeded.uniform(0.001, 0.999) for _ in range(15)]:
            tie = 2 * SAME * (value if stake == "benefit" else study.instance.payoffs.benefit)
            assert all(one >= other - tie for one, other in pairwise(payoffs(stake, value)))
        for end, outward in ((low, 1 - 1e-6), (high, 1 + 1e-6)):
            if end:
                beyond = payoffs(stake, end * outward)
                assert beyond != sorted(beyond, reverse=True)


@pytest.mark.parametrize("share", [0.0, -0.5, 1.5, float("nan"), float("inf")])
def test_an_invalid_share_is_refused(study, share):
    with pytest.raises(InvalidScenarioError, match="share"):
        robust_ranges(study, "basic", share=share)
