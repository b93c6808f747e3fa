"""What no groups can be worth more than: prices for people, and a bound by Lagrangian relaxation."""

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.game.groups.listing import Listing
from gamedeid.kernels.group_prices import first_prices, price_groups, use_profiles
from gamedeid.parallel import in_slices

_PATIENCE = 8  # rounds without a better bound, before steps become shorter
_PROGRESS = 0.005  # share of the gap that a better bound has to close to count as one
_SHORTER = 0.6
_MEMORY = 0.5  # of the direction before, in the next one
_ROUNDING = 1e-12  # share by which the bound is raised: what sums of this size may lose by rounding
_AT_A_TIME = 2_000  # groups that are worth a thread


class Prices:
    """Prices for being in a group, which rounds of subgradient steps improve.

    D(u) = sum of what people ask + sum over groups of max(0, profit) bounds what any groups are worth: whoever is put
    into one pays the price to herself, and no group makes more than its profit. Every profile may have any price.

    Parameters
    ----------
    listing : all groups that could be open.
    """

    def __init__(self, listing: Listing) -> None:
        self._listing = listing
        best = np.zeros(len(listing.groups.people))
        first_prices(listing.groups, listing.held, best)
        self.rounds = 0
        self.bound = np.inf  # the least so far, dollars
        self.prices: FloatArray = best  # (p,) dollars a person, at which the bound is that
        self._now, self._direction = best, np.zeros(len(best))
        self._length, self._waited = 1.0, 0

    def profits(self, prices: FloatArray, floor: float) -> FloatArray:
        """Return the profit of each group, (g,) dollars, at prices, (p,); -infinity below ``floor``."""
        groups = self._listing.groups
        profits = np.empty(len(groups.values))
        in_slices(
            lambda start, stop: price_groups(prices, groups, start, stop, floor, profits),
            len(profits),
            least=_AT_A_TIME,
        )
        return profits

    def improve(self, found: float) -> None:
        """Go one step; nothing is done where the bound has been reached.

        Parameters
        ----------
        found : what the best groups that are known are worth, dollars.
        """
        groups = self._listing.groups
        people = groups.people.astype(float)
        prices = self._now
        profits = self.profits(prices, 0.0)
        opened = np.flatnonzero(profits > 0)
        bound = float(people @ prices + profits[opened].sum())
        bound += _ROUNDING * abs(bound)
        self.rounds += 1
        if bound < self.bound - _PROGRESS * max(self.bound - found, 0.0):
            self._waited = 0
        else:
            self._waited += 1
        if bound < self.bound:
            self.bound, self.prices = bound, prices
        if self._waited >= _PATIENCE:
            self._length, self._waited, self._now = self._length * _SHORTER, 0, self.prices
            self._direction = np.zeros(len(prices))
            return
        used = np.zeros(len(prices))
        use_profiles(prices, groups, opened, used)
        direction = used - 1.0 + _MEMORY * self._direction
        direction[(prices <= 0) & (direction < 0)] = 0.0
        scale = np.where(groups.weights > 0, groups.weights, groups.weights.mean())  # prices are as unequal as weights
        steepness = float((people * scale) @ ((used - 1.0) * direction))
        if steepness <= 0:
            steepness = float((people * scale) @ (direction * direction))
        if steepness > 0:
            step = self._length * max(bound - found, 0.0) / steepness
            self._now = np.maximum(prices + step * scale * direction, 0.0)
        self._direction = direction

    def best_groups(self, floor: float, most: int) -> IntArray:
        """Return the groups, (k,) ascending, that make the greatest profit at the prices of the bound.

        Parameters
        ----------
        floor : dollars that they make at least, at most 0.
        most : members that all of them may have together.
        """
        profits, sizes = self.profits(self.prices, floor), np.diff(self._listing.groups.starts)
        some = np.flatnonzero(profits > -np.inf)
        some = some[np.argsort(-profits[some], kind="stable")]
        return np.sort(some[np.cumsum(sizes[some]) <= most])
