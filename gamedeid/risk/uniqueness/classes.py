"""Who is alike in a table: the equivalence classes of its rows over some attributes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from math import floor, isfinite
from pathlib import Path

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.data.columns import to_column, to_people
from gamedeid.data.files.tables import TableFile
from gamedeid.data.profiles import Column
from gamedeid.errors import InvalidDataError, InvalidScenarioError, did_you_mean, quoted
from gamedeid.grouping import distinct_rows
from gamedeid.reprs import frozen
from gamedeid.risk.uniqueness.class_sizes import ClassSizes

_WIDTH = re.compile(r"\s*(.+?)\s*=\s*(\d{1,9})\s*", re.ASCII | re.DOTALL)


@frozen
class TableQuestion:
    """Which people of a table are alike.

    Parameters
    ----------
    path : a CSV file, plain or gzipped, or a Parquet file.
    attributes : the columns in which people are compared, at least one, each once.
    count : the column that says how many people a row stands for; None makes every row one person.
    columns : names of the columns where the first row of a CSV file does not give them.
    widths : attribute -> how many whole numbers count as one value: with 5, ages 20 to 24 are alike.
    """

    path: Path
    attributes: tuple[str, ...]
    count: str | None = None
    columns: tuple[str, ...] | None = None
    widths: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def parse(
        cls,
        path: Path,
        attributes: str,
        *,
        count: str | None = None,
        columns: str | None = None,
        widths: Sequence[str] = (),
    ) -> "TableQuestion":
        """Return what words such as ``age,sex`` and ``age=5`` ask.

        Raises
        ------
        InvalidScenarioError : an attribute that is empty or given twice, a width that is none or of no attribute, or a
            count that is an attribute.
        """
        names = _names(attributes, "attribute")
        if count in names:
            raise InvalidScenarioError(f"count: {quoted(count)} is an attribute; a column can be only one of them")
        groups: dict[str, int] = {}
        for text in widths:
            found = _WIDTH.fullmatch(text)
            if found is None or not int(found[2]):
                raise InvalidScenarioError(f"width: {quoted(text)} is no ATTRIBUTE=WIDTH such as age=5")
            if found[1] not in names:
                raise InvalidScenarioError(
                    f"width: {quoted(found[1])} is none of the attributes{did_you_mean(found[1], names)}"
                )
            groups[found[1]] = int(found[2])
        return cls(
            path=path,
            attributes=names,
            count=count,
            columns=None if columns is None else _names(columns, "column"),
            widths=groups,
        )

    def class_sizes(self) -> ClassSizes:
        """Return the classes of the rows by size; a missing value is a value of its own.

        Raises
        ------
        InvalidDataError : the file cannot be read, is empty or has no such column, a value to be grouped is no number,
            or a count is no count.
        """
        file = TableFile.open(self.path, names=self.columns)
        wanted = [*self.attributes, *([] if self.count is None else [self.count])]
        for name in wanted:
            if name not in file.names:
                hint = did_you_mean(name, file.names) or f"; its columns are {', '.join(map(quoted, file.names))}"
                raise InvalidDataError(f"{self.path}: there is no column {quoted(name)}{hint}")
        table = file.read(wanted, coded=self.attributes)
        codes, bases = [], []
        for name in self.attributes:
            column = to_column(table.column(name), name, str(self.path), ("",))
            code, base = _codes(column, self.widths.get(name), f"{self.path}: column {quoted(name)}")
            codes.append(code)
            bases.append(base)
        _, of_row, rows = distinct_rows(np.column_stack(codes), bases)
        if self.count is None:
            return ClassSizes.of(rows)
        people = np.zeros(len(rows), np.int64)
        np.add.at(people, of_row, to_people(table.column(self.count), self.count, str(self.path)))
        return ClassSizes.of(people)

    def as_dict(self) -> dict[str, object]:
        """Return plain values for a manifest; the file goes by its bare name."""
        return {
            "data": self.path.name,
            "attributes": list(self.attributes),
            "count": self.count,
            "columns": None if self.columns is None else list(self.columns),
            "widths": dict(self.widths),
        }


def _names(text: str, what: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(","))
    for place, name in enumerate(names):
        if not name:
            raise InvalidScenarioError(f"{quoted(text)}: expected the names of {what}s, such as age,sex,zip")
        if name in names[:place]:
            raise InvalidScenarioError(f"the {what} {quoted(name)} is named twice; name it once")
    return names


def _codes(column: Column, width: int | None, where: str) -> tuple[IntArray, int]:
    """Return each row's value as a number from 0, 0 for what is missing, and how many numbers there are."""
    if width is None:
        return column.codes + 1, len(column.values) + 1
    groups: dict[int, int] = {}
    table = [0] * (len(column.values) + 1)
    used = set(np.unique(column.codes).tolist())
    for place, value in enumerate(column.values):
        if place in used:
            table[place] = groups.setdefault(floor(_number(value, where) / width), len(groups) + 1)
    return np.array(table)[column.codes], len(groups) + 1


def _number(value: object, where: str) -> float:
    try:
        number = float(str(value))
    except ValueError:
        number = float("nan")
    if not isfinite(number):
        raise InvalidDataError(f"{where} is to be grouped by width, but not all its values are numbers", values=[value])
    return number
