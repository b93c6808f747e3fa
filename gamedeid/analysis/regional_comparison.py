"""The policy and the games side by side where the data lie in a file for each region."""

import logging
from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from pathlib import Path
from typing import Any

from gamedeid._version import __version__
from gamedeid.analysis.comparison import MarketerFacts, ReleaseFacts
from gamedeid.choices import GAMES
from gamedeid.errors import GamedeidError
from gamedeid.game.measures import Totals
from gamedeid.progress import Phases, no_progress
from gamedeid.reprs import Shown, frozen
from gamedeid.results.folder import FolderWriter, write_result
from gamedeid.results.manifest import ResultWarning
from gamedeid.results.result import Level, OneOrMore, Result, Text
from gamedeid.results.resume import FinishedParts
from gamedeid.results.tables import csv_bytes
from gamedeid.scenario.scenario import ScenarioLike
from gamedeid.study.facts import DataFacts, PolicyWords, StakeFacts
from gamedeid.study.prepare import log_doubts
from gamedeid.study.regional import RegionalStudy, SolvedRegion, add_totals
from gamedeid.study.warnings import answer_warnings

_LOG = logging.getLogger(__name__)


@frozen
class RegionFacts(Result):
    """The regions: their attribute, its level, and the number of regions."""

    attribute: Text
    level: Level
    count: OneOrMore


@frozen
class RegionsFacts(Result):
    """A comparison over all regions: the content of ``regions.json``."""

    document = "regions"

    title: Text
    warnings: tuple[ResultWarning, ...]
    payoffs: StakeFacts
    regions: RegionFacts
    policies: Mapping[str, ReleaseFacts]
    policy: PolicyWords
    data: DataFacts
    gamedeid: Text


@frozen(eq=False, slots=False)
class RegionalComparison(Shown):
    """A comparison of the policy and the games over all regions; exact, and proved so.

    Parameters
    ----------
    study : the question.
    solved : region -> its solution.
    """

    shown = ("study",)
    table_of = "policies"
    card = "card"

    study: RegionalStudy
    solved: Mapping[str, SolvedRegion] = field(repr=False)

    @cached_property
    def together(self) -> SolvedRegion:
        """The totals of all regions together."""
        return add_totals(self.solved.values())

    @property
    def facts(self) -> dict[str, ReleaseFacts]:
        """The measures of the policy and of each game over all regions, by name."""
        return {name: _release_facts(name, totals) for name, totals in self.together.totals.items()}

    @property
    def policies(self) -> dict[str, dict[str, Any]]:
        """The same as plain values."""
        return {name: one.as_dict() for name, one in self.facts.items()}

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One row per region and policy or game: ``region``, ``policy``, the measures, and how much was read."""
        return [
            {
                "region": region,
                "policy": name,
                **totals.measures,
                "profiles": solved.profiles,
                "people": solved.people,
            }
            for region, solved in self.solved.items()
            for name, totals in solved.totals.items()
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return the content of ``regions.json``."""
        return self._content().as_dict()

    def _content(self) -> RegionsFacts:
        scenario, together = self.study.scenario, self.together
        own, divided = self.study.is_own_population, self.study.divided
        data = DataFacts(
            records=together.totals[self.study.policy.name].records,
            profiles=together.profiles,
            repeated_keys=self.study.repeated_keys,
            population=together.people,
            population_rows=None if own else together.rows,
            population_is_the_records=own,
            unmatched=None if own else self.study.unmatched,
            unmatched_records=together.unmatched,
            population_levels={},
            sampling_fraction=None,
            unlisted={name: together.unlisted[name] for name in self.study.hierarchies if name in together.unlisted},
            strategies=self.study.lattice.size,
        )
        return RegionsFacts(
            title=scenario.title,
            warnings=answer_warnings(data.as_dict(), scenario, GAMES),
            payoffs=StakeFacts.of(scenario),
            regions=RegionFacts(attribute=divided.attribute, level=divided.level, count=len(self.solved)),
            policies=self.facts,
            policy=PolicyWords.of(self.study.policy),
            data=data,
            gamedeid=__version__,
        )

    write = write_result

    def _write_into(self, folder: FolderWriter) -> dict[str, Any]:
        folder.write_bytes("regions.csv", csv_bytes(self.rows))
        found, scenario = self._content(), self.study.scenario
        folder.write_json("regions.json", found.as_dict())
        return folder.write_manifest(
            scenario={**scenario.resolved(), "solver": "exact"},
            inputs=self.study.inputs,
            overridden=scenario.overridden,
            warnings=found.warnings,
        )


def _release_facts(name: str, totals: Totals) -> ReleaseFacts:
    """Return the facts of one policy or game for the verdict; every game is solved exactly."""
    measures: dict[str, Any] = totals.measures
    return ReleaseFacts(
        **measures,
        proved=True if name in GAMES else None,
        gap=0.0 if name in GAMES else None,
        spread=None,
        marketer=MarketerFacts(**totals.marketer, spread=None),
        aware="it is no sum over regions",
        highest_risk=None,
    )


def compare_regions(
    scenario: ScenarioLike | RegionalStudy,
    *,
    workers: int | None = None,
    parts: FinishedParts | None = None,
    progress: Phases = no_progress,
) -> RegionalComparison:
    """Compare the scenario's policy with the three games where the data lie in a Parquet file for each region.

    Every region is solved exactly. The answers are those of :func:`gamedeid.compare` on all files together, for any
    number of workers, in memory for a few regions.

    Parameters
    ----------
    scenario : the question, with ``[regions]``, in any form that :func:`gamedeid.solve` takes; or a prepared
        :class:`gamedeid.RegionalStudy`, which has its workers.
    workers : regions that are worked on at a time, each on one core (default: as many as there are cores).
    parts : finished regions are stored there, and those of an earlier run are used; see :func:`parts_of_regions`.
    progress : called with the name of each phase; returns its callback for (regions done, regions in all).

    Returns
    -------
    the policy and the games side by side; ``write`` writes the folder that ``gamedeid regions`` writes.

    Raises
    ------
    GamedeidError : an input is wrong; the message names input and fault in one line.
    """
    study = scenario
    if not isinstance(study, RegionalStudy):
        study = RegionalStudy.prepare(study, workers=workers, progress=progress)
    try:
        solved = study.solve(parts=parts, progress=progress)
    except GamedeidError:
        study.inputs.check()  # a file that was changed meanwhile is reported instead of its fault
        raise
    study.inputs.check()
    comparison = RegionalComparison(study=study, solved=solved)
    together = comparison.together
    records = together.totals[study.policy.name].records
    _LOG.info(
        "%d regions: %d records, %d profiles; population of %d",
        len(solved),
        records,
        together.profiles,
        together.people,
    )
    log_doubts(
        unmatched=together.unmatched, repeated_keys=study.repeated_keys, unlisted=together.unlisted, estimated=False
    )
    return comparison


def parts_of_regions(study: RegionalStudy, output: Path) -> FinishedParts:
    """Return the folder of finished regions, ``DIR.parts``; those of other data or another question are not used."""
    return FinishedParts.beside(output, [study.scenario.resolved(), study.inputs.digests])
