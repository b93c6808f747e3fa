"""Worlds drawn at random: the person of each row, the person that each recipient names, and the successes."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.attacks.candidates import NO_PERSON, CandidateLists
from gamedeid.attacks.recipients import AttackingRecipient
from gamedeid.progress import Progress
from gamedeid.reprs import frozen
from gamedeid.verification.people import People

COUNT_NAMES = ("attacks", "successes", "by_chance", "by_one_attribute")
"""The counts of each world, and of each group of records."""


@frozen(eq=False)
class Worlds:
    """The data that all worlds share.

    Parameters
    ----------
    cell : (n,) cell of the person behind each row; ``NO_PERSON`` where the row is not judged.
    person : (n,) number of that person where a register names them, negative where the row is not judged; None where
        they are drawn in each world.
    one_attribute : of each row, those who match it in the one attribute in which the fewest do.
    group : (n,) group of records that each row belongs to.
    recipients : name -> number of the recipient's random stream, and the recipient.
    """

    people: People
    cell: IntArray
    person: IntArray | None
    one_attribute: CandidateLists
    group: IntArray
    groups: int
    recipients: Mapping[str, tuple[int, AttackingRecipient]]
    seed: int

    def play(self, repeats: int, workers: int, report_progress: Progress) -> dict[str, IntArray]:
        """Play worlds and return their counts: recipient -> (repeats, groups, 4) numbers, see ``COUNT_NAMES``.

        Each world has separate random numbers, so that neither workers nor the order changes any number.

        Parameters
        ----------
        repeats : worlds, at least 1.
        workers : threads that share the work, at least 1.
        report_progress : called with (worlds done, all).
        """
        played: list[Mapping[str, IntArray]] = []
        with ThreadPoolExecutor(min(workers, repeats)) as pool:
            try:
                for one in pool.map(self._play_one, range(repeats)):
                    played.append(one)
                    report_progress(len(played), repeats)
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
        return {name: np.stack([one[name] for one in played]) for name in self.recipients}

    def _play_one(self, world: int) -> dict[str, IntArray]:
        persons = self.person
        if persons is None:
            persons = draw_persons(self.cell, self.people, self._random(world, 0))
        return {
            name: self._judge(recipient, persons, self._random(world, place))
            for name, (place, recipient) in self.recipients.items()
        }

    def _random(self, world: int, stream: int) -> np.random.Generator:
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(world, stream)))

    def _judge(self, recipient: AttackingRecipient, persons: IntArray, random: np.random.Generator) -> IntArray:
        """Return how much of ``COUNT_NAMES``, (groups, 4), comes of one recipient in one world."""
        made = recipient.attack(persons, random)
        hits = [
            np.ones(len(made.rows), np.bool_),
            made.guessed == made.truth,
            random.integers(0, recipient.pool, len(made.rows)) == made.truth % recipient.pool,
            np.zeros(len(made.rows), np.bool_),
        ]
        if recipient.seeks_people:
            hits[-1] = self.one_attribute.guess(made.rows, random) == made.truth
        group = self.group[made.rows]
        return np.stack([np.bincount(group[hit], minlength=self.groups) for hit in hits], axis=1)


def draw_persons(cell: IntArray, people: People, random: np.random.Generator) -> IntArray:
    """Return the number of the person behind each row, (n,): drawn among those of its cell, none of them twice.

    Where more rows than people have the same values, some people are behind several rows. Rows whose cell, (n,), is
    ``NO_PERSON`` get negative numbers.
    """
    rows = np.flatnonzero(cell != NO_PERSON)
    own = cell[rows]
    rows_of_cell = np.bincount(own, minlength=len(people.counts))
    crowded = 2 * rows_of_cell > people.counts
    place = np.zeros(len(rows), np.int64)
    few = np.flatnonzero(~crowded[own])
    place[few] = _distinct_places(own[few], people.counts, random)
    many = np.flatnonzero(crowded[own])
    place[many] = _shuffled_places(own[many], people.counts, random)
    found = np.full(len(cell), -1, np.int64)
    found[rows] = people.first[own] + place
    return found


def _distinct_places(cell: IntArray, counts: IntArray, random: np.random.Generator) -> IntArray:
    """Draw a place, (m,), in each cell, again where it was drawn before: cells have more than enough of them."""
    place = random.integers(0, counts[cell]) if len(cell) else np.zeros(0, np.int64)
    while True:
        order = np.lexsort((np.arange(len(cell)), place, cell))
        again = np.zeros(len(cell), np.bool_)
        again[order[1:]] = (cell[order[1:]] == cell[order[:-1]]) & (place[order[1:]] == place[order[:-1]])
        if not again.any():
            return place
        place[again] = random.integers(0, counts[cell[again]])


def _shuffled_places(cell: IntArray, counts: IntArray, random: np.random.Generator) -> IntArray:
    """Draw places, (m,), by shuffling all of each cell; round and round where there are more rows than places."""
    kinds, of_row, rows = np.unique(cell, return_inverse=True, return_counts=True)
    size = counts[kinds]
    begins = np.cumsum(size) - size
    all_cells = np.repeat(np.arange(len(kinds)), size)
    order = np.lexsort((random.random(len(all_cells)), all_cells))
    by_cell = np.argsort(of_row, kind="stable")
    rank = np.zeros(len(cell), np.int64)
    rank[by_cell] = np.arange(len(cell)) - np.repeat(np.cumsum(rows) - rows, rows)
    found: IntArray = order[begins[of_row] + rank % size[of_row]] - begins[of_row]
    return found


def group_rows(levels: IntArray, least: int) -> tuple[IntArray, Sequence[tuple[int, ...] | None]]:
    """Return the group of each row, (n,), by its levels, (n, a), and each group's strategy: None of all small ones."""
    kinds, place, counts = np.unique(levels, axis=0, return_inverse=True, return_counts=True)
    order = np.argsort(counts, kind="stable")
    before = np.cumsum(counts[order]) - counts[order]
    few = counts[order] < least
    merged = order[few | ((before < least) & few.any())]
    kept = [kind for kind in np.argsort(-counts, kind="stable").tolist() if kind not in set(merged.tolist())]
    number = np.full(len(kinds), len(kept), np.int64)
    number[kept] = np.arange(len(kept))
    names: list[tuple[int, ...] | None] = [tuple(kinds[kind].tolist()) for kind in kept]
    return number[place.reshape(-1)], [*names, None] if len(merged) else names
