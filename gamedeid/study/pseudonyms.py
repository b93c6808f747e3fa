"""What stands for people in a release: numbers that are drawn for it, and tell nothing of their keys."""

import numpy as np

from gamedeid.arrays import BoolArray, IntArray, sealed
from gamedeid.data.same_person import Persons


def draw_pseudonyms(persons: Persons, released: BoolArray, generator: np.random.Generator) -> IntArray:
    """Return the pseudonym of each record's person, (r,) int64: 1 to the number of people released, in random order.

    Keys take no part in it. People who are not released get 0.

    Parameters
    ----------
    persons : whose each record is.
    released : (r,) whether each record is released.
    generator : draws the order.
    """
    there = np.zeros(persons.count, np.bool_)
    there[persons.of_record[released]] = True
    of_person = np.zeros(persons.count, np.int64)
    of_person[there] = generator.permutation(int(there.sum())) + 1
    pseudonyms: IntArray = sealed(of_person[persons.of_record], np.int64)
    return pseudonyms
