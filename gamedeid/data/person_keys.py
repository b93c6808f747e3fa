"""Find columns that repeat like a person's key: then several rows may be about one person."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from gamedeid.data.column_names import looks_like_person_key
from gamedeid.data.columns import to_column
from gamedeid.errors import GamedeidError

LEAST_ROWS = 20
"""With fewer rows no column is reported: repeated values may be chance."""

LEAST_REPEATS, MOST_REPEATS = 1.05, 20
"""A key is taken to repeat if it has between so many rows for each value, on average."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedKey:
    """A column that repeats like a person's key; the name of a dropped one is not stored.

    Parameters
    ----------
    column : its name; None where it is dropped.
    rows : how many rows with a value were read.
    values : how many distinct values they have.
    """

    column: str | None
    rows: int
    values: int


def repeated_keys(
    kept: Collection[str],
    dropped: Collection[str],
    missing_values: Collection[str],
    first_rows: Callable[[Sequence[str]], pa.Table],
) -> tuple[RepeatedKey, ...]:
    """Return which kept and dropped columns repeat like a person's key.

    Only columns that are named like a person's key are read, and only their first rows; their distinct values are
    counted, and none of them is stored.

    Parameters
    ----------
    kept, dropped : names of columns of the records.
    missing_values : texts that stand for a missing value.
    first_rows : returns the first rows of the named columns.
    """
    candidates = [name for name in (*kept, *dropped) if name.lower() == "id" or looks_like_person_key(name)]
    repeated = []
    for name in candidates:
        try:
            codes = to_column(first_rows([name]).column(name), name, "records", missing_values).codes
        except (GamedeidError, pa.ArrowException, TypeError, ValueError, OverflowError):
            continue  # a column that cannot be read is not reported; nothing else depends on it
        rows, values = int((codes >= 0).sum()), len(np.unique(codes[codes >= 0]))
        if rows >= LEAST_ROWS and LEAST_REPEATS < rows / values < MOST_REPEATS:
            repeated.append(RepeatedKey(column=name if name in kept else None, rows=rows, values=values))
    return tuple(repeated)
