"""Worlds drawn at random: the person of each row, the person that each recipient names, and the successes."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.attacks.candidates import NO_PERSON, CandidateLists
from gamedeid.attacks.published import Published
from gamedeid.attacks.recipients import AttackingRecipient
from gamedeid.progress import Progress
from gamedeid.reprs import frozen
from gamedeid.risk.thresholds import small_groups
from gamedeid.verification.people import People


@frozen(eq=False)
class Worlds:
    """A release and its attackers, in a number of worlds.

    Parameters
    ----------
    one_attribute : the people who match each row in the one attribute in which the fewest do.
    group : (n,) group of records that each row belongs to.
    strategies : that of each group; None for the group of all small ones.
    recipients : name -> number of the recipient's random stream, and the recipient.
    repeats : how many worlds there are, at least 1.
    seed : of the random numbers, 0 or more.
    """

    published: Published
    one_attribute: CandidateLists
    group: IntArray
    strategies: Sequence[tuple[int, ...] | None]
    recipients: Mapping[str, tuple[int, AttackingRecipient]]
    repeats: int
    seed: int

    def play(self, workers: int, report_progress: Progress) -> dict[str, IntArray]:
        """Play all worlds and return their counts together: recipient -> (groups, 4) numbers.

        The numbers are attacks, successes, and successes of guesses among all people and among those who match in one
        attribute. Each world has separate random numbers, so that neither workers nor the order changes any number.

        Parameters
        ----------
        workers : threads that share the work, at least 1.
        report_progress : called with (worlds done, all).
        """
        played: list[Mapping[str, IntArray]] = []
        with ThreadPoolExecutor(min(workers, self.repeats)) as pool:
            try:
                for one in pool.map(self._play_one, range(self.repeats)):
                    played.append(one)
                    report_progress(len(played), self.repeats)
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
        return {name: np.sum([one[name] for one in played], axis=0) for name in self.recipients}

    def _play_one(self, world: int) -> dict[str, IntArray]:
        published, persons = self.published, self.published.person
        if persons is None:
            persons = draw_persons(published.cell, published.people, self._random(world, 0))
        return {
            name: self._judge(recipient, persons, self._random(world, place))
            for name, (place, recipient) in self.recipients.items()
        }

    def _random(self, world: int, stream: int) -> np.random.Generator:
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(world, stream)))

    def _judge(self, recipient: AttackingRecipient, persons: IntArray, random: np.random.Generator) -> IntArray:
        """Return the counts, (groups, 4), of one recipient in one world."""
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
        return np.stack([np.bincount(group[hit], minlength=len(self.strategies)) for hit in hits], axis=1)


def draw_persons(cell: IntArray, people: People, random: np.random.Generator) -> IntArray:
    """Return the number of the person behind each row, (n,), drawn among those of its cell, no person twice.

    Where more rows than people have the same values, some people are behind several rows. Rows whose cell, (n,), is
    ``NO_PERSON`` get negative numbers.
    """
    rows = np.flatnonzero(cell != NO_PERSON)
    own = cell[rows]
    rows_of_cell = np.bincount(own, minlength=len(people.counts))
    is_crowded = 2 * rows_of_cell > people.counts
    place = np.zeros(len(rows), np.int64)
    few = np.flatnonzero(~is_crowded[own])
    place[few] = _distinct_places(own[few], people.counts, random)
    many = np.flatnonzero(is_crowded[own])
    place[many] = _shuffled_places(own[many], people.counts, random)
    found = np.full(len(cell), -1, np.int64)
    found[rows] = people.first[own] + place
    return found


def _distinct_places(cell: IntArray, counts: IntArray, random: np.random.Generator) -> IntArray:
    """Draw distinct places, (m,), in each cell, by drawing repeated ones again: cells have more than enough places."""
    place = random.integers(0, counts[cell]) if len(cell) else np.zeros(0, np.int64)
    while True:
        order = np.lexsort((np.arange(len(cell)), place, cell))
        again = np.zeros(len(cell), np.bool_)
        again[order[1:]] = (cell[order[1:]] == cell[order[:-1]]) & (place[order[1:]] == place[order[:-1]])
        if not again.any():
            return place
        place[again] = random.integers(0, counts[cell[again]])


def _shuffled_places(cell: IntArray, counts: IntArray, random: np.random.Generator) -> IntArray:
    """Draw places, (m,), by shuffling all of each cell; they are used in turn if there are more rows than places."""
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


def group_rows(levels: IntArray) -> tuple[IntArray, Sequence[tuple[int, ...] | None]]:
    """Return the group of each row, (n,), by its levels, (n, a), and each group's strategy: None for all small ones."""
    kinds, place, counts = np.unique(levels, axis=0, return_inverse=True, return_counts=True)
    small = small_groups(counts)
    kept = [kind for kind in np.argsort(-counts, kind="stable").tolist() if not small[kind]]
    number = np.full(len(kinds), len(kept), np.int64)
    number[kept] = np.arange(len(kept))
    names: list[tuple[int, ...] | None] = [tuple(kinds[kind].tolist()) for kind in kept]
    return number[place.reshape(-1)], [*names, None] if small.any() else names
