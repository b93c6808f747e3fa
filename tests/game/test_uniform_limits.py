"""Is one strategy for all, or for each group, the best of all strategies, and the first of equals?"""

import random
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from depth import tries
from hypothesis import given
from hypothesis import strategies as st
from oracle_limits import first_uniform, limited_world, watchers
from oracle_recipients import permitted_fates
from oracle_worlds import game_of, instance_of
from oracles import GAMES, Game, Outcome, World, strategy_graph, walk_order
from recipient_instances import facing_sections
from worlds import few_strategies, worlds

from gamedeid.game.instance import Instance
from gamedeid.game.limits.within import WithinLimits, choose_uniform
from gamedeid.scenario.limits import Limits

EVERYBODY = {"uniform": True}


def chosen(instance: Instance, world: World, game: Game, limits: Mapping[str, Any]) -> WithinLimits:
    return choose_uniform(instance, game_of(world, instance, game), Limits.model_validate(dict(limits)))


def nodes_of(instance: Instance, outcomes: list[Outcome]) -> list[int]:
    return [-1 if one.strategy is None else instance.lattice.node(one.strategy) for one in outcomes]


@given(
    world=worlds().map(few_strategies),
    game=st.sampled_from(GAMES),
    cell=st.sampled_from([None, 1, 2, 3, 5]),
    risk=st.sampled_from([None, 1.0, 0.5, 0.2]),
)
def test_one_strategy_for_all_is_the_first_of_the_best_of_all_strategies(world, game, cell, risk):
    instance, records = instance_of(world), list(range(len(world.records)))
    expected = first_uniform(world, game, records, risk=risk or 1.0, cell=cell or 1)

    found = chosen(instance, world, game, {**EVERYBODY, "smallest_cell": cell, "record_risk": risk})

    assert nodes_of(instance, expected) == found.choice.nodes[instance.profiles.of_record].tolist()
    total = sum(one.publisher_payoff for one in expected)
    assert [total] * 3 == pytest.approx([found.payoff, found.bound, found.by_prices], abs=1e-6)
    assert found.choice.proved
    assert found.without is None


@given(world=worlds().map(few_strategies), game=st.sampled_from(GAMES), attribute=st.integers(0, 3))
def test_each_group_gets_the_first_of_the_best_of_all_strategies_for_it(world, game, attribute):
    instance = instance_of(world)
    name = list(world.ladders)[attribute % len(world.ladders)]
    groups: dict[str | None, list[int]] = {}
    for record, values in enumerate(world.records):
        groups.setdefault(values[name], []).append(record)
    expected = np.empty(len(world.records), np.int64)
    for records in groups.values():
        expected[records] = nodes_of(instance, first_uniform(world, game, records))

    found = chosen(instance, world, game, {"uniform": (name,)})

    assert expected.tolist() == found.choice.nodes[instance.profiles.of_record].tolist()


@pytest.mark.parametrize("game", ["basic", "no-attack"])
@pytest.mark.parametrize("seed", range(tries(20, 1000)))
def test_against_recipients_it_is_the_best_of_all_strategies_too(seed, game):
    world, lookers = limited_world(seed), watchers(random.Random(seed))  # noqa: S311
    instance = facing_sections(world, lookers)
    totals = dict.fromkeys(walk_order(strategy_graph(world.heights)), 0.0)
    for record in range(len(world.records)):
        for fate in permitted_fates(world, lookers, record, game):
            assert fate.strategy is not None
            totals[fate.strategy] += max(fate.publisher_payoff, 0.0)

    found = chosen(instance, world, game, EVERYBODY)

    assert max(totals.values()) == pytest.approx(found.payoff, abs=1e-6)


def test_strategies_that_cannot_be_the_best_are_not_looked_at():
    world = limited_world(3)
    instance = instance_of(world)

    found = chosen(instance, world, "basic", EVERYBODY)

    assert found.choice.searched.max() < instance.lattice.size
