"""Does the oracle keep the laws that hold in every world?"""

from dataclasses import replace
from itertools import product

import pytest
from depth import tries
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import (
    GAMES,
    SAME,
    Game,
    World,
    algorithm_1,
    algorithm_2,
    information_loss,
    measures,
    people,
    permitted,
    policy_outcome,
    publisher_payoff,
    start,
    strategy_graph,
    success_probability,
)
from worlds import worlds

in_some_worlds = settings(max_examples=tries(10, 500))  # the oracle is slow on purpose
a_game = st.sampled_from(GAMES)


def every_record(world: World) -> range:
    return range(len(world.records))


@in_some_worlds
@given(worlds())
def test_a_game_that_permits_less_pays_no_more(world: World) -> None:
    same = SAME * world.benefit
    for record in every_record(world):
        basic, no_attack, sh_friendly = (algorithm_1(world, record, game).publisher_payoff for game in GAMES)
        assert basic >= no_attack - same
        assert basic >= sh_friendly - same
        assert sh_friendly >= policy_outcome(world, record).publisher_payoff - same
        assert min(basic, no_attack, sh_friendly) >= -same


@in_some_worlds
@given(worlds(), a_game)
def test_the_answer_is_permitted_or_the_record_is_withheld(world: World, game: Game) -> None:
    for record in every_record(world):
        for outcome in (algorithm_1(world, record, game), algorithm_2(world, record, game)):
            assert outcome.withheld == (outcome.strategy is None)
            assert outcome.strategy is None or permitted(world, record, game, outcome.strategy)
            assert not (game == "no-attack" and outcome.attacked)


@in_some_worlds
@given(worlds(), a_game)
def test_backward_induction_finds_the_best_of_all_permitted_strategies(world: World, game: Game) -> None:
    for record in every_record(world):
        space = product(*(range(height) for height in world.heights))
        least = start(world, record, game)
        reachable = [s for s in space if all(level >= floor for level, floor in zip(s, least, strict=True))]
        payoffs = [publisher_payoff(world, record, s) for s in reachable if permitted(world, record, game, s)]
        found = algorithm_1(world, record, game)
        assert found.publisher_payoff == pytest.approx(max([0.0, *payoffs]), abs=SAME * world.benefit)
        assert found.searched == len(reachable)


@in_some_worlds
@given(worlds(), a_game)
def test_lattice_search_never_beats_backward_induction_nor_searches_more(world: World, game: Game) -> None:
    for record in every_record(world):
        exact, greedy = algorithm_1(world, record, game), algorithm_2(world, record, game)
        assert greedy.publisher_payoff <= exact.publisher_payoff + SAME * world.benefit
        assert 1 <= greedy.searched <= exact.searched


@in_some_worlds
@given(worlds())
def test_climbing_never_makes_fewer_people_nor_less_loss_of_information(world: World) -> None:
    for record in every_record(world):
        least = start(world, record, "basic")
        for lower, higher in strategy_graph(world.heights).edges:
            if all(level >= floor for level, floor in zip(lower, least, strict=True)):
                assert people(world, record, lower) <= people(world, record, higher)
                assert information_loss(world, record, lower) <= information_loss(world, record, higher) + SAME
        top = tuple(height - 1 for height in world.heights)
        assert information_loss(world, record, top) == 1


@in_some_worlds
@given(worlds(), a_game)
def test_the_same_values_are_the_same_game(world: World, game: Game) -> None:
    answers = {}
    for record, values in enumerate(world.records):
        answer = (algorithm_1(world, record, game), algorithm_2(world, record, game), policy_outcome(world, record))
        assert answers.setdefault(tuple(values.items()), answer) == answer


@in_some_worlds
@given(worlds(), a_game)
def test_neither_the_order_of_the_people_nor_counting_them_one_by_one_changes_anything(
    world: World, game: Game
) -> None:
    rows = [(values, 1) for values in world.records] if world.population is None else world.population
    one_by_one = [(values, 1) for values, times in reversed(rows) for _ in range(times)]
    counted = replace(world, population=one_by_one)
    for record in every_record(world):
        assert algorithm_1(counted, record, game) == algorithm_1(world, record, game)


@in_some_worlds
@given(worlds(), a_game, st.sampled_from((0.25, 2.0, 1024.0)))
def test_in_another_currency_the_same_strategies_are_played(world: World, game: Game, rate: float) -> None:
    # powers of two: the exchange itself rounds nothing
    exchanged = replace(
        world,
        benefit=world.benefit * rate,
        loss=world.loss * rate,
        gain=world.gain * rate,
        cost=world.cost * rate,
    )
    for record in every_record(world):
        for solve in (algorithm_1, algorithm_2):
            here, there = solve(world, record, game), solve(exchanged, record, game)
            assert there.publisher_payoff == here.publisher_payoff * rate
            assert (there.strategy, there.attacked, there.searched) == (here.strategy, here.attacked, here.searched)


@in_some_worlds
@given(worlds(), a_game)
def test_measures_are_shares_or_means_or_sums_over_the_records(world: World, game: Game) -> None:
    outcomes = [algorithm_1(world, record, game) for record in every_record(world)]
    found = measures(outcomes)

    assert found["records"] == len(world.records)
    assert 0 <= found["withheld"] <= found["suppressed"] <= 1
    assert found["suppressed"] + found["unmodified"] <= 1 + SAME
    assert found["expected_reidentifications"] == pytest.approx(
        found["reidentification_probability_attacked"] * found["attacked"] * found["records"]
    )
    assert found["reidentification_probability"] == pytest.approx(
        sum(
            success_probability(people(world, record, outcome.strategy))
            for record, outcome in enumerate(outcomes)
            if outcome.strategy is not None and outcome.attacked
        )
        / found["records"]
    )
    assert found["publisher_payoff"] * found["records"] == pytest.approx(sum(o.publisher_payoff for o in outcomes))
