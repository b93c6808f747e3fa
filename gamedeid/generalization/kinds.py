"""The kinds of hierarchy: the keys of the description of each, and the hierarchy that it describes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple, TypeAlias

from gamedeid.amounts import joined
from gamedeid.errors import InvalidHierarchyError, did_you_mean, quoted
from gamedeid.generalization.claims import (
    BOOLEAN,
    DAY,
    DECIMAL,
    NUMBER_LISTS,
    PEOPLE,
    ROLE,
    ROWS,
    SPELLINGS,
    TABLE,
    TEXT,
    TEXT_OR_TEXTS,
    TEXTS,
    WHOLE_NUMBER,
    WHOLE_NUMBERS,
    Claim,
    claim_fault,
    refuse,
)
from gamedeid.generalization.codes import CodeRule
from gamedeid.generalization.dates import DateRule
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.levels import ROOT, compile_categories, compile_intervals, compile_label_rows
from gamedeid.generalization.number_bands import NumberRule
from gamedeid.generalization.open_hierarchy import OpenHierarchy
from gamedeid.generalization.prefixes import (
    DIGITS,
    Merge,
    PrefixRule,
    every_character_less,
    small_merge,
    small_prefixes,
)
from gamedeid.generalization.readings import ISO, POINT, AgeReading, DateFormats, DayReading, NumberReading
from gamedeid.reprs import brief

OLDEST = 120
"""Default of `high` for dates of birth: the greatest age, in years."""

ZIP_DIGITS, FEW_PEOPLE = 3, 20_000
"""Digits of a ZIP prefix, and the most people of a small one, in Safe Harbor (45 CFR 164.514(b)(2)(i)(B)).

They are the defaults of `[merge_small]`.
"""

Description: TypeAlias = Mapping[str, Any]
Common: TypeAlias = dict[str, Any]

Tree: TypeAlias = Mapping[str, Any]
"""Name of a group -> a mapping of the groups in it, or a list of its values."""

MOST_DEPTH = 50


@brief
class KeySchema(NamedTuple):
    """The keys that a table must and may have, and the requirement on each."""

    required: Mapping[str, Claim] = {}
    optional: Mapping[str, Claim] = {}

    def faults_of(self, table: Mapping[str, Any], common: Mapping[str, Claim] | None = None) -> Iterator[str]:
        """Yield the faults of the keys of a table, which may have ``common`` ones too, and of their types."""
        known = {**(common or {}), **self.required, **self.optional}
        for key, value in table.items():
            if key not in known:
                expected = joined(map(quoted, known), "or")
                yield f"unknown key {quoted(key)}: expected {expected}{did_you_mean(key, known)}"
            elif not known[key].holds(value):
                yield claim_fault(key, value, known[key])
        for key, claim in self.required.items():
            if key not in table:
                yield f"`{key}` is missing: expected {claim.words}"


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
    return Hierarchy.of_levels(compile_categories(description["values"], **parts), **common)


def _tree(description: Description, common: Common) -> Hierarchy:
    """Return groups of groups: level 1 has those that hold values, the last level below the root the outermost."""
    tree: Tree = description["tree"]
    refuse(_tree_faults(tree, "`tree`", 1))
    paths = list(_paths(tree))
    depth = max(map(len, paths))
    rows = [(path[-1], *[path[-2]] * (depth - len(path)), *path[-2::-1], ROOT) for path in paths]
    return Hierarchy.of_levels(compile_label_rows(rows, noun="value"), **common)


def _table(description: Description, common: Common) -> Hierarchy:
    return Hierarchy.from_rows(description["rows"], integer=description.get("integer", False), **common)


def _date(description: Description, common: Common) -> Hierarchy | OpenHierarchy:
    common = common | {"role": common["role"] or "date"}
    reading = DayReading(form=_forms(description))
    rule = DateRule(steps=tuple(description["levels"]), reading=reading, earliest=description.get("earliest"))
    if "low" not in description and "high" not in description:
        return OpenHierarchy(rule=rule, **common)
    if "low" not in description or "high" not in description:
        raise InvalidHierarchyError("`low` and `high`: expected both of them, or none")
    levels = rule.compile(_day(description["low"]), _day(description["high"]))
    return Hierarchy.of_levels(levels, reading=reading, **common)


def _age(description: Description, common: Common) -> Hierarchy:
    forms = _forms(description)
    if not forms.has_days:
        raise InvalidHierarchyError("`format` has no DD: an age needs the day of birth")
    reading = AgeReading(form=forms, at=_day(description["at"]))
    high, open_from = description.get("high", OLDEST), description.get("open_from")
    levels = compile_intervals(0, high, tuple(description["widths"]), open_from=open_from)
    return Hierarchy.of_levels(levels, reading=reading, **common | {"role": common["role"] or "age"})


def _number(description: Description, common: Common) -> OpenHierarchy:
    bands = tuple(tuple(Decimal(str(edge)) for edge in edges) for edges in description["bands"])
    reading = NumberReading(decimal=description.get("decimal", POINT))
    return OpenHierarchy(rule=NumberRule(bands=bands, reading=reading), **common)


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


COMMON_KEYS = {"title": TEXT, "kind": TEXT, "role": ROLE, "unlisted": TEXT, "spellings": SPELLINGS}
"""The keys that every kind has."""

MERGE_KEYS = KeySchema({"from_level": WHOLE_NUMBER}, {"values": TEXTS, "prefixes": TEXTS, "label": TEXT})
"""The keys of a `[[merge]]` table."""

SMALL_MERGE_KEYS = KeySchema({"people": PEOPLE}, {"digits": WHOLE_NUMBER, "limit": WHOLE_NUMBER, "label": TEXT})
"""The keys of a `[merge_small]` table; a file may have `populations`, the path of a CSV file, for `people`."""

_MERGES = Claim("[[merge]] tables", are_tables)

KINDS: dict[str, tuple[KeySchema, Callable[[Description, Common], Hierarchy | OpenHierarchy]]] = {
    "interval": (
        KeySchema(
            dict.fromkeys(("low", "high"), WHOLE_NUMBER) | {"widths": WHOLE_NUMBERS}, {"open_from": WHOLE_NUMBER}
        ),
        _interval,
    ),
    "number": (KeySchema({"bands": NUMBER_LISTS}, {"decimal": DECIMAL}), _number),
    "date": (
        KeySchema({"levels": TEXTS}, {"format": TEXT_OR_TEXTS, "earliest": WHOLE_NUMBER, "low": DAY, "high": DAY}),
        _date,
    ),
    "age": (
        KeySchema(
            {"at": DAY, "widths": WHOLE_NUMBERS},
            {"format": TEXT_OR_TEXTS, "open_from": WHOLE_NUMBER, "high": WHOLE_NUMBER},
        ),
        _age,
    ),
    "codes": (KeySchema(optional={"keep": WHOLE_NUMBERS, "ranges": ROWS, "separators": TEXT}), _codes),
    "prefix": (
        KeySchema(
            {"length": WHOLE_NUMBER},
            {"alphabet": TEXT, "keep": WHOLE_NUMBERS, "values": TEXTS, "merge": _MERGES, "merge_small": TABLE},
        ),
        _prefix,
    ),
    "ordered": (KeySchema({"values": TEXTS}, {"sizes": WHOLE_NUMBERS, "starts": ROWS}), _ordered),
    "tree": (KeySchema({"tree": TABLE}), _tree),
    "table": (KeySchema({"rows": ROWS}, {"integer": BOOLEAN}), _table),
}
"""Kind -> its keys, and the function that builds a hierarchy of them."""


def _paths(tree: Tree) -> Iterator[tuple[str, ...]]:
    """Yield the names from the outermost group to each value."""
    for name, inside in tree.items():
        if isinstance(inside, Mapping):
            yield from ((name, *path) for path in _paths(inside))
        else:
            yield from ((name, value) for value in inside)


def _tree_faults(tree: Tree, where: str, depth: int) -> Iterator[str]:
    if not tree:
        yield f"{where} has no groups: expected tables, and lists of texts in them"
    if depth > MOST_DEPTH:
        yield f"{where} is nested more than {MOST_DEPTH} tables deep"
        return
    for name, inside in tree.items():
        place = f"{where}, {quoted(name)}"
        if isinstance(inside, Mapping):
            yield from _tree_faults(inside, place, depth + 1)
        elif (
            isinstance(inside, str)
            or not isinstance(inside, Sequence)
            or not all(isinstance(one, str) for one in inside)
        ):
            yield f"{place} is {quoted(inside)}: expected a table of groups, or a list of texts"
        elif not inside:
            yield f"{place} has no values: expected at least one"


UNLISTED_IS_ERROR = "error"
"""Value of `unlisted` for which values that the hierarchy does not list are an error."""


def build_hierarchy(description: Mapping[str, Any], *, name: str) -> Hierarchy | OpenHierarchy:
    """Return the hierarchy of a description; an open one if the leaves come from the data."""
    kind = description.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        shown = f"`kind` is {quoted(kind)}" if "kind" in description else "`kind` is missing"
        raise InvalidHierarchyError(
            f"{shown}: expected {joined(map(quoted, KINDS), 'or')}{did_you_mean(str(kind), KINDS)}"
        )
    keys, build = KINDS[kind]
    faults = [*keys.faults_of(description, COMMON_KEYS)]
    merges = description.get("merge", ())
    if kind == "prefix" and are_tables(merges):
        for number, merge in enumerate(merges, start=1):
            faults += [f"merge {number}: {fault}" for fault in MERGE_KEYS.faults_of(merge)]
    if isinstance(small := description.get("merge_small"), Mapping) and kind == "prefix":
        faults += [f"merge_small: {fault}" for fault in SMALL_MERGE_KEYS.faults_of(small)]
    refuse(faults)
    unlisted = description.get("unlisted", UNLISTED_IS_ERROR)
    common = {
        "name": name,
        "role": description.get("role"),
        "title": description.get("title", ""),
        "unlisted": None if unlisted == UNLISTED_IS_ERROR else unlisted,
    }
    hierarchy = build(description, common)
    return with_spellings(hierarchy, spellings) if (spellings := description.get("spellings")) else hierarchy


def with_spellings(
    hierarchy: Hierarchy | OpenHierarchy, words: Mapping[str, Sequence[str]]
) -> Hierarchy | OpenHierarchy:
    """Return a hierarchy that reads further words as its values; ``words`` are those for each value."""
    refuse(_spelling_faults(hierarchy, words))
    return replace(hierarchy, spellings={word.strip(): value for value, named in words.items() for word in named})


def _spelling_faults(hierarchy: Hierarchy | OpenHierarchy, words: Mapping[str, Sequence[str]]) -> Iterator[str]:
    meant: dict[str, str] = {}
    for value, named in words.items():
        if not _reads_value(hierarchy, value):
            yield f"`spellings`: {quoted(value)} is no value of the hierarchy"
        for word in map(str.strip, named):
            if meant.setdefault(word, value) != value:
                yield f"`spellings`: {quoted(word)} stands for {quoted(meant[word])} and for {quoted(value)}"
            elif word != value and isinstance(hierarchy, Hierarchy) and _reads_value(hierarchy, word):
                yield f"`spellings`: {quoted(word)}, for {quoted(value)}, is a value of the hierarchy itself"


def _reads_value(hierarchy: Hierarchy | OpenHierarchy, value: str) -> bool:
    if isinstance(hierarchy, OpenHierarchy):
        return hierarchy.rule.leaf_of(value) is not None
    return hierarchy.listed_code(value) is not None
