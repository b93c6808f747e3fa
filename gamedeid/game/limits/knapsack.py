"""A multiple-choice knapsack with several constraints, and its Lagrangian bound: the prices that prove it."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.reprs import frozen


@frozen(eq=False, slots=False)
class Knapsack:
    """Take one item of each group so that the worth is greatest and no use is above its limit."""

    starts: IntArray  # (q + 1,) int64, where the items of each group begin; each has at least one
    worth: FloatArray  # (e,) gain of taking an item
    uses: FloatArray  # (k, e) how much of each limit an item takes; may be below 0
    allowed: FloatArray  # (k,) how much of each limit there is
    tolerance: FloatArray  # (k,) by how much sums may exceed it, since they round
    equal: float  # two worths that differ by no more are equal; above 0

    @property
    def groups(self) -> int:
        """How many groups q there are."""
        return len(self.starts) - 1

    @cached_property
    def group_of(self) -> IntArray:
        """The group of each item, (e,)."""
        return np.repeat(np.arange(self.groups), np.diff(self.starts))

    def best(self, amounts: FloatArray) -> tuple[FloatArray, IntArray]:
        """Return the greatest of amounts, (e,), in each group, (q,), and the first of its items that has it, (q,)."""
        greatest = np.maximum.reduceat(amounts, self.starts[:-1])
        items = np.flatnonzero(amounts == greatest[self.group_of])
        first = np.searchsorted(self.group_of[items], np.arange(self.groups))
        return greatest, items[first]

    def used(self, items: IntArray) -> FloatArray:
        """Return the sum of each use, (k,), over one item of each group, (q,)."""
        sums: FloatArray = self.uses[:, items].sum(axis=1)
        return sums

    def keeps(self, items: IntArray) -> bool:
        """Return whether one item of each group, (q,), is within all limits."""
        return bool((self.used(items) <= self.allowed + self.tolerance).all())

    def total(self, items: IntArray) -> float:
        """Return the worth of one item of each group, (q,)."""
        return float(self.worth[items].sum())

    def within(self, limits: Sequence[int]) -> "Knapsack":
        """Return the same choices within some of the limits, by their numbers."""
        rows = list(limits)
        return replace(self, uses=self.uses[rows], allowed=self.allowed[rows], tolerance=self.tolerance[rows])


_MOST_CUTS = 1000
"""Cuts after which the search for prices ends; those found are still a proved bound."""

_CLOSE = 1e-9
"""Share of the range of worths by which two bounds may differ and be equal: the linear program rounds."""

_SOLVER_TOLERANCES = "primal_feasibility_tolerance: 1e-10 dual_feasibility_tolerance: 1e-10"
"""Tolerances of the linear program; its defaults suit larger programs."""

_PRICE_GROWTH = 16.0
"""Factor by which the greatest price considered grows if the best price reaches it."""


@frozen(eq=False)
class LagrangianBound:
    """An upper bound on all choices within the limits, and the prices that prove it.

    For any prices p >= 0, no choice within the limits is worth more than the sum over the groups of the greatest
    worth less p times uses, plus p times the limits.
    """

    amount: float
    prices: FloatArray  # (k,) of one unit of each limit, >= 0
    items: IntArray  # (q,) the first item of each group that is best at these prices
    used: FloatArray  # (k,) how much these items use


def bound_at(knapsack: Knapsack, prices: FloatArray) -> LagrangianBound:
    """Return the bound that prices, (k,) >= 0, prove."""
    greatest, items = knapsack.best(knapsack.worth - prices @ knapsack.uses)
    amount = float(greatest.sum() + prices @ knapsack.allowed)
    return LagrangianBound(amount=amount, prices=prices, items=items, used=knapsack.used(items))


def least_bound(knapsack: Knapsack, together: Sequence[Sequence[int]]) -> tuple[LagrangianBound, FloatArray]:
    """Return the least bound, and the least sum of prices that some limits have in any prices that prove it.

    The bound is a convex, piecewise linear function of the prices: each evaluation gives a plane below it, and a small
    linear program finds where the planes are lowest (Kelley's method, a plane for each evaluation). The least price of
    a limit is the derivative of the bound when more of that limit is allowed. ``together`` are lists of numbers of
    limits that rise together; each list has one price, (s,).
    """
    scale = np.maximum(np.abs(knapsack.uses).max(axis=1, initial=0.0), 1e-12)
    planes = _CuttingPlanes(knapsack, scale)
    close = _CLOSE * planes.worth
    best = planes.evaluate(np.zeros(len(scale)))
    for _ in range(_MOST_CUTS):
        lowest = planes.lowest()
        if lowest is None:
            break
        below, prices, at_edge = lowest
        if best.amount - below <= close and not at_edge.any():
            break
        found = planes.evaluate(prices)
        if found.amount < best.amount:
            best = found
        if found.amount - below <= close and (found.used[at_edge] <= knapsack.allowed[at_edge]).all():
            break
    return best, np.array([_least_price(planes, best, list(limits), close) for limits in together])


def _least_price(planes: "_CuttingPlanes", best: LagrangianBound, limits: list[int], close: float) -> float:
    """Return the least sum of the prices of limits among those whose bound is as low as the best."""
    price = float(best.prices[limits].sum())
    for _ in range(_MOST_CUTS if price > 0 else 0):
        prices = planes.cheapest(limits, best.amount + close)
        if prices is None or prices[limits].sum() >= price:
            return price
        if planes.evaluate(prices).amount <= best.amount + 2 * close:
            return float(prices[limits].sum())
    return price


class _CuttingPlanes:
    """Planes below the bound as a function of the prices, and the linear program over them."""

    def __init__(self, knapsack: Knapsack, scale: FloatArray) -> None:
        from ortools.linear_solver import pywraplp  # noqa: PLC0415  (slow to import; only limits need it)

        self._problem, self._scale = knapsack, scale
        self._solver: Any = pywraplp.Solver.CreateSolver("GLOP")
        self._solver.SetSolverSpecificParametersAsString(_SOLVER_TOLERANCES)
        self._from_scratch: Any = pywraplp.MPSolverParameters()  # rounding may mislead a start from the solution before
        self._from_scratch.SetIntegerParam(self._from_scratch.INCREMENTALITY, self._from_scratch.INCREMENTALITY_OFF)
        self.worth = max(float(np.ptp(knapsack.worth)), knapsack.equal)
        self._prices = [
            self._solver.NumVar(0.0, _PRICE_GROWTH * _PRICE_GROWTH, f"price{place}") for place in range(len(scale))
        ]
        self._height = self._solver.NumVar(-self._solver.infinity(), self._solver.infinity(), "height")
        self._at_zero = bound_at(knapsack, np.zeros(len(scale)))

    def evaluate(self, prices: FloatArray) -> LagrangianBound:
        """Return the bound at prices, and keep its plane."""
        found = bound_at(self._problem, prices)
        slopes = (self._problem.allowed - found.used) / self._scale
        base = (found.amount - self._at_zero.amount) / self.worth - float(slopes @ (prices * self._scale / self.worth))
        row = self._solver.Constraint(base, self._solver.infinity())
        row.SetCoefficient(self._height, 1.0)
        for price, slope in zip(self._prices, slopes.tolist(), strict=True):
            row.SetCoefficient(price, -slope)
        return found

    def lowest(self) -> tuple[float, FloatArray, BoolArray] | None:
        """Return the height of the planes where they are lowest, the prices there, and which are the highest permitted.

        These may be higher the next time. None if the linear program is not solved, not even from scratch.
        """
        objective = self._solver.Objective()
        objective.Clear()
        objective.SetCoefficient(self._height, 1.0)
        objective.SetMinimization()
        self._height.SetUb(self._solver.infinity())
        solver = self._solver
        if solver.Solve() != solver.OPTIMAL and solver.Solve(self._from_scratch) != solver.OPTIMAL:
            return None
        prices = self._solution()
        below = self._height.solution_value() * self.worth + self._at_zero.amount
        at_edge = prices >= np.array([variable.ub() for variable in self._prices]) * (1 - _CLOSE)
        for place in np.flatnonzero(at_edge).tolist():
            self._prices[place].SetUb(_PRICE_GROWTH * self._prices[place].ub())
        return below, prices * self.worth / self._scale, at_edge

    def cheapest(self, limits: list[int], at_most: float) -> FloatArray | None:
        """Return the prices with the least sum of some where the planes are no higher; None if there are none."""
        objective = self._solver.Objective()
        objective.Clear()
        for limit in limits:
            objective.SetCoefficient(self._prices[limit], float(self._scale[limits].min() / self._scale[limit]))
        objective.SetMinimization()
        self._height.SetUb((at_most - self._at_zero.amount) / self.worth)
        if self._solver.Solve() != self._solver.OPTIMAL:
            return None
        return self._solution() * self.worth / self._scale

    def _solution(self) -> FloatArray:
        return np.array([max(variable.solution_value(), 0.0) for variable in self._prices])
