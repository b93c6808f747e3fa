"""What the first row of a CSV file tells: its columns, and what stands between them."""

import codecs
import csv
import io
import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

from gamedeid.amounts import number_of
from gamedeid.data.files.streams import opened
from gamedeid.errors import InvalidDataError, quoted
from gamedeid.reprs import brief

LINE_LIMIT = 2**20
"""Longest line, in bytes, that a table may have."""

DELIMITERS = ",;\t|"

_QUOTED = re.compile('"[^"]*"')
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_ZIP = b"PK\x03\x04"
_NOT_FOR_FILES = {"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape", "utf-7"}
"""Python's codecs for names, mail and program text: they stop in mid-file, or make characters that are no text."""


@brief
class Header(NamedTuple):
    """The form of a CSV file.

    Parameters
    ----------
    names : its columns, in order.
    delimiter : between values.
    spaced : whether a space follows the delimiters, which is then not part of the values.
    """

    names: tuple[str, ...]
    delimiter: str
    spaced: bool


def read_header(path: Path, *, names: Sequence[str] | None, encoding: str, expected: Collection[str] = ()) -> Header:
    """Look at the first row of a CSV file, in at most a mebibyte of it.

    Parameters
    ----------
    path : the file, plain or gzipped.
    names : its columns, where the first row does not name them.
    encoding : as `known_encoding` returns it.
    expected : names that the first row should have; the delimiter is the one that parts it into most of them.

    Raises
    ------
    InvalidDataError : it cannot be read, is empty or no text, or its first row is not of as many values as ``names``.
    """
    with opened(path) as stream:
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
    """Return the one name of an encoding that goes by many; a byte order mark makes no difference to UTF-8.

    Raises
    ------
    InvalidDataError : there is no such encoding of text, or it is none that files are in.
    """
    try:
        "a".encode(encoding)
        name = codecs.lookup(encoding).name
    except (LookupError, ValueError):
        raise InvalidDataError(f"{path}: {quoted(encoding)} is no known encoding; try utf-8 or latin-1") from None
    if name.replace("_", "-") in _NOT_FOR_FILES:
        raise InvalidDataError(
            f"{path}: tables in the encoding {quoted(encoding)} are not read; save the file as UTF-8, or name the "
            'encoding that it is in (encoding = "latin-1")'
        )
    return "utf-8" if name == "utf-8-sig" else name


def not_in_encoding(path: Path, encoding: str, line: int) -> InvalidDataError:
    """Return the error that says which line, counted from 1, is not text in an encoding."""
    return InvalidDataError(
        f"{path}: line {line} is not {encoding} text; save the file as UTF-8, or name its encoding in the scenario "
        '(encoding = "latin-1")'
    )


def _decoded_start(path: Path, start: bytes, encoding: str) -> str:
    if not start:
        raise InvalidDataError(f"{path}: is empty; expected a header and rows")
    if start[:4] == _ZIP:
        raise InvalidDataError(f"{path}: is a ZIP or Excel file; save it as CSV")
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
    """Return the first line, and those after it as long as a quoted value goes on."""
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
    """Return the delimiter that the first row has most of, outside quotes; before it one that parts it as named."""
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
