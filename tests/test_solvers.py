"""Do all solvers say what the oracle says, in every game and either layout?"""

import numpy as np
import pytest
from adapters import LAYOUTS, first_records, game_of, played, setting_of, strategies
from hypothesis import given
from oracles import GAMES, SAME, Outcome, World, algorithm_1, algorithm_2
from worlds import worlds

from gamedeid.counting import Layout
from gamedeid.choices import GameName, SolverName
from gamedeid.solution import Solution
from gamedeid.solvers import SOLVERS

# Which way of playing by hand each solver is compared with.
ORACLE = {"backward-induction": algorithm_1, "exact": algorithm_1, "lattice-search": algorithm_2}

every_solver = pytest.mark.parametrize("solver", SOLVERS)
every_game = pytest.mark.parametrize("game", GAMES)
every_layout = pytest.mark.parametrize("layout", LAYOUTS)


def by_hand(world: World, solver: SolverName, game: GameName, solution: Solution) -> list[Outcome]:
    """Return what the oracle makes of each profile."""
    return [ORACLE[solver](world, record, game) for record in first_records(solution.study.setting)]


def test_the_oracle_knows_every_solver() -> None:
    assert set(ORACLE) == set(SOLVERS)


@every_layout
@every_game
@every_solver
@given(world=worlds())
def test_the_oracle_agrees(solver: SolverName, game: GameName, layout: Layout, world: World) -> None:
    solution = played(world, game, solver, layout)
    expected = by_hand(world, solver, game, solution)
    close = SAME * world.benefit

    chosen = strategies(solution)
    assert [outcome.strategy for outcome in expected] == [chosen[r] for r in first_records(solution.study.setting)]
    assert [outcome.withheld for outcome in expected] == solution.withheld.tolist()
    assert [outcome.attacked for outcome in expected] == solution.attacked.tolist()
    assert [outcome.publisher_payoff for outcome in expected] == pytest.approx(
        solution.publisher_payoff.tolist(), abs=close
    )
    assert [outcome.adversary_payoff for outcome in expected] == pytest.approx(
        solution.adversary_payoff.tolist(), abs=close
    )
    if solver != "exact":
        assert [outcome.searched for outcome in expected] == solution.choice.searched.tolist()
