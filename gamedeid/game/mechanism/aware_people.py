"""Aware people n_a of released records, and the attacks of recipients who know the mechanism."""

from collections.abc import Sequence

import numpy as np

from gamedeid.arrays import OBJECT_ROWS, BoolArray, FloatArray, IntArray, sealed
from gamedeid.data.profiles import PopulationCells, Profiles
from gamedeid.game.instance import Instance
from gamedeid.grouping import distinct_rows, row_keys, sums_by
from gamedeid.kernels.tables import WITHHELD
from gamedeid.reprs import frozen
from gamedeid.scenario.payoffs import Adversary, worth_attacking


@frozen(eq=False)
class ReleasedGroups:
    """Profiles of a population and of a question, grouped by their released strategy and values."""

    of_population: IntArray  # (p,) int64, the group of each profile of the population; -1 where it has none
    of_profile: IntArray  # (q,) int64, the group of each profile of the question; -1 where it is withheld
    people: IntArray  # (g,) int64, n_a: how many people of the population are released in each; 0 where no one is

    @property
    def people_of_profile(self) -> IntArray:
        """Aware people n_a of each profile of the question, (q,) int64; 0 where it is withheld."""
        return np.append(self.people, 0)[self.of_profile]


def population_instance(instance: Instance, cells: PopulationCells) -> Instance:
    """Return the same question for every profile of the population: ``profiles.records`` are its people."""
    populated = np.flatnonzero(cells.people > 0)
    floors = None if cells.floors is None else cells.floors[populated]
    hierarchies = list(instance.data.hierarchies.values())
    profiles = Profiles.of(cells.codes[populated], hierarchies, cells.people[populated], floors)
    return instance.for_profiles(profiles)


def released_groups(instance: Instance, nodes: IntArray) -> ReleasedGroups:
    """Group profiles by strategy and released values.

    Two profiles are in one group iff they have the same strategy and, in every attribute, the same group of values at
    the level of that strategy. The people of a group are n_a where ``instance`` is of the whole population and
    ``nodes``, (q,), are the strategies that the mechanism gives its profiles.
    """
    released = np.flatnonzero(nodes != WITHHELD)
    first, group, _ = distinct_rows(released_rows(instance, released, nodes[released]))
    people = sums_by(group, instance.profiles.records[released], len(first))
    of_profile = np.full(len(nodes), -1, np.int64)
    of_profile[released] = group
    of_profile.setflags(write=False)
    return ReleasedGroups(of_population=of_profile, of_profile=of_profile, people=sealed(people, np.int64))


def aware_people(population: Instance, chosen: IntArray, instance: Instance, nodes: IntArray) -> IntArray:
    """Return n_a, (q,) int64: people of the population who are released with the strategy and values of each profile.

    0 where a profile is withheld, or where the mechanism, a strategy ``chosen`` for each of the population, (p,),
    releases no one so. Never above n_p. ``nodes``, (q,), are the strategies of the profiles.
    """
    return groups_in_common(population, chosen, instance, nodes).people_of_profile


def groups_in_common(population: Instance, chosen: IntArray, instance: Instance, nodes: IntArray) -> ReleasedGroups:
    """Group the profiles of a question, and those of a population who are released like them.

    Arguments as in :func:`aware_people`.
    """
    released = np.flatnonzero(nodes != WITHHELD)
    candidates = np.flatnonzero(np.isin(chosen, np.unique(nodes[released])))
    candidate_rows = released_rows(population, candidates, chosen[candidates])
    keys, _ = row_keys(np.concatenate([candidate_rows, released_rows(instance, released, nodes[released])]))
    groups, of_released = np.unique(keys[len(candidates) :], return_inverse=True)
    of_candidates = np.searchsorted(groups, keys[: len(candidates)])
    in_common = np.append(groups, -1)[of_candidates] == keys[: len(candidates)]
    people = sums_by(of_candidates[in_common], population.profiles.records[candidates[in_common]], len(groups))
    of_population, of_profile = np.full(len(chosen), -1, np.int64), np.full(len(nodes), -1, np.int64)
    of_population[candidates[in_common]], of_profile[released] = of_candidates[in_common], of_released
    return ReleasedGroups(of_population=of_population, of_profile=of_profile, people=people)


def released_rows(instance: Instance, profiles: IntArray, nodes: IntArray) -> IntArray:
    """Return the strategy, then the group of each attribute at its level, (k, 1 + a)."""
    tables, lattice = instance.hierarchy_tables, instance.lattice
    rows = np.empty((len(profiles), 1 + lattice.attributes), np.int64, order="F")
    rows[:, 0] = nodes
    for start in range(0, len(profiles), OBJECT_ROWS):  # few enough for the processor's cache
        some = slice(start, start + OBJECT_ROWS)
        codes, levels = instance.profiles.codes[profiles[some]], lattice.levels(nodes[some])
        for place in range(lattice.attributes):
            rows[some, 1 + place] = tables.groups[place, levels[:, place], codes[:, place]]
    return rows


@frozen(eq=False)
class PopulationAndRecords:
    """The profiles of a population, and of the records that match no one in it."""

    instance: Instance  # of these profiles; ``profiles.records`` are the people of each, 0 where no one is
    of_record_profile: IntArray  # (q,) int64, which of them each profile of the records is
    records: IntArray  # (p,) int64, how many records each of them has

    @classmethod
    def of(cls, instance: Instance, cells: PopulationCells) -> "PopulationAndRecords":
        """Return the people and records of a question; ``cells`` is the population in the codes of its hierarchies."""
        own = instance.profiles
        codes = np.concatenate([cells.codes, own.codes])
        people = np.concatenate([cells.people, np.zeros(own.count, np.int64)])
        floors = None
        if cells.floors is not None and own.floors is not None:
            floors = np.concatenate([cells.floors, own.floors])
        profiles = Profiles.of(codes, list(instance.data.hierarchies.values()), people, floors)
        of_record_profile = profiles.of_record[len(cells.codes) :]
        records = np.zeros(profiles.count, np.int64)
        records[of_record_profile] = own.records
        return cls(
            instance=instance.for_profiles(profiles),
            of_record_profile=sealed(of_record_profile, np.int64),
            records=sealed(records, np.int64),
        )

    @property
    def people(self) -> IntArray:
        """People of each profile, (p,) int64."""
        return self.instance.profiles.records

    @property
    def is_the_records(self) -> bool:
        """Whether the people are the records themselves."""
        return bool((self.people == self.records).all())

    @property
    def unmatched(self) -> BoolArray:
        """Whether a profile, (p,), matches no one in the population as it is, so that no recipient finds it."""
        instance = self.instance
        unmatched: BoolArray = self.people == 0
        alone = np.flatnonzero(unmatched)
        unmatched[alone] = instance.people(alone, instance.lattice.nodes(instance.base[alone])) == 0
        return unmatched


@frozen(eq=False)
class AwareAttacks:
    """The attacks on profiles, (q,) each, of a recipient who knows the mechanism, if it is present."""

    attacks: BoolArray  # whether the recipient attacks if the list has the people who are worth most
    attack_probability: FloatArray  # chance, in [0, 1], that the list has a person worth attacking
    success_probability: FloatArray  # chance, in [0, 1], that the recipient attacks and names the right person

    @classmethod
    def joined(cls, parts: Sequence[tuple[IntArray, "AwareAttacks"]], profiles: int) -> "AwareAttacks":
        """Join the attacks of parts, each on some profiles by their numbers, (k,), into those on all profiles."""
        attacks, found, success_probability = np.zeros(profiles, np.bool_), np.zeros(profiles), np.zeros(profiles)
        for numbers, part in parts:
            attacks[numbers], found[numbers] = part.attacks, part.attack_probability
            success_probability[numbers] = part.success_probability
        return cls(attacks=attacks, attack_probability=found, success_probability=success_probability)


@frozen(eq=False)
class _KnownClasses:
    """Classes of released people, (c,) each: those of one group who agree in all that the recipient knows."""

    group: IntArray  # their released group
    effective_people: FloatArray  # n_a x ``alike`` / those of them released so: an attack is right with chance 1 / this
    alike: IntArray  # people of the population who agree with them in all that the recipient knows


def aware_attacks(
    population: Instance, groups: ReleasedGroups, instance: Instance, *, unmatched_as_one: bool
) -> tuple[AwareAttacks, ...]:
    """Return the attacks of each recipient of a question who knows the mechanism, (R,), by its other knowledge.

    The recipient sees the strategy and the values of a record, with which n_a people are released. People who agree in
    all that the recipient knows are one class. Of m people of the population in a class, a may be released so; then
    each of them is the right one with chance a / m / n_a. The recipient attacks the person on the list for whom this is
    greatest, if it pays. A record like which no one of the population is released counts as one more person if
    ``unmatched_as_one``; if not, no recipient finds it.
    """
    recipients = population.recipients
    if recipients.is_paper_adversary:
        return ()
    found = []
    for known, adversary in zip(recipients.levels, population.adversaries, strict=True):
        classes, class_of_record, alike = _known_classes_of(population, instance, known)
        released = _released_classes(groups, classes, alike, population.profiles.records)
        attacks = _attacks_on(released, len(groups.people), adversary)
        of_profile = groups.of_profile
        attacks = AwareAttacks(
            attacks=np.append(attacks.attacks, False)[of_profile],
            attack_probability=np.append(attacks.attack_probability, 0.0)[of_profile],
            success_probability=np.append(attacks.success_probability, 0.0)[of_profile],
        )
        if unmatched_as_one:
            unmatched = np.flatnonzero((of_profile != WITHHELD) & (groups.people_of_profile == 0))
            many = np.maximum(alike[class_of_record[unmatched]], 1)
            singles = _KnownClasses(
                group=np.arange(len(unmatched)), effective_people=many.astype(np.float64), alike=many
            )
            of_singles = _attacks_on(singles, len(unmatched), adversary)
            attacks = AwareAttacks.joined([(instance.all_profiles, attacks), (unmatched, of_singles)], len(of_profile))
        found.append(attacks)
    return tuple(found)


def _known_classes_of(population: Instance, instance: Instance, known: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return (class of each profile of the population; of each of the records; people of the population in each).

    People whose rows differ at a known level may be distinguished by them from all but people of the same profile.
    """
    tables, count = population.hierarchy_tables.groups, population.profiles.count
    codes, floors = np.split(np.concatenate([population.profiles.keys, instance.profiles.keys]), 2, axis=1)
    differ = (floors > known).any(axis=1, keepdims=True)
    levels = np.where(differ, floors, known)
    groups = [tables[place, levels[:, place], codes[:, place]] for place in range(len(known))]
    first, of_all, _ = distinct_rows(np.column_stack([*groups, np.where(differ, floors, 0)]))
    return of_all[:count], of_all[count:], sums_by(of_all[:count], population.profiles.records, len(first))


def _released_classes(groups: ReleasedGroups, classes: IntArray, alike: IntArray, people: IntArray) -> _KnownClasses:
    """Return the classes of each group by the recipient's knowledge, the greatest chance first in each group."""
    released = np.flatnonzero(groups.of_population != WITHHELD)
    pairs = np.stack([groups.of_population[released], classes[released]], axis=1)
    first, of_pair, _ = distinct_rows(pairs)
    people_of_class = sums_by(of_pair, people[released], len(first))
    group, of_class = pairs[first].T
    effective_people = groups.people[group] * (alike[of_class] / np.maximum(people_of_class, 1))
    order = np.lexsort((of_class, effective_people, group))
    order = order[people_of_class[order] > 0]
    return _KnownClasses(group=group[order], effective_people=effective_people[order], alike=alike[of_class[order]])


def _attacks_on(known: _KnownClasses, groups: int, adversary: Adversary) -> AwareAttacks:
    """Return the attacks on each group, (g,), whose classes are in falling order of the chance."""
    attacks, found, success_probability = np.zeros(groups, np.bool_), np.zeros(groups), np.zeros(groups)
    worth = worth_attacking(known.effective_people, gain=adversary.gain, cost=adversary.cost)
    attacks[known.group[worth]] = True
    before = np.concatenate([[0], np.cumsum(known.alike)])
    starts = np.flatnonzero(np.diff(known.group, prepend=-1))
    earlier = before[:-1] - np.repeat(before[:-1][starts], np.diff(np.append(starts, len(known.group))))
    first = (1 - adversary.listed_probability(earlier)) * adversary.listed_probability(known.alike) * worth
    np.add.at(found, known.group, first)
    np.add.at(success_probability, known.group, first / known.effective_people)
    return AwareAttacks(attacks=attacks, attack_probability=found, success_probability=success_probability)
