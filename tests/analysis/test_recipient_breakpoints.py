"""Do new solutions of the game left and right of each breakpoint confirm those against several recipients?"""

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from depth import tries
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from oracle_recipients import Outcome, PlainRecipient, best_outcome, outcome_at, recipients_of
from oracle_worlds import first_records, game_of, instance_of
from oracles import GAMES, Game, World
from recipient_instances import alone, instance_with
from uncompiled_kernels import plain_kernels
from worlds import worlds

from gamedeid import Payoffs
from gamedeid.analysis.stretches import StakeStretches, game_stretches, policy_stretches
from gamedeid.game.frontier import Frontier
from gamedeid.game.instance import Instance
from gamedeid.scenario.grid import StakeName

STAKES = get_args(StakeName)
OWN = ("gain", "cost", "loss")


@st.composite
def with_recipients(draw: st.DrawFn) -> tuple[World, list[PlainRecipient], list[set[str]], Payoffs]:
    """Draw a world, two or three recipients, the separate stakes of each, and the common stakes."""
    world = draw(worlds())
    recipients = draw(recipients_of(world))
    assume(len(recipients) > 1)
    recipients = [replace(one, price=0.0) for one in recipients]
    own = [set(draw(st.lists(st.sampled_from(OWN), unique=True))) for _ in recipients]
    gain = draw(st.sampled_from((None, world.gain)))
    return world, recipients, own, Payoffs(benefit=world.benefit, loss=world.loss, cost=world.cost, gain=gain)


def question(drawn: tuple[World, list[PlainRecipient], list[set[str]], Payoffs]) -> Instance:
    world, recipients, own, payoffs = drawn
    sections = {
        f"r{place}": one.section.model_copy(update=dict.fromkeys(set(OWN) - mine))
        for place, (one, mine) in enumerate(zip(recipients, own, strict=True))
    }
    instance = instance_with(world, recipients, sections)
    assume(not instance.recipients.is_paper_adversary)  # not the paper's adversary alone
    return replace(instance, payoffs=payoffs)


def playing_for(recipients: list[PlainRecipient], own: list[set[str]], payoffs: Payoffs) -> list[PlainRecipient]:
    """Return the recipients with their stakes: separate ones, or the common ones."""
    found = []
    for one, mine in zip(recipients, own, strict=True):
        loss = one.loss if "loss" in mine else payoffs.loss
        gain = one.gain if "gain" in mine else loss if payoffs.gain is None else payoffs.gain
        found.append(replace(one, loss=loss, gain=gain, cost=one.cost if "cost" in mine else payoffs.cost))
    return found


def along(instance: Instance, world: World, game: Game, stake: StakeName) -> tuple[Frontier, StakeStretches]:
    frontier = Frontier.compile(instance, game_of(world, instance, game).floors)
    found = game_stretches(instance, frontier, stake, forbids_attack=game == "no-attack")
    assert (found.lows[found.first] == 0).all()
    assert (found.highs > found.lows).all()
    assert found.starts[-1] == len(found.lows)
    return frontier, found


def wide(low: float, high: float) -> bool:
    """Return whether a stretch is more than a sliver between two payoffs that are almost equal."""
    return high - low > 1e-4 * high if np.isfinite(high) else low < 1e9


def inside(low: float, high: float, share: float) -> float:
    return low + share * (high - low) if np.isfinite(high) else (low + 1) * (1 + share)


@pytest.mark.parametrize("stake", STAKES)
@settings(max_examples=tries(8, 400))
@given(drawn=with_recipients(), game=st.sampled_from(GAMES), share=st.floats(0.02, 0.98))
def test_between_breakpoints_the_answer_is_that_of_a_newly_solved_game(stake, drawn, game, share):
    world, recipients, own, _ = drawn
    instance = question(drawn)
    _, found = along(instance, world, game, stake)
    record = first_records(instance)[0]
    stretches = slice(found.starts[0], found.starts[1])
    answers = zip(*(values[stretches].tolist() for values in (found.lows, found.highs, found.nodes)), strict=True)
    for place, (low, high, node) in enumerate(answers):
        value = inside(low, high, share)
        if place > 12 or not wide(low, high) or not 1e-3 < value < 1e7:
            continue
        payoffs = replace(instance.payoffs, **{stake: value})
        at_value = replace(world, benefit=payoffs.benefit)
        expected: Outcome = best_outcome(at_value, playing_for(recipients, own, payoffs), record, game)
        assert expected.strategy == (None if node < 0 else instance.lattice.levels_of(node))
        assert expected.attacked == found.attacked[place]
        paid = payoffs.benefit * found.benefit_share[place] - found.losses[0][place] - value * found.losses[1][place]
        assert expected.publisher_payoff == pytest.approx(paid, rel=1e-9, abs=1e-8 * payoffs.benefit)


@pytest.mark.parametrize("stake", STAKES)
@settings(max_examples=tries(12, 800))
@given(drawn=with_recipients(), game=st.sampled_from(GAMES), share=st.floats(0.02, 0.98))
def test_on_both_sides_of_a_breakpoint_the_frontier_chooses_as_the_stretches_do(stake, drawn, game, share):
    world = drawn[0]
    instance = question(drawn)
    frontier, found = along(instance, world, game, stake)
    rows = [found.profiles, found.lows, found.highs, found.nodes, found.replies]
    for profile, low, high, node, replies in zip(*(values.tolist() for values in rows), strict=True):
        for value in (inside(low, high, share), low * (1 + 1e-5), high * (1 - 1e-5)):
            if not wide(low, high) or not 1e-3 < value < 1e7:
                continue
            payoffs = replace(instance.payoffs, **{stake: value})
            assert (
                node == frontier.choose(replace(instance, payoffs=payoffs), forbids_attack=game == "no-attack")[profile]
            )
            there = replace(instance, payoffs=payoffs).replies(np.array([profile]), np.array([max(node, 0)]))
            attack = sum(1 << place for place, attacks in enumerate(there.attacks) if attacks[0])
            assert replies == (attack if node >= 0 else 0)
    same = (found.nodes[1:] == found.nodes[:-1]) & (found.replies[1:] == found.replies[:-1]) & ~found.first[1:]
    assert not same.any()


@settings(max_examples=tries(10, 400))
@given(drawn=with_recipients(), stake=st.sampled_from(STAKES), share=st.floats(0.02, 0.98))
def test_under_a_policy_only_the_attackers_change(drawn, stake, share):
    world, recipients, own, _ = drawn
    instance = question(drawn)
    nodes = instance.lattice.nodes(game_of(world, instance, "sh-friendly").floors)
    found = policy_stretches(instance, nodes, stake)

    assert nodes[found.profiles].tolist() == found.nodes.tolist()
    assert (found.lows[found.first] == 0).all()
    assert (found.replies[1:] != found.replies[:-1])[~found.first[1:]].all()
    records = first_records(instance)
    for place, (low, high) in enumerate(zip(found.lows.tolist(), found.highs.tolist(), strict=True)):
        value = inside(low, high, share)
        if not wide(low, high) or not 1e-3 < value < 1e7:
            continue
        payoffs = replace(instance.payoffs, **{stake: value})
        levels = instance.lattice.levels_of(int(found.nodes[place]))
        playing = playing_for(recipients, own, payoffs)
        there = replace(world, benefit=payoffs.benefit)
        outcome, _ = outcome_at(there, playing, records[found.profiles[place]], levels)
        assert outcome.attacked == found.attacked[place]
        paid = payoffs.benefit * found.benefit_share[place] - found.losses[0][place] - value * found.losses[1][place]
        assert outcome.publisher_payoff == pytest.approx(paid, rel=1e-9, abs=1e-8 * payoffs.benefit)


@settings(max_examples=tries(12, 400))
@given(world=worlds(), stake=st.sampled_from(STAKES), game=st.sampled_from(GAMES))
def test_one_recipient_has_the_breakpoints_of_the_paper_s_adversary(world, stake, game):
    paper = instance_of(world)
    one, other = (along(instance, world, game, stake)[1] for instance in (paper, alone(paper)))

    for mine, its in zip((one.starts, one.nodes, one.replies), (other.starts, other.nodes, other.replies), strict=True):
        assert mine.tolist() == its.tolist()
    assert one.lows == pytest.approx(other.lows, rel=1e-6, abs=1e-9)  # a tie of 1e-9 is rounded next to 1
    for mine, its in zip(one.losses, other.losses, strict=True):
        assert mine == pytest.approx(its, rel=1e-12)
    nodes = paper.lattice.nodes(game_of(world, paper, "sh-friendly").floors)
    fixed, again = (policy_stretches(which, nodes, stake) for which in (paper, alone(paper)))
    for mine, its in zip(
        (fixed.starts, fixed.lows, fixed.replies), (again.starts, again.lows, again.replies), strict=True
    ):
        assert mine.tolist() == its.tolist()


@settings(max_examples=tries(4, 100))
@given(drawn=with_recipients(), stake=st.sampled_from(STAKES), game=st.sampled_from(GAMES))
def test_the_loops_give_the_same_compiled_or_as_plain_python_and_have_room(drawn, stake, game):
    instance = question(drawn)
    frontier, compiled = along(instance, drawn[0], game, stake)
    with plain_kernels(), pytest.MonkeyPatch.context() as patch:
        patch.setattr("gamedeid.analysis.stretches.STRETCHES_PER_CALL", 1)
        plain = game_stretches(instance, frontier, stake, forbids_attack=game == "no-attack")
    assert compiled.lows.tolist() == pytest.approx(plain.lows.tolist(), rel=1e-13)  # each has its own expm1
    for mine, its in ((compiled.nodes, plain.nodes), (compiled.replies, plain.replies)):
        assert mine.tolist() == its.tolist()
