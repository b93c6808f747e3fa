"""Which laws hold in every world for every solver?"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle_worlds import cells_of, instance_of, open_nodes, played, policy_of, strategies
from oracles import GAMES, SAME, World, measures, people, policy_outcome
from oracles import algorithm_1 as by_hand
from worlds import worlds

from gamedeid.game.solvers import SOLVERS

every_solver = pytest.mark.parametrize("solver", SOLVERS)
any_game = st.sampled_from(GAMES)


def outward(world: World) -> World:
    """Return the world with an explicit population, so that the records may change but not the people."""
    return replace(world, population=world.population or [(values, 1) for values in world.records])


def with_records(world: World, chosen: list[int]) -> World:
    return replace(world, records=[world.records[r] for r in chosen], floors=[world.floors[r] for r in chosen])


@given(world=worlds())
def test_groups_never_shrink_and_v_never_grows_on_the_way_down(world):
    instance = instance_of(world)
    for profile in range(instance.profiles.count):
        finer = open_nodes(instance, profile)
        for place, stride in enumerate(instance.lattice.strides):
            here = finer[instance.lattice.levels(finer)[:, place] + 1 < instance.lattice.heights[place]]
            who = np.full(len(here), profile)
            assert (instance.people(who, here) <= instance.people(who, here + stride)).all()
            close = 1e-12 * world.benefit
            assert (instance.values(who, here) >= instance.values(who, here + stride) - close).all()


@every_solver
@given(world=worlds())
def test_no_record_is_attacked_in_the_no_attack_game(solver, world):
    solution = played(world, "no-attack", solver)

    assert not solution.attacked.any()
    assert not solution.adversary_payoff.any()


@given(world=worlds())
def test_a_game_that_permits_more_pays_no_less(world):
    payoff = {game: played(world, game).publisher_payoff for game in GAMES}
    policy = policy_of(world, instance_of(world)).publisher_payoff
    close = SAME * world.benefit

    assert (payoff["basic"] >= payoff["no-attack"] - close).all()
    assert (payoff["basic"] >= payoff["sh-friendly"] - close).all()
    # The policy may lose money; the publisher who plays withholds the record before that happens.
    assert (payoff["sh-friendly"] >= np.maximum(policy, 0) - close).all()


@every_solver
@given(world=worlds(), game=any_game, power=st.integers(-20, 20))
def test_in_another_currency_the_same_strategies_are_played(solver, world, game, power):
    rate = 2.0**power  # exact in floating point
    amounts = {name: getattr(world, name) * rate for name in ("benefit", "loss", "gain", "cost")}
    here, abroad = played(world, game, solver), played(replace(world, **amounts), game, solver)

    assert here.choice.nodes.tolist() == abroad.choice.nodes.tolist()
    assert here.choice.searched.tolist() == abroad.choice.searched.tolist()
    assert (here.publisher_payoff * rate).tolist() == abroad.publisher_payoff.tolist()


@every_solver
@given(data=st.data(), world=worlds().map(outward), game=any_game)
def test_a_records_strategy_does_not_depend_on_other_records(solver, data, world, game):
    company = data.draw(st.lists(st.integers(0, len(world.records) - 1), min_size=1, max_size=20))
    alone = strategies(played(world, game, solver))

    assert [alone[record] for record in company] == strategies(played(with_records(world, company), game, solver))


@every_solver
@given(data=st.data(), world=worlds(), game=any_game)
def test_cutting_the_records_into_shards_changes_nothing(solver, data, world, game):
    everybody = range(len(world.records))
    shard_of = [data.draw(st.integers(0, 3)) for _ in everybody]
    whole = strategies(played(world, game, solver))

    for shard in set(shard_of):
        chosen = [record for record in everybody if shard_of[record] == shard]
        cut = played(with_records(world, chosen), game, solver, cells=cells_of(world))
        assert [whole[record] for record in chosen] == strategies(cut)


@every_solver
@given(data=st.data(), world=worlds().map(outward), game=any_game)
def test_counting_the_same_people_in_other_rows_changes_nothing(solver, data, world, game):
    rows = []
    for values, times in world.population or []:
        first = data.draw(st.integers(0, times))
        rows += [(values, first), (values, times - first)]
    other = replace(world, population=data.draw(st.permutations(rows)))

    before, after = played(world, game, solver), played(other, game, solver)
    assert before.choice.nodes.tolist() == after.choice.nodes.tolist()
    assert before.choice.searched.tolist() == after.choice.searched.tolist()
    assert before.publisher_payoff.tolist() == after.publisher_payoff.tolist()


@given(world=worlds(), game=any_game)
def test_the_measures_are_those_of_the_oracle(world, game):
    records = range(len(world.records))
    close = SAME * max(world.benefit, 1)

    expected = measures([by_hand(world, record, game) for record in records])
    assert expected == pytest.approx(played(world, game).measures, abs=close)
    expected = measures([policy_outcome(world, record) for record in records])
    assert expected == pytest.approx(policy_of(world, instance_of(world)).measures, abs=close)


@given(world=worlds())
def test_the_policy_is_applied_as_it_is(world):
    instance = instance_of(world)
    solution = policy_of(world, instance)
    outcomes = [policy_outcome(world, record) for record in range(len(world.records))]

    assert [outcome.strategy for outcome in outcomes] == strategies(solution)
    assert [people(world, record, outcome.strategy) for record, outcome in enumerate(outcomes)] == [
        solution.people[profile] for profile in instance.profiles.of_record
    ]
