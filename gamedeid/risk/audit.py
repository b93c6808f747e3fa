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
    """A group worth attacking, as :meth:`AwareRisk.worst_groups` returns it."""

    levels: Mapping[str, Level]
    people: Count
    aware_people: Count
    records: Count
    values: Mapping[str, Text] | None = None


@frozen
class Audit(AwareFacts):
    """The document of ``gamedeid audit --json``: the measures for both adversaries, and the worst groups."""

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

    The folder of a game of the whole population has the strategies of all people. Otherwise the question is solved
    again, first for the records, then for every person of the population, after a check that scenario and inputs are
    those of the folder, and that its files match its manifest: the same question gives the same strategies.

    Parameters
    ----------
    folder : a folder that ``gamedeid run -o`` or ``Solution.write`` has written.
    scenario : the question, which gives the paths of the files; without it, they are searched for from the current
        folder, by their names in the manifest.
    read_options : how files are read (default: as suits their size).
    progress : opens a phase by name, and returns its callback for (done, total).

    Returns
    -------
    the risk from an adversary who knows the mechanism, as from :func:`aware_risk`.

    Raises
    ------
    OutputError : the folder holds no results of a run, or those of another version, or a file of it has changed.
    InvalidScenarioError : the scenario differs, its records were a data frame, or its question is one that
        :func:`aware_risk` refuses.
    InvalidDataError : an input is missing or differs; or the results, computed again, differ.
    """
    solution = finished_solution(
        folder, scenario, operation=Operation.METHOD, read_options=read_options, progress=progress
    )
    return aware_risk(solution, progress=progress("the population's own strategies"))
