"""What the columns and labels of a release mean, for whoever reads it: it says no more than the release shows."""

from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from gamedeid.generalization.bounds import ValueType, label_bounds, value_type
from gamedeid.generalization.levels import ROOT
from gamedeid.reprs import brief, frozen
from gamedeid.results import writing_file
from gamedeid.results.formulas import defused
from gamedeid.results.quantities import Count, Level, Text
from gamedeid.results.result import Result
from gamedeid.results.tables import write_blocks
from gamedeid.scenario.scenario import ScenarioLike
from gamedeid.study.stored_release import StoredRelease

ColumnRole: TypeAlias = Literal["attribute", "kept", "pseudonym"]
"""Whether values of a column may be generalized, are as they were, or stand for a person."""


@frozen
class CodebookLabel(Result):
    """A label of an attribute that the release has.

    Parameters
    ----------
    label : as it is published.
    level : of its group, 0 is the value itself; ``*`` has the top level.
    low, high : the lowest and the highest number or day of its group; None where it has no such end.
    rows : how many rows have it.
    """

    label: Text
    level: Level
    low: Text | None
    high: Text | None
    rows: Count


@frozen
class CodebookColumn(Result):
    """A column of a release.

    Parameters
    ----------
    column : its name.
    role : what is published in it.
    value_type : what its values are.
    rows : how many rows have a value.
    without : how many have none: ``*`` of an attribute, suppressed or missing, or no value of a kept column.
    labels : of an attribute, those that the release has, by level.
    """

    column: Text
    role: ColumnRole
    value_type: ValueType
    rows: Count
    without: Count
    labels: tuple[CodebookLabel, ...]


@brief
class _Line(NamedTuple):
    """A row of the file."""

    column: str
    role: str
    value_type: str
    label: str | None
    level: int | None
    low: str | None
    high: str | None
    rows: int


@frozen
class Codebook(Result):
    """The columns of a release and what their labels mean.

    Parameters
    ----------
    rows : how many rows the release has.
    columns : in the order of the release.
    """

    document = "codebook"
    shown = ("rows",)

    rows: Count
    columns: tuple[CodebookColumn, ...]

    def write(self, path: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Write a CSV file with a row for each label of an attribute, and one for each other column.

        Parameters
        ----------
        path : the file.
        overwrite : replace a file that stands there.

        Raises
        ------
        OutputError : it may not or cannot be written.
        """
        lines = list(self._lines())
        columns = {name: [getattr(line, name) for line in lines] for name in _Line._fields}
        with writing_file(Path(path), overwrite=overwrite) as stream:
            write_blocks([pd.DataFrame(columns).convert_dtypes().to_dict("series")], stream, "csv")

    def _lines(self) -> Iterator[_Line]:
        for column in self.columns:
            about = (column.column, column.role, column.value_type)
            if column.role != "attribute":
                yield _Line(*about, None, None, None, None, column.rows)
            for one in column.labels:
                yield _Line(*about, one.label, one.level, one.low, one.high, one.rows)


def release_codebook(folder: str | PathLike[str], scenario: ScenarioLike | None = None) -> Codebook:
    """Return what the columns and labels of a finished release mean, for its recipients.

    It is made of the released rows and of the groups of their labels: it says no more than the release shows.
    Suppressed and missing values have the same label ``*``, and are counted together. Values of kept columns are not
    listed.

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
    published = defused if release.stored.defused else str
    listed = sorted(
        zip(levels.tolist(), labels, rows, strict=True),
        key=lambda one: (one[0], bounds[one[1]].low is None, bounds[one[1]].low or 0, one[1]),
    )
    without = sum(count for _, label, count in listed if label == ROOT)
    return CodebookColumn(
        column=published(name),
        role="attribute",
        value_type=value_type(hierarchy),
        rows=len(codes) - without,
        without=without,
        labels=tuple(
            CodebookLabel(
                label=published(label),
                level=level,
                low=_text(bounds[label].low),
                high=_text(bounds[label].high),
                rows=count,
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
        labels=(),
    )


def _text(end: Any) -> str | None:
    return None if end is None else str(end)


def _kind(values: Any) -> ValueType:
    if pd.api.types.is_datetime64_any_dtype(values):
        return "date"
    return "number" if pd.api.types.is_numeric_dtype(values) else "text"
