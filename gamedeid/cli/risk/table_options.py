"""What the commands on uniqueness share: a table, and in which columns its people are compared."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from gamedeid.risk.uniqueness.classes import TableQuestion

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


def table_question(
    path: Path, attributes: str | None, count: str | None, columns: str | None, width: list[str] | None
) -> "TableQuestion":
    """Return what was asked of a table.

    Raises
    ------
    InvalidScenarioError : no attributes are named, or as :meth:`TableQuestion.parse` does.
    """
    from gamedeid.errors import InvalidScenarioError
    from gamedeid.risk.uniqueness.classes import TableQuestion

    if attributes is None:
        raise InvalidScenarioError("say in which columns people are compared, with --attributes age,sex,...")
    return TableQuestion.parse(path, attributes, count=count, columns=columns, widths=width or [])
