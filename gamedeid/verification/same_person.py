"""Which records are of one person, and from which levels on they agree, found here a second time."""

from collections.abc import Sequence

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.generalization.missing_codes import as_text
from gamedeid.verification.meanings import Meanings
from gamedeid.verification.tables import Values


def persons_of(key: Values) -> IntArray:
    """Return the number of each row's person, (n,), by the texts of a column of keys, spaces around them aside."""
    numbers: dict[str, int] = {}
    of_value = [numbers.setdefault(as_text(value), len(numbers)) for value in key.distinct]
    found: IntArray = np.array([*of_value, len(numbers)], np.int64)[key.places]
    return found


def what_agrees(attributes: Sequence[Meanings], values: IntArray, persons: IntArray) -> tuple[IntArray, IntArray]:
    """Return for each record the values that stand for its person's records, and the least levels at which they agree.

    Where the records of a person differ, the first value of the group in which they agree stands for all of them.

    Parameters
    ----------
    attributes : what the values mean.
    values : (n, a) number of the value of each attribute.
    persons : (n,) number of each record's person.

    Returns
    -------
    (n, a) values, and (n, a) levels.
    """
    standing, floors = values.copy(), np.zeros(values.shape, np.int64)
    count = int(persons.max(initial=-1)) + 1
    for place, meaning in enumerate(attributes):
        differ = np.ones(count, np.bool_)
        for level in range(meaning.top + 1):
            labels = meaning.label_numbers[level][values[:, place]]
            least, most = np.full(count, meaning.missing + 1), np.full(count, -2)
            np.minimum.at(least, persons, labels)
            np.maximum.at(most, persons, labels)
            rows = (differ & (least == most))[persons]
            differ &= least != most
            if level > 0:
                floors[rows, place] = level
                standing[rows, place] = np.searchsorted(meaning.label_numbers[level][:-1], labels[rows])
    return standing, floors
