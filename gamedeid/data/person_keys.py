"""Columns that repeat like a person's key: then rows, each counted as a person, are of fewer people."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from gamedeid.data.column_names import looks_like_person_key
from gamedeid.data.columns import to_column
from gamedeid.errors import GamedeidError

LEAST_ROWS = 20
"""Of fewer rows nothing is said: that some are alike may be chance."""

LEAST_REPEATS, MOST_REPEATS = 1.05, 20
"""Between so many rows for each value, on average, a key is taken to stand for people with several rows each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedKey:
    """A column that repeats like a person's key; of a dropped one not even the name is held.

    Parameters
    ----------
    column : its name; None where it is dropped.
    rows : how many rows with a value were looked at.
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
    counted, and nothing of them is held.

    Parameters
    ----------
    kept, dropped : names of columns of the records.
    missing_values : texts that stand for a missing value.
    first_rows : returns the first rows of the named columns.
    """
    candidates = [name for name in (*kept, *dropped) if name.lower() == "id" or looks_like_person_key(name)]
    found = []
    for name in candidates:
        try:
            codes = to_column(first_rows([name]).column(name), name, "records", missing_values).codes
        except (GamedeidError, pa.ArrowException, TypeError, ValueError, OverflowError):
            continue  # what cannot be read is not counted: nothing else depends on it
        rows, values = int((codes >= 0).sum()), len(np.unique(codes[codes >= 0]))
        if rows >= LEAST_ROWS and LEAST_REPEATS < rows / values < MOST_REPEATS:
            found.append(RepeatedKey(column=name if name in kept else None, rows=rows, values=values))
    return tuple(found)
