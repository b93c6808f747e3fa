"""People who join the groups of others: the best group that matches, if no attack on it pays."""

from collections.abc import Iterator

import numpy as np

from gamedeid.arrays import BoolArray, IntArray
from gamedeid.data.profiles import PopulationCells, Profiles
from gamedeid.game.mechanism.aware_people import PopulationAndRecords, aware_people
from gamedeid.grouping import distinct_rows
from gamedeid.kernels.tables import WITHHELD


def join_open_groups(population: PopulationAndRecords, placed: IntArray, joining: IntArray) -> IntArray:
    """Return strategies, (p,): some profiles, (k,), join the best matching group of those ``placed``, (p,).

    No group that they join is worth an attack, even if a recipient knows which values are missing in a profile that no
    one in the population has: enough people would join the group if their values were missing too.
    """
    nodes = _join_best(population, placed, joining)
    for members, people in lacking_and_joined(population, placed, nodes):
        nodes[members[population.instance.payoffs.attacked(people)]] = WITHHELD
    return nodes


def lacking_and_joined(
    population: PopulationAndRecords, placed: IntArray, nodes: IntArray
) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield profiles of no person that lack the same values and have a group, and how many people would join it."""
    joined = np.flatnonzero((population.people == 0) & (nodes != WITHHELD) & ~population.unmatched)
    lacking = population.instance.profiles.missing[joined]
    patterns, of_joined, _ = distinct_rows(lacking.astype(np.int8))
    for number, pattern in enumerate(lacking[patterns]):
        if pattern.any():
            members = joined[of_joined == number]
            yield members, _people_joining(population, placed, nodes, members, pattern)


def _people_joining(
    population: PopulationAndRecords, placed: IntArray, nodes: IntArray, members: IntArray, pattern: BoolArray
) -> IntArray:
    """Return how many people would join the groups of ``members``, (k,), if they lacked the values, (a,) bool."""
    instance, populated = population.instance, np.flatnonzero(population.people > 0)
    hierarchies, people = list(instance.data.hierarchies.values()), population.people[populated]
    codes = instance.profiles.codes[populated]
    lacking = np.where(pattern, [len(one.leaves) for one in hierarchies], codes)
    all_lacking = instance.for_profiles(Profiles.of(lacking, hierarchies, people))
    now = PopulationAndRecords.of(all_lacking, PopulationCells.of(codes, people, hierarchies))
    places = places_of_profiles(population, now)
    opened = np.where(places >= 0, placed[places], WITHHELD)
    chosen = _join_best(now, opened, np.flatnonzero(now.people == 0))[now.of_record_profile]
    wanted = np.full(len(nodes), WITHHELD, np.int64)
    wanted[members] = nodes[members]
    return aware_people(all_lacking, chosen, instance, wanted)[members]


def _join_best(population: PopulationAndRecords, placed: IntArray, joining: IntArray) -> IntArray:
    """Return strategies, (p,): some profiles, (k,), join the best matching group that is worth no attack."""
    instance = population.instance
    nodes, best = placed.copy(), np.zeros(len(placed))
    opened = np.unique(placed[placed != WITHHELD]) if len(joining) else joining
    for node in opened[np.argsort(instance.lattice.walk_keys(opened))].tolist():
        candidates = joining[(instance.base[joining] <= np.array(instance.lattice.levels_of(node))).all(axis=1)]
        wanted = np.full(len(nodes), WITHHELD, np.int64)
        wanted[candidates] = node
        people = aware_people(instance, np.where(placed == node, node, WITHHELD), instance, wanted)[candidates]
        values = instance.values(candidates, np.full(len(candidates), node, np.int64))
        joins = (people > 0) & ~instance.payoffs.attacked(people + population.people[candidates])
        joins &= ~instance.payoffs.as_good(best[candidates], values)
        nodes[candidates[joins]], best[candidates[joins]] = node, values[joins]
    return nodes


def places_of_profiles(before: PopulationAndRecords, now: PopulationAndRecords) -> IntArray:
    """Return the earlier profile that each new profile equals, (p,); -1 where there is none."""
    rows = [one.instance.profiles.keys for one in (before, now)]
    first, place, _ = distinct_rows(np.concatenate(rows))
    found = np.full(len(first), -1, np.int64)
    found[place[: len(rows[0])]] = np.arange(len(rows[0]))
    return found[place[len(rows[0]) :]]
