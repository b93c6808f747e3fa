"""CSV files as Arrow tables, whole or piece by piece, read strictly: doubtful input is refused, never guessed."""

import codecs
import csv
import io
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.csv

from gamedeid.amounts import number_of
from gamedeid.arrays import FILE_BYTES
from gamedeid.data.files.headers import LINE_LIMIT, known_encoding, not_in_encoding, read_header
from gamedeid.data.files.streams import UNREADABLE, content_size, error_reason, is_gzipped, open_content
from gamedeid.errors import InvalidDataError, quoted
from gamedeid.reprs import frozen

_UNEVEN = re.compile(r"(?:Row #([0-9]+): )?Expected ([0-9]+) columns, got ([0-9]+)")
"""Arrow's message about a row with too many or too few values, up to the quoted row."""


@frozen
class CsvFile:
    """A CSV file, plain or gzipped, whose header has been read.

    Parameters
    ----------
    spaced : whether values follow delimiters after a space, which is then not part of them.
    """

    path: Path
    names: tuple[str, ...]
    has_header: bool
    delimiter: str
    spaced: bool
    encoding: str
    stated_rows: ClassVar[None] = None
    column_labels: ClassVar[Mapping[str, str]] = {}
    value_labels: ClassVar[Mapping[str, Mapping[str, str]]] = {}

    @classmethod
    def open(cls, path: Path, names: Sequence[str] | None, encoding: str, expected: Collection[str] = ()) -> "CsvFile":
        """Look at the beginning of a file; ``names`` are its columns if it has no header, ``expected`` some of them."""
        encoding = known_encoding(path, encoding)
        header = read_header(path, names=names, encoding=encoding, expected=expected)
        return cls(
            path=path,
            names=header.names,
            has_header=names is None,
            delimiter=header.delimiter,
            spaced=header.spaced,
            encoding=encoding,
        )

    def unpacked_size(self, wanted: list[str], most: int) -> int:  # noqa: ARG002  (text is read whole)
        """Return the size of the text in bytes, counted up to ``most``.

        Gzipped text is unpacked up to there, since the size that it states may be wrong.
        """
        return content_size(self.path, most)

    def types(self, wanted: list[str]) -> dict[str, pa.DataType]:
        """Return the Arrow types of columns: text."""
        return dict.fromkeys(wanted, pa.string())

    def read(self, wanted: list[str], coded: set[str]) -> pa.Table:
        """Return columns as text, some of them as dictionaries; it may have no rows."""
        convert = self._conversion(wanted, coded)
        try:
            with self._open_stream() as stream:
                table = pa.csv.read_csv(stream, *self._csv_options(), convert)
        except UNREADABLE as error:
            raise self._explained_error(error, convert) from None
        self.refuse_stray_quotes()
        return self._without_spaces(table)

    def pieces(self, wanted: list[str], skip: int) -> Iterator[pa.Table]:
        """Yield the same as text, piece by piece, from row ``skip`` on."""
        self.refuse_stray_quotes()
        for table in self._tables(wanted):
            if skip < table.num_rows:
                yield table.slice(skip)
            skip = max(0, skip - table.num_rows)

    def first_rows(self, wanted: list[str], most: int) -> pa.Table:
        """Return columns of the first ``most`` rows, within the first mebibyte of the file, as text."""
        return next(self._tables(wanted), pa.table({})).slice(0, most)

    def _tables(self, wanted: list[str]) -> Iterator[pa.Table]:
        """Yield columns as text, block by block."""
        convert = self._conversion(wanted, set())
        try:
            with self._open_stream() as stream, pa.csv.open_csv(stream, *self._csv_options(), convert) as batches:
                for batch in batches:
                    yield self._without_spaces(pa.Table.from_batches([batch]))
        except UNREADABLE as error:
            raise self._explained_error(error, convert) from None

    def refuse_stray_quotes(self) -> None:
        """Check that a value that begins with a quote ends with one, and has only ``""`` between.

        A quote inside any other value is a plain character.
        """
        if _is_ascii_beyond_doubt(self.encoding) and _quotes_alternate(self.path, self.delimiter):
            return
        with open_content(self.path) as stream:
            text = io.TextIOWrapper(stream, encoding=self.encoding, errors="replace", newline="")
            rows = csv.reader(text, delimiter=self.delimiter, strict=True)
            try:
                for row in rows:
                    if self.spaced and any(cell.startswith(" ") and cell.lstrip().startswith('"') for cell in row):
                        raise InvalidDataError(
                            f"{self.path}: line {rows.line_num} has a quote after a space; leave out the spaces "
                            "between values"
                        )
            except csv.Error:
                raise InvalidDataError(
                    f"{self.path}: a quoted value does not end where a value ends (line {rows.line_num}); "
                    'double the quotes inside it, as "", or close it'
                ) from None
            finally:
                text.detach()

    def _without_spaces(self, table: pa.Table) -> pa.Table:
        if not self.spaced:
            return table
        after = set(self.names[1:])
        columns = {name: table.column(name) for name in table.column_names}
        return pa.table({name: _without_space(one) if name in after else one for name, one in columns.items()})

    def _open_stream(self) -> Any:
        return pa.input_stream(str(self.path), compression="gzip" if is_gzipped(self.path) else None)

    def _conversion(self, wanted: list[str], coded: set[str]) -> Any:
        types = {name: pa.dictionary(pa.int32(), pa.string()) if name in coded else pa.string() for name in wanted}
        return pa.csv.ConvertOptions(column_types=types, include_columns=wanted, strings_can_be_null=False)

    def _csv_options(self, *, in_order: bool = False) -> tuple[Any, Any]:
        """Return Arrow's options for blocks and for values; with ``in_order``, errors number the row."""
        reading = pa.csv.ReadOptions(
            column_names=list(self.names),
            skip_rows_after_names=int(self.has_header),
            encoding=self.encoding,
            use_threads=not in_order,
            block_size=LINE_LIMIT,
        )
        parsing = pa.csv.ParseOptions(
            delimiter=self.delimiter, newlines_in_values=True, ignore_empty_lines=len(self.names) > 1
        )
        return reading, parsing

    def _explained_error(self, error: Exception, convert: Any) -> InvalidDataError:
        """Translate an error of Arrow into our words, without quoting any value: it may belong to a dropped column."""
        text = str(error)
        if "straddling" in text:
            return InvalidDataError(
                f"{self.path}: has a line of more than {LINE_LIMIT // 2**20} MiB; is it a CSV file, and does every "
                "quoted value end?"
            )
        if isinstance(error, UnicodeError) or "UTF8" in text:
            return not_in_encoding(self.path, self.encoding, _undecodable_line(self.path, self.encoding))
        return self._uneven_row(convert) or InvalidDataError(
            f"{self.path}: cannot be read as CSV ({error_reason(error)})"
        )

    def _uneven_row(self, convert: Any) -> InvalidDataError | None:
        """Read the file again, row by row, up to the first one with too many or too few values, if any."""
        message = ""
        try:
            with (
                self._open_stream() as stream,
                pa.csv.open_csv(stream, *self._csv_options(in_order=True), convert) as all_,
            ):
                for _ in all_:
                    pass
        except UNREADABLE as error:
            message = str(error)
        if (match := _UNEVEN.search(message)) is None:
            return None
        row, expected, found = match.groups()
        where = f"row {int(row) - self.has_header}" if row is not None else "a row"
        ends = None if row is None else self._line_of_row(int(row))
        line = "" if ends is None else f"line {ends}, "
        if int(found) > int(expected):
            why = "does a value contain the delimiter without quotes, or has the first line no names of columns?"
        else:
            why = "delete it if it is a title, a total or a footer; or is a quote left open?"
        return InvalidDataError(
            f"{self.path}: {where} has {number_of(int(found), 'value')}, expected {expected} ({line}delimiter "
            f"{quoted(self.delimiter)}); {why}"
        )

    def _line_of_row(self, row: int) -> int | None:
        """Return the number, from 1, of the line on which a row ends, the names being row 1; None if it is unknown."""
        with open_content(self.path) as stream:
            text = io.TextIOWrapper(stream, encoding=self.encoding, errors="replace", newline="")
            rows = csv.reader(text, delimiter=self.delimiter)
            try:
                next(islice((cells for cells in rows if cells or len(self.names) == 1), row - 1, None), None)
            except csv.Error:  # a value of more than 128 KiB before it
                return None
            finally:
                text.detach()
        return rows.line_num


def _without_space(column: pa.ChunkedArray) -> pa.ChunkedArray:
    import pyarrow.compute as pc  # noqa: PLC0415  (slow to import, and seldom needed)

    if pa.types.is_dictionary(column.type):
        chunks = [
            pa.DictionaryArray.from_arrays(chunk.indices, pc.utf8_ltrim(chunk.dictionary, " "))
            for chunk in column.chunks
        ]
        return pa.chunked_array(chunks, column.type)
    return pc.utf8_ltrim(column, " ")


_UNDECODABLE = "\ud800"
"""Replaces bytes that are no text: half a character, which no text has."""


def _undecodable_line(path: Path, encoding: str) -> int:
    """Return the number, from 1, of the first line that is not text in an encoding."""
    codecs.register_error("mark", lambda error: (_UNDECODABLE, getattr(error, "end", 0)))
    with open_content(path) as stream:
        text = io.TextIOWrapper(stream, encoding=encoding, errors="mark", newline="\n")
        line = next((number for number, content in enumerate(text, 1) if _UNDECODABLE in content), 1)
        text.detach()
    return line


_QUOTE = ord('"')


def _is_ascii_beyond_doubt(encoding: str) -> bool:
    """Return whether a byte below 128 is always the ASCII character, as in UTF-8 and most single-byte encodings."""
    every_byte = bytes(range(256))
    letters = every_byte.decode(encoding, "replace")
    return encoding == "utf-8" or (len(letters) == len(every_byte) and letters.startswith(every_byte[:128].decode()))


def _quotes_alternate(path: Path, delimiter: str) -> bool:
    """Return whether quotes alternately open and close values; an escaped pair closes and opens one.

    This is a fast check; a file that fails it can still be valid.
    """
    is_border = np.zeros(256, np.bool_)
    is_border[[_QUOTE, ord(delimiter), *b"\r\n"]] = True
    opens = True
    last = b"\n"
    with open_content(path) as stream:
        block = stream.read(FILE_BYTES).removeprefix(b"\xef\xbb\xbf")
        while block:
            following = stream.read(FILE_BYTES)
            content = np.frombuffer(last + block + (following[:1] or b"\n"), np.uint8)
            quotes = np.flatnonzero(content[1:-1] == _QUOTE)
            first, second = (quotes[::2], quotes[1::2]) if opens else (quotes[1::2], quotes[::2])
            if not (is_border[content[first]].all() and is_border[content[second + 2]].all()):
                return False
            opens ^= bool(len(quotes) % 2)
            last, block = block[-1:], following
    return opens
