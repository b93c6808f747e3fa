"""Find the profiles of rows that are read after the profiles were made."""

from collections.abc import Sequence

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.blocks import OBJECT_ROWS
from gamedeid.grouping import KEY_LIMIT

TABLE_LIMIT = 2**24
"""Keys below this are looked up in a table of all of them; longer ones are searched for."""


class ProfileFinder:
    """Finds the profiles of rows of codes.

    Parameters
    ----------
    codes : (q, a) the profiles, each once, in lexicographic order.
    bases : (a,) codes of each attribute are below these.
    """

    def __init__(self, codes: IntArray, bases: Sequence[int]) -> None:
        self._steps: list[tuple[list[int], IntArray]] = []
        self._bases = bases
        keys: IntArray = np.zeros(len(codes), np.int64)
        prefixes = 1
        places: list[int] = []
        for place, base in enumerate(bases):
            span = prefixes * int(np.prod([bases[one] for one in places], dtype=object)) * base
            if span > KEY_LIMIT:
                keys, prefixes = self._shorten(places, keys)
                places = []
            keys = keys * base + codes[:, place]
            places.append(place)
        self._shorten(places, keys)
        last = self._steps[-1][1]
        self._table: IntArray | None = None
        if len(self._steps) == 1 and len(last) and last[-1] < TABLE_LIMIT:
            self._table = np.zeros(int(last[-1]) + 1, np.int32)
            self._table[last] = np.arange(len(last), dtype=np.int32)

    def find(self, leaves: Sequence[IntArray], values: Sequence[IntArray]) -> IntArray:
        """Return the profile, (k,) int32, of each row; all of them are known to be among the profiles.

        Parameters
        ----------
        leaves : a of them, (v + 1,) each, the code of each distinct value of an attribute; the last of a missing one.
        values : a of them, (k,) each, which value each row has; -1 where it is missing.
        """
        shared = [of_values.astype(np.int64) for of_values in leaves]
        found = np.empty(len(values[0]), np.int32)
        for start in range(0, len(found), OBJECT_ROWS):  # few enough that what is in between stays near the processor
            rows = slice(start, start + OBJECT_ROWS)
            found[rows] = self._find(shared, [of_rows[rows] for of_rows in values])
        return found

    def _find(self, leaves: Sequence[IntArray], values: Sequence[IntArray]) -> IntArray:
        numbers: IntArray = np.zeros(len(values[0]), np.int64)
        for places, known in self._steps:
            stride = int(np.prod([self._bases[place] for place in places], dtype=np.int64))
            keys = numbers * stride
            for place in places:
                stride //= self._bases[place]
                keys += (leaves[place] * stride).take(values[place], mode="wrap")
            numbers = np.searchsorted(known, keys) if self._table is None else self._table.take(keys, mode="wrap")
        return numbers

    def _shorten(self, places: list[int], keys: IntArray) -> tuple[IntArray, int]:
        """Store the distinct keys of some attributes; return the number of each profile's key, and how many keys."""
        known, numbers = np.unique(keys, return_inverse=True)
        self._steps.append((places, known))
        return numbers, len(known)
