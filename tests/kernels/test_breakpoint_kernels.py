"""The loops of exact breakpoints: compiled and plain alike, and true to the frontier between the breakpoints."""

import dataclasses
from typing import get_args

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from oracle_worlds import game_of, instance_of
from oracles import World
from uncompiled_kernels import plain_kernels
from worlds import CROSSING, HIDDEN, RISING, STRANGER, chains, payoffs, worlds

from gamedeid.analysis.stretches import StakeStretches, game_stretches, policy_stretches
from gamedeid.choices import GAMES, GameName
from gamedeid.game.frontier import Frontier
from gamedeid.game.instance import Instance
from gamedeid.scenario.grid import StakeName
from gamedeid.scenario.payoffs import Payoffs

ANY_STAKE = st.sampled_from(get_args(StakeName))
FOLLOWING = st.booleans()


def stretches_of(world: World, name: GameName, stake: StakeName, payoffs: Payoffs) -> tuple[Frontier, StakeStretches]:
    instance = instance_of(world)
    frontier = Frontier.compile(instance, game_of(world, instance, name).floors)
    return frontier, game_stretches(instance, frontier, payoffs, stake, forbids_attack=name == "no-attack")


def stakes_of(money: dict[str, float], *, follows: bool) -> Payoffs:
    gain = None if follows else money["gain"]
    return Payoffs(benefit=money["benefit"], loss=money["loss"], cost=money["cost"], gain=gain)


@given(
    world=st.one_of(worlds(), chains()),
    name=st.sampled_from(GAMES),
    stake=ANY_STAKE,
    money=payoffs(),
    follows=FOLLOWING,
)
@example(world=CROSSING, name="basic", stake="benefit", money=dataclasses.asdict(CROSSING), follows=False)
@example(world=HIDDEN, name="basic", stake="loss", money=dataclasses.asdict(HIDDEN), follows=True)
@example(world=STRANGER, name="no-attack", stake="cost", money=dataclasses.asdict(STRANGER), follows=False)
def test_the_loops_do_as_plain_python_what_they_do_compiled(world, name, stake, money, follows):
    def answer() -> list[list[float]]:
        _, found = stretches_of(world, name, stake, stakes_of(money, follows=follows))
        fields = (found.starts, found.lows, found.nodes, found.attacked, found.benefit_share, *found.losses)
        return [field.tolist() for field in fields]

    compiled = answer()
    with plain_kernels():
        assert answer() == compiled


@given(
    world=st.one_of(worlds(), chains()),
    name=st.sampled_from(GAMES),
    stake=ANY_STAKE,
    money=payoffs(),
    follows=FOLLOWING,
    share=st.floats(0.01, 0.99),
)
@example(world=RISING, name="basic", stake="loss", money=dataclasses.asdict(RISING), follows=True, share=0.5)
def test_within_every_stretch_the_frontier_chooses_the_same(world, name, stake, money, follows, share):
    stakes = stakes_of(money, follows=follows)
    frontier, found = stretches_of(world, name, stake, stakes)
    checked = 0
    for profile, low, high, node, attacked in zip(
        found.profiles, found.lows, found.highs, found.nodes, found.attacked, strict=True
    ):
        if high - low < 1e-9 * low:
            continue
        value = low + share * (high - low) if np.isfinite(high) else (low + 1) * (1 + share)
        if not 1e-9 < value < 1e12:
            continue
        there = dataclasses.replace(stakes, **{stake: float(value)})
        chosen = frontier.choose(Instance.of(frontier.data, there), forbids_attack=name == "no-attack")[profile]
        assert node == chosen
        people = frontier.data.people(np.array([profile]), np.array([max(node, 0)]))
        assert attacked == (node >= 0 and bool(there.attacked(people)[0]))
        checked += 1
    assume(checked)


@pytest.mark.parametrize("stake", get_args(StakeName))
def test_more_stretches_than_there_is_room_for_find_room(stake, monkeypatch):
    money = dataclasses.asdict(HIDDEN)
    expected = stretches_of(HIDDEN, "basic", stake, stakes_of(money, follows=True))[1]
    monkeypatch.setattr("gamedeid.analysis.stretches.AT_ONCE", 1)
    found = stretches_of(HIDDEN, "basic", stake, stakes_of(money, follows=True))[1]

    assert expected.lows.tolist() == found.lows.tolist()
    assert expected.nodes.tolist() == found.nodes.tolist()
    assert expected.starts.tolist() == found.starts.tolist()
    assert expected.attacked.tolist() == found.attacked.tolist()
    assert [one.tolist() for one in expected.losses] == [one.tolist() for one in found.losses]


@given(world=worlds(), stake=ANY_STAKE, money=payoffs(), follows=FOLLOWING)
def test_under_a_policy_only_the_reply_changes(world, stake, money, follows):
    stakes = stakes_of(money, follows=follows)
    instance = instance_of(world)
    nodes = instance.lattice.nodes(game_of(world, instance, "sh-friendly").floors)
    found = policy_stretches(instance, nodes, stakes, stake)

    assert nodes[found.profiles].tolist() == found.nodes.tolist()
    assert not found.strategy_changes.any()
    middles = np.where(np.isfinite(found.highs), (found.lows + found.highs) / 2, found.lows * 2 + 1)
    people = instance.people(instance.everyone, nodes)
    for profile, middle, attacked in zip(found.profiles, middles, found.attacked, strict=True):
        there = dataclasses.replace(stakes, **{stake: float(middle)})
        assert attacked == there.attacked(people[[profile]])[0]
