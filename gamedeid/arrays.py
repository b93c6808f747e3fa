"""The array types of all rooms, how an array is sealed in a frozen value, and how many rows are worked on at once."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

IntArray: TypeAlias = npt.NDArray[np.integer[Any]]
FloatArray: TypeAlias = npt.NDArray[np.float64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]

EXACT_INTEGERS = 2**53
"""Whole numbers up to this one are all exact in floating point."""

ROUNDING = 1e-12
"""Numbers that differ by no more than this share of them may be one number: sums and products round."""

ARRAY_ROWS = 2**20
"""Rows of arrays of numbers; a row may be a pair of profile and strategy, or a sum at one point of a grid."""

TABLE_ROWS = 2**19
"""Rows of tables that are read or written: their values are texts, and take more."""

OBJECT_ROWS = 2**16
"""Rows whose values are made Python objects one by one, which take most."""

FILE_BYTES = 2**20
"""Bytes of a file that are read at a time."""


def sealed(array: npt.ArrayLike, dtype: npt.DTypeLike) -> Any:
    """Return a read-only, C-ordered copy of ``array`` with the given dtype."""
    copy = np.array(array, dtype=dtype, order="C", copy=True)
    copy.setflags(write=False)
    return copy


def dot(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> float:
    """Return the sum of products, with the same last digits on every machine: BLAS splits long sums by its cores."""
    return float(np.multiply(one, other).sum())
