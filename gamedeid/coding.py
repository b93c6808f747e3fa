"""Records become profiles and a population becomes cells, both as small integers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gamedeid.arrays import BoolArray, IntArray, sealed
from gamedeid.errors import InvalidDataError, quoted
from gamedeid.hierarchy import Hierarchy

KEY_LIMIT = 2**62
"""Rows of codes are compared as single numbers below this; longer keys are shortened on the way."""

DIRECT_SPAN = 16
"""Keys up to this many times the number of rows are counted in a table; longer ones are sorted."""

SHOWN = 3
"""How many offending values a message names."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Column:
    """One column as its distinct values and, for each row, which of them stands there.

    Parameters
    ----------
    values : the distinct values, as read.
    codes : (rows,) int32 position in ``values``, -1 where the value is missing.
    """

    values: Sequence[object]
    codes: IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Profiles:
    """The distinct quasi-identifier values among the records: each is one game, solved once.

    Parameters
    ----------
    codes : (q, a) int32 leaf codes; the number of leaves stands for a missing value.
    of_record : (r,) int64, the profile of each record, in input order; where records were counted elsewhere, of each
        distinct row of theirs.
    records : (q,) int64, how many records share the profile.
    missing : (q, a) bool, where the value is missing.
    """

    codes: IntArray
    of_record: IntArray
    records: IntArray
    missing: BoolArray

    @property
    def count(self) -> int:
        """Number of profiles q."""
        return len(self.codes)

    @classmethod
    def of(
        cls, codes: IntArray, hierarchies: Sequence[Hierarchy], records_of_row: IntArray | None = None
    ) -> "Profiles":
        """Return the distinct rows of leaf codes, (r, a), in lexicographic order.

        Each row is a record, or as many as ``records_of_row``, (r,), says.
        """
        bases = [len(hierarchy.leaves) + 1 for hierarchy in hierarchies]
        first, of_record, records = distinct_rows(codes, bases)
        if records_of_row is not None:
            records = np.zeros(len(first), np.int64)
            np.add.at(records, of_record, records_of_row)
        distinct = sealed(codes[first], np.int32)
        return cls(
            codes=distinct,
            of_record=sealed(of_record, np.int64),
            records=sealed(records, np.int64),
            missing=sealed(distinct == np.array(bases) - 1, np.bool_),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cells:
    """The population: leaf codes and how many people have them.

    Parameters
    ----------
    codes : (c, a) int32 leaf codes; rows may repeat; the number of leaves stands for a missing value.
    people : (c,) int64, each >= 0.
    missing : (a,) bool, whether somebody's value is missing.
    """

    codes: IntArray
    people: IntArray
    missing: BoolArray

    @classmethod
    def of(cls, codes: IntArray, people: IntArray, hierarchies: Sequence[Hierarchy]) -> "Cells":
        """Seal copies of leaf codes, (c, a), and people, (c,)."""
        missing = [(codes[:, place] == len(hierarchy.leaves)).any() for place, hierarchy in enumerate(hierarchies)]
        return cls(codes=sealed(codes, np.int32), people=sealed(people, np.int64), missing=sealed(missing, np.bool_))

    @classmethod
    def of_profiles(cls, profiles: Profiles) -> "Cells":
        """Return the records as their own population (the prosecutor's case): each is one person."""
        missing = sealed(profiles.missing.any(axis=0), np.bool_)
        return cls(codes=profiles.codes, people=profiles.records, missing=missing)


def encode(
    columns: Mapping[str, Column],
    hierarchies: Mapping[str, Hierarchy],
    *,
    whose: str,
    allow_missing: bool,
    levels: Mapping[str, int] | None = None,
    counted: IntArray | None = None,
) -> IntArray:
    """Return the leaf codes, (rows, a) int32, of the named columns.

    Parameters
    ----------
    columns : one for each attribute.
    hierarchies : attribute -> its ladder; their order is the order of the result's columns.
    whose : "records" or "population", for messages.
    allow_missing : whether a missing value is coded as the number of leaves or refused.
    levels : attribute -> level of the labels in its column, 0 unless given; the first leaf stands for its group.
    counted : (rows,) how many rows of the data each row stands for; then no message says where the first is.

    Raises
    ------
    InvalidDataError : values outside their hierarchy, or missing ones where they are not allowed; the message names the
        column, the first few values and how many rows have them.
    """
    rows = len(next(iter(columns.values())).codes)
    codes = np.empty((rows, len(hierarchies)), np.int32)
    for place, (attribute, hierarchy) in enumerate(hierarchies.items()):
        column = columns[attribute]
        level = (levels or {}).get(attribute, 0)
        leaves = [_leaf(hierarchy, level, value) for value in column.values]
        if any(leaf is None for leaf in leaves):
            _refuse_unknown(attribute, hierarchy, column, leaves, level, whose=whose, counted=counted)
        table = np.array([*(-1 if leaf is None else leaf for leaf in leaves), len(hierarchy.leaves)], np.int32)
        codes[:, place] = table[column.codes]
        if not allow_missing and (column.codes < 0).any():
            raise InvalidDataError(
                f"{whose}: column {quoted(attribute)} has no value in {_found(column.codes < 0, counted)}; "
                'fill them in, or set [records] missing = "suppress" to release them as *'
            )
    return codes


def _leaf(hierarchy: Hierarchy, level: int, value: object) -> int | None:
    """Return the leaf of a value, or the first leaf of the group whose label it is."""
    if level == 0:
        return hierarchy.code(value)
    text = str(int(value)) if isinstance(value, float) and value.is_integer() else str(value).strip()
    labels = hierarchy.labels[level]
    return int(np.searchsorted(hierarchy.groups[level], labels.index(text))) if text in labels else None


def _refuse_unknown(
    attribute: str,
    hierarchy: Hierarchy,
    column: Column,
    leaves: Sequence[int | None],
    level: int,
    *,
    whose: str,
    counted: IntArray | None,
) -> None:
    unknown = [place for place, leaf in enumerate(leaves) if leaf is None]
    used = np.isin(column.codes, unknown)
    if not used.any():
        return
    named = np.unique(column.codes[used]).tolist()
    values = ", ".join(quoted(column.values[place]) for place in named[:SHOWN])
    at = f" at level {level}" if level else ""
    found = _found(used, counted)
    more = ", ..." if len(named) > SHOWN else ""
    raise InvalidDataError(
        f"{whose}: column {quoted(attribute)} has {len(named)} value{'s' * (len(named) > 1)} that the hierarchy "
        f"{quoted(hierarchy.name)} does not know{at} ({values}{more}), in {found}; "
        f"it knows {_domain(hierarchy.labels[level])}"
        + _zero_hint(hierarchy, [str(column.values[place]) for place in named])
    )


def _domain(labels: Sequence[str]) -> str:
    return ", ".join(labels) if len(labels) <= SHOWN + 3 else f"{labels[0]} ... {labels[-1]} ({len(labels)} values)"


def _zero_hint(hierarchy: Hierarchy, values: Sequence[str]) -> str:
    padded = [value.zfill(len(hierarchy.leaves[0])) for value in values]
    lost = any(value != full and hierarchy.code(full) is not None for value, full in zip(values, padded, strict=True))
    return "; leading zeros seem lost: read the column as text" if lost else ""


def _found(rows: BoolArray, counted: IntArray | None) -> str:
    """Return how many rows are meant, (rows,), and which is the first where that is known."""
    count = int(rows.sum() if counted is None else counted[rows].sum())
    return f"{count:,} row{'s' * (count != 1)}" + (
        f" (first in row {int(np.argmax(rows)) + 1})" if counted is None else ""
    )


def distinct_rows(codes: IntArray, bases: Sequence[int]) -> tuple[IntArray, IntArray, IntArray]:
    """Return (first row, group of each row, rows per group) of the distinct rows of codes, in lexicographic order.

    Parameters
    ----------
    codes : (n, k) integers, column j in [0, bases[j]).
    bases : k positive numbers.
    """
    key = np.zeros(len(codes), np.int64)
    span = 1
    for place, base in enumerate(bases):
        if span * base > KEY_LIMIT:
            _, key = np.unique(key, return_inverse=True)
            span = int(key.max(initial=0)) + 1
        key = key * base + codes[:, place]
        span *= base
    if span > DIRECT_SPAN * len(key):
        _, inverse, counts = np.unique(key, return_inverse=True, return_counts=True)
    else:
        counts = np.bincount(key, minlength=span)
        inverse = (np.cumsum(counts > 0) - 1)[key]
        counts = counts[counts > 0]
    first = np.empty(len(counts), np.int64)
    first[inverse[::-1]] = np.arange(len(key))[::-1]
    return first, inverse, counts
