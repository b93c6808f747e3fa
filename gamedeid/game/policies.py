"""Policies: from each profile to the least general strategy that a rule permits."""

from collections.abc import Collection, Mapping
from typing import NamedTuple, TypeVar

import numpy as np

from gamedeid.arrays import BoolArray, IntArray, sealed
from gamedeid.capabilities import Operation, refuse_unsupported
from gamedeid.data.encode import known_values_hint
from gamedeid.data.profiles import PopulationCells, Profiles
from gamedeid.data.roles import likely_kind, role_of
from gamedeid.data.tables import read_zip_populations
from gamedeid.errors import InvalidScenarioError, quoted, refuse_unknown
from gamedeid.game.safe_harbor import Restricted, leaf_numbers, safe_harbor_levels
from gamedeid.generalization.hierarchy import Hierarchy, level_of
from gamedeid.generalization.kinds import ZIP_DIGITS
from gamedeid.generalization.shipped import restricted_prefixes
from gamedeid.grouping import sums_by
from gamedeid.reprs import brief, frozen
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.sections import LIMITED_DATA_SET, SAFE_HARBOR, Between, Condition, Policy, PolicyRule

Array = TypeVar("Array", IntArray, BoolArray)


@frozen(eq=False)
class AppliedPolicy:
    """A policy applied to profiles."""

    name: str
    levels: IntArray  # (q, a) int8, the levels at which the policy releases each profile
    in_words: Mapping[str, str]  # attribute -> its treatment by the policy


@brief
class CompiledRule(NamedTuple):
    """A rule of a policy, by the codes of the hierarchies."""

    fulfils: Mapping[str, BoolArray]  # attribute -> which leaves, and a missing value, fulfil its condition, (n + 1,)
    levels: Mapping[str, int]  # attribute -> the least level where all conditions are fulfilled


@frozen(eq=False)
class CompiledPolicy:
    """A policy by the codes of the hierarchies, to be applied to any profiles."""

    name: str
    hierarchies: Mapping[str, Hierarchy]
    least: Mapping[str, IntArray]  # attribute -> the least level of each leaf, and of a missing value, (n + 1,)
    rules: tuple[CompiledRule, ...]
    in_words: Mapping[str, str]

    def apply(self, profiles: Profiles) -> AppliedPolicy:
        """Return the strategy of the policy for every profile; a missing value is released as ``*`` under any policy.

        Where the rows of a person differ, the policy sees the groups on which they agree: it requires the level that
        any value of the group needs, and at least the level at which they agree.
        """
        levels = np.zeros(profiles.codes.shape, np.int8)
        places = {attribute: place for place, attribute in enumerate(self.hierarchies)}
        for attribute, by_code in self.least.items():
            place = places[attribute]
            levels[:, place] = _greatest_by_profile(by_code, place, self.hierarchies[attribute], profiles)
        for rule in self.rules:
            fulfils = np.ones(profiles.count, np.bool_)
            for attribute, by_leaf in rule.fulfils.items():
                fulfils &= _greatest_by_profile(by_leaf, places[attribute], self.hierarchies[attribute], profiles)
            for attribute, level in rule.levels.items():
                levels[fulfils, places[attribute]] = np.maximum(levels[fulfils, places[attribute]], level)
        if profiles.floors is not None:
            levels = np.maximum(levels, profiles.floors)
        return AppliedPolicy(name=self.name, levels=sealed(levels, np.int8), in_words=self.in_words)


def compile_policy(
    name: str, scenario: Scenario, hierarchies: Mapping[str, Hierarchy], restricted: Restricted
) -> CompiledPolicy:
    """Return a policy by the codes of hierarchies, for any profiles."""
    known = policy_names(scenario)
    refuse_unknown("policy", name, known)
    own = scenario.policy.get(name, Policy())
    least_levels: dict[str, IntArray] = {}
    in_words: dict[str, str] = {}
    for attribute, hierarchy in hierarchies.items():
        least = level_of(hierarchy, own.levels.get(attribute, 0), f"policy.{name}.levels")
        by_leaf, words = np.full(len(hierarchy.leaves), least), [f"level {least}"] if least else []
        if name == SAFE_HARBOR:
            required, rule_words = _safe_harbor(attribute, scenario, hierarchy, restricted)
            by_leaf = np.maximum(by_leaf, required)
            words = [rule_words, *(f"at least {level}" for level in words)]
        in_words[attribute] = "; ".join(words) or "as it is"
        least_levels[attribute] = np.append(by_leaf, hierarchy.levels - 1)  # a missing value is at the top
    rules = tuple(_compile_rule(rule, f"policy.{name}.rules", hierarchies) for rule in own.rules)
    for rule in own.rules:
        for attribute, level in rule.levels.items():
            in_words[attribute] += f"; level {level} where {_condition_words(rule.when)}"
    return CompiledPolicy(name=name, hierarchies=hierarchies, least=least_levels, rules=rules, in_words=in_words)


def policy_names(scenario: Scenario) -> tuple[str, ...]:
    """Return the policies that a scenario can name, the built-in ones first."""
    return (SAFE_HARBOR, LIMITED_DATA_SET, *(name for name in scenario.policy if name != SAFE_HARBOR))


def policy_inputs(scenario: Scenario) -> object:
    """Return all inputs, except the data, on which the strategies of a scenario's policies depend, for a comparison."""
    roles = {name: (attribute.role, attribute.safe_harbor) for name, attribute in scenario.attributes.items()}
    return scenario.floor, scenario.policy, roles


def _safe_harbor(name: str, scenario: Scenario, hierarchy: Hierarchy, restricted: Restricted) -> tuple[IntArray, str]:
    """Return the least level of each leaf, (n,), and the rule in words: the attribute's own, or that of its role."""
    attribute, where = scenario.attributes[name], f"attributes.{name}"
    if attribute.safe_harbor is not None:
        level = level_of(hierarchy, attribute.safe_harbor, f"{where}.safe_harbor")
        return np.full(len(hierarchy.leaves), level), f"level {level}, as the scenario states"
    role = role_of(name, attribute, hierarchy)
    levels, words = safe_harbor_levels(hierarchy, role, restricted, where=where, year=scenario.safe_harbor.year)
    if role in ("state", "other"):
        likely = likely_kind(name, hierarchy)
        if likely is not None and (role, likely.kind) != ("state", "place"):
            words += f" (role {role} is stated, though {likely.words})"
    return levels, words


def _compile_rule(rule: PolicyRule, where: str, hierarchies: Mapping[str, Hierarchy]) -> CompiledRule:
    """Return a rule by the codes of hierarchies; a missing value fulfils no condition."""
    fulfils = {
        attribute: np.append(_leaves_fulfilling(hierarchies[attribute], condition, where), False)
        for attribute, condition in rule.when.items()
    }
    levels = {attribute: level_of(hierarchies[attribute], level, where) for attribute, level in rule.levels.items()}
    return CompiledRule(fulfils=fulfils, levels=levels)


def _greatest_by_profile(by_code: Array, place: int, hierarchy: Hierarchy, profiles: Profiles) -> Array:
    """Return the entry of each value, (q,), in a table by code, (n + 1,): the greatest of its group of leaves."""
    codes = profiles.codes[:, place]
    found = by_code[codes]
    if profiles.floors is None:
        return found
    floors = profiles.floors[:, place]
    for level in np.unique(floors[floors > 0]).tolist():
        groups = hierarchy.groups[level]
        greatest = np.maximum.reduceat(by_code[:-1], np.flatnonzero(np.diff(groups, prepend=-1)))
        some = floors == level
        found[some] = greatest[groups[codes[some]]]
    return found


def _leaves_fulfilling(hierarchy: Hierarchy, condition: Condition, where: str) -> BoolArray:
    """Return which leaves, (n,), fulfil a condition."""
    if isinstance(condition, Between):
        if hierarchy.unlisted is not None:  # which is no number
            return np.append(_leaves_fulfilling(hierarchy.listed_part(), condition, where), False)
        numbers = leaf_numbers(hierarchy, f"{where}: a value compared with min or max")
        low = min(numbers) if condition.min is None else condition.min
        high = max(numbers) if condition.max is None else condition.max
        return np.array([low <= number <= high for number in numbers], np.bool_)
    fulfils = np.zeros(len(hierarchy.leaves), np.bool_)
    for value in condition:
        leaf = hierarchy.listed_code(value)
        if leaf is None:
            hint = known_values_hint(hierarchy, value)
            raise InvalidScenarioError(
                f"{where}: hierarchy {quoted(hierarchy.name)} has no value {quoted(value)}{hint}"
            )
        fulfils[leaf] = True
    return fulfils


def _condition_words(when: Mapping[str, Condition]) -> str:
    parts = []
    for attribute, condition in when.items():
        if isinstance(condition, Between):
            low = "" if condition.min is None else f"{condition.min} <= "
            high = "" if condition.max is None else f" <= {condition.max}"
            parts.append(f"{low}{attribute}{high}")
        else:
            parts.append(f"{attribute} is {' or '.join(str(value) for value in condition)}")
    return " and ".join(parts)


def find_restricted(scenario: Scenario, hierarchies: Mapping[str, Hierarchy], cells: PopulationCells) -> Restricted:
    """Return the rule for prefixes that may not be published by the scenario's Safe Harbor."""
    policy = scenario.safe_harbor
    if policy.zip_populations is None:
        known, small = restricted_prefixes(policy.census)

        def by_list(prefixes: Collection[str]) -> frozenset[str]:
            return frozenset(prefix for prefix in prefixes if prefix in small or prefix not in known)

        return by_list

    def by_people(prefixes: Collection[str]) -> frozenset[str]:
        if scenario.zip_file is None:
            totals = _people_by_prefix(scenario, hierarchies, cells)
        else:
            totals = read_zip_populations(scenario.zip_file)
        return frozenset(prefix for prefix in prefixes if totals.get(prefix, 0) <= policy.limit)

    return by_people


def _people_by_prefix(
    scenario: Scenario, hierarchies: Mapping[str, Hierarchy], cells: PopulationCells
) -> dict[str, int]:
    zips = [
        place
        for place, (name, hierarchy) in enumerate(hierarchies.items())
        if scenario.attributes[name].stated_role(hierarchy) == "zip"
    ]
    if len(zips) != 1:
        raise InvalidScenarioError(
            'policy.safe-harbor: zip_populations = "population" needs exactly one attribute of role "zip", '
            f"found {len(zips)}"
        )
    name, hierarchy = list(hierarchies.items())[zips[0]]
    refuse_unsupported(Operation.COUNTED_ZIPS, scenario.features)
    if scenario.population is not None and scenario.population.levels.get(name):
        raise InvalidScenarioError(
            f'policy.safe-harbor: zip_populations = "population" needs whole ZIP codes, and population.levels has '
            f"{quoted(name)} at a level only"
        )
    with_prefix = _known_prefix(cells, zips[0], hierarchy)
    people = sums_by(cells.codes[with_prefix, zips[0]], cells.people[with_prefix], len(hierarchy.leaves) + 1)
    totals: dict[str, int] = {}
    for leaf, count in zip(hierarchy.leaves, people.tolist(), strict=False):
        totals[leaf[:ZIP_DIGITS]] = totals.get(leaf[:ZIP_DIGITS], 0) + count
    return totals


def _known_prefix(cells: PopulationCells, place: int, hierarchy: Hierarchy) -> BoolArray | slice:
    """Return which cells, (c,), have one prefix; people whose rows differ in it have none."""
    if cells.floors is None:
        return slice(None)
    codes, floors = cells.codes[:, place], cells.floors[:, place]
    known = np.ones(len(codes), np.bool_)
    prefixes = np.array([leaf[:ZIP_DIGITS] for leaf in hierarchy.leaves])
    for level in np.unique(floors[floors > 0]).tolist():
        groups = hierarchy.groups[level]
        several = np.zeros(int(groups[-1]) + 1, np.bool_)
        np.logical_or.at(several, groups[1:], (prefixes[1:] != prefixes[:-1]) & (groups[1:] == groups[:-1]))
        some = floors == level
        known[some] = ~several[groups[codes[some]]]
    return known
