"""The kinds of hierarchy: which keys each has, and what it builds of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple, TypeAlias, get_args

from gamedeid.amounts import joined
from gamedeid.errors import InvalidHierarchyError, quoted
from gamedeid.generalization.calendar_dates import ISO, DateFormats
from gamedeid.generalization.claims import (
    DAY,
    DECIMAL,
    NUMBER_LISTS,
    PEOPLE,
    ROWS,
    SPELLINGS,
    TABLE,
    TEXT,
    TEXT_OR_TEXTS,
    TEXTS,
    TRUTH,
    WHOLE_NUMBER,
    WHOLE_NUMBERS,
    Claim,
)
from gamedeid.generalization.codes import CodeRule
from gamedeid.generalization.dates import DateRule, date_ladder
from gamedeid.generalization.hierarchy import Hierarchy, Role
from gamedeid.generalization.levels import ROOT, Ladder, interval_ladder, table_ladder
from gamedeid.generalization.number_bands import NumberRule
from gamedeid.generalization.open_hierarchy import OpenHierarchy
from gamedeid.generalization.ordered import ordered_ladder
from gamedeid.generalization.prefixes import DIGITS, Merge, PrefixRule, every_character_less
from gamedeid.generalization.readings import POINT, Ages, Days
from gamedeid.generalization.small_prefixes import small_merge, small_prefixes

OLDEST = 120
"""Years of age up to which the ages of a date of birth go unless `high` says otherwise."""

ZIP_DIGITS, FEW_PEOPLE = 3, 20_000
"""Digits of a prefix, and the most people of a small one, unless `[merge_small]` says otherwise: Safe Harbor's."""

Description: TypeAlias = Mapping[str, Any]
Common: TypeAlias = dict[str, Any]


class Key(NamedTuple):
    """What a key of a description must hold, and whether it must be there."""

    claim: Claim
    required: bool = False


def are_tables(value: object) -> bool:
    """Return whether a value is a list of tables."""
    return isinstance(value, Sequence) and all(isinstance(one, Mapping) for one in value)


def _interval(description: Description, common: Common) -> Hierarchy:
    ends = description["low"], description["high"]
    return Hierarchy.intervals(*ends, description["widths"], open_from=description.get("open_from"), **common)


def _prefix(description: Description, common: Common) -> Hierarchy | OpenHierarchy:
    length, alphabet = description["length"], description.get("alphabet", DIGITS)
    keep = tuple(description.get("keep", every_character_less(length)))
    merge = tuple(
        Merge(
            from_level=one["from_level"],
            values=tuple(one.get("values", ())),
            prefixes=tuple(one.get("prefixes", ())),
            label=one.get("label"),
        )
        for one in description.get("merge", ())
    )
    small = description.get("merge_small")
    if small is not None:
        merge = (*merge, *_merge_of_small(small, keep, description))
    if "values" not in description:
        are_zip_codes = common["role"] == "zip"
        rule = PrefixRule(length=length, keep=keep, merge=merge, alphabet=alphabet, are_zip_codes=are_zip_codes)
        return OpenHierarchy(rule=rule, **common)
    values = description["values"]
    return Hierarchy.prefixes(values, length=length, keep=keep, merge=merge, alphabet=alphabet, **common)


def _merge_of_small(small: Description, keep: Sequence[int], description: Description) -> tuple[Merge, ...]:
    if description.get("alphabet", DIGITS) != DIGITS:
        raise InvalidHierarchyError("`merge_small` is for codes of digits")
    digits = small.get("digits", ZIP_DIGITS)
    try:
        prefixes = small_prefixes(small["people"], digits=digits, limit=small.get("limit", FEW_PEOPLE))
        if "values" in description:
            prefixes = tuple(sorted({value[:digits] for value in description["values"]}.intersection(prefixes)))
        merge = small_merge(prefixes, digits=digits, keep=keep, label=small.get("label"))
    except InvalidHierarchyError as error:
        raise InvalidHierarchyError(*(f"merge_small: {fault}" for fault in error.faults)) from None
    return (merge,) if prefixes else ()


def _ordered(description: Description, common: Common) -> Hierarchy:
    parts = {"sizes": description.get("sizes", ()), "starts": description.get("starts", ())}
    return Hierarchy.of_ladder(ordered_ladder(description["values"], **parts), **common)


def _tree(description: Description, common: Common) -> Hierarchy:
    return Hierarchy.of_ladder(tree_ladder(description["tree"]), **common)


def _table(description: Description, common: Common) -> Hierarchy:
    return Hierarchy.from_rows(description["rows"], integer=description.get("integer", False), **common)


def _date(description: Description, common: Common) -> Hierarchy | OpenHierarchy:
    common = common | {"role": common["role"] or "date"}
    form, steps = _forms(description), tuple(description["levels"])
    earliest = description.get("earliest")
    if "low" not in description and "high" not in description:
        return OpenHierarchy(rule=DateRule(steps=steps, form=form, earliest=earliest), **common)
    if "low" not in description or "high" not in description:
        raise InvalidHierarchyError("`low` and `high`: expected both of them, or none")
    low, high = _day(description["low"]), _day(description["high"])
    return Hierarchy.of_ladder(
        date_ladder(low, high, steps, earliest=earliest, by_month=not form.has_days), reading=Days(form=form), **common
    )


def _age(description: Description, common: Common) -> Hierarchy:
    forms = _forms(description)
    if not forms.has_days:
        raise InvalidHierarchyError("`format` has no DD: an age needs the day of birth")
    reading = Ages(form=forms, at=_day(description["at"]))
    high, open_from = description.get("high", OLDEST), description.get("open_from")
    ladder = interval_ladder(0, high, tuple(description["widths"]), open_from=open_from)
    return Hierarchy.of_ladder(ladder, reading=reading, **common | {"role": common["role"] or "age"})


def _number(description: Description, common: Common) -> OpenHierarchy:
    bands = tuple(tuple(Decimal(str(edge)) for edge in edges) for edges in description["bands"])
    return OpenHierarchy(rule=NumberRule(bands=bands, decimal=description.get("decimal", POINT)), **common)


def _codes(description: Description, common: Common) -> OpenHierarchy:
    rule = CodeRule(
        keep=tuple(description.get("keep", ())),
        ranges=tuple(map(tuple, description.get("ranges", ()))),
        separators=description.get("separators", "."),
    )
    return OpenHierarchy(rule=rule, **common)


def _forms(description: Description) -> DateFormats:
    given = description.get("format", ISO)
    return DateFormats(texts=(given,) if isinstance(given, str) else tuple(given))


def _day(value: Any) -> date:
    return date.fromisoformat(value) if isinstance(value, str) else value


COMMON = {
    "title": Key(TEXT),
    "kind": Key(TEXT),
    "role": Key(
        Claim(
            joined(map(quoted, get_args(Role)), "or"), lambda value: isinstance(value, str) and value in get_args(Role)
        )
    ),
    "unlisted": Key(TEXT),
    "spellings": Key(SPELLINGS),
}
"""The keys that every kind has."""

MERGE = {
    "from_level": Key(WHOLE_NUMBER, required=True),
    "values": Key(TEXTS),
    "prefixes": Key(TEXTS),
    "label": Key(TEXT),
}
"""The keys of a `[[merge]]` table."""

SMALL = {
    "people": Key(PEOPLE, required=True),
    "digits": Key(WHOLE_NUMBER),
    "limit": Key(WHOLE_NUMBER),
    "label": Key(TEXT),
}
"""The keys of a `[merge_small]` table; a file may have `populations`, the path of a CSV file, for `people`."""

KINDS: dict[str, tuple[dict[str, Key], Callable[[Description, Common], Hierarchy | OpenHierarchy]]] = {
    "interval": (
        {
            "low": Key(WHOLE_NUMBER, required=True),
            "high": Key(WHOLE_NUMBER, required=True),
            "widths": Key(WHOLE_NUMBERS, required=True),
            "open_from": Key(WHOLE_NUMBER),
        },
        _interval,
    ),
    "number": ({"bands": Key(NUMBER_LISTS, required=True), "decimal": Key(DECIMAL)}, _number),
    "date": (
        {
            "format": Key(TEXT_OR_TEXTS),
            "levels": Key(TEXTS, required=True),
            "earliest": Key(WHOLE_NUMBER),
            "low": Key(DAY),
            "high": Key(DAY),
        },
        _date,
    ),
    "age": (
        {
            "at": Key(DAY, required=True),
            "format": Key(TEXT_OR_TEXTS),
            "widths": Key(WHOLE_NUMBERS, required=True),
            "open_from": Key(WHOLE_NUMBER),
            "high": Key(WHOLE_NUMBER),
        },
        _age,
    ),
    "codes": (
        {
            "keep": Key(WHOLE_NUMBERS),
            "ranges": Key(ROWS),
            "separators": Key(TEXT),
        },
        _codes,
    ),
    "prefix": (
        {
            "length": Key(WHOLE_NUMBER, required=True),
            "alphabet": Key(TEXT),
            "keep": Key(WHOLE_NUMBERS),
            "values": Key(TEXTS),
            "merge": Key(Claim("[[merge]] tables", are_tables)),
            "merge_small": Key(TABLE),
        },
        _prefix,
    ),
    "ordered": (
        {
            "values": Key(TEXTS, required=True),
            "sizes": Key(WHOLE_NUMBERS),
            "starts": Key(ROWS),
        },
        _ordered,
    ),
    "tree": ({"tree": Key(TABLE, required=True)}, _tree),
    "table": (
        {
            "rows": Key(ROWS, required=True),
            "integer": Key(TRUTH),
        },
        _table,
    ),
}
"""Kind -> its keys, and what builds a hierarchy of them."""


Tree: TypeAlias = Mapping[str, Any]
"""Name of a group -> the groups in it, as such a mapping, or a list of its values."""

MOST_DEPTH = 50


def tree_ladder(tree: Tree) -> Ladder:
    """Compile groups of groups.

    Parameters
    ----------
    tree : groups by their names, those at the top first. Where branches have different depths, the values of a shorter
        one stay in their group at the levels that it does not have.

    Returns
    -------
    The levels; level 1 has the groups that hold values, the last one before the root those of the outermost table.
    """
    faults = list(_faults(tree, "`tree`", 1))
    if faults:
        raise InvalidHierarchyError(*faults)
    paths = list(_paths(tree))
    depth = max(map(len, paths))
    rows = [(path[-1], *path[-2::-1]) for path in paths]
    rows = [(row[0], *[row[1]] * (depth - len(row)), *row[1:], ROOT) for row in rows]
    return table_ladder(rows, noun="value")


def _paths(tree: Tree) -> Iterator[tuple[str, ...]]:
    """Yield the names from the outermost group to each value."""
    for name, inside in tree.items():
        if isinstance(inside, Mapping):
            yield from ((name, *path) for path in _paths(inside))
        else:
            yield from ((name, value) for value in inside)


def _faults(tree: Tree, where: str, depth: int) -> Iterator[str]:
    if not tree:
        yield f"{where} has no groups: expected tables, and lists of texts in them"
    if depth > MOST_DEPTH:
        yield f"{where} lies over {MOST_DEPTH} tables deep"
        return
    for name, inside in tree.items():
        here = f"{where}, {quoted(name)}"
        if isinstance(inside, Mapping):
            yield from _faults(inside, here, depth + 1)
        elif (
            isinstance(inside, str)
            or not isinstance(inside, Sequence)
            or not all(isinstance(one, str) for one in inside)
        ):
            yield f"{here} is {quoted(inside)}: expected a table of groups, or a list of texts"
        elif not inside:
            yield f"{here} has no values: expected at least one"
