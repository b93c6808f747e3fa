"""Data frames of any make as Arrow tables, and back."""

from collections.abc import Collection
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from gamedeid.arrays import IntArray
from gamedeid.coding import Column
from gamedeid.errors import InvalidDataError, quoted


def frame_names(frame: Any, whose: str) -> list[str]:
    """Return the column names of a pandas, Polars or Arrow frame, each once.

    Raises
    ------
    InvalidDataError : it is no data frame, or a column is named twice.
    """
    names = [str(name) for name in _known(frame, whose).collect_schema().names()]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise InvalidDataError(f"{whose}: column {quoted(name)} is named twice; give each column a name of its own")
    return names


def frame_to_arrow(frame: Any, columns: Collection[str], whose: str) -> pa.Table:
    """Return the named columns of a frame as an Arrow table, in the frame's order.

    Raises
    ------
    InvalidDataError : it has no rows, or a column mixes kinds of values that Arrow cannot hold.
    """
    known = _known(frame, whose)
    if isinstance(known, nw.LazyFrame):
        known = known.collect()
    wanted = [name for name in known.columns if name in set(columns)]
    try:
        table: pa.Table = known.select(wanted).to_arrow()
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise InvalidDataError(f"{whose}: a column mixes kinds of values ({str(error).splitlines()[0]})") from None
    if table.num_rows == 0:
        raise InvalidDataError(f"{whose}: has no rows")
    return table


def like_frame(table: pa.Table, frame: Any) -> Any:
    """Return ``table`` as the kind of frame that ``frame`` is."""
    known = nw.from_native(frame)
    eager = known.collect() if isinstance(known, nw.LazyFrame) else known
    back = nw.from_native(table, eager_only=True)
    if eager.implementation.is_pyarrow():
        return table
    converted = nw.from_arrow(back, backend=eager.implementation)
    return converted.lazy().to_native() if isinstance(known, nw.LazyFrame) else converted.to_native()


def to_column(column: pa.ChunkedArray, missing_values: Collection[str] = ()) -> Column:
    """Return an Arrow column as distinct values and codes; null, NaN and ``missing_values`` are missing."""
    encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    combined = encoded.unify_dictionaries().combine_chunks()
    if isinstance(combined, pa.ChunkedArray):
        combined = combined.chunk(0)
    values = combined.dictionary.to_pylist()
    absent = [value is None or value != value or value in missing_values for value in values]  # noqa: PLR0124  (NaN)
    table = np.append(np.where(absent, -1, np.arange(len(values))), -1)
    places = combined.indices
    if places.null_count:
        places = pa.array([len(values) if place is None else place for place in places.to_pylist()])
    return Column(values=values, codes=table[_numbers(places)].astype(np.int32))


def to_people(column: pa.ChunkedArray, name: str, whose: str) -> IntArray:
    """Return a column of counts as int64.

    Raises
    ------
    InvalidDataError : a count that is missing, negative or no whole number, with the first row that has one.
    """
    if column.null_count:
        row = next(place for place, value in enumerate(column) if value.as_py() is None)
        raise InvalidDataError(f"{whose}: count column {quoted(name)} has no value in row {row + 1}")
    try:
        people = _numbers(pa.concat_arrays(column.cast(pa.int64()).chunks))
    except (pa.ArrowException, ValueError):
        row, value = _first_odd(column)
        raise InvalidDataError(
            f"{whose}: count column {quoted(name)} must hold whole numbers of people, not {quoted(value)} (row {row + 1})"
        ) from None
    if (people < 0).any():
        row = int(np.argmax(people < 0))
        raise InvalidDataError(
            f"{whose}: count column {quoted(name)} must not be negative, but is {people[row]} in row {row + 1}"
        )
    if people.sum(dtype=float) >= 2**62:
        raise InvalidDataError(f"{whose}: count column {quoted(name)} adds up to more people than can be counted")
    return people


def _numbers(array: pa.Array) -> IntArray:
    """Return an Arrow array without nulls as numpy; its own ``to_numpy`` would load pandas, which takes a while."""
    numbers: IntArray = np.from_dlpack(array)
    return numbers


def _first_odd(column: pa.ChunkedArray) -> tuple[int, object]:
    for row, value in enumerate(column.to_pylist()):
        try:
            odd = float(value) != int(value)
        except (TypeError, ValueError, OverflowError):
            odd = True
        if odd:
            return row, value
    return 0, column[0].as_py()


def _known(frame: Any, whose: str) -> Any:
    try:
        return nw.from_native(frame)
    except TypeError:
        raise InvalidDataError(
            f"{whose}: expected a pandas, Polars or Arrow table, not {type(frame).__name__}"
        ) from None
