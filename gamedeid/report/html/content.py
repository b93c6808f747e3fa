"""What the report shows beyond the summary, as plain values: levels, the comparison, how the answer moves.

Nothing here is about a single record: numbers over all records, and what hierarchies publish.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from gamedeid.analysis.comparison import Comparison
from gamedeid.analysis.payoff_differences import differences_of
from gamedeid.analysis.study_table import columns_of
from gamedeid.analysis.sweep import sweep
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.progress import Phases, Progress
from gamedeid.risk.release import release_risks
from gamedeid.scenario.grid import STAKES, StakeName, around
from gamedeid.schema_names import KEY, schema_id
from gamedeid.study.solution import Solution
from gamedeid.study.study import Study

DIGITS = 6
"""Significant digits of numbers that are drawn: more than a picture can show."""

POINTS, FACTOR = 31, 30.0
"""Values of a stake around the chosen one, from a thirtieth of it to thirty times as much: ten in a decade."""

LINE_COLUMNS = ("policy", "generalization_intensity", "attacked", "publisher_payoff", "adversary_payoff")
MAP_COLUMNS = ("benefit", "loss", *LINE_COLUMNS)


def report_content(comparison: Comparison, played: str, *, progress: Phases | None = None) -> dict[str, Any]:
    """Return the content of ``report.json``, from which, with the summary and the manifest, the report is made.

    Parameters
    ----------
    comparison : the policy and the games on one study.
    played : name of the game whose release is reported.
    progress : opens a phase by name, and returns what to tell (done, total).
    """
    study = comparison.study
    solution = comparison.solutions[played]
    sensitivity: dict[str, Any] = {}
    if moves_with_stakes(solution):
        sensitivity = _sensitivity(study, progress("sensitivity") if progress is not None else None)
    return {
        KEY: schema_id("report"),
        "attributes": [_attribute(study, name) for name in study.instance.hierarchies],
        "comparison": comparison.rows,
        "best": [{"policy": name, **one.measures} for name, one in comparison.best.items()],
        "risks": release_risks(solution).as_dict(),
        "aware": comparison.aware[played],
        **sensitivity,
        "differences": differences_of(comparison).as_dict(),
    }


def moves_with_stakes(solution: Solution) -> bool:
    """Return whether it is computed how an answer moves with the stakes, each by itself.

    Parameters
    ----------
    solution : not within limits on the whole dataset, of no game of the whole population, and with one recipient.
    """
    lone = solution.study.instance.recipients.is_paper_adversary
    return lone and solution.limits is None and solution.mechanism is None


def content_text(content: Mapping[str, Any]) -> str:
    """Return the text of ``report.json``: a line for each key, since an indented number a line would be a long file."""
    lines = (
        f"{json.dumps(key)}: {json.dumps(value, allow_nan=False, ensure_ascii=False)}" for key, value in content.items()
    )
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _attribute(study: Study, name: str) -> dict[str, Any]:
    """Return the ladder of an attribute: groups of each level, and the label there of one value of the domain.

    Where the domain is made of the values in the data, the label's characters are not shown.
    """
    hierarchy = study.instance.hierarchies[name]
    labels = _example(hierarchy)
    return {
        "name": name,
        "title": hierarchy.title,
        "from_data": hierarchy.from_data,
        "levels": [
            {"groups": int(groups), "example": re.sub(r"\w", "#", label) if hierarchy.from_data else label}
            for groups, label in zip(hierarchy.group_counts, labels, strict=True)
        ],
    }


def _example(hierarchy: Hierarchy) -> list[str]:
    """Return the labels, level by level, of the leaf that shows most of them, the nearest to the middle."""
    changes = (np.diff(hierarchy.sizes, axis=0) != 0).sum(axis=0)
    most = np.flatnonzero(changes == changes.max())
    leaf = int(most[np.abs(most - len(hierarchy.leaves) // 2).argmin()])
    return [hierarchy.label(level, leaf) for level in range(hierarchy.levels)]


def _sensitivity(study: Study, report_progress: Progress | None) -> dict[str, Any]:
    """Return how the measures move along each stake alone, and over loss and benefit together.

    Loss and benefit alone are a row and a column of the map.
    """
    payoffs = study.instance.payoffs
    chosen: dict[StakeName, float] = {"benefit": payoffs.benefit, "loss": payoffs.loss, "cost": payoffs.cost}
    axes = {name: around(name, value, points=POINTS, factor=FACTOR) for name, value in chosen.items()}
    both = columns_of(sweep(study, [axes["loss"], axes["benefit"]], progress=report_progress))
    alone = {
        "benefit": _rows_where(both, "loss", chosen["loss"]),
        "loss": _rows_where(both, "benefit", chosen["benefit"]),
        "cost": columns_of(sweep(study, [axes["cost"]], progress=report_progress)),
    }
    lines = {name: _drawn_columns(columns, (name, *LINE_COLUMNS)) for name, columns in alone.items()}
    return {"lines": lines, "map": _drawn_columns(both, MAP_COLUMNS)}


def _rows_where(columns: Mapping[str, Sequence[Any]], name: str, value: float) -> dict[str, list[Any]]:
    """Return the rows in which a column has this value."""
    rows = [row for row, found in enumerate(columns[name]) if found == value]
    return {other: [content[row] for row in rows] for other, content in columns.items()}


def _drawn_columns(columns: Mapping[str, Sequence[Any]], names: Iterable[str]) -> dict[str, list[Any]]:
    """Return the columns that are drawn: measures rounded, stakes as they are, so that the chosen ones are found."""
    return {name: list(columns[name]) if name in STAKES else [_rounded(one) for one in columns[name]] for name in names}


def _rounded(value: Any) -> Any:
    """Return a number with ``DIGITS`` digits, and 0 for what is left of it after rounding; anything else as it is."""
    return float(f"{round(value, 12):.{DIGITS}g}") + 0.0 if isinstance(value, float) else value
