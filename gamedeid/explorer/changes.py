"""Which records are released otherwise than in the scenario as opened: by strategy, and by coarse values."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from gamedeid.arrays import BoolArray, IntArray
from gamedeid.explorer.counts import LEAST, others, told
from gamedeid.game.instance import Instance
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.grouping import distinct_rows
from gamedeid.kernels.tables import WITHHELD
from gamedeid.reprs import frozen
from gamedeid.study.solution import Solution

MOST_GROUPS = 30
"""How many groups of records with the same change are listed."""

COARSE = 12
"""An attribute's values are shown at the finest level that has no more groups than this."""


def describe_changes(before: Solution, after: Solution) -> dict[str, Any]:
    """Return which records change their strategies, as plain values; of fewer than 11 nothing is told.

    Where a hierarchy is another one, its levels are others too: there a record changes if another label of the
    attribute is published for it.

    Parameters
    ----------
    before : the game's answer to the scenario as opened.
    after : its answer at another setting.
    """
    pairs = _Pairs.of(before, after)
    if pairs is None:
        return {"game": after.name, "records": after.study.records, "changed": None, "known": False}
    changed = pairs.changed
    listed, rest = _by_strategy(pairs, np.flatnonzero(changed))
    return {
        "game": after.name,
        "known": True,
        "records": int(pairs.records.sum()),
        "changed": told(int(pairs.records[changed].sum())),
        "strategies": listed,
        "other_strategies": rest,
        "attributes": [_by_value(pairs, place, changed) for place in range(len(after.study.instance.hierarchies))],
    }


@frozen(eq=False, slots=False)
class _Pairs:
    """Records with the same profile before and the same after: (k,) pairs of profiles, and how many records each has.

    ``rows`` are the numbers of the profiles before and after.
    """

    before: Solution
    after: Solution
    rows: tuple[IntArray, IntArray]
    records: IntArray

    @classmethod
    def of(cls, before: Solution, after: Solution) -> "_Pairs | None":
        """Return the pairs; None where hierarchies differ and nothing tells which profiles have the same record."""
        profiles = [solution.study.instance.profiles for solution in (before, after)]
        if profiles[0] is profiles[1]:
            every = before.study.instance.everyone
            return cls(before=before, after=after, rows=(every, every), records=profiles[0].records)
        of_record = [one.of_record for one in profiles]
        if not all(len(each) == int(one.records.sum()) for each, one in zip(of_record, profiles, strict=True)):
            return None  # an engine counted the rows, or several are one person's
        first, _, records = distinct_rows(np.stack(of_record, axis=1), [one.count for one in profiles])
        rows = (of_record[0][first], of_record[1][first])
        return cls(before=before, after=after, rows=rows, records=records)

    @cached_property
    def nodes(self) -> tuple[IntArray, IntArray]:
        """Strategies before and after, (k,) node numbers each, -1 where withheld."""
        return self.before.choice.nodes[self.rows[0]], self.after.choice.nodes[self.rows[1]]

    @cached_property
    def changed(self) -> BoolArray:
        """Whether another strategy, or another label, is published, (k,)."""
        hierarchies = [solution.study.instance.hierarchies for solution in (self.before, self.after)]
        if self.rows[0] is self.rows[1]:
            return np.asarray(self.nodes[0] != self.nodes[1])
        withheld = [nodes == WITHHELD for nodes in self.nodes]
        changed = np.asarray(withheld[0] != withheld[1])
        levels = [solution.levels[rows] for solution, rows in zip((self.before, self.after), self.rows, strict=True)]
        for place, name in enumerate(hierarchies[0]):
            if hierarchies[0][name] is hierarchies[1][name]:
                changed |= levels[0][:, place] != levels[1][:, place]
            else:  # whose levels count otherwise
                changed |= self._other_labels(place, levels)
        return np.asarray(changed & ~(withheld[0] & withheld[1]))

    def _other_labels(self, place: int, levels: Sequence[IntArray]) -> BoolArray:
        """Return whether another label of one attribute is published, (k,)."""
        numbers: dict[str, int] = {}
        found = []
        for solution, rows, chosen in zip((self.before, self.after), self.rows, levels, strict=True):
            instance = solution.study.instance
            hierarchy = list(instance.hierarchies.values())[place]
            missing = len(hierarchy.leaves)
            of_label = np.empty((hierarchy.levels, missing + 1), np.int64)
            for level, (groups, labels) in enumerate(zip(hierarchy.groups, hierarchy.labels, strict=True)):
                of_group = np.array([numbers.setdefault(label, len(numbers)) for label in labels])
                of_label[level, :missing] = of_group[groups]
            of_label[:, missing] = -1
            found.append(of_label[chosen[:, place], instance.profiles.codes[rows, place]])
        other: BoolArray = found[0] != found[1]
        return other


def _by_strategy(pairs: _Pairs, changed: IntArray) -> tuple[list[dict[str, Any]], Any]:
    """Return the groups of pairs, (k,) numbers, that go from one strategy to the same other one; largest first."""
    solutions = (pairs.before, pairs.after)
    weights = pairs.records[changed]
    strategies = np.stack([nodes[changed] - WITHHELD for nodes in pairs.nodes], axis=1)
    sizes_of_lattices = [solution.study.instance.lattice.size + 1 for solution in solutions]
    first, group, _ = distinct_rows(strategies, sizes_of_lattices)
    sizes = _sums(group, weights, len(first))
    paid = [one.publisher_payoff[rows][changed] for one, rows in zip(solutions, pairs.rows, strict=True)]
    differences = np.bincount(group, weights * (paid[1] - paid[0]), len(first))
    attacked = [
        _sums(group, weights * one.attacked[rows][changed], len(first))
        for one, rows in zip(solutions, pairs.rows, strict=True)
    ]
    order = np.argsort(-sizes, kind="stable")
    named = order[sizes[order] >= LEAST][:MOST_GROUPS]
    before, after = (solution.study.instance for solution in solutions)
    listed = [
        {
            "before": _levels(before, int(strategies[first[place], 0]) + WITHHELD),
            "after": _levels(after, int(strategies[first[place], 1]) + WITHHELD),
            "records": int(sizes[place]),
            "payoff_difference": float(differences[place] / sizes[place]),
            "attacked_before": told(int(attacked[0][place])),
            "attacked_after": told(int(attacked[1][place])),
        }
        for place in named.tolist()
    ]
    return listed, others(sizes[order[len(named) :]])


def _levels(instance: Instance, node: int) -> dict[str, int] | None:
    """Return the levels of a strategy by attribute; None for withheld."""
    if node == WITHHELD:
        return None
    return dict(zip(instance.hierarchies, map(int, instance.lattice.levels_of(node)), strict=True))


def _by_value(pairs: _Pairs, place: int, changed: BoolArray) -> dict[str, Any]:
    """Return how many records change in each coarse group of an attribute's values, as it is grouped afterwards."""
    instance = pairs.after.study.instance
    name, hierarchy = list(instance.hierarchies.items())[place]
    profiles = instance.profiles
    level = _coarse_level(hierarchy)
    labels = [*hierarchy.labels[level], "missing", "several"]
    of_leaf = np.append(hierarchy.groups[level], len(labels) - 2)
    group = of_leaf[profiles.codes[pairs.rows[1], place]]
    if profiles.floors is not None:  # where the rows of a person agree above this level only
        group = np.where(profiles.floors[pairs.rows[1], place] > level, len(labels) - 1, group)
    sizes = _sums(group, pairs.records, len(labels))
    changes = _sums(group, pairs.records * changed, len(labels))
    shown = [place for place in range(len(labels)) if sizes[place] >= LEAST]
    return {
        "name": name,
        "level": level,
        "groups": [
            {"label": labels[place], "records": int(sizes[place]), "changed": told(int(changes[place]))}
            for place in shown
        ],
        "others": others(sizes[(sizes > 0) & (sizes < LEAST)]),
    }


def _coarse_level(hierarchy: Hierarchy) -> int:
    """Return the finest level of few groups; values that come from the data are never shown as they are."""
    finest = 1 if hierarchy.from_data else 0
    return next(level for level in range(finest, hierarchy.levels) if hierarchy.group_counts[level] <= COARSE)


def _sums(group: IntArray, weights: IntArray | Sequence[int], count: int) -> IntArray:
    """Return the sum of whole weights, (k,), over each of so many groups."""
    sums = np.zeros(count, np.int64)
    np.add.at(sums, group, weights)
    return sums
