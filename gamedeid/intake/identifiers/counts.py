"""The distinct values of a column as texts, with their counts; of very many, evenly spaced ones."""

from collections.abc import Mapping
from itertools import islice
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from gamedeid.reprs import brief

MOST_LOOKED_AT = 20_000
"""Distinct values of a column that are looked at in each block of rows, evenly spaced where there are more."""

LONGEST = 10_000
"""Characters of a value that are looked at."""

MOST_LETTERS = 4_000_000
"""Characters of a column's distinct values that are looked at in each block of rows, about."""

_IMAGES = (b"\xff\xd8\xff", b"\x89PNG", b"GIF8", b"BM", b"II*\x00", b"MM\x00*")
_IMAGE = "picture.png"


@brief
class CountedTexts(NamedTuple):
    """Some distinct values of a block of rows.

    Parameters
    ----------
    texts : text -> how many rows have it; of very many, evenly spaced ones.
    distinct : how many distinct values there are.
    rows : how many rows have a value.
    """

    texts: Mapping[str, int]
    distinct: int
    rows: int


def of_mapping(counts: Mapping[str, int]) -> CountedTexts:
    """Return what is to be looked at of values that are counted already.

    Parameters
    ----------
    counts : text -> how many rows have it.
    """
    step = _step(len(counts), sum(map(len, counts)))
    texts = dict(islice(counts.items(), 0, None, step)) if step > 1 else counts
    return CountedTexts(texts, len(counts), sum(counts.values()))


def of_column(column: pa.ChunkedArray) -> CountedTexts | None:
    """Return what is to be looked at of an Arrow column; None of values that are no texts, such as lists.

    Bytes that begin as pictures do count as the name of a picture; other bytes cannot be looked into.

    Parameters
    ----------
    column : (rows,) of any type; null is no value.
    """
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    try:
        plain: Any = column.cast(kind) if pa.types.is_dictionary(column.type) else column
        if pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind):
            return _of_pictures(plain)
        if pa.types.is_nested(kind):
            return None
        counted = pc.value_counts(plain.drop_null().cast(pa.large_string()))
    except (pa.ArrowException, ValueError, OverflowError):
        return None
    values, rows = counted.field(0), counted.field(1)
    step = _step(len(values), pc.sum(pc.utf8_length(values)).as_py() or 0)
    texts = dict(zip(values[::step].to_pylist(), rows[::step].to_pylist(), strict=True))
    return CountedTexts(texts, len(values), pc.sum(rows).as_py() or 0)


def _step(distinct: int, letters: int) -> int:
    """Return that every so-manieth distinct value is to be looked at."""
    return max(1, -(-distinct // MOST_LOOKED_AT), -(-letters // MOST_LETTERS))


def _of_pictures(column: pa.ChunkedArray) -> CountedTexts | None:
    starts = [value[:4] for value in column.to_pylist() if value is not None]
    pictures = sum(start.startswith(_IMAGES) for start in starts)
    return of_mapping({_IMAGE: pictures, "other": len(starts) - pictures}) if pictures else None
