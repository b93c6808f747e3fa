"""Candidates for each row: lists of people, one list for all rows with equal labels."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from gamedeid.arrays import BoolArray, IntArray
from gamedeid.reprs import frozen
from gamedeid.verification.attributes import AttributeLabels, labels_at
from gamedeid.verification.people import People, rows_by_levels
from gamedeid.verification.tables import distinct_rows, row_keys

NO_PERSON = -1
"""Number of a record that is no person of the population."""


@frozen(eq=False)
class CandidateLists:
    """For each of n rows, a list of candidates in which a guess is made.

    Lists are made of runs of consecutive numbers, one after the other on an axis of places; a row's list is a stretch
    of this axis.

    Parameters
    ----------
    start : (n,) place where a row's list begins.
    size : (n,) how many candidates it has; 0 where no one matches.
    ends : (e,) place after the last of each run.
    first : (e,) first number of each run.
    """

    start: IntArray
    size: IntArray
    ends: IntArray
    first: IntArray

    def guess(self, rows: IntArray, random: np.random.Generator) -> IntArray:
        """Return one candidate of each of these rows, (m,), drawn with equal chances."""
        places = self.start[rows] + random.integers(0, self.size[rows])
        run = np.searchsorted(self.ends, places, side="right")
        before = np.where(run > 0, self.ends[run - 1], 0)
        found: IntArray = self.first[run] + places - before
        return found


def match_by_values(
    comparisons: Iterable[tuple[IntArray, IntArray, IntArray]],
    people: People,
    rows: int,
    wanted: Callable[[IntArray], BoolArray],
) -> CandidateLists:
    """Return the candidates for each row.

    Parameters
    ----------
    comparisons : for each way to compare rows with people: numbers of the rows, (m,); their values, (m, b), negative if
        no one can have them; and the values of the people, (k, b).
    wanted : sizes (m,) -> which of these rows, (m,), need a list; others have a size only.
    """
    start, size = np.zeros(rows, np.int64), np.zeros(rows, np.int64)
    ends, first, offset, firsts_of_people = [], [], 0, people.first
    for numbers, row_values, people_values in comparisons:
        valid_rows, valid_people = (
            np.flatnonzero((row_values >= 0).all(axis=1)),
            np.flatnonzero((people_values >= 0).all(axis=1)),
        )
        if not len(valid_rows) or not len(valid_people):
            continue
        keys = row_keys(np.concatenate([row_values[valid_rows], people_values[valid_people]]))
        kinds, of_row = np.unique(keys[: len(valid_rows)], return_inverse=True)
        people_keys = keys[len(valid_rows) :]
        at = np.minimum(np.searchsorted(kinds, people_keys), len(kinds) - 1)
        same = kinds[at] == people_keys
        valid_people, at = valid_people[same], at[same]
        sizes = np.zeros(len(kinds), np.int64)
        np.add.at(sizes, at, people.counts[valid_people])
        size[numbers[valid_rows]] = sizes[of_row]
        kept = np.zeros(len(kinds), np.bool_)
        kept[of_row[wanted(sizes[of_row])]] = True
        listed = kept[at]
        valid_people, at = valid_people[listed], at[listed]
        order = np.argsort(at, kind="stable")
        runs = np.cumsum(people.counts[valid_people[order]]) + offset
        begins = np.cumsum(np.where(kept, sizes, 0)) - np.where(kept, sizes, 0) + offset
        start[numbers[valid_rows]] = begins[of_row]
        ends.append(runs)
        first.append(firsts_of_people[valid_people[order]])
        offset = int(runs[-1]) if len(runs) else offset
    nothing = np.zeros(0, np.int64)
    return CandidateLists(
        start=start,
        size=size,
        ends=np.concatenate([nothing, *ends]),
        first=np.concatenate([nothing, *first]),
    )


def match_labels(
    attributes: Sequence[AttributeLabels],
    levels: IntArray,
    numbers: IntArray,
    people: People,
    wanted: Callable[[IntArray], BoolArray],
) -> CandidateLists:
    """Return the people with the labels of each row, by level and number there, (n, a); a negative one is no label."""
    comparisons = (
        (rows, numbers[rows], labels_at(attributes, strategy, people.values))
        for strategy, rows in rows_by_levels(levels)
    )
    return match_by_values(comparisons, people, len(levels), wanted)


def match_rows(
    attributes: Sequence[AttributeLabels], levels: IntArray, numbers: IntArray, values: IntArray
) -> tuple[CandidateLists, IntArray]:
    """Return which released rows match the person of each row, and where the person's own row is among them.

    ``levels`` and ``numbers``, (n, a), are the level of each label of a row, and its number there; a negative number is
    no label. ``values``, (n, a), are those of the row's person. The rows are renumbered as candidates; the new number
    of each row, (n,), is negative if it matches no one.
    """
    own, taken, nothing = np.full(len(levels), -1, np.int64), 0, np.zeros(0, np.int64)
    targets, firsts, counts = [nothing], [nothing], [nothing]
    for strategy, rows in rows_by_levels(levels):
        row_values = labels_at(attributes, strategy, values)
        known = rows[(numbers[rows] >= 0).all(axis=1)]
        people = np.flatnonzero((row_values >= 0).all(axis=1))
        keys = row_keys(np.concatenate([numbers[known], row_values[people]]))
        order = np.argsort(keys[: len(known)], kind="stable")
        released, valid_rows = keys[: len(known)][order], keys[len(known) :]
        own[known[order]] = taken + np.arange(len(known))
        low, high = (np.searchsorted(released, valid_rows, side) for side in ("left", "right"))
        some = np.flatnonzero(high > low)
        targets.append(people[some])
        firsts.append(taken + low[some])
        counts.append((high - low)[some])
        taken += len(known)
    target = np.concatenate(targets)
    order = np.argsort(target, kind="stable")
    count = np.concatenate(counts)[order]
    size = np.zeros(len(levels), np.int64)
    np.add.at(size, target[order], count)
    found = CandidateLists(
        start=np.cumsum(size) - size, size=size, ends=np.cumsum(count), first=np.concatenate(firsts)[order]
    )
    return found, own


def find_rows(values: IntArray, people: People) -> IntArray:
    """Return which row of the people has these values, (n,); ``NO_PERSON`` if none has."""
    first, place = distinct_rows(np.concatenate([people.values, values]))
    found = first[place[len(people.values) :]]  # people come first, and each row is distinct
    return np.where(found < len(people.values), found, NO_PERSON)
