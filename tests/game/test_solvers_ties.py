"""Ties of payoffs, and of the adversary's choice to attack."""

from dataclasses import replace
from unittest.mock import patch

import pytest
from oracle_worlds import LAYOUTS, played, strategies
from oracles import GAMES, algorithm_1, algorithm_2
from worlds import HIDDEN, RISING

from gamedeid.game.solvers import SOLVERS

every_solver = pytest.mark.parametrize("solver", [name for name in SOLVERS if name != "bounded-suboptimal"])


@every_solver
def test_the_first_that_is_as_good_as_the_best_is_chosen_though_a_better_one_was_the_first_seen(solver):
    expected = algorithm_2 if solver == "lattice-search" else algorithm_1

    assert strategies(played(RISING, "basic", solver)) == [expected(RISING, 0, "basic").strategy]


def test_exact_chooses_again_where_the_payoffs_form_a_chain():
    assert (0, 2) == algorithm_1(RISING, 0, "basic").strategy
    with patch("gamedeid.game.solvers.exact._choose_again"):
        unsure = strategies(played(RISING, "basic", "exact"))

    assert [(0, 3)] == unsure
    assert [(0, 2)] == strategies(played(RISING, "basic", "exact"))


@every_solver
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("gain", "cost", "people"), [(29.0, 0.29, 100), (57.0, 0.57, 100), (300.0, 4.0, 75)])
def test_a_gain_of_exactly_what_an_attack_costs_is_a_tie(solver, game, gain, cost, people):
    stakes = {"benefit": 100.0, "loss": 50.0, "gain": gain, "cost": cost}
    indifferent = replace(RISING, population=[({"heavy": "p", "free": "p"}, people)], floors=[{}], **stakes)
    one_less = replace(indifferent, population=[({"heavy": "p", "free": "p"}, people - 1)])

    at_home, attacking = played(indifferent, game, solver), played(one_less, "basic", solver)
    assert [False] == at_home.attacked.tolist()
    assert [0.0] == at_home.adversary_payoff.tolist()
    assert [100.0] == at_home.publisher_payoff.tolist()
    assert [(0, 0)] == strategies(at_home)
    assert [True] == attacking.attacked.tolist()


@pytest.mark.parametrize("solver", ["backward-induction", "exact"])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("more", "chosen"), [(1e-9, (1, 0, 0)), (3e-9, (0, 1, 1))])
def test_the_first_in_walk_order_of_equals_is_chosen_even_if_it_loses_slightly_more(solver, layout, more, chosen):
    heavier = replace(HIDDEN, weights={**HIDDEN.weights, "a": 1 + more})

    assert chosen == algorithm_1(heavier, 0, "no-attack").strategy
    assert [chosen] == strategies(played(heavier, "no-attack", solver, layout))


@pytest.mark.parametrize(("more", "chosen"), [(1e-9, (0, 0, 1)), (3e-9, (0, 1, 0))])
def test_lattice_search_takes_the_last_of_nearly_equal_children(more, chosen):
    people = [({"a": "p", "b": b, "c": c}, times) for b, c, times in (("p", "p", 1), ("q", "p", 3), ("p", "q", 3))]
    twins = replace(HIDDEN, weights={"a": 1.0, "b": 0.5, "c": 0.5 + more}, population=people)

    assert chosen == algorithm_2(twins, 0, "basic").strategy
    assert [chosen] == strategies(played(twins, "basic", "lattice-search"))


@every_solver
def test_where_every_strategy_is_attacked_no_attack_withholds_though_nothing_would_be_lost(solver):
    exposed = replace(HIDDEN, loss=0.0, gain=1000.0)

    assert [None] == strategies(played(exposed, "no-attack", solver))
    assert [(0, 0, 0)] == strategies(played(exposed, "basic", "exact"))


def test_decimal_ties_are_not_ties_in_floating_point():
    assert 0.29 * 100 < 29
    assert 0.57 * 100 < 57


@every_solver
def test_a_record_with_payoff_zero_is_released_and_one_below_zero_is_not(solver):
    # Alone in the world and always attacked: released as p for V - L = 0, as * for -L.
    worthless = replace(RISING, ladders={"heavy": RISING.ladders["heavy"]}, weights={"heavy": 1.0})
    worthless = replace(worthless, records=[{"heavy": "p"}], population=[({"heavy": "p"}, 1)], loss=1000.0, gain=1e6)

    assert [(0,)] == strategies(played(worthless, "basic", solver))
    assert [None] == strategies(played(replace(worthless, loss=1000.5), "basic", solver))
