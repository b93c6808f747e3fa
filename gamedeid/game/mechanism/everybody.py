"""Whom a mechanism gives a strategy: every profile of the population and of the records, with its people."""

import numpy as np

from gamedeid.arrays import FloatArray, IntArray, sealed
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
        cells : the population, in the codes of the same hierarchies.
        """
        mine = instance.profiles
        codes = np.concatenate([cells.codes, mine.codes])
        people = np.concatenate([cells.people, np.zeros(mine.count, np.int64)])
        profiles = Profiles.of(codes, list(instance.hierarchies.values()), people)
        of_record_profile = profiles.of_record[len(cells.codes) :]
        records = np.zeros(profiles.count, np.int64)
        records[of_record_profile] = mine.records
        return cls(
            instance=instance.of(profiles, "safe"),
            of_record_profile=sealed(of_record_profile, np.int64),
            records=sealed(records, np.int64),
        )

    @property
    def people(self) -> IntArray:
        """People of each profile, (p,) int64."""
        return self.instance.profiles.records

    def may_be_released(self, node: int) -> IntArray:
        """Return the numbers of the profiles, (k,), that a strategy is open to: it releases no missing value."""
        levels = np.array(self.instance.lattice.levels_of(node))
        return np.flatnonzero((self.instance.base <= levels).all(axis=1))

    def values_at(self, node: int) -> FloatArray:
        """Return v(g) of each profile at one strategy, (p,) dollars."""
        return self.instance.values(self.instance.everyone, np.full(self.instance.profiles.count, node, np.int64))
