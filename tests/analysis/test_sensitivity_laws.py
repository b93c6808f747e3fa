"""Laws along the stakes for any population, as `docs/sensitivity.md` proves them."""

import dataclasses
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from oracle_worlds import game_of, instance_of, policy_of
from oracles import World
from worlds import chains, worlds

from gamedeid import Payoffs, Solution
from gamedeid.choices import GAMES, GameName
from gamedeid.game.instance import Instance
from gamedeid.game.solvers import backward_induction

DOLLARS = st.integers(1, 800).map(lambda quarters: quarters / 4)
NEAR = 1e-6  # dollars, for payoffs of up to 200


def played(world: World, instance: Instance, name: GameName | str, payoffs: Payoffs) -> Solution:
    """Return a game, or the policy, of a world at other stakes."""
    there = dataclasses.replace(instance, payoffs=payoffs)
    if name == "policy":
        found = policy_of(world, there)
        study: Any = SimpleNamespace(instance=there)
        return dataclasses.replace(found, study=study)
    study = SimpleNamespace(instance=there)
    game = game_of(world, there, name)  # type: ignore[arg-type]
    return Solution(study=study, name=name, solver="backward-induction", choice=backward_induction(there, game))


def at_two_values(world: World, name: str, stake: str, values: tuple[float, float]) -> list[Solution]:
    """Return a game, or the policy, at two values of a stake; the gain is the loss."""
    instance, others = instance_of(world), {"benefit": world.benefit, "loss": world.loss, "cost": world.cost}
    return [played(world, instance, name, Payoffs(**{**others, stake: value})) for value in values]


def lossless_people(instance: Instance) -> np.ndarray:
    """Return the most people, (q,), who match a profile at a strategy that loses nothing; inf without a match.

    A profile of missing values alone is worth nothing at any strategy: withholding loses nothing and matches no person.
    """
    nodes = np.arange(instance.lattice.size)
    most = np.zeros(instance.profiles.count)
    for profile in range(instance.profiles.count):
        open_to = nodes[(instance.hierarchy_tables.levels >= instance.base[profile]).all(axis=1)]
        rows = np.full(len(open_to), profile)
        values = instance.values(rows, open_to) / instance.payoffs.benefit
        people = instance.people(rows, open_to)
        lossless = people[values >= values.max() - 1e-12]
        most[profile] = np.inf if (lossless == 0).any() or values.max() < 1e-12 else lossless.max()
    return most


@given(world=st.one_of(worlds(), chains()), name=st.sampled_from([*GAMES, "policy"]), low=DOLLARS, more=DOLLARS)
def test_a_higher_loss_never_benefits_the_publisher(world, name, low, more):
    one, two = at_two_values(world, name, "loss", (low, low + more))
    assert (two.publisher_payoff <= one.publisher_payoff + NEAR).all()
    if name == "policy":
        assert (two.adversary_payoff >= one.adversary_payoff - NEAR).all()


@given(world=st.one_of(worlds(), chains()), name=st.sampled_from([*GAMES, "policy"]), low=DOLLARS, more=DOLLARS)
def test_a_higher_cost_never_harms_the_publisher_nor_benefits_the_adversary(world, name, low, more):
    one, two = at_two_values(world, name, "cost", (low, low + more))
    assert (two.publisher_payoff >= one.publisher_payoff - NEAR).all()
    assert (two.adversary_payoff <= one.adversary_payoff + NEAR).all()


@given(world=st.one_of(worlds(), chains()), name=st.sampled_from(GAMES), low=DOLLARS, more=DOLLARS)
def test_a_higher_benefit_harms_neither_player_and_attacked_records_stay_attacked(world, name, low, more):
    one, two = at_two_values(world, name, "benefit", (low, low + more))
    assert (two.publisher_payoff >= one.publisher_payoff - NEAR).all()
    assert (two.adversary_payoff >= one.adversary_payoff - NEAR).all()
    assert (two.attacked >= one.attacked).all()


@given(world=st.one_of(worlds(), chains()), loss=DOLLARS, cost=DOLLARS, benefit=DOLLARS)
def test_nobody_is_attacked_in_a_game_where_the_loss_or_the_benefit_is_no_more_than_the_cost(
    world, loss, cost, benefit
):
    instance = instance_of(world)
    for name in GAMES:
        for stakes in (
            Payoffs(benefit=min(benefit, cost), loss=loss, cost=cost),
            Payoffs(benefit=benefit, loss=min(loss, cost), cost=cost),
        ):
            assert not played(world, instance, name, stakes).attacked.any()


ALL_MISSING = World(
    ladders={"d": [["p", "*"], ["q", "*"]]},
    weights={"d": 1.0},
    records=[{"d": None}],
    population=[({"d": "p"}, 1), ({"d": "q"}, 1)],
    benefit=1,
    loss=1,
    gain=1,
    cost=1,
)


@given(world=st.one_of(worlds(), chains()), loss=DOLLARS, cost=DOLLARS, benefit=DOLLARS)
@example(world=ALL_MISSING, loss=3, cost=1, benefit=1)
def test_for_a_great_benefit_the_attacked_are_those_whose_lossless_strategies_all_are(world, loss, cost, benefit):
    instance = instance_of(world)
    exposed = lossless_people(instance) * cost < loss
    some = played(world, instance, "basic", Payoffs(benefit=benefit, loss=loss, cost=cost))
    assert (exposed | ~some.attacked).all()
    most = played(world, instance, "basic", Payoffs(benefit=1e6, loss=loss, cost=cost))
    assert exposed.tolist() == most.attacked.tolist()


@given(world=st.one_of(worlds(), chains()), loss=DOLLARS, cost=DOLLARS, benefit=DOLLARS)
def test_sh_friendly_is_no_worse_than_the_policy_for_any_record_and_basic_no_worse_for_the_publisher(
    world, loss, cost, benefit
):
    instance = instance_of(world)
    stakes = Payoffs(benefit=benefit, loss=loss, cost=cost)
    policy, friendly, basic, safe = (
        played(world, instance, name, stakes) for name in ("policy", "sh-friendly", "basic", "no-attack")
    )
    assert (friendly.publisher_payoff >= policy.publisher_payoff - NEAR).all()
    assert (basic.publisher_payoff >= friendly.publisher_payoff - NEAR).all()
    assert (friendly.adversary_payoff <= policy.adversary_payoff + NEAR).all()
    assert (friendly.attacked <= policy.attacked).all()
    assert 0.0 == safe.adversary_payoff.sum()


@given(world=st.one_of(worlds(), chains()), loss=DOLLARS, cost=DOLLARS, benefit=DOLLARS, factor=st.integers(2, 64))
def test_n_times_the_population_plays_like_a_loss_n_times_smaller(world, loss, cost, benefit, factor):
    if world.population is None or world.unmatched != "error":
        return
    denser = dataclasses.replace(world, population=[(values, factor * times) for values, times in world.population])
    for name in GAMES:
        here = played(world, instance_of(world), name, Payoffs(benefit=benefit, loss=loss, cost=cost))
        there = played(denser, instance_of(denser), name, Payoffs(benefit=benefit, loss=factor * loss, cost=cost))
        assert here.choice.nodes.tolist() == there.choice.nodes.tolist()
        assert here.attacked.tolist() == there.attacked.tolist()


@given(world=st.one_of(worlds(), chains()), loss=DOLLARS, cost=DOLLARS, benefit=DOLLARS, factor=st.integers(-6, 6))
def test_the_same_factor_on_all_stakes_changes_no_strategy(world, loss, cost, benefit, factor):
    instance, times = instance_of(world), 2.0**factor
    for name in GAMES:
        here, there = (
            played(world, instance, name, Payoffs(benefit=benefit * one, loss=loss * one, cost=cost * one))
            for one in (1.0, times)
        )
        assert here.choice.nodes.tolist() == there.choice.nodes.tolist()


def test_no_attack_may_pay_less_than_the_policy_and_the_adversary_gain_more_from_a_benefit_than_the_publisher():
    """One person in the whole population: a counterexample to what holds in the case study."""
    world = World(
        ladders={"a": [["p", "*"], ["q", "*"]]},
        weights={"a": 1.0},
        records=[{"a": "p"}],
        population=[({"a": "p"}, 1)],
        benefit=100.0,
        loss=50.0,
        gain=50.0,
        cost=1.0,
        floors=[{"a": 0}],
    )
    instance = instance_of(world)
    stakes = Payoffs(benefit=100, loss=50, cost=1)
    assert [50.0] == played(world, instance, "policy", stakes).publisher_payoff.tolist()
    assert [0.0] == played(world, instance, "no-attack", stakes).publisher_payoff.tolist()
    poor, rich = (played(world, instance, "basic", Payoffs(benefit=benefit, loss=50, cost=1)) for benefit in (49, 51))
    assert [(0.0, 0.0), (1.0, 49.0)] == [
        pytest.approx((one.publisher_payoff[0], one.adversary_payoff[0])) for one in (poor, rich)
    ]
