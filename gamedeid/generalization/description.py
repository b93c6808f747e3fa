"""Which hierarchy a description (the keys of a hierarchy file) stands for."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gamedeid.amounts import joined
from gamedeid.errors import InvalidHierarchyError, did_you_mean, quoted
from gamedeid.generalization.claims import unlike
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.kinds import COMMON, KINDS, MERGE, SMALL, Key, are_tables
from gamedeid.generalization.open_hierarchy import OpenHierarchy

ERROR = "error"
"""What `unlisted` says where values that no hierarchy lists are an error."""


def build_hierarchy(description: Mapping[str, Any], *, name: str) -> Hierarchy | OpenHierarchy:
    """Return the hierarchy that a description stands for.

    Returns
    -------
    A Hierarchy, or an OpenHierarchy where the leaves come from the data.
    """
    kind = description.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        shown = f"`kind` is {quoted(kind)}" if "kind" in description else "`kind` is missing"
        raise InvalidHierarchyError(
            f"{shown}: expected {joined(map(quoted, KINDS), 'or')}{did_you_mean(str(kind), KINDS)}"
        )
    keys, build = KINDS[kind]
    faults = [*_key_faults(description, {**COMMON, **keys})]
    merges = description.get("merge", ())
    if kind == "prefix" and are_tables(merges):
        for number, merge in enumerate(merges, start=1):
            faults += [f"merge {number}: {fault}" for fault in _key_faults(merge, MERGE)]
    if isinstance(small := description.get("merge_small"), Mapping) and kind == "prefix":
        faults += [f"merge_small: {fault}" for fault in _key_faults(small, SMALL)]
    if faults:
        raise InvalidHierarchyError(*faults)
    unlisted = description.get("unlisted", ERROR)
    common = {
        "name": name,
        "role": description.get("role"),
        "title": description.get("title", ""),
        "unlisted": None if unlisted == ERROR else unlisted,
    }
    hierarchy = build(description, common)
    return with_spellings(hierarchy, spellings) if (spellings := description.get("spellings")) else hierarchy


def _key_faults(table: Mapping[str, Any], keys: Mapping[str, Key]) -> Iterator[str]:
    for key, value in table.items():
        if key not in keys:
            yield f"unknown key {quoted(key)}: expected {joined(map(quoted, keys), 'or')}{did_you_mean(key, keys)}"
        elif not keys[key].claim.holds(value):
            yield unlike(key, value, keys[key].claim)
    for key, (claim, required) in keys.items():
        if required and key not in table:
            yield f"`{key}` is missing: expected {claim.words}"


def with_spellings(
    hierarchy: Hierarchy | OpenHierarchy, words: Mapping[str, Sequence[str]]
) -> Hierarchy | OpenHierarchy:
    """Return a hierarchy that reads some words as values of it.

    Parameters
    ----------
    words : value -> how else the data write it.
    """
    faults = list(_faults(hierarchy, words))
    if faults:
        raise InvalidHierarchyError(*faults)
    return replace(hierarchy, spellings={word.strip(): value for value, named in words.items() for word in named})


def _faults(hierarchy: Hierarchy | OpenHierarchy, words: Mapping[str, Sequence[str]]) -> Iterator[str]:
    meant: dict[str, str] = {}
    for value, named in words.items():
        if not _has(hierarchy, value):
            yield f"`spellings`: {quoted(value)} is no value of the hierarchy"
        for word in map(str.strip, named):
            if meant.setdefault(word, value) != value:
                yield f"`spellings`: {quoted(word)} stands for {quoted(meant[word])} and for {quoted(value)}"
            elif word != value and isinstance(hierarchy, Hierarchy) and _has(hierarchy, word):
                yield f"`spellings`: {quoted(word)}, for {quoted(value)}, is a value of the hierarchy itself"


def _has(hierarchy: Hierarchy | OpenHierarchy, value: str) -> bool:
    if isinstance(hierarchy, OpenHierarchy):
        return hierarchy.rule.leaf_of(value) is not None
    return hierarchy.listed_code(value) is not None
