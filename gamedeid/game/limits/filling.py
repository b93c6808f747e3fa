"""Sort records into cells that are large enough, so that they are worth much: a search, and what none can exceed."""

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.game.limits.cells import NO_CELL, CellChoices
from gamedeid.game.mechanism.bounds import payoff_bound
from gamedeid.game.mechanism.candidates import Candidates, compile_groups
from gamedeid.game.mechanism.improvement import improve
from gamedeid.kernels.regrouping import NO_GROUP
from gamedeid.progress import Progress

_STEPS, _MOST_STEPS = 3, 60_000
"""Steps of the search for each profile, and at most."""

_SEARCHED = 4
"""The search opens cells that up to so many times the least number of records can be in; larger ones come last."""

_BOUNDED, _BOUND_STEPS = 6, 100
"""The bound counts larger cells as open to everybody; how often its prices are changed."""

_NO_ITEM = -1
"""Stands for the item of a profile that has none yet."""

_CLOSED_TOGETHER = 0.5
"""Share of the cells that are too small which are closed together, those that are worth most first."""


def fill_cells(choices: CellChoices, worth: FloatArray, benefit: float, progress: Progress | None = None) -> IntArray:
    """Return an item of each profile, (q,), such that no cell is too small, and they are worth much.

    Cells that few records can be in are opened and closed by a local search; who is in none of them is sorted into the
    cells that are left, from the most valuable down. At last profiles move to better cells that are open.

    Parameters
    ----------
    choices : what may be done.
    worth : (e,) what each item is worth; that of withholding is the last of each profile.
    benefit : V, dollars.
    progress : called with (steps done, steps in all) of the search.
    """
    withheld = choices.problem.starts[1:] - 1
    above = worth - worth[withheld][choices.problem.group_of]
    listed = _listed(choices, above, _SEARCHED * choices.least, beside=True)
    group = improve(
        listed.candidates,
        np.full(len(withheld), NO_GROUP),
        choices.records,
        choices.records.astype(float),
        least=choices.least,
        benefit=benefit,
        steps=min(_STEPS * len(withheld), _MOST_STEPS),
        progress=progress,
    )
    items = _sort_others(choices, above, listed.items(choices, group))
    return _move_up(choices, above, items)


def bound_of_cells(choices: CellChoices, worth: FloatArray, found: float, progress: Progress | None = None) -> float:
    """Return what no items are worth of which no cell is too small; at least ``found``, which some are worth.

    Parameters
    ----------
    choices : what may be done.
    worth : (e,) what each item is worth.
    found : what the best items are worth that are known.
    progress : called with (steps done, steps in all).
    """
    withheld = worth[choices.problem.starts[1:] - 1]
    above = worth - withheld[choices.problem.group_of]
    listed = _listed(choices, above, _BOUNDED * choices.least, beside=False)
    base = float(withheld.sum())
    bound = payoff_bound(
        listed.candidates,
        choices.records,
        least=choices.least,
        found=found - base,
        steps=_BOUND_STEPS,
        progress=progress,
    )
    return max(base + bound, found)


class _Listed:
    """Cells as candidate groups of the search, and which cell each of them is."""

    def __init__(self, candidates: Candidates) -> None:
        self.candidates = candidates

    def items(self, choices: CellChoices, group: IntArray) -> IntArray:
        """Return the item of each profile, (q,), that is in a group, (q,); ``_NO_ITEM`` where it is in none."""
        wanted = np.append(self.candidates.nodes, NO_CELL)[group][choices.problem.group_of]
        places = np.flatnonzero((choices.cells == wanted) & (wanted != NO_CELL))
        items = np.full(len(group), _NO_ITEM)
        items[choices.problem.group_of[places]] = places
        return items


def _listed(choices: CellChoices, above: FloatArray, largest: int, *, beside: bool) -> _Listed:
    """Return the cells that fewer than ``largest`` records can be in, and in which somebody is worth more than beside.

    Parameters
    ----------
    choices : what may be done.
    above : (e,) what each item is worth more than withholding.
    largest : records that larger cells can hold.
    beside : whether worths in the groups count only what is above that of the best larger cell.
    """
    profile, cells = choices.problem.group_of, choices.cells
    can_hold = np.bincount(cells + 1, choices.records[profile], choices.count + 1)[cells + 1]
    large = (can_hold >= largest) & (cells != NO_CELL)
    assured = np.zeros(len(choices.records))
    np.maximum.at(assured, profile[large], above[large])
    small = ~large & (cells != NO_CELL)
    wanted = np.zeros(choices.count, np.bool_)
    wanted[cells[small & (above > assured[profile] + choices.problem.equal / max(choices.records.sum(), 1))]] = True
    some = np.flatnonzero(small)
    some = some[wanted[cells[some]]]
    some = some[np.argsort(cells[some], kind="stable")]
    numbers, many = np.unique(cells[some], return_counts=True)
    worths = above[some] - assured[profile[some]] if beside else above[some]
    groups = compile_groups(profile[some], many, worths, choices.records.astype(float))
    return _Listed(Candidates(groups=groups, nodes=numbers, assured=assured))


def _sort_others(choices: CellChoices, above: FloatArray, items: IntArray) -> IntArray:
    """Return items of all profiles, (q,): those who have none take what is best, and cells that stay too small close.

    Of the cells that are too small the most valuable ones are closed first: who was there may fill up another one.
    """
    profile, cells = choices.problem.group_of, choices.cells
    has = items[items != _NO_ITEM]
    held = choices.held(has)
    places = np.flatnonzero((items[profile] == _NO_ITEM) & ((above > 0) | (cells == NO_CELL)))
    items = items.copy()
    while len(places):
        edges = np.flatnonzero(np.diff(profile[places], prepend=-1))
        best = np.repeat(np.maximum.reduceat(above[places], edges), np.diff(np.append(edges, len(places))))
        top = np.flatnonzero(above[places] == best)
        top = top[np.diff(profile[places[top]], prepend=-1) > 0]
        taken = places[top]
        joined = choices.held(taken)
        small = (joined > 0) & (held + joined < choices.least)
        if not small.any():
            items[profile[taken]] = taken
            break
        inside = cells[taken] != NO_CELL
        value = np.bincount(cells[taken[inside]], above[taken[inside]], choices.count)
        mean = np.divide(value, joined, out=np.zeros(len(value)), where=joined > 0)
        closed = small & (mean >= np.quantile(mean[small], 1 - _CLOSED_TOGETHER))
        places = places[~np.append(closed, False)[cells[places]]]
    return items


def _move_up(choices: CellChoices, above: FloatArray, items: IntArray) -> IntArray:
    """Return items, (q,), from which no profile alone can move to a better cell without making one too small."""
    profile, cells = choices.problem.group_of, choices.cells
    items, held = items.copy(), choices.held(items)
    while True:
        is_open = np.append(held >= choices.least, True)[cells]
        better = np.flatnonzero(is_open & (above > above[items][profile] + choices.problem.equal))
        moved = False
        for item in better[np.argsort(-(above[better] - above[items][profile[better]]), kind="stable")].tolist():
            who, before = profile[item], cells[items[profile[item]]]
            own = choices.records[who]
            if above[item] <= above[items[who]] or _shrinks(held, before, own, choices.least):
                continue
            if cells[item] != NO_CELL and held[cells[item]] < choices.least:
                continue
            held[[cell for cell in (before,) if cell != NO_CELL]] -= own
            held[[cell for cell in (cells[item],) if cell != NO_CELL]] += own
            items[who], moved = item, True
        if not moved:
            return items


def _shrinks(held: IntArray, cell: int, records: int, least: int) -> bool:
    """Return whether a cell that so many records leave is too small then; one that all leave is closed."""
    return cell != NO_CELL and 0 < held[cell] - records < least
