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


_OF_PEOPLE = (
    "Rows count here each by itself, though several are one person's: a class of a single person tells all rows of "
    "that person, however diverse they are."
)


def diversity_words(found: Mapping[str, Any], records: int, *, of_people: bool = False) -> list[str]:
    """Return what the table is about, in sentences; none where no column is kept.

    Parameters
    ----------
    found : as for :func:`diversity_rows`.
    records : how many there are.
    of_people : whether several of them may be one person's.
    """
    rows = found["rows_looked_at"]
    if rows is None:
        return ["What a class tells of kept columns was not measured: rows stay where they are."]
    if not found["columns"]:
        return []
    noun = "row" if of_people else "record"
    of = "" if rows == records else f" of the first {number_of(rows, noun)}"
    released, classes = number_of(found["released"], f"released {noun}"), number_of(found["classes"], "class")
    words = [_MEANING.format(released=f"{released}{of}", classes=classes), _COLUMNS_MEAN]
    return [*words, _OF_PEOPLE] if of_people else words


def print_diversity(found: Mapping[str, Any], records: int, to: Console, *, of_people: bool = False) -> None:
    """Print the sentences and the table; nothing where no column is kept."""
    for words in diversity_words(found, records, of_people=of_people):
        to.print(words)
    if found["columns"]:
        table = new_table(*COLUMNS)
        for row in diversity_rows(found):
            table.add_row(*row)
        print_table(table, to)
