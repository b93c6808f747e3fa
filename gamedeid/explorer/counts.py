"""Which numbers of records the page is told: none from 1 to 10, since so few could be found."""

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.risk.thresholds import CELLS

LEAST = CELLS.people
"""Groups of fewer records are not named, and their number is not told."""


def told(records: int) -> int | None:
    """Return a number of records; None where it is from 1 to 10.

    Parameters
    ----------
    records : at least 0.
    """
    return None if 0 < records < LEAST else int(records)


def others(sizes: IntArray) -> dict[str, int | None] | None:
    """Return what is told of groups that are not named: how many, their records, the largest; None where all are named.

    Parameters
    ----------
    sizes : (k,) records of each.
    """
    if not len(sizes):
        return None
    return {"groups": len(sizes), "records": told(int(np.sum(sizes))), "largest": told(int(np.max(sizes)))}
