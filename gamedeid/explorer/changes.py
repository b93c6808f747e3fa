"""Which records are released otherwise than in the scenario as opened: by strategy, and by coarse values."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from gamedeid.arrays import BoolArray, IntArray
from gamedeid.explorer.counts import LEAST, others, told
from gamedeid.game.instance import Instance
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.grouping import distinct_rows
from gamedeid.kernels.tables import WITHHELD
from gamedeid.study.solution import Solution

MOST_GROUPS = 30
"""How many groups of records with the same change are listed."""

COARSE = 12
"""An attribute's values are shown at the finest level that has no more groups than this."""


def describe_changes(before: Solution, after: Solution) -> dict[str, Any]:
    """Return which records change their strategies, as plain values; of fewer than 11 nothing is told.

    Parameters
    ----------
    before : the game's answer to the scenario as opened.
    after : its answer at other stakes, weights or another policy.
    """
    instance = after.study.instance
    changed = np.asarray(before.choice.nodes != after.choice.nodes)
    listed, rest = _by_strategy(before, after, np.flatnonzero(changed))
    return {
        "game": after.name,
        "records": int(instance.profiles.records.sum()),
        "changed": told(int(instance.profiles.records[changed].sum())),
        "strategies": listed,
        "other_strategies": rest,
        "attributes": [_by_value(instance, name, changed) for name in instance.hierarchies],
    }


def _by_strategy(before: Solution, after: Solution, changed: IntArray) -> tuple[list[dict[str, Any]], Any]:
    """Return the groups of profiles, (k,) numbers, that go from one strategy to the same other one; largest first."""
    instance = after.study.instance
    weights = instance.profiles.records[changed]
    strategies = np.stack([one.choice.nodes[changed] - WITHHELD for one in (before, after)], axis=1)
    first, group, _ = distinct_rows(strategies, [instance.lattice.size + 1] * 2)
    sizes = _sums(group, weights, len(first))
    paid = after.publisher_payoff[changed] - before.publisher_payoff[changed]
    differences = np.bincount(group, weights * paid, len(first))
    attacked = [_sums(group, weights * one.attacked[changed], len(first)) for one in (before, after)]
    order = np.argsort(-sizes, kind="stable")
    named = order[sizes[order] >= LEAST][:MOST_GROUPS]
    listed = [
        {
            "before": _levels(instance, int(strategies[first[place], 0]) + WITHHELD),
            "after": _levels(instance, int(strategies[first[place], 1]) + WITHHELD),
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


def _by_value(instance: Instance, name: str, changed: BoolArray) -> dict[str, Any]:
    """Return how many records change in each coarse group of an attribute's values."""
    place = list(instance.hierarchies).index(name)
    hierarchy, profiles = instance.hierarchies[name], instance.profiles
    level = _coarse_level(hierarchy)
    labels = [*hierarchy.labels[level], "missing", "several"]
    of_leaf = np.append(hierarchy.groups[level], len(labels) - 2)
    group = of_leaf[profiles.codes[:, place]]
    if profiles.floors is not None:  # where the rows of a person agree above this level only
        group = np.where(profiles.floors[:, place] > level, len(labels) - 1, group)
    sizes = _sums(group, profiles.records, len(labels))
    changes = _sums(group, profiles.records * changed, len(labels))
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
