"""A choice within limits by changing one item after another, those first that are worth the most at the prices."""

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.game.limits.problem import Problem

_TRIED = 5_000
"""Items that are tried at most, those of the least regret."""


def one_by_one(problem: Problem, regret: FloatArray, items: IntArray) -> IntArray | None:
    """Return a choice, (q,), within the limits that is near to another; None where this finds none.

    As long as a limit is exceeded, an item is taken that lessens what is exceeded; then every item that fits and is
    worth more than the one that its group has.

    Parameters
    ----------
    problem : the choices and the limits.
    regret : (e,) by how much each item is worth less than the best of its group at the prices.
    items : (q,) the items to begin with.
    """
    chosen = items.copy()
    scale = 1.0 / np.maximum(np.abs(problem.uses).max(axis=1, initial=0.0), 1e-300)
    uses, most = problem.uses * scale[:, None], (problem.allowed + problem.tolerance / 2) * scale
    others = regret.copy()
    others[items] = np.inf
    order = np.argsort(others, kind="stable")[: min(_TRIED, len(others) - len(items))]
    used = uses[:, chosen].sum(axis=1)
    for repairs in (True, False):
        for item in order.tolist():
            over = np.maximum(used - most, 0.0).sum()
            if repairs and over == 0:
                break
            group = problem.group_of[item]
            after = used + uses[:, item] - uses[:, chosen[group]]
            still = np.maximum(after - most, 0.0).sum()
            if still < over if repairs else still == 0 and problem.worth[item] > problem.worth[chosen[group]]:
                chosen[group], used = item, after
        if np.maximum(used - most, 0.0).any():
            return None
    return chosen if problem.keeps(chosen) else None
