"""Choices within limits: prices settle most groups, and a small integer program settles the rest."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.game.limits.knapsack import Knapsack, least_bound
from gamedeid.reprs import frozen

_FIRST_ITEMS = 400
"""Items of the first program, those of the least regret: a better choice makes the second one smaller."""

_EFFORT, _SMALL, _EFFORT_OF_SMALL = 0.1, 2_000, 1.0
"""Deterministic seconds for a program, most items of a small knapsack, and deterministic seconds for a small one.

They are the same on every machine, unlike those of a clock.
"""

_MOST_SUM = 2**59
"""Sums of whole numbers stay below this."""


@frozen(eq=False)
class KnapsackSolution:
    """One item for each group, within the limits."""

    items: IntArray  # (q,) the items
    worth: float
    bound: float  # upper bound of all choices within the limits; at least ``worth``
    by_prices: float  # the upper bound that prices prove: at least ``bound``


def best_items(
    knapsack: Knapsack, known: IntArray, together: Sequence[Sequence[int]] = ()
) -> tuple[KnapsackSolution, FloatArray]:
    """Return the best choice within the limits that is found, with a proved bound, and the prices, (s,), of limits.

    First items are changed one by one, in the order of their regret: how much less they are worth at the prices than
    the best of their group. In a choice that is better than the one found then, no group takes an item whose regret
    exceeds the distance of that choice from the bound: only the other items have to be considered. They are the core,
    an integer program, which CP-SAT solves with one worker and an effort that is the same on every machine.

    Parameters
    ----------
    known : (q,) an item of each group, within the limits; the answer is no worse.
    together : lists of numbers of limits, each with one price, the least possible (default: no prices).
    """
    bound, prices = least_bound(knapsack, together)
    reduced = knapsack.worth - bound.prices @ knapsack.uses
    regret = np.maximum(reduced[bound.items][knapsack.group_of] - reduced, 0.0)
    found = _greedy_items(knapsack, regret, bound.items)
    if found is None or knapsack.total(found) < knapsack.total(known):
        found = known
    by_prices = max(bound.amount, knapsack.total(found))
    best = KnapsackSolution(items=found, worth=knapsack.total(found), bound=by_prices, by_prices=by_prices)
    for most in (_FIRST_ITEMS, None):
        if best.bound - best.worth <= knapsack.equal:
            break
        may_improve = regret <= best.bound - best.worth + knapsack.equal
        considered = may_improve if most is None else may_improve & (regret <= _smallest(regret[may_improve], most))
        if most is not None and (considered == may_improve).all():
            continue
        effort = _EFFORT_OF_SMALL if len(knapsack.worth) <= _SMALL else _EFFORT
        solved = _solve_core(knapsack, considered, best.items, effort=effort)
        if solved is not None and solved.worth >= best.worth:
            proved = min(bound.amount, solved.bound) if most is None else bound.amount
            best = replace(solved, bound=max(proved, solved.worth), by_prices=max(by_prices, solved.worth))
    return best, prices


def _smallest(amounts: FloatArray, count: int) -> float:
    """Return the greatest of the ``count`` smallest amounts."""
    return float(np.partition(amounts, count - 1)[count - 1]) if len(amounts) > count else np.inf


def _solve_core(knapsack: Knapsack, items: BoolArray, fixed: IntArray, *, effort: float) -> KnapsackSolution | None:
    """Return the best choice among some items, (e,), and those of ``fixed``, (q,), a choice within the limits.

    Its bound holds for these items only. None if no choice was found within ``effort`` deterministic seconds.
    """
    from ortools.sat.python import cp_model  # noqa: PLC0415  (slow to import; only limits need it)

    items = items.copy()
    items[fixed] = True
    counts = np.add.reduceat(items.astype(np.int64), knapsack.starts[:-1])
    is_open = counts > 1
    places = np.flatnonzero(items & is_open[knapsack.group_of])
    group, number = np.unique(knapsack.group_of[places], return_inverse=True)
    if not len(group):
        worth = knapsack.total(fixed)
        return KnapsackSolution(items=fixed, worth=worth, bound=worth, by_prices=np.inf)
    model: Any = cp_model.CpModel()
    variables = [model.new_bool_var("") for _ in places]
    for run in np.split(np.arange(len(number)), np.flatnonzero(np.diff(number)) + 1):
        model.add_exactly_one(variables[place] for place in run.tolist())
    room = knapsack.allowed - knapsack.used(fixed) + knapsack.uses[:, fixed[group]].sum(axis=1)
    is_exact = True
    for limit in range(len(room)):
        wanted = knapsack.tolerance[limit] / len(group)  # so that rounding adds at most half of the tolerance
        unit = _whole_number_unit(knapsack.uses[limit, places], wanted)
        is_exact &= unit == wanted
        slack = wanted / 2 if unit == wanted else -unit / 2
        whole = np.rint(knapsack.uses[limit, places] / unit).astype(np.int64).tolist()
        most = int(np.floor((room[limit] + len(group) * slack) / unit))
        model.add(cp_model.LinearExpr.weighted_sum(variables, whole) <= most)
    gains = knapsack.worth[places] - knapsack.worth[fixed[group]][number]
    unit = _whole_number_unit(gains, knapsack.equal / (2 * len(group)))
    model.maximize(cp_model.LinearExpr.weighted_sum(variables, np.rint(gains / unit).astype(np.int64).tolist()))
    for variable, is_taken in zip(variables, np.isin(places, fixed).tolist(), strict=True):
        model.add_hint(variable, is_taken)
    solver: Any = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0
    solver.parameters.max_deterministic_time = effort
    status = solver.solve(model)
    if status not in {cp_model.OPTIMAL, cp_model.FEASIBLE}:
        return None
    taken = np.array([solver.boolean_value(variable) for variable in variables])
    chosen = fixed.copy()
    chosen[group] = places[taken]
    if not knapsack.keeps(chosen):
        return None
    worth = knapsack.total(chosen)
    rounding = unit * len(group)
    bound = knapsack.total(fixed) + solver.best_objective_bound * unit + rounding if is_exact else np.inf
    return KnapsackSolution(items=chosen, worth=worth, bound=max(bound, worth), by_prices=np.inf)


def _whole_number_unit(amounts: Any, wanted: float) -> float:
    """Return the unit by which amounts become whole numbers: the wanted one, or a greater if sums would overflow."""
    return max(wanted, float(np.abs(amounts).sum()) / _MOST_SUM)


_MOST_TRIED = 5_000
"""Most items, those of the least regret, that are tried once the limits are kept."""


def _greedy_items(knapsack: Knapsack, regret: FloatArray, items: IntArray) -> IntArray | None:
    """Return a choice, (q,), within the limits near to ``items``, (q,), in the order of regret, (e,); None if none is.

    While a limit is exceeded, an item that lessens the excess is taken; then every item that fits and is worth more
    than the item of its group.
    """
    chosen = items.copy()
    scale = 1.0 / np.maximum(np.abs(knapsack.uses).max(axis=1, initial=0.0), 1e-300)
    uses, most = knapsack.uses * scale[:, None], (knapsack.allowed + knapsack.tolerance / 2) * scale
    others = regret.copy()
    others[items] = np.inf
    order = np.argsort(others, kind="stable")[: len(others) - len(items)].tolist()
    used = uses[:, chosen].sum(axis=1)
    for repairs in (True, False):
        for item in order if repairs else order[:_MOST_TRIED]:
            over = np.maximum(used - most, 0.0).sum()
            if repairs and over == 0:
                break
            group = knapsack.group_of[item]
            after = used + uses[:, item] - uses[:, chosen[group]]
            still = np.maximum(after - most, 0.0).sum()
            if still < over if repairs else still == 0 and knapsack.worth[item] > knapsack.worth[chosen[group]]:
                chosen[group], used = item, after
        if np.maximum(used - most, 0.0).any():
            return None
    return chosen if knapsack.keeps(chosen) else None


def items_of_least_use(knapsack: Knapsack, limit: int, rows: Sequence[int], known: IntArray) -> IntArray:
    """Return a choice, (q,), that uses little of one limit and keeps others, ``rows``, as ``known``, (q,), does."""
    wanted = replace(
        knapsack.within(rows),
        worth=-knapsack.uses[limit],
        equal=max(float(knapsack.tolerance[limit]), _LEAST_TOLERANCE),
    )
    return best_items(wanted, known)[0].items


def feasible_items(knapsack: Knapsack, rows: Sequence[int], demands: Sequence[int]) -> IntArray | None:
    """Return a choice, (q,), within limits; None where none is found."""
    known, kept = knapsack.starts[1:] - 1, list(rows)
    for demand in demands:
        if not knapsack.within([demand]).keeps(known):
            known = items_of_least_use(knapsack, demand, kept, known)
        if not knapsack.within([demand]).keeps(known):
            return None
        kept.append(demand)
    return known


_LEAST_TOLERANCE = 1e-12
"""Uses that differ by less are equal, if a tolerance would be 0."""
