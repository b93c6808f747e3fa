"""Find groups that are worth much, and a bound that none can exceed: step by step, until time or steps are used up."""

from time import monotonic

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.game.groups.listing import Listing, list_groups, strategies_by_value
from gamedeid.game.groups.prices import Prices
from gamedeid.game.groups.problem import GroupProblem
from gamedeid.game.groups.program import solve_program, worth_of
from gamedeid.game.groups.repairs import Repairs
from gamedeid.kernels.group_opening import NO_GROUP, open_groups
from gamedeid.kernels.group_rules import keeps_rules
from gamedeid.kernels.tables import WITHHELD
from gamedeid.progress import Progress, no_progress
from gamedeid.reprs import frozen

STEPS = 400
"""Steps of the search, unless the question says how many."""

OPTIMAL = 1e-4
"""Share of the bound: an answer that is within it is called optimal."""

_FIRST_ROUNDS, _MOST_ROUNDS, _ROUND_EVERY = 60, 400, 4
"""Rounds of prices before anything else, in all, and how many steps of repairs there are between later ones."""

_PATIENCE = 60
"""Steps without a gain after which the search ends."""

_REFRESH = 120
"""Steps after which the groups that repairs look at are chosen anew."""

_LOOKED_AT, _LOSS = 2_500_000, 2.0
"""Members of the groups that repairs look at, at most, and times V that such a group may lose at the prices."""

_PROGRAM_LOSS, _PROGRAM_MEMBERS, _PROGRAM_PAIRS = 0.025, 3_000_000, 3_000
"""Times V that groups of the integer program may lose at the prices, and members that they may have; and the members of
all groups up to which all are in the program, so that it proves its answer."""

_HISTORY = 200
"""Points of the history at most."""


@frozen(eq=False)
class GroupAnswer:
    """The best groups that were found.

    Parameters
    ----------
    nodes : (p,) int64, the strategy of each profile; ``WITHHELD`` where it is in no group.
    worth : dollars in all.
    bound : dollars in all that no groups can exceed; infinite where that is not known.
    bound_by : "prices" or "integer program", which proved the bound.
    steps : how many the search took.
    history : (step, worth, bound) as they became better.
    """

    nodes: IntArray
    worth: float
    bound: float
    bound_by: str
    steps: int
    history: tuple[tuple[int, float, float], ...]

    @property
    def is_optimal(self) -> bool:
        """Whether no groups are worth more, but for a ten-thousandth."""
        return bool(np.isfinite(self.bound)) and self.bound - self.worth <= OPTIMAL * abs(self.bound)


def best_groups(
    problem: GroupProblem,
    *,
    steps: int | None = None,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> GroupAnswer:
    """Return the best groups that were found, and what none can exceed.

    Groups are opened greedily, the most valuable first. Rounds of prices for people bound what any groups are worth,
    and tell which are worth a look. Where groups may be open for a fee, the integer program over these is solved, which
    is close to the bound. Steps of destroying and repairing groups follow.

    Parameters
    ----------
    problem : who is put where.
    steps : of the search, 0 or more; the same number has the same answer on every machine. (default: 400)
    seconds : after which no step is begun; no limit unless given.
    progress : called with (steps done, steps in all).
    """
    search = _Search(problem, None if seconds is None else monotonic() + seconds)
    search.run(STEPS if steps is None else steps, progress or no_progress(""))
    return search.answer()


class _Search:
    """The state of the search."""

    def __init__(self, problem: GroupProblem, end: float | None) -> None:
        self._problem, self._end = problem, end
        self._listing = list_groups(problem)
        self._prices = Prices(self._listing)
        self._group_of = np.full(len(problem.people), NO_GROUP, np.int64)
        groups = self._listing.groups
        if len(groups.values):
            nothing = np.zeros(len(groups.people))
            open_groups(
                groups, problem.kept, nothing, nothing, np.array([1], np.uint64), 0.0, 0.0, self._group_of
            )
        self._worth = worth_of(self._listing, self._group_of)
        self._program_bound = np.inf
        self._done = 0
        self._history: list[tuple[int, float, float]] = []

    @property
    def _bound(self) -> float:
        return min(self._prices.bound, self._program_bound)

    @property
    def _is_proved(self) -> bool:
        return self._bound < np.inf and self._bound - self._worth <= 1e-9 * abs(self._bound)

    def _is_over(self) -> bool:
        return self._is_proved or (self._end is not None and monotonic() >= self._end)

    def run(self, steps: int, progress: Progress) -> None:
        """Take steps."""
        first = min(_FIRST_ROUNDS, steps)
        if steps and len(self._listing.groups.members) <= _PROGRAM_PAIRS:
            self._solve(np.arange(len(self._listing.nodes)), np.inf)
        while self._done < first and not self._is_over():
            self._price(progress, steps)
        benefit = float(self._listing.groups.values.max(initial=0.0))
        if self._done < steps and not self._is_over() and self._problem.fee < np.inf:
            self._solve(
                self._prices.best_groups(-_PROGRAM_LOSS * benefit, _PROGRAM_MEMBERS), _PROGRAM_LOSS * benefit
            )
            self._note(progress, steps)
        waited = 0
        while self._done < steps and waited < _PATIENCE and not self._is_over():
            gained = self._repair(min(_REFRESH, steps - self._done), benefit, progress, steps)
            waited = 0 if gained > 0 else waited + _REFRESH

    def _note(self, progress: Progress, steps: int) -> None:
        progress(self._done, steps)
        now = (self._done, self._worth, self._bound)
        if not self._history or self._history[-1][1:] != now[1:]:
            self._history.append(now)

    def _price(self, progress: Progress, steps: int) -> None:
        self._prices.improve(self._worth)
        self._done += 1
        self._note(progress, steps)

    def _solve(self, some: IntArray, most_lost: float) -> None:
        """Solve the integer program over some of the groups; the answer is kept where it is better."""
        if len(self._problem.kept.kinds):
            return  # it does not know the rules of kept columns
        some = np.union1d(some, self._group_of[self._group_of != NO_GROUP])
        part = self._listing.only(some)
        solved = solve_program(part, _renumbered(self._group_of, some), self._prices.prices, most_lost)
        if solved is None:
            return
        if solved.worth > self._worth:
            self._worth = solved.worth
            self._group_of = np.where(solved.group_of == NO_GROUP, NO_GROUP, some[solved.group_of])
        if len(some) == len(self._listing.nodes) and most_lost == np.inf and self._listing.complete:
            self._program_bound = solved.bound + 1e-9 * abs(solved.bound)

    def _repair(self, steps: int, benefit: float, progress: Progress, all_steps: int) -> float:
        """Take some steps of repairs, with a round of prices now and then; return what they gain, dollars."""
        looked_at = self._prices.best_groups(-_LOSS * benefit, _LOOKED_AT)
        some = np.union1d(looked_at, self._group_of[self._group_of != NO_GROUP])
        some = some[np.argsort(-self._listing.groups.values[some], kind="stable")]
        repairs = Repairs(
            self._listing.only(some), self._problem.kept, _renumbered(self._group_of, some), self._prices.prices
        )
        gained = 0.0
        for _ in range(steps):
            if self._is_over():
                break
            if self._done % _ROUND_EVERY == 0 and self._prices.rounds < _MOST_ROUNDS and self._listing.complete:
                self._price(progress, all_steps)
                continue
            gain = repairs.improve(self._done)
            gained += gain
            self._worth += gain
            self._done += 1
            self._note(progress, all_steps)
        after = repairs.placement.group_of
        self._group_of = np.where(after == NO_GROUP, NO_GROUP, some[after])
        self._worth = worth_of(self._listing, self._group_of)  # without the rounding of many gains
        return gained

    def answer(self) -> GroupAnswer:
        """Return the best groups, with everybody whom the listed groups leave in one of another strategy."""
        nodes = np.append(self._listing.nodes, WITHHELD)[self._group_of].astype(np.int64)
        worth, bound = self._worth, self._bound
        if not self._listing.complete:
            worth, bound = worth + _place_others(self._problem, nodes), np.inf
        history = self._history
        if len(history) > _HISTORY:
            kept = np.unique(np.linspace(0, len(history) - 1, _HISTORY).astype(int))
            history = [history[place] for place in kept.tolist()]
        by = "integer program" if self._program_bound < self._prices.bound else "prices"
        return GroupAnswer(
            nodes=nodes, worth=worth, bound=max(bound, worth), bound_by=by, steps=self._done, history=tuple(history)
        )


def _renumbered(group_of: IntArray, some: IntArray) -> IntArray:
    """Return the places in ``some``, (k,) distinct numbers of groups, of the group of each profile, (p,)."""
    order = np.argsort(some, kind="stable")
    places = order[np.minimum(np.searchsorted(some[order], group_of), len(some) - 1)] if len(some) else group_of
    return np.where(group_of == NO_GROUP, NO_GROUP, places)


def _place_others(problem: GroupProblem, nodes: IntArray) -> float:
    """Put profiles that have no strategy into groups of those alone, the most valuable strategy first.

    Returns
    -------
    what that is worth, dollars; ``nodes``, (p,), is changed.
    """
    gained = 0.0
    for node in strategies_by_value(problem).tolist():
        free = np.flatnonzero(nodes == WITHHELD)
        values = problem.values(node, free)
        free, values = free[values > 0], values[values > 0]
        if not len(free):
            continue
        _, group = np.unique(problem.keys_at(node, free), return_inverse=True)
        held = np.bincount(group, problem.people[free])
        worth = np.bincount(group, problem.people[free] * problem.weights[free] * values)
        fine = (held >= problem.least) | (worth > problem.fee)
        for one in np.flatnonzero(fine).tolist() if len(problem.kept.kinds) else ():
            fine[one] = keeps_rules(problem.kept.counts[free[group == one]].sum(axis=0), problem.kept)
        small = int((fine & (held < problem.least)).sum())
        gained += float(worth[fine].sum()) - (problem.fee * small if small else 0.0)
        nodes[free[fine[group]]] = node
    return gained
