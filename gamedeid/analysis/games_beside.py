"""What the policy and the other games would have come to, beside the game that was played."""

from contextlib import suppress
from typing import Any

from gamedeid.analysis.comparison import Aware, Comparison, aware_of, what_came_of
from gamedeid.blocks import ARRAY_ROWS
from gamedeid.choices import GAMES
from gamedeid.errors import UnmetLimitsError
from gamedeid.game.solvers import SOLVERS
from gamedeid.study.solution import Solution
from gamedeid.study.solve import policy_solution, solve_study
from gamedeid.study.study import Study

MOST_PROFILES = ARRAY_ROWS
"""Profiles up to which the other games are played beside the one that was asked for: some seconds for all of them."""

MOST_PAIRS = 500_000
"""The same of pairs of profile and strategy, where limits demand cells of enough records."""


def policies_beside(
    solution: Solution, comparison: Comparison | None = None, aware: Aware | None = None
) -> dict[str, dict[str, Any]]:
    """Return what becomes of the records under the policy and the games, by name, as ``policies`` of ``summary.json``.

    The policy comes first, then the games in their order. With more profiles or strategies than can be played quickly,
    games other than the one that was played are not there, nor are those that cannot keep to the limits.

    Parameters
    ----------
    solution : of the game, or policy, that was played.
    comparison : the policy and all games by the same solver, where that is there already.
    aware : what a recipient who knows the mechanism makes of them, where that is there already.

    Returns
    -------
    for each what :func:`gamedeid.analysis.comparison.what_came_of` gives.
    """
    study, policy = solution.study, solution.study.scenario_policy
    solved = {solution.name: solution, **({} if comparison is None else comparison.solutions)}
    if policy.name not in solved:
        solved[policy.name] = policy_solution(study, policy)
    if comparison is None and plays_all(study):
        for game in GAMES:
            if game not in solved:
                solver = solution.solver if solution.solver in SOLVERS else "exact"
                with suppress(UnmetLimitsError):  # then it is no alternative
                    solved[game] = solve_study(study, game, solver)
    order = dict.fromkeys((policy.name, *GAMES, solution.name))
    solved = {name: solved[name] for name in order if name in solved}
    aware = aware_of(solved, solution.name) if aware is None else aware
    return {name: what_came_of(one, aware[name]) for name, one in solved.items()}


def plays_all(study: Study) -> bool:
    """Return whether the other games are played beside one: there are few profiles, and few strategies.

    Parameters
    ----------
    study : the question.
    """
    count, lattice, limits = study.instance.profiles.count, study.instance.lattice, study.scenario.limits
    if limits is not None and limits.couples_cells and count * lattice.size > MOST_PAIRS:
        return False
    return count <= MOST_PROFILES and not lattice.is_large
