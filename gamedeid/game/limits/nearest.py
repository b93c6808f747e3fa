"""Limits that contradict each other: which cannot be met, by how much, and the nearest that can be."""

from collections.abc import Callable, Mapping, Sequence
from math import ceil, floor, log10

import numpy as np

from gamedeid.amounts import joined
from gamedeid.arrays import FloatArray
from gamedeid.errors import UnmetLimitsError
from gamedeid.game.limits.items import AT_LEAST, DEMANDS, Items, SumLimits, knapsack_of
from gamedeid.game.limits.knapsack import Knapsack
from gamedeid.game.limits.knapsack_search import feasible_items, items_of_least_use
from gamedeid.reprs import frozen

RECORD_RISK = "record_risk"
"""The limit on each record alone."""

_DIGITS = 6
"""Digits that tell of a value that can be met; it is rounded so that it can."""


@frozen(eq=False)
class RecordRisks:
    """What other values of the limit on each record's chance of re-identification would leave to choose from.

    Parameters
    ----------
    risks : (k,) the chances of all strategies that may be best.
    items : what there is to choose from where no record may have a greater chance than given; any if None.
    """

    risks: FloatArray
    items: Callable[[float | None], Items]


def unmet_limits(
    knapsack: Knapsack, rows: SumLimits, others: Mapping[str, float], record_risks: RecordRisks | None
) -> UnmetLimitsError:
    """Return the error that says which limit cannot be met, by how much, and the nearest values that can be.

    Parameters
    ----------
    others : name -> value, of limits that are not on sums.
    record_risks : what other values of ``record_risk`` leave; None where it is no limit.
    """
    limits = rows.limits
    names = list(limits)
    nearest = {name: _nearest(knapsack, rows, name, [name]) for name in names}
    alone = [name for name in names if name in DEMANDS and nearest[name] is not None]
    if not alone:  # to give way in one of them is not enough
        found = {name: _nearest(knapsack, rows, name, DEMANDS) for name in names if name in DEMANDS}
        said = [_said(name, limits[name], value) for name, value in found.items() if value is not None]
        return UnmetLimitsError(
            f"limits: {joined(said, 'and')}, each without the other; no change of one limit is enough"
        )
    first = alone[0]
    beside = "" if len(names) + len(others) == 1 else " within the other limits"
    words = f"limits: {_said(first, limits[first], nearest[first], beside)}"
    risk = None if record_risks is None else _nearest_risk(rows, others[RECORD_RISK], record_risks)
    ways = [f"{name} = {_rounded(name, value)}" for name, value in nearest.items() if value is not None]
    ways += [] if risk is None else [f"{RECORD_RISK} = {_rounded(RECORD_RISK, risk)}"]
    also = "" if len(ways) == 1 else ", with the others as they are"
    return UnmetLimitsError(f"{words}; the nearest that can be met: {joined(ways, 'or')}{also}")


def _nearest(knapsack: Knapsack, rows: SumLimits, name: str, without: Sequence[str]) -> float | None:
    """Return how far a limit can be met with all others kept but some, in its own terms.

    None where no choice keeps these; or where the limit is on several sums, the greatest of which would have to be
    made small.
    """
    own = rows.of(name)
    kept = rows.but([name, *without])
    demands = [row for row in kept if rows.names[row] in DEMANDS]
    known = feasible_items(knapsack, rows.but([name, *without, *DEMANDS]), demands)
    if known is None or len(own) != 1:
        return None
    items = items_of_least_use(knapsack, own[0], kept, known)
    return rows.reached(name, knapsack.used(items)[own].tolist())


def _nearest_risk(rows: SumLimits, limit: float, record_risks: RecordRisks) -> float | None:
    """Return the least limit on each record's chance with which all others can be kept; None where none is enough."""
    demands = rows.but([name for name in rows.limits if name not in DEMANDS])

    def is_enough(risk: float | None) -> bool:
        some = record_risks.items(risk)
        knapsack = knapsack_of(some.starts, some, rows)
        return feasible_items(knapsack, rows.risks, demands) is not None

    if not is_enough(None):
        return None
    risks = np.unique(record_risks.risks[record_risks.risks > limit])
    low, high = 0, len(risks) - 1  # the greatest of them permits everything
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(float(risks[middle])) else (middle + 1, high)
    return float(risks[low]) if len(risks) else None


def _said(name: str, limit: float, value: float | None, beside: str = "") -> str:
    """Return that a limit cannot be met, and by how much."""
    bound, how = ("at most", "little") if name in AT_LEAST else ("at least", "much")
    reached = 0.0 if value is None else value
    missed = f"{abs(reached - limit):.{_DIGITS}g}"
    return f"{name} = {limit:g} cannot be met{beside}: {bound} {reached:.{_DIGITS}g} is possible, {missed} too {how}"


def _rounded(name: str, value: float) -> str:
    """Return a value with few digits that can be met: rounded down where the limit is a least value, else up."""
    if value == 0:
        return "0"
    unit = 10.0 ** (floor(log10(abs(value))) + 1 - _DIGITS)
    steps = floor(value / unit) if name in AT_LEAST else ceil(value / unit)
    return f"{steps * unit:.{_DIGITS}g}"
