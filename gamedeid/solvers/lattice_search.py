"""Algorithm 2: greedy descent from the most specific permitted strategy, quick but not always best."""

from functools import partial

import numpy as np

from gamedeid import kernels
from gamedeid.arrays import BoolArray, IntArray
from gamedeid.games import Game
from gamedeid.setting import Setting
from gamedeid.solvers.contract import WITHHELD, Choice, Progress, withhold_losses
from gamedeid.threads import in_slices

WORTH_A_THREAD = 2**15
"""Profiles that are worth a thread."""


def lattice_search(setting: Setting, game: Game, *, progress: Progress | None = None) -> Choice:
    """Solve a game by descending to the best child while one is at least as good as its parent.

    Every strategy stands for its payoff *if attacked*, as the algorithm is printed; the last of equally good children
    is taken. The descent ends at a strategy that is not attacked, that has no children, or (where an attack may be
    risked) whose children are all worse. A game with a floor starts there.

    References
    ----------
    wan2015, Algorithm 2 (Table 5); it evaluates at most 1 + m sum_f (h_f - 1) strategies of a profile.
    """
    count = setting.profiles.count
    standing = setting.lattice.nodes(game.floors)
    searched = np.ones(count, np.int64)
    done = np.zeros(count, np.bool_)
    nodes = np.empty(count, np.int64)
    for start, stop, everyone in setting.blocks():
        active, here = everyone, slice(start, stop)
        while len(active):
            wanted = np.empty((len(active), setting.lattice.attributes + 1), np.int64)
            descend = partial(_descend, setting, game, active, standing, searched, done, wanted)
            in_slices(descend, len(active), least=WORTH_A_THREAD)
            setting.counts.count(np.unique(wanted[wanted >= 0]))
            active = active[~done[active]]
        people = setting.people(everyone, standing[here])
        payoff = setting.payoffs.publisher(setting.values(everyone, standing[here]), people)
        permitted = game.permits(setting, everyone, standing[here], setting.payoffs.attacked(people))
        nodes[here] = np.where(permitted, withhold_losses(setting, standing[here], payoff), WITHHELD)
        if progress is not None:
            progress(stop, count)
    return Choice(nodes=nodes, searched=searched, proved=False)


def _descend(  # noqa: PLR0917  (the first are bound once)
    setting: Setting,
    game: Game,
    active: IntArray,
    standing: IntArray,
    searched: IntArray,
    done: BoolArray,
    wanted: IntArray,
    start: int,
    stop: int,
) -> None:
    """Let the profiles from ``start`` to ``stop`` among ``active`` descend; each writes to places of its own."""
    some = slice(start, stop)
    kernels.descend(
        active[some],
        setting.counts.tables,
        setting.ladders,
        setting.profiles.codes,
        setting.payoffs.stakes,
        game.forbids_attack,
        standing,
        searched,
        done,
        wanted[some],
    )
