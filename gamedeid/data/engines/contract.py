"""What every keeper of rows promises: the answer is put to each row where the row is."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, NamedTuple, Protocol

import numpy as np
import pyarrow as pa

from gamedeid.arrays import BoolArray, IntArray
from gamedeid.arrow import as_arrow
from gamedeid.data.own_values import coded_anew, own_table
from gamedeid.data.profiles import Column
from gamedeid.reprs import brief, frozen

RECORD = "record"
"""Column of a record's number, from 0, where records have one."""


@frozen(eq=False)
class Answer:
    """New columns for every record, by its profile.

    Parameters
    ----------
    columns : name -> (q,) what the records of each profile get. Dictionaries come with those values only that stand in
        a row of the block.
    left_out : (q,) whether a profile's records are left out.
    replaces : whether the columns take the places of those of the same name, beside the others (a release), or stand
        alone after the record's number (strategies).
    of_row : (rows,) int64, the profile of each row that was counted.
    profiles_of : tells the profiles, (k,) integers, of rows given as columns of their attributes.
    by_row : name -> (rows,) what each row gets by itself, before all other columns; records in memory only.
    for_writers : whether tables are for a writer only, which looks at their rows; then buffers may hold other rows.
    """

    columns: Mapping[str, pa.Array]
    left_out: BoolArray
    replaces: bool
    of_row: IntArray
    profiles_of: Callable[[Mapping[str, Column]], IntArray]
    by_row: Mapping[str, pa.Array] = field(default_factory=dict)
    for_writers: bool = False

    def for_writing(self) -> "Answer":
        """Return the same for a writer: texts as dictionaries, and columns of which all rows are released uncopied."""
        columns = {
            name: column.dictionary_encode() if pa.types.is_string(column.type) else column
            for name, column in self.columns.items()
        }
        return replace(self, columns=columns, for_writers=True)


@brief
class ColumnPiece(NamedTuple):
    """Values of a column.

    Parameters
    ----------
    name : of the column.
    values : (k,) of any type.
    rows : (k,) how many rows have each value; None where each is that of one row.
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
    """The records, where they are: attributes and kept columns, never a dropped one."""

    @property
    def seekable(self) -> bool:
        """Whether blocks can be had from any one on without those before it."""
        ...

    def row(self, number: int) -> pa.Table:
        """Return one record, numbered from 0 and known to exist, as a table of one row.

        Raises
        ------
        InvalidScenarioError : records have no numbers here.
        """
        ...

    def first_block(self) -> pa.Table | None:
        """Return attributes and kept columns of the first ``blocks.TABLE_ROWS`` records, as read, in input order.

        None where rows have no order, or are too costly to bring here.
        """
        ...

    def columns(self, names: Sequence[str]) -> Iterator[ColumnPiece]:
        """Yield attributes and kept columns of all records as read, a piece of a column after the other."""
        ...

    def blocks(self, answer: Answer, start: int = 0) -> Iterator[pa.Table]:
        """Yield the answered records in input order, in blocks of ``blocks.TABLE_ROWS`` records.

        Withheld records count for a block. All have the same columns. Blocks before the one numbered ``start`` are
        passed over; without a start there is at least one.
        """
        ...

    def frame(self, answer: Answer) -> Any:
        """Return the answered records as the kind of frame that the records came in; pandas for files."""
        ...


def answered_rows(table: pa.Table, of_row: IntArray, answer: Answer, first: int) -> pa.Table:
    """Return the answer put to some rows that are at hand: their own values, and nothing else of the table.

    Parameters
    ----------
    table : (k,) rows.
    of_row : (k,) their profiles.
    """
    left_out = answer.left_out.take(of_row)
    released = np.flatnonzero(~left_out) if left_out.any() else None
    profiles = as_arrow((of_row if released is None else of_row[released]).astype(np.int32, copy=False))
    columns = {name: _of_profiles(column, profiles) for name, column in answer.columns.items()}
    if answer.replaces and answer.for_writers and released is None and not answer.by_row:
        return own_table(table, None, columns, keeps_order=False)
    if released is None:
        released = np.arange(len(of_row))
    rows = as_arrow(released + first if first else released)
    if not answer.replaces:
        return pa.table({RECORD: rows, **columns})
    own = own_table(table, as_arrow(released), columns, keeps_order=False)
    if not answer.by_row:
        return own
    return pa.table({name: column.take(rows) for name, column in answer.by_row.items()} | _columns_of(own))


def _of_profiles(column: pa.Array, profiles: pa.Array) -> pa.Array:
    """Return what rows of these profiles, (k,), get of a column, (q,)."""
    from pyarrow.compute import take  # noqa: PLC0415  (slow to import)

    taken = take(column, profiles, boundscheck=False)
    return coded_anew(taken) if pa.types.is_dictionary(taken.type) else taken


def _columns_of(table: pa.Table) -> dict[str, pa.ChunkedArray]:
    return dict(zip(table.column_names, table.columns, strict=True))
