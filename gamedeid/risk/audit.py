"""The risk of a finished folder from a recipient who knows how it was made."""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from os import PathLike
from typing import Any, ClassVar, cast

from gamedeid.capabilities import Operation
from gamedeid.choices import PlayedGame, SearchName
from gamedeid.data.engines.options import AUTOMATIC, ReadOptions
from gamedeid.progress import Phases, no_progress
from gamedeid.reprs import frozen
from gamedeid.results.manifest import ResultWarning
from gamedeid.results.result import Count, Level, Result, Text
from gamedeid.risk.aware import AwareFacts, AwareRisk, aware_risk
from gamedeid.scenario.scenario import ScenarioLike
from gamedeid.study.applied import finished_solution
from gamedeid.study.solution import solution_warnings


@frozen
class WorstGroup(Result):
    """A group worth attacking, as :meth:`AwareRisk.worst_groups` gives it."""

    levels: Mapping[str, Level]
    people: Count
    aware_people: Count
    records: Count
    values: Mapping[str, Text] | None = None


@frozen
class Audit(AwareFacts):
    """What ``gamedeid audit --json`` prints: the measures for both adversaries, and the worst groups."""

    document = "audit"
    keys: ClassVar = (
        "game",
        "solver",
        "records",
        "naive",
        "aware",
        "without_aware_people",
        "recipients?",
        "worst_groups",
        "warnings",
    )

    game: PlayedGame
    solver: SearchName
    worst_groups: tuple[WorstGroup, ...]
    warnings: tuple[ResultWarning, ...]

    @classmethod
    def of(cls, risk: AwareRisk, worst_groups: Iterable[Mapping[str, Any]]) -> "Audit":
        """Return the measures, with the groups that :meth:`AwareRisk.worst_groups` gave."""
        measured, solution = risk.facts(), risk.solution
        return cls(
            game=cast("PlayedGame", solution.name),
            solver=cast("SearchName", solution.solver),
            worst_groups=tuple(WorstGroup(**one) for one in worst_groups),
            warnings=solution_warnings(solution),
            **{one.name: getattr(measured, one.name) for one in fields(measured)},
        )


def audit(
    folder: str | PathLike[str],
    scenario: ScenarioLike | None = None,
    *,
    read_options: ReadOptions = AUTOMATIC,
    progress: Phases = no_progress,
) -> AwareRisk:
    """Measure the value of a finished release to an adversary who knows its mechanism.

    The strategies of all people are read where the folder has them, as that of a game of the whole population does.
    Otherwise the question is solved again, after it is certain that scenario and inputs are those of the folder, and
    that its files match its manifest: the same question gives the same strategies. Then the same is done for
    every person of the population.

    Parameters
    ----------
    folder : a folder that ``gamedeid run -o`` or ``Solution.write`` has written.
    scenario : the question, which says where the files are; without it they are looked for from the current folder, by
        the names that the manifest has.
    read_options : how files are read (default: as suits their size).
    progress : opens a phase by name, and returns its callback for (done, total).

    Returns
    -------
    the risk from an adversary who knows the mechanism, as :func:`aware_risk` has it.

    Raises
    ------
    OutputError : the folder holds no results of a run, or those of another version, or a file of it has changed.
    InvalidScenarioError : the scenario is another, its records were a data frame, the population is estimated, or
        limits on the whole dataset coupled strategies and the records were not their own population.
    InvalidDataError : an input is not there, or is another; or the results, computed again, are others.
    """
    solution = finished_solution(
        folder, scenario, operation=Operation.METHOD, read_options=read_options, progress=progress
    )
    return aware_risk(solution, progress=progress("the population's own strategies"))
