"""Groups of enough people, strategy by strategy: the simplest mechanism that a knowing adversary leaves alone."""

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.game.mechanism.aware_people import released_groups
from gamedeid.game.mechanism.everybody import Everybody
from gamedeid.kernels.tables import WITHHELD
from gamedeid.progress import Progress


def by_mean_value(everybody: Everybody, weights: FloatArray) -> IntArray:
    """Return all strategies, (n,), from the greatest mean value down, in walk order among equals.

    Parameters
    ----------
    everybody : who is released.
    weights : (p,) what each profile counts.
    """
    lattice, payoffs = everybody.instance.lattice, everybody.instance.payoffs
    walk = lattice.walk_order()
    counting = np.flatnonzero(weights)
    means = np.array([weights[counting] @ everybody.values_at(node, counting) for node in walk.tolist()])
    means /= max(weights.sum(), 1)
    ties = np.round(means / payoffs.tolerance)  # sums that differ by rounding are equal
    return walk[np.argsort(-ties, kind="stable")]


def group_greedily(
    everybody: Everybody, nodes: IntArray, order: IntArray, least: int, progress: Progress | None = None
) -> IntArray:
    """Return a strategy for those who have none yet, (p,): the first whose group of such people is large enough.

    At each strategy in turn, who has none and shares the released values joins the people who have that strategy and
    these values already; they all keep it if they are at least ``least``.

    Parameters
    ----------
    everybody : who is released.
    nodes : (p,) strategies so far; ``WITHHELD`` for those who have none. Their groups hold at least ``least`` people.
    order : (n,) the strategies, in the order in which they are tried.
    least : people that a group must hold, at least 1.
    progress : called with (strategies done, strategies in all).

    Returns
    -------
    (p,) strategies; ``WITHHELD`` for those whose group is too small even at the last strategy.
    """
    nodes = nodes.copy()
    for done, node in enumerate(order.tolist()):
        free = everybody.may_be_released(node)
        free = free[nodes[free] == WITHHELD]
        if len(free):
            tried = np.where(nodes == node, node, WITHHELD)
            tried[free] = node
            people = released_groups(everybody.instance, tried).people_of_profile
            nodes[free[people[free] >= least]] = node
        if progress is not None:
            progress(done + 1, len(order))
    return nodes
