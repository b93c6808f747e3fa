"""The best strategies within limits on the whole dataset, the price of each limit, and the nearest feasible limits."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import ceil, floor, log10
from typing import ClassVar, TypeAlias

import numpy as np

from gamedeid.amounts import joined
from gamedeid.arrays import FloatArray, IntArray
from gamedeid.errors import UnmetLimitsError
from gamedeid.game.frontier import Frontier
from gamedeid.game.instance import Instance
from gamedeid.game.limits.class_sizes import best_in_large_classes, smallest_class
from gamedeid.game.limits.items import (
    AT_LEAST,
    DEMANDS,
    ON_SUMS,
    Items,
    SumLimits,
    build_knapsack,
    frontier_items,
    keeps_record_risk,
)
from gamedeid.game.limits.knapsack import Knapsack
from gamedeid.game.limits.knapsack_search import KnapsackSolution, best_items, feasible_items, items_of_least_use
from gamedeid.game.limits.uniform import UniformRelease
from gamedeid.game.outcomes import Outcomes
from gamedeid.game.rules import Game
from gamedeid.game.solvers import Choice
from gamedeid.progress import Phases, no_progress
from gamedeid.reprs import frozen
from gamedeid.results.result import Flag, Number, Result
from gamedeid.scenario.limits import Limits

RECORD_RISK, SMALLEST_CELL = "record_risk", "smallest_cell"
"""The limits on single records, and on the records that share their released values."""

Risk: TypeAlias = Callable[[], float | None] | None
"""A function that finds the least limit on single records with which all others can be kept; None without one."""

_DIGITS = 6
"""Digits of a value that can be met; it is rounded to one that can be met."""


@frozen(eq=False)
class LimitReached(Result):
    """One limit, and the value that was reached.

    Parameters
    ----------
    name : as in the section ``[limits]``.
    limit : the value that was asked for.
    reached : the value of the strategies, in the same unit.
    shadow_price : dollars of the publisher's total payoff that one unit more of the limit is worth, by the proved
        bound; None for a limit on single records.
    """

    keys: ClassVar = ("limit", "reached", "binding", "shadow_price")

    name: str
    limit: Number
    reached: Number
    shadow_price: Number | None

    @property
    def binding(self) -> Flag | None:
        """Whether more payoff was possible without it, by the proved bound; None where no price shows it."""
        return None if self.shadow_price is None else self.shadow_price > 0


@frozen(eq=False)
class WithinLimits:
    """The best strategies that were found within the limits of a scenario.

    The shadow prices prove ``by_prices``, dollars, at least ``bound``: with a limit that is x units greater, no
    strategies pay more in total than this plus x times the price of the limit.
    """

    choice: Choice  # a strategy for each profile, and whether it is proved the best
    limits: tuple[LimitReached, ...]
    payoff: float  # publisher's total payoff, dollars
    bound: float  # dollars that no strategies within the limits can exceed; proved
    by_prices: float
    without: float | None  # the payoff in the same game without limits, dollars; None if not computed

    @property
    def gap(self) -> float:
        """Dollars of total payoff by which strategies within the limits may be better than those found."""
        return max(self.bound - self.payoff, 0.0)


def choose_uniform(instance: Instance, game: Game, limits: Limits) -> WithinLimits:
    """Return one strategy for all records, or for each of some groups, with the greatest total payoff; proved.

    Records that may not be released at it are withheld. The game without limits is not solved.
    """
    release = UniformRelease(instance=instance, game=game, limits=limits)
    strategies, evaluated = release.best()
    choice = Choice(nodes=release.chosen(strategies), searched=np.full(instance.profiles.count, evaluated), proved=True)
    asked = dict(limits.asked())
    return _result(
        SumLimits(instance=instance, limits={}), choice, asked, dict.fromkeys(asked), (-np.inf, -np.inf), None
    )


def choose_within_limits(
    instance: Instance,
    game: Game,
    frontier: Frontier,
    limits: Limits,
    free: Choice,
    progress: Phases = no_progress,
    *,
    groups: IntArray | None = None,
) -> WithinLimits:
    """Return one strategy, or withholding, for each profile with the greatest total payoff within limits.

    Parameters
    ----------
    progress : opens a phase by name, "cells" if these must be large enough.
    groups : (g, q) how many records of each compared group have each profile, if a limit is on these.
    """
    asked = dict(limits.asked())
    on_sums = {name: value for name, value in asked.items() if name in ON_SUMS}
    rows = SumLimits(instance=instance, limits=on_sums, groups=groups)
    others = {name: value for name, value in asked.items() if name not in ON_SUMS}
    without = _total(instance, free.nodes)
    prices: dict[str, float | None] = {name: None if name in others else 0.0 for name in asked}
    if not limits.is_uniform and _within(rows, free.nodes, limits):
        return _result(rows, free, asked, prices, (without, without), without)

    def items_within(risk: float | None) -> Items:
        return frontier_items(
            instance,
            frontier,
            forbids_attack=game.forbids_attack,
            record_risk=risk,
            withholds=limits.groups is not None,
        )

    items = items_within(limits.record_risk)
    knapsack, uniform, nearest_risk = build_knapsack(items.starts, items, rows), None, None
    if limits.couples_cells:
        choice, bound, of_limits = best_in_large_classes(instance, game, knapsack, rows, limits, progress("cells"))
        prices |= {name: price * rows.unit(name) for name, price in of_limits.items()}
        return _result(rows, choice, asked, prices, (bound, bound), without)
    if limits.is_uniform:
        uniform = UniformRelease(instance=instance, game=game, limits=limits)
        knapsack = uniform.knapsack(knapsack, rows)
    elif limits.record_risk is not None:
        risks = frontier.replies(instance).if_all_attacked
        nearest_risk = partial(_nearest_risk, rows, risks, items_within, limits.record_risk)
    found, of_limits = _best_choice(knapsack, rows, others, nearest_risk)
    prices |= {name: price * rows.unit(name) for name, price in of_limits.items()}
    proved = found.bound - found.worth <= knapsack.equal
    nodes = items.nodes[found.items] if uniform is None else uniform.chosen(uniform.strategies(found.items))
    searched = np.diff(items.starts) if uniform is None else np.full(len(nodes), instance.lattice.size)
    choice = Choice(nodes=nodes, searched=searched, proved=proved)
    return _result(rows, choice, asked, prices, (found.bound, found.by_prices), without)


def _best_choice(
    knapsack: Knapsack,
    rows: SumLimits,
    others: Mapping[str, float],
    nearest_risk: Risk,
) -> tuple[KnapsackSolution, dict[str, float]]:
    """Return the best choice within limits on sums, and the price of a unit of each sum; ``others`` are not on sums."""
    coupling, known = rows.coupling, feasible_items(knapsack, rows.risks, rows.demands)
    if known is None:
        raise _unmet_limits(knapsack, rows, others, nearest_risk)
    priced = [name for name in rows.limits if name not in AT_LEAST]
    together = [[coupling.index(row) for row in rows.of(name)] for name in priced]
    found, prices = best_items(knapsack.within(coupling), known, together)
    if not knapsack.keeps(found.items):
        raise _unmet_limits(knapsack, rows, others, nearest_risk)
    return found, dict(zip(priced, prices.tolist(), strict=True))


def _result(
    rows: SumLimits,
    choice: Choice,
    asked: Mapping[str, float],
    prices: Mapping[str, float | None],
    bounds: tuple[float, float],
    without: float | None,
) -> WithinLimits:
    """Return the result, with the values that the strategies reach by the outcomes of their records."""
    instance = rows.instance
    outcomes = Outcomes(instance=instance, profiles=instance.all_profiles, nodes=choice.nodes)
    payoff = _total(instance, choice.nodes)
    limits = tuple(
        LimitReached(name=name, limit=value, reached=reached_value(rows, outcomes, name), shadow_price=prices[name])
        for name, value in asked.items()
    )
    bound, by_prices = (max(one, payoff) for one in bounds)
    return WithinLimits(choice=choice, limits=limits, payoff=payoff, bound=bound, by_prices=by_prices, without=without)


def reached_value(rows: SumLimits, outcomes: Outcomes, name: str) -> float:
    """Return the value of strategies, in the unit of a limit."""
    if name == RECORD_RISK:
        return float(outcomes.replies.if_all_attacked.max(initial=0.0))
    if name == SMALLEST_CELL:
        return float(smallest_class(outcomes))
    return rows.reached(name, rows.used(outcomes)[rows.of(name)].tolist())


def _total(instance: Instance, nodes: IntArray) -> float:
    outcomes = Outcomes(instance=instance, profiles=instance.all_profiles, nodes=nodes)
    return float((outcomes.publisher_payoff * instance.profiles.records).sum())


def _within(rows: SumLimits, nodes: IntArray, limits: Limits) -> bool:
    """Return whether strategies are within all limits."""
    outcomes = Outcomes(instance=rows.instance, profiles=rows.instance.all_profiles, nodes=nodes)
    kept = (rows.used(outcomes) <= rows.allowed + rows.tolerance).all()
    if limits.smallest_cell is not None and not outcomes.withheld.all():
        kept &= smallest_class(outcomes) >= limits.smallest_cell
    return bool(kept and keeps_record_risk(outcomes.replies, limits.record_risk).all())


def _unmet_limits(
    knapsack: Knapsack,
    rows: SumLimits,
    others: Mapping[str, float],
    nearest_risk: Risk,
) -> UnmetLimitsError:
    """Return the error that says which limit cannot be met, by how much, and the nearest values that can be."""
    limits = rows.limits
    names = list(limits)
    nearest = {name: _nearest(knapsack, rows, name, [name]) for name in names}
    sufficient = [name for name in names if name in DEMANDS and nearest[name] is not None]
    if not sufficient:  # no change of one limit is enough
        found = {name: _nearest(knapsack, rows, name, DEMANDS) for name in names if name in DEMANDS}
        faults = [_unmet_words(name, limits[name], value) for name, value in found.items() if value is not None]
        return UnmetLimitsError(
            f"limits: {joined(faults, 'and')}, each without the other; no change of one limit is enough"
        )
    first = sufficient[0]
    context = "" if len(names) + len(others) == 1 else " within the other limits"
    words = f"limits: {_unmet_words(first, limits[first], nearest[first], context)}"
    risk = None if nearest_risk is None else nearest_risk()
    options = [f"{name} = {_rounded(name, value)}" for name, value in nearest.items() if value is not None]
    options += [] if risk is None else [f"{RECORD_RISK} = {_rounded(RECORD_RISK, risk)}"]
    unchanged = "" if len(options) == 1 else ", with the others as they are"
    return UnmetLimitsError(f"{words}; the nearest that can be met: {joined(options, 'or')}{unchanged}")


def _nearest(knapsack: Knapsack, rows: SumLimits, name: str, without: Sequence[str]) -> float | None:
    """Return the nearest value of a limit with all others kept except ``without``; None if none, or of several sums."""
    own = rows.of(name)
    kept = rows.all_except([name, *without])
    demands = [row for row in kept if rows.names[row] in DEMANDS]
    known = feasible_items(knapsack, rows.all_except([name, *without, *DEMANDS]), demands)
    if known is None or len(own) != 1:
        return None
    items = items_of_least_use(knapsack, own[0], kept, known)
    return rows.reached(name, knapsack.used(items)[own].tolist())


def _nearest_risk(
    rows: SumLimits, risks: FloatArray, items: Callable[[float | None], Items], limit: float
) -> float | None:
    """Return the least limit on each record's chance with which all others can be kept; None if none is enough.

    ``risks``, (k,), are the chances at all strategies that may be best; ``items`` returns the strategies within a
    limit, or without one.
    """
    demands = rows.all_except([name for name in rows.limits if name not in DEMANDS])

    def is_enough(risk: float | None) -> bool:
        some = items(risk)
        knapsack = build_knapsack(some.starts, some, rows)
        return feasible_items(knapsack, rows.risks, demands) is not None

    if not is_enough(None):
        return None
    risks = np.unique(risks[risks > limit])
    low, high = 0, len(risks) - 1  # the greatest of them permits everything
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(float(risks[middle])) else (middle + 1, high)
    return float(risks[low]) if len(risks) else None


def _unmet_words(name: str, limit: float, value: float | None, context: str = "") -> str:
    """Return that a limit cannot be met, and by how much."""
    bound, how = ("at most", "little") if name in AT_LEAST else ("at least", "much")
    reached = value or 0.0  # never -0
    gap = f"{abs(reached - limit):.{_DIGITS}g}"
    return f"{name} = {limit:g} cannot be met{context}: {bound} {reached:.{_DIGITS}g} is possible, {gap} too {how}"


def _rounded(name: str, value: float) -> str:
    """Return a value with few digits that can be met: rounded down if the limit is a least value, else up."""
    if value == 0:
        return "0"
    unit = 10.0 ** (floor(log10(abs(value))) + 1 - _DIGITS)
    steps = floor(value / unit) if name in AT_LEAST else ceil(value / unit)
    return f"{steps * unit:.{_DIGITS}g}"
