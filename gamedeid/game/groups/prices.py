"""Prices for people, and an upper bound on the value of groups by Lagrangian relaxation."""

import numpy as np

from gamedeid.arrays import ROUNDING, FloatArray, IntArray, dot
from gamedeid.game.groups.problem import GroupListing
from gamedeid.kernels.group_opening import NO_GROUP
from gamedeid.kernels.group_prices import first_prices, price_groups, use_profiles
from gamedeid.parallel import run_in_slices

_PARTIAL_ROUNDS = 12
"""Rounds that price only the groups of the greatest profit, after each round that prices all groups."""

_PARTIAL_MEMBERS = 3_000_000
"""Most members that these groups have together."""

_FIRST_LENGTH, _SHRINKAGE, _PATIENCE = 0.1, 0.7, 8
"""Length of the first steps, as a share of the gap between the bound and the known worth; factor that shortens steps;
and rounds without progress after which it does."""

_LEAST_LENGTH = 5e-4
"""Length below which further steps are not worth their time."""

_PROGRESS, _MOMENTUM = 0.005, 0.5
"""Share of the gap by which the bound must fall to be progress, and weight of the previous direction in the next."""

_LOSS_GROWTH = 1.5
"""Factor by which the loss that groups may make grows in the next round, if all groups within it were taken."""

_WORTH_A_THREAD = 1_000
"""Groups that are worth a thread."""


class Prices:
    """Prices for being in a group, which subgradient steps improve.

    D(u) = sum of people's prices + sum over groups of max(0, profit) bounds the worth of any groups, for any prices:
    the people of a group are worth their prices and, at most, the profit of the group.

    Most groups never make a profit. Most rounds price only those that were most profitable when all groups were priced;
    a bound is proved by pricing all groups.

    Parameters
    ----------
    group_of : (p,) the group of each profile in a known choice; NO_GROUP if it is in none. Prices begin halfway between
        the worth of a profile there and its greatest worth.
    """

    def __init__(self, listing: GroupListing, group_of: IntArray) -> None:
        self._listing, groups = listing, listing.groups
        self._people = groups.people.astype(float)
        best = first_prices(groups, listing.held)
        worth = np.where(group_of == NO_GROUP, 0.0, np.append(groups.values, 0.0)[group_of])
        self.bound = np.inf  # the least so far, dollars
        self.prices: FloatArray = (best + groups.weights * worth) / 2  # (p,) dollars a person, those of the bound
        self._present, self._direction = self.prices, np.zeros(len(best))
        self._length, self._stalled_rounds = _FIRST_LENGTH, 0
        self._permitted_loss = float(groups.values.max(initial=0.0))

    @property
    def is_stalled(self) -> bool:
        """Whether steps have become so short that the bound will hardly improve."""
        return self._length < _LEAST_LENGTH

    def _profits(self, listing: GroupListing, prices: FloatArray, floor: float) -> FloatArray:
        """Return the profit of each group, (g,) dollars, at prices, (p,); -infinity below ``floor``."""
        profits, price_table = np.empty(len(listing.nodes)), self._price_table(prices)
        run_in_slices(
            lambda start, stop: price_groups(price_table, listing.groups, start, stop, floor, profits),
            len(profits),
            least=_WORTH_A_THREAD,
        )
        return profits

    def _price_table(self, prices: FloatArray) -> FloatArray:
        return np.stack([prices, self._listing.groups.weights, self._people], axis=1)

    def improve(self, found: float) -> None:
        """Price all groups once, then the most profitable ones some times; known groups are worth ``found`` dollars."""
        profits = self._profits(self._listing, self._present, -self._permitted_loss)
        bound = self._bound_at(profits)
        if bound < self.bound:
            self.bound, self.prices = bound, self._present
        part = self._most_profitable(profits)
        self._step(self._listing, profits, bound, found)
        best, prices = np.inf, self._present
        for _ in range(_PARTIAL_ROUNDS):
            profits = self._profits(part, self._present, 0.0)
            bound = self._bound_at(profits)
            self._stalled_rounds = (
                0 if bound < best - _PROGRESS * max(min(best, 2 * bound) - found, 0.0) else self._stalled_rounds + 1
            )
            if bound < best:
                best, prices = bound, self._present
            if self._stalled_rounds < _PATIENCE:
                self._step(part, profits, bound, found)
            else:
                self._length, self._stalled_rounds, self._present = self._length * _SHRINKAGE, 0, prices
                self._direction = np.zeros(len(prices))
        self._present = prices
        if part is self._listing and best < self.bound:
            self.bound, self.prices = best, prices

    def _bound_at(self, profits: FloatArray) -> float:
        bound = dot(self._people, self._present) + float(profits[profits > 0].sum())
        return bound + ROUNDING * abs(bound)

    def _most_profitable(self, profits: FloatArray) -> GroupListing:
        """Return the groups of the greatest profit; their number sets the loss that groups may make next time."""
        some = self._largest(profits, _PARTIAL_MEMBERS)
        known = profits[some]
        if np.isfinite(profits).sum() > len(some) > 0:
            self._permitted_loss = max(-float(known.min()), 0.0)
        else:
            self._permitted_loss *= _LOSS_GROWTH
        return self._listing if len(some) == len(profits) else self._listing.only(some)

    def _step(self, listing: GroupListing, profits: FloatArray, bound: float, found: float) -> None:
        """Move prices towards those at which groups take every profile once, given the present profits of groups."""
        groups, prices = listing.groups, self._present
        used = np.zeros(len(prices))
        use_profiles(self._price_table(prices), groups, np.flatnonzero(profits > 0), used)
        direction = used - 1.0 + _MOMENTUM * self._direction
        direction[(prices <= 0) & (direction < 0)] = 0.0
        scale = np.where(groups.weights > 0, groups.weights, groups.weights.mean())  # prices differ as weights do
        steepness = dot(self._people * scale, (used - 1.0) * direction)
        if steepness <= 0:
            steepness = dot(self._people * scale, direction * direction)
        if steepness > 0:
            step = self._length * max(bound - found, 0.0) / steepness
            self._present = np.maximum(prices + step * scale * direction, 0.0)
        self._direction = direction

    def best_groups(self, floor: float, most: int) -> IntArray:
        """Return the groups, (k,) ascending, of the greatest profit at the prices of the bound, ``floor`` or more."""
        return self._largest(self._profits(self._listing, self.prices, floor), most)

    def _largest(self, profits: FloatArray, most: int) -> IntArray:
        some = np.flatnonzero(profits > -np.inf)
        some = some[np.argsort(-profits[some], kind="stable")]
        return np.sort(some[np.cumsum(np.diff(self._listing.groups.starts)[some]) <= most])
