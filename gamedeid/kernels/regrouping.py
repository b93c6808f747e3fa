"""Sort cells of the population into released groups that are large enough: local search, and a bound by prices.

A *cell* is a profile of the population with all its people. A *candidate group* is a strategy and the values at it; its
*members* are the cells that may be released so. Every cell is in one group or in none, and a group that somebody is in
must hold at least ``least`` people.
"""

from typing import NamedTuple

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.kernels.compiled import compiled
from gamedeid.reprs import brief

NO_GROUP = -1
"""Stands for the group of a cell that is in none; it is worth nothing there."""

_CLOSE = 1e-9  # dollars, or people; numbers closer than this are equal
_ANYBODY = 3  # the last of the ways to fill a group: with whoever may be in it


@brief
class CandidateGroups(NamedTuple):
    """Candidate groups with their members, and the same by cell."""

    starts: IntArray  # (g + 1,) int64: where each group's members begin
    members: IntArray  # (f,) int64: cells, in the order in which a group is filled up with them
    worths: FloatArray  # (f,): what each member is worth there, dollars times its weight
    cell_starts: IntArray  # (q + 1,) int64: where each cell's groups begin
    cell_groups: IntArray  # (f,) int64: groups of the cells, from the greatest worth down
    cell_worths: FloatArray  # (f,)


@brief
class Grouping(NamedTuple):
    """Which group each cell is in; changed in place."""

    group: IntArray  # (q,) int64: NO_GROUP where it is in none
    people: IntArray  # (g,) int64: how many people are in each group
    worth: FloatArray  # (q,): what each cell is worth where it is
    total: FloatArray  # (1,): the sum of it


@brief
class Moves(NamedTuple):
    """What a step has moved, so that it can be taken back."""

    cells: IntArray  # (k,) int64, k many enough for a step
    groups: IntArray  # (k,) int64: where the cell was before
    worths: FloatArray  # (k,): what it was worth there
    ejected: IntArray  # (q,) int64: cells whose group was closed
    tried: IntArray  # (g,) int64: the last step in which it was tried whether opening a group pays


@compiled
def move(cell: int, group: int, worth: float, sizes: IntArray, grouping: Grouping, moves: Moves, made: int) -> int:
    """Move a cell to a group, where it is worth ``worth``, and return how many moves have been made."""
    before = grouping.group[cell]
    moves.cells[made] = cell
    moves.groups[made] = before
    moves.worths[made] = grouping.worth[cell]
    if before >= 0:
        grouping.people[before] -= sizes[cell]
    if group >= 0:
        grouping.people[group] += sizes[cell]
    grouping.group[cell] = group
    grouping.total[0] += worth - grouping.worth[cell]
    grouping.worth[cell] = worth
    return made + 1


@compiled
def take_back(first: int, made: int, sizes: IntArray, grouping: Grouping, moves: Moves) -> int:
    """Undo the moves from number ``first`` on, and return ``first``."""
    for index in range(made - 1, first - 1, -1):
        cell, before = moves.cells[index], moves.groups[index]
        now = grouping.group[cell]
        if now >= 0:
            grouping.people[now] -= sizes[cell]
        if before >= 0:
            grouping.people[before] += sizes[cell]
        grouping.group[cell] = before
        grouping.total[0] += moves.worths[index] - grouping.worth[cell]
        grouping.worth[cell] = moves.worths[index]
    return first


@compiled
def is_spare(cell: int, least: int, sizes: IntArray, grouping: Grouping) -> bool:
    """Return whether a cell can leave its group without making it too small."""
    group = grouping.group[cell]
    return group < 0 or bool(grouping.people[group] - sizes[cell] >= least)


@compiled
def open_gently(
    group: int,
    least: int,
    sizes: IntArray,
    groups: CandidateGroups,
    grouping: Grouping,
    moves: Moves,
    made: int,
) -> int:
    """Move cells to a group without making any other too small, where that pays; return how many moves were made.

    Who is worth more there comes first; then, while people are missing, who loses nothing and then who loses less than
    is gained. Nothing is moved where people are still missing, or nothing is gained.
    """
    first, before = made, grouping.total[0]
    start, stop = groups.starts[group], groups.starts[group + 1]
    if made + stop - start > moves.cells.shape[0]:
        return first  # no room to note so many moves
    for place in range(start, stop):
        cell = groups.members[place]
        gains = groups.worths[place] > grouping.worth[cell] + _CLOSE
        if gains and grouping.group[cell] != group and is_spare(cell, least, sizes, grouping):
            made = move(cell, group, groups.worths[place], sizes, grouping, moves, made)
    if made == first:
        return first
    for losing in range(3):
        if grouping.people[group] >= least:
            break
        for place in range(start, stop):
            cell = groups.members[place]
            if grouping.group[cell] == group or not is_spare(cell, least, sizes, grouping):
                continue
            loss = grouping.worth[cell] - groups.worths[place]
            if losing == 0:
                fits = loss <= 0 and grouping.group[cell] < 0
            elif losing == 1:
                fits = loss <= 0
            else:
                fits = grouping.total[0] - loss > before + _CLOSE
            if fits:
                made = move(cell, group, groups.worths[place], sizes, grouping, moves, made)
                if grouping.people[group] >= least:
                    break
    if grouping.people[group] < least or grouping.total[0] <= before + _CLOSE:
        return take_back(first, made, sizes, grouping, moves)
    return made


@compiled
def rehouse(
    cell: int,
    step: int,
    least: int,
    sizes: IntArray,
    groups: CandidateGroups,
    grouping: Grouping,
    moves: Moves,
    made: int,
) -> int:
    """Move a cell to the group that is worth most to it of those that it can join, or that pay to be opened.

    A group that did not pay to be opened is not tried again in the same step.
    """
    for place in range(groups.cell_starts[cell], groups.cell_starts[cell + 1]):
        worth = groups.cell_worths[place]
        if worth <= grouping.worth[cell] + _CLOSE or not is_spare(cell, least, sizes, grouping):
            break
        group = groups.cell_groups[place]
        if grouping.people[group] >= least:
            return move(cell, group, worth, sizes, grouping, moves, made)
        if moves.tried[group] == step:
            continue
        moves.tried[group] = step
        made = open_gently(group, least, sizes, groups, grouping, moves, made)
        if grouping.group[cell] == group:
            break
    return made


@compiled
def open_by_force(
    group: int, step: int, least: int, sizes: IntArray, groups: CandidateGroups, grouping: Grouping, moves: Moves
) -> int:
    """Move to a group all cells that are worth more there, and others while people are missing, wherever they are.

    Groups that are too small then are filled up with people who lose nothing, or closed; cells of closed groups find
    another one, or are in none. Returns how many moves were made, less than 0 (``-1 - moves``) where there was no room
    to note all that it takes.
    """
    made = 0
    start, stop = groups.starts[group], groups.starts[group + 1]
    for place in range(start, stop):
        cell = groups.members[place]
        if grouping.group[cell] != group and groups.worths[place] > grouping.worth[cell] + _CLOSE:
            made = move(cell, group, groups.worths[place], sizes, grouping, moves, made)
    for losing in range(_ANYBODY + 1):
        if grouping.people[group] >= least:
            break
        for place in range(start, stop):
            cell = groups.members[place]
            if grouping.group[cell] == group:
                continue
            loses = grouping.worth[cell] > groups.worths[place]
            if losing == 0:
                fits = not loses and grouping.group[cell] < 0
            elif losing == 1:
                fits = not loses and is_spare(cell, least, sizes, grouping)
            else:
                fits = losing == _ANYBODY or not loses
            if fits:
                made = move(cell, group, groups.worths[place], sizes, grouping, moves, made)
                if grouping.people[group] >= least:
                    break
    ejected = 0
    for index in range(made):
        left = moves.groups[index]
        if left < 0 or left == group or grouping.people[left] >= least or grouping.people[left] == 0:
            continue
        start, stop = groups.starts[left], groups.starts[left + 1]
        if made + 2 * (stop - start) > moves.cells.shape[0]:
            return -1 - made
        for losing in range(2):
            if grouping.people[left] >= least:
                break
            for place in range(start, stop):
                cell = groups.members[place]
                if grouping.group[cell] == left or grouping.worth[cell] > groups.worths[place]:
                    continue
                if (losing == 1 or grouping.group[cell] < 0) and is_spare(cell, least, sizes, grouping):
                    made = move(cell, left, groups.worths[place], sizes, grouping, moves, made)
                    if grouping.people[left] >= least:
                        break
        if grouping.people[left] < least:
            for place in range(start, stop):
                cell = groups.members[place]
                if grouping.group[cell] == left:
                    moves.ejected[ejected] = cell
                    ejected += 1
                    made = move(cell, NO_GROUP, 0.0, sizes, grouping, moves, made)
    for index in range(ejected):
        if made == moves.cells.shape[0]:
            break
        made = rehouse(moves.ejected[index], step, least, sizes, groups, grouping, moves, made)
    return made


@compiled
def regroup(
    first: int,
    draws: FloatArray,
    temperatures: FloatArray,
    cells: IntArray,
    least: int,
    sizes: IntArray,
    groups: CandidateGroups,
    grouping: Grouping,
    moves: Moves,
) -> int:
    """Improve a grouping step by step, in place; return how many steps were kept.

    A step draws a cell and a group that is worth more to it, opens the group by force, and is kept if the total gain is
    at least the temperature times the logarithm of one minus a draw (simulated annealing), else taken back.

    Parameters
    ----------
    first : number of the first of the s steps, >= 0; no step has the number of an earlier one.
    draws : (s, 3) in [0, 1).
    temperatures : (s,) dollars >= 0.
    cells : (k,) int64, from which cells are drawn.
    least : people that a group must hold.
    sizes : (q,) int64, people of each cell.
    """
    kept = 0
    for step in range(temperatures.shape[0]):
        cell = cells[int(draws[step, 0] * cells.shape[0])]
        start = groups.cell_starts[cell]
        better = start
        while better < groups.cell_starts[cell + 1] and groups.cell_worths[better] > grouping.worth[cell] + _CLOSE:
            better += 1
        if better == start:
            continue
        group = groups.cell_groups[start + int(draws[step, 1] * draws[step, 1] * (better - start))]
        before = grouping.total[0]
        made = open_by_force(group, first + step, least, sizes, groups, grouping, moves)
        gain = grouping.total[0] - before
        asked = temperatures[step] * np.log(1.0 - draws[step, 2])
        if made >= 0 and grouping.people[group] >= least and gain >= asked:
            kept += 1
        else:
            take_back(0, made if made >= 0 else -1 - made, sizes, grouping, moves)
            grouping.total[0] = before
    return kept


@compiled
def bound_at_prices(
    prices: FloatArray, least: int, sizes: IntArray, groups: CandidateGroups, used: FloatArray
) -> float:
    """Return what no grouping can exceed, dollars, given prices of the cells; write how much of each cell is used.

    The sum of all prices, and for each candidate group what it could gain at most if it paid them: the best choice of
    shares of its members that holds ``least`` people, or 0.

    Parameters
    ----------
    prices : (q,) dollars >= 0.
    sizes : (q,) int64, people of each cell; more than ``least`` count as so many.
    used : (q,) float64, to be overwritten: the shares of each cell that the groups choose, added up.
    """
    used[:] = 0.0
    bound = 0.0
    for price in prices:
        bound += price
    for group in range(groups.starts.shape[0] - 1):
        start, stop = groups.starts[group], groups.starts[group + 1]
        gain, missing, losing = 0.0, float(least), 0
        for place in range(start, stop):
            cell = groups.members[place]
            profit = groups.worths[place] - prices[cell]
            if profit >= 0:
                gain += profit
                missing -= min(sizes[cell], least)
            else:
                losing += 1
        if gain <= 0:
            continue
        shares = np.zeros(losing)
        chosen = np.empty(losing, np.int64)
        if missing > 0:
            rates = np.empty(losing)
            count = 0
            for place in range(start, stop):
                cell = groups.members[place]
                profit = groups.worths[place] - prices[cell]
                if profit < 0:
                    chosen[count] = place
                    rates[count] = -profit / min(sizes[cell], least)
                    count += 1
            order = np.argsort(rates)
            taken = 0
            while taken < losing and missing > 0 and gain > 0:
                place = chosen[order[taken]]
                cell = groups.members[place]
                share = min(1.0, missing / min(sizes[cell], least))
                gain += share * (groups.worths[place] - prices[cell])
                missing -= share * min(sizes[cell], least)
                shares[order[taken]] = share
                taken += 1
            if gain <= 0 or missing > _CLOSE:
                continue
            for index in range(losing):
                if shares[index] > 0:
                    used[groups.members[chosen[index]]] += shares[index]
        for place in range(start, stop):
            cell = groups.members[place]
            if groups.worths[place] >= prices[cell]:
                used[cell] += 1.0
        bound += gain
    return bound
