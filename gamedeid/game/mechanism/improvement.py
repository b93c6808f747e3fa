"""Improve a mechanism by local search: open a group by force, mend what that breaks, keep what is better."""

from itertools import pairwise

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.game.mechanism.candidates import Candidates
from gamedeid.kernels.regrouping import Grouping, Moves, regroup
from gamedeid.progress import Progress

SEED = 20150325
"""Of the draws of the search."""

_ROUNDS = 100  # between two of them progress is told
_ROOM = 1000  # moves of one step, beside those of every profile a few times; a step that takes more is not taken
_FIRST_TEMPERATURE = 1 / 12  # of the benefit of one record


def improve(
    candidates: Candidates,
    group: IntArray,
    sizes: IntArray,
    weights: FloatArray,
    *,
    least: int,
    benefit: float,
    steps: int,
    progress: Progress | None = None,
) -> IntArray:
    """Return better groups of all profiles, (p,), by simulated annealing.

    Same arguments, same result. What is returned is the grouping after the last step.

    Parameters
    ----------
    candidates : the groups that there may be, those of ``group`` among them.
    group : (p,) number of the group of each profile; -1 where it is in none.
    sizes : (p,) people of each.
    weights : (p,) what each counts.
    least : people that a group must hold.
    benefit : V, dollars.
    steps : how many steps are tried.
    progress : called with (steps done, steps in all).
    """
    tables = candidates.groups
    drawn = np.flatnonzero(np.diff(tables.cell_starts) > 1)
    if not len(drawn) or not steps:
        return group
    grouping = _grouping(candidates, group, sizes, len(weights))
    most = 4 * len(weights) + int(np.diff(tables.starts).max()) + _ROOM
    moves = Moves(
        cells=np.empty(most, np.int64),
        groups=np.empty(most, np.int64),
        worths=np.empty(most),
        ejected=np.empty(most, np.int64),
        tried=np.full(len(candidates.nodes), -1, np.int64),
    )
    generator = np.random.default_rng(SEED)
    scale = _FIRST_TEMPERATURE * benefit * float(np.mean(weights[drawn]))
    ends = np.linspace(0, steps, _ROUNDS + 1).astype(np.int64)
    for start, stop in pairwise(ends.tolist()):
        temperatures = scale * (1 - np.arange(start, stop) / steps)
        draws = generator.random((stop - start, 3))
        regroup(start, draws, temperatures, drawn, least, sizes, tables, grouping, moves)
        if progress is not None:
            progress(int(stop), steps)
    return grouping.group


def _grouping(candidates: Candidates, group: IntArray, sizes: IntArray, count: int) -> Grouping:
    tables = candidates.groups
    inside = group >= 0
    people = np.zeros(len(candidates.nodes), np.int64)
    np.add.at(people, group[inside], sizes[inside])
    owner = np.repeat(np.arange(len(candidates.nodes)), np.diff(tables.starts))
    here = np.flatnonzero(group[tables.members] == owner)
    worth = np.zeros(count)
    worth[tables.members[here]] = tables.worths[here]
    return Grouping(group=group.astype(np.int64), people=people, worth=worth, total=np.array([worth.sum()]))
