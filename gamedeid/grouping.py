"""Groups of equal rows of small integers, numbered in a fixed order."""

import numpy as np

from gamedeid.arrays import ARRAY_ROWS, IntArray

KEY_LIMIT = 2**62
"""The bound of keys: rows of codes are compared as single numbers below it, and larger keys are renumbered."""

DIRECT_SPAN = 16
"""Keys up to this many times the number of rows are counted in a table; larger keys are sorted."""


def row_keys(codes: IntArray) -> tuple[IntArray, int]:
    """Return (the key of each row, (n,) int64, equal for equal rows and in lexicographic order; the bound of keys).

    Parameters
    ----------
    codes : (n, k) integers of 0 or more.
    """
    key = np.zeros(len(codes), np.int64)
    span = 1
    for place, most in enumerate(codes.max(axis=0, initial=0).tolist()):
        base = most + 1
        if span * base > KEY_LIMIT:
            _, key = np.unique(key, return_inverse=True)
            span = int(key.max(initial=0)) + 1
        key = key * base + codes[:, place]
        span *= base
    return key, span


def distinct_rows(codes: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return (first row, group of each row, rows per group) of the distinct rows of codes, in lexicographic order.

    Parameters
    ----------
    codes : (n, k) integers of 0 or more.
    """
    key, span = row_keys(codes)
    if span > DIRECT_SPAN * len(key):
        _, inverse, counts = np.unique(key, return_inverse=True, return_counts=True)
        first = np.empty(len(counts), np.int64)
        first[inverse[::-1]] = np.arange(len(key))[::-1]
        return first, inverse, counts
    of_key = np.full(span, -1, np.int64)
    of_key[key[::-1]] = np.arange(len(key))[::-1]  # the first of equal rows is kept
    keys = np.flatnonzero(of_key >= 0)
    first = of_key[keys]
    of_key[keys] = np.arange(len(keys))
    inverse = of_key[key]
    return first, inverse, np.bincount(inverse)


def sums_by(numbers: IntArray, amounts: IntArray, count: int) -> IntArray:
    """Return the sums of whole amounts, (n, ...), by the number of their row, (n,) below count: (count, ...) int64."""
    sums = np.zeros((count, *amounts.shape[1:]), np.int64)
    np.add.at(sums, numbers, amounts)
    return sums


def number_keys(key: IntArray, span: int) -> tuple[IntArray, IntArray]:
    """Return (a row of each distinct key, (k,) int64; the number of each row's key, (n,) int32 from 0, by value).

    As :func:`distinct_rows` for one column, with less memory if the span is small.

    Parameters
    ----------
    key : (n,) integers in [0, span).
    """
    if span > DIRECT_SPAN * len(key):
        first, numbers, _ = distinct_rows(key[:, None])
        return first, numbers.astype(np.int32)
    seen = np.zeros(span, np.bool_)
    seen[key] = True
    number_of = np.cumsum(seen, dtype=np.int32) - np.int32(1)
    numbers = number_of[key]
    return examples_of(numbers, int(number_of[-1]) + 1), numbers


def examples_of(numbers: IntArray, count: int) -> IntArray:
    """Return a row of each number, (count,) int64, from the numbers of rows, (n,), in [0, count)."""
    examples = np.empty(count, np.int64)
    for start in range(0, len(numbers), ARRAY_ROWS):
        some = numbers[start : start + ARRAY_ROWS]
        examples[some] = np.arange(start, start + len(some))
    return examples
