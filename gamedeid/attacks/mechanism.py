"""What the program does with everybody: the strategy of each person of the population, found by trying all of them."""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.attacks.candidates import Cells
from gamedeid.attacks.labels import Labels, labels_at
from gamedeid.progress import Progress
from gamedeid.reprs import frozen
from gamedeid.scenario.sections import Stakes
from gamedeid.verification.meanings import NO_LABEL
from gamedeid.verification.outcomes import attacks
from gamedeid.verification.row_keys import row_keys

TIE = 1e-9
"""Payoffs that differ by less than this share of the benefit are equal; the first strategy in walk order is taken."""

MOST_TRIED = 2_000_000_000
"""Strategies times distinct people that are tried; more takes more than about a minute."""

_DENSE = 2**24
"""Keys below this are counted in a table instead of being sorted."""


@frozen(eq=False)
class Mechanism:
    """What becomes of everybody, were they a record.

    Parameters
    ----------
    levels : (k, a) of the people of each cell.
    withheld : (k,) whether they would not be released.
    """

    levels: IntArray
    withheld: BoolArray


def play_everybody(
    labels: Sequence[Labels],
    cells: Cells,
    stakes: Stakes,
    *,
    least: IntArray,
    forbids_attack: bool,
    report_progress: Progress,
) -> Mechanism:
    """Return the best strategy of everybody, as the rules of a game per profile have it.

    Parameters
    ----------
    labels : of the attributes.
    cells : everybody.
    stakes : what both players win and lose.
    least : (k, a) least levels that the game permits.
    forbids_attack : whether strategies that are attacked are not permitted.
    report_progress : called with (strategies tried, all).
    """
    best, levels = np.full(len(cells.counts), -np.inf), np.zeros(cells.values.shape, np.int64)
    tops, tolerance = [one.meaning.top for one in labels], TIE * stakes.benefit
    most = sum(one.meaning.weight * float(np.log(one.meaning.missing)) for one in labels)
    lost = [_lost_at_levels(one) for one in labels]
    walk = list(_walk(tops))
    for done, strategy in enumerate(walk, 1):
        theirs = labels_at(labels, strategy, cells.values)
        permitted = (least <= strategy).all(axis=1) & (theirs != NO_LABEL).all(axis=1)
        losses = sum(lost[place][level][cells.values[:, place]] for place, level in enumerate(strategy))
        worth = stakes.benefit * (1 - losses / most)
        if not (permitted & (worth > best + tolerance)).any():
            continue
        people = _alike(theirs, cells.counts)
        attacked = attacks(people, stakes)
        pays = np.where(attacked, worth - stakes.loss / np.maximum(people, 1), worth)
        permitted &= ~attacked if forbids_attack else True
        better = permitted & (pays > best + tolerance)
        best[better], levels[better] = pays[better], strategy
        report_progress(done, len(walk))
    return Mechanism(levels=levels, withheld=best <= -tolerance)


def _walk(tops: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield all strategies by the sum of their levels, and then by the levels."""
    return iter(sorted(product(*(range(top + 1) for top in tops)), key=lambda levels: (sum(levels), levels)))


def _lost_at_levels(labels: Labels) -> list[FloatArray]:
    """Return w ln(size) of each value at each level; the last is of a missing value, and counts at the top only."""
    meaning = labels.meaning
    found = []
    for level, sizes in enumerate(meaning.sizes):
        of_label = meaning.weight * np.log(sizes)
        found.append(np.append(of_label[meaning.label_numbers[level][:-1]], of_label[-1]))
    return found


def _alike(theirs: IntArray, counts: IntArray) -> IntArray:
    """Return for each cell how many people have its labels, (k,); 0 where one of them is none."""
    found = np.zeros(len(counts), np.int64)
    known = (theirs != NO_LABEL).all(axis=1)
    keys = row_keys(theirs[known])
    if keys.max(initial=0) >= _DENSE:
        keys = np.unique(keys, return_inverse=True)[1]
    totals = np.bincount(keys, weights=counts[known])  # whole numbers below 2**53: the sums are exact
    found[known] = totals[keys].astype(np.int64)
    return found
