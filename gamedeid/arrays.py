"""The array types that every room speaks, and the one way to seal an array inside a frozen value."""

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


def sealed(array: npt.ArrayLike, dtype: npt.DTypeLike) -> Any:
    """Return a read-only, C-ordered copy of ``array`` with the given dtype."""
    copy = np.array(array, dtype=dtype, order="C", copy=True)
    copy.setflags(write=False)
    return copy


def dot(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> float:
    """Return the sum of products, with the same last digits on every machine: BLAS splits long sums by its cores."""
    return float(np.multiply(one, other).sum())
