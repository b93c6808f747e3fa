"""What the commands on uniqueness share: a table, and in which columns its people are compared."""

import re
from typing import Annotated, TypedDict

import typer

from gamedeid.errors import InvalidScenarioError, quoted

_WIDTH = re.compile(r"\s*(.+?)\s*=\s*(\d{1,9})\s*", re.ASCII | re.DOTALL)

Attributes = Annotated[
    str | None, typer.Option(metavar="A,B,C", help="The columns in which people are compared, by name.")
]
Count = Annotated[
    str | None, typer.Option(metavar="COLUMN", help="The column that says how many people a row stands for.")
]
Columns = Annotated[
    str | None, typer.Option(metavar="A,B,C", help="Names of all columns, for a CSV file whose first row has none.")
]
Width = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ATTRIBUTE=WIDTH", help="Group whole numbers: with age=5, 20 to 24 are alike. May be repeated."
    ),
]


class PeopleColumns(TypedDict):
    """What is asked of a table, as :func:`gamedeid.risk.read_class_sizes` takes it."""

    attributes: tuple[str, ...]
    count: str | None
    columns: tuple[str, ...] | None
    widths: dict[str, int]


def people_table(
    attributes: str | None, count: str | None, columns: str | None, width: list[str] | None
) -> PeopleColumns:
    """Return what words such as ``age,sex`` and ``age=5`` ask of a table.

    Raises
    ------
    InvalidScenarioError : no attributes are named, an empty name, or no width.
    """
    if attributes is None:
        raise InvalidScenarioError("say in which columns people are compared, with --attributes age,sex,...")
    widths = {}
    for text in width or []:
        found = _WIDTH.fullmatch(text)
        if found is None or not int(found[2]):
            raise InvalidScenarioError(f"--width: {quoted(text)} is no ATTRIBUTE=WIDTH such as age=5")
        widths[found[1]] = int(found[2])
    return {
        "attributes": _names(attributes, "attribute"),
        "count": count,
        "columns": None if columns is None else _names(columns, "column"),
        "widths": widths,
    }


def _names(text: str, what: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(","))
    if not all(names):
        raise InvalidScenarioError(f"{quoted(text)}: expected the names of {what}s, such as age,sex,zip")
    return names
