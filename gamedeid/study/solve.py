"""Play a game on a question, or apply a policy to it."""

import logging
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.capabilities import Feature, Operation, refuse_unsupported
from gamedeid.choices import AWARE_GAMES, GAMES, AwareGameName, PlayedGame, SearchName, SolverName
from gamedeid.data.columns import to_column
from gamedeid.data.engines.options import AUTOMATIC, ReadOptions
from gamedeid.errors import InvalidScenarioError, did_you_mean, nearest_word_hint, quoted
from gamedeid.game.policies import AppliedPolicy
from gamedeid.game.solvers import SOLVERS, Choice
from gamedeid.lazy_imports import LazyModule
from gamedeid.progress import Progress, split_into_phases, unreported
from gamedeid.scenario.limits import KeptRule
from gamedeid.scenario.scenario import ScenarioLike
from gamedeid.study.solution import Solution
from gamedeid.study.study import Study

if TYPE_CHECKING:
    from gamedeid.game import frontier as frontiers
    from gamedeid.game.groups import problem
    from gamedeid.game.limits import within as limited
    from gamedeid.game.mechanism import plan as planning
    from gamedeid.kernels import group_rules
    from gamedeid.study import column_groups
else:  # few questions need them, and they take long to load
    frontiers, limited = LazyModule("gamedeid.game.frontier"), LazyModule("gamedeid.game.limits.within")
    problem, planning = LazyModule("gamedeid.game.groups.problem"), LazyModule("gamedeid.game.mechanism.plan")
    group_rules, column_groups = LazyModule("gamedeid.kernels.group_rules"), LazyModule("gamedeid.study.column_groups")

_LOG = logging.getLogger(__name__)

_BY_SOLVER: dict[str, Operation] = {
    "backward-induction": Operation.INDUCTION,
    "lattice-search": Operation.SEARCH,
    "bounded-suboptimal": Operation.SEARCH,
}
"""What a game is asked of that is not solved by "exact"."""


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
        stay where they are: they are counted there, and the answer is joined to them there. Without any population the
        records are their own.
    game : "basic", "no-attack", "sh-friendly", "aware-basic" or "aware-no-attack" (default: the scenario's).
    solver : "exact", "backward-induction", "lattice-search" or "bounded-suboptimal"; the aware games have a separate
        search.
    read_options : engine, memory and more for reading files (default: as suits their size).
    progress : called with (profiles done, profiles in all); of the aware games, with (phases done, phases in all).

    Returns
    -------
    the strategy of every record: ``release()`` returns the records as they may be published, ``write`` writes what
    ``gamedeid run`` does.

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
    if solver not in tuple(SOLVERS):  # a list, too, is none
        raise InvalidScenarioError(f"there is no solver {quoted(solver)}{nearest_word_hint(solver, SOLVERS)}")
    if game == "aware-basic" or game == "aware-no-attack":  # noqa: PLR1714  (by which type checkers know the others)
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
        return _logged(Solution(study=study, name=game, solver=solver, choice=within.choice, limits=within))
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
    """Play a game of the whole population: find the strategies of all people, and take those of the records."""
    population, asked = study.population.cells, study.scenario.groups
    choice, plan = planning.plan_game(game, study.instance, population, asked, _kept_rules(study), progress)
    return _logged(Solution(study=study, name=game, solver="groups", choice=choice, mechanism=plan))


def _kept_rules(study: Study) -> "group_rules.KeptTables":
    """Return the rules, and how many records of each profile have each kept value, (q, s)."""
    asked = study.scenario.groups
    if asked is None or (asked.k == 1 and not asked.kept):
        return problem.NO_RULES
    if asked.kept:
        refuse_unsupported(Operation.KEPT_RULE, study.features)
    profiles = study.instance.profiles
    columns: list[IntArray] = [profiles.records[:, None].astype(np.int64)]
    kinds, spans = [group_rules.RECORDS], [(0, 1)]
    limits: list[tuple[float, float]] = [(asked.k, 0.0)]
    for name, rule in asked.kept.items():
        begin = sum(column.shape[1] for column in columns)
        columns.append(_counts(study, name, rule))
        for kind, limit in _rules(rule):
            kinds.append(kind)
            limits.append(limit)
            spans.append((begin, begin + columns[-1].shape[1]))
    counts = np.concatenate(columns, axis=1)
    overall = np.concatenate([column.sum(axis=0) / max(column.sum(), 1) for column in columns])
    return group_rules.KeptTables(
        counts=counts,
        kinds=np.array(kinds, np.int64),
        spans=np.array(spans, np.int64),
        limits=np.array(limits, np.float64),
        overall=overall,
    )


def _rules(rule: KeptRule) -> list[tuple[int, tuple[float, float]]]:
    """Return (kind, limits) of each rule of a column."""
    distance = group_rules.ORDERED if rule.distance == "ordered" else group_rules.EQUAL
    asked = {
        group_rules.DISTINCT: rule.distinct,
        group_rules.ENTROPY: rule.entropy,
        group_rules.RECURSIVE: rule.recursive,
        distance: rule.t,
    }
    given = {kind: limit for kind, limit in asked.items() if limit is not None}
    return [(kind, limit if isinstance(limit, tuple) else (limit, 0.0)) for kind, limit in given.items()]


def _counts(study: Study, name: str, rule: KeptRule) -> IntArray:
    """Return how many records of each profile have each value of a kept column, (q, s); a missing value is one more."""
    keep, of_record = study.scenario.records.keep, study.instance.profiles.of_record
    if name not in keep:
        raise InvalidScenarioError(f"groups.kept.{name}: expected a column of records.keep{did_you_mean(name, keep)}")
    values: dict[object, int] = {value: place for place, value in enumerate(rule.order)}
    row, counts = 0, np.zeros((study.instance.profiles.count, len(values)), np.int64)
    for piece in study.rows.columns([name]):
        column = to_column(piece.values, name, "records", study.scenario.records.missing_values)
        listed = [*(str(value) for value in column.values), None]
        strange = {listed[code] for code in np.unique(column.codes)} - set(rule.order)
        if rule.distance == "ordered" and strange:
            raise InvalidScenarioError(
                f"groups.kept.{name}.order: {len(strange):,} values of the column are not in it"
                f"{', a missing one among them' if None in strange else ''}; list all from the lowest to the highest",
                values=sorted(value for value in strange if value is not None),
            )
        places = np.array([values.setdefault(value, len(values)) for value in listed])
        if len(values) > counts.shape[1]:
            counts = np.pad(counts, ((0, 0), (0, len(values) - counts.shape[1])))
        np.add.at(counts, (of_record[row : row + len(column.codes)], places[column.codes]), 1)
        row += len(column.codes)
    return counts[:, counts.any(axis=0)]


def solve_again(study: Study, name: str, solver: SearchName | None, progress: Progress = unreported) -> Solution:
    """Return the solution of a game by the solver that has played it, or of a policy."""
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
    policy : the levels that it asks for, as ``Study.policy`` returns it.
    """
    nodes = study.instance.lattice.nodes(policy.levels)
    return Solution(study=study, name=policy.name, solver=None, choice=Choice.unsearched(nodes))
