"""The distinct values of an Arrow column as texts, with their counts."""

from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc

_IMAGES = (b"\xff\xd8\xff", b"\x89PNG", b"GIF8", b"BM", b"II*\x00", b"MM\x00*")
_IMAGE = "picture.png"


def counted_texts(column: pa.ChunkedArray) -> Mapping[str, int] | None:
    """Return text of each distinct value -> how many rows have it; None of values that are no texts, such as lists.

    Bytes that begin as pictures do count as the name of a picture; other bytes cannot be looked into.

    Parameters
    ----------
    column : (rows,) of any type; null is no value.
    """
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    try:
        plain = column.cast(kind) if pa.types.is_dictionary(column.type) else column
        if pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind):
            return _counted_pictures(plain)
        if pa.types.is_nested(kind):
            return None
        counted = pc.value_counts(plain.cast(pa.large_string()))
    except (pa.ArrowException, ValueError, OverflowError):
        return None
    counts = zip(counted.field(0).to_pylist(), counted.field(1).to_pylist(), strict=True)
    return {text: rows for text, rows in counts if text is not None}


def _counted_pictures(column: pa.ChunkedArray) -> Mapping[str, int] | None:
    starts = [value[:4] for value in column.to_pylist() if value is not None]
    pictures = sum(start.startswith(_IMAGES) for start in starts)
    return {_IMAGE: pictures, "other": len(starts) - pictures} if pictures else None
