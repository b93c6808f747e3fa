"""Which level of an attribute the HIPAA Safe Harbor rule asks for, value by value."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping

import numpy as np

from gamedeid.arrays import BoolArray, IntArray
from gamedeid.errors import InvalidScenarioError, quoted
from gamedeid.hierarchy import Hierarchy, Role

TOP_CODED_AGE = 90
"""Safe Harbor puts this age and all above into one group (45 CFR 164.514(b)(2)(i)(C))."""

ZIP_DIGITS = 3
"""Digits of a ZIP code that Safe Harbor lets stand where enough people live (45 CFR 164.514(b)(2)(i)(B))."""

Restricted = Callable[[Collection[str]], frozenset[str]]
"""Tells which of these three-digit ZIP prefixes may not be published; an unknown one may not."""

_MORE_DIGITS = re.compile(rf"[0-9]{{{ZIP_DIGITS + 1}}}")
_ZIP_CODE = re.compile(r"[0-9]{3}(?:[0-9]{2}(?:-?[0-9]{4})?)?")


def safe_harbor_levels(hierarchy: Hierarchy, role: Role, restricted: Restricted, *, where: str) -> tuple[IntArray, str]:
    """Return the least level that Safe Harbor permits for each leaf, and the rule in words.

    Parameters
    ----------
    hierarchy : of the attribute, n leaves.
    role : what the rule should see in it; of "other" it asks nothing.
    restricted : which three-digit ZIP prefixes are too small; asked only for the role "zip".
    where : which attribute, for messages.

    Returns
    -------
    (n,) int64, from which level on every level can be published; and a few words.

    Raises
    ------
    InvalidScenarioError : values that are no ages, or no ZIP codes.
    """
    match role:
        case "age":
            return _age_levels(hierarchy, where), f"{TOP_CODED_AGE} and over in one group"
        case "zip":
            return _zip_levels(hierarchy, restricted, where), "three digits; prefixes of too few people in one group"
        case _:
            return np.zeros(len(hierarchy.leaves), np.int64), "as it is"


def whole_numbers(hierarchy: Hierarchy, what: str) -> IntArray:
    """Return the leaves as numbers, (n,) int64.

    Raises
    ------
    InvalidScenarioError : a leaf is no whole number; ``what`` begins the message.
    """
    numbers = np.zeros(len(hierarchy.leaves), np.int64)
    for place, leaf in enumerate(hierarchy.leaves):
        try:
            numbers[place] = int(leaf)
        except (ValueError, OverflowError):
            raise InvalidScenarioError(
                f"{what} must be a whole number, but hierarchy {quoted(hierarchy.name)} has {quoted(leaf)}"
            ) from None
    return numbers


def _age_levels(hierarchy: Hierarchy, where: str) -> IntArray:
    old = whole_numbers(hierarchy, f'{where} has the role "age": each value') >= TOP_CODED_AGE
    held = [np.bincount(groups[old], minlength=int(groups[-1]) + 1)[groups] for groups in hierarchy.groups]
    return _least_levels(np.array([~old | (here == old.sum()) for here in held]))


def _zip_levels(hierarchy: Hierarchy, restricted: Restricted, where: str) -> IntArray:
    for leaf in hierarchy.leaves:
        if not _ZIP_CODE.fullmatch(leaf):
            raise InvalidScenarioError(
                f'{where} has the role "zip", but hierarchy {quoted(hierarchy.name)} has {quoted(leaf)}, which is no '
                'ZIP code of 3, 5 or 9 digits; restore leading zeros, or set role = "other" or the safe_harbor level'
            )
    zones = [leaf[:ZIP_DIGITS] for leaf in hierarchy.leaves]
    sizes = Counter(zones)
    small = restricted(sorted(sizes))
    publishable = []
    for groups, labels in zip(hierarchy.groups.tolist(), hierarchy.labels, strict=True):
        held: list[Counter[str]] = [Counter() for _ in labels]
        for group, zone in zip(groups, zones, strict=True):
            held[group][zone] += 1
        allowed = [_publishable(label, of, sizes, small) for label, of in zip(labels, held, strict=True)]
        publishable.append([allowed[group] for group in groups])
    return _least_levels(np.array(publishable))


def _publishable(label: str, held: Mapping[str, int], sizes: Mapping[str, int], small: frozenset[str]) -> bool:
    """Return whether a group may be told: whole three-digit zones, with enough people or all that have too few.

    Parameters
    ----------
    label : what would be published; more than three digits in a row tell too much, even when no other value of the
        domain begins with the same three.
    held : zone -> leaves of it in the group.
    sizes : zone -> leaves of it in the domain.
    small : zones with too few people. Alone, one of them may only be told by a label that does not name it.
    """
    if _MORE_DIGITS.search(label) or any(count < sizes[zone] for zone, count in held.items()):
        return False
    if not small.issuperset(held):
        return True
    return small == held.keys() and (len(held) > 1 or not any(zone in label for zone in held))


def _least_levels(publishable: BoolArray) -> IntArray:
    """Return for each leaf from which level on all levels, (levels, leaves), are publishable; the top always is."""
    publishable[-1] = True
    levels: IntArray = np.argmax(np.logical_and.accumulate(publishable[::-1])[::-1], axis=0)
    return levels
