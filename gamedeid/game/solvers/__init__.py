"""The four ways to solve a game, under one contract."""

from gamedeid.choices import SolverName
from gamedeid.game.solvers.contract import Choice, Solver
from gamedeid.game.solvers.exact import bounded_suboptimal, exact
from gamedeid.game.solvers.wan2015 import backward_induction, lattice_search

SOLVERS: dict[SolverName, Solver] = {
    "backward-induction": backward_induction,
    "lattice-search": lattice_search,
    "bounded-suboptimal": bounded_suboptimal,
    "exact": exact,
}

__all__ = [
    "SOLVERS",
    "Choice",
    "Solver",
    "SolverName",
    "backward_induction",
    "bounded_suboptimal",
    "exact",
    "lattice_search",
]
