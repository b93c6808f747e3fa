"""How many people match each released row, seen by an attacker who knows only some of what is released."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from gamedeid.arrays import IntArray, sealed
from gamedeid.coding import Profiles
from gamedeid.errors import InvalidScenarioError, nearest, quoted
from gamedeid.hierarchy import Hierarchy
from gamedeid.ladders import ROOT
from gamedeid.policies import PolicyFloors, apply_policy, level_of, policy_names
from gamedeid.scenario import GENERAL, LIMITED_DATA_SET, RAW, Scenario
from gamedeid.setting import Setting
from gamedeid.study import Study

Whose: TypeAlias = Literal["population", "records"]
"""Who is released: everybody of the population, as in Benitez and Malin's study of states, or the records."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Exposure:
    """Who is released, and how many people of the population match each of them.

    Parameters
    ----------
    policy, attacker : by whose rule the rows are released, and who looks at them.
    whose : who is released.
    setting : what profiles and levels are spoken in.
    weights : (q,) int64, how many are released with each profile.
    people : (q,) int64, how many of the population match them as the attacker sees them; 0 where nobody does.
    covers : share of the population on the attacker's list, in (0, 1].
    """

    policy: str
    attacker: str
    whose: Whose
    setting: Setting
    weights: IntArray
    people: IntArray
    covers: float

    @property
    def released(self) -> int:
        """How many are released."""
        return int(self.weights.sum())

    def distinct(self, at_most: int) -> float:
        """Return how many of those released are on the list and match at most so many people.

        Parameters
        ----------
        at_most : g >= 1. Who matches nobody is not found, and not counted.

        References
        ----------
        Benitez and Malin (2010), equations 2 and 3.
        """
        sizes, weights = self._by_size()
        return float(weights[(sizes > 0) & (sizes <= at_most)].sum() * self.covers)

    @property
    def total_risk(self) -> float:
        """The re-identifications expected when the attacker guesses the person of everyone released.

        Of n people who match, each is on the list with chance c; whoever is, is guessed with the same chance as any
        other who is. So a row is guessed right with chance (1 - (1 - c)^n) / n; 1/n where the list is complete.

        References
        ----------
        Benitez and Malin (2010), equation 4, for a list that is complete.
        """
        sizes, weights = self._by_size()
        sizes, weights = sizes[sizes > 0], weights[sizes > 0]
        found = np.ones(len(sizes)) if self.covers == 1 else -np.expm1(sizes * np.log1p(-self.covers))
        return float((weights / sizes * found).sum())

    def by(self, attribute: str, level: int | None = None) -> tuple[int, dict[str, "Exposure"]]:
        """Return the level and, by the label of each group of an attribute there, the exposure of those who are in it.

        Parameters
        ----------
        attribute : one of the scenario.
        level : of the groups; the most general one below ``*`` unless given. Groups stand in the hierarchy's order;
            those whose value is missing come last, as ``*``.

        Raises
        ------
        InvalidScenarioError : no such attribute, or no such level.
        """
        hierarchies = self.setting.hierarchies
        if attribute not in hierarchies:
            raise InvalidScenarioError(f"there is no attribute {quoted(attribute)}{nearest(attribute, hierarchies)}")
        hierarchy = hierarchies[attribute]
        at = hierarchy.levels - 2 if level is None else level_of(hierarchy, level, attribute)
        place = list(hierarchies).index(attribute)
        return at, dict(self._groups(hierarchy, at, self.setting.profiles.codes[:, place]))

    def _groups(self, hierarchy: Hierarchy, level: int, codes: IntArray) -> Iterator[tuple[str, "Exposure"]]:
        labels = hierarchy.labels[level]
        missing = 0 if labels == (ROOT,) else len(labels)
        of_profile = np.append(hierarchy.groups[level], missing)[codes]
        order = np.argsort(of_profile, kind="stable")
        groups, starts = np.unique(of_profile[order], return_index=True)
        for group, rows in zip(groups.tolist(), np.split(order, starts[1:]), strict=True):
            label = ROOT if group == len(labels) else labels[group]
            part = replace(self, weights=self.weights[rows], people=self.people[rows])
            if part.released:
                yield label, part

    def _by_size(self) -> tuple[IntArray, IntArray]:
        """Return the numbers of people who match, each once, and how many are released for whom so many do.

        Whole groups are summed before anything is divided: n times 1/n would not always be 1.
        """
        sizes, of_profile = np.unique(self.people, return_inverse=True)
        weights = np.zeros(len(sizes), np.int64)
        np.add.at(weights, of_profile, self.weights)
        return sizes, weights


def exposure(study: Study, policy: str, attacker: str = GENERAL, whose: Whose = "population") -> Exposure:
    """Return who matches whom when a policy releases, and an attacker looks.

    Of each attribute the attacker sees the more general of the level that the policy releases and the level that the
    list has; an attribute that the list lacks tells nothing.

    Parameters
    ----------
    study : the question with its data.
    policy : "safe-harbor", "limited-data-set", one of the scenario's own, or "raw", which releases all as it is.
    attacker : "general", who knows all that is released of everybody, or one of the scenario's.
    whose : whether everybody of the population is released, or the records.

    Raises
    ------
    InvalidScenarioError : no such policy or attacker, or a level that its hierarchy does not have.
    """
    setting, weights = study.setting, study.setting.profiles.records
    if whose == "population":
        profiles = Profiles.of(study.cells.codes, list(setting.hierarchies.values()))
        setting = setting.of(profiles, "safe")
        weights = np.zeros(profiles.count, np.int64)
        np.add.at(weights, profiles.of_record, study.cells.people)
    known, covers = _attacker(study.scenario, setting, attacker)
    levels = np.maximum(_policy(policy, study, setting).levels, known)
    everyone = np.arange(setting.profiles.count, dtype=np.int64)
    return Exposure(
        policy=policy,
        attacker=attacker,
        whose=whose,
        setting=setting,
        weights=sealed(weights, np.int64),
        people=sealed(setting.people(everyone, setting.lattice.nodes(levels)), np.int64),
        covers=covers,
    )


def _policy(name: str, study: Study, setting: Setting) -> PolicyFloors:
    known = (*policy_names(study.scenario), RAW)
    if name not in known:
        raise InvalidScenarioError(f"there is no policy {quoted(name)}{nearest(name, known)}")
    # the limited data set takes nothing from the attributes: it is the raw data with the dropped columns gone
    return apply_policy(LIMITED_DATA_SET if name == RAW else name, study.scenario, setting, study.restricted)


def _attacker(scenario: Scenario, setting: Setting, name: str) -> tuple[IntArray, float]:
    """Return the least level at which an attacker sees each attribute, (a,) int8, and the share of people covered."""
    if name == GENERAL:
        return np.zeros(len(setting.hierarchies), np.int8), 1.0
    if name not in scenario.attacker:
        raise InvalidScenarioError(
            f"there is no attacker {quoted(name)}{nearest(name, (GENERAL, *scenario.attacker))}; "
            "an attacker is a section [attacker.NAME] of the scenario"
        )
    one = scenario.attacker[name]
    levels = [
        0
        if attribute in one.knows
        else level_of(hierarchy, one.levels.get(attribute, hierarchy.levels - 1), f"attacker.{name}.levels")
        for attribute, hierarchy in setting.hierarchies.items()
    ]
    return np.array(levels, np.int8), one.covers
