"""A table on disk, CSV, Parquet or of SAS, SPSS, Stata or Excel, whole or in blocks of rows."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from gamedeid.arrays import TABLE_ROWS
from gamedeid.arrow import rechunked
from gamedeid.data.columns import FIRST_ROWS, numeric_columns
from gamedeid.data.files.csv import CsvFile
from gamedeid.data.files.headers import COMPARED_ROWS, refuse_values_as_names
from gamedeid.errors import InvalidDataError, did_you_mean, listed, quoted
from gamedeid.file_identity import InputFile
from gamedeid.reprs import frozen

if TYPE_CHECKING:
    from gamedeid.data.files.parquet import ParquetFiles
    from gamedeid.data.files.programs import ProgramFile


@frozen
class TableFile:
    """A table on disk whose header has been read and checked.

    Parameters
    ----------
    path : of a .parquet file, a folder of such files, a file of SAS, SPSS, Stata or Excel, or a CSV file, plain or
        gzipped.
    input_file : the files as they were when first read.
    """

    path: Path
    names: tuple[str, ...]
    input_file: InputFile
    content: "CsvFile | ParquetFiles | ProgramFile"

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        names: Sequence[str] | None = None,
        encoding: str = "utf-8",
        expected: Collection[str] = (),
    ) -> "TableFile":
        """Look at the beginning of a file."""
        input_file = InputFile.at(path)
        content = _content_of(input_file, names, encoding, expected)
        return cls(path=path, names=_refuse_repeated_names(path, content.names), input_file=input_file, content=content)

    @property
    def table_name(self) -> str:
        """Name of the table in messages."""
        return str(self.path)

    def unpacked_size(self, columns: Collection[str], most: int) -> int:
        """Return how many bytes a table takes unpacked, counted up to ``most``.

        For CSV it is the size of the text; for Parquet, an estimate from the number and length of the values in the
        named columns.
        """
        return self.content.unpacked_size(self._wanted(columns), most)

    def types(self, columns: Collection[str]) -> dict[str, pa.DataType]:
        """Return the Arrow types of the named columns; all columns of a CSV file are text."""
        return self.content.types(self._wanted(columns))

    def read(self, columns: Collection[str], *, coded: Collection[str] = ()) -> pa.Table:
        """Return the named columns, in the file's order; no other column is kept in memory."""
        with self.input_file.unchanged():
            table = self.content.read(self._wanted(columns), set(coded))
        if table.num_rows == 0:
            raise InvalidDataError(f"{self.path}: has no rows")
        return table

    def blocks(self, columns: Collection[str], start: int = 0) -> Iterator[pa.Table]:
        """Yield the named columns in input order, in blocks of ``TABLE_ROWS`` rows; the last may have fewer.

        ``start`` is the number of the first block; if it is 0, there is at least one.
        """
        nothing = not start
        blocks = rechunked(self.content.pieces(self._wanted(columns), start * TABLE_ROWS), TABLE_ROWS)
        while True:
            with self.input_file.unchanged():
                block = next(blocks, None)
            if block is None:
                break
            nothing = False
            yield block
        if nothing:
            raise InvalidDataError(f"{self.path}: has no rows")

    def first_rows(self, columns: Collection[str], most: int) -> pa.Table:
        """Return the named columns of the first ``most`` rows at most, with their types; there may be no rows."""
        return self.content.first_rows(self._wanted(columns), most)

    def numeric_columns(self, columns: Collection[str], missing_values: Collection[str]) -> list[str]:
        """Return those of the named columns that hold numbers; of text, those whose first rows read as numbers."""
        return numeric_columns(self.first_rows(columns, FIRST_ROWS), missing_values)

    def refuse_no_header(self) -> None:
        """Refuse a first row that holds values in place of names; to be called before names are shown."""
        if not self.content.has_header or (self.content.delimiter is None and self.input_file.program != "Excel"):
            return
        try:
            later_rows = self.first_rows(self.names, COMPARED_ROWS)
        except InvalidDataError:  # the reader of the rows reports their faults
            later_rows = None
        refuse_values_as_names(self.table_name, self.names, later_rows)

    def refuse_absent(self, wanted: Collection[str]) -> None:
        """Check that the file has columns of these names."""
        if not set(wanted) <= set(self.names):
            self.refuse_no_header()
        refuse_absent(self.table_name, self.names, wanted)

    def _wanted(self, columns: Collection[str]) -> list[str]:
        wanted = set(columns)
        return [name for name in self.names if name in wanted]


def _content_of(
    file: InputFile, names: Sequence[str] | None, encoding: str, expected: Collection[str]
) -> "CsvFile | ParquetFiles | ProgramFile":
    if file.path.suffix.lower() == ".toml":
        raise InvalidDataError(
            f"{file.path}: is no table by its name (TOML); name a table, such as a .csv or .parquet file"
        )
    if not file.is_parquet and file.program is None:
        return CsvFile.open(file.path, names, encoding, expected)
    if names is not None:
        kind = "Parquet file" if file.is_parquet else f"file of {file.program}"
        raise InvalidDataError(f"{file.path}: a {kind} names its columns; leave `columns` out")
    if file.program is not None:
        from gamedeid.data.files.programs import ProgramFile  # noqa: PLC0415  (of an extra)

        return ProgramFile.open(file.path, file.program, encoding)
    from gamedeid.data.files.parquet import ParquetFiles  # noqa: PLC0415  (CSV does without)

    return ParquetFiles.open(file.paths)


def refuse_absent(table_name: str, names: Sequence[str], wanted: Collection[str]) -> None:
    """Check that a table has columns of these names."""
    present = set(names)
    for name in wanted:
        if name not in present:
            refuse_values_as_names(table_name, names)
            hint = did_you_mean(name, names) or f"; its columns are {listed(names) or 'none'}"
            raise InvalidDataError(f"{table_name}: there is no column {quoted(name)}{hint}")


def _refuse_repeated_names(path: Path, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names; the error for equal names gives only their places: they may be a record's values."""
    nameless = [place for place, name in enumerate(names, 1) if not name]
    if len(nameless) > 1:
        raise InvalidDataError(
            f"{path}: {len(nameless):,} columns have no name, from column {nameless[0]} on; delete those without "
            "values, and give each other one a name"
        )
    first: dict[str, int] = {}
    for place, name in enumerate(names):
        if first.setdefault(name, place) != place:
            raise InvalidDataError(
                f"{path}: columns {first[name] + 1} and {place + 1} have the same name; give each another name, "
                "or name the columns in the scenario if the file has no header (columns = [...])"
            )
    return tuple(names)
