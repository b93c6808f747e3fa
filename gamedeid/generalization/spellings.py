"""Which words of the data mean a value that the hierarchy writes otherwise: `M` for `Male`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from gamedeid.errors import InvalidHierarchyError, quoted
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.open_hierarchy import OpenHierarchy


def with_spellings(
    hierarchy: Hierarchy | OpenHierarchy, words: Mapping[str, Sequence[str]]
) -> Hierarchy | OpenHierarchy:
    """Return a hierarchy that reads some words as values of it.

    Parameters
    ----------
    hierarchy : that of an attribute.
    words : value -> how else the data write it.

    Raises
    ------
    InvalidHierarchyError : with every fault: no such value, a word that is one of the values, or means two of them.
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
