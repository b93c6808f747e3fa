"""Tables as bytes: CSV and Parquet."""

import base64
import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa

from gamedeid.arrays import OBJECT_ROWS
from gamedeid.arrow import recode_dictionary
from gamedeid.choices import Format
from gamedeid.errors import InvalidScenarioError, quoted
from gamedeid.lazy_imports import LazyModule
from gamedeid.reprs import brief, frozen
from gamedeid.results.formulas import defused, defused_names, holds_texts

if TYPE_CHECKING:
    import pyarrow.parquet as pq
else:
    pq = LazyModule("pyarrow.parquet")

BATCH_ROWS = tuple(2**power for power in range(10, 16))
"""Possible numbers of rows per batch of Parquet's writer; a page has 20,000 rows at most."""

_BATCH_BYTES = 2**26
"""Approximate largest size of a batch of one column, in bytes."""


@frozen
class WriteOptions:
    """Options for the tables of a run.

    Parameters
    ----------
    form : of the release and the strategies.
    defuse : whether CSV cells that a spreadsheet would take for formulas are escaped.
    keep_order : whether the rows of the release are in the order of the records, not of their values.

    Raises
    ------
    InvalidScenarioError : another form, or Parquet that is to be defused.
    """

    form: Format = "csv"
    defuse: bool = False
    keep_order: bool = False

    def __post_init__(self) -> None:
        check_form(self.form)
        if self.defuse and self.form != "csv":
            raise InvalidScenarioError(
                "defuse is for CSV: Parquet says of each value that it is text, and no spreadsheet takes it for a "
                "formula; leave it out, or choose form='csv'",
                arguments=["defuse", "form='csv'"],
            )


@brief
class Layout(NamedTuple):
    """Encodings of columns for writing Parquet quickly; readers of the file see no difference.

    Parameters
    ----------
    coded : text columns that are given as dictionaries; readers get text.
    rising : integer columns with nearly constant increments from row to row; their differences are stored.
    batch : rows of a column per batch of the writer; (default: by the length of its values).
    """

    coded: frozenset[str] = frozenset()
    rising: frozenset[str] = frozenset()
    batch: int | None = None


def check_form(form: Format) -> None:
    """Check that tables are written in a form, before a file is named after it."""
    if form not in {"csv", "parquet"}:
        raise InvalidScenarioError(f"form: expected csv or parquet, not {quoted(form)}", arguments=["form"])


def csv_bytes(table: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> bytes:
    """Return columns of equal length, or rows, as a CSV file.

    CSV is UTF-8 with a line feed after each row; true and false are words, numbers have their fewest exact digits, and
    missing values and NaN are empty.
    """
    stream = io.BytesIO()
    write_blocks([table if isinstance(table, Mapping) else rows_to_columns(table)], stream, "csv")
    return stream.getvalue()


def write_blocks(
    blocks: Iterable[Mapping[str, Any] | pa.Table],
    stream: IO[bytes],
    form: Format,
    *,
    defuse: bool = False,
    layout: Layout = Layout(),  # noqa: B008  (a tuple of what does not change)
) -> None:
    """Write a table given as one or more blocks of rows with the same columns; one block is held at a time.

    Parameters
    ----------
    form : CSV, as from :func:`csv_bytes`, or Parquet.
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
        text.detach()  # flushes, and leaves the stream open for its owner


def _write_parquet(first: pa.Table, tables: Iterable[pa.Table], stream: IO[bytes], layout: Layout) -> None:
    """Write tables with the schema of the first, each as a row group; the bytes depend on the rows only."""
    schema = pa.schema([pa.field(one.name, _written_type(one.type), one.nullable) for one in first.schema])
    texts = {one.name for one in schema if one.name in layout.coded and pa.types.is_dictionary(one.type)}
    seen = pa.schema([one.with_type(one.type.value_type) if one.name in texts else one for one in schema])
    rising = [name for name in schema.names if name in layout.rising]
    with pq.ParquetWriter(
        stream,
        schema,
        use_dictionary=[name for name in schema.names if name not in rising] if rising else True,
        column_encoding=dict.fromkeys(rising, "DELTA_BINARY_PACKED") if rising else None,
        store_schema=False,
        write_batch_size=layout.batch or rows_of_batch(first),
    ) as parquet:
        for table in tables:
            parquet.write_table(_in_one_piece(table, schema))
        # the schema that Arrow would store, except dictionaries of texts: Arrow's readers would rebuild them
        parquet.add_key_value_metadata({"ARROW:schema": base64.b64encode(seen.serialize()).decode("ascii")})


def _written_type(kind: pa.DataType) -> pa.DataType:
    """Return the type of a column for Parquet: of all dictionaries, only those of texts remain dictionaries."""
    is_text = pa.types.is_dictionary(kind) and pa.types.is_string(kind.value_type)
    return pa.dictionary(pa.int32(), pa.string()) if is_text else bare_type(kind)


def bare_type(kind: pa.DataType) -> pa.DataType:
    """Return a type without metadata of its fields, and with value types in place of dictionaries."""
    types = pa.types
    if types.is_dictionary(kind):
        return bare_type(kind.value_type)
    if types.is_struct(kind):
        return pa.struct([_bare_field(kind.field(place)) for place in range(kind.num_fields)])
    if types.is_map(kind):
        return pa.map_(_bare_field(kind.key_field), _bare_field(kind.item_field), keys_sorted=kind.keys_sorted)
    if types.is_fixed_size_list(kind):
        return pa.list_(_bare_field(kind.value_field), kind.list_size)
    if types.is_list(kind):
        return pa.list_(_bare_field(kind.value_field))
    return pa.large_list(_bare_field(kind.value_field)) if types.is_large_list(kind) else kind


def _bare_field(field: pa.Field) -> pa.Field:
    return pa.field(field.name, bare_type(field.type), field.nullable)


def _in_one_piece(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return a table of these types, each column in one chunk, and its dictionaries without unused values."""
    columns = []
    for field, column in zip(schema, table.columns, strict=True):
        if pa.types.is_dictionary(field.type):
            columns.append(recode_dictionary(column.unify_dictionaries().combine_chunks()))
        else:
            plain = column if column.type == field.type else column.cast(field.type)
            columns.append(plain.combine_chunks())
    return pa.table(columns, names=schema.names).cast(schema)


def rows_of_batch(table: pa.Table) -> int:
    """Return the number of rows per batch of Parquet's writer, for a table and similar ones.

    A page ends at the end of a batch: for long values the batch is short, so that pages do not become too long. The
    result is one of ``BATCH_ROWS``.
    """
    longest = max((_bytes_per_value(column) for column in table.columns), default=1)
    fits: list[int] = [rows for rows in BATCH_ROWS if rows * longest <= 1.5 * _BATCH_BYTES]
    return int(max(fits, default=BATCH_ROWS[0]))


def _bytes_per_value(column: pa.ChunkedArray) -> int:
    """Return the mean number of bytes per value of a column, rounded up."""
    if pa.types.is_dictionary(column.type):
        return max((-(-one.dictionary.nbytes // max(len(one.dictionary), 1)) for one in column.chunks), default=1) or 1
    return -(-column.nbytes // max(len(column), 1)) or 1


def rows_to_columns(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return rows with the same keys as columns."""
    return {name: [row[name] for row in rows] for name in rows[0]}


def columns_to_rows(columns: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """Yield columns of equal length as rows."""
    for row in zip(*columns.values(), strict=True):
        yield dict(zip(columns, row, strict=True))


class _LineFeeds:
    """A stream that ends rows with a line feed only; the CSV writer uses CR LF, so that it quotes both characters."""

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
    if pa.types.is_floating(column.type):  # NaN is a missing number, as in pandas
        return [None if value != value else value for value in values]  # noqa: PLR0124
    return values
