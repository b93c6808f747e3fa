"""What `gamedeid init` says of a draft on a terminal, and what it asks there."""

import re
import sys
from collections import Counter
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from gamedeid.amounts import joined, number_of
from gamedeid.catalogue import sentence
from gamedeid.errors import InvalidScenarioError, shown
from gamedeid.report.terminal.console import console, new_table, print_table

if TYPE_CHECKING:
    from gamedeid.intake.drafting.draft import Draft
    from gamedeid.intake.drafting.parts import DraftedColumn, Part

_ANSWERS: "dict[str, Part]" = {"a": "attribute", "k": "keep", "d": "drop"}
_SHAPES = 3
"""Shapes of values that a question shows."""
_DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}


def answered(draft: "Draft") -> "Draft":
    """Return a draft with the answers of the person at the terminal; nothing is asked where nothing is in doubt."""
    questions = draft.questions
    if not questions:
        return draft
    if not is_terminal():
        raise InvalidScenarioError(
            f"{number_of(len(questions), 'column')} in doubt, and no terminal to ask on; pass --yes to drop "
            f"{'it' if len(questions) == 1 else 'them'}, or decide with --attribute, --keep and --drop"
        )
    to = console(stderr=True)
    count = len(questions)
    print_draft(draft, to)
    to.print(sentence("commands.questions", {"questions": count}))
    parts: dict[str, Part] = {}
    for number, column in enumerate(questions, start=1):
        facts = {"number": number, "questions": count, "column": shown(column.name), "reason": column.reason}
        to.print(sentence("commands.question", {**facts, "shapes": value_shapes(draft, column.name)}))
        part = _ask(draft, column)
        if part is None:
            break
        parts[column.name] = part
    return draft.with_parts(parts)


def value_shapes(draft: "Draft", name: str) -> str:
    """Return how most values of a column look, letters as a and digits as 9; "" where no shape is common enough."""
    rows: Counter[str] = Counter()
    for value, count in next(one for one in draft.table.columns if one.name == name).counts.items():
        rows[re.sub(r"\d", "9", re.sub(r"[^\W\d_]", "a", value))] += count
    common = [shape for shape, count in rows.most_common(_SHAPES) if count >= draft.rare]
    return joined([f'"{shown(shape)}"' for shape in common], "or") if common else ""


def is_terminal() -> bool:
    """Return whether somebody can be asked: standard input is a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


def _ask(draft: "Draft", column: "DraftedColumn") -> "Part | None":
    """Return the answer for one column; None where it and the rest are to be as proposed."""
    while True:
        try:
            word = typer.prompt("  a, k, d or r", default=column.part[0], err=True).strip().casefold()[:1]
        except typer.Abort:  # Ctrl-C, or no more answers
            raise KeyboardInterrupt from None
        if word == "r":
            return None
        part = _ANSWERS.get(word)
        why = draft.no_attribute(column.name) if part == "attribute" else None
        if part is not None and why is None:
            return part
        console(stderr=True).print("  a, k, d or r?" if why is None else f"  it cannot be an attribute: {why}")


def print_draft(draft: "Draft", to: Console) -> None:
    """Print what becomes of each column, and why."""
    table = draft.table
    form = "" if table.delimiter is None else f", {table.encoding}, {_DELIMITERS[table.delimiter]} between values"
    facts = {"name": table.name, "rows": table.rows, "columns": len(table.columns), "form": form}
    to.print(sentence("commands.table", facts))
    grid = new_table("column", "taken for", "part", "reason", left=4)
    for column in draft.columns:
        part = f"{column.part}?" if column.doubtful else column.part
        grid.add_row(shown(column.name), column.kind, part, column.reason)
    print_table(grid, to)
