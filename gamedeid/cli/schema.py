"""The command ``gamedeid schema``: the JSON Schemas of what gamedeid prints, writes and reads."""

from typing import Annotated

import typer

from gamedeid.cli.options import print_plain


def _names(begun: str) -> list[str]:
    """Complete the name of a schema."""
    from gamedeid.schema_names import NAMES

    return [name for name in NAMES if name.startswith(begun)]


def schema(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME", help="Which schema, such as summary; all are listed unless given.", autocompletion=_names
        ),
    ] = None,
) -> None:
    """Print the JSON Schema of an output, or of a scenario; without a name, list them."""
    from gamedeid.report.terminal.console import console, new_table, print_table
    from gamedeid.schema_names import schema_id
    from gamedeid.schemas.listed import SCHEMAS
    from gamedeid.schemas.listed import schema as json_schema

    if name is not None:
        print_plain(json_schema(name))
        return
    table = new_table("name", "version", "what it is of", left=3)
    for one, described in SCHEMAS.items():
        table.add_row(one, schema_id(one).rpartition(":")[2], described.title)
    print_table(table, console())
