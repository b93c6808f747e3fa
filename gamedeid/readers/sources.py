"""What a scenario says of its records and population, met with the files or frames that hold them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from gamedeid.arrays import IntArray
from gamedeid.coding import Column
from gamedeid.errors import InvalidDataError, did_you_mean, quoted
from gamedeid.readers.frames import frame_names, frame_to_arrow, to_column, to_people
from gamedeid.readers.tables import TableFile
from gamedeid.scenario import Population, Scenario

COUNT_LIKE = ("count", "counts", "n", "number", "people", "pop", "population", "total")
"""Names of columns that mean a number of people, unless the scenario says otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Source:
    """A table's attributes as columns of codes.

    Parameters
    ----------
    columns : attribute -> its values.
    table : attributes and kept columns as read, in input order; dropped columns are not in it.
    people : (rows,) int64, how many people each row stands for.
    """

    columns: Mapping[str, Column]
    table: pa.Table
    people: IntArray


def read_records(scenario: Scenario, frame: Any = None) -> Source:
    """Return the records, from a frame if one is given, else from the scenario's file.

    Raises
    ------
    InvalidDataError : no records, an attribute or kept column that is not there, or a column that the scenario does not
        declare as an attribute, kept or dropped.
    """
    section = scenario.records
    declared = (*scenario.attributes, *section.keep, *section.drop)
    wanted = [*scenario.attributes, *section.keep]
    if frame is not None:
        whose = "records"
        _declared_and_there(whose, frame_names(frame, whose), declared, wanted)
        table = frame_to_arrow(frame, wanted, whose)
    elif section.path is None:
        raise InvalidDataError("the scenario names no records; add [records] path, or hand a data frame over")
    else:
        path = scenario.folder / section.path
        file = TableFile.open(path, names=section.columns, encoding=section.encoding)
        whose = str(path)
        _declared_and_there(whose, file.names, declared, wanted)
        table = file.read(wanted, coded=scenario.attributes)
    columns = {name: to_column(table.column(name), section.missing_values) for name in scenario.attributes}
    return Source(columns=columns, table=table, people=np.ones(table.num_rows, np.int64))


def read_population(scenario: Scenario, section: Population, frame: Any = None) -> Source:
    """Return the population, from a frame if one is given, else from the scenario's file.

    Columns that are neither attributes nor the count are not read.

    Raises
    ------
    InvalidDataError : no population, an attribute or count column that is not there, or a column that looks like a count
        while the scenario names none.
    """
    wanted = [*scenario.attributes, *([section.count] if section.count else [])]
    if frame is not None:
        whose = "population"
        names: Sequence[str] = frame_names(frame, whose)
    elif section.path is None:
        raise InvalidDataError("[population] names no file; add path, or hand a data frame over")
    else:
        path = scenario.folder / section.path
        whose = str(path)
        file = TableFile.open(path, names=section.columns, encoding=section.encoding)
        names = file.names
    _there(whose, names, wanted)
    if section.count is None:
        _refuse_unnamed_count(whose, names, (*wanted, *section.drop))
    table = frame_to_arrow(frame, wanted, whose) if frame is not None else file.read(wanted, coded=scenario.attributes)
    columns = {name: to_column(table.column(name), scenario.records.missing_values) for name in scenario.attributes}
    if section.count is None:
        people = np.ones(table.num_rows, np.int64)
    else:
        people = to_people(table.column(section.count), section.count, whose)
    return Source(columns=columns, table=table, people=people)


def read_zip_populations(path: Path) -> dict[str, int]:
    """Return three-digit ZIP prefix -> people, from a file with columns zip3 and pop.

    Raises
    ------
    InvalidDataError : no such file or columns, a prefix that is not three digits, or a count that is no count.
    """
    file = TableFile.open(path)
    _there(str(path), file.names, ["zip3", "pop"])
    table = file.read(["zip3", "pop"])
    prefixes = [
        str(value).zfill(3) if isinstance(value, int) else str(value) for value in table.column("zip3").to_pylist()
    ]
    for row, prefix in enumerate(prefixes):
        if len(prefix) != 3 or not prefix.isdigit():
            raise InvalidDataError(f"{path}: a ZIP prefix has three digits, not {quoted(prefix)} (row {row + 1})")
    people = to_people(table.column("pop"), "pop", str(path))
    totals: dict[str, int] = {}
    for prefix, count in zip(prefixes, people.tolist(), strict=True):
        totals[prefix] = totals.get(prefix, 0) + count
    return totals


def _declared_and_there(whose: str, names: Sequence[str], declared: Collection[str], wanted: Collection[str]) -> None:
    _there(whose, names, wanted)
    undeclared = [name for name in names if name not in set(declared)]
    if undeclared:
        shown = ", ".join(repr(name) for name in undeclared)
        raise InvalidDataError(
            f"{whose}: column{'s' * (len(undeclared) > 1)} {shown} {'are' if len(undeclared) > 1 else 'is'} not declared; "
            "make each an attribute, or list it under [records] keep (released as it is) or drop (never leaves)"
        )
    absent = [name for name in declared if name not in set(names)]
    if absent:
        raise InvalidDataError(f"{whose}: there is no column {quoted(absent[0])}{_near(absent[0], names)}")


def _there(whose: str, names: Sequence[str], wanted: Collection[str]) -> None:
    for name in wanted:
        if name not in set(names):
            raise InvalidDataError(f"{whose}: there is no column {quoted(name)}{_near(name, names)}")


def _near(name: str, names: Sequence[str]) -> str:
    return did_you_mean(name, names) or f"; its columns are {', '.join(names)}"


def _refuse_unnamed_count(whose: str, names: Sequence[str], spoken_of: Collection[str]) -> None:
    for name in names:
        if name.lower() in COUNT_LIKE and name not in set(spoken_of):
            raise InvalidDataError(
                f"{whose}: column {quoted(name)} looks like a number of people, but without [population] count every row is one "
                f'person; set count = "{name}", or drop = ["{name}"] if it means something else'
            )
