"""A recipient whose list of people is not right: it lacks some of them, and has wrong values of others."""

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.attacks.candidates import Cells, match_labels
from gamedeid.attacks.expected import chances_on_list, matching
from gamedeid.attacks.published import Published
from gamedeid.attacks.recipients import Guesses
from gamedeid.reprs import frozen
from gamedeid.scenario.sections import Stakes
from gamedeid.verification.outcomes import attacks
from gamedeid.verification.row_keys import row_keys


@frozen(eq=False)
class Noisy:
    """A recipient whose list lacks people, and has wrong values of others.

    Parameters
    ----------
    published : the release.
    covers : chance that a person is on the list.
    wrong : chance that a value of somebody is that of another person, drawn at random.
    expected, believed, pool, stakes, seeks_people : as :class:`Recipient` has them.
    """

    published: Published
    covers: float
    wrong: float
    expected: FloatArray | None
    believed: FloatArray | None
    pool: int
    stakes: Stakes
    seeks_people: bool = True

    def attack(self, persons: IntArray, random: np.random.Generator) -> Guesses:
        """Draw a list, then do with it what the naive recipient does with the right one."""
        published, cells = self.published, self.published.cells
        listed = np.flatnonzero(random.random(cells.people) < self.covers)
        cell = np.repeat(np.arange(len(cells.counts), dtype=np.int32), cells.counts)
        values = np.zeros((len(listed), cells.values.shape[1]), np.int32)
        for place in range(values.shape[1]):
            own = cell[listed]
            altered = np.flatnonzero(random.random(len(listed)) < self.wrong)
            own[altered] = cell[random.integers(0, cells.people, len(altered))]
            values[:, place] = cells.values[own, place]
        kinds, first, counts, order = _sorted_list(values)
        on_list = Cells(values=kinds, counts=counts, first=first)
        stakes, judged = published.scenario.payoffs, published.judged
        candidates = match_labels(
            published.labels, published.row_levels, published.row_labels, on_list, lambda size: attacks(size, stakes)
        )
        rows = np.flatnonzero(judged & attacks(candidates.size, stakes))
        named = listed[order][candidates.guess(rows, random)]
        return Guesses(rows=rows, guessed=named, truth=persons[rows])


def noisy(published: Published, *, covers: float, wrong: float) -> Noisy:
    """Return who has a list with errors; the arguments are those of :class:`Noisy`."""
    expected = None
    if not wrong:
        expected = chances_on_list(matching(published), covers, published.scenario.payoffs)
    return Noisy(
        published=published,
        covers=covers,
        wrong=wrong,
        expected=expected,
        believed=None,
        pool=published.cells.people,
        stakes=published.scenario.payoffs,
    )


def _sorted_list(values: IntArray) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return the distinct rows of a list, the place of the first of each, how many there are, and the order of all."""
    keys = row_keys(values.astype(np.int64))
    order = np.argsort(keys, kind="stable")
    _, first, counts = np.unique(keys[order], return_index=True, return_counts=True)
    return values[order[first]].astype(np.int64), first, counts, order
