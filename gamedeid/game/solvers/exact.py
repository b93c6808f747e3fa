"""Best-first search with the bound v(g): as good as backward induction, after a few strategies."""

from functools import partial

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.game.instance import Setting
from gamedeid.game.rules import Game
from gamedeid.game.solvers.boxes import prove_by_boxes
from gamedeid.game.solvers.contract import WITHHELD, Choice, Progress, withhold_losses
from gamedeid.kernels import solving as kernels
from gamedeid.kernels.solving import BestFirst, Search
from gamedeid.parallel import in_slices
from gamedeid.population.contract import TableCounts, distinct_nodes
from gamedeid.population.scan import MeetCounts

FIRST_LIST = 12
"""Strategies listed for each kind of profile at first; most profiles are proved within these."""

LONGER = 4
"""How many times longer the next list is, for the profiles that need it."""

WORTH_A_THREAD = 2**15
"""Profiles that are worth a thread."""


def exact(setting: Setting, game: Game, *, progress: Progress | None = None) -> Choice:
    """Solve a game with proof, looking up as few strategies as the bound allows.

    A strategy pays v(g) at most. Strategies are taken from the greatest v(g) down; once v(g) is no better than the best
    payoff found, neither is any strategy left. v(g) and the floor, hence the order, are shared by all profiles of one
    kind, so each order is listed once, and only as far as somebody needs it. A strategy that could only tie, and stands
    later in walk order than the one chosen, is not looked up.
    Where the lattice is large, :func:`gamedeid.game.solvers.boxes.prove_by_boxes` does the same otherwise.

    References
    ----------
    wan2015, "Lattice-Based Search Algorithm", closing remark on reaching the global optimum.
    """
    if isinstance(setting.counts, MeetCounts):
        found = prove_by_boxes(setting, setting.counts, game, progress=progress)
        chosen = withhold_losses(setting, found.nodes, found.payoffs)
        return Choice(nodes=chosen, searched=found.searched, proved=True)
    counts = setting.counts
    order = setting.open_order if game.floors is setting.base else setting.order(game.floors)
    count = setting.profiles.count
    nodes, searched = np.empty(count, np.int32), np.empty(count, np.int32)
    for start, stop, everyone in setting.blocks():
        here, active = slice(start, stop), everyone
        search = _nothing_searched(order.attacked[here] if game.forbids_attack else np.zeros(stop - start, np.int64))
        length = min(FIRST_LIST, setting.lattice.size)
        while len(active):
            lists, lists_of = order.lists(active, length)
            _search(setting, counts, game, search, first=start, active=active, lists_of=lists_of, lists=lists)
            active = active[~search.done[active - start]]
            length = min(length * LONGER, setting.lattice.size)
        _choose_again(setting, game, search, start)
        nodes[here] = withhold_losses(setting, search.chosen, search.best)
        searched[here] = search.searched
        order.attacked[here] = np.maximum(order.attacked[here], search.attacked)
        if progress is not None:
            progress(stop, count)
    return Choice(nodes=nodes, searched=searched, proved=True)


def _nothing_searched(attacked: IntArray) -> Search:
    """Return the search at its beginning, of profiles the first ``attacked``, (b,), of whose lists are ruled out."""
    count = len(attacked)
    return Search(
        position=attacked.astype(np.int64),
        best=np.full(count, -np.inf),
        chosen=np.full(count, WITHHELD, np.int64),
        chosen_payoff=np.full(count, -np.inf),
        searched=attacked.astype(np.int64),
        attacked=attacked.astype(np.int64),
        unsure=np.zeros(count, np.bool_),
        done=np.zeros(count, np.bool_),
    )


def _search(
    setting: Setting,
    counts: TableCounts,
    game: Game,
    search: Search,
    *,
    first: int,
    active: IntArray,
    lists_of: IntArray,
    lists: BestFirst,
) -> None:
    """Search the ``active`` profiles, (k,), along their lists, (k,), counting each strategy when it is first wanted.

    ``search`` begins with profile ``first``.
    """
    while len(active):
        wanted = np.empty(len(active), np.int64)
        walk = partial(
            _walk,
            setting,
            counts.tables,
            game,
            search,
            first=first,
            active=active,
            lists_of=lists_of,
            lists=lists,
            wanted=wanted,
        )
        in_slices(walk, len(active), least=WORTH_A_THREAD)
        waiting = wanted >= 0
        counts.count(distinct_nodes(wanted[waiting], setting.lattice.size))
        active, lists_of = active[waiting], lists_of[waiting]


def _walk(
    setting: Setting,
    tables: kernels.Tables,
    game: Game,
    search: Search,
    start: int,
    stop: int,
    *,
    first: int,
    active: IntArray,
    lists_of: IntArray,
    lists: BestFirst,
    wanted: IntArray,
) -> None:
    """Search the profiles from ``start`` to ``stop`` among ``active``; each writes to places of its own."""
    some = slice(start, stop)
    kernels.prove_best(
        active[some],
        lists_of[some],
        lists,
        tables,
        setting.ladders,
        setting.profiles.codes,
        setting.payoffs.stakes,
        game.forbids_attack,
        search,
        first,
        wanted[some],
    )


def _choose_again(setting: Setting, game: Game, search: Search, first: int) -> None:
    """Choose anew, knowing the best payoff, where near-equal payoffs formed a chain.

    Strategies that were passed over as mere ties are looked up after all, so that everything listed has been searched.
    """
    for place in np.flatnonzero(search.unsure):
        profile = first + place
        walk = setting.lattice.walk_order()
        walk = walk[(setting.ladders.levels[walk] >= game.floors[profile]).all(axis=1)]
        rows = np.full(len(walk), profile)
        close = setting.values(rows, walk) > search.best[place] - setting.payoffs.tolerance
        walk, rows = walk[close], rows[close]
        people = setting.people(rows, walk)
        payoff = setting.payoffs.publisher(setting.values(rows, walk), people)
        permitted = game.permits(setting, rows, walk, setting.payoffs.attacked(people))
        equal = permitted & (payoff > search.best[place] - setting.payoffs.tolerance)
        search.chosen[place] = walk[np.argmax(equal)]
        search.searched[place] = search.position[place]
