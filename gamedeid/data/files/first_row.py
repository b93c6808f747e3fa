"""Whether the first row of a table holds somebody's values in place of the names of its columns."""

import re
from collections.abc import Iterator, Sequence

import pyarrow as pa

from gamedeid.amounts import number_of
from gamedeid.errors import InvalidDataError
from gamedeid.generalization.missing_codes import is_missing_code

COMPARED_ROWS = 1000
"""Rows after the first that it is compared with."""

_DAY = r"[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}(?:[T ].*)?"
_VALUE = re.compile(rf"[-+]?[0-9]*[.,]?[0-9]+(?:[.,][0-9]+)*(?:[eE][-+]?[0-9]+)?|{_DAY}")
_YEAR = re.compile(r"\D*(?:18|19|20)[0-9]{2}\D*")
_OF_A_PERSON = re.compile(
    r"[\w.+'-]+@[\w-]+(?:\.[\w-]+)+|(?:https?|ftp)://\S+|[0-9]{3}-[0-9]{2}-[0-9]{4}|\+[0-9][0-9 ().\-/]{6,22}|"
    r"(?:\+?1[-. ]?)?(?:\([0-9]{3}\) ?|[0-9]{3}[-. /])[0-9]{3}[-. ][0-9]{4}|"
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}|(?:[0-9]{1,3}\.){3}[0-9]{1,3}|"
    rf"(?=(?:[^0-9]*[0-9]){{10}})[a-z]{{2}}[0-9]{{2}}(?: ?[a-z0-9]{{4}}){{3,7}}(?: ?[a-z0-9]{{1,3}})?|{_DAY}|"
    r"[0-9]{1,2}[. -]+(?:jan|feb|m[a\u00e4]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[^\W\d_]*[., -]+[0-9]{4}",
    re.IGNORECASE,
)
"""Forms that no name of a column has."""

_FEW_COPIES = 0.05  # share of the rows that may repeat the names, where files were put one after the other
_ENOUGH = 0.25  # share of the cells that stand in later rows too, from which on the first row is a row like others


def refuse_values_as_names(whose: str, names: Sequence[str], later_rows: pa.Table | None = None) -> None:
    """Refuse a table whose first row is a record: then its names are somebody's values, and are not to be shown.

    Parameters
    ----------
    whose : the table, for messages.
    names : of its columns, in order.
    later_rows : the rows after the first, with these columns as text; None where they are not at hand.

    Raises
    ------
    InvalidDataError : a cell has a form that names do not have, at least half of the cells are numbers or dates, or
        cells stand in later rows too, and no column sets its name apart. The message holds none of them.
    """
    if (why := _why_values([name.strip() for name in names], later_rows)) is not None:
        raise InvalidDataError(
            f"{whose}: its first row seems to hold values, not the names of its columns ({why}); add a row of names, "
            "or name its columns in a scenario, [records] columns = [...]"
        )


def _why_values(names: Sequence[str], later_rows: pa.Table | None) -> str | None:
    """Return by what it shows that names are values; None where they seem to be names."""
    for place, name in enumerate(names, 1):
        if _OF_A_PERSON.fullmatch(name):
            return f"cell {place} has the form of a value"
    cells = [name for name in names if not _is_missing(name)]
    numbers = sum(_is_value(name) for name in cells)
    if numbers and 2 * numbers >= len(cells):
        return f"{numbers} of {number_of(len(cells), 'cell')} are numbers or dates"
    if later_rows is None or not later_rows.num_rows:
        return None
    columns = list(_later_values(names, later_rows))
    again = sum(name in values for name, values in zip(names, columns, strict=True) if not _is_missing(name))
    apart = sum(
        bool(values) and not _is_value(name) and all(map(_is_value, values))
        for name, values in zip(names, columns, strict=True)
        if not _is_missing(name)
    )
    if again > apart and again >= _ENOUGH * len(cells):
        return f"{again} of {number_of(len(cells), 'cell')} stand in later rows too"
    return None


def _later_values(names: Sequence[str], later_rows: pa.Table) -> Iterator[set[str]]:
    """Yield of each column the values that are no missing ones, of rows that do not repeat the names."""
    columns = [[str(value or "").strip() for value in column.to_pylist()] for column in later_rows.columns]
    rows = list(zip(*columns, strict=True))
    copies = sum(row == tuple(names) for row in rows)
    if len(names) > 1 and copies < _FEW_COPIES * len(rows):
        rows = [row for row in rows if row != tuple(names)]
    for place in range(len(names)):
        yield {row[place] for row in rows if not _is_missing(row[place])}


def _is_missing(text: str) -> bool:
    return not text or is_missing_code(text)


def _is_value(text: str) -> bool:
    """Return whether a text is a number or a date, and no year, as names of columns can be."""
    return _VALUE.fullmatch(text) is not None and _YEAR.fullmatch(text) is None
