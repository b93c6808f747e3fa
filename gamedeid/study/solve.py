"""Play a game on a question, or apply a policy to it."""

import logging
from typing import TYPE_CHECKING, Any, cast

from gamedeid.capabilities import Feature, Operation, refuse_unsupported
from gamedeid.choices import AWARE_GAMES, GAMES, AwareGameName, PlayedGame, SearchName, SolverName
from gamedeid.data.engines.options import AUTOMATIC, ReadOptions
from gamedeid.errors import refuse_unknown
from gamedeid.game.policies import AppliedPolicy
from gamedeid.game.solvers import SOLVERS, Choice
from gamedeid.lazy_imports import LazyModule
from gamedeid.progress import Progress, split_into_phases, unreported
from gamedeid.scenario.scenario import ScenarioLike
from gamedeid.study.solution import Solution
from gamedeid.study.study import Study

if TYPE_CHECKING:
    from gamedeid.game import frontier as frontiers
    from gamedeid.game.limits import within as limited
    from gamedeid.game.mechanism import plan as planning
    from gamedeid.study import column_groups, kept_rules
else:  # few questions need them, and they take long to load
    frontiers, limited = LazyModule("gamedeid.game.frontier"), LazyModule("gamedeid.game.limits.within")
    planning, kept_rules = LazyModule("gamedeid.game.mechanism.plan"), LazyModule("gamedeid.study.kept_rules")
    column_groups = LazyModule("gamedeid.study.column_groups")

_LOG = logging.getLogger(__name__)

_BY_SOLVER: dict[str, Operation] = {
    "backward-induction": Operation.INDUCTION,
    "lattice-search": Operation.SEARCH,
    "bounded-suboptimal": Operation.SEARCH,
}
"""Solver other than "exact" -> the operation of a game by it."""


def solve(
    scenario: ScenarioLike | Study,
    records: Any = None,
    population: Any = None,
    *,
    game: PlayedGame | None = None,
    solver: SolverName = "exact",
    read_options: ReadOptions = AUTOMATIC,
    progress: Progress | None = None,
) -> Solution:
    """Decide for every record how much of it to release.

    Parameters
    ----------
    scenario : a :class:`gamedeid.Scenario`, the path of a scenario file, the name of a shipped one, or a dict with its
        sections; or a prepared :class:`gamedeid.Study`, so that nothing is read again.
    records, population : pandas, Polars, Arrow, DuckDB, Spark or Dask frames instead of the scenario's files. Lazy ones
        are not collected: their engine counts the rows and joins the answer. Without a population, the records are
        their own population.
    game : "basic", "no-attack", "sh-friendly", "aware-basic" or "aware-no-attack" (default: the scenario's).
    solver : "exact", "backward-induction", "lattice-search" or "bounded-suboptimal"; the aware games have a separate
        search.
    read_options : engine, memory and more for reading files (default: as suits their size).
    progress : called with (profiles done, all profiles); in the aware games, with (phases done, all phases).

    Returns
    -------
    the strategy of every record: ``release()`` returns the records as they may be published, ``write`` writes the same
    files as ``gamedeid run``.

    Raises
    ------
    GamedeidError : an input is wrong; the message names input and fault in one line.

    Examples
    --------
    >>> import pandas as pd
    >>> people = pd.DataFrame({"sex": ["Male"] * 3 + ["Female"], "age": [48, 48, 51, 93]})
    >>> scenario = {
    ...     "attributes": {"age": {"hierarchy": "age"}, "sex": {"hierarchy": "sex"}},
    ...     "payoffs": {"benefit": 100, "loss": 90, "cost": 40},
    ... }
    >>> solve(scenario, people, game="no-attack").release()
        sex      age
    0     *        *
    1  Male  [45-59]
    2  Male  [45-59]
    3  Male  [45-59]
    """
    progress = progress or unreported
    study = Study.prepare(scenario, records, population, read_options=read_options)
    game = study.scenario.game_to_play(game)
    refuse_unknown("solver", solver, SOLVERS)
    if game == "aware-basic" or game == "aware-no-attack":  # noqa: PLR1714  (type checkers then narrow the type)
        features = {**study.features, Feature.AWARE: f"the game {game}"}
        refuse_unsupported(_BY_SOLVER.get(solver, Operation.AWARE_GAME), features)
        return _solve_aware(study, game, progress)
    limits = study.scenario.limits
    if limits is None or not study.scenario.has_limits:
        choice = SOLVERS[solver](study.instance, study.game(game), progress=progress)
        return _logged(Solution(study=study, name=game, solver=solver, choice=choice))
    refuse_unsupported(_BY_SOLVER.get(solver, Operation.WITHIN_LIMITS), study.features)
    played = study.game(game)
    if limits.is_uniform and not limits.is_on_sums:
        within = limited.choose_uniform(study.instance, played, limits)
    else:
        frontier = frontiers.Frontier.of(study.instance, played.floors)
        phases = split_into_phases(progress, 1 + limits.couples_cells)
        free = SOLVERS[solver](study.instance, played, progress=phases("without limits"))
        groups = None if limits.groups is None else column_groups.compared_groups(study, limits.groups)
        within = limited.choose_within_limits(study.instance, played, frontier, limits, free, phases, groups=groups)
    return _logged(Solution(study=study, name=game, solver=solver, choice=within.choice, limits=within))


def _logged(solution: Solution) -> Solution:
    """Log the game, its solver and the number of profiles; the measures are computed when asked for."""
    proved = "proved optimal" if solution.choice.proved else "not proved optimal"
    profiles = solution.study.instance.profiles.count
    _LOG.info("game %s played by %s for %d profiles: %s", solution.name, solution.solver, profiles, proved)
    return solution


def _solve_aware(study: Study, game: AwareGameName, progress: Progress) -> Solution:
    """Play a game of the whole population: find the strategies of all people, and return those of the records."""
    population, asked = study.population.cells, study.scenario.groups
    choice, plan = planning.plan_game(game, study.instance, population, asked, kept_rules.kept_tables(study), progress)
    return _logged(Solution(study=study, name=game, solver="groups", choice=choice, mechanism=plan))


def solve_again(study: Study, name: str, solver: SearchName | None, progress: Progress = unreported) -> Solution:
    """Return the solution of a game by its solver, or of a policy."""
    if name in AWARE_GAMES:
        return solve(study, game=name, progress=progress)
    if name in GAMES:
        return solve(study, game=name, solver=cast("SolverName", solver), progress=progress)
    return policy_solution(study, study.policy(name))


def policy_solution(study: Study, policy: AppliedPolicy) -> Solution:
    """Return the solution of a policy: nothing is withheld, and payoffs may be negative.

    Parameters
    ----------
    study : the question.
    policy : the levels that it requires, as ``Study.policy`` returns it.
    """
    nodes = study.instance.lattice.nodes(policy.levels)
    return Solution(study=study, name=policy.name, solver=None, choice=Choice.unsearched(nodes))
