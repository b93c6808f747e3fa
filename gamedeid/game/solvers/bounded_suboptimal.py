"""Branch and bound with a slack: quicker than proving the best, and never further from it than the slack."""

import numpy as np

from gamedeid.game.instance import Instance
from gamedeid.game.outcomes import Outcomes
from gamedeid.game.rules import Game
from gamedeid.game.solvers.contract import Choice, withhold_losses
from gamedeid.game.solvers.exact import exact
from gamedeid.game.solvers.large_lattices import search_within
from gamedeid.progress import Progress

SLACK = 0.05
"""No permitted strategy of any record pays more than what is found by more than this share of the benefit."""


def bounded_suboptimal(instance: Instance, game: Game, *, progress: Progress | None = None) -> Choice:
    """Solve a game so that no permitted strategy of any record pays more than what is found by over 5% of V.

    Where the lattice is large, levels are given up once their bound is within the slack of the best strategy found;
    the greatest bound given up bounds the gap of each profile. Else :func:`gamedeid.game.solvers.exact.exact` is as
    quick, and its answer is taken, with a gap of 0.

    Parameters
    ----------
    progress : called with (profiles done, profiles in all).

    Returns
    -------
    the strategies, how many were searched for each profile after the first ones, and what none can exceed.
    """
    counts = instance.counts
    if counts.scanned is None:
        best = exact(instance, game, progress=progress)
        paid = Outcomes(instance=instance, profiles=instance.everyone, nodes=best.nodes).publisher_payoff
        return Choice(nodes=best.nodes, searched=best.searched, proved=False, bounds=paid)
    slack = SLACK * instance.payoffs.benefit
    found = search_within(instance, counts.scanned, game, slack, progress=progress)
    chosen = withhold_losses(instance, found.nodes, found.payoffs)
    return Choice(nodes=chosen, searched=found.searched, proved=False, bounds=np.maximum(found.bounds, 0))
