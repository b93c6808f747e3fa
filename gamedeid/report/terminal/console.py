"""The console for results: a terminal as wide as it is, or a pipe in which nothing breaks."""

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table

_AMPLE = 1_000_000  # columns; more than any table needs

USUAL_WIDTH = 80
"""Columns that a terminal has unless it is made narrower or wider."""


def console(*, stderr: bool = False) -> Console:
    """Return the console for results: it takes nothing for markup, and breaks lines of words on a terminal only."""
    to = Console(highlight=False, markup=False, emoji=False, stderr=stderr)
    to.soft_wrap = not to.is_terminal
    return to


def new_table(*names: str, left: int = 1) -> Table:
    """Return an empty table with these columns: the first ``left`` of them for words, the others for numbers."""
    table = Table()
    for place, name in enumerate(names):
        table.add_column(name, justify="left" if place < left else "right")
    return table


def add_measure(table: Table, name: str, texts: Sequence[str], to: Console) -> None:
    """Add a row; on a terminal a row for each part where "; " divides name and texts, so that columns are narrow."""
    first, _, second = name.partition("; ")
    if not (to.is_terminal and second):
        table.add_row(name, *texts)
        return
    firsts, seconds = zip(*(text.partition("; ")[::2] for text in texts), strict=True)
    table.add_row(first, *firsts)
    table.add_row(f"... {second}", *seconds)


def fits_width(table: Table, to: Console) -> bool:
    """Tell whether a table can be printed without breaking a word; where there is no terminal, any can."""
    return not to.is_terminal or to.measure(table, options=to.options.update(width=_AMPLE)).minimum <= to.width


def print_table(table: Table, to: Console) -> None:
    """Print a table without losing a digit.

    On a terminal on which some cell would need a second line, cells stand closer; what does not fit even so goes on in
    the next line of its cell. Where there is no terminal, the table is as wide as it needs.
    """
    if to.is_terminal and to.measure(table, options=to.options.update(width=_AMPLE)).maximum > to.width:
        table.padding = (0, 0)
    for column in table.columns:
        column.overflow = "fold"
    if not to.is_terminal:
        to.width = to.measure(table, options=to.options.update(width=_AMPLE)).maximum
    to.print(table, soft_wrap=False)


def print_rows(names: Sequence[str], rows: Iterable[Iterable[str]], to: Console, *, left: int = 1) -> None:
    """Print a table of texts; columns as for :func:`new_table`."""
    table = new_table(*names, left=left)
    for row in rows:
        table.add_row(*row)
    print_table(table, to)


def print_lines(lines: Iterable[str], to: Console) -> None:
    """Print each of some sentences in a line."""
    for line in lines:
        to.print(line)
