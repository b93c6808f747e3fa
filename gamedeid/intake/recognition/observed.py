"""What is seen of a file in one pass: its encoding, and of each column the distinct values with their rows."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Literal, TypeAlias

import pyarrow as pa

from gamedeid.data.columns import is_text
from gamedeid.data.engines.options import AUTOMATIC
from gamedeid.data.files.encodings import UTF_8, detect_encoding
from gamedeid.data.files.tables import TableFile
from gamedeid.file_identity import InputFile
from gamedeid.generalization.missing_codes import as_text
from gamedeid.reprs import frozen

MOST_DISTINCT = 200_000
"""Distinct values of a column that are counted; a column of more is known to have very many, and that is enough."""

Stored: TypeAlias = Literal["text", "number", "true-false", "date", "other"]
"""How a file stores a column; all columns of a CSV file are text."""


@frozen
class ObservedColumn:
    """A column as it was seen.

    Parameters
    ----------
    name : of the column.
    stored : how the file stores it.
    counts : distinct value, as text without spaces around it -> rows that have it; the empty text is not among them.
    rows : of the file.
    empty : rows that have no value.
    complete : whether all distinct values are in ``counts``; else the first ``MOST_DISTINCT`` of them.
    """

    name: str
    stored: Stored
    counts: Mapping[str, int] = field(repr=False)
    rows: int
    empty: int
    complete: bool = True


@frozen
class ObservedTable:
    """A file as it was seen.

    Parameters
    ----------
    path : of the file.
    encoding : of a CSV file, as it was detected; ``utf-8`` for Parquet.
    delimiter : between the values of a CSV file; None for Parquet.
    rows : how many there are, at least 1.
    columns : in the file's order.
    in_memory : whether the file is small enough to be read into memory as a whole.
    """

    path: Path
    encoding: str
    delimiter: str | None
    rows: int
    columns: tuple[ObservedColumn, ...]
    in_memory: bool = True


def observe(path: Path) -> ObservedTable:
    """Look at every value of a file, in blocks of rows."""
    encoding = UTF_8 if InputFile.at(path).is_parquet else detect_encoding(path)
    file = TableFile.open(path, encoding=encoding)
    file.refuse_no_header()
    kinds = {name: _stored(kind) for name, kind in file.types(file.names).items()}
    readable = [name for name in file.names if kinds[name] != "other"]
    counts: dict[str, Counter[str]] = {name: Counter() for name in file.names}
    empty = dict.fromkeys(file.names, 0)
    incomplete: set[str] = set()
    rows = 0
    for block in file.blocks(readable or file.names[:1]):
        rows += block.num_rows
        for name in readable:
            if name not in incomplete:
                empty[name] += _count(block.column(name), counts[name])
                if len(counts[name]) > MOST_DISTINCT:
                    incomplete.add(name)
    columns = tuple(
        ObservedColumn(
            name=name,
            stored=kinds[name],
            counts=counts[name],
            rows=rows,
            empty=empty[name],
            complete=name not in incomplete,
        )
        for name in file.names
    )
    size = file.unpacked_size(file.names, AUTOMATIC.most_in_memory)
    return ObservedTable(
        path=path,
        encoding=encoding,
        delimiter=file.delimiter,
        rows=rows,
        columns=columns,
        in_memory=AUTOMATIC.engine_for(size) == "memory",
    )


def _stored(kind: pa.DataType) -> Stored:
    plain = kind.value_type if pa.types.is_dictionary(kind) else kind
    if is_text(plain):
        return "text"
    if pa.types.is_boolean(plain):
        return "true-false"
    if pa.types.is_integer(plain) or pa.types.is_floating(plain) or pa.types.is_decimal(plain):
        return "number"
    return "date" if pa.types.is_date(plain) or pa.types.is_timestamp(plain) else "other"


def _count(column: pa.ChunkedArray, counts: Counter[str]) -> int:
    """Add the values of a block to the counts; return how many rows have none."""
    empty = 0
    for pair in column.value_counts().to_pylist():
        value, rows = pair["values"], pair["counts"]
        text = "" if value is None or value != value else as_text(value)  # noqa: PLR0124  (NaN)
        if text:
            counts[text] += rows
        else:
            empty += rows
    return empty
