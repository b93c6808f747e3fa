"""Algorithm 2: greedy descent from the most specific permitted strategy, quick but not always best."""

from functools import partial

import numpy as np

from gamedeid.arrays import BoolArray, IntArray
from gamedeid.game.instance import Instance
from gamedeid.game.rules import Game
from gamedeid.game.solvers.contract import WORTH_A_THREAD, Choice, withhold_losses
from gamedeid.game.solvers.large_lattices import descend_by_scan
from gamedeid.kernels.descent import descend
from gamedeid.kernels.tables import WITHHELD, CountTables
from gamedeid.parallel import in_slices
from gamedeid.progress import Progress


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
        found = descend_by_scan(instance, counts.scanned, game, progress=progress)
        chosen = withhold_losses(instance, found.nodes, found.payoffs)
        return Choice(nodes=chosen, searched=found.searched, proved=False, bounds=np.maximum(found.bounds, 0))
    count = instance.profiles.count
    current_nodes = instance.lattice.nodes(game.floors)
    searched = np.ones(count, np.int64)
    done = np.zeros(count, np.bool_)
    bounds = np.full(count, -np.inf)
    beyond = np.empty(count)
    nodes = np.empty(count, np.int64)
    recipients = instance.recipients.tables(instance.payoffs)

    def descend_slice(tables: CountTables, active: IntArray, wanted: IntArray, start: int, stop: int) -> None:
        some = slice(start, stop)
        descend(
            active[some],
            tables,
            instance.hierarchy_tables,
            instance.profiles.codes,
            instance.payoffs.stakes,
            recipients,
            game.forbids_attack,
            current_nodes,
            searched,
            done,
            wanted[some],
            game.floors,
            bounds,
            beyond,
        )

    for start, stop, everyone in instance.blocks():
        active, here = everyone, slice(start, stop)
        most = instance.values(everyone, current_nodes[here])
        beyond[here] = most
        while len(active):
            wanted = np.empty((len(active), instance.lattice.attributes + 1), np.int64)
            in_slices(partial(descend_slice, counts.tables, active, wanted), len(active), least=WORTH_A_THREAD)
            counts.count(np.unique(instance.recipients.lookup_nodes(wanted[wanted >= 0])))
            active = active[~done[active]]
        replies = instance.replies(everyone, current_nodes[here])
        payoff = instance.publisher_payoffs(everyone, current_nodes[here], replies)
        permitted = game.permits(instance, everyone, current_nodes[here], replies.deterrable)
        nodes[here] = np.where(permitted, withhold_losses(instance, current_nodes[here], payoff), WITHHELD)
        if not instance.recipients.is_paper_adversary:  # whose search ends at the floor where nobody matches
            bounds[here] = np.where(_is_unknown(instance, everyone, game), most, bounds[here])
        found_here = np.where(permitted, payoff, 0)
        bounds[here] = np.maximum.reduce([bounds[here], beyond[here], found_here, np.zeros(stop - start)])
        if progress is not None:
            progress(stop, count)
    return Choice(nodes=nodes, searched=searched, proved=False, bounds=bounds)


def _is_unknown(instance: Instance, profiles: IntArray, game: Game) -> BoolArray:
    """Return for which profiles, (k,), some recipient finds nobody at the floor, though she may further on.

    The bound takes it that whoever attacks a strategy attacks those that are less general too.
    """
    people = instance.replies(profiles, instance.lattice.nodes(game.floors[profiles])).people
    unknown: BoolArray = np.any([some == 0 for some in people], axis=0)
    return unknown
