"""Prices for people, and an upper bound on the value of groups by Lagrangian relaxation."""

import numpy as np

from gamedeid.arrays import FloatArray, IntArray, dot
from gamedeid.game.groups.problem import GroupListing
from gamedeid.kernels.group_opening import NO_GROUP
from gamedeid.kernels.group_prices import first_prices, price_groups, use_profiles
from gamedeid.parallel import run_in_slices

_BETWEEN = 12
"""Rounds in which only the groups of the greatest profit are priced, before all of them are."""

_PART = 3_000_000
"""Members that these groups have together, at most."""

_LENGTH, _SHORTER, _PATIENCE = 0.1, 0.7, 8
"""Share of the way to the answer that is known by which steps begin, and by which they become shorter after so many
rounds without progress: a better bound by a share of the gap."""

_SHORTEST = 5e-4
"""Share from which on further steps are not worth their time."""

_PROGRESS, _MEMORY = 0.005, 0.5
"""Share of the gap that is progress, and of the direction before in the next one."""

_WIDER = 1.5
"""Times the loss that groups may make, in a further round, where few of them made it."""

_ROUNDING = 1e-12
"""Share by which the bound is raised: the greatest rounding error of sums of this size."""

_AT_A_TIME = 1_000
"""Groups that are worth a thread."""


class Prices:
    """Prices for being in a group, which subgradient steps improve.

    D(u) = sum of people's prices + sum over groups of max(0, profit) bounds the worth of any groups: whoever is put
    into one pays the price to herself, and no group makes more than its profit. Every profile may have any price.

    Most groups never make a profit. Steps are taken by those alone that made the greatest, or the least loss, when all
    were priced; whether a bound holds is found out by pricing all of them.

    Parameters
    ----------
    group_of : (p,) the group of each profile in a choice that is known; NO_GROUP where it is in none. Prices begin
        halfway between the worth of a profile there and its greatest worth.
    """

    def __init__(self, listing: GroupListing, group_of: IntArray) -> None:
        self._listing, groups = listing, listing.groups
        self._people = groups.people.astype(float)
        best = first_prices(groups, listing.held)
        worth = np.where(group_of == NO_GROUP, 0.0, np.append(groups.values, 0.0)[group_of])
        self.bound = np.inf  # the least so far, dollars
        self.prices: FloatArray = (best + groups.weights * worth) / 2  # (p,) dollars a person, at which the bound is
        self._now, self._direction = self.prices, np.zeros(len(best))
        self._length, self._waited = _LENGTH, 0
        self._loss = float(groups.values.max(initial=0.0))

    @property
    def is_stalled(self) -> bool:
        """Whether steps have become so short that the bound will hardly be better."""
        return self._length < _SHORTEST

    def _profits(self, listing: GroupListing, prices: FloatArray, floor: float) -> FloatArray:
        """Return the profit of each group, (g,) dollars, at prices, (p,); -infinity below ``floor``."""
        profits, asked = np.empty(len(listing.nodes)), self._asked(prices)
        run_in_slices(
            lambda start, stop: price_groups(asked, listing.groups, start, stop, floor, profits),
            len(profits),
            least=_AT_A_TIME,
        )
        return profits

    def _asked(self, prices: FloatArray) -> FloatArray:
        return np.stack([prices, self._listing.groups.weights, self._people], axis=1)

    def improve(self, found: float) -> None:
        """Price all groups, and those that matter some times more, where groups worth ``found`` dollars are known."""
        profits = self._profits(self._listing, self._now, -self._loss)
        bound = self._bound_at(profits)
        if bound < self.bound:
            self.bound, self.prices = bound, self._now
        part = self._most_profitable(profits)
        self._step(self._listing, profits, bound, found)
        best, prices = np.inf, self._now
        for _ in range(_BETWEEN):
            profits = self._profits(part, self._now, 0.0)
            bound = self._bound_at(profits)
            self._waited = 0 if bound < best - _PROGRESS * max(min(best, 2 * bound) - found, 0.0) else self._waited + 1
            if bound < best:
                best, prices = bound, self._now
            if self._waited < _PATIENCE:
                self._step(part, profits, bound, found)
            else:
                self._length, self._waited, self._now = self._length * _SHORTER, 0, prices
                self._direction = np.zeros(len(prices))
        self._now = prices
        if part is self._listing and best < self.bound:
            self.bound, self.prices = best, prices

    def _bound_at(self, profits: FloatArray) -> float:
        bound = dot(self._people, self._now) + float(profits[profits > 0].sum())
        return bound + _ROUNDING * abs(bound)

    def _most_profitable(self, profits: FloatArray) -> GroupListing:
        """Return the groups of the greatest profit; how much they may lose next time depends on how many they are."""
        some = self._of_greatest(profits, _PART)
        known = profits[some]
        if np.isfinite(profits).sum() > len(some) > 0:
            self._loss = max(-float(known.min()), 0.0)
        else:
            self._loss *= _WIDER
        return self._listing if len(some) == len(profits) else self._listing.only(some)

    def _step(self, listing: GroupListing, profits: FloatArray, bound: float, found: float) -> None:
        """Move prices towards those at which every profile is taken once, at the profits that groups make now."""
        groups, prices = listing.groups, self._now
        used = np.zeros(len(prices))
        use_profiles(self._asked(prices), groups, np.flatnonzero(profits > 0), used)
        direction = used - 1.0 + _MEMORY * self._direction
        direction[(prices <= 0) & (direction < 0)] = 0.0
        scale = np.where(groups.weights > 0, groups.weights, groups.weights.mean())  # prices are as unequal as weights
        steepness = dot(self._people * scale, (used - 1.0) * direction)
        if steepness <= 0:
            steepness = dot(self._people * scale, direction * direction)
        if steepness > 0:
            step = self._length * max(bound - found, 0.0) / steepness
            self._now = np.maximum(prices + step * scale * direction, 0.0)
        self._direction = direction

    def best_groups(self, floor: float, most: int) -> IntArray:
        """Return the groups, (k,) ascending, of the greatest profit at the prices of the bound, ``floor`` or more."""
        return self._of_greatest(self._profits(self._listing, self.prices, floor), most)

    def _of_greatest(self, profits: FloatArray, most: int) -> IntArray:
        some = np.flatnonzero(profits > -np.inf)
        some = some[np.argsort(-profits[some], kind="stable")]
        return np.sort(some[np.cumsum(np.diff(self._listing.groups.starts)[some]) <= most])
