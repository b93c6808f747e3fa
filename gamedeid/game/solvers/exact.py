"""Best-first search with the bound v(g): as good as backward induction, after a few strategies."""

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.game.instance import Instance
from gamedeid.game.outcomes import Outcomes
from gamedeid.game.rules import Game
from gamedeid.game.solvers.contract import WORTH_A_THREAD, Choice, compiled_game, withhold_losses
from gamedeid.kernels.best_first import SearchState, prove_best
from gamedeid.kernels.tables import WITHHELD, BestFirstLists
from gamedeid.lazy_imports import LazyModule
from gamedeid.parallel import run_in_slices
from gamedeid.population.contract import TableCounts, distinct_nodes
from gamedeid.progress import Progress, unreported

if TYPE_CHECKING:
    from gamedeid.game.solvers import large_lattices
else:  # few lattices are large
    large_lattices = LazyModule("gamedeid.game.solvers.large_lattices")

FIRST_LIST = 12
"""Strategies listed for each kind of profile at first; most profiles are proved within these."""

LIST_GROWTH = 4
"""Factor by which the next list is longer, for the profiles that need it."""


def exact(instance: Instance, game: Game, *, progress: Progress = unreported) -> Choice:
    """Solve a game with proof, looking up as few strategies as the bound allows.

    A strategy pays v(g) at most. Strategies are taken from the greatest v(g) down; once v(g) is no better than the best
    payoff found, neither is any strategy left. v(g) and the floor, hence the order, are shared by all profiles of one
    kind, so each order is listed once, and only as far as a profile needs it. A strategy that could only tie, and comes
    later in walk order than the one chosen, is not looked up.
    If the lattice is large, :func:`gamedeid.game.solvers.large_lattices.prove_by_branching` is used instead.

    References
    ----------
    wan2015, "Lattice-Based Search Algorithm", closing remark on reaching the global optimum.
    """
    counts = instance.counts
    if counts.scanned is not None:
        return large_lattices.prove_by_branching(instance, counts.scanned, game, progress=progress)
    if game.floors is instance.base:
        order, attacked_first = instance.data.open_order, instance.attacked_first
    else:
        order = instance.data.order(game.floors)
        attacked_first = order.none_attacked()
    count = instance.profiles.count
    nodes, searched = np.empty(count, np.int32), np.empty(count, np.int32)
    for start, stop, profiles in instance.blocks():
        block, active = slice(start, stop), profiles
        state = _initial_state(attacked_first[block] if game.forbids_attack else np.zeros(stop - start, np.int64))
        length = min(FIRST_LIST, instance.lattice.size)
        while len(active):
            lists, lists_of = order.lists(active, length)
            _search(instance, counts, game, state, first=start, active=active, lists_of=lists_of, lists=lists)
            active = active[~state.done[active - start]]
            length = min(length * LIST_GROWTH, instance.lattice.size)
        _choose_again(instance, game, state, start)
        nodes[block] = withhold_losses(instance, state.chosen, state.best)
        searched[block] = state.searched
        attacked_first[block] = np.maximum(attacked_first[block], state.attacked)
        progress(stop, count)
    return Choice(nodes=nodes, searched=searched, proved=True)


def _initial_state(attacked: IntArray) -> SearchState:
    """Return the initial state of the search; the first ``attacked``, (b,), of each profile's list are ruled out."""
    count = len(attacked)
    return SearchState(
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
    instance: Instance,
    counts: TableCounts,
    game: Game,
    state: SearchState,
    *,
    first: int,
    active: IntArray,
    lists_of: IntArray,
    lists: BestFirstLists,
) -> None:
    """Search ``active`` profiles, (k,), along their lists, (k,); ``state`` begins with profile ``first``."""
    tables = compiled_game(instance, game, counts.tables)

    def search_slice(active: IntArray, lists_of: IntArray, wanted: IntArray, start: int, stop: int) -> None:
        some = slice(start, stop)
        prove_best(active[some], lists_of[some], lists, tables, state, first, wanted[some])

    while len(active):
        wanted = np.empty(len(active), np.int64)
        run_in_slices(partial(search_slice, active, lists_of, wanted), len(active), least=WORTH_A_THREAD)
        is_waiting = wanted >= 0
        lookup_nodes = np.concatenate(instance.recipients.lookup_nodes(wanted[is_waiting]))
        counts.count(distinct_nodes(lookup_nodes, len(counts.tables.offsets)))
        tables = tables._replace(counts=counts.tables)
        active, lists_of = active[is_waiting], lists_of[is_waiting]


def _choose_again(instance: Instance, game: Game, state: SearchState, first: int) -> None:
    """Choose again, given the best payoff, if near-equal payoffs formed a chain; all listed are searched."""
    for place in np.flatnonzero(state.unsure):
        profile = first + place
        walk = instance.lattice.walk_order()
        walk = walk[(instance.hierarchy_tables.levels[walk] >= game.floors[profile]).all(axis=1)]
        rows = np.full(len(walk), profile)
        close = instance.payoffs.as_good(instance.values(rows, walk), state.best[place])
        walk, rows = walk[close], rows[close]
        replies = instance.replies(rows, walk)
        payoff = instance.publisher_payoffs(rows, walk, replies)
        permitted = game.permits(instance, rows, walk, replies.deterrable)
        equal = permitted & instance.payoffs.as_good(payoff, state.best[place])
        state.chosen[place] = walk[np.argmax(equal)]
        state.searched[place] = state.position[place]


SLACK = 0.05
"""No permitted strategy of any record exceeds the payoff found by more than this share of the benefit."""


def bounded_suboptimal(instance: Instance, game: Game, *, progress: Progress = unreported) -> Choice:
    """Solve a game so that no permitted strategy of any record exceeds the payoff found by over 5% of V.

    If the lattice is large, levels are given up once their bound is within the slack of the best strategy found; the
    greatest bound given up bounds the gap of each profile. Otherwise :func:`gamedeid.game.solvers.exact.exact` is as
    quick, and its answer is returned, with a gap of 0. Strategies that are first tried on all profiles do not count as
    searched.
    """
    counts = instance.counts
    if counts.scanned is None:
        best = exact(instance, game, progress=progress)
        paid = Outcomes(instance=instance, profiles=instance.all_profiles, nodes=best.nodes).publisher_payoff
        return Choice(nodes=best.nodes, searched=best.searched, proved=False, bounds=paid)
    slack = SLACK * instance.payoffs.benefit
    return large_lattices.prove_by_branching(instance, counts.scanned, game, slack=slack, progress=progress)
