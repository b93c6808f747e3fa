"""Find columns of numbers: by their types, and text columns by the values in their first rows."""

import re
from collections.abc import Collection

import pyarrow as pa

FIRST_ROWS = 1000
"""Rows of a text column that are read to see whether it holds numbers."""

_NUMBER = re.compile(r"\s*[-+]?(\d+([.,]\d*)?|[.,]\d+)([eE][-+]?\d+)?\s*", re.ASCII)


def numeric_columns(first_rows: pa.Table, missing_values: Collection[str]) -> list[str]:
    """Return the names of the columns that hold numbers.

    Parameters
    ----------
    first_rows : the first rows of the table, with the columns in question.
    missing_values : texts that stand for a missing value.

    Returns
    -------
    Those of a type of numbers, and those of text of which every value that is there reads as a number.
    """
    return [name for name in first_rows.column_names if _is_numeric(first_rows.column(name), missing_values)]


def _is_numeric(column: pa.ChunkedArray, missing_values: Collection[str]) -> bool:
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if any(is_it(kind) for is_it in (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal)):
        return True
    if not any(is_it(kind) for is_it in (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)):
        return False
    texts = {text.strip() for text in column.to_pylist() if text is not None} - {"", *missing_values}
    return bool(texts) and all(_NUMBER.fullmatch(text) for text in texts)
