"""What the answer is worth: the policy and the three games side by side."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from gamedeid._version import __version__
from gamedeid.arrays import ARRAY_ROWS
from gamedeid.choices import AWARE_GAMES, GAMES, SearchName, SolverName
from gamedeid.data.engines.options import AUTOMATIC, ReadOptions
from gamedeid.errors import InvalidScenarioError, UnmetLimitsError
from gamedeid.game.solvers import SOLVERS
from gamedeid.game.spread import laws_of, spread_of
from gamedeid.population.rows import RowCounts
from gamedeid.progress import Phases
from gamedeid.reprs import Shown, frozen
from gamedeid.results import FolderWriter, write_result
from gamedeid.results.tables import rows_to_columns, write_table
from gamedeid.risk.aware import known_risk
from gamedeid.risk.records import class_sizes
from gamedeid.scenario.payoffs import success_probability
from gamedeid.scenario.scenario import ScenarioLike
from gamedeid.schema_names import KEY, schema_id
from gamedeid.study.manifest import data_of, stakes_of, write_manifest
from gamedeid.study.solution import Solution
from gamedeid.study.solve import policy_solution, solve
from gamedeid.study.study import Study
from gamedeid.study.warnings import as_values, data_warnings

AWARE = ("publisher_payoff", "attacked", "expected_reidentifications")
"""Measures that are told of a recipient who knows the method too: columns ``aware_`` and the name."""

MOST_COUNTED = 2**30
"""Bytes of counts, a row for each strategy, that games may take that nobody asked for (1 GiB)."""

MOST_PAIRS = 500_000
"""Pairs of profile and strategy up to which games that put records into groups are played unasked: some seconds."""

NOT_LOOKED_AT = "gamedeid run, compare and audit compute it, or say why not"
"""Why there are no figures of a recipient who knows the method, where nobody asked for them."""


@frozen(eq=False, slots=False)
class Comparison(Shown):
    """A policy and the games on one study.

    Parameters
    ----------
    study : the question.
    solutions : name -> what becomes of every record; the policy first.
    """

    shown = ("solutions", "study.records")
    table_of = "rows"

    study: Study
    solutions: dict[str, Solution]

    @cached_property
    def best(self) -> dict[str, Solution]:
        """Name of a game -> the best strategies, by an exact search, where its solver does not promise them."""
        return {
            name: solve(self.study, game=name)
            for name in GAMES
            if (found := self.solutions.get(name)) and not (found.choice.proved or found.limits is not None)
        }

    @cached_property
    def optimal(self) -> dict[str, float]:
        """Name of such a game -> share of records for which its solver found the best payoff."""
        return {name: share_optimal(self.solutions[name], best) for name, best in self.best.items()}

    @cached_property
    def aware(self) -> dict[str, dict[str, Any] | str]:
        """Name -> what ``AwareRisk.as_dict`` gives for a recipient who knows the method, or why there is nothing."""
        found = {name: known_risk(solution) for name, solution in self.solutions.items()}
        return {name: risk if isinstance(risk, str) else risk.as_dict() for name, risk in found.items()}

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """One row per policy and game: ``policy``, the measures, those of :data:`AWARE`, ``searched`` and ``optimal``.

        None stands for what is not known.
        """
        rows = []
        for name, solution in self.solutions.items():
            known = self.aware[name]
            rows.append(
                {
                    "policy": name,
                    **solution.measures,
                    **{f"aware_{key}": None if isinstance(known, str) else known["aware"][key] for key in AWARE},
                    "searched": solution.search["searched"],
                    "optimal": 1.0 if solution.search["proved"] else self.optimal.get(name),
                }
            )
        return rows

    @property
    def table(self) -> Any:
        """The same as a pandas data frame, indexed by policy."""
        import pandas as pd  # noqa: PLC0415  (slow to import, and the command line does without)

        return pd.DataFrame(self.rows).set_index("policy")

    @cached_property
    def policies(self) -> dict[str, dict[str, Any]]:
        """What becomes of the records under the policy and each game, by name: see :func:`facts_of_release`."""
        return {name: facts_of_release(solution, self.aware[name]) for name, solution in self.solutions.items()}

    @property
    def solver(self) -> SearchName | None:
        """How the strategies of the games were found."""
        return self.solutions[GAMES[0]].solver

    def as_dict(self) -> dict[str, Any]:
        """Return the content of ``comparison.json``: the measures of the policy and of each game, by name."""
        study, data = self.study, data_of(self.study)
        policies = {row["policy"]: {key: row[key] for key in row if key != "policy"} for row in self.rows}
        for name, solution in self.solutions.items():
            if isinstance(unknown := self.aware[name], str):
                policies[name]["unknown"] = unknown
            if solution.recipients:
                policies[name]["recipients"] = solution.recipients
        return {
            KEY: schema_id("comparison"),
            "title": study.scenario.title,
            "warnings": as_values(data_warnings(data)),
            "payoffs": stakes_of(study.scenario),
            "policies": policies,
            "policy": {"name": study.scenario_policy.name, "does": dict(study.scenario_policy.in_words)},
            "data": data,
            "gamedeid": __version__,
        }

    write = write_result

    def _write_into(self, folder: FolderWriter) -> dict[str, Any]:
        with folder.open("comparison.csv") as stream:
            write_table(rows_to_columns(self.rows), stream, "csv")
        folder.write_json("comparison.json", self.as_dict())
        return write_manifest(self.study, folder, {"solver": self.solver})


def compare(
    scenario: ScenarioLike | Study,
    records: Any = None,
    population: Any = None,
    *,
    solver: SolverName = "exact",
    solved: Solution | None = None,
    read_options: ReadOptions = AUTOMATIC,
    progress: Phases | None = None,
) -> Comparison:
    """Compare the scenario's policy (Safe Harbor unless it says otherwise) with the three games.

    Where the records are their own population, and are few, with the games that put them into groups too.

    Parameters
    ----------
    scenario, records, population, read_options : as in :func:`gamedeid.solve`.
    solver : how the strategies are found.
    solved : a solution that is there already: its solver is taken where the others have it too. Games that cannot keep
        to the scenario's limits are then left out.
    progress : asked for each game's.

    Returns
    -------
    the solutions side by side, the policy first; ``write`` makes of them what ``gamedeid compare`` does.

    Raises
    ------
    GamedeidError : what is wrong with which input, in one line.
    UnmetLimitsError : no strategies of a game are within the limits, and none is solved.
    """
    study = Study.prepare(scenario, records, population, read_options=read_options)
    solutions = {study.scenario_policy.name: policy_solution(study, study.scenario_policy)}
    if solved is not None and solved.solver in SOLVERS:
        solver = solved.solver
    for game in (*GAMES, *(AWARE_GAMES if in_groups(study) else ())):
        if solved is not None and solved.name == game:
            solutions[game] = solved
            continue
        if game == "sh-friendly" and "basic" in solutions and study.game(game).floors is study.instance.base:
            solutions[game] = replace(solutions["basic"], name=game)  # the policy permits everything
            continue
        report_progress = progress(game) if progress is not None else None
        try:
            solutions[game] = solve(
                study, game=game, solver=solver if game in GAMES else "exact", progress=report_progress
            )
        except UnmetLimitsError:
            if solved is None:
                raise  # else it is no alternative to what was solved
        except InvalidScenarioError:
            if game in GAMES:
                raise  # the others are left out where the question is none of theirs
    if solved is not None:
        solutions.setdefault(solved.name, solved)
    return Comparison(study=study, solutions=solutions)


def compared_with(solution: Solution) -> Comparison:
    """Compare a solution with the policy and, where that takes little, with the games."""
    study = solution.study
    if plays_all(study):
        return compare(study, solved=solution)
    policy = policy_solution(study, study.scenario_policy)
    return Comparison(study=study, solutions={policy.name: policy, solution.name: solution})


def in_groups(study: Study) -> bool:
    """Return whether the games that put records into groups are played unasked: there are few records alone."""
    return study.is_own_population and study.instance.profiles.count * study.instance.lattice.size <= MOST_PAIRS


def plays_all(study: Study) -> bool:
    """Return whether the games are played unasked: profiles and strategies are few, and their counts take little."""
    count, lattice, limits = study.instance.profiles.count, study.instance.lattice, study.scenario.limits
    if limits is not None and limits.couples_cells and count * lattice.size > MOST_PAIRS:
        return False
    counts = study.instance.counts
    if isinstance(counts, RowCounts) and counts.most_bytes > MOST_COUNTED:
        return False
    return count <= ARRAY_ROWS and not lattice.is_large


def facts_of_release(solution: Solution, aware: Mapping[str, Any] | str = NOT_LOOKED_AT) -> dict[str, Any]:
    """Return what a verdict needs of a game or policy, as ``policies`` of ``summary.json`` has it for each.

    Returns
    -------
    its measures; ``proved``, whether no permitted strategy is better for any record, and ``gap``, the mean number of
    dollars per record by which the best payoff can exceed what was found (both None for a policy); ``spread``, how many
    attacks that pay may succeed; ``marketer``, the ``share`` and the ``reidentifications`` to expect of the released
    records if all are attacked, and their ``spread``; ``aware``, the measures of :data:`AWARE` and the ``spread`` for a
    recipient who knows the method, or why they are not computed; and ``highest_risk``, the highest chance of one record
    for who knows that its person is among the records: one over the smallest class of the release. It is 0 where
    nothing is released, and None with many profiles.
    """
    instance, nodes = solution.study.instance, solution.choice.nodes
    classes = class_sizes(solution) if len(nodes) <= ARRAY_ROWS else None
    return {
        **solution.measures,
        **{key: solution.search[key] for key in ("proved", "gap")},
        "spread": spread_of(laws_of(instance, nodes)).as_dict(),
        "marketer": {
            **solution.marketer,
            "spread": spread_of(laws_of(instance, nodes, all_attacked=True)).as_dict(),
        },
        "aware": aware if isinstance(aware, str) else {key: aware["aware"][key] for key in (*AWARE, "spread")},
        "highest_risk": None if classes is None else float(success_probability(classes).max()),
    }


def share_optimal(found: Solution, best: Solution) -> float:
    """Return the share of records, in [0, 1], whose publisher's payoff is equal to the best one."""
    instance = found.study.instance
    equal = instance.payoffs.as_good(found.publisher_payoff, best.publisher_payoff)
    weights = instance.profiles.records
    return float((equal * weights).sum() / weights.sum())
