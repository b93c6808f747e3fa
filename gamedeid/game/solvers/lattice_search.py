"""Algorithm 2: greedy descent from the most specific permitted strategy, quick but not always best."""

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.game.instance import Instance
from gamedeid.game.rules import Game
from gamedeid.game.solvers.contract import WORTH_A_THREAD, Choice, played, withhold_losses
from gamedeid.kernels.descent import Descent, descend
from gamedeid.kernels.tables import WITHHELD
from gamedeid.later import Later
from gamedeid.parallel import in_slices
from gamedeid.progress import Progress

if TYPE_CHECKING:
    from gamedeid.game.solvers import large_lattices
else:  # few lattices are large
    large_lattices = Later("gamedeid.game.solvers.large_lattices")


def lattice_search(instance: Instance, game: Game, *, progress: Progress | None = None) -> Choice:
    """Solve a game by descending to the best child while one is at least as good as its parent.

    Every strategy stands for its payoff *if attacked*, as the algorithm is printed; the last of equally good children
    is taken. The descent ends at a strategy that is not attacked, that has no children, or (where an attack may be
    risked) whose children are all worse. A game with a floor starts there.

    References
    ----------
    wan2015, Algorithm 2 (Table 5); it evaluates at most 1 + m sum_f (h_f - 1) strategies of a profile.
    """
    counts = instance.counts
    if counts.scanned is not None:
        found = large_lattices.descend_by_scan(instance, counts.scanned, game, progress=progress)
        chosen = withhold_losses(instance, found.nodes, found.payoffs)
        return Choice(nodes=chosen, searched=found.searched, proved=False, bounds=np.maximum(found.bounds, 0))
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
    tables = played(instance, game, counts.tables)

    def descend_slice(active: IntArray, wanted: IntArray, start: int, stop: int) -> None:
        descend(active[start:stop], tables, at, wanted[start:stop])

    for start, stop, everyone in instance.blocks():
        active, here = everyone, slice(start, stop)
        most = instance.values(everyone, floor_nodes[here])
        at.beyond[here] = most
        while len(active):
            wanted = np.empty((len(active), instance.lattice.attributes + 1), np.int64)
            in_slices(partial(descend_slice, active, wanted), len(active), least=WORTH_A_THREAD)
            counts.count(np.unique(instance.recipients.lookup_nodes(wanted[wanted >= 0])))
            tables = tables._replace(counts=counts.tables)
            active = active[~at.done[active]]
        replies = instance.replies(everyone, at.nodes[here])
        payoff = instance.publisher_payoffs(everyone, at.nodes[here], replies)
        permitted = game.permits(instance, everyone, at.nodes[here], replies.deterrable)
        nodes[here] = np.where(permitted, withhold_losses(instance, at.nodes[here], payoff), WITHHELD)
        # the bound holds where whoever attacks a strategy attacks less general ones: not from nobody at the floor on
        unknown = np.any([people == 0 for people in instance.replies(everyone, floor_nodes[here]).people], axis=0)
        bounds = np.maximum(np.where(unknown, most, at.bounds[here]), at.beyond[here])
        at.bounds[here] = np.maximum(bounds, np.maximum(np.where(permitted, payoff, 0), 0))
        if progress is not None:
            progress(stop, count)
    return Choice(nodes=nodes, searched=at.searched, proved=False, bounds=at.bounds)
