"""What the program does with everybody: the strategy of each person of the population, found by trying all of them."""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.attacks.candidates import Cells
from gamedeid.attacks.labels import Labels
from gamedeid.progress import Progress
from gamedeid.reprs import frozen
from gamedeid.scenario.sections import Stakes
from gamedeid.verification.attributes import NO_LABEL
from gamedeid.verification.recipients import attacks

TIE = 1e-9
"""Payoffs that differ by less than this share of the benefit are equal; the first strategy in walk order is taken."""

MOST_TRIED = 2_000_000_000
"""Strategies times distinct people that are tried; more takes more than about a minute."""

_DENSE = 2**24
"""Keys below this are counted in a table instead of being sorted."""

_LARGEST = 2**62


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
    tolerance = TIE * stakes.benefit
    most = sum(one.attribute.weight * float(np.log(one.attribute.missing)) for one in labels)
    steps = [_steps(one, cells.values[:, place], least[:, place]) for place, one in enumerate(labels)]
    walk = list(_walk([one.attribute.top for one in labels]))
    for done, strategy in enumerate(walk, 1):
        chosen = [one[level] for one, level in zip(steps, strategy, strict=True)]
        lost = np.sum([one.lost for one in chosen], axis=0)
        worth: FloatArray = stakes.benefit * (1 - lost / most)  # -inf where it is not permitted
        hopeful = np.flatnonzero(worth > best + tolerance)
        report_progress(done, len(walk))
        if not len(hopeful):
            continue
        people = _alike([one.numbers for one in chosen], [one.groups for one in chosen], cells.counts, hopeful)
        worth, attacked = worth[hopeful], attacks(people, stakes)
        pays = np.where(attacked, -np.inf if forbids_attack else worth - stakes.loss / people, worth)
        better = pays > best[hopeful] + tolerance
        best[hopeful[better]], levels[hopeful[better]] = pays[better], strategy
    return Mechanism(levels=levels, withheld=best <= -tolerance)


@frozen(eq=False)
class _Step:
    """One attribute of everybody at one level.

    Parameters
    ----------
    numbers : (k,) number of everybody's label; ``groups`` for one who has none.
    groups : how many labels there are.
    lost : (k,) w ln(size) of the label; infinite for whom the game does not permit the level.
    """

    numbers: IntArray
    groups: int
    lost: FloatArray


def _steps(labels: Labels, values: IntArray, least: IntArray) -> list[_Step]:
    """Return one attribute of everybody, with values and least levels (k,) each, at all its levels."""
    attribute, found = labels.attribute, []
    for level, sizes in enumerate(attribute.sizes):
        numbers = attribute.label_numbers[level][values]
        missing = numbers == NO_LABEL
        lost = np.append(attribute.weight * np.log(sizes), np.inf)[numbers]
        lost[missing | (least > level)] = np.inf
        found.append(_Step(numbers=np.where(missing, len(sizes), numbers), groups=len(sizes), lost=lost))
    return found


def _walk(tops: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield all strategies by the sum of their levels, and then by the levels."""
    return iter(sorted(product(*(range(top + 1) for top in tops)), key=lambda levels: (sum(levels), levels)))


def _alike(numbers: Sequence[IntArray], groups: Sequence[int], counts: IntArray, sought: IntArray) -> IntArray:
    """Return how many people have all labels of some cells, (m,): those who lack a label are like nobody with one.

    Parameters
    ----------
    numbers, groups : of each attribute, as :class:`_Step` has them.
    counts : (k,) people of each cell.
    sought : (m,) which cells are asked for, all of them with labels.
    """
    keys, size = np.zeros(len(counts), np.int64), 1
    for column, labels in zip(numbers, groups, strict=True):
        if size > _LARGEST // (labels + 1):
            distinct, keys = np.unique(keys, return_inverse=True)
            size = len(distinct)
        keys = keys * (labels + 1) + column
        size *= labels + 1
    if size > _DENSE:
        keys = np.unique(keys, return_inverse=True)[1]
    totals = np.bincount(keys, weights=counts)  # whole numbers below 2**53: the sums are exact
    found: IntArray = totals[keys[sought]].astype(np.int64)
    return found
