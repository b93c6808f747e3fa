"""The first rows of a file: whether they are names of columns, and which delimiter is between them."""

import codecs
import csv
import io
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from gamedeid.amounts import number_of
from gamedeid.data.files.streams import open_content
from gamedeid.errors import InvalidDataError, quoted
from gamedeid.generalization.readings import is_missing_code
from gamedeid.reprs import brief

COMPARED_ROWS = 1000
"""Number of rows with which the first row is compared."""

_DAY = r"[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}(?:[T ].*)?"
_VALUE = re.compile(rf"[-+]?[0-9]*[.,]?[0-9]+(?:[.,][0-9]+)*(?:[eE][-+]?[0-9]+)?|{_DAY}")
_YEAR = re.compile(r"\D*(?:18|19|20)[0-9]{2}\D*")
_PERSONAL_VALUE = re.compile(
    r"[\w.+'-]+@[\w-]+(?:\.[\w-]+)+|(?:https?|ftp)://\S+|[0-9]{3}-[0-9]{2}-[0-9]{4}|\+[0-9][0-9 ().\-/]{6,22}|"
    r"(?:\+?1[-. ]?)?(?:\([0-9]{3}\) ?|[0-9]{3}[-. /])[0-9]{3}[-. ][0-9]{4}|"
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}|(?:[0-9]{1,3}\.){3}[0-9]{1,3}|"
    rf"(?=(?:[^0-9]*[0-9]){{10}})[a-z]{{2}}[0-9]{{2}}(?: ?[a-z0-9]{{4}}){{3,7}}(?: ?[a-z0-9]{{1,3}})?|{_DAY}|"
    r"[0-9]{1,2}[. -]+(?:jan|feb|m[a\u00e4]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[^\W\d_]*[., -]+[0-9]{4}",
    re.IGNORECASE,
)
"""Forms that no name of a column has."""

_REPEATED_HEADERS = 0.05  # share of the rows that may repeat the names, where files were put one after the other
_REPEATED_CELLS = 0.25  # least share of its cells that are in later rows too, for the first row to be a record


def refuse_values_as_names(table_name: str, names: Sequence[str], later_rows: pa.Table | None = None) -> None:
    """Refuse a table whose first row is a record: its names are then a person's values, and must not be shown.

    ``later_rows`` are the rows after the first, with these columns as text; None if they are unknown.
    """
    if (why := _sign_of_values([name.strip() for name in names], later_rows)) is not None:
        raise InvalidDataError(
            f"{table_name}: its first row seems to hold values, not the names of its columns ({why}); add a row of "
            "names, or name its columns in a scenario, [records] columns = [...]"
        )


def _sign_of_values(names: Sequence[str], later_rows: pa.Table | None) -> str | None:
    """Return the sign that names are values; None where they seem to be names."""
    for place, name in enumerate(names, 1):
        if _PERSONAL_VALUE.fullmatch(name):
            return f"cell {place} has the form of a value"
    cells = [name for name in names if not _is_missing(name)]
    numbers = sum(_is_value(name) for name in cells)
    if numbers and 2 * numbers >= len(cells):
        return f"{numbers} of {number_of(len(cells), 'cell')} are numbers or dates"
    if later_rows is None or not later_rows.num_rows:
        return None
    columns = list(_later_values(names, later_rows))
    repeated = sum(name in values for name, values in zip(names, columns, strict=True) if not _is_missing(name))
    differing_columns = sum(
        bool(values) and not _is_value(name) and all(map(_is_value, values))
        for name, values in zip(names, columns, strict=True)
        if not _is_missing(name)
    )
    if repeated > differing_columns and repeated >= _REPEATED_CELLS * len(cells):
        return f"{repeated} of {number_of(len(cells), 'cell')} are in later rows too"
    return None


def _later_values(names: Sequence[str], later_rows: pa.Table) -> Iterator[set[str]]:
    """Yield the values of each column, without missing ones, of the rows that do not repeat the names."""
    columns = [[str(value or "").strip() for value in column.to_pylist()] for column in later_rows.columns]
    rows = list(zip(*columns, strict=True))
    copies = sum(row == tuple(names) for row in rows)
    if len(names) > 1 and copies < _REPEATED_HEADERS * len(rows):
        rows = [row for row in rows if row != tuple(names)]
    for place in range(len(names)):
        yield {row[place] for row in rows if not _is_missing(row[place])}


def _is_missing(text: str) -> bool:
    return not text or is_missing_code(text)


def _is_value(text: str) -> bool:
    """Return whether a text is a number or a date, but not a year, which can be the name of a column."""
    return _VALUE.fullmatch(text) is not None and _YEAR.fullmatch(text) is None


LINE_LIMIT = 2**20
"""Longest line, in bytes, that a table may have."""

DELIMITERS = ",;\t|"

_QUOTED = re.compile('"[^"]*"')
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_OTHER_FORMATS = {
    b"PK\x03\x04": "is a ZIP or Excel file; save it as CSV",
    b"\xd0\xcf\x11\xe0": "is an old Excel file (.xls); save it as CSV",
    b"%PDF": "is a PDF file; save it as CSV",
    b"ARROW1": "is an Arrow file, such as Feather; save it as Parquet",
    **dict.fromkeys((b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd"), "is compressed in another way than gzip; unpack it"),
}
"""First bytes of a file -> its format, and advice."""
_UNSUITABLE_CODECS = {"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape", "utf-7"}
"""Python's codecs for names, mail and program text: they fail in mid-file, or yield characters that are no text."""


@brief
class Header(NamedTuple):
    """The form of a CSV file.

    Parameters
    ----------
    spaced : whether a space follows the delimiters, which is then not part of the values.
    """

    names: tuple[str, ...]
    delimiter: str
    spaced: bool


def read_header(path: Path, *, names: Sequence[str] | None, encoding: str, expected: Collection[str]) -> Header:
    """Look at the first row of a CSV file, in at most a mebibyte of it."""
    with open_content(path) as stream:
        start = stream.read(LINE_LIMIT)
    text = _decoded_start(path, start, encoding)
    first = _first_row(path, text, encoding)
    delimiter = _delimiter(first, names, set(expected))
    spaced = f"{delimiter} " in _QUOTED.sub("", first)
    try:
        cells = next(
            csv.reader(io.StringIO(first, newline=""), delimiter=delimiter, skipinitialspace=spaced, strict=True)
        )
    except csv.Error:
        raise InvalidDataError(f"{path}: line 1 has a quote that does not end where a value ends") from None
    if names is not None and len(names) != len(cells):
        raise InvalidDataError(
            f"{path}: the scenario names {number_of(len(names), 'column')}, but the first row has {len(cells)}"
        )
    if names is None and first == text and len(start) < LINE_LIMIT:
        raise InvalidDataError(f"{path}: has no rows")
    return Header(names=tuple(names or (cell.strip() for cell in cells)), delimiter=delimiter, spaced=spaced)


def known_encoding(path: Path, encoding: str) -> str:
    """Return the standard name of an encoding; UTF-8 with a byte order mark is UTF-8."""
    try:
        "a".encode(encoding)
        name = codecs.lookup(encoding).name
    except (LookupError, ValueError):
        raise InvalidDataError(f"{path}: {quoted(encoding)} is no known encoding; try utf-8 or latin-1") from None
    if name.replace("_", "-") in _UNSUITABLE_CODECS:
        raise InvalidDataError(
            f"{path}: tables in the encoding {quoted(encoding)} are not read; save the file as UTF-8, or name the "
            'encoding that it is in (encoding = "latin-1")'
        )
    return "utf-8" if name == "utf-8-sig" else name


def not_in_encoding(path: Path, encoding: str, line: int) -> InvalidDataError:
    """Return the error that says which line, counted from 1, is not text in an encoding."""
    return InvalidDataError(
        f"{path}: line {line} is not {encoding} text; save the file as UTF-8, or name its encoding in the scenario, if "
        'one reads it (encoding = "latin-1")'
    )


def _decoded_start(path: Path, start: bytes, encoding: str) -> str:
    if not start:
        raise InvalidDataError(f"{path}: is empty; expected a header and rows")
    for first, why in _OTHER_FORMATS.items():
        if start.startswith(first):
            raise InvalidDataError(f"{path}: {why}")
    if start[:2] in _UTF_16 and encoding == "utf-8":
        raise InvalidDataError(f'{path}: is UTF-16 text; save it as UTF-8, or set encoding = "utf-16" in the scenario')
    try:
        text = codecs.getincrementaldecoder(encoding)("replace").decode(start).removeprefix("\ufeff")
    except UnicodeError:  # UTF-16 and UTF-32 without a byte order mark cannot be read at all
        raise not_in_encoding(path, encoding, 1) from None
    if len(start) == LINE_LIMIT and not re.search("[\r\n]", text):
        raise InvalidDataError(f"{path}: its first line is longer than {LINE_LIMIT // 2**20} MiB; is it a CSV file?")
    return text


def _first_row(path: Path, text: str, encoding: str) -> str:
    """Return the first line, and the next ones while a quoted value continues."""
    lines = io.StringIO(text, newline="")
    line = lines.readline()
    parts, quotes = [line], line.count('"')
    while quotes % 2 and (more := lines.readline()):
        parts.append(more)
        quotes += more.count('"')
    row = line if quotes % 2 else "".join(parts)
    if "\0" in row:
        raise InvalidDataError(f"{path}: is not text; expected a CSV file, or one that ends in .parquet")
    if "\ufffd" in row:
        raise not_in_encoding(path, encoding, 1)
    if not row.strip():
        raise InvalidDataError(f"{path}: its first line is empty; expected the names of the columns")
    return row


def _delimiter(first: str, names: Sequence[str] | None, expected: set[str]) -> str:
    """Return the most frequent delimiter of a first row, outside quotes, of those that best yield the named columns."""
    bare = _QUOTED.sub("", first)
    between = len(names) - 1 if names is not None else 0
    fitting = [one for one in DELIMITERS if between and bare.count(one) == between]
    if names is None and expected:
        found = {one: len(expected.intersection(_cells(first, one))) for one in DELIMITERS}
        fitting = [one for one in DELIMITERS if found[one] == max(found.values())]
    return max(fitting or DELIMITERS, key=bare.count)


def _cells(row: str, delimiter: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([row], delimiter=delimiter, skipinitialspace=True))]
    except (csv.Error, StopIteration):
        return []
