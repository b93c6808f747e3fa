"""Who is alike in a table: the equivalence classes of its rows over some attributes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import floor, isfinite
from os import PathLike
from pathlib import Path

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.data.columns import to_column, to_people
from gamedeid.data.files.tables import TableFile
from gamedeid.data.profiles import Column
from gamedeid.errors import InvalidDataError, quoted
from gamedeid.file_identity import InputFile, Inputs
from gamedeid.grouping import distinct_rows
from gamedeid.risk.uniqueness.class_sizes import ClassSizes
from gamedeid.risk.uniqueness.people_table import PeopleTable


def read_class_sizes(
    path: str | PathLike[str],
    attributes: Sequence[str],
    *,
    count: str | None = None,
    columns: Sequence[str] | None = None,
    widths: Mapping[str, int] | None = None,
) -> ClassSizes:
    """Return the classes of a table's people by size: who is alike in the attributes is in one class.

    A missing value is a value of its own.

    Parameters
    ----------
    path : a CSV file, plain or gzipped, or a Parquet file.
    attributes : the columns in which people are compared, at least one, each once; only these are read.
    count : the column that says how many people a row stands for; None makes every row one person.
    columns : names of the columns where the first row of a CSV file does not give them, each once.
    widths : attribute -> how many whole numbers count as one value, at least 1: with 5, ages 20 to 24 are alike.

    Raises
    ------
    InvalidScenarioError : no attribute or one that is named twice, a count that is an attribute, or a width that is
        none or of no attribute.
    InvalidDataError : the file cannot be read, is empty or has no such column, a value to be grouped is no number, or a
        count is no count.
    """
    table = PeopleTable(
        inputs=Inputs(files={"data": InputFile.at(Path(path))}),
        attributes=tuple(attributes),
        count=count,
        columns=None if columns is None else tuple(columns),
        widths=dict(widths or {}),
    )
    return replace(ClassSizes.of(_people_of_classes(Path(path), table)), table=table)


def _people_of_classes(path: Path, table: PeopleTable) -> IntArray:
    """Return how many people each class has, (classes,)."""
    file = TableFile.open(path, names=table.columns)
    wanted = [*table.attributes, *([] if table.count is None else [table.count])]
    file.refuse_absent(wanted)
    read = file.read(wanted, coded=table.attributes)
    codes, bases = [], []
    for name in table.attributes:
        column = to_column(read.column(name), name, str(path), ("",))
        code, base = _codes(column, table.widths.get(name), f"{path}: column {quoted(name)}")
        codes.append(code)
        bases.append(base)
    _, of_row, rows = distinct_rows(np.column_stack(codes), bases)
    if table.count is None:
        return rows
    people = np.zeros(len(rows), np.int64)
    np.add.at(people, of_row, to_people(read.column(table.count), table.count, str(path)))
    return people


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
