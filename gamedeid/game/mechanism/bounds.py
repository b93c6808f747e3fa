"""What no mechanism can exceed: a bound by Lagrangian relaxation, with a price for each profile of the population."""

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.game.mechanism.candidates import Candidates
from gamedeid.kernels.regrouping import bound_at_prices
from gamedeid.progress import Progress

STEPS = 400
"""How often the prices are changed."""

_PATIENCE = 12  # changes of the prices without a better bound, before steps become shorter
_SHORTER = 0.7
_MEMORY = 0.4  # of the direction before, in the next one
_ROUNDING = 1e-9  # by which the bound is raised: what sums of this size may lose by rounding


def payoff_bound(
    candidates: Candidates,
    sizes: IntArray,
    *,
    least: int,
    found: float,
    steps: int = STEPS,
    progress: Progress | None = None,
) -> float:
    """Return dollars that no mechanism's total payoff exceeds, whatever it puts where.

    Profiles pay for being used, and each candidate group is judged by itself. Any prices of at least
    ``candidates.assured`` give a bound; they are improved by subgradient steps towards the best payoff found.

    Parameters
    ----------
    candidates : all groups in which somebody could be worth more than is assured to them.
    sizes : (p,) people of each profile.
    least : people that a group must hold.
    found : total payoff of the best mechanism that is known, dollars.
    steps : how often prices are changed.
    progress : called with (steps done, steps in all).
    """
    floor = candidates.assured
    prices, best_prices = floor.copy(), floor
    used, direction = np.empty(len(floor)), np.zeros(len(floor))
    best, length, waited = np.inf, 1.0, 0
    for step in range(steps + 1):
        bound = bound_at_prices(prices, least, sizes, candidates.groups, used)
        if bound < best:
            waited = 0 if bound < best - 1e-7 * abs(best - found) else waited + 1
            best, best_prices = bound, prices
        else:
            waited += 1
        if progress is not None:
            progress(step, steps)
        if step == steps or best <= found:
            break
        if waited >= _PATIENCE:
            length, waited, prices = length * _SHORTER, 0, best_prices
            bound = bound_at_prices(prices, least, sizes, candidates.groups, used)
        direction = _open(1.0 - used + _MEMORY * direction, prices, floor)
        steepness = float(direction @ direction)
        if steepness == 0:
            break
        prices = np.maximum(floor, prices - length * (bound - found) / steepness * direction)
    return best + _ROUNDING * abs(best)


def _open(direction: FloatArray, prices: FloatArray, floor: FloatArray) -> FloatArray:
    """Return a direction without what would lower a price that stands at its floor."""
    return np.where((prices <= floor) & (direction > 0), 0.0, direction)
