"""What the documents that a run stored must hold for a report to be made of them: checked once, when they are read."""

import json
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from gamedeid.choices import GameName, Missing, SolverName, Unmatched
from gamedeid.errors import OutputError, quoted
from gamedeid.scenario.grid import StakeName

_LARGEST = 1e100  # far above any amount, and far below what overflows

Number: TypeAlias = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-_LARGEST, le=_LARGEST)]
Dollars: TypeAlias = Annotated[float, Field(strict=True, allow_inf_nan=False, gt=0, le=_LARGEST)]
Share: TypeAlias = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0, le=1)]
Count: TypeAlias = Annotated[int, Field(strict=True, ge=0, le=2**63)]
Flag: TypeAlias = Annotated[bool, Field(strict=True)]
Text: TypeAlias = Annotated[str, Field(strict=True)]
Digest: TypeAlias = Annotated[str, Field(strict=True, pattern="^[0-9a-f]{64}$")]
Ends: TypeAlias = Annotated[list[Number | None], Field(min_length=2, max_length=2)]


class Document(BaseModel):
    """A part of a stored document; keys that are not listed are left as they are."""

    model_config = ConfigDict(extra="allow")

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        yield "fields", len(self.model_fields_set)  # labels in it may be values of the data


class Measures(Document):
    """The measures of a policy or game."""

    publisher_payoff: Number
    adversary_payoff: Number
    suppressed: Share
    unmodified: Share
    withheld: Share
    unmatched: Share
    generalization_intensity: Share
    attacked: Share
    reidentification_probability: Share
    reidentification_probability_attacked: Share
    expected_reidentifications: Number
    records: Annotated[int, Field(strict=True, ge=1, le=2**63)]


class Stakes(Document):
    """The payoffs as played."""

    benefit: Dollars
    loss: Dollars
    gain: Dollars
    cost: Dollars


class Search(Document):
    """How the strategies were found."""

    solver: SolverName
    searched: Number
    searched_most: Count
    proved: Flag
    gap: Number
    gap_most: Number


class NamedPolicy(Document):
    """The policy, and what it does to each attribute."""

    name: Text
    does: dict[str, Text]


class RepeatedKey(Document):
    """A column that repeats like a person's key; a dropped one has no name."""

    column: Text | None
    rows: Count
    values: Count


class Data(Document):
    """What was read."""

    records: Annotated[int, Field(strict=True, ge=1, le=2**63)]
    profiles: Count
    population: Count
    population_rows: Count | None
    population_is_the_records: Flag
    population_levels: dict[str, Count]
    sampling_fraction: Share | None
    strategies: Count
    unmatched: Unmatched | None
    unmatched_records: Count
    repeated_keys: list[RepeatedKey]

    @model_validator(mode="after")
    def _rows_of_a_population(self) -> "Data":
        is_read = not self.population_is_the_records and self.sampling_fraction is None
        if is_read and self.population_rows is None:
            raise ValueError("a population without rows")
        return self


class Chosen(Document):
    """One strategy, and how many records have it."""

    levels: dict[str, Count]
    records: Count
    share: Share


class Spans(Document):
    """How far one stake may move."""

    chosen: Dollars
    keeps: Ends
    ranking: Ends


class Robustness(Document):
    """How far the stakes may move."""

    share: Share
    ranking: list[Text]
    ranges: dict[StakeName, Spans]


class KeptWarning(Document):
    """What a kept column tells."""

    column: Text
    why: Text
    attribute: Text | None
    share: Share | None


class KeptColumns(Document):
    """Which kept columns undo the work."""

    columns: Count
    rows_looked_at: Count
    warnings: list[KeptWarning]


class Summary(Document):
    """``summary.json``."""

    title: Text
    game: GameName
    payoffs: Stakes
    measures: Measures
    search: Search
    policy: NamedPolicy
    data: Data
    kept_columns: KeptColumns
    strategies: list[Chosen]
    robustness: Robustness | None = None


class Level(Document):
    """One level of an attribute."""

    groups: Count
    example: Text


class StoredAttribute(Document):
    """One attribute."""

    name: Text
    title: Text
    from_data: Flag
    levels: Annotated[list[Level], Field(min_length=1)]


class Row(Measures):
    """The measures of a policy or game, by its name."""

    policy: Text


class Chances(Document):
    """What one kind of adversary can do."""

    highest: Share
    mean: Share
    above: dict[str, Share]


class Expected(Document):
    """How many people are to be expected to be found."""

    share: Share
    reidentifications: Number


class Marketer(Document):
    """The same for both kinds."""

    prosecutor: Expected
    journalist: Expected


class Uniqueness(Document):
    """Who is unique."""

    unique: Count
    unique_in_population: Count
    lambda_1: Share | None
    lambda_2: Share

    @model_validator(mode="after")
    def _share_of_those_there_are(self) -> "Uniqueness":
        if self.unique and self.lambda_1 is None:
            raise ValueError("no share of the unique ones")
        return self


class Risk(Document):
    """The measures of risk of the raw data, the policy or the release."""

    name: Text
    released: Count
    unmatched: Count
    k_anonymity: Count | None
    k_map: Count | None
    prosecutor: Chances
    journalist: Chances
    marketer: Marketer
    expected_reidentifications: Number
    distinct: dict[str, Share]
    uniqueness: Uniqueness


class Risks(Document):
    """All three."""

    population_is_the_records: Flag
    population_is_estimated: Flag
    raw: Risk
    policy: Risk
    release: Risk


class Spread(Document):
    """How one player's payoffs differ."""

    shares: Annotated[list[Share], Field(min_length=1)]
    mean: Number
    more: Share
    equal: Share
    less: Share


class Players(Document):
    """The same for both."""

    publisher: Spread
    adversary: Spread


class Differences(Document):
    """How the games' payoffs differ from the policy's."""

    policy: Text
    records: Count
    edges: dict[str, Annotated[list[Number], Field(min_length=2)]]
    games: dict[GameName, Players]


class Points(Document):
    """Payoffs along one stake, column by column; the stake's own column has its name."""

    __pydantic_extra__: dict[str, list[Number]]

    policy: Annotated[list[Text], Field(min_length=1)]
    publisher_payoff: list[Number]
    adversary_payoff: list[Number]


class MapPoints(Points):
    """The same over loss and benefit together."""

    benefit: list[Number]
    loss: list[Number]
    generalization_intensity: list[Share]
    attacked: list[Share]


class Content(Document):
    """``report.json``."""

    attributes: Annotated[list[StoredAttribute], Field(min_length=1)]
    comparison: list[Row]
    best: list[Row]
    risks: Risks
    lines: dict[StakeName, Points]
    map: MapPoints
    differences: Differences


class SectionOfFile(Document):
    """What a manifest says of the records or of the population."""

    columns: list[Text] | None
    drop: list[Text]


class RecordsSection(SectionOfFile):
    """Of the records."""

    keep: list[Text]
    missing: Missing


class PopulationSection(SectionOfFile):
    """Of the population."""

    unmatched: Unmatched


class Weighted(Document):
    """One attribute of the scenario."""

    weight: Number


class Question(Document):
    """The scenario of a manifest."""

    records: RecordsSection
    population: PopulationSection | None
    attributes: dict[str, Weighted]
    payoffs: dict[str, Number | None]
    sources: dict[StakeName, Text]


class Used(Document):
    """One input."""

    path: Text
    sha256: Digest


class Manifest(Document):
    """``manifest.json``."""

    gamedeid: Text
    scenario: Question
    overridden: list[Text]
    inputs: dict[str, Used]
    outputs: dict[str, Digest]


def parsed(content: bytes, where: str) -> Any:
    """Return a JSON document as plain values.

    Raises
    ------
    OutputError : it is not JSON as gamedeid writes it: text in UTF-8, no number that is none, nesting within reason.
    """
    try:
        found = json.loads(content.decode(), parse_constant=_refuse_constant)
        if b"\\ud" in content.lower():  # half a character in a text is no text
            json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise OutputError(f"{where} is not JSON as gamedeid writes it; run again") from None
    return found


def check_documents(summary: Any, content: Any, manifest: Any, folder: str) -> None:
    """Check that the three documents of a run hold what a report is made of, and speak of the same.

    Parameters
    ----------
    summary, content, manifest : as :func:`parsed` gives them.
    folder : where they stand, for messages.

    Raises
    ------
    OutputError : one of them does not; the message names the key, and no value.
    """
    documents: dict[str, tuple[type[Document], Any]] = {
        "manifest.json": (Manifest, manifest),
        "summary.json": (Summary, summary),
        "report.json": (Content, content),
    }
    for name, (kind, found) in documents.items():
        try:
            kind.model_validate(found)
        except ValidationError as error:
            place = ".".join(map(str, error.errors(include_url=False, include_input=False)[0]["loc"]))
            at = f" (at {quoted(place)})" if place else ""
            raise OutputError(f"{folder}/{name} is not as gamedeid wrote it{at}; run again") from None
    for fault in _disagreements(summary, content, manifest):
        raise OutputError(f"{folder}: its files do not belong together ({fault}); run again")


def _disagreements(
    summary: Mapping[str, Any], content: Mapping[str, Any], manifest: Mapping[str, Any]
) -> Iterator[str]:
    """Yield what one document says and another does not know."""
    rows = [row["policy"] for row in content["comparison"]]
    if summary["policy"]["name"] not in rows or summary["game"] not in rows:
        yield "the comparison lacks the policy or the game"
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


def _refuse_constant(name: str) -> None:
    raise ValueError(name)
