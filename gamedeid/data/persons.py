"""Rows of one person: columns that repeat like a person's key, and the detail on which the rows of a person agree."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from gamedeid.arrays import IntArray, sealed
from gamedeid.data.column_names import looks_like_person_key
from gamedeid.data.columns import to_column
from gamedeid.data.encode import rows_found
from gamedeid.data.profiles import Column, Profiles
from gamedeid.errors import GamedeidError, InvalidDataError, quoted
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.readings import as_text
from gamedeid.reprs import frozen
from gamedeid.results.result import Count, Result, Text

LEAST_ROWS = 20
"""With fewer rows no column is reported: repeated values may be chance."""

LEAST_REPEATS, MOST_REPEATS = 1.05, 20
"""Least and greatest mean number of rows for each value of a column that repeats like a key."""


@frozen
class RepeatedKey(Result):
    """A column that repeats like a person's key, or is named like one and is not read; a dropped one has no name here.

    Parameters
    ----------
    column : its name; None where it is dropped.
    rows : number of rows read that have a value; 0 for a lazy frame, whose rows are not read.
    values : number of distinct values in them.
    """

    column: Text | None
    rows: Count
    values: Count


def repeated_keys(
    kept: Collection[str],
    dropped: Collection[str],
    missing_values: Collection[str],
    first_rows: Callable[[Sequence[str]], pa.Table] | None,
) -> tuple[RepeatedKey, ...]:
    """Return which kept and dropped columns repeat like a person's key.

    Only columns that are named like a person's key are read, and only their first rows; their distinct values are
    counted, and none of them is stored. Without first rows (a lazy frame), all columns with such a name are returned.
    """
    candidates = [name for name in (*kept, *dropped) if name.lower() == "id" or looks_like_person_key(name)]
    repeated = []
    for name in candidates:
        if first_rows is None:
            repeated.append(RepeatedKey(column=name if name in kept else None, rows=0, values=0))
            continue
        try:
            codes = to_column(first_rows([name]).column(name), name, "records", missing_values).codes
        except (GamedeidError, pa.ArrowException, TypeError, ValueError, OverflowError):
            continue  # a column that cannot be read is not reported; nothing depends on it
        rows, values = int((codes >= 0).sum()), len(np.unique(codes[codes >= 0]))
        if rows >= LEAST_ROWS and LEAST_REPEATS < rows / values < MOST_REPEATS:
            repeated.append(RepeatedKey(column=name if name in kept else None, rows=rows, values=values))
    return tuple(repeated)


@frozen(eq=False)
class Persons:
    """The person of each record, without the key.

    Parameters
    ----------
    of_record : (r,) int64, the number of each record's person, from 0 in the order of their first records.
    differing : attribute -> how many people have records that differ in it.
    """

    of_record: IntArray
    count: int
    with_several: int
    differing: Mapping[str, int]

    @property
    def records(self) -> int:
        """How many records there are."""
        return len(self.of_record)


def number_persons(key: Column, name: str, table_name: str) -> IntArray:
    """Return the number of each row's person, (r,) int64, from 0 in the order of the first rows.

    Keys are equal if they are equal as texts, without spaces around them: 7, 7.0 and ``" 7"`` are one key.
    """
    absent = key.codes < 0
    if absent.any():
        raise InvalidDataError(
            f"{table_name}: column {quoted(name)} has no value in {rows_found(absent, None)}; [records] person needs "
            "one in every row: fill them in, or leave these rows out"
        )
    by_text: dict[str, int] = {}
    of_value = np.array([by_text.setdefault(as_text(value), len(by_text)) for value in key.values], np.int64)
    _, first, of_row = np.unique(of_value[key.codes], return_index=True, return_inverse=True)
    numbers = np.empty(len(first), np.int64)
    numbers[np.argsort(first)] = np.arange(len(first))
    return numbers[of_row.reshape(-1)]


def profiles_of_people(
    codes: IntArray, of_row: IntArray, hierarchies: Mapping[str, Hierarchy]
) -> tuple[Profiles, Persons]:
    """Return the detail on which people's records agree as profiles, and the person of each record.

    A profile is a pair: the groups on which all records of a person agree, and the least levels at which they do,
    attribute by attribute. A value in one record and a missing one in another agree only at the top.

    Parameters
    ----------
    codes : (r, a) leaf codes of the records; the number of leaves is the code of a missing value.
    of_row : (r,) the number of each record's person, from 0; every person has a record.
    hierarchies : attribute -> its hierarchy, in the order of the codes; those of classes of people are fixed.
    """
    listed = list(hierarchies.values())
    order = np.argsort(of_row, kind="stable")
    starts = np.flatnonzero(np.diff(of_row[order], prepend=-1))
    agreed = [_agreed(codes[order, place], starts, one) for place, one in enumerate(listed)]
    leaves = np.stack([leaf for leaf, _ in agreed], axis=1)
    floors = np.stack([floor for _, floor in agreed], axis=1)
    rows = np.diff(np.append(starts, len(of_row)))
    persons = Persons(
        of_record=sealed(of_row, np.int64),
        count=len(starts),
        with_several=int((rows > 1).sum()),
        differing={
            name: int((floors[:, place] > 0).sum())
            for place, (name, one) in enumerate(hierarchies.items())
            if not one.is_fixed
        },
    )
    profiles = Profiles.of(leaves, listed, floors=floors if floors.any() else None)
    of_record = sealed(profiles.of_record[of_row], np.int64)
    return replace(profiles, of_record=of_record, unit="person"), persons


def _agreed(codes: IntArray, starts: IntArray, hierarchy: Hierarchy) -> tuple[IntArray, IntArray]:
    """Return the first leaf of each person's group, (p,), and the least level at which the rows agree, (p,).

    ``codes``, (r,), are leaf codes, person after person; the rows of each person begin at ``starts``, (p,).
    """
    top = hierarchy.levels - 1
    leaves = codes[starts].astype(np.int64)
    floors = np.zeros(len(starts), np.int8)
    open_ = _has_several_groups(codes, starts)
    for level in range(1, top + 1):
        if not open_.any():
            break
        floors[open_] = level
        groups = hierarchy.groups[level]
        known = np.where(leaves < len(groups), leaves, 0)  # at the top a missing value equals all others
        leaves[open_] = np.searchsorted(groups, groups[known[open_]])
        if level < top:
            open_ &= _has_several_groups(np.append(groups, hierarchy.group_counts[level])[codes], starts)
    return leaves, floors


def _has_several_groups(groups: IntArray, starts: IntArray) -> IntArray:
    """Return whether the rows of each person are in several groups, (p,); ``groups`` are those of the rows, (r,)."""
    differ: IntArray = np.minimum.reduceat(groups, starts) != np.maximum.reduceat(groups, starts)
    return differ
