"""The two algorithms of wan2015: every strategy evaluated, and a greedy descent, quick but not always best."""

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from gamedeid.arrays import ARRAY_ROWS, IntArray
from gamedeid.capabilities import Operation, refuse_unsupported
from gamedeid.game.instance import Instance
from gamedeid.game.rules import Game
from gamedeid.game.solvers.contract import WORTH_A_THREAD, Choice, compiled_game, withhold_losses
from gamedeid.grouping import distinct_rows
from gamedeid.kernels.descent import Descent, descend
from gamedeid.kernels.tables import WITHHELD
from gamedeid.lazy_imports import LazyModule
from gamedeid.parallel import run_in_slices
from gamedeid.progress import Progress, unreported

if TYPE_CHECKING:
    from gamedeid.game.solvers import large_lattices
else:  # few lattices are large
    large_lattices = LazyModule("gamedeid.game.solvers.large_lattices")


def backward_induction(instance: Instance, game: Game, *, progress: Progress = unreported) -> Choice:
    """Solve a game by exhaustive search.

    See :class:`gamedeid.game.solvers.contract.Solver` for the rules that all solvers share.

    References
    ----------
    wan2015, Algorithm 1 (Table 4). Time O(q r), memory bounded by blocks.
    """
    lattice, payoffs = instance.lattice, instance.payoffs
    refuse_unsupported(Operation.INDUCTION, lattice.features)
    walk = lattice.walk_order()
    first_floor, floor_of, _ = distinct_rows(lattice.nodes(game.floors)[:, None])
    above_floor = np.all(instance.hierarchy_tables.levels[walk] >= game.floors[first_floor][:, None], axis=2)
    block = max(1, ARRAY_ROWS // lattice.size)  # a row is a pair of profile and strategy
    nodes = np.empty(instance.profiles.count, np.int64)
    best = np.empty(instance.profiles.count)
    for start in range(0, instance.profiles.count, block):
        rows = instance.all_profiles[start : start + block]
        above = above_floor[floor_of[rows]]
        which, place = np.nonzero(above)
        profiles, strategies = rows[which], walk[place]
        replies = instance.replies(profiles, strategies)
        worth = instance.publisher_payoffs(profiles, strategies, replies)
        payoff = np.full(above.shape, -np.inf)
        payoff[above] = np.where(replies.deterrable, -np.inf, worth) if game.forbids_attack else worth
        best[rows] = payoff.max(axis=1)
        nodes[rows] = walk[np.argmax(payoffs.as_good(payoff, best[rows, None]), axis=1)]
        progress(int(rows[-1]) + 1, instance.profiles.count)
    searched = above_floor.sum(axis=1)[floor_of]
    return Choice(nodes=withhold_losses(instance, nodes, best), searched=searched, proved=True)


def lattice_search(instance: Instance, game: Game, *, progress: Progress = unreported) -> Choice:
    """Solve a game by descending to the best child while one is at least as good as its parent.

    Every strategy counts with its payoff *if attacked*, as the algorithm is printed; the last of equally good children
    is taken. The descent ends at a strategy that is not attacked, that has no children, or (where an attack may be
    risked) whose children are all worse. A game with a floor starts there.

    References
    ----------
    wan2015, Algorithm 2 (Table 5); it evaluates at most 1 + m sum_f (h_f - 1) strategies of a profile.
    """
    counts = instance.counts
    if counts.scanned is not None:
        return large_lattices.descend_by_scan(instance, counts.scanned, game, progress=progress)
    count = instance.profiles.count
    floor_nodes = instance.lattice.nodes(game.floors)
    at = Descent(
        nodes=floor_nodes.copy(),
        searched=np.ones(count, np.int64),
        done=np.zeros(count, np.bool_),
        bounds=np.full(count, -np.inf),
        beyond=np.empty(count),
    )
    nodes = np.empty(count, np.int64)
    tables = compiled_game(instance, game, counts.tables)

    def descend_slice(active: IntArray, wanted: IntArray, start: int, stop: int) -> None:
        descend(active[start:stop], tables, at, wanted[start:stop])

    for start, stop, profiles in instance.blocks():
        active, block = profiles, slice(start, stop)
        most = instance.values(profiles, floor_nodes[block])
        at.beyond[block] = most
        while len(active):
            wanted = np.empty((len(active), instance.lattice.attributes + 1), np.int64)
            run_in_slices(partial(descend_slice, active, wanted), len(active), least=WORTH_A_THREAD)
            counts.count(np.unique(instance.recipients.lookup_nodes(wanted[wanted >= 0])))
            tables = tables._replace(counts=counts.tables)
            active = active[~at.done[active]]
        replies = instance.replies(profiles, at.nodes[block])
        payoff = instance.publisher_payoffs(profiles, at.nodes[block], replies)
        permitted = game.permits(instance, profiles, at.nodes[block], replies.deterrable)
        nodes[block] = np.where(permitted, withhold_losses(instance, at.nodes[block], payoff), WITHHELD)
        # the bound needs that who attacks a strategy attacks less general ones: not so if no one is found at the floor
        at_floor = instance.replies(profiles, floor_nodes[block])
        unknown = np.any([people == 0 for people in at_floor.people], axis=0)
        bounds = np.maximum(np.where(unknown, most, at.bounds[block]), at.beyond[block])
        at.bounds[block] = np.maximum(bounds, np.maximum(np.where(permitted, payoff, 0), 0))
        progress(stop, count)
    return Choice(nodes=nodes, searched=at.searched, proved=False, bounds=at.bounds)
