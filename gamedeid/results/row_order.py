"""The order of released rows: by their own values, so that the order reveals nothing beyond the rows.

Rows are compared column by column, by the bytes of the values in CSV. Missing values come first. Rows that are equal
in all columns may change places without changing a byte of the release.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.ipc

from gamedeid.arrays import TABLE_ROWS, BoolArray, IntArray
from gamedeid.arrow import as_arrow, as_numpy, as_texts, rechunked
from gamedeid.lazy_imports import LazyModule
from gamedeid.reprs import brief
from gamedeid.results.staging import create

if TYPE_CHECKING:
    import pyarrow.compute as pc
else:
    pc = LazyModule("pyarrow.compute")

ROW_ID = "__gamedeid_mark"
"""Column with the record of each row, removed before writing. It does not affect the order of unequal rows."""

_KEY = "__gamedeid_key"
_END, _ZERO, _ESCAPED = b"\0\0", b"\0", b"\0\xff"
_MISSING, _NO_NUMBER, _VALUE = 0, 1, 2


@brief
class _Run(NamedTuple):
    """Sorted rows on disk, and a regular sample of their keys."""

    rows: pa.Table
    samples: list[bytes]


def value_order(table: pa.Table) -> IntArray:
    """Return the positions, (n,) int64, of the rows of a table in the order of their values; the sort is stable."""
    order: IntArray = as_numpy(pc.array_sort_indices(_keys(table))).astype(np.int64)
    return order


def value_ranks(table: pa.Table) -> IntArray:
    """Return the rank of each row by its values, (n,) int64 from 0; equal rows have the same rank."""
    keys, ranks = _keys(table), np.zeros(table.num_rows, np.int64)
    order = pc.array_sort_indices(keys)
    ordered = keys.take(order)
    ranks[as_numpy(order)[1:]] = np.cumsum(as_numpy(pc.not_equal(ordered[1:], ordered[:-1])))
    return ranks


def sorted_blocks(blocks: Iterable[pa.Table], folder: Path, size: int | None = None) -> Iterator[pa.Table]:
    """Yield rows in the order of their values, in blocks of equal size; at least one block, which may be empty.

    If there is more than one block, sorted runs wait in a file, and the next rows are taken from it.

    Parameters
    ----------
    size : rows of a block (default: ``arrays.TABLE_ROWS``).
    """
    size = size or TABLE_ROWS
    pieces = (table.slice(first, size) for table in blocks for first in range(0, max(table.num_rows, 1), size))
    waiting: list[pa.Table] = []
    while sum(one.num_rows for one in waiting) <= size:
        if (piece := next(pieces, None)) is None:
            yield _in_order(_with_keys(pa.concat_tables(waiting))).drop_columns([_KEY])
            return
        waiting.append(piece)
    path = folder / f"rows-{token_hex(8)}"
    try:
        offsets = _write_runs(path, chain(waiting, pieces))
        with pa.memory_map(str(path)) as file:
            yield from rechunked(_merged(_read_runs(file, offsets, size), size), size)
    finally:
        path.unlink(missing_ok=True)


def released_records(withheld: BoolArray, places: IntArray) -> IntArray | None:
    """Return the record of each released row, (m,) int64; None if rows and records do not match.

    Parameters
    ----------
    withheld : (n,) whether the record is withheld and has no row.
    places : (n,) int64, the row of each record, as in :data:`RELEASE_ROW`; negative for no row.
    """
    released = np.flatnonzero(~withheld)
    if (places[withheld] >= 0).any() or not np.array_equal(np.sort(places[released]), np.arange(len(released))):
        return None
    records = np.empty(len(released), np.int64)
    records[places[released]] = released
    return records


def _write_runs(path: Path, tables: Iterable[pa.Table]) -> list[int]:
    """Write tables, each sorted, and return the offset of each in the file."""
    offsets = []
    with open(create(path), "wb", buffering=0) as file:  # noqa: PTH123  (a descriptor)
        for table in tables:
            offsets.append(file.tell())
            run = _in_order(_with_keys(table)).combine_chunks()
            with pa.ipc.new_stream(file, run.schema) as stream:
                stream.write_table(run)
    return offsets


def _read_runs(file: pa.MemoryMappedFile, offsets: Sequence[int], size: int) -> list[_Run]:
    whole, runs = file.read_buffer(), []
    step = max(size // len(offsets), 1)
    for offset in offsets:
        rows = pa.ipc.open_stream(whole.slice(offset)).read_all()
        samples = rows.column(_KEY).take(as_arrow(np.arange(0, rows.num_rows, step))).to_pylist()
        runs.append(_Run(rows=rows, samples=samples))
    return runs


def _merged(runs: Sequence[_Run], size: int) -> Iterator[pa.Table]:
    """Yield the rows of all runs in order, about ``size`` at a time; all keys differ."""
    samples = sorted(key for run in runs for key in run.samples)
    apart = max(len(samples) * size // max(sum(run.rows.num_rows for run in runs), 1), 1)
    starts = [0] * len(runs)
    for key in [*samples[apart::apart], None]:
        ends = [run.rows.num_rows if key is None else _first_from(run.rows, key) for run in runs]
        together = pa.concat_tables(
            run.rows.slice(start, end - start) for run, start, end in zip(runs, starts, ends, strict=True)
        )
        yield _in_order(together).drop_columns([_KEY])
        starts = ends


def _first_from(rows: pa.Table, key: bytes) -> int:
    """Return the position of the first sorted row whose key is at least ``key``."""
    column = rows.column(_KEY)
    return bisect_left(range(rows.num_rows), key, key=lambda row: column[row].as_py())


def _with_keys(table: pa.Table) -> pa.Table:
    return table.append_column(_KEY, _keys(table))


def _in_order(table: pa.Table) -> pa.Table:
    """Return rows in the order of their keys."""
    return table.unify_dictionaries().take(pc.array_sort_indices(table.column(_KEY).combine_chunks()))


def _keys(table: pa.Table) -> pa.Array:
    """Return the sort keys of rows, (n,) large binary.

    The CSV values come first, so that equal lines are adjacent; then the kinds of missing values, which Parquet
    distinguishes; then the mark, so that the same rows always come with the same marks.
    """
    names = [name for name in table.column_names if name != ROW_ID]
    columns = [_texts_and_kinds(table.column(name)) for name in names]
    ends = [np.stack([kinds for _, kinds in columns], axis=1)] if columns else []
    if ROW_ID in table.column_names:
        marks = as_numpy(table.column(ROW_ID).combine_chunks()).astype(">i8")
        ends.append(marks.view(np.uint8).reshape(-1, 8))
    width = sum(end.shape[1] for end in ends)
    if not width:
        return _as_bytes([""] * table.num_rows)
    last = np.ascontiguousarray(np.concatenate(ends, axis=1))
    fixed = pa.FixedSizeBinaryArray.from_buffers(pa.binary(width), table.num_rows, [None, pa.py_buffer(last)])
    parts = [*(texts for texts, _ in columns), fixed.cast(pa.large_binary())]
    return pc.binary_join_element_wise(*parts, _as_bytes([_END.decode()])[0])


def _texts_and_kinds(column: pa.ChunkedArray) -> tuple[pa.Array, IntArray]:
    """Return the CSV values of a column, (n,) large binary, and their kinds, (n,) uint8: missing, NaN or a value."""
    types = pa.types
    whole = column.unify_dictionaries().combine_chunks()
    if not types.is_dictionary(whole.type) and not _is_text(whole.type):
        with suppress(pa.ArrowNotImplementedError):  # nested values
            whole = whole.dictionary_encode()
    if not types.is_dictionary(whole.type):
        return _texts_of(whole)
    texts, kinds = _texts_of(whole.dictionary)
    codes = pc.coalesce(whole.indices.cast(pa.int64()), as_arrow(np.array([len(texts)]))[0])
    texts = pa.concat_arrays([texts, _as_bytes([""])])
    return texts.take(codes), np.append(kinds, np.uint8(_MISSING))[as_numpy(codes)]


def _texts_of(values: pa.Array) -> tuple[pa.Array, IntArray]:
    """Return the same for an array without a dictionary."""
    kinds = np.where(as_numpy(values.is_valid()), np.uint8(_VALUE), np.uint8(_MISSING))
    if _is_text(values.type):
        texts = pc.coalesce(values.cast(pa.large_string()), as_texts([""])[0]).cast(pa.large_binary())
    else:
        plain = values.to_pylist()
        if pa.types.is_floating(values.type):
            kinds[np.array([value != value for value in plain], np.bool_)] = _NO_NUMBER  # noqa: PLR0124  (NaN)
        texts = _as_bytes(map(csv_text, plain))
    return pc.replace_substring(texts, pattern=_ZERO, replacement=_ESCAPED), kinds


def _as_bytes(texts: Iterable[str]) -> pa.Array:
    """Return texts as large binary, which is compared byte by byte."""
    return as_texts(texts).cast(pa.large_binary())


def csv_text(value: object) -> str:
    """Return the CSV text of a value: empty for a missing one, true and false as words."""
    if value is None or value != value:  # noqa: PLR0124  (NaN)
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))
