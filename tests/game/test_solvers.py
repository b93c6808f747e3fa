"""Do all solvers agree with the oracle in every game and layout, and do they count the strategies looked up?"""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from oracle_worlds import LAYOUTS, TABLES, first_records, game_of, instance_of, played, strategies
from oracles import GAMES, SAME, World, algorithm_1, algorithm_2
from uncompiled_kernels import count_lookups
from worlds import RISING, chains, worlds

from gamedeid.choices import GameName
from gamedeid.game.solvers import SOLVERS

# Solver -> the oracle's algorithm that it is compared with.
ORACLE = {"backward-induction": algorithm_1, "exact": algorithm_1, "lattice-search": algorithm_2}
# tests/population/test_bounded_suboptimal.py compares the last with the oracle on large lattices.

every_solver = pytest.mark.parametrize("solver", ORACLE)
every_game = pytest.mark.parametrize("game", GAMES)
every_layout = pytest.mark.parametrize("layout", LAYOUTS)
any_game, any_layout = st.sampled_from(GAMES), st.sampled_from(LAYOUTS)
any_world = st.one_of(worlds(), chains())


def test_the_oracle_covers_every_solver():
    assert {*ORACLE, "bounded-suboptimal"} == set(SOLVERS)


@every_layout
@every_game
@every_solver
@given(world=any_world)
def test_the_oracle_agrees(solver, game, layout, world):
    solution = played(world, game, solver, layout)
    firsts = first_records(solution.study.instance)
    expected = [ORACLE[solver](world, record, game) for record in firsts]
    close = SAME * world.benefit

    chosen = strategies(solution)
    assert [outcome.strategy for outcome in expected] == [chosen[record] for record in firsts]
    assert [outcome.withheld for outcome in expected] == solution.withheld.tolist()
    assert [outcome.attacked for outcome in expected] == solution.attacked.tolist()
    assert [o.publisher_payoff for o in expected] == pytest.approx(solution.publisher_payoff.tolist(), abs=close)
    assert [o.adversary_payoff for o in expected] == pytest.approx(solution.adversary_payoff.tolist(), abs=close)
    if solver != "exact":
        assert [outcome.searched for outcome in expected] == solution.choice.searched.tolist()


@every_solver
@given(world=worlds(), game=any_game)
def test_only_proved_strategies_are_called_proved(solver, world, game):
    best = played(world, game, "backward-induction")
    found = played(world, game, solver)

    assert found.choice.proved == (solver != "lattice-search")
    if found.choice.proved:
        assert best.choice.nodes.tolist() == found.choice.nodes.tolist()


@given(world=worlds(), game=any_game)
def test_lattice_search_pays_no_more_than_the_best_and_stops_in_time(world, game):
    best, found = played(world, game), played(world, game, "lattice-search")
    lattice = found.study.instance.lattice

    assert (found.publisher_payoff <= best.publisher_payoff + SAME * world.benefit).all()
    assert (found.choice.searched <= 1 + lattice.attributes * lattice.steps).all()


@given(world=any_world, game=any_game, layout=any_layout)
@example(world=RISING, game="basic", layout="dense")
@example(world=RISING, game="sh-friendly", layout="dense")
def test_exact_looks_up_no_more_than_backward_induction(world, game, layout):
    everything = played(world, game, "backward-induction", layout).choice.searched
    enough = played(world, game, "exact", layout).choice.searched

    assert (enough >= 1).all()
    assert (enough <= everything).all()


@pytest.mark.parametrize("solver", ["exact", "lattice-search"])
@given(world=any_world, game=any_game, layout=st.sampled_from(TABLES))
@example(world=RISING, game="basic", layout="dense")  # exact chooses again
@example(world=RISING, game="sh-friendly", layout="dense")
def test_the_strategies_counted_are_those_looked_up(solver, world, game, layout):
    assert count_lookups(world, game, solver, layout) == played(world, game, solver, layout).choice.searched.tolist()


@every_solver
def test_progress_is_reported_up_to_the_end(solver):
    reported = []

    @given(world=worlds(), game=any_game)
    def play(world: World, game: GameName) -> None:
        instance = instance_of(world)
        reported.clear()
        SOLVERS[solver](instance, game_of(world, instance, game), progress=lambda *now: reported.append(now))
        assert reported == sorted(reported)
        assert reported[-1] == (instance.profiles.count, instance.profiles.count)

    play()
