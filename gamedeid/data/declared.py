"""Declarations that a scenario must make of the columns of records and of a population."""

import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from gamedeid.data.column_names import looks_like_count
from gamedeid.data.files.headers import refuse_values_as_names
from gamedeid.data.files.tables import TableFile
from gamedeid.errors import InvalidDataError, listed, quoted
from gamedeid.scenario.sections import Population, Records
from gamedeid.scenario.toml import toml_value

if TYPE_CHECKING:
    from gamedeid.data.frames import Frame

Source: TypeAlias = "TableFile | Frame"
"""The source of rows: a file, or a data frame."""


def refuse_unnamed_count(
    table_name: str, names: Sequence[str], section: Population, declared: Collection[str], place: str
) -> None:
    """Refuse a column whose name suggests the number of people of a row, if the scenario names no such column."""
    for name in names:
        if section.count is None and looks_like_count(name) and name not in set(declared):
            raise InvalidDataError(
                f"{table_name}: column {quoted(name)} looks like a number of people, but without [{place}] count every "
                f'row is one person; set count = "{name}", or drop = ["{name}"] if it means something else'
            )


def refuse_unnamed_numbers(table_name: str, numbers: Sequence[str], section: Population, place: str) -> None:
    """Refuse columns of numbers that the scenario does not mention: one may be the number of people of a row."""
    if not numbers:
        return
    many = len(numbers) > 1
    listed = ", ".join(quoted(name) for name in numbers)
    holds = f"{table_name}: column{'s' * many} {listed} hold{'s' * (not many)} numbers"
    drop = f"add {listed} to [{place}] drop" if section.drop else f"set [{place}] drop = {toml_value(numbers)}"
    if section.count is not None:
        what = "are neither attributes" if many else "is neither an attribute"
        raise InvalidDataError(f"{holds}, but {what} nor the count of people; {drop} if they need not be counted")
    one, count = ("one of them", "its name") if many else ("it", toml_value(numbers[0]))
    raise InvalidDataError(
        f"{holds}, but without [{place}] count every row is one person; if {one} has the number of people of "
        f"each row, set count = {count}, else {drop}"
    )


def refuse_weights(table_name: str, people: int, section: Population, place: str) -> None:
    """Refuse counts that add up to more people than there are likely to be."""
    if section.count is not None and people > section.most_people:
        raise InvalidDataError(
            f"{table_name}: count column {quoted(section.count)} adds up to {people:,} people, more than "
            f"{section.most_people:,}; are these weights? If they do count people, set [{place}] most_people = "
            f"{people}"
        )


_LONGEST_LINE = 1000  # characters of a line to paste


def open_source(
    section: Records | Population, folder: Path, frame: Any, declared: Collection[str], place: str
) -> Source:
    """Return the given frame, or else the file of a section; either has all declared columns.

    Parameters
    ----------
    folder : the folder that the file's path starts from.
    frame : a data frame; None for the file.
    place : the scenario's key of the section.
    """
    source: Source
    if frame is not None:
        from gamedeid.data.frames import Frame  # noqa: PLC0415  (files do without)

        source = Frame.of(frame, place)
    elif section.path is None:
        raise InvalidDataError(f"[{place}] names no file; add path, or hand a data frame over")
    else:
        path = folder / section.path
        source = TableFile.open(path, names=section.columns, encoding=section.encoding, expected=declared)
        _refuse_no_header(path, source, declared, place)
    source.refuse_absent(declared)
    return source


def _refuse_no_header(path: Path, file: TableFile, declared: Collection[str], section: str) -> None:
    """Refuse a first row that names nothing declared, without showing it: it may be a person's values."""
    if (
        file.content.has_header
        and len(file.names) == 1
        and len(set(re.split(r"[^\w.-]+", file.names[0])) & set(declared)) > 1
    ):
        raise InvalidDataError(
            f"{path}: its first row names columns, but not with one of , ; | or a tab between them (spaces and other "
            "characters are no separators); save it as CSV"
        )
    if file.content.has_header and not set(file.names) & set(declared):
        raise InvalidDataError(
            f"{path}: its first row names none of the columns {listed(declared)}; "
            f"if the file has no header, name its columns in [{section}] columns"
        )


def refuse_undeclared(source: Source, declared: Collection[str]) -> None:
    """Refuse columns of records that the scenario neither keeps, drops nor names as attributes."""
    if undeclared := undeclared_columns(declared, source.names):
        source.refuse_no_header()
        refuse_values_as_names(source.table_name, source.names)
        many = len(undeclared) > 1
        line = f"drop = {toml_value(undeclared)}"
        raise InvalidDataError(
            f"{source.table_name}: column{'s' * many} {listed(undeclared)} {'are' if many else 'is'} not declared; "
            "make each an attribute, or list it under [records] keep (released as it is) or drop (never leaves)"
            + (f": {line}" if len(line) <= _LONGEST_LINE and line.isprintable() else "")
        )


def undeclared_columns(declared: Collection[str], names: Sequence[str]) -> list[str]:
    """Return the names that are not among the declared ones."""
    known = set(declared)
    return [name for name in names if name not in known]
