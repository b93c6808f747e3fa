"""Records in memory: those of an eager frame, or of a file that is small enough."""

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from gamedeid.blocks import TABLE_ROWS
from gamedeid.data.columns import to_pandas
from gamedeid.data.engines.contract import Answer, ColumnPiece, answered_rows, pieces_of
from gamedeid.data.frames import Frame
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
