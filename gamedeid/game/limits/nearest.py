"""Limits that contradict each other: which cannot be met, by how much, and the nearest that can be."""

from collections.abc import Mapping
from math import ceil, floor, log10

from gamedeid.amounts import joined
from gamedeid.errors import UnmetLimitsError
from gamedeid.game.limits.problem import Problem
from gamedeid.game.limits.search import least_use, some_choice
from gamedeid.game.limits.sums import AT_LEAST, DEMANDS, reached_of

_DIGITS = 6
"""Digits that tell of a value that can be met; it is rounded so that it can."""


def unmet_limits(
    problem: Problem, limits: Mapping[str, float], others: Mapping[str, float], records: float
) -> UnmetLimitsError:
    """Return the error that says which limit cannot be met, by how much, and the nearest values that can be.

    Parameters
    ----------
    problem : the choices, with all limits on sums; no choice is within them.
    limits : name -> value, of these limits in their order.
    others : name -> value, of limits that are not on sums.
    records : how many records there are.
    """
    names = list(limits)
    nearest = {name: _nearest(problem, place, names, records) for place, name in enumerate(names)}
    alone = [name for name in names if name in DEMANDS and nearest[name] is not None]
    if not alone:  # to give way in one of them is not enough
        found = {
            name: _nearest(problem, names.index(name), _without_demands(names, name), records)
            for name in names
            if name in DEMANDS
        }
        said = [_said(name, limits[name], value) for name, value in found.items() if value is not None]
        return UnmetLimitsError(
            f"limits: {joined(said, 'and')}, each without the other; no change of one limit is enough"
        )
    first = alone[0]
    beside = "" if len(names) + len(others) == 1 else " within the other limits"
    words = f"limits: {_said(first, limits[first], nearest[first], beside)}"
    ways = [f"{name} = {_rounded(name, value)}" for name, value in nearest.items() if value is not None]
    also = "" if len(ways) == 1 else ", with the others as they are"
    return UnmetLimitsError(f"{words}; the nearest that can be met: {joined(ways, 'or')}{also}")


def _without_demands(names: list[str], but: str) -> list[str]:
    return [name if name == but or name not in DEMANDS else "" for name in names]


def _nearest(problem: Problem, limit: int, names: list[str], records: float) -> float | None:
    """Return how far a limit can be met with the others kept, in its own terms; None where no choice keeps these."""
    rows = [place for place, name in enumerate(names) if place != limit and name and name not in DEMANDS]
    demands = [place for place, name in enumerate(names) if place != limit and name in DEMANDS]
    known = some_choice(problem, rows, demands)
    if known is None:
        return None
    items = least_use(problem, limit, [*rows, *demands], known)
    return reached_of(names[limit], float(problem.used(items)[limit]), records)


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
