"""Whom a mechanism gives a strategy: every profile of the population and of the records, with its people."""

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray, sealed
from gamedeid.data.profiles import Cells, Profiles
from gamedeid.game.instance import Instance
from gamedeid.reprs import frozen


@frozen(eq=False)
class Everybody:
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
    def of(cls, instance: Instance, cells: Cells) -> "Everybody":
        """Return everybody whom a question is about.

        Parameters
        ----------
        instance : the question, of the records.
        cells : the population, in the codes of the same hierarchies; where the rows of a person differ, the records
            themselves.
        """
        mine = instance.profiles
        codes = np.concatenate([cells.codes, mine.codes])
        people = np.concatenate([cells.people, np.zeros(mine.count, np.int64)])
        floors = None
        if cells.floors is not None and mine.floors is not None:
            floors = np.concatenate([cells.floors, mine.floors])
        profiles = Profiles.of(codes, list(instance.hierarchies.values()), people, floors)
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

    def may_be_released(self, node: int) -> IntArray:
        """Return the numbers of the profiles, (k,), that a strategy is open to: it releases no missing value."""
        levels = np.array(self.instance.lattice.levels_of(node))
        return np.flatnonzero((self.instance.base <= levels).all(axis=1))

    def values_at(self, node: int, profiles: IntArray | None = None) -> FloatArray:
        """Return v(g) of profiles, (k,) dollars, at one strategy: of all, or of those whose numbers are given."""
        some = self.instance.everyone if profiles is None else profiles
        return self.instance.values(some, np.full(len(some), node, np.int64))
