"""What the classes of a release tell of its kept columns: rows and sentences for people."""

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Console

from gamedeid.amounts import four, number_of, percent
from gamedeid.report.terminal.console import new_table, print_table

COLUMNS = ("kept column", "values", "distinct l-diversity", "entropy l-diversity", "t-closeness", "told by the class")
"""Names of the columns of the table."""


_MEANING = (
    "Who knows the class of a person learns what the kept columns hold in it: {released}, in {classes}. The game does "
    "not count this."
)
_COLUMNS_MEAN = (
    "l-diversity is that of the class where it is least, t-closeness the greatest distance of a class from all "
    "released rows; the last column counts rows whose class has one value only. A missing value is one value more."
)


def diversity_rows(found: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield a text for each of ``COLUMNS``, for each kept column.

    Parameters
    ----------
    found : what :func:`gamedeid.risk.release.release_risks` has under ``kept_diversity``.
    """
    for one in found["columns"]:
        yield (
            one["column"],
            f"{one['values']:,}",
            f"{one['distinct']:,}",
            f"{one['entropy']:.2f}",
            f"{four(one['closeness'])} ({one['distance']})",
            f"{one['alone']:,} ({percent(one['alone'] / found['released'])})",
        )


def diversity_words(found: Mapping[str, Any], records: int) -> list[str]:
    """Return what the table is about, in sentences; none where no column is kept.

    Parameters
    ----------
    found : as for :func:`diversity_rows`.
    records : how many there are.
    """
    rows = found["rows_looked_at"]
    if rows is None:
        return ["What a class tells of kept columns was not measured: rows stay where they are."]
    if not found["columns"]:
        return []
    of = "" if rows == records else f" of the first {number_of(rows, 'record')}"
    released, classes = number_of(found["released"], "released record"), number_of(found["classes"], "class")
    return [_MEANING.format(released=f"{released}{of}", classes=classes), _COLUMNS_MEAN]


def print_diversity(found: Mapping[str, Any], records: int, to: Console) -> None:
    """Print the sentences and the table; nothing where no column is kept."""
    for words in diversity_words(found, records):
        to.print(words)
    if found["columns"]:
        table = new_table(*COLUMNS)
        for row in diversity_rows(found):
            table.add_row(*row)
        print_table(table, to)
