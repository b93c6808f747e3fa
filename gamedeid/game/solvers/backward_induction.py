"""Algorithm 1: evaluate every strategy of every profile, then choose."""

import numpy as np

from gamedeid.arrays import ARRAY_ROWS
from gamedeid.capabilities import Operation, check
from gamedeid.game.instance import Instance
from gamedeid.game.rules import Game
from gamedeid.game.solvers.contract import Choice, withhold_losses
from gamedeid.grouping import distinct_rows
from gamedeid.progress import Progress


def backward_induction(instance: Instance, game: Game, *, progress: Progress | None = None) -> Choice:
    """Solve a game by exhaustive search.

    See :class:`gamedeid.game.solvers.contract.Solver` for the rules that all solvers share.

    References
    ----------
    wan2015, Algorithm 1 (Table 4). Time O(q r), memory bounded by blocks.
    """
    lattice, payoffs = instance.lattice, instance.payoffs
    check(Operation.INDUCTION, lattice.features)
    walk = lattice.walk_order()
    first_floor, floor_of, _ = distinct_rows(lattice.nodes(game.floors)[:, None], [lattice.size])
    above_floor = np.all(instance.hierarchy_tables.levels[walk] >= game.floors[first_floor][:, None], axis=2)
    block = max(1, ARRAY_ROWS // lattice.size)  # a row is a pair of profile and strategy
    nodes = np.empty(instance.profiles.count, np.int64)
    best = np.empty(instance.profiles.count)
    for start in range(0, instance.profiles.count, block):
        rows = instance.everyone[start : start + block]
        above = above_floor[floor_of[rows]]
        which, place = np.nonzero(above)
        profiles, strategies = rows[which], walk[place]
        replies = instance.replies(profiles, strategies)
        worth = instance.publisher_payoffs(profiles, strategies, replies)
        payoff = np.full(above.shape, -np.inf)
        payoff[above] = np.where(replies.deterrable, -np.inf, worth) if game.forbids_attack else worth
        best[rows] = payoff.max(axis=1)
        nodes[rows] = walk[np.argmax(payoffs.as_good(payoff, best[rows, None]), axis=1)]
        if progress is not None:
            progress(int(rows[-1]) + 1, instance.profiles.count)
    searched = above_floor.sum(axis=1)[floor_of]
    return Choice(nodes=withhold_losses(instance, nodes, best), searched=searched, proved=True)
