"""Check that each record's strategy is permitted by its game, and the same for all records with equal values."""

from collections.abc import Callable, Collection, Sequence
from math import inf, nan

import numpy as np

from gamedeid.amounts import number_of
from gamedeid.arrays import BoolArray, IntArray
from gamedeid.data.tables import read_zip_populations
from gamedeid.errors import GamedeidError, InvalidScenarioError
from gamedeid.game.safe_harbor import safe_harbor_levels
from gamedeid.generalization.kinds import ZIP_DIGITS
from gamedeid.generalization.shipped import restricted_prefixes
from gamedeid.results.stored import StoredResults
from gamedeid.scenario.limits import Limits
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.sections import SAFE_HARBOR, Between, Condition, Policy
from gamedeid.verification.attributes import AttributeLabels
from gamedeid.verification.evidence import Evidence, OriginalRecords
from gamedeid.verification.outcomes import EQUAL, ExaminedRun
from gamedeid.verification.people import People
from gamedeid.verification.tables import distinct_rows

SH_FRIENDLY, NO_ATTACK = "sh-friendly", "no-attack"
AWARE_BASIC, AWARE_NO_ATTACK = "aware-basic", "aware-no-attack"


def _serves_others(limits: Limits | None) -> bool:
    """Return whether limits can be a reason to release a record at a loss: for its detail, cell or group."""
    return limits is not None and (
        limits.information_loss is not None or limits.couples_cells or limits.groups is not None
    )


def compare_with_game(run: ExaminedRun) -> IntArray | None:
    """Compare the strategies with those that the game permits, and with those of records with the same values.

    Returns
    -------
    (n, a) the least levels that the game permits; None if not known.
    """
    withheld, file, stored, log = run.strategies.withheld, run.file, run.stored, run.log
    if not stored.is_game:
        log.find_rows(file, "withheld", withheld, "says that a policy withholds a record, and policies never do")
    elif not (stored.game == AWARE_BASIC or _serves_others(run.scenario.limits)):
        low = ~withheld & (run.found.outcomes["publisher_payoff"] < -EQUAL * run.scenario.payoffs.benefit)
        log.find_rows(file, "publisher_payoff", low, "is below 0, and withholding the record, which pays 0, is open")
    if stored.game in (NO_ATTACK, AWARE_NO_ATTACK):
        attacked = run.found.outcomes["deterrable"]
        log.find_rows(file, "attacked", attacked, f"the {stored.game} game permits no strategy that is attacked")
    if not stored.knows_mechanism:
        permits = f"that the {stored.game} game permits each record's strategy"
        log.did(permits if stored.is_game else "that nothing is withheld")
    elif stored.game == AWARE_NO_ATTACK:
        log.did("that no recipient who counts matching people attacks a record")
    if run.evidence.records is None or run.evidence.attributes is None:
        log.skip("the least levels of the game, and that records alike are treated alike", "the records are not there")
        return None
    if run.evidence.classes_are_known:
        _compare_alike(run, run.evidence.records.profiles)
    return _compare_least(run, run.evidence.attributes, run.evidence.records)


def _compare_alike(run: ExaminedRun, profiles: IntArray) -> None:
    first, of_record = distinct_rows(profiles)
    like = first[of_record]
    differs = (run.strategies.levels != run.strategies.levels[like]).any(axis=1)
    differs |= run.strategies.withheld != run.strategies.withheld[like]
    says = "the strategy is another than that of the first record with the same values"
    run.log.find_rows(run.file, "record", differs, says)
    run.log.did(f"that records with the same values have the same strategy ({number_of(len(first), 'profile')})")


def _compare_least(
    run: ExaminedRun, attributes: Sequence[AttributeLabels], records: OriginalRecords
) -> IntArray | None:
    tops, stored = np.array([one.top for one in attributes]), run.stored
    missing = np.array([one.missing for one in attributes])
    least = np.maximum(np.where(records.standing == missing, tops, 0), records.floors)
    policy = floor_policy(stored, run.scenario)
    if policy is not None:
        try:
            asked = least_levels(policy, run.evidence, run.current_scenario, records.standing, records.floors)
            least = np.maximum(least, asked)
        except GamedeidError as error:
            run.log.skip(f"the levels that the policy {policy} asks for", str(error))
            return None
    for place, one in enumerate(attributes):
        stated = run.strategies.levels[:, place]
        wrong = stated < least[:, place] if stored.is_game else stated != least[:, place]
        says = "is below the least level of the game" if stored.is_game else "is not the level of the policy"
        wrong &= ~run.strategies.withheld
        run.log.find_rows(run.file, one.name, wrong, says, numbers=(least[:, place], stated))
    what = f"every level with those of the policy {policy}" if policy else "that missing values are at the top level"
    run.log.did(what)
    return least


def floor_policy(stored: StoredResults, scenario: Scenario) -> str | None:
    """Return the policy that sets the least levels of a run: the released one, or the game's floor; None for none."""
    if not stored.is_game:
        return stored.game
    return scenario.floor if stored.game == SH_FRIENDLY else None


def least_levels(
    name: str, evidence: Evidence, current_scenario: Scenario, values: IntArray, floors: IntArray | None = None
) -> IntArray:
    """Return the least levels, (n, a), that a policy permits for records; a missing value is at the top.

    If the records of a person differ, the policy asks for the levels of all values of the group in which they agree.
    The requirements of Safe Harbor for a single value are those of :mod:`gamedeid.game.safe_harbor`.

    Parameters
    ----------
    values : (n, a) the value for all records of a person.
    floors : (n, a) the least level at which these agree (default: 0, each record is another person).
    """
    scenario = evidence.scenario.model_copy(
        update={"folder": current_scenario.folder, "policy": current_scenario.policy}
    )
    own, attributes = scenario.policy.get(name, Policy()), evidence.attributes or ()
    floors = np.zeros_like(values) if floors is None else floors
    levels = np.zeros(values.shape, np.int64)
    for place, attribute in enumerate(attributes):
        of_value = np.full(attribute.missing, own.levels.get(attribute.name, 0))
        if name == SAFE_HARBOR and attribute.name in scenario.attributes:
            of_value = np.maximum(of_value, _safe_harbor(attribute, scenario, attributes, evidence.people))
        of_code = np.append(of_value, attribute.top)
        levels[:, place] = _of_records(of_code, attribute, values[:, place], floors[:, place])
    for rule in own.rules:
        fulfils = np.ones(len(values), np.bool_)
        for place, attribute in enumerate(attributes):
            if attribute.name in rule.when:
                of_code = np.append(_fulfilling(attribute, rule.when[attribute.name]), False).astype(np.int64)
                fulfils &= _of_records(of_code, attribute, values[:, place], floors[:, place]) > 0
        for place, attribute in enumerate(attributes):
            if attribute.name in rule.levels:
                levels[fulfils, place] = np.maximum(levels[fulfils, place], rule.levels[attribute.name])
    return levels


def _of_records(of_value: IntArray, attribute: AttributeLabels, values: IntArray, floors: IntArray) -> IntArray:
    """Return the entry of each record, (n,): that of its value, or the greatest among the values of its group.

    Parameters
    ----------
    of_value : (values + 1,) entries of all values, and of a missing one.
    values, floors : (n,) the value for all records of a person, and the least level at which they agree.
    """
    found = of_value[values]
    for level in np.unique(floors[floors > 0]).tolist():
        labels, rows = attribute.label_numbers[level], floors == level
        greatest = np.zeros(int(labels.max()) + 1, np.int64)
        np.maximum.at(greatest, labels[:-1], of_value[:-1])
        found[rows] = greatest[labels[values[rows]]]
    return found


def _safe_harbor(
    attribute: AttributeLabels, scenario: Scenario, attributes: Sequence[AttributeLabels], people: People | None
) -> IntArray:
    section = scenario.attributes[attribute.name]
    if section.safe_harbor is not None:
        return np.full(attribute.missing, section.safe_harbor)
    policy = scenario.safe_harbor
    role = section.stated_role(attribute.hierarchy)
    restricted = _restricted(policy, scenario, attributes, people)
    where = f"attributes.{attribute.name}"
    return safe_harbor_levels(attribute.hierarchy, role, restricted, where=where, year=policy.year)[0]


def _restricted(
    policy: Policy, scenario: Scenario, attributes: Sequence[AttributeLabels], people: People | None
) -> Callable[[Collection[str]], frozenset[str]]:
    """Return the rule for three-digit prefixes with too few people."""

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


def _people_by_prefix(
    scenario: Scenario, attributes: Sequence[AttributeLabels], people: People | None
) -> dict[str, int]:
    if people is None:
        raise InvalidScenarioError("the population, by which ZIP prefixes are counted, is not there")
    totals: dict[str, int] = {}
    for place, attribute in enumerate(attributes[: len(scenario.attributes)]):
        if scenario.attributes[attribute.name].stated_role(attribute.hierarchy) == "zip":
            prefixes = [leaf[:ZIP_DIGITS] for leaf in attribute.hierarchy.leaves]
            known = _prefix_is_known(attribute, prefixes, people.values[:, place], people.floors[:, place])
            for number, count in zip(people.values[known, place].tolist(), people.counts[known].tolist(), strict=True):
                totals[prefixes[number]] = totals.get(prefixes[number], 0) + count
    return totals


def _prefix_is_known(
    attribute: AttributeLabels, prefixes: Sequence[str], values: IntArray, floors: IntArray
) -> BoolArray:
    """Return which people, (k,), have one prefix, and not rows that agree only in a group of several prefixes."""
    of_value = np.unique(prefixes, return_inverse=True)[1]
    known: BoolArray = values < attribute.missing
    for level in np.unique(floors[known]).tolist():
        labels, some = attribute.label_numbers[level, :-1], known & (floors == level)
        prefixes_of = np.bincount(np.unique([labels, of_value], axis=1)[0])
        known[some] = prefixes_of[labels[values[some]]] == 1
    return known


def _fulfilling(attribute: AttributeLabels, condition: Condition) -> BoolArray:
    """Return which values of an attribute, (values,), fulfil a condition."""
    if isinstance(condition, Between):
        leaves, unlisted = attribute.hierarchy.leaves, attribute.hierarchy.unlisted
        try:
            numbers = [nan if leaf == unlisted else float(leaf) for leaf in leaves]
        except ValueError:
            raise InvalidScenarioError(
                f"a rule compares {attribute.name} with numbers, and its values are none"
            ) from None
        low = -inf if condition.min is None else condition.min
        high = inf if condition.max is None else condition.max
        return np.array([low <= number <= high for number in numbers])
    codes = [attribute.hierarchy.listed_code(value) for value in condition]
    return np.isin(np.arange(attribute.missing), [code for code in codes if code is not None])
