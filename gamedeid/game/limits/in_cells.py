"""The best strategies in cells that hold enough records, within limits on sums: found by a search, and bounded."""

from dataclasses import replace

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.errors import UnmetLimitsError
from gamedeid.game.instance import Instance
from gamedeid.game.limits.cells import NO_CELL, CellChoices
from gamedeid.game.limits.core import Chosen, solve
from gamedeid.game.limits.filling import fill_cells
from gamedeid.game.limits.prices import least_bound
from gamedeid.game.limits.problem import Problem
from gamedeid.game.limits.search import some_choice
from gamedeid.game.limits.sums import AT_LEAST, DEMANDS, LimitRows
from gamedeid.progress import Phases, Progress, no_progress

_DEARER = (1.0, 1.3, 2.0, 4.0, 16.0)
"""Times the prices of the limits, at which cells are filled until they are within the limits."""

_SMALL, _EFFORT = 20_000, 20.0
"""Items up to which CP-SAT looks for the best choice, and the deterministic seconds that it may take."""


PHASES = 1
"""Phases in which that is done."""


def best_in_cells(
    instance: Instance, choices: CellChoices, rows: LimitRows, progress: Phases = no_progress
) -> tuple[Chosen, dict[str, float]]:
    """Return the best choice that was found within limits and with no cell too small, and the price of each sum.

    Prices of the limits are those of the least bound without cells; with them cells are filled. The bound is that of
    cells at these prices. Where few items are left, CP-SAT looks for the best choice and may prove it.

    Parameters
    ----------
    instance : what the game is played with.
    choices : what may be done.
    rows : of the limits on sums.
    progress : opens a phase by name.

    Raises
    ------
    UnmetLimitsError : no choice was found.
    """
    problem, coupling = choices.problem, rows.but(AT_LEAST)
    within = problem.within(coupling)
    priced = [name for name in rows.limits if name not in AT_LEAST]
    risks = rows.but(DEMANDS)
    if some_choice(problem, risks, [row for row in coupling if row not in risks]) is None:
        raise _unmet(choices, rows)
    limit_prices = np.zeros(len(coupling))
    if coupling:
        limit_prices = least_bound(within, [])[0].prices
    items, bound = _fill_within(instance, choices, rows, limit_prices, progress("cells"))
    known = bound + float(limit_prices @ within.allowed)
    best = _proved(choices, within, items, known)
    if best is None or not problem.keeps(best.items):
        raise _unmet(choices, rows)
    by_name = {name: [coupling.index(row) for row in rows.of(name)] for name in priced}
    return best, {name: float(limit_prices[places].sum()) for name, places in by_name.items()}


def _proved(choices: CellChoices, within: Problem, items: IntArray | None, known: float) -> Chosen | None:
    """Return the best choice that is found, from one whose bound by prices is known, or from none."""
    best = None
    if items is not None:
        worth = within.total(items)
        best = Chosen(items=items, worth=worth, bound=max(known, worth), by_prices=max(known, worth))
    if len(within.worth) > _SMALL or (best is not None and best.bound - best.worth <= within.equal):
        return best
    begin = within.starts[1:] - 1 if items is None else items
    solved = solve(within, np.ones(len(within.worth), np.bool_), begin, effort=_EFFORT, cells=choices)
    if solved is None or not choices.keeps(solved.items) or (best is not None and solved.worth < best.worth):
        return best
    by_prices = max(solved.bound if best is None else known, solved.worth)
    return replace(solved, bound=max(min(by_prices, solved.bound), solved.worth), by_prices=by_prices)


def _fill_within(
    instance: Instance, choices: CellChoices, rows: LimitRows, prices: FloatArray, progress: Progress
) -> tuple[IntArray | None, float]:
    """Return items, (q,), within the limits with no cell too small, None where none were found; and a bound at prices.

    At dearer prices, or with cells withheld, if need be.
    """
    within, known = choices.problem.within(rows.but(AT_LEAST)), np.inf
    for times in _DEARER if prices.any() else _DEARER[:1]:
        items, bound = fill_cells(instance, choices, within.worth - times * prices @ within.uses, progress)
        known = bound if times == 1.0 else known
        if within.keeps(items):
            return items, known
    items = _close_cells(choices, rows, items)
    return (items if within.keeps(items) else None), known


def _close_cells(choices: CellChoices, rows: LimitRows, items: IntArray) -> IntArray:
    """Return items, (q,), with cells withheld until the limits on risk are kept, those that are worth least for it."""
    within, items = choices.problem.within(rows.but(DEMANDS)), items.copy()
    withheld = choices.problem.starts[1:] - 1
    cells = choices.cells[items]
    scale = 1.0 / np.maximum(np.abs(within.uses).max(axis=1, initial=0.0), 1e-300)
    over = within.used(items) > within.allowed + within.tolerance
    use = (within.uses[:, items] * scale[:, None])[over].sum(axis=0)
    inside = cells != NO_CELL
    used = np.bincount(cells[inside], use[inside], choices.count)
    worth = np.bincount(cells[inside], choices.problem.worth[items][inside], choices.count)
    users = np.flatnonzero(used > 0)
    for cell in users[np.argsort(worth[users] / used[users], kind="stable")].tolist():
        if within.keeps(items):
            break
        items[cells == cell] = withheld[cells == cell]
    return items


def _unmet(choices: CellChoices, rows: LimitRows) -> UnmetLimitsError:
    demands = " and ".join(f"{name} = {rows.limits[name]:g}" for name in rows.limits)
    return UnmetLimitsError(
        f"limits: no strategies were found that keep smallest_cell = {choices.least} together with {demands}; "
        "what could be met is not looked for beside smallest_cell"
    )
