"""Arrow columns as distinct values with codes, or as numbers of people."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from math import isfinite
from typing import Any

import numpy as np
import pyarrow as pa

from gamedeid.arrays import IntArray
from gamedeid.arrow import as_numpy
from gamedeid.data.profiles import Column
from gamedeid.errors import InvalidDataError, quoted
from gamedeid.generalization.readings import POINT, as_text, number_of_text
from gamedeid.scenario.sections import MOST_PEOPLE

COUNT_TEXT = r"[ \t\r\n]*-?0*[0-9]{1,18}(?:\.0*)?[ \t\r\n]*"
"""Form of a number of people as text: up to 18 digits; in a pattern that all engines read alike."""

COUNT_TEXT_PADDING = r"\.0*|[ \t\r\n]"
"""Parts of such a text that do not change the number."""


def without_views(table: pa.Table) -> pa.Table:
    """Return the table with text in Arrow's plain layout: rows cannot be picked from its newer one, string_view."""
    kinds = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}
    fields = [field.with_type(kinds.get(field.type, field.type)) for field in table.schema]
    return table.cast(pa.schema(fields)) if pa.schema(fields) != table.schema else table


def to_pandas(table: pa.Table) -> Any:
    """Return a table as a pandas data frame."""
    try:
        return table.to_pandas()
    except (pa.ArrowException, ValueError, OverflowError):
        refused = next((name for name in table.column_names if not can_convert(table.column(name).to_pandas)), "")
        raise InvalidDataError(
            f"records: column {quoted(refused)} holds values that no pandas data frame can hold; take the release in "
            "Arrow tables (release_blocks), or drop the column"
        ) from None


def can_convert(convert: Callable[[], Any]) -> bool:
    """Return whether a conversion succeeds."""
    try:
        convert()
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return False
    return True


def to_column(column: pa.ChunkedArray, name: str, table_name: str, missing_values: Collection[str]) -> Column:
    """Return an Arrow column as distinct values and codes; null, NaN and ``missing_values`` are missing.

    Parameters
    ----------
    column : (rows,) of any type that is not nested, at least one row.
    missing_values : texts of a missing value, also where a column holds numbers; spaces around a value make
        no difference.
    """
    check_kinds({name: column.type}, table_name)
    try:
        encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
        combined = pa.concat_arrays(encoded.unify_dictionaries().chunks)
        values = _plain_values(combined.dictionary)
    except (pa.ArrowException, ValueError, OverflowError):  # such as times in a zone that no one knows
        raise InvalidDataError(
            f"{table_name}: column {quoted(name)} holds values of type {quoted(column.type)} that cannot be read; "
            "make them text"
        ) from None
    if pa.types.is_date(combined.dictionary.type) and not any(missing_values):
        absent = [value is None for value in values]
    else:
        absent = [is_missing(value, missing_values) for value in values]
    places = combined.indices
    if places.null_count:
        places = places.cast(pa.int32()).fill_null(len(values))
    elif not any(absent):
        return Column(values=values, codes=as_numpy(places).astype(np.int32, copy=False))
    table = np.append(np.where(absent, -1, np.arange(len(values))), -1).astype(np.int32)
    return Column(values=values, codes=table[as_numpy(places)])


def _plain_values(values: pa.Array) -> list[Any]:
    """Return Arrow values as Python's; single-precision numbers in their shortest form, as 34.1."""
    plain: list[Any] = values.to_pylist()
    if pa.types.is_float32(values.type):
        return [None if value is None else float(str(np.float32(value))) for value in plain]
    return plain


def plain_columns(table: pa.Table, names: Iterable[str]) -> Iterator[tuple[str, Column]]:
    """Yield columns of records as distinct values and codes; those of nested values are left out."""
    for name in names:
        try:
            column = to_column(table.column(name), name, "records", [""])
        except InvalidDataError:
            continue
        yield name, column


def to_people(column: pa.ChunkedArray, name: str, table_name: str) -> IntArray:
    """Return a column of counts as (rows,) int64, each >= 0.

    Whole numbers may be written as 12.0 or as text of decimal digits, with spaces around it.
    """
    counted = f"{table_name}: count column {quoted(name)}"
    check_kinds({name: column.type}, table_name, name)
    if pa.types.is_dictionary(column.type) and not is_text(column.type.value_type):
        column = column.cast(column.type.value_type)
    try:
        people = _whole_numbers(column)
    except pa.ArrowException:
        row = _first_bad_row(column)
        value = column[row].as_py()
        if value is None or value != value or not str(value).strip():  # noqa: PLR0124  (NaN)
            raise InvalidDataError(f"{counted} has no value in row {row + 1}") from None
        found = "one of more than 18 digits" if str(value).strip().isdigit() else "none"
        weights = "; are these weights?" if _is_fraction(value) else ""
        raise InvalidDataError(
            f"{counted} must hold whole numbers of people, but row {row + 1} has {found}{weights}", values=[value]
        ) from None
    if (people < 0).any():
        row = int(np.argmax(people < 0))
        raise InvalidDataError(f"{counted} must not be negative, but is in row {row + 1}", values=[people[row]])
    if people.sum(dtype=float) >= MOST_PEOPLE:
        raise InvalidDataError(f"{counted} adds up to more people than can be counted")
    return people


def check_kinds(types: Mapping[str, pa.DataType], table_name: str, count: str | None = None) -> None:
    """Check that columns, of attributes and of a ``count`` of people, are of types that these can have."""
    for name, kind in types.items():
        plain = plain_type(kind)
        if name == count and not _can_count(plain):
            raise InvalidDataError(
                f"{table_name}: count column {quoted(name)} must hold whole numbers of people, not {quoted(kind)}"
            )
        if not _is_plain(plain):
            raise not_plain(name, table_name, kind)


def not_plain(name: str, table_name: str, kind: object) -> InvalidDataError:
    """Return the error for a column of a kind of values that an attribute cannot have, such as lists."""
    return InvalidDataError(f"{table_name}: column {quoted(name)} must hold plain values, not {quoted(kind)}")


def plain_type(kind: pa.DataType) -> pa.DataType:
    """Return the type of the values of a column, which may be coded."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def without_dictionaries(table: pa.Table) -> pa.Table:
    """Return the table with plain values: the dictionaries of several files may differ in type."""
    return table.cast(pa.schema([field.with_type(plain_type(field.type)) for field in table.schema]))


def _is_plain(kind: pa.DataType) -> bool:
    of_kind = (pa.types.is_boolean, pa.types.is_date, pa.types.is_timestamp, pa.types.is_time)
    return _can_count(kind) or any(is_it(kind) for is_it in of_kind)


def is_missing(value: object, missing_values: Collection[str]) -> bool:
    """Return whether a value of a column is missing: null, NaN or one of ``missing_values``."""
    if value is None or value != value:  # noqa: PLR0124  (NaN)
        return True
    return value in missing_values or as_text(value) in missing_values


def _is_fraction(value: object) -> bool:
    """Return whether a value is a number that is not whole."""
    try:
        number = float(str(value))
    except ValueError:
        return False
    return isfinite(number) and not number.is_integer()


def _can_count(kind: pa.DataType) -> bool:
    of_kind = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal, pa.types.is_null)
    return is_text(kind) or any(is_it(kind) for is_it in of_kind)


def is_text(kind: pa.DataType) -> bool:
    """Return whether a type is one of Arrow's for text."""
    of_kind = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return any(is_it(kind) for is_it in of_kind)


def _whole_numbers(column: pa.ChunkedArray) -> IntArray:
    """Return the column as (rows,) int64; a missing value raises like any other that is no whole number."""
    if column.null_count:
        raise pa.ArrowInvalid("null")
    coded = pa.types.is_dictionary(column.type)  # of text, as files are read: to code it here takes pyarrow.compute
    if not coded and not is_text(column.type):
        return to_numbers(column.cast(pa.int64()))
    encoded = pa.concat_arrays((column if coded else column.dictionary_encode()).unify_dictionaries().chunks)
    texts, codes = encoded.dictionary.to_pylist(), as_numpy(encoded.indices)
    used = np.zeros(len(texts), np.bool_)  # categories without a row may be anything
    used[codes] = True
    numbers = np.zeros(len(texts), np.int64)
    for place in np.flatnonzero(used).tolist():
        if texts[place] is None or not re.fullmatch(COUNT_TEXT, texts[place]):
            raise pa.ArrowInvalid("text")
        numbers[place] = int(re.sub(COUNT_TEXT_PADDING, "", texts[place]))
    of_row: IntArray = numbers[codes]  # Arrow's own arrays of Python's numbers would load pandas
    return of_row


def _first_bad_row(column: pa.ChunkedArray) -> int:
    """Return the number, from 0, of the first row that is no whole number, by bisection."""
    low, high = 0, len(column)
    while high - low > 1:
        middle = (low + high) // 2
        try:
            _whole_numbers(column.slice(low, middle - low))
            low = middle
        except pa.ArrowException:
            high = middle
    return low


def to_numbers(column: pa.ChunkedArray) -> IntArray:
    """Return a column of int64 without nulls as numpy."""
    return as_numpy(pa.concat_arrays(column.chunks))


FIRST_ROWS = 1000
"""Rows of a text column that are read to see whether it holds numbers."""


def numeric_columns(first_rows: pa.Table, missing_values: Collection[str]) -> list[str]:
    """Return the names of columns of numbers, and of columns of text whose values all read as numbers."""
    return [name for name in first_rows.column_names if _is_numeric(first_rows.column(name), missing_values)]


def _is_numeric(column: pa.ChunkedArray, missing_values: Collection[str]) -> bool:
    kind = plain_type(column.type)
    if not is_text(kind):
        return any(is_it(kind) for is_it in (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal))
    texts = {text.strip() for text in column.to_pylist() if text is not None} - {"", *missing_values}
    return bool(texts) and all(number_of_text(text.replace(",", POINT)) is not None for text in texts)
