"""Which three-digit ZIP prefixes hold too few people for Safe Harbor: by a list, a file, or the population."""

from collections.abc import Collection, Mapping

import numpy as np

from gamedeid.arrays import BoolArray
from gamedeid.capabilities import Operation, check
from gamedeid.data.profiles import Cells
from gamedeid.data.zip3 import read_zip_populations, restricted_prefixes
from gamedeid.errors import InvalidScenarioError, quoted
from gamedeid.game.safe_harbor import Restricted
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.scenario.built_in import SAFE_HARBOR
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.sections import Policy


def restricted_in(scenario: Scenario, hierarchies: Mapping[str, Hierarchy], cells: Cells) -> Restricted:
    """Return what tells the prefixes that may not be published, as the scenario's Safe Harbor has it."""
    policy = scenario.policy.get(SAFE_HARBOR, Policy())
    if policy.zip_populations is None:
        known, small = restricted_prefixes(policy.census)

        def by_list(prefixes: Collection[str]) -> frozenset[str]:
            return frozenset(prefix for prefix in prefixes if prefix in small or prefix not in known)

        return by_list

    def by_people(prefixes: Collection[str]) -> frozenset[str]:
        if policy.zip_populations == "population":
            totals = _people_by_prefix(scenario, hierarchies, cells)
        else:
            totals = read_zip_populations(scenario.folder / str(policy.zip_populations))
        return frozenset(prefix for prefix in prefixes if totals.get(prefix, 0) <= policy.limit)

    return by_people


def _people_by_prefix(scenario: Scenario, hierarchies: Mapping[str, Hierarchy], cells: Cells) -> dict[str, int]:
    zips = [
        place
        for place, (name, hierarchy) in enumerate(hierarchies.items())
        if (scenario.attributes[name].role or hierarchy.role) == "zip"
    ]
    if len(zips) != 1:
        raise InvalidScenarioError(
            'policy.safe-harbor: zip_populations = "population" needs exactly one attribute of role "zip", '
            f"found {len(zips)}"
        )
    name, hierarchy = list(hierarchies.items())[zips[0]]
    check(Operation.COUNTED_ZIPS, scenario.features)
    if scenario.population is not None and scenario.population.levels.get(name):
        raise InvalidScenarioError(
            f'policy.safe-harbor: zip_populations = "population" needs whole ZIP codes, and population.levels has '
            f"{quoted(name)} at a level only"
        )
    people = np.zeros(len(hierarchy.leaves) + 1, np.int64)
    living = _known_prefix(cells, zips[0], hierarchy)
    np.add.at(people, cells.codes[living, zips[0]], cells.people[living])
    totals: dict[str, int] = {}
    for leaf, count in zip(hierarchy.leaves, people.tolist(), strict=False):
        totals[leaf[:3]] = totals.get(leaf[:3], 0) + count
    return totals


def _known_prefix(cells: Cells, place: int, hierarchy: Hierarchy) -> BoolArray | slice:
    """Return which cells, (c,), have one prefix: people whose rows differ in it are in none of them."""
    if cells.floors is None:
        return slice(None)
    codes, floors = cells.codes[:, place], cells.floors[:, place]
    known = np.ones(len(codes), np.bool_)
    prefixes = np.array([leaf[:3] for leaf in hierarchy.leaves])
    for level in np.unique(floors[floors > 0]).tolist():
        groups = hierarchy.groups[level]
        several = np.zeros(int(groups[-1]) + 1, np.bool_)
        np.logical_or.at(several, groups[1:], (prefixes[1:] != prefixes[:-1]) & (groups[1:] == groups[:-1]))
        some = floors == level
        known[some] = ~several[groups[codes[some]]]
    return known
