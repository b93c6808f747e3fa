"""The levels of an attribute that the HIPAA Safe Harbor rule requires, value by value."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from decimal import Decimal

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.choices import Role
from gamedeid.data.roles import TOP_CODED_AGE
from gamedeid.data.years import Years, is_date, is_one_year, year_of, years_in_label
from gamedeid.errors import InvalidScenarioError, quoted, quoted_shape
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.kinds import ZIP_DIGITS
from gamedeid.generalization.levels import ROOT
from gamedeid.generalization.readings import number_of_text

OLDEST_AGE = 150
"""Greatest age in years; a greater number may be in months."""

Restricted = Callable[[Collection[str]], frozenset[str]]
"""A function that returns which of these three-digit ZIP prefixes may not be published; unknown ones may not."""

_MORE_DIGITS = re.compile(rf"[0-9]{{{ZIP_DIGITS + 1}}}")
_AGE = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,9})?")
_NUMBER = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")
_ZIP_CODE = re.compile(r"[0-9]{3}(?:[0-9]{2}(?:-?[0-9]{4})?)?")


def safe_harbor_levels(
    hierarchy: Hierarchy, role: Role | None, restricted: Restricted, *, where: str, year: int | None
) -> tuple[IntArray, str]:
    """Return the level from which on Safe Harbor permits all levels of a leaf, (n,) int64; and the rule in words."""
    if hierarchy.unlisted is not None and role in ("age", "zip", "date"):
        levels, words = safe_harbor_levels(hierarchy.listed_part(), role, restricted, where=where, year=year)
        return np.append(levels, hierarchy.levels - 1), f"{words}; {hierarchy.unlisted} as *"
    levels = np.zeros(len(hierarchy.leaves), np.int64)
    match role:
        case "age":
            levels, words = _age_levels(hierarchy, where), f"{TOP_CODED_AGE} and over in one group"
        case "zip":
            levels = _zip_levels(hierarchy, restricted, where)
            words = "three digits; prefixes of too few people in one group"
        case "date":
            levels, words = _date_levels(hierarchy, year, where)
        case "county" | "city":
            levels, words = levels + hierarchy.levels - 1, f"* only, as a {role} is smaller than a state"
        case "state" | "other":
            words = "as it is"
        case None:
            words = "as it is, taken for role other since none is stated"
    return levels, words


def leaf_numbers(hierarchy: Hierarchy, what: str) -> list[Decimal]:
    """Return the leaves as numbers, in their order."""
    numbers = [number_of_text(leaf) for leaf in hierarchy.leaves]
    for leaf, number in zip(hierarchy.leaves, numbers, strict=True):
        if number is None:
            shown, values = (quoted_shape(leaf), [leaf]) if hierarchy.from_data else (quoted(leaf), [])
            raise InvalidScenarioError(
                f"{what} must be a number, but hierarchy {quoted(hierarchy.name)} has {shown}", values=values
            )
    return [number for number in numbers if number is not None]


def _age_levels(hierarchy: Hierarchy, where: str) -> IntArray:
    ages = _ages(hierarchy, where)
    old = ages >= TOP_CODED_AGE
    allowed = []
    for groups, labels in zip(hierarchy.groups, hierarchy.labels, strict=True):
        youngest = np.array([min(map(float, _NUMBER.findall(label)), default=0) for label in labels])
        joined = _group_holds_all(old, groups) & (youngest[groups] <= TOP_CODED_AGE)  # 95-99 is finer than 90+
        allowed.append(~old | joined)
    return _least_levels(np.array(allowed))


def _ages(hierarchy: Hierarchy, where: str) -> FloatArray:
    """Return the leaves as ages in years, (n,) float64; they may have decimals."""
    ages = np.array([float(leaf) if _AGE.fullmatch(leaf) else -1 for leaf in hierarchy.leaves])
    invalid = int(((ages < 0) | (ages > OLDEST_AGE)).sum())
    if invalid:
        raise InvalidScenarioError(
            f'{where} has the role "age", but {invalid:,} of the {len(ages):,} values of hierarchy '
            f"{quoted(hierarchy.name)} {'is' if invalid == 1 else 'are'} no number of years from 0 to {OLDEST_AGE}, "
            "such as 48; write the ages so, or say the least level that Safe Harbor permits: safe_harbor = LEVEL"
        )
    return ages


def _group_holds_all(some: BoolArray, groups: IntArray) -> BoolArray:
    """Return for each leaf, (n,), whether its group holds all of some leaves, (n,)."""
    holds_all: BoolArray = np.bincount(groups[some], minlength=int(groups[-1]) + 1)[groups] == some.sum()
    return holds_all


def _date_levels(hierarchy: Hierarchy, year: int | None, where: str) -> tuple[IntArray, str]:
    top = hierarchy.levels - 1
    least = next((level for level in range(top) if _has_years_only(hierarchy, level)), top)
    below = [label for labels in hierarchy.labels[:top] for label in labels]
    if least == top and not all(years_in_label(label) is None and is_date(label) for label in below):
        raise InvalidScenarioError(
            f'{where} has the role "date", but no level of hierarchy {quoted(hierarchy.name)} below {top} is known to '
            f"show the year alone; say the least level that does: safe_harbor = LEVEL ({top} for *)"
        )
    if least == top:
        return np.full(len(hierarchy.leaves), top), "* only, as no other level shows the year alone"
    if year is None:
        raise InvalidScenarioError(
            f'{where} has the role "date", and a year of {TOP_CODED_AGE} years ago shows an age that Safe Harbor does '
            "not release: write the year of the release, year = YYYY, under [policy.safe-harbor]"
        )
    last = year - TOP_CODED_AGE
    words = f"years only, those up to {last} in one group"
    leaf_years = _leaf_years(hierarchy, least)
    old = leaf_years[:, 0] <= last
    publishable = np.zeros(hierarchy.groups.shape, np.bool_)
    for level in range(least, top):
        groups, labels = hierarchy.groups[level], hierarchy.labels[level]
        last_years = np.array([(years_in_label(label) or Years(last, last)).last for label in labels])[groups]
        begins = np.flatnonzero(np.diff(groups, prepend=-1))
        latest = np.maximum.reduceat(leaf_years[:, 1], begins)[groups]  # 1900-1929 is finer than 1936 or earlier
        latest = np.maximum(last_years, latest)
        single = np.array([is_one_year(label) for label in labels])[groups]
        publishable[level] = ~old | (_group_holds_all(old, groups) & (latest >= last) & ~single)
    return _least_levels(publishable), words


def _has_years_only(hierarchy: Hierarchy, level: int) -> bool:
    """Return whether the labels of a level are years and nothing else."""
    label_years = [years_in_label(label) for label in hierarchy.labels[level]]
    if not all(label_years):
        return False
    for leaf, group in zip(hierarchy.leaves, hierarchy.groups[level].tolist(), strict=True):
        # one cut from digits alone, `1903****`, may be a day and a month: it must have the year of the whole
        if ROOT in hierarchy.labels[level][group] and leaf.isdigit():
            year, years = year_of(leaf), label_years[group]
            if year is None or years is None or not years.first <= year <= years.last:
                return False
    return True


def _leaf_years(hierarchy: Hierarchy, level: int) -> IntArray:
    """Return the first and last year of each leaf, (n, 2), or of its label at a level."""
    label_years = [years_in_label(label) for label in hierarchy.labels[level]]
    years = []
    for leaf, group in zip(hierarchy.leaves, hierarchy.groups[level].tolist(), strict=True):
        year = year_of(leaf)
        years.append(label_years[group] if year is None else Years(year, year))
    return np.array(years, np.int64)


def _zip_levels(hierarchy: Hierarchy, restricted: Restricted, where: str) -> IntArray:
    invalid = sum(not _ZIP_CODE.fullmatch(leaf) for leaf in hierarchy.leaves)
    if invalid:
        raise InvalidScenarioError(
            f'{where} has the role "zip", but {invalid:,} of the {len(hierarchy.leaves):,} values of hierarchy '
            f"{quoted(hierarchy.name)} {'is' if invalid == 1 else 'are'} no ZIP code of 3, 5 or 9 digits; restore "
            "leading zeros, or say the least level that Safe Harbor permits: safe_harbor = LEVEL"
        )
    zones = [leaf[:ZIP_DIGITS] for leaf in hierarchy.leaves]
    sizes = Counter(zones)
    small = restricted(sorted(sizes))
    of_small = np.array([zone in small for zone in zones])
    whole, all_small, joined = np.zeros((3, *hierarchy.groups.shape), np.bool_)
    for level, (groups, labels) in enumerate(zip(hierarchy.groups, hierarchy.labels, strict=True)):
        zone_leaves: list[Counter[str]] = [Counter() for _ in labels]
        for group, zone in zip(groups.tolist(), zones, strict=True):
            zone_leaves[group][zone] += 1
        parts = list(zip(labels, zone_leaves, strict=True))
        whole[level] = np.array([_is_whole(label, of, sizes) for label, of in parts])[groups]
        all_small[level] = np.array([small.issuperset(of) for of in zone_leaves])[groups]
        joined[level] = np.array([small <= of.keys() and not _names_the_only(label, of) for label, of in parts])[groups]
    # where a finer level shows the larger prefixes of a group, only records of its small ones have its label
    as_the_larger = whole & ~all_small & ~all_small[np.argmax(whole.any(axis=1))]
    return _least_levels(whole & (~of_small | joined | as_the_larger))


def _is_whole(label: str, in_group: Mapping[str, int], sizes: Mapping[str, int]) -> bool:
    """Return whether a group shows no more than three digits, and has all leaves of its zones."""
    return not _MORE_DIGITS.search(label) and all(count == sizes[zone] for zone, count in in_group.items())


def _names_the_only(label: str, in_group: Collection[str]) -> bool:
    """Return whether a group is one zone, with its digits in the label."""
    return len(in_group) == 1 and any(zone in label for zone in in_group)


def _least_levels(publishable: BoolArray) -> IntArray:
    """Return for each leaf the level from which on all levels, (levels, leaves), are publishable; the top always is."""
    publishable[-1] = True
    levels: IntArray = np.argmax(np.logical_and.accumulate(publishable[::-1])[::-1], axis=0)
    return levels
