"""The least levels that a policy permits for each record, applied here a second time."""

from collections.abc import Callable, Collection, Sequence

import numpy as np

from gamedeid.arrays import BoolArray, IntArray
from gamedeid.data.zip3 import read_zip_populations, restricted_prefixes
from gamedeid.errors import InvalidScenarioError
from gamedeid.game.safe_harbor import ZIP_DIGITS, safe_harbor_levels
from gamedeid.scenario.built_in import SAFE_HARBOR
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.sections import Between, Condition, Policy
from gamedeid.verification.evidence import Evidence, OriginalRecords
from gamedeid.verification.meanings import Meanings
from gamedeid.verification.people import People

_Restricted = Callable[[Collection[str]], frozenset[str]]


def least_levels(
    name: str, evidence: Evidence, at_hand: Scenario, attributes: Sequence[Meanings], records: OriginalRecords
) -> IntArray:
    """Return the least levels, (n, a), that a policy permits for records; a missing value is at the top.

    Where the records of a person differ, the policy asks for what any value of the group asks for in which they agree.
    What Safe Harbor asks of a single value is what :mod:`gamedeid.game.safe_harbor` states.

    Parameters
    ----------
    name : of the policy.
    evidence : has the scenario with the policy, and the people among whom prefixes of ZIP codes may be counted.
    at_hand : the scenario whose files can be found.
    attributes : what the values mean.
    records : n of them.

    Raises
    ------
    InvalidScenarioError : a rule that means nothing for these values, or counts that are not there.
    """
    scenario = evidence.scenario.model_copy(update={"folder": at_hand.folder, "policy": at_hand.policy})
    own, values, floors = scenario.policy.get(name, Policy()), records.standing, records.floors
    levels = np.zeros(values.shape, np.int64)
    for place, meaning in enumerate(attributes):
        of_value = np.full(meaning.missing, own.levels.get(meaning.name, 0))
        if name == SAFE_HARBOR:
            of_value = np.maximum(of_value, _safe_harbor(meaning, scenario, attributes, evidence.people))
        of_code = np.append(of_value, meaning.top)
        levels[:, place] = _of_records(of_code, meaning, values[:, place], floors[:, place])
    for rule in own.rules:
        fulfils = np.ones(len(values), np.bool_)
        for place, meaning in enumerate(attributes):
            if meaning.name in rule.when:
                of_code = np.append(_fulfilling(meaning, rule.when[meaning.name]), False).astype(np.int64)
                fulfils &= _of_records(of_code, meaning, values[:, place], floors[:, place]) > 0
        for place, meaning in enumerate(attributes):
            if meaning.name in rule.levels:
                levels[fulfils, place] = np.maximum(levels[fulfils, place], rule.levels[meaning.name])
    return levels


def _of_records(of_value: IntArray, meaning: Meanings, values: IntArray, floors: IntArray) -> IntArray:
    """Return what holds for each record, (n,): of its value, or the greatest among the values of its group.

    Parameters
    ----------
    of_value : (values + 1,) what holds for each value, and for a missing one.
    meaning : of the attribute.
    values, floors : (n,) what stands for the records of a person, and the least level at which they agree.
    """
    found = of_value[values]
    for level in np.unique(floors[floors > 0]).tolist():
        labels, rows = meaning.label_numbers[level], floors == level
        greatest = np.zeros(int(labels.max()) + 1, np.int64)
        np.maximum.at(greatest, labels[:-1], of_value[:-1])
        found[rows] = greatest[labels[values[rows]]]
    return found


def _safe_harbor(
    meaning: Meanings, scenario: Scenario, attributes: Sequence[Meanings], people: People | None
) -> IntArray:
    attribute = scenario.attributes[meaning.name]
    if attribute.safe_harbor is not None:
        return np.full(meaning.missing, attribute.safe_harbor)
    policy = scenario.policy.get(SAFE_HARBOR, Policy())
    role = attribute.role or meaning.hierarchy.role
    restricted = _restricted(policy, scenario, attributes, people)
    where = f"attributes.{meaning.name}"
    return safe_harbor_levels(meaning.hierarchy, role, restricted, where=where, year=policy.year)[0]


def _restricted(
    policy: Policy, scenario: Scenario, attributes: Sequence[Meanings], people: People | None
) -> _Restricted:
    """Return what tells which three-digit prefixes have too few people."""

    def by_list(prefixes: Collection[str]) -> frozenset[str]:
        known, small = restricted_prefixes(policy.census)
        return frozenset(one for one in prefixes if one in small or one not in known)

    def by_people(prefixes: Collection[str]) -> frozenset[str]:
        if policy.zip_populations == "population":
            totals = _people_by_prefix(scenario, attributes, people)
        else:
            totals = read_zip_populations(scenario.folder / str(policy.zip_populations))
        return frozenset(one for one in prefixes if totals.get(one, 0) <= policy.limit)

    return by_list if policy.zip_populations is None else by_people


def _people_by_prefix(scenario: Scenario, attributes: Sequence[Meanings], people: People | None) -> dict[str, int]:
    if people is None:
        raise InvalidScenarioError("the population, by which ZIP prefixes are counted, is not there")
    totals: dict[str, int] = {}
    for place, meaning in enumerate(attributes):
        if (scenario.attributes[meaning.name].role or meaning.hierarchy.role) == "zip":
            for number, count in zip(people.values[:, place].tolist(), people.counts.tolist(), strict=True):
                if number < meaning.missing:
                    prefix = meaning.hierarchy.leaves[number][:ZIP_DIGITS]
                    totals[prefix] = totals.get(prefix, 0) + count
    return totals


def _fulfilling(meaning: Meanings, condition: Condition) -> BoolArray:
    """Return which values of an attribute, (values,), fulfil a condition."""
    if isinstance(condition, Between):
        try:
            numbers = [int(leaf) for leaf in meaning.hierarchy.leaves]
        except ValueError:
            raise InvalidScenarioError(
                f"a rule compares {meaning.name} with numbers, and its values are none"
            ) from None
        return np.array(
            [
                (condition.min is None or number >= condition.min)
                and (condition.max is None or number <= condition.max)
                for number in numbers
            ]
        )
    found = np.zeros(meaning.missing, np.bool_)
    for value in condition:
        leaf = meaning.hierarchy.listed_code(value)
        if leaf is not None:
            found[leaf] = True
    return found
