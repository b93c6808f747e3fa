"""One strategy for all records, or for all of a group: what each comes to, and which records it withholds."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.game.instance import Instance
from gamedeid.game.limits.candidates import within_risk
from gamedeid.game.limits.cells import cells_of
from gamedeid.game.limits.problem import Problem
from gamedeid.game.limits.sums import LimitRows
from gamedeid.game.outcomes import Outcomes
from gamedeid.game.rules import Game
from gamedeid.grouping import distinct_rows
from gamedeid.kernels.tables import WITHHELD
from gamedeid.reprs import frozen


@frozen(eq=False)
class UniformRelease:
    """What becomes of records that get one strategy for each group of them.

    Parameters
    ----------
    instance : what the game is played with.
    game : what is permitted.
    group_of : (q,) the group of each profile, from 0.
    record_risk : the greatest chance of re-identification of a released record; any unless given.
    smallest_cell : the fewest records that may share their released values; any unless given.
    """

    instance: Instance
    game: Game
    group_of: IntArray
    record_risk: float | None
    smallest_cell: int | None

    @property
    def groups(self) -> int:
        """How many groups there are."""
        return int(self.group_of.max()) + 1

    def nodes(self, strategy: int) -> IntArray:
        """Return the strategy of each profile, (q,), where all are released at one; -1 where it is withheld.

        A missing value is released as ``*``. Withheld is what may not be released at the strategy: what the game does
        not permit, what pays less than 0, and what is above the risk of a record or in too small a cell.

        Parameters
        ----------
        strategy : its node number.
        """
        instance = self.instance
        levels = np.maximum(instance.lattice.levels(np.array([strategy])), instance.base)
        nodes = instance.lattice.nodes(levels)
        outcomes = Outcomes(instance=instance, profiles=instance.everyone, nodes=nodes)
        released = self.game.permits(instance, instance.everyone, nodes, outcomes.replies.deterrable)
        released &= within_risk(outcomes.replies, self.record_risk)
        released &= instance.payoffs.as_good(outcomes.publisher_payoff, 0.0)
        if self.smallest_cell is not None:
            cells, counts = cells_of(instance, instance.everyone, levels, released)
            released &= counts[cells] >= self.smallest_cell
        return np.where(released, nodes, WITHHELD)

    def problem(self, like: Problem, rows: LimitRows) -> Problem:
        """Return the choice of a strategy for each group: an item for each strategy, in walk order, then withholding.

        Parameters
        ----------
        like : has what is allowed.
        rows : of the limits on sums.
        """
        instance, groups = self.instance, self.groups
        walk = instance.lattice.walk_order()
        worth, uses = np.empty((groups, len(walk) + 1)), np.empty((len(like.allowed), groups, len(walk) + 1))

        def add_up(amounts: FloatArray) -> FloatArray:
            sums: FloatArray = np.bincount(self.group_of, amounts * instance.profiles.records, groups).astype(float)
            return sums

        for place, strategy in enumerate([*walk.tolist(), WITHHELD]):
            nodes = np.full(len(self.group_of), WITHHELD) if strategy == WITHHELD else self.nodes(strategy)
            outcomes = Outcomes(instance=instance, profiles=instance.everyone, nodes=nodes)
            worth[:, place] = add_up(outcomes.publisher_payoff)
            for row, used in enumerate(rows.uses(outcomes)):
                uses[row, :, place] = add_up(used)
        return replace(
            like,
            starts=np.arange(groups + 1) * (len(walk) + 1),
            worth=worth.ravel(),
            uses=uses.reshape(len(uses), worth.size),
        )

    def chosen(self, items: IntArray) -> IntArray:
        """Return the strategy of each profile, (q,), -1 where withheld, from the item of each group.

        Parameters
        ----------
        items : (groups,) of :meth:`problem`.
        """
        strategies = np.append(self.instance.lattice.walk_order(), WITHHELD)[items % (self.instance.lattice.size + 1)]
        nodes = np.full(len(self.group_of), WITHHELD, np.int64)
        for strategy in np.unique(strategies[strategies != WITHHELD]).tolist():
            here = strategies[self.group_of] == strategy
            nodes[here] = self.nodes(strategy)[here]
        return nodes


def groups_of(instance: Instance, attributes: Sequence[str]) -> IntArray:
    """Return the group of each profile, (q,) from 0: the records with the same values of some attributes.

    Parameters
    ----------
    instance : whose profiles these are.
    attributes : their names; all records are one group where there are none.
    """
    if not attributes:
        return np.zeros(instance.profiles.count, np.int64)
    places = [list(instance.hierarchies).index(name) for name in attributes]
    codes = instance.profiles.codes[:, places]
    return distinct_rows(codes, [int(column.max()) + 1 for column in codes.T])[1]
