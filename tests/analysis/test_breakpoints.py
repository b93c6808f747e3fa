import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import oracle_breakpoints as oracle
import pytest
from case_study import some_of_the_case_study
from depth import tries
from hypothesis import example, given
from hypothesis import strategies as st
from oracle_breakpoints import Stretch
from oracle_worlds import LAYOUTS, game_of, instance_of
from oracles import SAME
from uncompiled_kernels import plain_kernels
from worlds import CROSSING, HIDDEN, RISING, STRANGER, chains, few_strategies, worlds

from gamedeid import Payoffs, Study
from gamedeid.analysis.stretches import StakeStretches, game_stretches, policy_stretches
from gamedeid.choices import GAMES
from gamedeid.game.frontier import Frontier
from gamedeid.game.instance import Instance
from gamedeid.game.rules import Game
from gamedeid.game.solvers import backward_induction, exact
from gamedeid.kernels.tables import WITHHELD
from gamedeid.scenario.grid import STAKES, StakeName

INVISIBLE = 1e-14
"""A stretch narrower than this share of its place is rounding."""

THIN = 1e-9
"""A stretch narrower than this share of its place is too narrow to ask a solver, whose payoffs are rounded."""

SMALL = st.one_of(worlds(), chains()).map(few_strategies)


def of_profile(found: StakeStretches, profile: int) -> list[tuple[float, int, bool]]:
    """Return low, node and reply of each stretch of a profile."""
    mine = slice(found.starts[profile], found.starts[profile + 1])
    return list(zip(found.lows[mine].tolist(), found.nodes[mine].tolist(), found.attacked[mine].tolist(), strict=True))


def in_game(instance: Instance, game: Game, stake: StakeName) -> StakeStretches:
    frontier = Frontier.compile(instance, game.floors)
    return game_stretches(instance, frontier, stake, forbids_attack=game.forbids_attack)


def differences(expected: list[Stretch], actual: list[tuple[float, int, bool]]) -> list[tuple[float, float | None]]:
    """Return where two answers differ, except where rounded payoffs cannot separate the place from an expected end.

    Each end may be off by the rounding of the two payoffs that cross there, divided by their difference of slopes, and
    by INVISIBLE: one tolerance does not suffice, as the slopes of near-equal payoffs differ a billion times less.
    """
    blurs = [(one.low - blur, one.low + blur) for one in expected[1:] for blur in [one.blur + one.low * INVISIBLE]]
    cuts = sorted({one.low for one in expected} | {Fraction(low) for low, _, _ in actual})
    found = []
    for low, high in pairwise([*cuts, None]):
        right = [one for one in expected if one.low <= low][-1]
        _, node, attacked = [one for one in actual if one[0] <= low][-1]
        if (right.node, right.attacked) == (node, attacked):
            continue
        if high is not None and any(start <= low and high <= end for start, end in blurs):
            continue
        found.append((float(low), high and float(high)))
    return found


def well_formed(found: StakeStretches, profiles: int) -> None:
    assert (profiles + 1,) == found.starts.shape
    assert 0 == found.starts[0]
    assert len(found.lows) == len(found.nodes) == len(found.attacked) == found.starts[-1]
    assert (np.int64, np.int64, np.float64, np.bool_) == (
        found.starts.dtype,
        found.nodes.dtype,
        found.lows.dtype,
        found.attacked.dtype,
    )
    for profile in range(profiles):
        mine = of_profile(found, profile)
        assert 0.0 == mine[0][0]
        for one, after in pairwise(mine):
            assert one[0] < after[0] < np.inf
            assert one[1:] != after[1:]
        assert all(not attacked for _, node, attacked in mine if node == WITHHELD)


@given(world=SMALL, layout=st.sampled_from(LAYOUTS), follows=st.booleans())
@example(world=CROSSING, layout="dense", follows=False)
@example(world=RISING, layout="dense", follows=False)
@example(world=RISING, layout="dense", follows=True)
@example(world=HIDDEN, layout="dense", follows=True)
@example(world=STRANGER, layout="sparse", follows=False)
def test_stretches_are_those_of_all_strategies_in_exact_fractions(world, layout, follows):
    instance = instance_of(world, layout)
    if follows:
        instance = replace(instance, payoffs=replace(instance.payoffs, gain=None))
    for name in GAMES:
        game = game_of(world, instance, name)
        choices = [oracle.options(instance, game.floors, profile) for profile in range(instance.profiles.count)]
        for stake in STAKES:
            found = in_game(instance, game, stake)
            assert stake == found.stake
            well_formed(found, instance.profiles.count)
            for profile, mine in enumerate(choices):
                expected = oracle.stretches(mine, instance.payoffs, stake, forbids_attack=game.forbids_attack)
                assert [] == differences(expected, of_profile(found, profile))


@given(SMALL, st.sampled_from(STAKES), st.booleans())
def test_under_a_policy_only_the_reply_changes(world, stake, follows):
    instance = instance_of(world)
    if follows:
        instance = replace(instance, payoffs=replace(instance.payoffs, gain=None))
    floors = game_of(world, instance, "sh-friendly").floors
    nodes = instance.lattice.nodes(floors)
    found = policy_stretches(instance, nodes, stake)

    well_formed(found, instance.profiles.count)
    for profile, node in enumerate(nodes.tolist()):
        option = next(one for one in oracle.options(instance, floors, profile) if one.node == node)
        expected = oracle.reply_stretches(option, instance.payoffs, stake)
        assert [] == differences(expected, of_profile(found, profile))


def inside(mine: list[tuple[float, int, bool]], seeded: random.Random) -> Iterator[tuple[float, int, bool]]:
    """Yield a random point inside each stretch that is not too narrow, a hundredth of it away from its ends."""
    for (low, node, attacked), high in zip(mine, [*(one[0] for one in mine[1:]), np.inf], strict=True):
        if high - low <= THIN * low:
            continue
        share = seeded.uniform(0.01, 0.99)
        if high == np.inf:
            value = (low or 1.0) * (1 + 10 ** seeded.uniform(-2, 3))
        elif low == 0 or high / low > 100:
            value = (low or high / 1e4) ** (1 - share) * high**share
        else:
            value = low + share * (high - low)
        yield value, node, attacked


@given(SMALL, st.sampled_from(STAKES), st.sampled_from(GAMES), st.integers(0, 2**32))
@example(CROSSING, "benefit", "basic", 1)
@example(HIDDEN, "gain", "no-attack", 1)
@example(RISING, "loss", "basic", 1)
def test_inside_a_stretch_the_solvers_give_its_answer(world, stake, name, seed):
    instance = instance_of(world)
    game = game_of(world, instance, name)
    found = in_game(instance, game, stake)
    for profile in range(instance.profiles.count):
        for value, node, attacked in inside(of_profile(found, profile), random.Random(seed)):  # noqa: S311
            there = replace(instance, payoffs=replace(instance.payoffs, **{stake: value}))
            for solve in (backward_induction, exact):
                chosen = solve(there, game).nodes[[profile]]
                assert [node] == chosen.tolist()
            people = there.people(np.array([profile]), chosen) if node != WITHHELD else np.zeros(1, np.int64)
            assert [attacked] == there.payoffs.attacked(people).tolist()


def reason(instance: Instance, profile: int, stake: StakeName, below: int, above: int, value: float) -> str | None:
    """Return the equality at a breakpoint: gain and cost of an attack on either side's group, or both sides' payoffs.

    Where an attack begins on a third strategy that was the best, the two sides are ties of it before and after: their
    payoffs are at most two ties apart.
    """
    payoffs = replace(instance.payoffs, **{stake: value})
    nodes = [node for node in (below, above) if node != WITHHELD]
    rows = np.full(len(nodes), profile)
    people = instance.people(rows, np.array(nodes, np.int64))
    if any(payoffs.adversary_gain == pytest.approx(payoffs.cost * count, rel=1e-11) for count in people.tolist()):
        return "the adversary is indifferent"
    there = replace(instance, payoffs=payoffs)
    chosen = np.array(nodes, np.int64)
    worth = [*there.publisher_payoffs(rows, chosen, there.replies(rows, chosen)).tolist(), 0.0]
    rounding = 1e-15 * (payoffs.benefit + payoffs.loss)
    if below != above and abs(worth[0] - worth[1]) <= 2 * SAME * payoffs.benefit + rounding:
        return "two payoffs are equal"
    return None


@given(SMALL, st.sampled_from(STAKES), st.sampled_from(GAMES))
@example(CROSSING, "benefit", "basic")
@example(HIDDEN, "gain", "basic")
@example(RISING, "loss", "basic")
def test_at_each_breakpoint_something_changes_because_something_is_equal(world, stake, name):
    instance = instance_of(world)
    found = in_game(instance, game_of(world, instance, name), stake)
    for profile in range(instance.profiles.count):
        for (_, below, replied), (value, above, replies) in pairwise(of_profile(found, profile)):
            assert (below, replied) != (above, replies)
            assert reason(instance, profile, stake, below, above, value) is not None


@given(SMALL, st.sampled_from(STAKES), st.sampled_from(GAMES), st.integers(-8, 8))
def test_in_another_currency_breakpoints_scale_with_the_currency(world, stake, name, power):
    times = 2.0**power
    instance = instance_of(world)
    game = game_of(world, instance, name)
    money = {name: times * getattr(world, name) for name in STAKES}
    expected = in_game(instance, game, stake)
    actual = in_game(replace(instance, payoffs=Payoffs(**money)), game, stake)

    assert (times * expected.lows).tolist() == actual.lows.tolist()
    assert expected.nodes.tolist() == actual.nodes.tolist()
    assert expected.attacked.tolist() == actual.attacked.tolist()


@given(world=SMALL, stake=st.sampled_from(STAKES), name=st.sampled_from(GAMES), follows=st.booleans())
@example(world=CROSSING, stake="benefit", name="basic", follows=False)
@example(world=HIDDEN, stake="loss", name="basic", follows=True)
@example(world=STRANGER, stake="cost", name="no-attack", follows=False)
def test_the_loops_give_the_same_compiled_or_as_plain_python_and_have_room(world, stake, name, follows):
    instance = instance_of(world)
    instance = replace(instance, payoffs=replace(instance.payoffs, gain=None)) if follows else instance
    game = game_of(world, instance, name)
    compiled = in_game(instance, game, stake)
    with plain_kernels(), pytest.MonkeyPatch.context() as patch:
        patch.setattr("gamedeid.analysis.stretches.STRETCHES_PER_CALL", 1)
        plain = in_game(instance, game, stake)
    for one in ("starts", "lows", "nodes", "replies", "benefit_share"):
        assert getattr(compiled, one).tolist() == getattr(plain, one).tolist()
    assert [one.tolist() for one in compiled.losses] == [one.tolist() for one in plain.losses]


def solved_along(study: Study, stake: StakeName, values: list[float]) -> int:
    """Compare stretches of all games with solving each value alone; return how many answers were compared."""
    compared = 0
    for name in GAMES:
        game, payoffs = study.game(name), study.instance.payoffs
        found = game_stretches(study.instance, study.frontier(name), stake, forbids_attack=game.forbids_attack)
        well_formed(found, study.instance.profiles.count)
        for value in values:
            there = replace(study.instance, payoffs=replace(payoffs, **{stake: value}))
            nodes = exact(there, game).nodes
            near = np.abs(found.lows / value - 1) < THIN
            for profile in range(study.instance.profiles.count):
                start, end = found.starts[profile : profile + 2]
                if not near[start:end].any():
                    place = start + np.searchsorted(found.lows[start:end], value, side="right") - 1
                    assert nodes[profile] == found.nodes[place]
                    compared += 1
    return compared


@pytest.mark.parametrize("stake", STAKES)
def test_the_quickstart_between_its_breakpoints(study, stake):
    seeded = random.Random(11)  # noqa: S311
    values = [getattr(study.instance.payoffs, stake) or study.instance.payoffs.loss]
    values += [10 ** seeded.uniform(-1, 5) for _ in range(tries(20, 200))]

    assert 0.9 * 3 * len(values) * study.instance.profiles.count < solved_along(study, stake, values)


@pytest.fixture(scope="module")
def adult_tn() -> Study:
    return some_of_the_case_study(2000)


@pytest.mark.parametrize("stake", STAKES)
def test_the_case_study_between_its_breakpoints(adult_tn, stake):
    seeded = random.Random(2015)  # noqa: S311
    values = [10 ** seeded.uniform(-1, 5) for _ in range(tries(2, 24))]
    values += [
        (getattr(adult_tn.instance.payoffs, stake) or adult_tn.instance.payoffs.loss) * 10 ** seeded.uniform(-0.5, 0.5)
        for _ in range(2)
    ]

    assert 0.9 * 3 * len(values) * adult_tn.instance.profiles.count < solved_along(adult_tn, stake, values)
    assert adult_tn.instance.profiles.count > 1500
