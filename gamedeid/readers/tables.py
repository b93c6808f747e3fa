"""CSV and Parquet files as Arrow tables, read strictly: what is odd is refused, never guessed."""

import codecs
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from gamedeid.errors import InvalidDataError, quoted
from gamedeid.readers.columns import without_views
from gamedeid.readers.headers import LINE_LIMIT, known_encoding, not_in_encoding, read_header
from gamedeid.readers.quotes import refuse_stray_quotes
from gamedeid.readers.streams import UNREADABLE, is_gzipped, opened, reason

PARQUET = ".parquet"

BLOCK = 2**19
"""Rows that are held at a time where a table is read or written in blocks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFile:
    """A table on disk whose header has been read and checked.

    Parameters
    ----------
    path : of a .parquet file, a folder of such files, or a CSV file, plain or gzipped.
    names : its columns, in order, each once.
    has_header : whether the first row holds the names (CSV).
    delimiter : between values (CSV).
    spaced : whether values follow delimiters after a space, which is then not part of them (CSV).
    encoding : of the text (CSV).
    parts : the files of a folder, in the order of their names; empty for a file.
    """

    path: Path
    names: tuple[str, ...]
    has_header: bool = True
    delimiter: str = ","
    spaced: bool = False
    encoding: str = "utf-8"
    parts: tuple[Path, ...] = ()

    @classmethod
    def open(cls, path: Path, *, names: Sequence[str] | None = None, encoding: str = "utf-8") -> "TableFile":
        """Look at the beginning of a file.

        Parameters
        ----------
        path : the file.
        names : columns of a CSV file that has no header.
        encoding : of a CSV file.

        Raises
        ------
        InvalidDataError : no such file, an empty one, one that is no table, or a column named twice.
        """
        if is_parquet(path):
            if names is not None:
                raise InvalidDataError(f"{path}: a Parquet file names its columns; leave `columns` out")
            parts = parts_of(path)
            names_of = [_once(part, _parquet_names(part)) for part in parts or (path,)]
            for part, others in zip(parts, names_of, strict=False):
                if others != names_of[0]:
                    raise InvalidDataError(
                        f"{part}: has other columns than {parts[0].name}; "
                        "the files of a folder must be parts of one table"
                    )
            return cls(path=path, names=names_of[0], parts=parts)
        encoding = known_encoding(path, encoding)
        header = read_header(path, names=names, encoding=encoding)
        return cls(
            path=path,
            names=_once(path, header.names),
            has_header=names is None,
            delimiter=header.delimiter,
            spaced=header.spaced,
            encoding=encoding,
        )

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files that the table is made of."""
        return self.parts or (self.path,)

    @property
    def is_parquet(self) -> bool:
        """Whether it is Parquet, and not CSV."""
        return is_parquet(self.path)

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return sum(path.stat().st_size for path in self.paths)

    def read(self, columns: Collection[str], *, coded: Collection[str] = ()) -> pa.Table:
        """Return the named columns, in the file's order; no other column is kept in memory.

        Parameters
        ----------
        columns : which to read, each one of ``names``. Text stays text: nothing is taken for a number or for missing.
        coded : those of them to hold as dictionaries, for columns of few distinct values.

        Raises
        ------
        InvalidDataError : a row with too many or too few values, a quoted value without an end, text in another
            encoding, or no row at all.
        """
        wanted = [name for name in self.names if name in set(columns)]
        table = self._read_parquet(wanted) if is_parquet(self.path) else self._read_csv(wanted, set(coded))
        if table.num_rows == 0:
            raise InvalidDataError(f"{self.path}: has no rows")
        return table

    def blocks(self, columns: Collection[str], start: int = 0) -> Iterator[pa.Table]:
        """Yield the named columns in input order, in blocks of ``BLOCK`` rows, of which the last may have fewer.

        Parameters
        ----------
        columns : which to read, each one of ``names``; they come in the file's order.
        start : number of the first block wanted; without it there is at least one.

        Raises
        ------
        InvalidDataError : as :meth:`read`, when the row in question is reached.
        """
        wanted = [name for name in self.names if name in set(columns)]
        nothing = not start
        for block in rechunked(self._pieces(wanted, start * BLOCK), BLOCK):
            nothing = False
            yield block
        if nothing:
            raise InvalidDataError(f"{self.path}: has no rows")

    def _pieces(self, wanted: list[str], skip: int) -> Iterator[pa.Table]:
        """Yield rows as the file has them together, from row ``skip`` on."""
        if self.is_parquet:
            yield from self._parquet_pieces(wanted, skip)
            return
        for piece in self._csv_pieces(wanted):
            if skip < piece.num_rows:
                yield piece.slice(skip)
            skip = max(0, skip - piece.num_rows)

    def _parquet_pieces(self, wanted: list[str], skip: int) -> Iterator[pa.Table]:
        for path in self.paths:
            try:
                with pa.parquet.ParquetFile(path) as part:
                    groups = [part.metadata.row_group(group).num_rows for group in range(part.num_row_groups)]
                    while groups and groups[0] <= skip:
                        skip -= groups.pop(0)
                    chosen = range(part.num_row_groups - len(groups), part.num_row_groups)
                    for batch in part.iter_batches(BLOCK, row_groups=list(chosen), columns=wanted):
                        if skip < batch.num_rows:
                            yield without_views(pa.Table.from_batches([batch.slice(skip)]))
                        skip = max(0, skip - batch.num_rows)
            except UNREADABLE as error:
                raise InvalidDataError(f"{path}: is no readable Parquet file ({reason(error)})") from None

    def _csv_pieces(self, wanted: list[str]) -> Iterator[pa.Table]:
        refuse_stray_quotes(self.path, delimiter=self.delimiter, spaced=self.spaced, encoding=self.encoding)
        convert = self._conversion(wanted, set())
        try:
            with self._stream() as stream, pa.csv.open_csv(stream, *self._form(), convert) as batches:
                for batch in batches:
                    yield self._without_spaces(pa.Table.from_batches([batch]))
        except UNREADABLE as error:
            raise self._explained(error, convert) from None

    def _read_parquet(self, wanted: list[str]) -> pa.Table:
        try:
            tables = [pa.parquet.read_table(path, columns=wanted, partitioning=None) for path in self.paths]
            return without_views(pa.concat_tables(tables))
        except UNREADABLE as error:
            raise InvalidDataError(f"{self.path}: is no readable Parquet file ({reason(error)})") from None

    def _read_csv(self, wanted: list[str], coded: set[str]) -> pa.Table:
        convert = self._conversion(wanted, coded)
        try:
            table = self._parsed(convert)
        except UNREADABLE as error:
            raise self._explained(error, convert) from None
        refuse_stray_quotes(self.path, delimiter=self.delimiter, spaced=self.spaced, encoding=self.encoding)
        return self._without_spaces(table)

    def _without_spaces(self, table: pa.Table) -> pa.Table:
        if not self.spaced:
            return table
        after = set(self.names[1:])
        columns = {name: table.column(name) for name in table.column_names}
        return pa.table({name: _without_space(one) if name in after else one for name, one in columns.items()})

    def _parsed(self, convert: Any, *, threads: bool = True, handler: Any = None) -> pa.Table:
        with self._stream() as stream:
            return pa.csv.read_csv(stream, *self._form(threads=threads, handler=handler), convert)

    def _stream(self) -> Any:
        return pa.input_stream(str(self.path), compression="gzip" if is_gzipped(self.path) else None)

    def _conversion(self, wanted: list[str], coded: set[str]) -> Any:
        types = {name: pa.dictionary(pa.int32(), pa.string()) if name in coded else pa.string() for name in wanted}
        return pa.csv.ConvertOptions(column_types=types, include_columns=wanted, strings_can_be_null=False)

    def _form(self, *, threads: bool = True, handler: Any = None) -> tuple[Any, Any]:
        """Return how the text is cut into blocks, and how a block is cut into values."""
        reading = pa.csv.ReadOptions(
            column_names=list(self.names),
            skip_rows_after_names=int(self.has_header),
            encoding=self.encoding,
            use_threads=threads,
            block_size=LINE_LIMIT,
        )
        parsing = pa.csv.ParseOptions(
            delimiter=self.delimiter,
            newlines_in_values=True,
            ignore_empty_lines=len(self.names) > 1,
            invalid_row_handler=handler,
        )
        return reading, parsing

    def _explained(self, error: Exception, convert: Any) -> InvalidDataError:
        """Say in our words what Arrow found, without quoting any value: it may belong to a dropped column."""
        text = str(error)
        if "straddling" in text:
            return InvalidDataError(
                f"{self.path}: has a line of more than {LINE_LIMIT // 2**20} MiB; is it a CSV file, and does every "
                "quoted value end?"
            )
        if "UTF8" in text or "codec" in text:
            return not_in_encoding(self.path, self.encoding, _undecodable_line(self.path, self.encoding))
        return self._uneven_row(convert) or InvalidDataError(f"{self.path}: cannot be read as CSV ({reason(error)})")

    def _uneven_row(self, convert: Any) -> InvalidDataError | None:
        found: list[Any] = []

        def remember(row: Any) -> str:
            found.append(row)
            return "error"

        with suppress(*UNREADABLE):
            self._parsed(convert, threads=False, handler=remember)
        if not found:
            return None
        row = found[0]
        where = f"row {row.number - self.has_header}" if row.number is not None else "a row"
        return InvalidDataError(
            f"{self.path}: {where} has {row.actual_columns} value{'s' * (row.actual_columns != 1)}, expected "
            f"{row.expected_columns} (delimiter {quoted(self.delimiter)}); is a value with the delimiter in it left "
            "without quotes, or a quote left open?"
        )


def rechunked(tables: Iterable[pa.Table], rows: int) -> Iterator[pa.Table]:
    """Yield the same rows in tables of so many rows each, of which the last may have fewer."""
    waiting: list[pa.Table] = []
    count = 0
    for table in tables:
        waiting.append(table)
        count += table.num_rows
        while count >= rows:
            together = pa.concat_tables(waiting)
            yield together.slice(0, rows)
            waiting, count = [together.slice(rows)], count - rows
    if count:
        yield pa.concat_tables(waiting)


def is_parquet(path: Path) -> bool:
    """Return whether a file, or the files of a folder, are Parquet, by their names."""
    return path.suffix.lower() == PARQUET or bool(parts_of(path))


def parts_of(path: Path) -> tuple[Path, ...]:
    """Return the Parquet files in a folder, in the order of their names; none where there are none, or no folder."""
    try:
        inside = sorted(path.iterdir()) if path.is_dir() else []
    except OSError:
        return ()
    shown = [part for part in inside if not part.name.startswith((".", "_"))]
    return tuple(part for part in shown if part.suffix.lower() == PARQUET and part.is_file())


def _parquet_names(path: Path) -> list[str]:
    is_gzipped(path)  # refuses what is no file at all
    try:
        return list(pa.parquet.read_schema(path).names)
    except UNREADABLE as error:
        raise InvalidDataError(f"{path}: is no readable Parquet file ({reason(error)})") from None


def _once(path: Path, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names; two alike are told by their places, since without a header they are somebody's values."""
    for place, name in enumerate(names):
        if name in names[:place]:
            raise InvalidDataError(
                f"{path}: columns {names.index(name) + 1} and {place + 1} have the same name; give each a name of its "
                "own, or name the columns in the scenario if the file has no header (columns = [...])"
            )
    return tuple(names)


def _without_space(column: pa.ChunkedArray) -> pa.ChunkedArray:
    import pyarrow.compute as pc  # noqa: PLC0415  (slow to import, and seldom needed)

    if pa.types.is_dictionary(column.type):
        chunks = [
            pa.DictionaryArray.from_arrays(chunk.indices, pc.utf8_ltrim(chunk.dictionary, " "))
            for chunk in column.chunks
        ]
        return pa.chunked_array(chunks, column.type)
    return pc.utf8_ltrim(column, " ")


def _undecodable_line(path: Path, encoding: str) -> int:
    """Return the number, from 1, of the first line that is not text in an encoding."""
    decoder = codecs.getincrementaldecoder(encoding)()
    line = 1
    with opened(path) as stream:
        try:
            while block := stream.read(LINE_LIMIT):
                line += decoder.decode(block).count("\n")
            decoder.decode(b"", final=True)
        except UnicodeDecodeError as error:
            line += error.object[: error.start].decode(encoding).count("\n")
    return line
