"""Distinct rows of codes: the profiles, and those of rows that are read later."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Literal

import numpy as np

from gamedeid.arrays import BoolArray, IntArray, sealed
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.grouping import KEY_LIMIT, distinct_rows, sums_by
from gamedeid.reprs import Shown, frozen


@frozen(eq=False)
class Column:
    """One column as its distinct values and, for each row, the number of its value.

    Parameters
    ----------
    codes : (rows,) int32 position in ``values``, -1 where the value is missing.
    """

    values: Sequence[object]
    codes: IntArray

    @property
    def held(self) -> list[object]:
        """The values that a row has."""
        return [self.values[place] for place in np.unique(self.codes[self.codes >= 0]).tolist()]


@frozen(eq=False)
class Profiles(Shown):
    """The distinct quasi-identifier values among the records: each is one game, solved once.

    Parameters
    ----------
    codes : (q, a) int32 leaf codes; the number of leaves is the code of a missing value.
    of_record : (r,) int64, the profile of each record, in input order; if an engine counted the records, of each of
        their distinct rows.
    records : (q,) int64, how many records share the profile.
    missing : (q, a) bool, where the value is missing.
    floors : (q, a) int8, the least levels at which the rows of each person agree; the code is the first leaf of the
        group there. None if every row is a person, or no person's rows differ.
    unit : the unit of ``records``: records, or people, each with all their records.
    unlisted : attribute -> how many rows of the records have a value that its hierarchy does not list.
    """

    shown = ("count", "unit")

    codes: IntArray
    of_record: IntArray
    records: IntArray
    missing: BoolArray
    floors: IntArray | None = None
    unit: Literal["record", "person"] = "record"
    unlisted: Mapping[str, int] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """Number of profiles q."""
        return len(self.codes)

    @property
    def keys(self) -> IntArray:
        """Codes, then floors, (q, 2a): with the same hierarchies, equal rows are the same profile."""
        return np.concatenate([self.codes, np.zeros_like(self.codes) if self.floors is None else self.floors], axis=1)

    def groups(self, place: int, hierarchy: Hierarchy, level: int) -> IntArray:
        """Return the group of each profile in the attribute at ``place``, (q,) int64, g where the value is missing.

        It is g + 1 where the rows of the person are in several of the g groups, or some of them have no value.
        """
        count = hierarchy.group_counts[level]
        found = np.append(hierarchy.groups[level].astype(np.int64), count)[self.codes[:, place]]
        return found if self.floors is None else np.where(self.floors[:, place] > level, count + 1, found)

    @classmethod
    def of(
        cls,
        codes: IntArray,
        hierarchies: Sequence[Hierarchy],
        records_of_row: IntArray | None = None,
        floors: IntArray | None = None,
    ) -> "Profiles":
        """Return the distinct rows of leaf codes and floors, (r, a) each, in lexicographic order.

        Each row is a record, or as many as ``records_of_row``, (r,), says. Floors are of people whose rows differ.
        """
        rows = codes if floors is None else np.concatenate([codes, floors], axis=1)
        first, of_record, records = distinct_rows(rows)
        if records_of_row is not None:
            records = sums_by(of_record, records_of_row, len(first))
        distinct = sealed(codes[first], np.int32)
        return cls(
            codes=distinct,
            of_record=sealed(of_record, np.int64),
            records=sealed(records, np.int64),
            missing=sealed(distinct == np.array([len(one.leaves) for one in hierarchies]), np.bool_),
            floors=None if floors is None else sealed(floors[first], np.int8),
            unit="record" if floors is None else "person",
        )


@frozen(eq=False)
class PopulationCells:
    """The population: leaf codes and how many people have them.

    Parameters
    ----------
    codes : (c, a) int32 leaf codes; rows may repeat; the number of leaves is the code of a missing value.
    people : (c,) integers, each >= 0.
    missing : (a,) bool, whether any person's value is missing.
    floors : (c, a) int8, levels below which these people match no record, since their rows differ. The code is the
        first leaf of the group at that level. None if all people are known in full detail.
    """

    codes: IntArray
    people: IntArray
    missing: BoolArray
    floors: IntArray | None = None

    @classmethod
    def of(cls, codes: IntArray, people: IntArray, hierarchies: Sequence[Hierarchy]) -> "PopulationCells":
        """Seal copies of the leaf codes of rows, (c, a), and of the number of people of each, (c,)."""
        missing = [(codes[:, place] == len(hierarchy.leaves)).any() for place, hierarchy in enumerate(hierarchies)]
        return cls(codes=sealed(codes, np.int32), people=sealed(people, np.int64), missing=sealed(missing, np.bool_))

    @classmethod
    def of_profiles(cls, profiles: Profiles) -> "PopulationCells":
        """Return the records as their own population: each is one person."""
        missing = sealed(profiles.missing.any(axis=0), np.bool_)
        return cls(codes=profiles.codes, people=profiles.records, missing=missing, floors=profiles.floors)


TABLE_LIMIT = 2**24
"""Keys below this are looked up in a table of all keys; greater ones are searched for."""


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
        leaves : a of them, (v + 1,) each, the code of each distinct value of an attribute, then of a missing value.
        values : a of them, (k,) each, which value each row has; -1 where it is missing.
        """
        numbers: IntArray = np.zeros(len(values[0]), np.int64)
        for places, known in self._steps:
            stride = int(np.prod([self._bases[place] for place in places], dtype=np.int64))
            keys = numbers * stride
            for place in places:
                stride //= self._bases[place]
                keys += (leaves[place].astype(np.int64) * stride).take(values[place], mode="wrap")
            numbers = np.searchsorted(known, keys) if self._table is None else self._table.take(keys, mode="wrap")
        return numbers.astype(np.int32, copy=False)

    def _shorten(self, places: list[int], keys: IntArray) -> tuple[IntArray, int]:
        """Store the distinct keys of some attributes; return the number of each profile's key, and how many keys."""
        known, numbers = np.unique(keys, return_inverse=True)
        self._steps.append((places, known))
        return numbers, len(known)
