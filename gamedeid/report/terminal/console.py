"""The console for results: a terminal with its width, or a pipe without line breaks."""

from collections.abc import Iterable, Iterator, Sequence

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


def table_of(names: Sequence[str], rows: Iterable[Iterable[str]], *, left: int = 1) -> Table:
    """Return a table of texts: the first ``left`` columns are for words, the others for numbers."""
    table = Table()
    for place, name in enumerate(names):
        table.add_column(name, justify="left" if place < left else "right")
    for row in rows:
        table.add_row(*row)
    return table


def in_narrow_rows(rows: Iterable[Sequence[str]], to: Console) -> Iterator[tuple[str, ...]]:
    """Yield rows; on a terminal, two in place of one whose name is in two parts, divided by "; ", as its texts are."""
    for row in rows:
        firsts, seconds = zip(*(text.partition("; ")[::2] for text in row), strict=True)
        if to.is_terminal and seconds[0]:
            yield firsts
            yield f"... {seconds[0]}", *seconds[1:]
        else:
            yield tuple(row)


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
    """Print a table of texts; columns as for :func:`table_of`.

    Columns at ``whole`` break no text on a terminal of at least the usual width.
    """
    texts = [tuple(row) for row in rows]
    table = table_of(names, texts, left=left)
    if to.is_terminal and to.width >= USUAL_WIDTH:
        for place in whole:
            table.columns[place].width = max(len(row[place]) for row in texts)
    print_table(table, to)


def print_side_by_side(names: Sequence[str], rows: Iterable[Sequence[str]], to: Console) -> None:
    """Print a row for each measure and a column for each name; one column after another if they are too wide."""
    texts, places = list(rows), range(1, len(names) + 1)
    fits = fits_width(table_of(("measure", *names), texts), to)
    for some in [places] if fits else [[place] for place in places]:
        head = ("measure", *(names[place - 1] for place in some))
        print_rows(head, ((row[0], *(row[place] for place in some)) for row in texts), to)


def print_lines(lines: Iterable[str], to: Console) -> None:
    """Print each line."""
    for line in lines:
        to.print(line)
