"""What everybody in a population may reply with: strategies, and the released groups that they join by them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.game.mechanism.aware_people import released_groups
from gamedeid.game.mechanism.everybody import Everybody
from gamedeid.kernels.replying import Chosen, Options
from gamedeid.kernels.tables import WITHHELD
from gamedeid.progress import Progress
from gamedeid.reprs import frozen


@frozen(eq=False)
class Replies:
    """Strategies that a whole population replies with, and what has been chosen so far.

    Parameters
    ----------
    options : of the p profiles, e in all, for the inner loops.
    nodes : (e,) int64, the strategy of each option.
    start : (p,) int64, the strategies before the first reply.
    chosen : what each profile has chosen; the loops change it.
    """

    options: Options
    nodes: IntArray
    start: IntArray
    chosen: Chosen

    @property
    def chosen_nodes(self) -> IntArray:
        """The strategy of each profile now, (p,); of those without options, the one they began with."""
        found = np.append(self.nodes, WITHHELD)[self.chosen.option]
        silent = np.diff(self.options.starts) == 0
        return np.where(silent, self.start, found)


def list_replies(everybody: Everybody, start: IntArray, progress: Progress | None = None) -> Replies:
    """Return what everybody may reply with, and the state before the first reply.

    Left out are strategies worth less than what a profile is worth as it is, even if an attack on it is paid for: alone
    with those of the same values nobody costs more than one attack. Profiles that match nobody as they are stay so.
    Everybody counts as many times as there are people, a profile that is nobody of the population once.

    Parameters
    ----------
    everybody : who is released.
    start : (p,) strategies; ``WITHHELD`` for those who have none.
    progress : called with (strategies done, strategies in all).
    """
    instance, people = everybody.instance, everybody.people
    weights = np.maximum(people, 1)
    least = _least_worth(everybody, weights)
    silent = everybody.found_by_nobody
    cells, groups, worths, nodes, count = [], [], [], [], 0
    for done, node in enumerate(instance.lattice.walk_order().tolist()):
        values = everybody.values_at(node)
        some = everybody.may_be_released(node)
        some = some[~silent[some] & ((values[some] >= least[some]) | (start[some] == node))]
        if len(some):
            tried = np.full(len(people), WITHHELD, np.int64)
            tried[some] = node
            formed = released_groups(instance, tried)
            cells.append(some)
            groups.append(formed.of_profile[some] + count)
            worths.append(weights[some] * values[some])
            nodes.append(np.full(len(some), node))
            count += len(formed.people)
        if progress is not None:
            progress(done + 1, instance.lattice.size)
    of_cell, of_group, strategies = _joined(cells, np.int64), _joined(groups, np.int64), _joined(nodes, np.int64)
    order = np.argsort(of_cell, kind="stable")  # the options of a cell in walk order
    of_cell, of_group, strategies = of_cell[order], of_group[order], strategies[order]
    by_group = np.argsort(of_group, kind="stable")
    options = Options(
        starts=np.searchsorted(of_cell, np.arange(len(people) + 1)).astype(np.int64),
        groups=of_group,
        worths=_joined(worths, np.float64)[order],
        cells=of_cell,
        group_starts=np.searchsorted(of_group[by_group], np.arange(count + 1)).astype(np.int64),
        of_group=by_group.astype(np.int64),
        people=people.astype(np.int64),
        weights=weights.astype(np.float64),
    )
    return Replies(options=options, nodes=strategies, start=start, chosen=_chosen(options, strategies, start))


def _least_worth(everybody: Everybody, weights: IntArray) -> FloatArray:
    """Return what a strategy must be worth, (p,) dollars a person, for a profile to consider it."""
    instance, people = everybody.instance, everybody.people
    payoffs = instance.payoffs
    as_they_are = instance.values(instance.everyone, instance.lattice.nodes(instance.base))
    least = as_they_are - np.where(payoffs.attacked(people), payoffs.loss / weights, 0.0) - payoffs.tolerance
    return np.where(people > 0, least, 0.0)  # who is nobody of the population has to join others


def _chosen(options: Options, nodes: IntArray, start: IntArray) -> Chosen:
    """Return the state in which everybody has the strategy ``start``, (p,)."""
    count = len(start)
    option = np.full(count, WITHHELD, np.int64)
    there = np.flatnonzero(nodes == start[options.cells])
    option[options.cells[there]] = there
    groups = options.groups[there]
    people = np.zeros(len(options.group_starts) - 1, np.int64)
    np.add.at(people, groups, options.people[options.cells[there]])
    weight = np.bincount(groups, options.weights[options.cells[there]], minlength=len(people)).astype(np.float64)
    return Chosen(
        option=option,
        people=people,
        weight=weight,
        moved=np.empty(count, np.int64),
        before=np.empty(count, np.int64),
    )


def _joined(parts: Sequence[Any], kind: npt.DTypeLike) -> Any:
    return np.concatenate(parts).astype(kind) if parts else np.empty(0, kind)
