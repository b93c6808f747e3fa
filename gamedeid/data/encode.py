"""Turn values of tables, or of one person, into leaf codes; a value that a hierarchy lacks is an error."""

import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from gamedeid.amounts import number_of
from gamedeid.arrays import BoolArray, IntArray
from gamedeid.data.profiles import Column
from gamedeid.errors import InvalidDataError, InvalidScenarioError, did_you_mean, quoted, refuse_unknown
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.levels import ROOT
from gamedeid.generalization.readings import as_text, missing_values_hint

LOST_ZEROS = "leading zeros seem lost: save and read the column as text"

_DECIMAL = re.compile(r"([+-]?[0-9]+)\.([0-9]+)")


def unknown_values_hint(hierarchy: Hierarchy, attribute: str, values: Sequence[object], *, table_name: str) -> str:
    """Return hints for the user, each after a semicolon; empty where none applies."""
    texts = [as_text(value) for value in values]
    parts = [
        *_unreadable_values(hierarchy, values),
        *_lost_zeros(hierarchy, texts),
        *_decimals(hierarchy, texts),
        *_groups(hierarchy, attribute, texts, table_name),
    ]
    hint = "".join(f"; {part}" for part in parts) + missing_values_hint(values)
    if not hint and hierarchy.from_data:
        return "; it takes its values from the data, which have none of these: name a file that lists all values"
    return hint or (
        "; add them to the hierarchy, as values or as `spellings` of its values, or name a group there: "
        'unlisted = "Other"'
    )


def _unreadable_values(hierarchy: Hierarchy, values: Sequence[object]) -> Iterator[str]:
    if hierarchy.reading is not None:
        count = sum(hierarchy.reading.leaf_of(value) is None for value in values)
        if count:
            yield f"expected {hierarchy.reading.words}, and {count:,} of them {'is' if count == 1 else 'are'} not"


def _lost_zeros(hierarchy: Hierarchy, texts: Sequence[str]) -> Iterator[str]:
    padded = [text.zfill(len(hierarchy.leaves[0])) for text in texts]
    if any(text != full and hierarchy.code(full) is not None for text, full in zip(texts, padded, strict=True)):
        yield LOST_ZEROS


def _decimals(hierarchy: Hierarchy, texts: Sequence[str]) -> Iterator[str]:
    found = [match for text in texts if (match := _DECIMAL.fullmatch(text)) and hierarchy.code(match[1]) is not None]
    whole = sum(not match[2].strip("0") for match in found)
    if whole:
        yield (
            f"{whole:,} of them {'has' if whole == 1 else 'have'} a needless decimal point, as in 4.0: write "
            'whole numbers, or set integer = true in a hierarchy file with kind = "table"'
        )
    fractions = len(found) - whole
    if fractions:
        yield (
            f"{fractions:,} of them {'has' if fractions == 1 else 'have'} decimals, and the hierarchy knows whole "
            "numbers: round them down in the data"
        )


def _groups(hierarchy: Hierarchy, attribute: str, texts: Sequence[str], table_name: str) -> Iterator[str]:
    for level, labels in enumerate(hierarchy.labels[1:-1], start=1):
        count = len(set(texts).intersection(labels))
        if count:
            found = f"{count:,} of them {'is a group' if count == 1 else 'are groups'} of level {level}"
            if table_name == "population" or table_name.startswith("recipients."):
                levels = f"{{ {_toml_name(attribute)} = {level} }}"
                yield f"{found}: if there are no finer ones, set [{table_name}] levels = {levels}"
            else:
                yield f"{found}: the records must hold the values themselves"
            return


def _toml_name(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else f'"{name}"'


LABELS_NAMED = 6
"""Messages list all labels of a hierarchy that has at most this many."""


def encode(
    columns: Mapping[str, Column],
    hierarchies: Mapping[str, Hierarchy],
    *,
    table_name: str,
    allow_missing: bool,
    levels: Mapping[str, int] | None = None,
    counted: IntArray | None = None,
    known: "LeafCache | None" = None,
) -> IntArray:
    """Return the leaf codes, (rows, a) int32, of the named columns.

    Parameters
    ----------
    hierarchies : attribute -> its hierarchy; their order is the order of the result's columns.
    levels : attribute -> level of the labels in its column (default: 0); a group has the code of its first leaf.
    counted : (rows,) how many rows of the data each row represents; if given, messages do not number the first row.
    """
    tables = leaves_of_values(
        columns,
        hierarchies,
        table_name=table_name,
        allow_missing=allow_missing,
        levels=levels,
        counted=counted,
        known=known,
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
    table_name: str,
    allow_missing: bool,
    levels: Mapping[str, int] | None = None,
    counted: IntArray | None = None,
    known: "LeafCache | None" = None,
) -> dict[str, IntArray]:
    """Return the leaf codes of each attribute's values, (v + 1,) int32: the last is that of a missing value.

    Values that no row has may have the code -1. Parameters and errors are those of :func:`encode`.
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
            _refuse_unknown(attribute, hierarchy, column, leaves, level, table_name=table_name, counted=counted)
        listed = [-1 if leaf is None else leaf for leaf in leaves]
        tables[attribute] = np.array([*listed, len(hierarchy.leaves)], np.int32)
        if not allow_missing and (column.codes < 0).any():
            raise InvalidDataError(
                f"{table_name}: column {quoted(attribute)} has no value in {rows_found(column.codes < 0, counted)}; "
                'fill them in, or set [records] missing = "suppress" to release them as *'
            )
    return tables


def count_unlisted(
    columns: Mapping[str, Column], hierarchies: Mapping[str, Hierarchy], counted: IntArray | None = None
) -> dict[str, int]:
    """Return attribute -> how many rows have a value that its hierarchy puts into its group of unlisted values.

    Attributes without such a value are left out; the label of the group itself is a listed value. Parameters are those
    of :func:`encode`.
    """
    found = {}
    for attribute, hierarchy in hierarchies.items():
        column = columns[attribute]
        if hierarchy.unlisted is None:
            continue
        places = [place for place, value in enumerate(column.values) if hierarchy.listed_code(value) is None]
        found[attribute] = _count_rows(np.isin(column.codes, places), counted)
    return {attribute: rows for attribute, rows in found.items() if rows}


class LeafCache:
    """A cache of the leaf of each value, for tables that share values.

    It serves one set of hierarchies and levels. Several threads may use it.
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
    """Return the leaf of a value, or the first leaf of the group whose label it is, or else that of unlisted values."""
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
    table_name: str,
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
        f"{table_name}: column {quoted(attribute)} has {number_of(len(named), 'value')} that the hierarchy "
        f"{quoted(hierarchy.name)} does not know{at}, in {found}; "
        f"it knows {_domain(hierarchy, level)}"
        + unknown_values_hint(hierarchy, attribute, [column.values[place] for place in named], table_name=table_name),
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
    """Describe the marked rows, (rows,): how many, and the number of the first if it is known."""
    first = f" (first in row {int(np.argmax(rows)) + 1})" if counted is None else ""
    return number_of(_count_rows(rows, counted), "row") + first


def _count_rows(rows: BoolArray, counted: IntArray | None) -> int:
    return int(rows.sum() if counted is None else counted[rows].sum())


def codes_of(
    values: Mapping[str, object],
    hierarchies: Mapping[str, Hierarchy],
    *,
    allow_missing: bool,
) -> IntArray:
    """Return the leaf codes, (a,) int32, of one person's values.

    Parameters
    ----------
    values : attribute -> the value as in the data; ``*`` if it is missing.
    hierarchies : attribute -> its hierarchy, in the order of the codes.
    """
    for name in values:
        refuse_unknown("attribute", name, hierarchies, "values: ")
    absent = [name for name in hierarchies if name not in values]
    if absent:
        names = ", ".join(quoted(name) for name in absent)
        raise InvalidScenarioError(f"values: a value is needed for every attribute; there is none for {names}")
    return np.array(
        [_code(name, values[name], hierarchy, allow_missing=allow_missing) for name, hierarchy in hierarchies.items()],
        np.int32,
    )


def _code(name: str, value: object, hierarchy: Hierarchy, *, allow_missing: bool) -> int:
    if value == ROOT:
        if allow_missing:
            return len(hierarchy.leaves)
        raise InvalidScenarioError(
            f'values: {quoted(name)} is missing (`{ROOT}`), which only [records] missing = "suppress" permits'
        )
    code = hierarchy.code(value)
    if code is None:
        raise InvalidScenarioError(
            f"values: {quoted(name)} cannot be {quoted(value)}: the hierarchy {quoted(hierarchy.name)} has no such "
            f"value{known_values_hint(hierarchy, value)}"
        )
    return code


def known_values_hint(hierarchy: Hierarchy, value: object) -> str:
    """Return a hint for a message on a value that a hierarchy lacks; it shows no value that is found in the data."""
    leaves, reading = hierarchy.leaves, hierarchy.reading
    if reading is not None and reading.leaf_of(value) is None:
        return f"; expected {reading.words}"
    if hierarchy.from_data:
        return ""
    return (
        did_you_mean(str(value), leaves) or f"; it has {leaves[0]} ... {leaves[-1]} ({number_of(len(leaves), 'value')})"
    )
