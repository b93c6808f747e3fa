"""The comparison of the policy with the three games."""

from collections.abc import Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from gamedeid._version import __version__
from gamedeid.arrays import ARRAY_ROWS
from gamedeid.choices import AWARE_GAMES, GAMES, AwareGameName, SearchName, SolverName
from gamedeid.data.engines.options import AUTOMATIC, ReadOptions
from gamedeid.errors import InvalidScenarioError, UnmetLimitsError
from gamedeid.game.solvers import SOLVERS
from gamedeid.game.spread import Spread, attack_laws, spread_of
from gamedeid.lazy_imports import LazyModule
from gamedeid.population.rows import RowCounts
from gamedeid.progress import Phases, no_progress
from gamedeid.reprs import Shown, frozen
from gamedeid.results.folder import FolderWriter, write_result
from gamedeid.results.manifest import ResultWarning
from gamedeid.results.result import Amount, Flag, Mean, Number, Result, Share, Text
from gamedeid.risk.aware import AwareFacts, aware_risk_or_reason
from gamedeid.risk.records import class_sizes
from gamedeid.scenario.payoffs import success_probability
from gamedeid.scenario.scenario import ScenarioLike
from gamedeid.study.facts import (
    DataFacts,
    Measures,
    PolicyWords,
    RecipientFacts,
    StakeFacts,
    study_warnings,
    write_manifest,
)
from gamedeid.study.solution import Solution
from gamedeid.study.solve import policy_solution, solve
from gamedeid.study.study import Study

if TYPE_CHECKING:
    from gamedeid.results import tables
else:  # loaded by the first write
    tables = LazyModule("gamedeid.results.tables")

AWARE = ("publisher_payoff", "attacked", "expected_reidentifications")
"""Measures that are given for a recipient who knows the method too: columns ``aware_`` and the name."""

MOST_COUNTED = 2**30
"""Most bytes of counts, a row for each strategy, for games that no one asked for (1 GiB)."""

MOST_PAIRS = 500_000
"""Most pairs of profile and strategy for which aware games are played unasked: some seconds."""

NOT_COMPUTED = "gamedeid run, compare and audit compute it, or say why not"
"""The reason for missing figures of a recipient who knows the method, if no one asked for them."""


@frozen
class MarketerFacts(Result):
    """The expected successes if every released record is attacked.

    Parameters
    ----------
    share : mean chance of success of the released records for which a recipient finds someone.
    reidentifications : expected number of successes.
    spread : distribution of this number; None if it is no sum over parts.
    """

    share: Mean
    reidentifications: Number
    spread: Spread | None


@frozen
class AwareRelease(Result):
    """The measures of :data:`AWARE` for a recipient who knows the method, and the spread of its successful attacks."""

    publisher_payoff: Amount
    attacked: Share
    expected_reidentifications: Number
    spread: Spread


@frozen
class ReleaseFacts(Measures):
    """The facts of a game or policy for a verdict, as in ``policies`` of ``summary.json``.

    Parameters
    ----------
    proved : whether no permitted strategy is better for any record; None for a policy.
    gap : mean dollars per record by which the best payoff can exceed the one found; None for a policy.
    spread : distribution of the successes of attacks that pay; None if it is no sum over parts.
    aware : the measures for a recipient who knows the method, or the reason for none.
    highest_risk : the highest chance of one record if the recipient knows the released values of the person: one over
        the smallest class of the release. It is 0 where nothing is released, and None with many profiles.
    """

    shown = ("publisher_payoff", "attacked", "expected_reidentifications", "highest_risk", "records")

    proved: Flag | None
    gap: Amount | None
    spread: Spread | None
    marketer: MarketerFacts
    aware: AwareRelease | Text
    highest_risk: Share | None


@frozen
class MoreMeasures(Measures):
    """The measures of a row of a comparison; None where one is not known.

    Parameters
    ----------
    searched : mean number of strategies evaluated for a record.
    optimal : share of records for which the best payoff was found.
    """

    aware_publisher_payoff: Amount | None
    aware_attacked: Share | None
    aware_expected_reidentifications: Number | None
    searched: Mean | None
    optimal: Share | None


@frozen
class ComparedFacts(MoreMeasures):
    """One policy or game of ``comparison.json``.

    Parameters
    ----------
    unknown : why there are no figures of a recipient who knows the method, where there are none.
    recipients : the part of each of several recipients, by name.
    """

    unknown: Text | None = None
    recipients: Mapping[str, RecipientFacts] = field(default_factory=dict)


@frozen
class ComparisonFacts(Result):
    """A comparison: the content of ``comparison.json``."""

    document = "comparison"

    title: Text
    warnings: tuple[ResultWarning, ...]
    payoffs: StakeFacts
    policies: Mapping[str, ComparedFacts]
    policy: PolicyWords
    data: DataFacts
    gamedeid: Text


@frozen(eq=False, slots=False)
class Comparison(Shown):
    """A policy and the games on one study.

    Parameters
    ----------
    study : the question.
    solutions : name -> the outcomes of all records; the policy first.
    """

    shown = ("solutions", "study.records")
    table_of = "rows"
    card = "card"

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
        return {name: optimal_share(self.solutions[name], best) for name, best in self.best.items()}

    @cached_property
    def aware(self) -> dict[str, AwareFacts | str]:
        """Name -> the measures of a recipient who knows the method, or the reason for none."""
        found = {name: aware_risk_or_reason(solution) for name, solution in self.solutions.items()}
        return {name: risk if isinstance(risk, str) else risk.facts() for name, risk in found.items()}

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One row per policy and game: ``policy``, the measures, those of :data:`AWARE`, ``searched`` and ``optimal``.

        None where one is not known: between groups, ``optimal`` is not, since efficient strategies only are tried.
        """
        rows, limits = [], self.study.scenario.limits
        between_groups = limits is not None and limits.groups is not None
        for name, solution in self.solutions.items():
            known, proved = self.aware[name], solution.search["proved"] and not between_groups
            rows.append(
                {
                    "policy": name,
                    **solution.measures,
                    **{f"aware_{key}": None if isinstance(known, str) else getattr(known.aware, key) for key in AWARE},
                    "searched": solution.search["searched"],
                    "optimal": 1.0 if proved else self.optimal.get(name),
                }
            )
        return rows

    @property
    def table(self) -> Any:
        """The same as a pandas data frame, indexed by policy."""
        import pandas as pd  # noqa: PLC0415  (slow to import, and the command line does without)

        return pd.DataFrame(self.rows).set_index("policy")

    @cached_property
    def facts(self) -> dict[str, ReleaseFacts]:
        """The measures of the policy and of each game, by name."""
        return {name: release_facts(solution, self.aware[name]) for name, solution in self.solutions.items()}

    @property
    def policies(self) -> dict[str, dict[str, Any]]:
        """The same as plain values."""
        return {name: one.as_dict() for name, one in self.facts.items()}

    @property
    def solver(self) -> SearchName | None:
        """The search by which the strategies of the games were found."""
        return next(found.solver for name, found in self.solutions.items() if name in GAMES)

    def as_dict(self) -> dict[str, Any]:
        """Return the content of ``comparison.json``: the measures of the policy and of each game, by name."""
        study, data = self.study, DataFacts.of(self.study)
        return ComparisonFacts(
            title=study.scenario.title,
            warnings=study_warnings(study),
            payoffs=StakeFacts.of(study.scenario),
            policies={
                name: ComparedFacts(
                    **{key: value for key, value in row.items() if key != "policy"},
                    unknown=known if isinstance(known := self.aware[name], str) else None,
                    recipients=RecipientFacts.by_name(self.solutions[name].recipients),
                )
                for name, row in zip(self.solutions, self.rows, strict=True)
            },
            policy=PolicyWords.of(study.scenario_policy),
            data=data,
            gamedeid=__version__,
        ).as_dict()

    write = write_result

    def _write_into(self, folder: FolderWriter) -> dict[str, Any]:
        folder.write_bytes("comparison.csv", tables.csv_bytes(self.rows))
        folder.write_json("comparison.json", self.as_dict())
        return write_manifest(self.study, folder, {"solver": self.solver}, study_warnings(self.study))


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
    """Compare the scenario's policy (default: Safe Harbor) with the three games.

    The games that put records into groups are added where the records are their own population, and the one that the
    scenario names otherwise, if there are few profiles.

    Parameters
    ----------
    scenario, records, population, read_options : as in :func:`gamedeid.solve`.
    solver : how the strategies are found.
    solved : an existing solution; its solver is used for the others that have it.
    progress : opens a phase for each game.

    Returns
    -------
    the solutions side by side, the policy first, without games that have no strategies within the limits;
    ``write`` writes the folder that ``gamedeid compare`` writes.

    Raises
    ------
    GamedeidError : an input is wrong; the message names input and fault in one line.
    UnmetLimitsError : no strategies of any game are within the limits.
    """
    study = Study.prepare(scenario, records, population, read_options=read_options)
    solutions = {study.scenario_policy.name: policy_solution(study, study.scenario_policy)}
    if solved is not None and solved.solver in SOLVERS:
        solver = solved.solver
    progress = progress or no_progress
    unmet: UnmetLimitsError | None = None
    for game in (*GAMES, *played_aware_games(study)):
        if solved is not None and solved.name == game:
            solutions[game] = solved
            continue
        if game == "sh-friendly" and "basic" in solutions and study.game(game).floors is study.instance.base:
            solutions[game] = replace(solutions["basic"], name=game)  # the policy permits everything
            continue
        report_progress = progress(game)
        try:
            solutions[game] = solve(
                study, game=game, solver=solver if game in GAMES else "exact", progress=report_progress
            )
        except UnmetLimitsError as error:
            unmet = unmet or error
        except InvalidScenarioError:
            if game in GAMES:
                raise  # other games are left out if they cannot play the question
    if solved is not None:
        solutions.setdefault(solved.name, solved)
    if unmet is not None and len(solutions) == 1:
        raise unmet
    return Comparison(study=study, solutions=solutions)


def compare_solution(solution: Solution) -> Comparison:
    """Compare a solution with the policy and, if that is quick, with the games."""
    study = solution.study
    if plays_all_games(study):
        return compare(study, solved=solution)
    policy = policy_solution(study, study.scenario_policy)
    return Comparison(study=study, solutions={policy.name: policy, solution.name: solution})


def relevant_aware_games(study: Study) -> list[AwareGameName]:
    """Return the aware games to compare: all if the records are their own population, else the scenario's if aware."""
    return [game for game in AWARE_GAMES if study.is_own_population or game == study.scenario.game]


def played_aware_games(study: Study) -> list[AwareGameName]:
    """Return the relevant aware games that are played unasked: all if there are few profiles, else none."""
    few = study.instance.profiles.count * study.instance.lattice.size <= MOST_PAIRS
    return relevant_aware_games(study) if few else []


def plays_all_games(study: Study) -> bool:
    """Return whether the games are played unasked: few profiles and strategies, and small tables of counts."""
    count, lattice, limits = study.instance.profiles.count, study.instance.lattice, study.scenario.limits
    if limits is not None and limits.couples_cells and count * lattice.size > MOST_PAIRS:
        return False
    counts = study.instance.counts
    if isinstance(counts, RowCounts) and counts.most_bytes > MOST_COUNTED:
        return False
    return count <= ARRAY_ROWS and not lattice.is_large


def release_facts(solution: Solution, aware: AwareFacts | str = NOT_COMPUTED) -> ReleaseFacts:
    """Return the facts of a game or policy for a verdict."""
    instance, nodes = solution.study.instance, solution.choice.nodes
    classes = class_sizes(solution) if len(nodes) <= ARRAY_ROWS else None
    measures: dict[str, Any] = solution.measures
    return ReleaseFacts(
        **measures,
        proved=solution.search["proved"],
        gap=solution.search["gap"],
        spread=spread_of(attack_laws(instance, nodes)),
        marketer=MarketerFacts(**solution.marketer, spread=spread_of(attack_laws(instance, nodes, all_attacked=True))),
        aware=aware
        if isinstance(aware, str)
        else AwareRelease(**{key: getattr(aware.aware, key) for key in (*AWARE, "spread")}),
        highest_risk=None if classes is None else float(success_probability(classes).max()),
    )


def optimal_share(found: Solution, best: Solution) -> float:
    """Return the share of records, in [0, 1], whose publisher's payoff is equal to the best one."""
    instance = found.study.instance
    equal = instance.payoffs.as_good(found.publisher_payoff, best.publisher_payoff)
    weights = instance.profiles.records
    return float((equal * weights).sum() / weights.sum())
