"""Among how many people a recipient who knows the method chooses, and a question for the whole population."""

import numpy as np

from gamedeid.arrays import ARRAY_ROWS, BoolArray, IntArray, sealed
from gamedeid.data.profiles import PopulationCells, Profiles
from gamedeid.game.instance import Instance
from gamedeid.grouping import distinct_rows
from gamedeid.kernels.tables import WITHHELD
from gamedeid.reprs import frozen


@frozen(eq=False)
class ReleasedGroups:
    """Profiles of a population and of a question, grouped by what is released of them: strategy and values.

    Parameters
    ----------
    of_population : (p,) int64, the group of each profile of the population; -1 where it is withheld.
    of_profile : (q,) int64, the group of each profile of the question; -1 where it is withheld.
    people : (g,) int64, n_a: how many people of the population are released in each; 0 where nobody is.
    """

    of_population: IntArray
    of_profile: IntArray
    people: IntArray

    @property
    def people_of_profile(self) -> IntArray:
        """Aware people n_a of each profile of the question, (q,) int64; 0 where it is withheld."""
        return np.append(self.people, 0)[self.of_profile]


def population_instance(instance: Instance, cells: PopulationCells) -> Instance:
    """Return the same question for every profile of the population: ``profiles.records`` are its people."""
    living = np.flatnonzero(cells.people > 0)
    floors = None if cells.floors is None else cells.floors[living]
    profiles = Profiles.of(cells.codes[living], list(instance.data.hierarchies.values()), cells.people[living], floors)
    return instance.about(profiles)


def released_groups(instance: Instance, nodes: IntArray) -> ReleasedGroups:
    """Group profiles by strategy and released values.

    Two profiles are in one group iff they have the same strategy and, in every attribute, the same group of values at
    the level of that strategy. The people of a group are n_a where ``instance`` is of the whole population and
    ``nodes``, (q,), are what the mechanism gives each of its profiles.
    """
    released = np.flatnonzero(nodes != WITHHELD)
    first, group, _ = distinct_rows(*released_rows(instance, released, nodes[released]))
    people = np.zeros(len(first), np.int64)
    np.add.at(people, group, instance.profiles.records[released])
    of_profile = np.full(len(nodes), -1, np.int64)
    of_profile[released] = group
    of_profile.setflags(write=False)
    return ReleasedGroups(of_population=of_profile, of_profile=of_profile, people=sealed(people, np.int64))


def aware_people(population: Instance, chosen: IntArray, instance: Instance, nodes: IntArray) -> IntArray:
    """Return n_a, (q,) int64: people of the population who are released with the strategy and values of each profile.

    0 where a profile is withheld, or where the mechanism, a strategy ``chosen`` for each of the population, (p,),
    releases nobody so. Never above n_p. ``nodes``, (q,), are the strategies of the profiles.
    """
    return groups_in_common(population, chosen, instance, nodes).people_of_profile


def groups_in_common(population: Instance, chosen: IntArray, instance: Instance, nodes: IntArray) -> ReleasedGroups:
    """Group the profiles of a population and those of a question together; arguments as in :func:`aware_people`."""
    theirs, ours = np.flatnonzero(chosen != WITHHELD), np.flatnonzero(nodes != WITHHELD)
    their_rows, bases = released_rows(population, theirs, chosen[theirs])
    our_rows, _ = released_rows(instance, ours, nodes[ours])
    first, group, _ = distinct_rows(np.concatenate([their_rows, our_rows]), bases)
    people = np.zeros(len(first), np.int64)
    np.add.at(people, group[: len(theirs)], population.profiles.records[theirs])
    of_population, of_profile = np.full(len(chosen), -1, np.int64), np.full(len(nodes), -1, np.int64)
    of_population[theirs], of_profile[ours] = group[: len(theirs)], group[len(theirs) :]
    return ReleasedGroups(of_population=of_population, of_profile=of_profile, people=people)


def released_rows(instance: Instance, profiles: IntArray, nodes: IntArray) -> tuple[IntArray, list[int]]:
    """Return (strategy, then the group of each attribute at its level, (k, 1 + a); how many there may be of each)."""
    tables, lattice = instance.hierarchy_tables, instance.lattice
    rows = np.empty((len(profiles), 1 + lattice.attributes), np.int64)
    rows[:, 0] = nodes
    for start in range(0, len(profiles), ARRAY_ROWS):
        some = slice(start, start + ARRAY_ROWS)
        codes, levels = instance.profiles.codes[profiles[some]], lattice.levels(nodes[some])
        for place in range(lattice.attributes):
            rows[some, 1 + place] = tables.groups[place, levels[:, place], codes[:, place]]
    widest = tables.groups.reshape(lattice.attributes, -1).max(axis=1) + 1
    return rows, [lattice.size, *widest.tolist()]


@frozen(eq=False)
class PopulationAndRecords:
    """The profiles of a population, and of the records that match nobody in it.

    Parameters
    ----------
    instance : of these profiles; ``profiles.records`` are the people of each, 0 where nobody is.
    of_record_profile : (q,) int64, which of them each profile of the records is.
    records : (p,) int64, how many records each of them has.
    """

    instance: Instance
    of_record_profile: IntArray
    records: IntArray

    @classmethod
    def of(cls, instance: Instance, cells: PopulationCells) -> "PopulationAndRecords":
        """Return everybody whom a question is about; where the rows of a person differ, ``cells`` are the records."""
        mine = instance.profiles
        codes = np.concatenate([cells.codes, mine.codes])
        people = np.concatenate([cells.people, np.zeros(mine.count, np.int64)])
        floors = None
        if cells.floors is not None and mine.floors is not None:
            floors = np.concatenate([cells.floors, mine.floors])
        profiles = Profiles.of(codes, list(instance.data.hierarchies.values()), people, floors)
        of_record_profile = profiles.of_record[len(cells.codes) :]
        records = np.zeros(profiles.count, np.int64)
        records[of_record_profile] = mine.records
        return cls(
            instance=instance.about(profiles),
            of_record_profile=sealed(of_record_profile, np.int64),
            records=sealed(records, np.int64),
        )

    @property
    def people(self) -> IntArray:
        """People of each profile, (p,) int64."""
        return self.instance.profiles.records

    @property
    def found_by_nobody(self) -> BoolArray:
        """Whether a profile, (p,), matches nobody of the population as it is, and counts as found by nobody."""
        instance = self.instance
        nobody: BoolArray = self.people == 0
        alone = np.flatnonzero(nobody)
        nobody[alone] = instance.people(alone, instance.lattice.nodes(instance.base[alone])) == 0
        return nobody
