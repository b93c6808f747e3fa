"""Let cells choose released groups one by one where a group that is too small costs the publisher its attacks.

A *cell* is a profile of the population with all its people. An *option* of a cell is a strategy that it may have, and
with it the released group that it joins. What all choices together pay is what every cell is worth where it is, less
what the attacks on each group cost. Nothing here lowers that sum.
"""

from typing import NamedTuple

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.kernels import rules
from gamedeid.kernels.compiled import compiled
from gamedeid.kernels.regrouping import NO_GROUP
from gamedeid.kernels.tables import WITHHELD, Stakes
from gamedeid.reprs import brief


@brief
class Options(NamedTuple):
    """What each cell may choose, cell after cell, and the same group by group."""

    starts: IntArray  # (p + 1,) int64: where each cell's options begin
    groups: IntArray  # (e,) int64: the group of each option
    worths: FloatArray  # (e,): what the cell is worth there unless attacked, dollars times its weight
    cells: IntArray  # (e,) int64: whose option it is
    group_starts: IntArray  # (g + 1,) int64: where the options of each group begin in ``of_group``
    of_group: IntArray  # (e,) int64: options, group after group
    people: IntArray  # (p,) int64: of each cell
    weights: FloatArray  # (p,): what each cell counts


@brief
class Chosen(NamedTuple):
    """What each cell has chosen; changed in place."""

    option: IntArray  # (p,) int64: ``WITHHELD`` where the cell is not released
    people: IntArray  # (g,) int64: of the cells in each group
    weight: FloatArray  # (g,): what these cells count
    moved: IntArray  # (p,) int64: cells that an attempt has moved, in order
    before: IntArray  # (p,) int64: the option that each of them had


@compiled
def attacks_cost(people: int, weight: float, stakes: Stakes) -> float:
    """Return what attacks on a group cost the publisher, dollars; with nobody to find it is taken for one person."""
    if weight <= 0.0:
        return 0.0
    size = max(people, 1)
    return weight * rules.expected_loss(size, stakes.loss) if rules.is_attacked(size, stakes.attack_limit) else 0.0


@compiled
def left(cell: int, options: Options, chosen: Chosen, stakes: Stakes) -> float:
    """Return how much all choices together lose where a cell is withheld that is released now; 0 if it is withheld."""
    option = chosen.option[cell]
    if option == WITHHELD:
        return 0.0
    group = options.groups[option]
    people, weight = chosen.people[group], chosen.weight[group]
    saved = attacks_cost(people, weight, stakes) - attacks_cost(
        people - options.people[cell], weight - options.weights[cell], stakes
    )
    lost: float = options.worths[option] - saved
    return lost


@compiled
def joined(option: int, options: Options, chosen: Chosen, stakes: Stakes) -> float:
    """Return how much all choices together gain where the cell of an option, in another group now, joins its group."""
    cell, group = options.cells[option], options.groups[option]
    people, weight = chosen.people[group], chosen.weight[group]
    added = attacks_cost(people + options.people[cell], weight + options.weights[cell], stakes) - attacks_cost(
        people, weight, stakes
    )
    gained: float = options.worths[option] - added
    return gained


@compiled
def choose(cell: int, option: int, options: Options, chosen: Chosen) -> None:
    """Have a cell choose an option of its own, or ``WITHHELD``."""
    now = chosen.option[cell]
    if now != WITHHELD:
        chosen.people[options.groups[now]] -= options.people[cell]
        chosen.weight[options.groups[now]] -= options.weights[cell]
    if option != WITHHELD:
        chosen.people[options.groups[option]] += options.people[cell]
        chosen.weight[options.groups[option]] += options.weights[cell]
    chosen.option[cell] = option


@compiled
def best_reply(cell: int, shunned: int, options: Options, chosen: Chosen, stakes: Stakes) -> tuple[int, float]:
    """Return a cell's best option while all others stay, ``WITHHELD`` among them, and what all gain by it, dollars.

    The first of the best; the option that the cell has now where none gains more than the tolerance.

    Parameters
    ----------
    cell : its number.
    shunned : a group that the cell must not choose, nor stay in; -1 for none.
    """
    now = chosen.option[cell]
    lost = left(cell, options, chosen, stakes)
    best, gain = now, stakes.tolerance
    if now != WITHHELD and (options.groups[now] == shunned or -lost > gain):
        best, gain = WITHHELD, -lost
    for option in range(options.starts[cell], options.starts[cell + 1]):
        if option == now or options.groups[option] == shunned:
            continue
        pays = joined(option, options, chosen, stakes) - lost
        if pays > gain:
            best, gain = option, pays
    return best, 0.0 if best == now else gain


@compiled
def reply_in_turn(options: Options, chosen: Chosen, stakes: Stakes) -> int:
    """Have each cell in turn choose its best option while all others stay; return how many have moved."""
    moved = 0
    for cell in range(options.people.shape[0]):
        best, _ = best_reply(cell, NO_GROUP, options, chosen, stakes)
        if best != chosen.option[cell]:
            choose(cell, best, options, chosen)
            moved += 1
    return moved


@compiled
def gather(options: Options, chosen: Chosen, stakes: Stakes) -> int:
    """Move to each group in turn all cells that would gain there if it were not attacked; return how many have moved.

    Where all choices together do not gain by it, the group is left as it was.
    """
    kept = 0
    for group in range(options.group_starts.shape[0] - 1):
        moved, gain = 0, 0.0
        for place in range(options.group_starts[group], options.group_starts[group + 1]):
            option = options.of_group[place]
            cell = options.cells[option]
            now = chosen.option[cell]
            if now != WITHHELD and options.groups[now] == group:
                continue
            lost = left(cell, options, chosen, stakes)
            if options.worths[option] - lost > stakes.tolerance:
                gain += joined(option, options, chosen, stakes) - lost
                moved = note_and_choose(cell, option, moved, options, chosen)
        kept += settle(gain, moved, options, chosen, stakes)
    return kept


@compiled
def scatter(options: Options, chosen: Chosen, stakes: Stakes) -> int:
    """Move all cells of each attacked group in turn to their best options elsewhere; return how many have moved.

    Where all choices together do not gain by it, the group is left as it was.
    """
    kept = 0
    for group in range(options.group_starts.shape[0] - 1):
        if attacks_cost(chosen.people[group], chosen.weight[group], stakes) == 0.0:
            continue
        moved, gain = 0, 0.0
        for place in range(options.group_starts[group], options.group_starts[group + 1]):
            option = options.of_group[place]
            cell = options.cells[option]
            if chosen.option[cell] == option:
                best, gained = best_reply(cell, group, options, chosen, stakes)
                gain += gained
                moved = note_and_choose(cell, best, moved, options, chosen)
        kept += settle(gain, moved, options, chosen, stakes)
    return kept


@compiled
def note_and_choose(cell: int, option: int, moved: int, options: Options, chosen: Chosen) -> int:
    """Have a cell choose an option so that it can be taken back; return how many cells have moved in the attempt."""
    chosen.moved[moved] = cell
    chosen.before[moved] = chosen.option[cell]
    choose(cell, option, options, chosen)
    return moved + 1


@compiled
def settle(gain: float, moved: int, options: Options, chosen: Chosen, stakes: Stakes) -> int:
    """Keep an attempt that gains more than the tolerance, else take it back; return how many cells have moved."""
    if gain > stakes.tolerance:
        return moved
    for index in range(moved - 1, -1, -1):
        choose(chosen.moved[index], chosen.before[index], options, chosen)
    return 0
