"""Find groups of great worth, and a bound that none can exceed: step by step, until time or steps are used up."""

from time import monotonic

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.choices import BoundName
from gamedeid.game.groups.prices import Prices
from gamedeid.game.groups.problem import GroupListing, GroupProblem, list_groups, number_groups, order_by_value
from gamedeid.game.groups.program import solve_program, worth_of
from gamedeid.kernels.group_opening import NO_GROUP, Placement, open_groups
from gamedeid.kernels.group_prices import first_prices
from gamedeid.kernels.group_repair import Neighbourhoods, Proposals, accept_repairs, propose_repairs
from gamedeid.kernels.group_rules import KeptTables, keeps_rules
from gamedeid.kernels.tables import WITHHELD
from gamedeid.parallel import run_in_slices
from gamedeid.progress import Progress, unreported

_TRIES, _PROFILES_A_TRY = 64, 128
"""Least number of neighbourhoods that are searched in one step, and profiles for each more. Each is searched alone, so
that the answer does not depend on the cores."""

_REPAIRS, _NOISE, _MOST_PROFILES = 4, 0.004, 1000
"""Repairs of each, share of V by which the order of groups is disturbed, and most profiles that are freed together."""


class NeighbourhoodSearch:
    """A large-neighbourhood search: steps that destroy and repair some of the open groups, among those that may be.

    Parameters
    ----------
    listing : groups that may be open, from the greatest value down.
    kept : rules for kept columns in groups.
    group_of : (p,) the first group of each profile; NO_GROUP if it is in none.
    prices : (p,) price of a person of each profile, dollars.
    """

    def __init__(self, listing: GroupListing, kept: KeptTables, group_of: IntArray, prices: FloatArray) -> None:
        self._listing, self._kept = listing, kept
        groups, count = listing.groups, len(listing.nodes)
        placed = np.flatnonzero(group_of != NO_GROUP)
        held, shown = np.zeros(count, np.int64), np.zeros((count, kept.counts.shape[1]), np.int64)
        np.add.at(held, group_of[placed], groups.people[placed])
        if len(kept.kinds):
            np.add.at(shown, group_of[placed], kept.counts[placed])
        self.placement = Placement(group_of.copy(), held, shown, np.full(count, -1, np.int64))
        starts, groups_of = listing.by_profile()
        scale = float(groups.values.max(initial=0.0))
        most = min(_MOST_PROFILES, len(group_of))
        self._around = Neighbourhoods(starts, groups_of, prices, most, _REPAIRS, _NOISE * scale)
        self._tries = max(_TRIES, len(group_of) // _PROFILES_A_TRY)
        shape = (self._tries, most)
        self._proposals = Proposals(
            np.zeros(self._tries), np.zeros(self._tries, np.int64), np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        )

    def improve(self, step: int) -> float:
        """Search some neighbourhoods; return the gain, dollars, 0 or more."""
        groups, kept, placement, proposals = self._listing.groups, self._kept, self.placement, self._proposals
        if not len(groups.values):
            return 0.0

        def propose(start: int, stop: int) -> None:
            propose_repairs(groups, kept, placement, self._around, step, start, stop, proposals)

        run_in_slices(propose, self._tries, least=4)
        return float(accept_repairs(groups, kept, placement, step, proposals))


STEPS, _NO_LIMIT = 400, 2**40
"""Most steps of the search if neither steps nor seconds are given, and if only seconds are given."""

OPTIMAL = 1e-4
"""Share of the bound: an answer within it is called optimal."""

_FIRST_PRICINGS, _PRICING_INTERVAL, _WEIGHTED_PRICINGS = 12, 20, 6
"""Steps of prices before anything else; steps from one later step of prices to the next; and steps for a bound with
other weights of people."""

_PRICING_SHARE = 0.4
"""Greatest share of the seconds that the first steps of prices take."""

_PATIENCE, _LEAST_GAIN = 60, 5e-4
"""Steps after which the search ends if they gained nothing; or no more than this share of the worth, if neither steps
nor seconds are given."""

_REFRESH_INTERVAL = 120
"""Steps after which the groups for repairs are chosen anew."""

_REPAIR_MEMBERS, _REPAIR_LOSS = 2_500_000, 2.0
"""Most members of the groups for repairs, and most loss of such a group at the prices, as a multiple of V."""

_PROGRAM_LOSS, _PROGRAM_MEMBERS, _PROGRAM_PAIRS = 0.01, 3_000_000, 3_000
"""Most loss of a group of the integer program at the prices, as a multiple of V; most members of its groups; and most
members of all groups with which all are in the program, so that it proves its answer."""

_STRATEGIES_TOGETHER = 50
"""Strategies that are tried for profiles in no group, before those that have found one are left out."""

_HISTORY = 200
"""Most points of the history."""


def is_optimal(worth: float, bound: float) -> bool:
    """Return whether an answer is called optimal: it is within a ten-thousandth of the bound."""
    return bool(np.isfinite(bound)) and bound - worth <= OPTIMAL * abs(bound)


class GroupSearch:
    """A search for groups of great worth.

    Groups are opened greedily, the most valuable first. Rounds of prices for people bound the worth of any groups,
    and show the promising ones. Where groups may be open for a fee, the integer program over these is solved, which
    is close to the bound. Steps of destroying and repairing groups follow.

    Parameters
    ----------
    problem : the people to be put into groups, and the worth of groups.
    worth : dollars in all of the best groups so far.
    history : (step, worth, bound) as they became better.
    """

    def __init__(self, problem: GroupProblem) -> None:
        self._problem = problem
        self._begun = monotonic()
        self._end = self._priced_until = np.inf
        self._timed, self._most_steps, self._least_gain = False, 0, 0.0
        self._gains: list[float] = []
        self._progress: Progress = unreported
        self._listing = list_groups(problem)
        self._program_bound = np.inf
        self.worth = 0.0
        self._group_of = np.full(len(problem.people), NO_GROUP, np.int64)
        self._open_greedily(np.arange(len(self._listing.nodes)), np.zeros(len(problem.people)))
        self._prices = Prices(self._listing, self._group_of)
        self.steps = 0
        self.history: list[tuple[int, float, float]] = []

    @property
    def bound(self) -> float:
        """Total dollars that no groups can exceed; infinite if unknown."""
        return min(self._prices.bound, self._program_bound) if self._listing.complete else np.inf

    @property
    def bound_by(self) -> BoundName:
        """The proof of the bound."""
        return "integer program" if self._program_bound < self._prices.bound else "prices"

    @property
    def person_bounds(self) -> FloatArray:
        """Most dollars, (p,), that a person of each profile can be worth, whatever the groups of all others."""
        unweighted = self._listing.groups._replace(weights=np.ones(len(self._problem.people)))
        best = first_prices(unweighted, self._listing.held)
        return np.maximum(best, self._problem.best_values(self._listing.left))

    def bound_with_weights(self, weights: FloatArray, found: float) -> float:
        """Return the total dollars that no groups can exceed with other weights of a person of each profile, (p,)."""
        if not self._listing.complete:
            return np.inf
        prices = Prices(self._listing.with_weights(weights), self._group_of)
        for _ in range(_WEIGHTED_PRICINGS):
            prices.improve(found)
        return prices.bound

    def run(
        self, *, steps: int | None = None, seconds: float | None = None, progress: Progress = unreported
    ) -> IntArray:
        """Take steps, and return the strategy of each profile, (p,) int64; ``WITHHELD`` where it is in no group.

        Parameters
        ----------
        steps : 0 or more; the same number has the same answer on every machine. (default: without ``seconds`` 400 at
            most, and the search ends where further steps gain little)
        seconds : from the listing of groups on; no step begins later. With ``seconds``, an interruption ends the search
            too, and the best groups so far are kept. (default: no limit)
        progress : called with (steps done, all steps), or with seconds if these alone end the search.
        """
        if steps is None:
            self._timed = seconds is not None
            steps, self._least_gain = (_NO_LIMIT, 0.0) if self._timed else (STEPS, _LEAST_GAIN)
        self._most_steps, self._progress = steps, progress
        if seconds is not None:
            now = monotonic()
            self._end = self._begun + seconds
            self._priced_until = now + _PRICING_SHARE * (self._end - now)
        try:
            self._run_steps()
        except KeyboardInterrupt:
            if seconds is None:
                raise
        nodes = np.append(self._listing.nodes, WITHHELD)[self._group_of].astype(np.int64)
        if not self._listing.complete:
            self.worth += self._place_others(nodes)
        if len(self.history) > _HISTORY:
            shown = np.unique(np.linspace(0, len(self.history) - 1, _HISTORY).astype(int))
            self.history = [self.history[place] for place in shown.tolist()]
        return nodes

    def _is_over(self) -> bool:
        return is_optimal(self.worth, self.bound) or monotonic() >= self._end

    def _open_greedily(self, some: IntArray, prices: FloatArray) -> None:
        """Open some groups greedily, the most valuable at prices first; the answer is kept if it is better."""
        nothing, group_of = np.zeros(len(prices)), np.empty(len(prices), np.int64)
        only_needed = 0.0 if (self._problem.weights > 0).all() else 1.0  # people of weight 0 are left for other groups
        groups = (self._listing if len(some) == len(self._listing.nodes) else self._listing.only(some)).groups
        open_groups(groups, self._problem.kept, nothing, prices, np.zeros(1, np.uint64), 0.0, only_needed, group_of)
        group_of = np.append(some, NO_GROUP)[group_of]
        worth = worth_of(self._listing, group_of)
        if worth > self.worth:
            self.worth, self._group_of = worth, group_of

    def _run_steps(self) -> None:
        """Price, solve and repair until the search is over."""
        steps = self._most_steps
        if steps and len(self._listing.groups.members) <= _PROGRAM_PAIRS:
            self._solve(np.arange(len(self._listing.nodes)), np.inf)
        while self.steps < min(_FIRST_PRICINGS, steps) and monotonic() < self._priced_until and not self._is_over():
            self._price()
        benefit = float(self._listing.groups.values.max(initial=0.0))
        if self.steps:
            self._open_greedily(self._prices.best_groups(-_REPAIR_LOSS * benefit, _REPAIR_MEMBERS), self._prices.prices)
        if self.steps < steps and not self._is_over() and self._problem.fee < np.inf:
            self._solve(self._prices.best_groups(-_PROGRAM_LOSS * benefit, _PROGRAM_MEMBERS), _PROGRAM_LOSS * benefit)
            self._record_progress()
        goes_on = True
        while goes_on and self.steps < steps and not self._is_over():
            goes_on = self._repair(min(_REFRESH_INTERVAL, steps - self.steps), benefit)

    def _place_others(self, nodes: IntArray) -> float:
        """Put profiles in no group into groups that are not listed, in ``nodes``, (p,); return the worth added."""
        problem, gained = self._problem, 0.0
        kept, rules = problem.kept, len(problem.kept.kinds)
        strategies, free = order_by_value(problem, self._listing.left), np.flatnonzero(nodes == WITHHELD)
        for first in range(0, len(strategies), _STRATEGIES_TOGETHER):
            some = strategies[first : first + _STRATEGIES_TOGETHER]
            free = free[nodes[free] == WITHHELD]
            for node, (keys, count) in zip(some.tolist(), number_groups(problem, free, some), strict=True):
                values = problem.values(node, free)
                is_free = (nodes[free] == WITHHELD) & (values > 0)
                held = np.bincount(keys, problem.people[free] * is_free, count)
                weights = problem.people[free] * problem.weights[free]
                worth = np.bincount(keys, weights * np.where(is_free, values, 0.0), count)
                may_open = (held > 0) & ((held >= problem.least) | (worth > problem.fee))
                for one in np.flatnonzero(may_open).tolist() if rules else ():
                    may_open[one] = keeps_rules(kept.counts[free[is_free & (keys == one)]].sum(axis=0), kept)
                small = int((may_open & (held < problem.least)).sum())
                gained += float(worth[may_open].sum()) - (problem.fee * small if small else 0.0)
                nodes[free[is_free & may_open[keys]]] = node
        return gained

    def _record_progress(self) -> None:
        if self._timed:
            self._progress(int(monotonic() - self._begun), int(self._end - self._begun))
        else:
            self._progress(self.steps, self._most_steps)
        now = (self.steps, self.worth, self.bound)
        if not self.history or self.history[-1][1:] != now[1:]:
            self.history.append(now)

    def _price(self) -> None:
        self._prices.improve(self.worth)
        self.steps += 1
        self._record_progress()

    def _solve(self, some: IntArray, most_lost: float) -> None:
        """Solve the integer program over some of the groups; the answer is kept if it is better."""
        if len(self._problem.kept.kinds):
            return  # it does not have the rules for kept columns
        some = np.union1d(some, self._group_of[self._group_of != NO_GROUP])
        part = self._listing.only(some)
        solved = solve_program(part, _renumbered(self._group_of, some), self._prices.prices, most_lost)
        if solved is None:
            return
        if solved.worth > self.worth:
            self.worth = solved.worth
            self._group_of = np.where(solved.group_of == NO_GROUP, NO_GROUP, some[solved.group_of])
        if len(some) == len(self._listing.nodes) and most_lost == np.inf and self._listing.complete:
            self._program_bound = solved.bound + 1e-9 * abs(solved.bound)

    def _repair(self, steps: int, benefit: float) -> bool:
        """Take some steps of repairs, with steps of prices between them; return whether further ones may gain more."""
        candidates = self._prices.best_groups(-_REPAIR_LOSS * benefit, _REPAIR_MEMBERS)
        some = np.union1d(candidates, self._group_of[self._group_of != NO_GROUP])
        some = some[np.argsort(-self._listing.groups.values[some], kind="stable")]
        repairs = NeighbourhoodSearch(
            self._listing.only(some), self._problem.kept, _renumbered(self._group_of, some), self._prices.prices
        )
        patience, goes_on = min(_PATIENCE, 4 + len(some)), True
        try:
            for _ in range(steps):
                latest = self._gains[-patience:]
                goes_on = len(latest) < patience or sum(latest) > self._least_gain * self.worth
                if not goes_on or self._is_over():
                    break
                if self.steps % _PRICING_INTERVAL == 0 and not self._prices.is_stalled and self._listing.complete:
                    self._price()
                    continue
                self._gains.append(repairs.improve(self.steps))
                self.worth += self._gains[-1]
                self.steps += 1
                self._record_progress()
        finally:
            after = repairs.placement.group_of
            self._group_of = np.where(after == NO_GROUP, NO_GROUP, some[after])
            self.worth = worth_of(self._listing, self._group_of)  # without the rounding of many gains
        return goes_on


def _renumbered(group_of: IntArray, some: IntArray) -> IntArray:
    """Return the places in ``some``, (k,) distinct numbers of groups, of the group of each profile, (p,)."""
    order = np.argsort(some, kind="stable")
    places = order[np.minimum(np.searchsorted(some[order], group_of), len(some) - 1)] if len(some) else group_of
    return np.where(group_of == NO_GROUP, NO_GROUP, places)
