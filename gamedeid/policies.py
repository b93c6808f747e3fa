"""Policies: from each profile to the least general strategy that a rule permits."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import numpy as np

from gamedeid.arrays import BoolArray, IntArray, sealed
from gamedeid.errors import InvalidScenarioError, quoted
from gamedeid.hierarchy import Hierarchy
from gamedeid.scenario import LIMITED_DATA_SET, SAFE_HARBOR, Attribute, Policy, Range, Scenario
from gamedeid.setting import Setting

TOP_CODED_AGE = 90
"""Safe Harbor puts this age and all above into one group (45 CFR 164.514(b)(2)(i)(C))."""

ZIP_DIGITS = 3
"""Digits of a ZIP code that Safe Harbor lets stand where enough people live (45 CFR 164.514(b)(2)(i)(B))."""

Restricted = Callable[[Collection[str]], frozenset[str]]
"""Tells which of these three-digit ZIP prefixes may not be published; an unknown one may not."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PolicyFloors:
    """A policy applied to profiles.

    Parameters
    ----------
    name : of the policy.
    levels : (q, a) int8, the levels at which the policy releases each profile.
    says : attribute -> what the policy does to it, in words.
    """

    name: str
    levels: IntArray
    says: Mapping[str, str]


def apply_policy(name: str, scenario: Scenario, setting: Setting, restricted: Restricted) -> PolicyFloors:
    """Return the strategy of a policy for every profile; a missing value is released as ``*`` under any policy.

    Parameters
    ----------
    name : "safe-harbor", "limited-data-set" or an own policy of the scenario.
    scenario : whose attributes say their roles and weights.
    setting : whose profiles are released.
    restricted : which three-digit ZIP prefixes are too small; asked only by Safe Harbor.

    Raises
    ------
    InvalidScenarioError : a level that its hierarchy does not have, or a value that it does not know.
    """
    own = scenario.policy.get(name, Policy())
    codes = setting.profiles.codes
    levels = np.empty(codes.shape, np.int8)
    says = {}
    for place, (attribute, hierarchy) in enumerate(setting.hierarchies.items()):
        by_leaf = np.full(len(hierarchy.leaves), _level(hierarchy, own.levels.get(attribute, 0), f"policy.{name}"))
        says[attribute] = f"level {by_leaf[0]}" if by_leaf[0] else "as it is"
        if name == SAFE_HARBOR:
            required, says_so = _safe_harbor(attribute, scenario.attributes[attribute], hierarchy, restricted)
            by_leaf = np.maximum(by_leaf, required)
            says[attribute] = says_so
        levels[:, place] = np.append(by_leaf, hierarchy.levels - 1)[codes[:, place]]  # a missing value is at the top
    for rule in own.rules:
        meets = np.ones(len(codes), np.bool_)
        for attribute, condition in rule.when.items():
            place = list(setting.hierarchies).index(attribute)
            leaves = np.append(_meeting(setting.hierarchies[attribute], condition, name), False)
            meets &= leaves[codes[:, place]]
        for attribute, level in rule.levels.items():
            place = list(setting.hierarchies).index(attribute)
            _level(setting.hierarchies[attribute], level, f"policy.{name}.rules")
            levels[meets, place] = np.maximum(levels[meets, place], level)
            says[attribute] += f"; level {level} where {_words(rule.when)}"
    return PolicyFloors(name=name, levels=sealed(levels, np.int8), says=says)


def policy_names(scenario: Scenario) -> tuple[str, ...]:
    """Return the policies that a scenario can name, the built-in ones first."""
    return (SAFE_HARBOR, LIMITED_DATA_SET, *(name for name in scenario.policy if name != SAFE_HARBOR))


def _level(hierarchy: Hierarchy, level: int, where: str) -> int:
    if level >= hierarchy.levels:
        raise InvalidScenarioError(
            f"{where}: level {level} of {quoted(hierarchy.name)} does not exist; its levels are 0 to {hierarchy.levels - 1}"
        )
    return level


def _safe_harbor(name: str, attribute: Attribute, hierarchy: Hierarchy, restricted: Restricted) -> tuple[IntArray, str]:
    """Return the least level of each leaf, (leaves,), and the rule in words."""
    if attribute.safe_harbor is not None:
        level = _level(hierarchy, attribute.safe_harbor, f"attributes.{name}.safe_harbor")
        return np.full(len(hierarchy.leaves), level), f"level {level}"
    match attribute.role or hierarchy.role:
        case "age":
            ages = np.array(_numbers(hierarchy, f"attributes.{name}: an age"))
            return _age_levels(hierarchy, ages), "90 and over in one group"
        case "zip":
            return _zip_levels(hierarchy, restricted), "three digits; prefixes of too few people in one group"
        case _:
            return np.zeros(len(hierarchy.leaves), np.int64), "as it is"


def _age_levels(hierarchy: Hierarchy, ages: IntArray) -> IntArray:
    old = ages >= TOP_CODED_AGE
    publishable = np.array([~old | (_per_group(groups, old) == old.sum()) for groups in hierarchy.groups])
    return _least_levels(publishable)


def _zip_levels(hierarchy: Hierarchy, restricted: Restricted) -> IntArray:
    names, prefixes = np.unique([leaf[:ZIP_DIGITS] for leaf in hierarchy.leaves], return_inverse=True)
    too_small = np.isin(names, list(restricted(names.tolist())))[prefixes]
    publishable = []
    for groups in hierarchy.groups:
        first, last = np.full(len(names), len(groups)), np.full(len(names), -1)
        np.minimum.at(first, prefixes, groups)
        np.maximum.at(last, prefixes, groups)
        torn = _per_group(groups, (first != last)[prefixes]) > 0
        small = _per_group(groups, too_small)
        enough_people = (small < _per_group(groups, np.ones_like(too_small))) | (small == too_small.sum())
        publishable.append(~torn & enough_people)
    return _least_levels(np.array(publishable))


def _per_group(groups: IntArray, leaves: BoolArray) -> IntArray:
    """Return for each leaf how many of the marked leaves, (leaves,), its group holds."""
    counts: IntArray = np.bincount(groups[leaves], minlength=int(groups[-1]) + 1)[groups]
    return counts


def _least_levels(publishable: BoolArray) -> IntArray:
    """Return for each leaf the least level from which on every level, (levels, leaves), is publishable; the top always is."""
    publishable[-1] = True
    levels: IntArray = np.argmax(np.logical_and.accumulate(publishable[::-1])[::-1], axis=0)
    return levels


def _numbers(hierarchy: Hierarchy, what: str) -> list[int]:
    try:
        return [int(leaf) for leaf in hierarchy.leaves]
    except ValueError:
        odd = next(leaf for leaf in hierarchy.leaves if not leaf.lstrip("-").isdigit())
        raise InvalidScenarioError(
            f"{what} must be a whole number, but hierarchy {quoted(hierarchy.name)} has {quoted(odd)}"
        ) from None


def _meeting(hierarchy: Hierarchy, condition: Range | tuple[str | int, ...], policy: str) -> BoolArray:
    """Return which leaves, (leaves,), meet a condition."""
    if isinstance(condition, Range):
        numbers = np.array(_numbers(hierarchy, f"policy.{policy}: a value compared with min or max"))
        low = numbers.min() if condition.min is None else condition.min
        high = numbers.max() if condition.max is None else condition.max
        between: BoolArray = (numbers >= low) & (numbers <= high)
        return between
    meets = np.zeros(len(hierarchy.leaves), np.bool_)
    for value in condition:
        leaf = hierarchy.code(value)
        if leaf is None:
            raise InvalidScenarioError(
                f"policy.{policy}: hierarchy {quoted(hierarchy.name)} has no value {quoted(value)}"
            )
        meets[leaf] = True
    return meets


def _words(when: Mapping[str, Range | tuple[str | int, ...]]) -> str:
    parts = []
    for attribute, condition in when.items():
        if isinstance(condition, Range):
            low = "" if condition.min is None else f"{condition.min} <= "
            high = "" if condition.max is None else f" <= {condition.max}"
            parts.append(f"{low}{attribute}{high}")
        else:
            parts.append(f"{attribute} is {' or '.join(str(value) for value in condition)}")
    return " and ".join(parts)
