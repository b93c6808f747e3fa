"""Tables as bytes: CSV and Parquet."""

import base64
import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa

from gamedeid.blocks import OBJECT_ROWS
from gamedeid.choices import Format
from gamedeid.later import Later
from gamedeid.reprs import brief
from gamedeid.results.formulas import defused, defused_names, holds_texts

if TYPE_CHECKING:
    import pyarrow.parquet as pq
else:
    pq = Later("pyarrow.parquet")

_LOOK_ROWS = (2**10, 2**15)
"""Fewest and most rows that Parquet's writer looks at together; a page has 20,000 at most."""

_LOOK_BYTES = 2**26
"""About how many bytes such rows of one column may have."""


@brief
class Layout(NamedTuple):
    """How columns are handed to Parquet, so that it is written quickly; whoever reads the file sees no difference.

    Parameters
    ----------
    coded : columns of text that come as dictionaries. Readers find text.
    rising : columns of whole numbers that grow by about the same from row to row. Their differences are stored.
    """

    coded: frozenset[str] = frozenset()
    rising: frozenset[str] = frozenset()


def write_table(columns: Mapping[str, Any] | pa.Table, stream: IO[bytes], form: Format) -> None:
    """Write columns of equal length, as CSV or as Parquet.

    CSV is UTF-8 with a line feed after each row; true and false are words, numbers the shortest that are exact, and
    what is missing is empty, and so is NaN.
    """
    write_blocks([columns], stream, form)


def write_blocks(
    blocks: Iterable[Mapping[str, Any] | pa.Table],
    stream: IO[bytes],
    form: Format,
    *,
    defuse: bool = False,
    layout: Layout = Layout(),  # noqa: B008  (a tuple of what does not change)
) -> None:
    """Write one table that comes in blocks of rows, one or more, all with the same columns; one is held at a time.

    Parameters
    ----------
    blocks : the table.
    stream : where to.
    form : CSV or Parquet, as :func:`write_table` has it.
    defuse : whether no spreadsheet is to take a cell or a name of a CSV file for a formula.
    layout : how the columns of Parquet come.
    """
    tables = (block if isinstance(block, pa.Table) else pa.table(dict(block)) for block in blocks)
    first = next(tables)
    if form == "parquet":
        _write_parquet(first, chain([first], tables), stream, layout)
        return
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
    try:
        writer = csv.writer(_LineFeeds(text), lineterminator="\r\n")
        writer.writerow(defused_names(first.column_names) if defuse else first.column_names)
        for table in chain([first], tables):
            for start in range(0, table.num_rows, OBJECT_ROWS):
                block = table.slice(start, OBJECT_ROWS)
                writer.writerows(zip(*(_texts(column, defuse=defuse) for column in block.columns), strict=True))
    finally:
        text.detach()  # flushes, and leaves the stream to whoever opened it


def _write_parquet(first: pa.Table, tables: Iterable[pa.Table], stream: IO[bytes], layout: Layout) -> None:
    """Write tables of the schema of the first, each as a row group of its own."""
    schema = first.schema
    seen = pa.schema(
        [
            field.with_type(field.type.value_type)
            if field.name in layout.coded and pa.types.is_dictionary(field.type)
            else field
            for field in schema
        ]
    )
    rising = [name for name in schema.names if name in layout.rising]
    with pq.ParquetWriter(
        stream,
        schema,
        use_dictionary=[name for name in schema.names if name not in rising] if rising else True,
        column_encoding=dict.fromkeys(rising, "DELTA_BINARY_PACKED") if rising else None,
        store_schema=False,
        write_batch_size=rows_at_one_look(first),
    ) as parquet:
        for table in tables:
            parquet.write_table(table)
        # what Arrow would store itself, but for texts that came as dictionaries: its readers would make them anew
        parquet.add_key_value_metadata({"ARROW:schema": base64.b64encode(seen.serialize()).decode("ascii")})


def rows_at_one_look(table: pa.Table) -> int:
    """Return how many rows of a column Parquet's writer is to look at together, of a table and those like it.

    A page ends between two looks: with long values a look is short, so that pages do not become too long.
    """
    longest = max((_bytes_per_value(column) for column in table.columns), default=1)
    return int(min(max(_LOOK_BYTES // longest, _LOOK_ROWS[0]), _LOOK_ROWS[1]))


def _bytes_per_value(column: pa.ChunkedArray) -> int:
    """Return how many bytes the values of a column take on average, rounded up."""
    if pa.types.is_dictionary(column.type):
        return max((-(-one.dictionary.nbytes // max(len(one.dictionary), 1)) for one in column.chunks), default=1) or 1
    return -(-column.nbytes // max(len(column), 1)) or 1


def json_text(content: Any) -> str:
    """Return ``content`` as indented JSON that ends in a line break; numbers that are none are refused."""
    return json.dumps(content, indent=2, allow_nan=False, ensure_ascii=False) + "\n"


def rows_to_columns(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return rows of the same keys as columns."""
    return {name: [row[name] for row in rows] for name in rows[0]}


def columns_to_rows(columns: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """Yield columns of equal length as rows."""
    for row in zip(*columns.values(), strict=True):
        yield dict(zip(columns, row, strict=True))


class _LineFeeds:
    """Ends rows with a line feed alone; the writer is told otherwise, since it quotes only what its row end has."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, row: str) -> int:
        return self._stream.write(row[:-2] + "\n")


def _texts(column: pa.ChunkedArray, *, defuse: bool) -> list[Any]:
    values: list[Any] = column.to_pylist()
    if defuse and holds_texts(column.type):
        return [None if value is None else defused(str(value)) for value in values]
    if pa.types.is_boolean(column.type):
        return [None if value is None else "true" if value else "false" for value in values]
    if pa.types.is_floating(column.type):  # a number that is none stands for a missing one, as in pandas
        return [None if value != value else value for value in values]  # noqa: PLR0124
    return values
