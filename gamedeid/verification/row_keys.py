"""One number for each row of numbers, equal only for equal rows."""

import numpy as np

from gamedeid.arrays import IntArray

_LARGEST = 2**62


def row_keys(rows: IntArray) -> IntArray:
    """Return the keys, (k,), of rows of numbers >= 0, (k, a)."""
    keys = np.zeros(len(rows), np.int64)
    size = 1
    for column in rows.T:
        radix = int(column.max(initial=0)) + 1
        if size * radix > _LARGEST:
            distinct, keys = np.unique(keys, return_inverse=True)
            size = len(distinct)
        keys = keys * radix + column
        size *= radix
    return keys


def distinct_rows(rows: IntArray) -> tuple[IntArray, IntArray]:
    """Return the number of the first row of each kind, (d,), and the place among these of each row, (k,)."""
    _, first, place = np.unique(row_keys(rows), return_index=True, return_inverse=True)
    return first, place
