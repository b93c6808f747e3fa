"""The console for results: a terminal with its width, or a pipe without line breaks."""

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table

_AMPLE = 1_000_000  # more columns than any table needs

USUAL_WIDTH = 80
"""Default number of columns of a terminal."""


def console(*, stderr: bool = False) -> Console:
    """Return the console for results, without markup, which wraps lines on a terminal only."""
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
    """Add a row; on a terminal, one row for each part of name and texts divided by "; ", for narrow columns."""
    first, _, second = name.partition("; ")
    if not (to.is_terminal and second):
        table.add_row(name, *texts)
        return
    firsts, seconds = zip(*(text.partition("; ")[::2] for text in texts), strict=True)
    table.add_row(first, *firsts)
    table.add_row(f"... {second}", *seconds)


def fits_width(table: Table, to: Console) -> bool:
    """Return whether a table can be printed without breaking a word, which is always true without a terminal."""
    return not to.is_terminal or to.measure(table, options=to.options.update(width=_AMPLE)).minimum <= to.width


def print_table(table: Table, to: Console) -> None:
    """Print a table without losing a digit.

    If a cell would need a second line on a terminal, the cells get no padding; a cell that is still too wide continues
    on its next line. Without a terminal, the table is as wide as it needs.
    """
    if to.is_terminal and to.measure(table, options=to.options.update(width=_AMPLE)).maximum > to.width:
        table.padding = (0, 0)
    for column in table.columns:
        column.overflow = "fold"
    if not to.is_terminal:
        to.width = to.measure(table, options=to.options.update(width=_AMPLE)).maximum
    to.print(table, soft_wrap=False)


def print_rows(
    names: Sequence[str], rows: Iterable[Iterable[str]], to: Console, *, left: int = 1, whole: Iterable[int] = ()
) -> None:
    """Print a table of texts; columns as for :func:`new_table`.

    Columns at ``whole`` break no text on a terminal of at least the usual width.
    """
    table, texts = new_table(*names, left=left), [tuple(row) for row in rows]
    if to.is_terminal and to.width >= USUAL_WIDTH:
        for place in whole:
            table.columns[place].width = max(len(row[place]) for row in texts)
    for row in texts:
        table.add_row(*row)
    print_table(table, to)


def print_lines(lines: Iterable[str], to: Console) -> None:
    """Print each line."""
    for line in lines:
        to.print(line)
