"""The codebook: the meaning of a release's columns and labels, no more than the release shows."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
import pandas as pd

from gamedeid.generalization.bounds import ValueType, label_bounds, value_type
from gamedeid.generalization.readings import as_text
from gamedeid.reprs import frozen
from gamedeid.results.file import writing_file
from gamedeid.results.result import Count, Level, Result, Text
from gamedeid.results.tables import csv_bytes
from gamedeid.scenario.scenario import ScenarioLike
from gamedeid.study.stored_release import StoredRelease

ColumnRole: TypeAlias = Literal["attribute", "kept", "pseudonym"]
"""Whether values of a column may be generalized, are unchanged, or are pseudonyms of persons."""


@frozen
class CodebookLabel(Result):
    """A label of an attribute, or a code of a kept column, that the release has.

    Parameters
    ----------
    label : the published label.
    level : level of its group; 0 is the value itself, and ``*`` has the top level.
    low, high : the lowest and the highest number or day of its group; None if it has no such end.
    rows : number of rows with the label.
    meaning : meaning of a code in ``records.value_labels`` of the scenario; None for other labels.
    """

    label: Text
    level: Level
    low: Text | None
    high: Text | None
    rows: Count
    meaning: Text | None


@frozen
class CodebookColumn(Result):
    """A column of a release.

    Parameters
    ----------
    column : its name.
    role : the kind of its values, as published.
    value_type : the type of its values.
    rows : number of rows with a value.
    without : number of rows without one: ``*`` or ``missing`` for an attribute, or no value of a kept column.
    rows_by_level : level of an attribute -> number of rows with a label of the level; empty for other columns.
    labels : labels of an attribute in the release, by level; codes of a kept column that have a meaning.
    """

    column: Text
    role: ColumnRole
    value_type: ValueType
    rows: Count
    without: Count
    rows_by_level: Mapping[str, Count]
    labels: tuple[CodebookLabel, ...]


@frozen
class Codebook(Result):
    """The columns of a release and the meaning of their labels.

    Parameters
    ----------
    rows : number of rows of the release.
    columns : the columns, in the order of the release.
    """

    document = "codebook"
    shown = ("rows",)

    rows: Count
    columns: tuple[CodebookColumn, ...]

    def write(self, path: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Write a CSV file with a row for each label, and one for each column that is no attribute or has no label.

        Parameters
        ----------
        path : the file.
        overwrite : replace a file of this name.

        Raises
        ------
        InvalidDataError : a column holds values that a CSV file cannot hold.
        OutputError : the file may not or cannot be written.
        """
        with writing_file(Path(path), overwrite=overwrite) as stream:
            stream.write(csv_bytes(list(self._lines())))

    def _lines(self) -> Iterator[dict[str, Any]]:
        for column in self.columns:
            about = {"column": column.column, "role": column.role, "value_type": column.value_type}
            if column.role != "attribute" or not column.labels:
                of_no_label = dict.fromkeys(one.name for one in fields(CodebookLabel))
                yield about | of_no_label | {"rows": column.rows}
            yield from (about | one.as_dict() for one in column.labels)


def release_codebook(folder: str | PathLike[str], scenario: ScenarioLike | None = None) -> Codebook:
    """Return the meaning of the columns and labels of a finished release, for its recipients.

    It is derived from the released rows and the groups of their labels: it discloses no more than the release.
    Suppressed and missing values have the same label ``*`` and are counted together, unless the scenario shows which
    are missing. Values of kept columns are listed only if ``records.value_labels`` of the scenario explains them.

    Parameters
    ----------
    folder, scenario : as for :func:`gamedeid.read_release`, which raises the same.
    """
    release = StoredRelease.read(folder, scenario)
    return Codebook(rows=len(release.rows), columns=tuple(_column(name, release) for name in release.rows.columns))


def _column(name: str, release: StoredRelease) -> CodebookColumn:
    hierarchy = release.hierarchies.get(name)
    if hierarchy is None:
        return _kept(name, release)
    codes, labels, levels = release.labels(name)
    bounds, rows = label_bounds(hierarchy, labels), np.bincount(codes, minlength=len(labels)).tolist()
    published, code_labels = release.stored.published, _code_labels(name, release)
    listed = sorted(
        zip(levels.tolist(), labels, rows, strict=True),
        key=lambda one: (one[0], bounds[one[1]].low is None, bounds[one[1]].low or 0, one[1]),
    )
    without = sum(count for _, label, count in listed if label in release.without_value)
    by_level = Counter[str]()
    for level, _, count in listed:
        by_level[str(level)] += count
    return CodebookColumn(
        column=published(name),
        role="attribute",
        value_type=value_type(hierarchy),
        rows=len(codes) - without,
        without=without,
        rows_by_level=dict(by_level),
        labels=tuple(
            CodebookLabel(
                label=published(label),
                level=level,
                low=_text(bounds[label].low),
                high=_text(bounds[label].high),
                rows=count,
                meaning=published(code_labels[label]) if level == 0 and label in code_labels else None,
            )
            for level, label, count in listed
        ),
    )


def _kept(name: str, release: StoredRelease) -> CodebookColumn:
    values = release.rows[name]
    pseudonyms = release.question.records.person is not None and name == release.question.pseudonym_column
    missing = int(values.isna().sum())
    return CodebookColumn(
        column=name,
        role="pseudonym" if pseudonyms else "kept",
        value_type=_kind(values),
        rows=len(values) - missing,
        without=missing,
        rows_by_level={},
        labels=tuple(_codes(values, _code_labels(name, release), release.stored.published)),
    )


def _codes(values: Any, code_labels: Mapping[str, str], published: Callable[[str], str]) -> Iterator[CodebookLabel]:
    """Yield the codes of a kept column that have a meaning, each number once, in the order of the scenario."""
    if not code_labels:
        return
    rows = Counter(map(as_text, values.dropna().tolist()))
    numbers = _kind(values) == "number"
    texts = {code: _as_number(code) if numbers else published(code) for code in code_labels}
    alike = Counter(texts.values())
    for code, text in texts.items():
        if rows[text] and alike[text] == 1:
            yield CodebookLabel(
                label=published(code),
                level=0,
                low=None,
                high=None,
                rows=rows[text],
                meaning=published(code_labels[code]),
            )


def _as_number(code: str) -> str:
    """Return a code in the form of a column of numbers; unchanged if it is no number."""
    try:
        return as_text(float(code))
    except ValueError:
        return code


def _code_labels(name: str, release: StoredRelease) -> Mapping[str, str]:
    """Return code -> its meaning, for a column named as in the scenario or as in the release."""
    published = release.stored.published
    labels = release.question.records.value_labels
    return {published(column): code_labels for column, code_labels in labels.items()}.get(published(name), {})


def _text(end: Any) -> str | None:
    return None if end is None else str(end)


def _kind(values: Any) -> ValueType:
    if pd.api.types.is_datetime64_any_dtype(values):
        return "date"
    return "number" if pd.api.types.is_numeric_dtype(values) else "text"
