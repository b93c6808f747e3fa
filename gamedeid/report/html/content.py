"""The report's content beyond the summary, as plain values: levels, comparison, effects of changed stakes.

No content is about a single record: it is numbers over all records, and labels of hierarchies.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import field, fields
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from gamedeid.analysis.comparison import Comparison, MoreMeasures
from gamedeid.analysis.examples import ExampleRow, display_label, example_rows
from gamedeid.analysis.payoff_differences import Histogram, payoff_differences
from gamedeid.analysis.sweep import sweep
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.progress import Phases, Progress
from gamedeid.reprs import frozen
from gamedeid.results.result import Count, Flag, Number, Result, Share, Text
from gamedeid.risk.aware import AwareFacts
from gamedeid.risk.release import ReleaseRisks, release_risks
from gamedeid.scenario.grid import StakeName, values_around
from gamedeid.study.facts import Measures
from gamedeid.study.study import Study

DIGITS = 9
"""Significant digits of drawn numbers: enough for the cents that sentences about them print."""

POINTS, FACTOR = 31, 30.0
"""Number of values of a stake, and their range from 1/30 to 30 times the chosen one: ten per decade."""

LINE_COLUMNS = ("policy", "generalization_intensity", "attacked", "publisher_payoff", "adversary_payoff")


@frozen
class LevelFacts(Result):
    """A level of a hierarchy: its number of groups, and the label of one leaf."""

    groups: Count
    example: Text


@frozen
class AttributeFacts(Result):
    """An attribute and its levels; characters of labels are hidden if the leaves come from the data."""

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
    """The result of an exact search for a game whose solver does not prove the best strategies."""

    keys = ("policy", *(one.name for one in fields(Measures)))

    policy: Text


@frozen
class SweptColumns(Result):
    """The drawn columns of a sweep: a row for each point and policy."""

    others = "stakes"

    stakes: Mapping[str, tuple[Number, ...]]
    policy: Annotated[tuple[Text, ...], Field(min_length=1)]
    generalization_intensity: tuple[Share, ...]
    attacked: tuple[Share, ...]
    publisher_payoff: tuple[Number, ...]
    adversary_payoff: tuple[Number, ...]


@frozen
class SweptMap(SweptColumns):
    """The drawn columns of a sweep over loss and benefit together."""

    keys = ("benefit", "loss", *(one.name for one in fields(SweptColumns)))

    stakes: Mapping[str, tuple[Number, ...]] = field(default_factory=dict)
    benefit: tuple[Number, ...]
    loss: tuple[Number, ...]


@frozen
class ReportContent(Result):
    """The content of the report beyond the summary: the content of ``report.json``.

    Parameters
    ----------
    attributes : the attributes and their levels.
    comparison, best : the measures of the policy and the games, and of exact searches, one row each.
    risks : the release's risks by every measure.
    aware : the measures for a recipient who knows the method, or the reason for their absence.
    lines, map : the measures along each stake alone, and over loss and benefit together.
    differences : histogram of the payoff differences of records.
    examples : rows of the population and their releases, or the reason for their absence.
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


def report_content(comparison: Comparison, played: str, *, progress: Phases) -> ReportContent:
    """Return the content that the report needs in addition to the summary and the manifest.

    Parameters
    ----------
    comparison : the policy and the games on one study.
    played : name of the game of the reported release.
    progress : function from the name of a phase to a callback that receives (done, total).
    """
    study = comparison.study
    solution = comparison.solutions[played]
    best: dict[str, dict[str, Any]] = {name: one.measures for name, one in comparison.best.items()}
    lines, both = None, None
    is_lone = study.instance.recipients.is_paper_adversary
    if is_lone and solution.limits is None and solution.mechanism is None:  # else no stake is varied alone
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
    """Return the text of ``report.json``: one line per key: one line per number would make a long file."""
    lines = (
        f"{json.dumps(key)}: {json.dumps(value, allow_nan=False, ensure_ascii=False)}" for key, value in content.items()
    )
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _attribute(study: Study, name: str) -> AttributeFacts:
    """Return an attribute and its levels."""
    hierarchy = study.instance.hierarchies[name]
    leaf = _example(hierarchy)
    return AttributeFacts(
        name=name,
        title=hierarchy.title,
        from_data=hierarchy.from_data,
        levels=tuple(
            LevelFacts(groups=int(groups), example=display_label(hierarchy, level, leaf))
            for level, groups in enumerate(hierarchy.group_counts)
        ),
    )


def _example(hierarchy: Hierarchy) -> int:
    """Return the leaf with most changes of size from level to level, the nearest to the middle."""
    changes = (np.diff(hierarchy.sizes, axis=0) != 0).sum(axis=0)
    most = np.flatnonzero(changes == changes.max())
    return int(most[np.abs(most - len(hierarchy.leaves) // 2).argmin()])


def _sensitivity(study: Study, report_progress: Progress) -> tuple[dict[StakeName, SweptColumns], SweptMap]:
    """Return the measures along each stake alone, and over loss and benefit together.

    The measures along loss or benefit alone are a row or a column of the map.
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
    """Return the drawn measures, rounded; stakes are not rounded, so that the chosen ones are found."""
    drawn = {}
    for name in LINE_COLUMNS:
        rounded = {value: _rounded(value) for value in set(columns[name])}  # most values are that of another row too
        drawn[name] = tuple(rounded[value] for value in columns[name])
    return drawn


def _rounded(value: Any) -> Any:
    """Return a float with ``DIGITS`` digits, below 1e-12 as 0; any other value unchanged."""
    return float(f"{round(value, 12):.{DIGITS}g}") + 0.0 if isinstance(value, float) else value
