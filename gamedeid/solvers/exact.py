"""Best-first search with the bound v(g): as good as backward induction, after a few strategies."""

import numpy as np

from gamedeid import kernels
from gamedeid.arrays import FloatArray, IntArray
from gamedeid.coding import distinct_rows
from gamedeid.games import Game
from gamedeid.kernels import Search
from gamedeid.setting import Setting
from gamedeid.solvers.contract import WITHHELD, Choice, Progress, withhold_losses

FIRST_LIST = 4
"""Strategies listed for each kind of profile at first; most profiles are proved within these."""

LONGER = 8
"""How many times longer the next list is, for the profiles that need it."""


def exact(setting: Setting, game: Game, *, progress: Progress | None = None) -> Choice:
    """Solve a game with proof, looking up as few strategies as the bound allows.

    A strategy pays v(g) at most. Strategies are taken from the greatest v(g) down; once v(g) is no better than the best
    payoff found, neither is any strategy left. v(g) and the floor, hence the order, are shared by all profiles of one
    kind, so each order is listed once, and only as far as somebody needs it. A strategy that could only tie, and stands
    later in walk order than the one chosen, is not looked up.

    References
    ----------
    wan2015, "Lattice-Based Search Algorithm", closing remark on reaching the global optimum.
    """
    profiles = setting.profiles
    search = _nothing_searched(profiles.count)
    active = setting.everyone
    length = min(FIRST_LIST, setting.lattice.size)
    while len(active):
        active = _search(setting, game, search, active, length)
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


def _search(setting: Setting, game: Game, search: Search, active: IntArray, length: int) -> IntArray:
    """Search the ``active`` profiles along lists of ``length`` strategies; return those that need longer ones."""
    kind_of, nodes, values, lengths = _best_first_lists(setting, game, active, length)
    complete = length == setting.lattice.size
    going = active
    while len(going):
        wanted = np.empty(len(going), np.int64)
        kernels.prove_best(
            going,
            kind_of,
            nodes,
            values,
            lengths,
            complete,
            setting.counts.tables,
            setting.ladders,
            setting.profiles.codes,
            setting.payoffs.stakes,
            game.forbids_attack,
            search,
            wanted,
        )
        waiting = wanted >= 0
        setting.counts.count(np.unique(wanted[waiting]))
        going, kind_of = going[waiting], kind_of[waiting]
    return active[~search.done[active]]


def _best_first_lists(
    setting: Setting, game: Game, active: IntArray, length: int
) -> tuple[IntArray, IntArray, FloatArray, IntArray]:
    """Return the kind of each active profile; per kind its first ``length`` strategies, their v(g), their number."""
    kinds = setting.kinds[active]
    rows = np.stack([kinds, setting.lattice.nodes(game.floors[active])], axis=1)
    first, kind_of, _ = distinct_rows(rows, [int(kinds.max()) + 1, setting.lattice.size])
    nodes = np.empty((len(first), length), np.int64)
    values = np.empty((len(first), length))
    lengths = np.empty(len(first), np.int64)
    examples = active[first]
    kernels.best_first(
        setting.ladders,
        setting.profiles.codes[examples],
        game.floors[examples],
        float(setting.payoffs.benefit),
        nodes,
        values,
        lengths,
    )
    return kind_of, nodes, values, lengths


def _choose_again(setting: Setting, game: Game, search: Search) -> None:
    """Choose anew, knowing the best payoff, where near-equal ones formed a chain; this counts as searching again."""
    for profile in np.flatnonzero(search.unsure):
        walk = setting.lattice.walk_order()
        rows = np.full(len(walk), profile)
        close = setting.values(rows, walk) > search.best[profile] - setting.payoffs.tolerance
        walk, rows = walk[close], rows[close]
        people = setting.people(rows, walk)
        payoff = setting.payoffs.publisher(setting.values(rows, walk), people)
        permitted = game.permits(setting, rows, walk, setting.payoffs.attacked(people))
        equal = permitted & (payoff > search.best[profile] - setting.payoffs.tolerance)
        search.chosen[profile] = walk[np.argmax(equal)]
        search.searched[profile] += int(close.sum())
