"""The array types of all rooms, read-only copies of arrays, and numbers of rows that are processed at once."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

IntArray: TypeAlias = npt.NDArray[np.integer[Any]]
FloatArray: TypeAlias = npt.NDArray[np.float64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]

EXACT_INTEGERS = 2**53
"""Whole numbers up to this one are all exact in floating point."""

ROUNDING = 1e-12
"""Numbers within this relative distance may be equal: sums and products are rounded."""

ARRAY_ROWS = 2**20
"""Rows of a numeric array per block; a row may be a pair of profile and strategy, or a sum at one grid point."""

TABLE_ROWS = 2**19
"""Rows of a table that are read or written at once: their values are texts, and take more memory."""

OBJECT_ROWS = 2**16
"""Rows per block whose values become Python objects one by one, which take the most memory."""

FILE_BYTES = 2**20
"""Bytes of a file that are read at a time."""


def sealed(array: npt.ArrayLike, dtype: npt.DTypeLike) -> Any:
    """Return a read-only, C-ordered copy of ``array`` with the given dtype."""
    copy = np.array(array, dtype=dtype, order="C", copy=True)
    copy.setflags(write=False)
    return copy


def dot(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> float:
    """Return the sum of products, with the same last digits on every machine: BLAS splits long sums by core count."""
    return float(np.multiply(one, other).sum())
