"""Counts of the people who match each released row: those whose values have the same labels."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.reprs import frozen
from gamedeid.verification.attributes import NO_LABEL, AttributeLabels, labels_at
from gamedeid.verification.tables import distinct_rows, row_keys

UNKNOWN = -1
"""The value of an unknown number of people."""

_DENSE = 2**24
"""Keys below this are counted in a table instead of being sorted."""


@frozen(eq=False)
class People:
    """The people whom the adversary can look up, each combination of values once.

    Parameters
    ----------
    values : (k, a) number of the value of each attribute.
    counts : (k,) number of people with these values.
    known : attribute -> level, for attributes that the population has at one level only.
    floors : (k, a) least level at which the values are known.
    unmatched : treatment of a record that matches no one: "error", "unique" or "safe".
    """

    values: IntArray
    counts: IntArray
    known: Mapping[str, int]
    unmatched: str
    floors: IntArray

    @property
    def first(self) -> IntArray:
        """The number, (k,), of the first person of each row: numbers run through the rows."""
        ends: IntArray = np.cumsum(self.counts)
        return ends - self.counts

    @property
    def total(self) -> int:
        """The number of people."""
        return int(self.counts.sum())

    def living(self) -> "People":
        """Return the same without rows of 0 people."""
        held = self.counts > 0
        return replace(self, values=self.values[held], counts=self.counts[held], floors=self.floors[held])

    @classmethod
    def of(
        cls,
        values: IntArray,
        counts: IntArray,
        known: Mapping[str, int],
        unmatched: str,
        *,
        floors: IntArray | None = None,
    ) -> "People":
        """Return people, rows of equal values added up.

        Parameters
        ----------
        values : (rows, a) number of the value of each attribute.
        counts : (rows,) number of people of each row.
        """
        least = np.zeros(values.shape, np.int64) if floors is None else floors
        first, place = distinct_rows(np.concatenate([values, least], axis=1))
        totals = np.zeros(len(first), np.int64)
        np.add.at(totals, place, counts)
        return cls(values=values[first], counts=totals, known=known, unmatched=unmatched, floors=least[first])


def matching_people(
    people: People, attributes: Sequence[AttributeLabels], levels: Sequence[int], labels: IntArray
) -> IntArray:
    """Return the number of people, (k,), who have the labels, (k, a), at these levels.

    Parameters
    ----------
    labels : (k, a) numbers of labels at these levels; ``NO_LABEL`` matches no one.
    """
    of_people = labels_at(attributes, levels, people.values)
    of_people[people.floors > np.asarray(levels)] = NO_LABEL
    wanted = (labels != NO_LABEL).all(axis=1)
    known = (of_people != NO_LABEL).all(axis=1)
    keys = row_keys(np.concatenate([labels[wanted], of_people[known]]))
    wanted_keys, people_keys = keys[: wanted.sum()], keys[wanted.sum() :]
    found = np.zeros(len(labels), np.int64)
    if not len(wanted_keys):
        return found
    if keys.max() >= _DENSE:
        keys = np.unique(keys, return_inverse=True)[1]
        wanted_keys, people_keys = keys[: len(wanted_keys)], keys[len(wanted_keys) :]
    totals = np.bincount(people_keys, weights=people.counts[known], minlength=int(keys.max()) + 1)
    found[wanted] = totals[wanted_keys].astype(np.int64)  # whole numbers below 2**53: the sums are exact
    return found


def count_people(people: People, attributes: Sequence[AttributeLabels], levels: IntArray, labels: IntArray) -> IntArray:
    """Return n_p of rows, (k,): the people who have their labels, (k, a), at their levels, (k, a).

    A row is counted only if the population has its levels: others are ``UNKNOWN``, and so are rows with a label that
    their level does not have. The scenario states how a row that matches no one counts.

    Parameters
    ----------
    levels, labels : (k, a) of the rows.
    """
    found = np.full(len(levels), UNKNOWN, np.int64)
    for strategy, rows in rows_by_levels(levels):
        if all(level >= people.known.get(one.name, 0) for one, level in zip(attributes, strategy, strict=True)):
            found[rows] = matching_people(people, attributes, strategy, labels[rows])
    found[(labels == NO_LABEL).any(axis=1)] = UNKNOWN
    if people.unmatched == "unique":
        found[found == 0] = 1
    return found


def rows_by_levels(levels: IntArray) -> Iterator[tuple[list[int], IntArray]]:
    """Yield each distinct row of levels (n, a), and the numbers of the rows that have it."""
    first, place = distinct_rows(levels)
    order = np.argsort(place, kind="stable")
    ends = np.searchsorted(place[order], np.arange(len(first) + 1))
    for number, strategy in enumerate(levels[first].tolist()):
        yield strategy, order[ends[number] : ends[number + 1]]
