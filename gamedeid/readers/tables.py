"""CSV and Parquet files as Arrow tables, read strictly: what is odd is refused, never guessed."""

import csv
import gzip
import zlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from gamedeid.errors import InvalidDataError, quoted

LINE_LIMIT = 2**20
"""Longest line, in bytes, that a table may have."""

DELIMITERS = ",;\t|"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFile:
    """A table on disk whose header has been read and checked.

    Parameters
    ----------
    path : of a .parquet file, or of a CSV file, plain or gzipped.
    names : its columns, in order, each once.
    has_header : whether the first line holds the names (CSV).
    delimiter : between values (CSV).
    trimmed : whether values follow delimiters after a space, which is then not part of them (CSV).
    encoding : of the text (CSV).
    """

    path: Path
    names: tuple[str, ...]
    has_header: bool = True
    delimiter: str = ","
    trimmed: bool = False
    encoding: str = "utf-8"

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
        if path.suffix == ".parquet":
            return cls(path=path, names=_once(path, _parquet_names(path)))
        try:
            with _opened(path) as stream:
                start = stream.read(LINE_LIMIT)
        except FileNotFoundError:
            raise InvalidDataError(f"{path}: no such file") from None
        except IsADirectoryError:
            raise InvalidDataError(f"{path}: is a folder; expected a CSV or Parquet file") from None
        except (OSError, EOFError, zlib.error) as error:
            raise InvalidDataError(f"{path}: cannot be read ({_reason(error)})") from None
        first = _first_line(path, start, encoding)
        delimiter = max(DELIMITERS, key=first.count)
        cells = [cell.strip() for cell in next(csv.reader([first], delimiter=delimiter))]
        if names is not None and len(names) != len(cells):
            raise InvalidDataError(
                f"{path}: expected {len(names)} columns as named in the scenario, found {len(cells)}"
            )
        return cls(
            path=path,
            names=_once(path, names or cells),
            has_header=names is None,
            delimiter=delimiter,
            trimmed=f"{delimiter} " in first,
            encoding=encoding,
        )

    def read(self, columns: Collection[str], *, coded: Collection[str] = ()) -> pa.Table:
        """Return the named columns, in the file's order; no other column is kept in memory.

        Parameters
        ----------
        columns : which to read, each one of ``names``. Text stays text: nothing is taken for a number or for missing.
        coded : those of them to hold as dictionaries, for columns of few distinct values.

        Raises
        ------
        InvalidDataError : a row with too many or too few values, text in another encoding, or no row at all.
        """
        wanted = [name for name in self.names if name in set(columns)]
        if self.path.suffix == ".parquet":
            try:
                table = pa.parquet.read_table(self.path, columns=wanted, partitioning=None)
            except (pa.ArrowException, OSError) as error:
                raise InvalidDataError(f"{self.path}: is no readable Parquet file ({_reason(error)})") from None
        else:
            table = self._read_csv(wanted, set(coded))
        if table.num_rows == 0:
            raise InvalidDataError(f"{self.path}: has no rows")
        return table

    def _read_csv(self, wanted: list[str], coded: set[str]) -> pa.Table:
        types = {name: pa.dictionary(pa.int32(), pa.string()) if name in coded else pa.string() for name in wanted}
        convert = pa.csv.ConvertOptions(column_types=types, include_columns=wanted, strings_can_be_null=False)
        try:
            table = pa.csv.read_csv(self.path, self._read_options(), self._parse_options(), convert)
        except (pa.ArrowException, OSError, EOFError, zlib.error) as error:
            raise self._explained(error) from None
        if self.trimmed:
            table = pa.table({name: _trimmed(table.column(name)) for name in table.column_names})
        return table

    def _read_options(self, *, threads: bool = True) -> Any:
        return pa.csv.ReadOptions(
            column_names=list(self.names),
            skip_rows=int(self.has_header),
            encoding=self.encoding,
            use_threads=threads,
            block_size=LINE_LIMIT,
        )

    def _parse_options(self, handler: Any = None) -> Any:
        return pa.csv.ParseOptions(
            delimiter=self.delimiter,
            newlines_in_values=True,
            ignore_empty_lines=len(self.names) > 1,
            invalid_row_handler=handler,
        )

    def _explained(self, error: Exception) -> InvalidDataError:
        """Say in our words what Arrow found, without quoting any value: it may belong to a dropped column."""
        text = str(error)
        if "straddling" in text:
            return InvalidDataError(
                f"{self.path}: has a line of more than {LINE_LIMIT // 2**20} MiB; is it a CSV file?"
            )
        if "UTF8" in text or "codec" in text:
            line = _undecodable_line(self.path, self.encoding)
            return InvalidDataError(
                f"{self.path}: line {line} is not {self.encoding} text; save the file as UTF-8, or name its encoding in the "
                'scenario (encoding = "latin-1")'
            )
        if "columns, got" in text:
            return self._uneven_row()
        return InvalidDataError(f"{self.path}: cannot be read as CSV ({_reason(error)})")

    def _uneven_row(self) -> InvalidDataError:
        found: list[Any] = []

        def remember(row: Any) -> str:
            found.append(row)
            return "error"

        try:
            pa.csv.read_csv(self.path, self._read_options(threads=False), self._parse_options(remember))
        except pa.ArrowException:
            pass
        row = found[0]
        where = f"row {row.number}" if row.number is not None else "a row"
        return InvalidDataError(
            f"{self.path}: {where} has {row.actual_columns} values, expected {row.expected_columns} "
            f"(delimiter {quoted(self.delimiter)}); is a value with the delimiter in it left without quotes?"
        )


def _opened(path: Path) -> IO[bytes]:
    return gzip.open(path) if path.suffix == ".gz" else path.open("rb")


def _first_line(path: Path, start: bytes, encoding: str) -> str:
    if not start:
        raise InvalidDataError(f"{path}: is empty; expected a header and rows")
    if start[:2] in (b"\xff\xfe", b"\xfe\xff") and encoding == "utf-8":
        raise InvalidDataError(f'{path}: is UTF-16 text; save it as UTF-8, or set encoding = "utf-16" in the scenario')
    if b"\n" not in start and len(start) == LINE_LIMIT and encoding == "utf-8":
        raise InvalidDataError(f"{path}: its first line is longer than {LINE_LIMIT // 2**20} MiB; is it a CSV file?")
    line = start.splitlines()[0] if encoding == "utf-8" else start
    try:
        text = line.removeprefix(b"\xef\xbb\xbf").decode(encoding, errors="strict" if line is not start else "ignore")
    except UnicodeDecodeError:
        raise InvalidDataError(
            f"{path}: line 1 is not {encoding} text; save the file as UTF-8, or name its encoding in the scenario "
            '(encoding = "latin-1")'
        ) from None
    except LookupError:
        raise InvalidDataError(f"{path}: {quoted(encoding)} is no known encoding; try utf-8 or latin-1") from None
    if "\0" in text:
        raise InvalidDataError(f"{path}: is not text; expected a CSV file, or one that ends in .parquet")
    first = next(iter(text.splitlines()), "")
    if not first.strip():
        raise InvalidDataError(f"{path}: its first line is empty; expected the names of the columns")
    return first


def _parquet_names(path: Path) -> list[str]:
    try:
        return list(pa.parquet.read_schema(path).names)
    except FileNotFoundError:
        raise InvalidDataError(f"{path}: no such file") from None
    except (pa.ArrowException, OSError) as error:
        raise InvalidDataError(f"{path}: is no readable Parquet file ({_reason(error)})") from None


def _once(path: Path, names: Sequence[str]) -> tuple[str, ...]:
    for place, name in enumerate(names):
        if name in names[:place]:
            raise InvalidDataError(f"{path}: column {quoted(name)} is named twice; give each column a name of its own")
    return tuple(names)


def _trimmed(column: pa.ChunkedArray) -> pa.ChunkedArray:
    import pyarrow.compute as pc  # noqa: PLC0415  (slow to import, and seldom needed)

    if pa.types.is_dictionary(column.type):
        chunks = [
            pa.DictionaryArray.from_arrays(chunk.indices, pc.utf8_trim_whitespace(chunk.dictionary))
            for chunk in column.chunks
        ]
        return pa.chunked_array(chunks, column.type)
    return pc.utf8_trim_whitespace(column)


def _undecodable_line(path: Path, encoding: str) -> int:
    number = 1
    with _opened(path) as stream:
        for number, line in enumerate(stream, start=1):  # noqa: B007  (the number of the last line is the answer)
            try:
                line.decode(encoding)
            except UnicodeDecodeError:
                break
    return number


def _reason(error: Exception) -> str:
    """Return the kind of an error in one line without any content of the file."""
    strerror = getattr(error, "strerror", None)
    return strerror or str(error).split(":", 1)[0].split("\n", 1)[0]
