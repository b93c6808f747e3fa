"""Best-first search with the bound v(g): as good as backward induction, after a few strategies."""

import numpy as np

from gamedeid import kernels
from gamedeid.arrays import IntArray
from gamedeid.coding import distinct_rows
from gamedeid.counting import TableCounts
from gamedeid.games import Game
from gamedeid.kernels import BestFirst, Search
from gamedeid.meets import MeetCounts
from gamedeid.setting import Setting
from gamedeid.solvers.contract import WITHHELD, Choice, Progress, withhold_losses
from gamedeid.solvers.meeting import prove_by_boxes

FIRST_LIST = 12
"""Strategies listed for each kind of profile at first; most profiles are proved within these."""

LONGER = 4
"""How many times longer the next list is, for the profiles that need it."""


def exact(setting: Setting, game: Game, *, progress: Progress | None = None) -> Choice:
    """Solve a game with proof, looking up as few strategies as the bound allows.

    A strategy pays v(g) at most. Strategies are taken from the greatest v(g) down; once v(g) is no better than the best
    payoff found, neither is any strategy left. v(g) and the floor, hence the order, are shared by all profiles of one
    kind, so each order is listed once, and only as far as somebody needs it. A strategy that could only tie, and stands
    later in walk order than the one chosen, is not looked up.
    Where the lattice is large, :func:`gamedeid.solvers.meeting.prove_by_boxes` does the same otherwise.

    References
    ----------
    wan2015, "Lattice-Based Search Algorithm", closing remark on reaching the global optimum.
    """
    if isinstance(setting.counts, MeetCounts):
        found = prove_by_boxes(setting, setting.counts, game, progress=progress)
        nodes = withhold_losses(setting, found.nodes, found.payoffs)
        return Choice(nodes=nodes, searched=found.searched, proved=True)
    profiles = setting.profiles
    search = _nothing_searched(profiles.count)
    kinds = np.stack([setting.kinds, setting.lattice.nodes(game.floors)], axis=1)
    examples, kind_of, _ = distinct_rows(kinds, [int(setting.kinds.max()) + 1, setting.lattice.size])
    active = setting.everyone
    length = min(FIRST_LIST, setting.lattice.size)
    while len(active):
        needed, lists_of = np.unique(kind_of[active], return_inverse=True)
        lists = _best_first_lists(setting, game, examples[needed], length)
        _search(setting, setting.counts, game, search, active=active, lists_of=lists_of, lists=lists)
        active = active[~search.done[active]]
        length = min(length * LONGER, setting.lattice.size)
        if progress is not None:
            progress(profiles.count - len(active), profiles.count)
    _choose_again(setting, game, search)
    return Choice(nodes=withhold_losses(setting, search.chosen, search.best), searched=search.searched, proved=True)


def _nothing_searched(profiles: int) -> Search:
    return Search(
        position=np.zeros(profiles, np.int64),
        best=np.full(profiles, -np.inf),
        chosen=np.full(profiles, WITHHELD, np.int64),
        chosen_payoff=np.full(profiles, -np.inf),
        searched=np.zeros(profiles, np.int64),
        unsure=np.zeros(profiles, np.bool_),
        done=np.zeros(profiles, np.bool_),
    )


def _best_first_lists(setting: Setting, game: Game, examples: IntArray, length: int) -> BestFirst:
    """Return the first ``length`` strategies, by v(g), of each kind of profile, of which ``examples`` has one each."""
    lists = BestFirst(
        nodes=np.empty((len(examples), length), np.int64),
        values=np.empty((len(examples), length)),
        lengths=np.empty(len(examples), np.int64),
        complete=length == setting.lattice.size,
    )
    codes, floors = setting.profiles.codes[examples], game.floors[examples]
    kernels.best_first(setting.ladders, codes, floors, float(setting.payoffs.benefit), lists)
    return lists


def _search(
    setting: Setting,
    counts: TableCounts,
    game: Game,
    search: Search,
    *,
    active: IntArray,
    lists_of: IntArray,
    lists: BestFirst,
) -> None:
    """Search the ``active`` profiles, (k,), along their lists, (k,), counting each strategy when it is first wanted."""
    while len(active):
        wanted = np.empty(len(active), np.int64)
        kernels.prove_best(
            active,
            lists_of,
            lists,
            counts.tables,
            setting.ladders,
            setting.profiles.codes,
            setting.payoffs.stakes,
            game.forbids_attack,
            search,
            wanted,
        )
        waiting = wanted >= 0
        counts.count(np.unique(wanted[waiting]))
        active, lists_of = active[waiting], lists_of[waiting]


def _choose_again(setting: Setting, game: Game, search: Search) -> None:
    """Choose anew, knowing the best payoff, where near-equal payoffs formed a chain.

    Strategies that were passed over as mere ties are looked up after all, so that everything listed has been searched.
    """
    for profile in np.flatnonzero(search.unsure):
        walk = setting.lattice.walk_order()
        walk = walk[(setting.ladders.levels[walk] >= game.floors[profile]).all(axis=1)]
        rows = np.full(len(walk), profile)
        close = setting.values(rows, walk) > search.best[profile] - setting.payoffs.tolerance
        walk, rows = walk[close], rows[close]
        people = setting.people(rows, walk)
        payoff = setting.payoffs.publisher(setting.values(rows, walk), people)
        permitted = game.permits(setting, rows, walk, setting.payoffs.attacked(people))
        equal = permitted & (payoff > search.best[profile] - setting.payoffs.tolerance)
        search.chosen[profile] = walk[np.argmax(equal)]
        search.searched[profile] = search.position[profile]
