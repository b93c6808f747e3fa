"""Which records share their released values: the cells of a release, and those that hold enough records of the data."""

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.errors import InvalidScenarioError
from gamedeid.game.instance import Instance
from gamedeid.game.limits.candidates import within_risk
from gamedeid.game.limits.problem import Problem
from gamedeid.game.limits.sums import LimitRows
from gamedeid.game.outcomes import Outcomes
from gamedeid.game.rules import Game
from gamedeid.grouping import distinct_rows
from gamedeid.kernels.tables import WITHHELD
from gamedeid.reprs import frozen

NO_CELL = -1
"""Stands for the cell of what is withheld."""

MOST_PAIRS = 50_000_000
"""Pairs of profile and strategy that are looked at, at most: some gigabytes."""


@frozen(eq=False)
class CellChoices:
    """What may be done with each profile where cells must hold enough records: items, profile after profile; e in all.

    A cell is a strategy and the values at it. The last item of each profile withholds it.

    Parameters
    ----------
    problem : a choice of an item for each profile, with the limits on sums.
    nodes : (e,) int64 node numbers; -1 for withholding.
    cells : (e,) int64 number of the cell that the profile is in then; -1 for withholding.
    records : (q,) int64 how many records have each profile.
    least : how many released records a cell must hold, if any.
    """

    problem: Problem
    nodes: IntArray
    cells: IntArray
    records: IntArray
    least: int

    @property
    def count(self) -> int:
        """How many cells there are."""
        return int(self.cells.max(initial=NO_CELL)) + 1

    def held(self, items: IntArray) -> IntArray:
        """Return how many records each cell holds, (c,), by one item of each of some profiles.

        Parameters
        ----------
        items : (k,) of different profiles.
        """
        items = items[self.cells[items] != NO_CELL]
        held = np.bincount(self.cells[items], self.records[self.problem.group_of[items]], self.count)
        return held.astype(np.int64)

    def keeps(self, items: IntArray) -> bool:
        """Return whether no cell is too small by one item of each profile, (q,)."""
        held = self.held(items)
        return bool(((held == 0) | (held >= self.least)).all())


def cell_choices(
    instance: Instance, game: Game, rows: LimitRows, *, least: int, record_risk: float | None
) -> CellChoices:
    """Return what may be done with each profile: all strategies whose cell can hold enough records, and withholding.

    A strategy is left out for a profile where fewer than ``least`` records of the data share its values there and may
    be released so: whatever is done with the others, the cell stays too small.

    Parameters
    ----------
    instance : what the game is played with.
    game : what is permitted.
    rows : of the limits on sums.
    least : how many released records a cell must hold.
    record_risk : the greatest chance of re-identification of a released record; any unless given.

    Raises
    ------
    InvalidScenarioError : there are too many pairs of profile and strategy.
    """
    profiles, lattice = instance.profiles, instance.lattice
    if profiles.count * lattice.size > MOST_PAIRS:
        raise InvalidScenarioError(
            f"limits.smallest_cell looks at every strategy of every profile, at most {MOST_PAIRS:,} pairs, and there "
            f"are {profiles.count * lattice.size:,}; set uniform = true beside it, or use fewer attributes or levels"
        )
    found, nodes, cells, worth, uses, count = [], [], [], [], [], 0
    for node in lattice.walk_order().tolist():
        open_to = np.flatnonzero((game.floors <= np.array(lattice.levels_of(node))).all(axis=1))
        own = np.full(len(open_to), node, np.int64)
        outcomes = Outcomes(instance=instance, profiles=open_to, nodes=own)
        permitted = game.permits(instance, open_to, own, outcomes.replies.deterrable)
        permitted &= within_risk(outcomes.replies, record_risk)
        here, held = cells_of(instance, open_to, outcomes.levels, permitted)
        some = np.flatnonzero(permitted & (held[here] >= least))
        if not len(some):
            continue
        _, numbers = np.unique(here[some], return_inverse=True)
        found.append(open_to[some])
        nodes.append(own[some])
        cells.append(count + numbers)
        worth.append(outcomes.publisher_payoff[some])
        uses.append(rows.uses(outcomes)[:, some])
        count += int(numbers.max()) + 1
    everyone = instance.everyone
    none = Outcomes(instance=instance, profiles=everyone, nodes=np.full(len(everyone), WITHHELD))
    profile = np.concatenate([*found, everyone])
    order = np.argsort(profile, kind="stable")
    times = profiles.records[profile].astype(float)[order]
    problem = Problem(
        starts=np.searchsorted(profile[order], np.arange(profiles.count + 1)),
        worth=np.concatenate([*worth, np.zeros(len(everyone))])[order] * times,
        uses=np.concatenate([*uses, rows.uses(none)], axis=1)[:, order] * times,
        allowed=rows.allowed,
        tolerance=rows.tolerance,
        equal=instance.payoffs.tolerance * float(profiles.records.sum()),
    )
    return CellChoices(
        problem=problem,
        nodes=np.concatenate([*nodes, none.nodes])[order].astype(np.int64),
        cells=np.concatenate([*cells, np.full(len(everyone), NO_CELL)])[order].astype(np.int64),
        records=profiles.records.astype(np.int64),
        least=least,
    )


def smallest_cell(outcomes: Outcomes) -> int:
    """Return how many records are in the smallest cell of a release; 0 where nothing is released.

    Parameters
    ----------
    outcomes : of all profiles.
    """
    released = ~outcomes.withheld
    cells, counts = cells_of(outcomes.instance, outcomes.profiles, outcomes.levels, released)
    return int(counts[cells[released]].min()) if released.any() else 0


def cells_of(
    instance: Instance, profiles: IntArray, levels: IntArray, released: BoolArray
) -> tuple[IntArray, FloatArray]:
    """Return the cell of some profiles, (k,), and how many released records are in each cell, (c,).

    Groups of different levels are not one, even where they are published alike.

    Parameters
    ----------
    instance : what the game is played with.
    profiles : (k,) numbers of profiles.
    levels : (k, a) of each.
    released : (k,) which of them count.
    """
    missing, codes = instance.profiles.missing[profiles], instance.profiles.codes[profiles]
    columns = []
    for place in range(levels.shape[1]):
        known = np.where(missing[:, place], 0, codes[:, place])
        columns.append(instance.hierarchy_tables.groups[place, levels[:, place], known])
    rows = np.concatenate([np.stack(columns, axis=1), levels], axis=1)
    _, cells, _ = distinct_rows(rows, [int(column.max(initial=0)) + 1 for column in rows.T])
    return cells, np.bincount(cells, instance.profiles.records[profiles] * released).astype(float)
