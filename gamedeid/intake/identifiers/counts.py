"""The distinct values of a column as texts, with their counts; of very many, evenly spaced ones."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from gamedeid.arrays import IntArray
from gamedeid.arrow import as_numpy, as_texts
from gamedeid.reprs import brief

MOST_SAMPLED_VALUES = 20_000
"""Most distinct values of a column that are examined in each block of rows; of more, evenly spaced ones."""

LONGEST_VALUE = 10_000
"""Characters of a value that are examined."""

MOST_LETTERS = 4_000_000
"""Approximate most characters of a column's distinct values that are examined in each block of rows."""

_IMAGES = (b"\xff\xd8\xff", b"\x89PNG", b"GIF8", b"BM", b"II*\x00", b"MM\x00*")
_IMAGE = "picture.png"
_LEAST_KEYS = 20  # distinct ones; fewer may be chance
_NUMERAL = r"^ *[-+]?[0-9][0-9.,]*(?:[eE][-+]?[0-9]+)? *$"
_UUID: Any = getattr(pa, "UuidType", ())  # from pyarrow 18 on


@brief
class CountedTexts(NamedTuple):
    """Some distinct values of a block of rows.

    Parameters
    ----------
    texts : text -> number of rows that have it; of very many, evenly spaced ones.
    every_text : (distinct,) all of them.
    every_count : (distinct,) int64, number of rows with each.
    """

    texts: Mapping[str, int]
    distinct: int
    rows: int
    every_text: pa.Array
    every_count: IntArray


def sample_counts(counts: Mapping[str, int]) -> CountedTexts:
    """Return the texts to examine, from counted values.

    Parameters
    ----------
    counts : text -> number of rows that have it.
    """
    step = _step(len(counts), sum(map(len, counts)))
    texts = dict(islice(counts.items(), 0, None, step)) if step > 1 else counts
    every = as_texts(counts)
    rows = np.fromiter(counts.values(), np.int64, len(counts))
    return CountedTexts(texts, len(counts), int(rows.sum()), every, rows)


def sample_column(column: pa.ChunkedArray, rows: pa.ChunkedArray | None) -> CountedTexts | None:
    """Return the texts to examine of an Arrow column; None if it cannot be examined.

    Lists, structures and maps give the values within them. Bytes that begin like a picture count as the name of a
    picture; other bytes cannot be examined.

    Parameters
    ----------
    column : (k,) of any type; null is no value.
    rows : (k,) number of rows with each value, for counted values.
    """
    try:
        counted = [_of_plain(leaf, rows if leaf is column else None) for leaf in _leaves(column)]
    except (pa.ArrowException, ValueError, OverflowError):
        return None
    parts = [one for one in counted if one is not None]
    if not parts or len(parts) < len(counted):
        return None
    if len(parts) == 1:
        return parts[0]
    texts: Counter[str] = Counter()
    for one in parts:
        texts.update(one.texts)
    every = pa.chunked_array([one.every_text for one in parts], pa.large_string()).combine_chunks()
    return CountedTexts(texts, len(texts), texts.total(), every, np.concatenate([one.every_count for one in parts]))


def _leaves(column: pa.ChunkedArray) -> Iterator[pa.ChunkedArray]:
    """Yield a column itself, or the columns within its values."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        yield from _leaves(column.cast(kind.value_type))
    elif isinstance(kind, _UUID):
        yield pa.chunked_array([[None if value is None else str(value) for value in column.to_pylist()]], pa.string())
    elif isinstance(kind, pa.BaseExtensionType):
        yield from _leaves(pa.chunked_array([chunk.storage for chunk in column.chunks], kind.storage_type))
    elif pa.types.is_struct(kind):
        for place in range(kind.num_fields):
            yield from _leaves(pc.struct_field(column, place))
    elif pa.types.is_map(kind):
        for inside, part in (("keys", kind.key_type), ("items", kind.item_type)):
            yield from _leaves(pa.chunked_array([getattr(chunk, inside) for chunk in column.chunks], part))
    elif pa.types.is_nested(kind):
        yield from _leaves(pc.list_flatten(column))
    else:
        yield column


def _of_plain(column: pa.ChunkedArray, rows_of: pa.ChunkedArray | None) -> CountedTexts | None:
    kind = column.type
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind):
        return _of_pictures(column)
    if rows_of is None:
        counted: Any = pc.value_counts(column.drop_null().cast(pa.large_string()))
        values, rows = counted.field(0), counted.field(1)
    else:
        table = pa.table({"value": column.cast(pa.large_string()), "rows": rows_of}).filter(
            pc.field("value").is_valid()
        )
        table = table.group_by("value").aggregate([("rows", "sum")])
        values, rows = (table.column(name).combine_chunks() for name in ("value", "rows_sum"))
        rows = rows.cast(pa.int64())
    step = _step(len(values), pc.sum(pc.utf8_length(values)).as_py() or 0)
    texts = dict(zip(values[::step].to_pylist(), rows[::step].to_pylist(), strict=True))
    return CountedTexts(texts, len(values), pc.sum(rows).as_py() or 0, values, as_numpy(rows))


def _step(distinct: int, letters: int) -> int:
    """Return the step between the distinct values that are examined."""
    return max(1, -(-distinct // MOST_SAMPLED_VALUES), -(-letters // MOST_LETTERS))


def _of_pictures(column: pa.ChunkedArray) -> CountedTexts | None:
    starts = [value[:4] for value in column.to_pylist() if value is not None]
    pictures = sum(start.startswith(_IMAGES) for start in starts)
    return sample_counts({_IMAGE: pictures, "other": len(starts) - pictures}) if pictures else None


def stands_for(column: pa.ChunkedArray, keys: pa.ChunkedArray) -> bool:
    """Return whether the values of a column and the keys are one to one; never for numbers of rows.

    Where each row has a unique key, only texts count as keys: measurements differ in every row too.

    Parameters
    ----------
    column, keys : (rows,) of any type; rows without one of them are left out.
    """
    try:
        pairs = pa.table({"value": column.cast(pa.large_string()), "key": keys.cast(pa.large_string())}).drop_null()
        distinct = pairs.group_by(["value", "key"]).aggregate([])
        counts = {name: pc.count_distinct(distinct.column(name)).as_py() for name in distinct.column_names}
    except (pa.ArrowException, ValueError):
        return False
    if distinct.num_rows < _LEAST_KEYS or {distinct.num_rows} != {*counts.values()}:
        return False
    if pairs.num_rows > distinct.num_rows:
        return True
    numerals = pc.sum(pc.match_substring_regex(distinct.column("value"), _NUMERAL)).as_py() or 0
    return bool(2 * numerals < distinct.num_rows)
