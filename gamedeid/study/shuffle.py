"""Rows in another order, drawn by a seed, so that a row's place tells nothing."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from gamedeid.blocks import ARRAY_ROWS
from gamedeid.errors import InvalidScenarioError


def check_shuffle(seed: int | None, records: int) -> None:
    """Check that so many records can be shuffled by this seed.

    Parameters
    ----------
    seed : 0 or more; None where nothing is shuffled.
    """
    if seed is None:
        return
    if seed < 0:
        raise InvalidScenarioError(f"shuffle: expected a seed, a whole number of 0 or more, not {seed}")
    if records > ARRAY_ROWS:
        raise InvalidScenarioError(
            f"shuffle: at most {ARRAY_ROWS:,} records are shuffled, since all of them are held at once, and there are "
            f"{records:,}; shuffle the records themselves before",
        )


def new_places(rows: int, seed: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return which row, (rows,), stands at each place once rows are shuffled by a seed."""
    return np.random.default_rng(seed).permutation(rows)


def shuffled(blocks: Iterator[pa.Table], seed: int) -> Iterator[pa.Table]:
    """Yield the rows of all blocks in another order, as one block."""
    table = pa.concat_tables(list(blocks)).unify_dictionaries()
    yield table.take(pa.array(new_places(table.num_rows, seed))).combine_chunks()
