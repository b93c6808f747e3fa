"""Algorithm 2: greedy descent from the most specific permitted strategy, quick but not always best."""

import numpy as np

from gamedeid import kernels
from gamedeid.games import Game
from gamedeid.meets import MeetCounts
from gamedeid.setting import Setting
from gamedeid.solvers.contract import WITHHELD, Choice, Progress, withhold_losses
from gamedeid.solvers.meeting import descend_by_meets


def lattice_search(setting: Setting, game: Game, *, progress: Progress | None = None) -> Choice:
    """Solve a game by descending to the best child while one is at least as good as its parent.

    Every strategy stands for its payoff *if attacked*, as the algorithm is printed; the last of equally good children
    is taken. The descent ends at a strategy that is not attacked, that has no children, or (where an attack may be
    risked) whose children are all worse. A game with a floor starts there.

    References
    ----------
    wan2015, Algorithm 2 (Table 5); it evaluates at most 1 + m sum_f (h_f - 1) strategies of a profile.
    """
    if isinstance(setting.counts, MeetCounts):
        found = descend_by_meets(setting, setting.counts, game, progress=progress)
        nodes = withhold_losses(setting, found.nodes, found.payoffs)
        return Choice(nodes=nodes, searched=found.searched, proved=False, bounds=np.maximum(found.bounds, 0))
    profiles = setting.profiles
    standing = setting.lattice.nodes(game.floors)
    searched = np.ones(profiles.count, np.int64)
    done = np.zeros(profiles.count, np.bool_)
    bounds = np.full(profiles.count, -np.inf)
    beyond = setting.values(setting.everyone, standing)
    active = setting.everyone
    while len(active):
        wanted = np.empty((len(active), setting.lattice.attributes + 1), np.int64)
        kernels.descend(
            active,
            setting.counts.tables,
            setting.ladders,
            profiles.codes,
            setting.payoffs.stakes,
            game.forbids_attack,
            standing,
            searched,
            done,
            wanted,
            game.floors,
            bounds,
            beyond,
        )
        setting.counts.count(np.unique(wanted[wanted >= 0]))
        active = active[~done[active]]
        if progress is not None:
            progress(profiles.count - len(active), profiles.count)
    people = setting.people(setting.everyone, standing)
    payoff = setting.payoffs.publisher(setting.values(setting.everyone, standing), people)
    permitted = game.permits(setting, setting.everyone, standing, setting.payoffs.attacked(people))
    nodes = np.where(permitted, withhold_losses(setting, standing, payoff), WITHHELD)
    bounds = np.maximum.reduce([bounds, beyond, np.where(permitted, payoff, 0), np.zeros(profiles.count)])
    return Choice(nodes=nodes, searched=searched, proved=False, bounds=bounds)
