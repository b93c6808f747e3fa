"""How many people match each released row, for an attacker who knows only some of the released attributes."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Literal, TypeAlias

import numpy as np

from gamedeid.arrays import FloatArray, IntArray, sealed
from gamedeid.capabilities import Operation, refuse_unsupported
from gamedeid.data.profiles import Profiles
from gamedeid.errors import InvalidScenarioError, nearest_word_hint, quoted, refuse_unknown
from gamedeid.game.instance import Instance
from gamedeid.game.policies import CompiledPolicy, compile_policy, policy_names
from gamedeid.generalization.hierarchy import Hierarchy, level_of
from gamedeid.generalization.levels import MISSING, ROOT
from gamedeid.grouping import sums_by
from gamedeid.population.estimates import EvenSpread, occupied_bins
from gamedeid.reprs import Shown, frozen
from gamedeid.risk.bins import chance_of_at_most, distinct_share
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.sections import GENERAL, LIMITED_DATA_SET, RAW
from gamedeid.study.column_groups import SEVERAL
from gamedeid.study.solution import Solution
from gamedeid.study.study import Study

Whose: TypeAlias = Literal["population", "records"]
"""The released people: the whole population, as in Benitez and Malin's study of states, or the records."""


@frozen(eq=False)
class Exposure(Shown):
    """The released people, and how many people of the population match each of them.

    Parameters
    ----------
    policy, attacker : the policy that releases the rows, and the attacker who has them.
    whose : the released people.
    instance : the compiled question of the profiles and levels.
    weights : (q,) int64, how many released people have each profile.
    people : (q,) int64, how many people of the population match them by what the attacker knows and at the detail of
        the population; 0 if none.
    bins : (q,) int64, over how many equally likely bins these people are spread; 1 if all is known.
    covers : share of the population on the attacker's list, in (0, 1].
    known : attribute -> level, for those that the population has only at a level.
    sampling_fraction : share of the population in the records, a sample, if ``people`` are estimated from it.
    """

    shown = ("policy", "attacker", "whose", "released", "unmatched", "total_risk")

    policy: str
    attacker: str
    whose: Whose
    instance: Instance
    weights: IntArray
    people: IntArray
    bins: IntArray
    covers: float
    known: Mapping[str, int]
    sampling_fraction: float | None = None

    @property
    def released(self) -> int:
        """How many people are released."""
        return int(self.weights.sum())

    @property
    def unmatched(self) -> int:
        """How many released people match no one: they count neither as distinct nor as at risk."""
        return int(self.weights[self.people == 0].sum())

    def distinct(self, at_most: int) -> float:
        """Return how many released people are on the list and match at most ``at_most`` people.

        Parameters
        ----------
        at_most : g >= 1. People who match no one are not found, and not counted.

        Raises
        ------
        InvalidDataError : ``at_most`` is no whole number from 1 to 2^53.
        InvalidScenarioError : the sampling fraction is not between 0 and 1.

        References
        ----------
        Benitez and Malin (2010), equations 2 and 3.
        """
        sizes, bins, weights = self._by_size()
        share = share_of_at_most(sizes, bins, at_most, self.sampling_fraction)
        return float((weights * share).sum() * self.covers)

    @property
    def total_risk(self) -> float:
        """The expected re-identifications if the attacker guesses the person of every released row.

        If people are spread over bins, both this and the number of distinct people are expected numbers.
        Each of n people who match is on the list with chance c, and each person on it is guessed with the same chance.
        So a row is guessed right with chance (1 - (1 - c)^n) / n, or 1/n if the list is complete.

        References
        ----------
        Benitez and Malin (2010), equation 4, for a list that is complete.
        """
        sizes, bins, weights = self._by_size()
        right = occupied_bins(sizes, bins / self.covers) * self.covers
        return float((weights / sizes * right).sum())

    def by(self, attribute: str, level: int | None = None) -> tuple[int, dict[str, "Exposure"]]:
        """Return the level and, by the label of each group of an attribute there, the exposure of the people in it.

        Parameters
        ----------
        attribute : an attribute of the scenario.
        level : level of the groups (default: the most general one below ``*``). Groups are in the hierarchy's order;
            people whose value is missing follow, as ``*``, and people whose rows have several values are last.

        Raises
        ------
        InvalidScenarioError : no such attribute, or no such level.
        """
        hierarchies = self.instance.hierarchies
        refuse_unknown("attribute", attribute, hierarchies)
        hierarchy = hierarchies[attribute]
        at = hierarchy.levels - 2 if level is None else level_of(hierarchy, level, attribute)
        if self.whose == "population" and at < self.known.get(attribute, 0):
            raise InvalidScenarioError(
                f"the population has {quoted(attribute)} at level {self.known[attribute]} only; "
                f"its groups at level {at} are not known"
            )
        place = list(hierarchies).index(attribute)
        return at, dict(self._groups(hierarchy, at, self.instance.profiles.groups(place, hierarchy, at)))

    def _groups(self, hierarchy: Hierarchy, level: int, of_profile: IntArray) -> Iterator[tuple[str, "Exposure"]]:
        own = MISSING if hierarchy.shows_missing else ROOT
        labels = (*hierarchy.labels[level], own, SEVERAL)
        if labels[0] == own:  # a missing value is in the group of all
            of_profile = np.zeros_like(of_profile)
        order = np.argsort(of_profile, kind="stable")
        groups, starts = np.unique(of_profile[order], return_index=True)
        for group, rows in zip(groups.tolist(), np.split(order, starts[1:]), strict=True):
            label = labels[group]
            part = replace(self, weights=self.weights[rows], people=self.people[rows], bins=self.bins[rows])
            if part.released:
                yield label, part

    def _by_size(self) -> tuple[IntArray, IntArray, IntArray]:
        """Return the numbers of matching people and of bins, each pair once, and how many are released in each.

        Whole groups are summed before anything is divided: n times 1/n would not always be 1.
        """
        found = self.people > 0
        pairs = np.stack([self.people[found], self.bins[found]], axis=1)
        distinct, of_profile = np.unique(pairs, axis=0, return_inverse=True)
        return distinct[:, 0], distinct[:, 1], sums_by(of_profile.ravel(), self.weights[found], len(distinct))


def exposure(study: Study, policy: str, attacker: str = GENERAL, whose: Whose = "population") -> Exposure:
    """Return the people who match each row under a policy, by what an attacker knows.

    The attacker knows each attribute at the more general of two levels: that which the policy releases and that of the
    list. An attribute that the list lacks gives no information.

    Parameters
    ----------
    study : the question with its data.
    policy : "safe-harbor", "limited-data-set", one of the scenario's, or "raw", which releases all values unchanged.
    attacker : "general", who knows all released attributes of all people, or one of the scenario's.
    whose : "population" if the whole population is released, or "records".

    Raises
    ------
    InvalidScenarioError : no such policy or attacker, or a level that its hierarchy does not have; if the
        population is released, also a population that is estimated from a sample, earlier releases, missing values
        that are shown, or a recipient who knows kept columns.
    """
    instance, weights = study.instance, study.instance.profiles.records
    if whose == "population":
        refuse_unsupported(Operation.EXPOSURE, study.features)
    if whose == "population" and study.population.cells.floors is None:
        profiles = Profiles.of(study.population.cells.codes, list(instance.data.hierarchies.values()))
        instance = instance.for_profiles(profiles)
        weights = sums_by(profiles.of_record, study.population.cells.people, profiles.count)
    known, covers = _attacker(study.scenario, instance.data.hierarchies, attacker)
    rules = _policy(policy, study, instance)
    if whose == "population":
        _check_groups_keep_together(policy, rules, study, instance)
    levels = np.maximum(rules.apply(instance.profiles).levels, known)
    spread = EvenSpread(instance.data.hierarchies, study.population.known)
    people = instance.people(instance.all_profiles, instance.lattice.nodes(spread.known_levels(levels)))
    bins = spread.bins(instance.profiles.codes, levels)
    return Exposure(
        policy=policy,
        attacker=attacker,
        whose=whose,
        instance=instance,
        weights=sealed(weights, np.int64),
        people=sealed(people, np.int64),
        bins=sealed(bins, np.int64),
        covers=covers,
        known=study.population.known,
        sampling_fraction=study.population.sampling_fraction,
    )


def share_of_at_most(people: IntArray, bins: IntArray, at_most: int, sampling_fraction: float | None) -> FloatArray:
    """Return the chance, (q,), that at most ``at_most`` people match, for people as in :class:`Exposure`."""
    if sampling_fraction is None:
        return distinct_share(people, bins, at_most)
    return chance_of_at_most(sampling_fraction, people, at_most)


def few_match(solution: Solution, sizes: Iterable[int]) -> dict[int, FloatArray]:
    """Return g -> the chance, (q,), that at most g people of an estimated population match the released values.

    Parameters
    ----------
    solution : the release; the chance of a profile that is withheld, or that matches no one, has no meaning.
    sizes : the values of g, each >= 1.
    """
    study, instance = solution.study, solution.study.instance
    fraction = study.population.sampling_fraction
    spread = EvenSpread(instance.data.hierarchies, study.population.known)
    levels = instance.lattice.levels(np.maximum(solution.choice.nodes, 0))
    people = instance.people(instance.all_profiles, instance.lattice.nodes(spread.known_levels(levels)))
    bins = spread.bins(instance.profiles.codes, levels)
    return {at_most: share_of_at_most(people, bins, at_most, fraction) for at_most in sizes}


def _policy(name: str, study: Study, instance: Instance) -> CompiledPolicy:
    known = (*policy_names(study.scenario), RAW)
    refuse_unknown("policy", name, known)
    # the limited data set keeps all attributes: it is the raw data without the dropped columns
    asked = LIMITED_DATA_SET if name == RAW else name
    return compile_policy(asked, study.scenario, instance.hierarchies, study.restricted)


def _check_groups_keep_together(policy: str, rules: CompiledPolicy, study: Study, instance: Instance) -> None:
    """Check that a policy releases people in one form if the population does not distinguish them."""
    own = study.scenario.policy[policy].rules if policy in study.scenario.policy else ()
    hierarchies = instance.data.hierarchies
    for attribute, level in study.population.known.items():
        hierarchy, place = hierarchies[attribute], list(hierarchies).index(attribute)
        codes = np.zeros((len(hierarchy.leaves), len(hierarchies)), np.int64)
        codes[:, place] = np.arange(len(codes))
        levels = rules.apply(Profiles.of(codes, list(hierarchies.values()))).levels[:, place]
        first = np.searchsorted(hierarchy.groups[level], hierarchy.groups[level])
        if (levels != levels[first]).any() or any(attribute in rule.when for rule in own):
            raise InvalidScenarioError(
                f"policy {quoted(policy)} distinguishes values of {quoted(attribute)} that the population has only "
                f"together, at level {level}; measure the records instead "
                '(whose="records")',
                arguments=['whose="records"'],
            )


def _attacker(scenario: Scenario, hierarchies: Mapping[str, Hierarchy], name: str) -> tuple[IntArray, float]:
    """Return the least level at which an attacker knows each attribute, (a,) int8, and the share of people covered."""
    if name == GENERAL:
        return np.zeros(len(hierarchies), np.int8), 1.0
    if name not in scenario.attacker:
        raise InvalidScenarioError(
            f"there is no attacker {quoted(name)}{nearest_word_hint(name, (GENERAL, *scenario.attacker))}; "
            "an attacker is a section [attacker.NAME] of the scenario"
        )
    one = scenario.attacker[name]
    levels = [
        0
        if attribute in one.knows
        else level_of(hierarchy, one.levels.get(attribute, hierarchy.levels - 1), f"attacker.{name}.levels")
        for attribute, hierarchy in hierarchies.items()
    ]
    return np.array(levels, np.int8), one.covers
