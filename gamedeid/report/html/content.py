"""What the report shows beyond the summary, as plain values: levels, the comparison, how the answer moves.

Nothing here is about a single record: numbers over all records, and what hierarchies publish.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import field, fields
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from gamedeid.analysis.comparison import Comparison, MoreMeasures
from gamedeid.analysis.examples import ExampleRow, example_rows
from gamedeid.analysis.payoff_differences import Histogram, payoff_differences
from gamedeid.analysis.sweep import sweep
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.progress import Phases, Progress, no_progress
from gamedeid.reprs import frozen
from gamedeid.results.result import Count, Flag, Number, Result, Share, Text
from gamedeid.risk.aware import AwareFacts
from gamedeid.risk.release import ReleaseRisks, release_risks
from gamedeid.scenario.grid import StakeName, values_around
from gamedeid.study.facts import Measures
from gamedeid.study.study import Study

DIGITS = 6
"""Significant digits of numbers that are drawn: more than a picture can show."""

POINTS, FACTOR = 31, 30.0
"""Values of a stake around the chosen one, from a thirtieth of it to thirty times as much: ten in a decade."""

LINE_COLUMNS = ("policy", "generalization_intensity", "attacked", "publisher_payoff", "adversary_payoff")


@frozen
class LevelFacts(Result):
    """A level of a hierarchy: how many groups it has, and the label there of one value of the domain."""

    groups: Count
    example: Text


@frozen
class AttributeFacts(Result):
    """An attribute and its levels; where the domain is made of the values in the data, characters are not shown."""

    name: Text
    title: Text
    from_data: Flag
    levels: Annotated[tuple[LevelFacts, ...], Field(min_length=1)]


@frozen
class ComparedRow(MoreMeasures):
    """A row of the comparison."""

    keys = ("policy", *(one.name for one in fields(MoreMeasures)))

    policy: Text


@frozen
class BestRow(Measures):
    """The result of an exact search, of a game whose solver does not promise the best strategies."""

    keys = ("policy", *(one.name for one in fields(Measures)))

    policy: Text


@frozen
class SweptColumns(Result):
    """Columns of a sweep that are drawn: a row for each point and policy."""

    others = "stakes"

    stakes: Mapping[str, tuple[Number, ...]]
    policy: Annotated[tuple[Text, ...], Field(min_length=1)]
    generalization_intensity: tuple[Share, ...]
    attacked: tuple[Share, ...]
    publisher_payoff: tuple[Number, ...]
    adversary_payoff: tuple[Number, ...]


@frozen
class SweptMap(SweptColumns):
    """The same over loss and benefit together."""

    keys = ("benefit", "loss", *(one.name for one in fields(SweptColumns)))

    stakes: Mapping[str, tuple[Number, ...]] = field(default_factory=dict)
    benefit: tuple[Number, ...]
    loss: tuple[Number, ...]


@frozen
class ReportContent(Result):
    """The content of the report beyond the summary: the content of ``report.json``.

    Parameters
    ----------
    attributes : and their levels.
    comparison, best : the measures of the policy and the games, and of exact searches, a row each.
    risks : the release by every measure.
    aware : the measures for a recipient who knows the method, or why there are none.
    lines, map : how the measures move along each stake alone, and over loss and benefit together.
    differences : of the payoffs of single records.
    examples : rows of the population and their releases, or why there are none.
    """

    document = "report"

    attributes: Annotated[tuple[AttributeFacts, ...], Field(min_length=1)]
    comparison: tuple[ComparedRow, ...]
    best: tuple[BestRow, ...]
    risks: ReleaseRisks
    aware: AwareFacts | Text
    lines: Mapping[StakeName, SweptColumns] | None = None
    map: SweptMap | None = None
    differences: Histogram
    examples: tuple[ExampleRow, ...] | Text


def report_content(comparison: Comparison, played: str, *, progress: Phases = no_progress) -> ReportContent:
    """Return what, with the summary and the manifest, the report is made of.

    Parameters
    ----------
    comparison : the policy and the games on one study.
    played : name of the game whose release is reported.
    progress : opens a phase by name, and returns what to tell (done, total).
    """
    study = comparison.study
    solution = comparison.solutions[played]
    best: dict[str, dict[str, Any]] = {name: one.measures for name, one in comparison.best.items()}
    lines, both = None, None
    is_lone = study.instance.recipients.is_paper_adversary
    if is_lone and solution.limits is None and solution.mechanism is None:  # else no stake moves by itself
        lines, both = _sensitivity(study, progress("sensitivity"))
    return ReportContent(
        attributes=tuple(_attribute(study, name) for name in study.instance.hierarchies),
        comparison=tuple(ComparedRow(**row) for row in comparison.rows),
        best=tuple(BestRow(policy=name, **measures) for name, measures in best.items()),
        risks=release_risks(solution),
        aware=comparison.aware[played],
        lines=lines,
        map=both,
        differences=payoff_differences(comparison),
        examples=example_rows(solution),
    )


def content_text(content: Mapping[str, Any]) -> str:
    """Return the text of ``report.json``: a line for each key, since an indented number a line would be a long file."""
    lines = (
        f"{json.dumps(key)}: {json.dumps(value, allow_nan=False, ensure_ascii=False)}" for key, value in content.items()
    )
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _attribute(study: Study, name: str) -> AttributeFacts:
    """Return an attribute and its levels."""
    hierarchy = study.instance.hierarchies[name]
    labels = _example(hierarchy)
    return AttributeFacts(
        name=name,
        title=hierarchy.title,
        from_data=hierarchy.from_data,
        levels=tuple(
            LevelFacts(groups=int(groups), example=re.sub(r"\w", "#", label) if hierarchy.from_data else label)
            for groups, label in zip(hierarchy.group_counts, labels, strict=True)
        ),
    )


def _example(hierarchy: Hierarchy) -> list[str]:
    """Return the labels, level by level, of the leaf that shows most of them, the nearest to the middle."""
    changes = (np.diff(hierarchy.sizes, axis=0) != 0).sum(axis=0)
    most = np.flatnonzero(changes == changes.max())
    leaf = int(most[np.abs(most - len(hierarchy.leaves) // 2).argmin()])
    return [hierarchy.label(level, leaf) for level in range(hierarchy.levels)]


def _sensitivity(study: Study, report_progress: Progress | None) -> tuple[dict[StakeName, SweptColumns], SweptMap]:
    """Return how the measures move along each stake alone, and over loss and benefit together.

    Loss and benefit alone are a row and a column of the map.
    """
    payoffs = study.instance.payoffs
    chosen: dict[StakeName, float] = {"benefit": payoffs.benefit, "loss": payoffs.loss, "cost": payoffs.cost}
    axes = {name: values_around(name, value, points=POINTS, factor=FACTOR) for name, value in chosen.items()}
    both = sweep(study, [axes["loss"], axes["benefit"]], progress=report_progress).columns
    alone: dict[StakeName, Mapping[str, list[Any]]] = {
        "benefit": _rows_where(both, "loss", chosen["loss"]),
        "loss": _rows_where(both, "benefit", chosen["benefit"]),
        "cost": sweep(study, [axes["cost"]], progress=report_progress).columns,
    }
    lines = {
        name: SweptColumns(stakes={name: tuple(columns[name])}, **_drawn_columns(columns))
        for name, columns in alone.items()
    }
    return lines, SweptMap(benefit=tuple(both["benefit"]), loss=tuple(both["loss"]), **_drawn_columns(both))


def _rows_where(columns: Mapping[str, Sequence[Any]], name: str, value: float) -> dict[str, list[Any]]:
    """Return the rows in which a column has this value."""
    rows = [row for row, found in enumerate(columns[name]) if found == value]
    return {other: [content[row] for row in rows] for other, content in columns.items()}


def _drawn_columns(columns: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Return the measures that are drawn, rounded; stakes stay as they are, so that the chosen ones are found."""
    return {name: tuple(_rounded(one) for one in columns[name]) for name in LINE_COLUMNS}


def _rounded(value: Any) -> Any:
    """Return a number with ``DIGITS`` digits, and 0 for what is left of it after rounding; anything else as it is."""
    return float(f"{round(value, 12):.{DIGITS}g}") + 0.0 if isinstance(value, float) else value
