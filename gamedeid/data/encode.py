"""Values become codes: the leaf of each row in each attribute's hierarchy."""

from collections.abc import Mapping, Sequence

import numpy as np

from gamedeid.amounts import number_of
from gamedeid.arrays import BoolArray, IntArray
from gamedeid.data.profiles import Column
from gamedeid.data.unknown_values import unknown_values_hint
from gamedeid.errors import InvalidDataError, quoted
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.missing_codes import as_text

LABELS_NAMED = 6
"""A message names all labels of a hierarchy that has no more than this."""


def encode(
    columns: Mapping[str, Column],
    hierarchies: Mapping[str, Hierarchy],
    *,
    whose: str,
    allow_missing: bool,
    levels: Mapping[str, int] | None = None,
    counted: IntArray | None = None,
    known: "KnownLeaves | None" = None,
) -> IntArray:
    """Return the leaf codes, (rows, a) int32, of the named columns.

    Parameters
    ----------
    columns : one for each attribute.
    hierarchies : attribute -> its hierarchy; their order is the order of the result's columns.
    whose : "records" or "population", for messages.
    allow_missing : whether a missing value is coded as the number of leaves or refused.
    levels : attribute -> level of the labels in its column, 0 unless given; the first leaf stands for its group.
    counted : (rows,) how many rows of the data each row stands for; then no message says where the first is.
    known : leaves of values in other tables, to which those of this one are added.

    Raises
    ------
    InvalidDataError : values outside their hierarchy, or missing ones where they are not allowed; the message names the
        column, how many values there are and how many rows have them.
    """
    tables = leaves_of_values(
        columns, hierarchies, whose=whose, allow_missing=allow_missing, levels=levels, counted=counted, known=known
    )
    rows = len(next(iter(columns.values())).codes)
    codes = np.empty((rows, len(hierarchies)), np.int32)
    for place, attribute in enumerate(hierarchies):
        codes[:, place] = tables[attribute].take(columns[attribute].codes, mode="wrap")
    return codes


def leaves_of_values(
    columns: Mapping[str, Column],
    hierarchies: Mapping[str, Hierarchy],
    *,
    whose: str,
    allow_missing: bool,
    levels: Mapping[str, int] | None = None,
    counted: IntArray | None = None,
    known: "KnownLeaves | None" = None,
) -> dict[str, IntArray]:
    """Return the leaf codes of each attribute's values, (v + 1,) int32: the last is that of a missing value.

    Values that stand in no row may have the code -1. Parameters and errors are those of :func:`encode`.
    """
    tables: dict[str, IntArray] = {}
    for attribute, hierarchy in hierarchies.items():
        column = columns[attribute]
        level = (levels or {}).get(attribute, 0)
        if known is None:
            leaves = [_leaf(hierarchy, level, value) for value in column.values]
        else:
            leaves = known.leaves(attribute, hierarchy, level, column.values)
        if any(leaf is None for leaf in leaves):
            _refuse_unknown(attribute, hierarchy, column, leaves, level, whose=whose, counted=counted)
        listed = [-1 if leaf is None else leaf for leaf in leaves]
        tables[attribute] = np.array([*listed, len(hierarchy.leaves)], np.int32)
        if not allow_missing and (column.codes < 0).any():
            raise InvalidDataError(
                f"{whose}: column {quoted(attribute)} has no value in {rows_found(column.codes < 0, counted)}; "
                'fill them in, or set [records] missing = "suppress" to release them as *'
            )
    return tables


class KnownLeaves:
    """Which leaf each value was found to mean, for tables that have the same values: each is read once.

    To be used with the same hierarchies and levels throughout. Several threads may use it.
    """

    def __init__(self) -> None:
        self._leaf_of: dict[tuple[str, int, type], dict[object, int | None]] = {}

    def leaves(self, attribute: str, hierarchy: Hierarchy, level: int, values: Sequence[object]) -> list[int | None]:
        """Return the leaf of each value, or None; arguments as in :func:`encode`."""
        kinds = set(map(type, values))
        if len(kinds) != 1:
            return [_leaf(hierarchy, level, value) for value in values]
        # 1, 1.0 and true are equal, but may be read in other ways
        known = self._leaf_of.setdefault((attribute, level, kinds.pop()), {})
        for value in set(values).difference(known):
            known[value] = _leaf(hierarchy, level, value)
        return [known[value] for value in values]


def _leaf(hierarchy: Hierarchy, level: int, value: object) -> int | None:
    """Return the leaf of a value, or the first leaf of the group whose label it is, or else that of unlisted ones."""
    if level == 0:
        return hierarchy.code(value)
    text = as_text(value)
    labels = hierarchy.labels[level]
    if text in labels:
        return int(np.searchsorted(hierarchy.groups[level], labels.index(text)))
    return None if hierarchy.unlisted is None else len(hierarchy.leaves) - 1


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
    at = f" at level {level}" if level else ""
    found = rows_found(used, counted)
    raise InvalidDataError(
        f"{whose}: column {quoted(attribute)} has {number_of(len(named), 'value')} that the hierarchy "
        f"{quoted(hierarchy.name)} does not know{at}, in {found}; "
        f"it knows {_domain(hierarchy, level)}"
        + unknown_values_hint(hierarchy, attribute, [column.values[place] for place in named], whose=whose),
        values=[column.values[place] for place in named],
    )


def _domain(hierarchy: Hierarchy, level: int) -> str:
    labels = hierarchy.labels[level]
    if hierarchy.from_data:
        return number_of(len(labels), "value")
    return (
        ", ".join(labels)
        if len(labels) <= LABELS_NAMED
        else f"{labels[0]} ... {labels[-1]} ({number_of(len(labels), 'value')})"
    )


def rows_found(rows: BoolArray, counted: IntArray | None) -> str:
    """Return how many rows are meant, (rows,), and which is the first where that is known."""
    count = int(rows.sum() if counted is None else counted[rows].sum())
    return number_of(count, "row") + (f" (first in row {int(np.argmax(rows)) + 1})" if counted is None else "")
