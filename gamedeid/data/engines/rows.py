"""The contract of all classes that hold records, and the records that this process reads itself."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
import pyarrow as pa

from gamedeid.arrays import TABLE_ROWS, BoolArray, IntArray
from gamedeid.arrow import as_arrow, recode_dictionary
from gamedeid.capabilities import Feature, Features
from gamedeid.data.columns import to_column, to_pandas
from gamedeid.data.files.tables import TableFile
from gamedeid.data.profiles import Column
from gamedeid.lazy_imports import LazyModule
from gamedeid.reprs import brief, frozen
from gamedeid.results.row_order import ROW_ID, value_order

if TYPE_CHECKING:
    from gamedeid.data import own_values
    from gamedeid.data.frames import Frame
else:  # only a release needs it
    own_values = LazyModule("gamedeid.data.own_values")

RECORD = "record"
"""Column of a record's number, from 0, where records have one."""


@frozen(eq=False)
class ColumnsByProfile:
    """New columns for every record, by its profile.

    Parameters
    ----------
    columns : name -> (q,) new values of the records of each profile. Dictionaries have only values that a row of the
        block has.
    left_out : (q,) whether a profile's records are left out.
    replaces : whether the columns replace those of the same name and all others stay (a release), or follow the
        record's number without any others (strategies).
    of_row : (rows,) int64, the profile of each row that was counted.
    profiles_of : returns the profiles, (k,) integers, of rows given as columns of their attributes.
    by_row : name -> (rows,) a value for each row, before all other columns; records in memory only.
    marked : whether the first column, :data:`row_order.ROW_ID`, is the number of each record, or of its profile if
        records have no numbers.
    """

    columns: Mapping[str, pa.Array]
    left_out: BoolArray
    replaces: bool
    of_row: IntArray
    profiles_of: Callable[[Mapping[str, Column]], IntArray]
    by_row: Mapping[str, pa.Array] = field(default_factory=dict)
    marked: bool = False

    def for_writing(self) -> "ColumnsByProfile":
        """Return the same for a writer: texts as dictionaries."""
        columns = {
            name: column.dictionary_encode() if pa.types.is_string(column.type) else column
            for name, column in self.columns.items()
        }
        return replace(self, columns=columns)


@brief
class ColumnPiece(NamedTuple):
    """Values of a column.

    Parameters
    ----------
    values : (k,) of any type.
    rows : (k,) how many rows have each value; None if each value is that of one row.
    """

    name: str
    values: pa.ChunkedArray
    rows: pa.ChunkedArray | None = None


def pieces_of(tables: Iterable[pa.Table]) -> Iterator[ColumnPiece]:
    """Yield the columns of tables, one table after the other."""
    for table in tables:
        for name in table.column_names:
            yield ColumnPiece(name, table.column(name))


class Rows(Protocol):
    """The records: attributes and kept columns, never a dropped one."""

    @property
    def features(self) -> Features:
        """Features of the rows that operations may refuse: lazy, on a cluster, or read block by block."""
        ...

    @property
    def numbered(self) -> bool:
        """Whether records have numbers, from 0 in input order."""
        ...

    @property
    def seekable(self) -> bool:
        """Whether blocks can be read from any one on, without those before it."""
        ...

    def row(self, number: int) -> pa.Table:
        """Return one record, numbered from 0 and known to exist, as a table of one row."""
        ...

    def rows_in_memory(self) -> pa.Table | None:
        """Return attributes and kept columns, as read, of all records in memory, or of the first block of a file.

        None where rows have no order, or are too costly to bring here.
        """
        ...

    def columns(self, names: Sequence[str]) -> Iterator[ColumnPiece]:
        """Yield attributes and kept columns of all records as read, piece by piece."""
        ...

    def blocks(self, answer: ColumnsByProfile, start: int = 0) -> Iterator[pa.Table]:
        """Yield the answered records in input order, in blocks of ``arrays.TABLE_ROWS`` records.

        Withheld records count towards the size of a block. All blocks have the same columns. Blocks before number
        ``start`` are skipped; if it is 0, there is at least one block.
        """
        ...

    def write(self, answer: ColumnsByProfile, folder: Path) -> list[Path] | None:
        """Have the workers of a cluster write the answered records as Parquet; None if this process has to write.

        This process and all workers must see ``folder``, which does not exist yet, under the same path. The parts are
        returned in the order of the partitions.
        """
        ...

    def frame(self, answer: ColumnsByProfile, *, keep_order: bool = True) -> Any:
        """Return the answered records as the kind of frame that the records came in; pandas for files."""
        ...


def answered_rows(table: pa.Table, of_row: IntArray, answer: ColumnsByProfile, first: int) -> pa.Table:
    """Return the answer joined to rows of a table in memory, (k,), by their profiles, with no values of other rows."""
    released = np.flatnonzero(~answer.left_out.take(of_row))
    profiles = as_arrow(of_row[released].astype(np.int32, copy=False))
    columns = {name: _take_by_profile(column, profiles) for name, column in answer.columns.items()}
    rows = as_arrow(released + first)
    if not answer.replaces:
        return pa.table({RECORD: rows, **columns})
    own = own_values.own_table(table, as_arrow(released), columns, keeps_order=False)
    before: dict[str, pa.Array] = {ROW_ID: rows.cast(pa.int64())} if answer.marked else {}
    before |= {name: column.take(rows) for name, column in answer.by_row.items()}
    return pa.table(before | dict(zip(own.column_names, own.columns, strict=True))) if before else own


def _take_by_profile(column: pa.Array, profiles: pa.Array) -> pa.Array:
    """Return the entries of a column, (q,), for rows of these profiles, (k,)."""
    from pyarrow.compute import take  # noqa: PLC0415  (slow to import)

    taken = take(column, profiles, boundscheck=False)
    return recode_dictionary(taken) if pa.types.is_dictionary(taken.type) else taken


@frozen(eq=False)
class ReadRows:
    """Records that this process reads itself, in their order: all in memory, or in a file too large for it.

    Parameters
    ----------
    source : attributes and kept columns as read, in input order; or the file that they are in.
    given_frame : the same as the data frame they came in; None for a file.
    missing_values : texts of a file for a missing value of an attribute.
    """

    source: pa.Table | TableFile
    given_frame: "Frame | None" = None
    attributes: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    missing_values: Collection[str] = ()

    @property
    def features(self) -> Features:
        """Block by block if they are in a file."""
        return {Feature.STREAMED: "records"} if isinstance(self.source, TableFile) else {}

    @property
    def numbered(self) -> bool:
        """Always True: they are read in their order."""
        return True

    @property
    def seekable(self) -> bool:
        """Whether the rows are in memory or in Parquet; CSV is always read from its beginning."""
        return not isinstance(self.source, TableFile) or self.source.input_file.is_parquet

    def row(self, number: int) -> pa.Table:
        """Return one record, numbered from 0; a file is read up to it."""
        for block in self._read():
            if number < block.num_rows:
                return block.slice(number, 1)
            number -= block.num_rows
        raise IndexError(number)

    def rows_in_memory(self) -> pa.Table:
        """Return all records as read, or the first block of a file; no more of Parquet is read."""
        return next(self._read()) if isinstance(self.source, TableFile) else self.source

    def columns(self, names: Sequence[str]) -> Iterator[ColumnPiece]:
        """Yield the named columns as read, a block at a time."""
        yield from pieces_of(self._read(names))

    def blocks(self, answer: ColumnsByProfile, start: int = 0) -> Iterator[pa.Table]:
        """Yield the answered records in input order, a block at a time."""
        first = start * TABLE_ROWS
        for block in self._read(None if answer.replaces else self.attributes or None, start):
            yield answered_rows(block, self._profiles(block, answer, first), answer, first)
            first += block.num_rows

    def write(self, answer: ColumnsByProfile, folder: Path) -> None:
        """Return None: this process writes the records."""

    def frame(self, answer: ColumnsByProfile, *, keep_order: bool = True) -> Any:
        """Return the answered records as the kind of frame that they came in; those of a file must fit in memory.

        Kept columns of a frame keep their types. Its index, if it has one, is not released: rows are numbered anew.
        """
        whole = (
            pa.concat_tables(self.blocks(answer))
            if isinstance(self.source, TableFile)
            else answered_rows(self.source, answer.of_row, answer, 0)
        )
        order = None if keep_order else value_order(whole)
        whole = whole if order is None else whole.take(as_arrow(order))
        if self.given_frame is None or not answer.replaces:
            return to_pandas(whole)
        released = (~answer.left_out[answer.of_row]).nonzero()[0]
        released = released if order is None else released[order]
        new = {name: whole.column(name) for name in answer.columns}
        return self.given_frame.released(released, new, {name: whole.column(name) for name in answer.by_row})

    def _read(self, names: Sequence[str] | None = None, start: int = 0) -> Iterator[pa.Table]:
        """Yield blocks of the named columns, or of all, from the block numbered ``start`` on."""
        if isinstance(self.source, TableFile):
            return self.source.blocks((*self.attributes, *self.kept) if names is None else names, start)
        table = self.source if names is None else self.source.select(list(names))
        return (table.slice(first, TABLE_ROWS) for first in range(start * TABLE_ROWS, self.source.num_rows, TABLE_ROWS))

    def _profiles(self, block: pa.Table, answer: ColumnsByProfile, first: int) -> IntArray:
        """Return the profiles, (k,), of the rows of a block that begins with row number ``first``."""
        if not isinstance(self.source, TableFile):
            return answer.of_row[first : first + block.num_rows]
        table_name = str(self.source.path)
        return answer.profiles_of(
            {name: to_column(block.column(name), name, table_name, self.missing_values) for name in self.attributes}
        )
