"""Records that this process reads itself: held in memory, or in a file that is read block by block."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from gamedeid.blocks import TABLE_ROWS
from gamedeid.data.columns import to_column, to_pandas
from gamedeid.data.engines.contract import Answer, ColumnPiece, answered_rows, pieces_of
from gamedeid.data.files.tables import TableFile
from gamedeid.data.frames import Frame
from gamedeid.data.profiles import Column
from gamedeid.reprs import frozen


@frozen(eq=False)
class RowsInMemory:
    """Records that are all at hand, each counted by itself.

    Parameters
    ----------
    table : attributes and kept columns as read, in input order.
    given_frame : the same as the data frame they came in; None for a file.
    """

    table: pa.Table
    given_frame: Frame | None = None

    @property
    def seekable(self) -> bool:
        """Any row is at hand."""
        return True

    def row(self, number: int) -> pa.Table:
        """Return one record, numbered from 0."""
        return self.table.slice(number, 1)

    def first_block(self) -> pa.Table:
        """Return the first block of records as read."""
        return self.table.slice(0, TABLE_ROWS)

    def columns(self, names: Sequence[str]) -> Iterator[ColumnPiece]:
        """Yield the named columns as read, a block at a time."""
        table = self.table.select(list(names))
        yield from pieces_of(table.slice(first, TABLE_ROWS) for first in range(0, table.num_rows, TABLE_ROWS))

    def blocks(self, answer: Answer, start: int = 0) -> Iterator[pa.Table]:
        """Yield the answered records in input order, a block at a time."""
        for first in range(start * TABLE_ROWS, self.table.num_rows, TABLE_ROWS):
            yield answered_rows(
                self.table.slice(first, TABLE_ROWS), answer.of_row[first : first + TABLE_ROWS], answer, first
            )

    def frame(self, answer: Answer) -> Any:
        """Return the answered records as the kind of frame that they came in.

        Kept columns of a frame keep their types. Its index, if it has one, is not released: rows are numbered anew.
        """
        whole = answered_rows(self.table, answer.of_row, answer, 0)
        if self.given_frame is None or not answer.replaces:
            return to_pandas(whole)
        released = (~answer.left_out[answer.of_row]).nonzero()[0]
        new = {name: whole.column(name) for name in answer.columns}
        return self.given_frame.released(released, new, {name: whole.column(name) for name in answer.by_row})


@frozen(eq=False)
class StreamedRows:
    """Records of a file too large to hold.

    Parameters
    ----------
    file : where they are.
    attributes, kept : names of its columns that are read.
    missing_values : texts that stand for a missing value of an attribute.
    """

    file: TableFile
    attributes: tuple[str, ...]
    kept: tuple[str, ...]
    missing_values: Collection[str]

    @property
    def seekable(self) -> bool:
        """Whether the file is Parquet: of CSV all that comes before is read too."""
        return self.file.is_parquet

    def row(self, number: int) -> pa.Table:
        """Return one record, numbered from 0; the file is read up to it."""
        for block in self.file.blocks((*self.attributes, *self.kept)):
            if number < block.num_rows:
                return block.slice(number, 1)
            number -= block.num_rows
        raise IndexError(number)

    def first_block(self) -> pa.Table:
        """Return the first block of records as read; no more of a Parquet file is looked at."""
        return next(self.file.blocks((*self.attributes, *self.kept)))

    def columns(self, names: Sequence[str]) -> Iterator[ColumnPiece]:
        """Yield the named columns as read, a block of the file at a time."""
        yield from pieces_of(self.file.blocks(names))

    def blocks(self, answer: Answer, start: int = 0) -> Iterator[pa.Table]:
        """Yield the answered records in input order, a block of the file at a time."""
        first = start * TABLE_ROWS
        for block in self.file.blocks((*self.attributes, *(self.kept if answer.replaces else ())), start):
            yield answered_rows(block, answer.profiles_of(self._columns(block)), answer, first)
            first += block.num_rows

    def frame(self, answer: Answer) -> Any:
        """Return all answered records in one pandas frame, which must fit in memory."""
        return to_pandas(pa.concat_tables(self.blocks(answer)))

    def _columns(self, block: pa.Table) -> Mapping[str, Column]:
        return {
            name: to_column(block.column(name), name, str(self.file.path), self.missing_values)
            for name in self.attributes
        }
