"""Candidates for each row: lists of people, one list for all rows that look alike."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from gamedeid.arrays import BoolArray, IntArray
from gamedeid.reprs import frozen
from gamedeid.verification.attributes import AttributeLabels, labels_at
from gamedeid.verification.people import People, rows_by_levels
from gamedeid.verification.tables import distinct_rows, row_keys

NO_PERSON = -1
"""Stands for a record that no one in the population is."""


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


def match_lookalikes(
    looks: Iterable[tuple[IntArray, IntArray, IntArray]],
    people: People,
    rows: int,
    wanted: Callable[[IntArray], BoolArray],
) -> CandidateLists:
    """Return who matches each row.

    Parameters
    ----------
    looks : for each way in which rows are compared with people: numbers of the rows, (m,); how they look, (m, b)
        numbers that are negative where no one can look so; and how people look, (k, b).
    wanted : sizes (m,) -> which of these rows, (m,), need a list; others have a size only.
    """
    start, size = np.zeros(rows, np.int64), np.zeros(rows, np.int64)
    ends, first, offset, firsts_of_people = [], [], 0, people.first
    for numbers, theirs, others in looks:
        sought, seen = np.flatnonzero((theirs >= 0).all(axis=1)), np.flatnonzero((others >= 0).all(axis=1))
        if not len(sought) or not len(seen):
            continue
        keys = row_keys(np.concatenate([theirs[sought], others[seen]]))
        kinds, of_row = np.unique(keys[: len(sought)], return_inverse=True)
        those = keys[len(sought) :]
        at = np.minimum(np.searchsorted(kinds, those), len(kinds) - 1)
        same = kinds[at] == those
        seen, at = seen[same], at[same]
        sizes = np.zeros(len(kinds), np.int64)
        np.add.at(sizes, at, people.counts[seen])
        size[numbers[sought]] = sizes[of_row]
        kept = np.zeros(len(kinds), np.bool_)
        kept[of_row[wanted(sizes[of_row])]] = True
        listed = kept[at]
        seen, at = seen[listed], at[listed]
        order = np.argsort(at, kind="stable")
        runs = np.cumsum(people.counts[seen[order]]) + offset
        begins = np.cumsum(np.where(kept, sizes, 0)) - np.where(kept, sizes, 0) + offset
        start[numbers[sought]] = begins[of_row]
        ends.append(runs)
        first.append(firsts_of_people[seen[order]])
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
    """Return who has the labels of each row, by their levels and numbers there, (n, a); negative where it is none."""
    looks = (
        (rows, numbers[rows], labels_at(attributes, strategy, people.values))
        for strategy, rows in rows_by_levels(levels)
    )
    return match_lookalikes(looks, people, len(levels), wanted)


def match_rows(
    attributes: Sequence[AttributeLabels], levels: IntArray, numbers: IntArray, values: IntArray
) -> tuple[CandidateLists, IntArray]:
    """Return which released rows match the person of each row, and where the person's own row is among them.

    Parameters
    ----------
    levels, numbers : (n, a) level of each label of a row, and its number there; negative where it is none.
    values : (n, a) the values of the row's person.

    Returns
    -------
    rows as candidates, numbered anew; and the number of each row, (n,), negative where it matches no one.
    """
    own, taken, nothing = np.full(len(levels), -1, np.int64), 0, np.zeros(0, np.int64)
    targets, firsts, counts = [nothing], [nothing], [nothing]
    for strategy, rows in rows_by_levels(levels):
        theirs = labels_at(attributes, strategy, values)
        known = rows[(numbers[rows] >= 0).all(axis=1)]
        people = np.flatnonzero((theirs >= 0).all(axis=1))
        keys = row_keys(np.concatenate([numbers[known], theirs[people]]))
        order = np.argsort(keys[: len(known)], kind="stable")
        released, sought = keys[: len(known)][order], keys[len(known) :]
        own[known[order]] = taken + np.arange(len(known))
        low, high = (np.searchsorted(released, sought, side) for side in ("left", "right"))
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
    """Return which row of the people has these values, (n,); ``NO_PERSON`` where there is none."""
    first, place = distinct_rows(np.concatenate([people.values, values]))
    found = first[place[len(people.values) :]]  # people come first, and each row is distinct
    return np.where(found < len(people.values), found, NO_PERSON)
