"""What `gamedeid init` says of a draft on a terminal, and what it asks there."""

import sys
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from gamedeid.amounts import number_of
from gamedeid.errors import InvalidScenarioError, shown
from gamedeid.report.terminal.console import new_table, print_table

if TYPE_CHECKING:
    from gamedeid.intake.drafting.draft import Draft
    from gamedeid.intake.drafting.parts import Part

_ANSWERS: "dict[str, Part]" = {"a": "attribute", "k": "keep", "d": "drop"}
_DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}


def answered(draft: "Draft") -> "Draft":
    """Return a draft with the answers of the person at the terminal; there are no questions where nothing is in doubt.

    Raises
    ------
    InvalidScenarioError : there are questions, and no terminal to ask them on.
    """
    questions = draft.questions
    if not questions:
        return draft
    if not sys.stdin.isatty():
        raise InvalidScenarioError(
            f"{number_of(len(questions), 'column')} in doubt, and no terminal to ask on; pass --yes to drop "
            f"{'it' if len(questions) == 1 else 'them'}, or decide with --attribute, --keep and --drop"
        )
    typer.echo(
        f"{number_of(len(questions), 'column')} in doubt. a: a recipient could know it (attribute); k: released as it "
        "is (keep); d: left out (drop); Enter takes what stands in brackets.",
        err=True,
    )
    parts: dict[str, Part] = {}
    for number, column in enumerate(questions, start=1):
        typer.echo(f"({number}/{len(questions)}) {shown(column.name)}: {column.reason}.", err=True)
        while True:
            word = typer.prompt("  a, k or d", default=column.part[0], err=True).strip().casefold()[:1]
            part = _ANSWERS.get(word)
            why = None if part != "attribute" else draft.no_attribute(column.name)
            if part is not None and why is None:
                break
            typer.echo(f"  {'it cannot be an attribute: ' + why if why else 'a, k or d?'}", err=True)
        parts[column.name] = part
    return draft.with_parts(parts)


def print_draft(draft: "Draft", to: Console) -> None:
    """Print what becomes of each column, and why."""
    table = draft.table
    form = "" if table.delimiter is None else f", {table.encoding}, {_DELIMITERS[table.delimiter]} between values"
    columns = number_of(len(table.columns), "column")
    to.print(f"{table.path.name}: {number_of(table.rows, 'row')}, {columns}{form}")
    grid = new_table("column", "taken for", "part", "reason", left=4)
    for column in draft.columns:
        part = f"{column.part}?" if column.doubtful else column.part
        grid.add_row(shown(column.name), column.kind, part, column.reason)
    print_table(grid, to)
