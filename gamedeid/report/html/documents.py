"""Checks that the stored documents of a run are valid input of a report, once, when they are read."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import CoreConfig, SchemaValidator

from gamedeid.analysis.summary import SearchFacts, Summary
from gamedeid.choices import Missing, PlayedGame, SearchName, Unmatched
from gamedeid.errors import OutputError, quoted
from gamedeid.report.html.content import ReportContent
from gamedeid.report.words.run import question_kind
from gamedeid.reprs import frozen
from gamedeid.results.manifest import Manifest
from gamedeid.results.result import Amount, Count, Flag, Mean, Number, Result, Text
from gamedeid.scenario.grid import StakeName

PLANNED = ("people_needed", "smallest_group", "attacked", "expected_reidentifications", "steps", "history")
"""Keys of ``mechanism``, required unless a finished plan was applied."""


@frozen
class GameSearch(SearchFacts):
    """The search that found the strategies of a game."""

    solver: SearchName
    searched: Mean
    searched_most: Count
    proved: Flag
    gap: Amount
    gap_most: Amount


@frozen
class GameSummary(Summary):
    """The summary of a game: a policy has no report."""

    game: PlayedGame
    search: GameSearch


@frozen
class ReadRecords(Result):
    """The keys of a scenario's records section that a report reads."""

    columns: tuple[Text, ...] | None
    drop: tuple[Text, ...]
    keep: tuple[Text, ...]
    missing: Missing


@frozen
class ReadPopulation(Result):
    """The keys of the population section that a report reads."""

    columns: tuple[Text, ...] | None
    drop: tuple[Text, ...]
    unmatched: Unmatched


@frozen
class ReadAttribute(Result):
    """The keys of an attribute's section that a report reads."""

    weight: Number


@frozen
class ReadScenario(Result):
    """The part of a scenario that a report reads."""

    records: ReadRecords
    population: ReadPopulation | None
    attributes: Mapping[str, ReadAttribute]
    payoffs: Mapping[str, Number | None]
    sources: Mapping[StakeName, Text]


@frozen
class RunManifest(Manifest):
    """The keys of a run's manifest that a report reads."""

    scenario: ReadScenario  # type: ignore[assignment]  # read, and never made


def check_documents(summary: Any, content: Any, manifest: Any, folder: str) -> None:
    """Check that the three documents of a run are complete for a report, and consistent.

    Raises
    ------
    OutputError : a document is not; the message names the key, and no value.
    """
    documents = ((RunManifest, manifest), (GameSummary, summary), (ReportContent, content))
    for kind, found in documents:
        try:
            _validator(kind).validate_python(found)
        except ValidationError as error:
            place = ".".join(map(str, error.errors(include_url=False, include_input=False)[0]["loc"]))
            raise _not_as_written(f"{folder}/{kind.document}.json", place) from None
    for file, place in _lacking(summary, content):
        raise _not_as_written(f"{folder}/{file}", place)
    if summary["warnings"] != manifest["warnings"]:
        raise OutputError(f"{folder}: its files do not belong together (they give other warnings); run again")
    for fault in _disagreements(summary, content, manifest):
        raise OutputError(f"{folder}: its files do not belong together ({fault}); run again")


@cache
def _validator(kind: type[Result]) -> SchemaValidator:
    """Return the validator of a document; unknown keys are accepted and not read."""
    return SchemaValidator(TypeAdapter(kind).core_schema, CoreConfig(extra_fields_behavior="allow"))


def _not_as_written(path: str, place: str) -> OutputError:
    at = f" (at {quoted(place)})" if place else ""
    return OutputError(f"{path} is not as gamedeid wrote it{at}; run again")


def _lacking(summary: Mapping[str, Any], content: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the document and the key of each missing value that another value requires."""
    data = summary["data"]
    is_read = not data["population_is_the_records"] and data["sampling_fraction"] is None
    if is_read and data["population_rows"] is None:
        yield "summary.json", "data"
    kind = question_kind(summary)
    known = summary.get("mechanism", {})
    if kind.aware and "applied" not in known:
        yield from (("summary.json", f"mechanism.{key}") for key in PLANNED if key not in known)
    if kind.is_plain:
        yield from (("report.json", name) for name in ("lines", "map") if name not in content)
    for which in ("raw", "policy", "release"):
        uniqueness = content["risks"][which]["uniqueness"]
        if uniqueness["unique"] and uniqueness["lambda_1"] is None:
            yield "report.json", f"risks.{which}.uniqueness"


def _disagreements(
    summary: Mapping[str, Any], content: Mapping[str, Any], manifest: Mapping[str, Any]
) -> Iterator[str]:
    """Yield the inconsistencies between the documents."""
    rows = [row["policy"] for row in content["comparison"]]
    if summary["policy"]["name"] not in rows or summary["game"] not in rows:
        yield "the comparison lacks the policy or the game"
    if not {summary["policy"]["name"], summary["game"]} <= set(summary["policies"]):
        yield "the summary lacks the measures of the policy or the game"
    if "recipients" not in summary and any(one["marketer"]["share"] > 1 for one in summary["policies"].values()):
        yield "a chance is above 1"
    levels = {one["name"]: len(one["levels"]) for one in content["attributes"]}
    if set(levels) != set(manifest["scenario"]["attributes"]):
        yield "they name other attributes"
    for chosen in summary["strategies"]:
        if set(chosen["levels"]) != set(levels) or any(levels[name] <= at for name, at in chosen["levels"].items()):
            yield "a strategy has levels that no attribute has"
    kinds = [content["risks"][which] for which in ("raw", "policy", "release")]
    for which in ("prosecutor", "journalist"):
        if len({tuple(kind[which]["above"]) for kind in kinds}) > 1:
            yield "risks have unlike thresholds"
    if len({tuple(kind["distinct"]) for kind in kinds}) > 1:
        yield "risks have unlike group sizes"
