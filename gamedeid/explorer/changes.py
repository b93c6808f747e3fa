"""Effects of changed stakes: groups of records with other strategies, and breakpoints of the answer."""

from typing import Any

import numpy as np

from gamedeid.amounts import range_words
from gamedeid.analysis.robustness import SHARE, keeping_range
from gamedeid.analysis.stretches import StakeStretches
from gamedeid.arrays import ROUNDING, BoolArray, IntArray
from gamedeid.choices import GameName
from gamedeid.game.instance import Instance
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.grouping import distinct_rows, sums_by
from gamedeid.kernels.tables import WITHHELD
from gamedeid.progress import Progress
from gamedeid.risk.thresholds import CELL_PRESET
from gamedeid.study.solution import Solution
from gamedeid.study.study import Study

SMALLEST_COUNT = CELL_PRESET.people
"""Groups of fewer records are not named, and their number is hidden."""


def count_or_hidden(records: int) -> int | None:
    """Return a number of records; None for 1 to 10."""
    return None if 0 < records < SMALLEST_COUNT else int(records)


def unlisted_groups(sizes: IntArray) -> dict[str, int | None] | None:
    """Return the number of unnamed groups with these sizes, (k,), their records and the largest; None for no groups."""
    if not len(sizes):
        return None
    return {
        "groups": len(sizes),
        "records": count_or_hidden(int(np.sum(sizes))),
        "largest": count_or_hidden(int(np.max(sizes))),
    }


MOST_GROUPS = 30
"""Most groups of records with the same change that are listed."""

MOST_COARSE_GROUPS = 12
"""Most groups of an attribute's values: the finest level with no more groups is shown."""


def describe_changes(before: Solution, after: Solution) -> dict[str, Any]:
    """Return the groups of records with changed strategies, as plain values; numbers from 1 to 10 are hidden."""
    instance = after.study.instance
    changed = np.asarray(before.choice.nodes != after.choice.nodes)
    listed, rest = _by_strategy(before, after, np.flatnonzero(changed))
    return {
        "game": after.name,
        "records": int(instance.profiles.records.sum()),
        "changed": count_or_hidden(int(instance.profiles.records[changed].sum())),
        "strategies": listed,
        "other_strategies": rest,
        "attributes": [_by_value(instance, name, changed) for name in instance.hierarchies],
    }


def _by_strategy(before: Solution, after: Solution, changed: IntArray) -> tuple[list[dict[str, Any]], Any]:
    """Return the groups of changed profiles, (k,) numbers, by old and new strategy, the largest first; and the rest."""
    instance = after.study.instance
    weights = instance.profiles.records[changed]
    strategies = np.stack([one.choice.nodes[changed] - WITHHELD for one in (before, after)], axis=1)
    first, group, _ = distinct_rows(strategies)
    sizes = sums_by(group, weights, len(first))
    paid = after.publisher_payoff[changed] - before.publisher_payoff[changed]
    differences = np.bincount(group, weights * paid, len(first))
    attacked = [sums_by(group, weights * one.attacked[changed], len(first)) for one in (before, after)]
    order = np.argsort(-sizes, kind="stable")
    named = order[sizes[order] >= SMALLEST_COUNT][:MOST_GROUPS]
    listed = [
        {
            "before": _levels(instance, int(strategies[first[place], 0]) + WITHHELD),
            "after": _levels(instance, int(strategies[first[place], 1]) + WITHHELD),
            "records": int(sizes[place]),
            "payoff_difference": float(differences[place] / sizes[place]),
            "attacked_before": count_or_hidden(int(attacked[0][place])),
            "attacked_after": count_or_hidden(int(attacked[1][place])),
        }
        for place in named.tolist()
    ]
    return listed, unlisted_groups(sizes[order[len(named) :]])


def _levels(instance: Instance, node: int) -> dict[str, int] | None:
    """Return the levels of a strategy by attribute; None if withheld."""
    return None if node == WITHHELD else instance.levels_of(node)


def _by_value(instance: Instance, name: str, changed: BoolArray) -> dict[str, Any]:
    """Return the number of changed records in each coarse group of an attribute's values."""
    place = list(instance.hierarchies).index(name)
    hierarchy, profiles = instance.hierarchies[name], instance.profiles
    level = _coarse_level(hierarchy)
    labels = [*hierarchy.labels[level], "missing", "several"]
    group = profiles.groups(place, hierarchy, level)
    sizes = sums_by(group, profiles.records, len(labels))
    changes = sums_by(group, profiles.records * changed, len(labels))
    shown = [place for place in range(len(labels)) if sizes[place] >= SMALLEST_COUNT]
    return {
        "name": name,
        "level": level,
        "groups": [
            {"label": labels[place], "records": int(sizes[place]), "changed": count_or_hidden(int(changes[place]))}
            for place in shown
        ],
        "others": unlisted_groups(sizes[(sizes > 0) & (sizes < SMALLEST_COUNT)]),
    }


def _coarse_level(hierarchy: Hierarchy) -> int:
    """Return the finest level with few groups; level 0 is excluded if the leaves come from the data."""
    finest = 1 if hierarchy.from_data else 0
    return next(
        level for level in range(finest, hierarchy.levels) if hierarchy.group_counts[level] <= MOST_COARSE_GROUPS
    )


BINS = 40
"""Parts of the slider's range, each with its number of changed records."""


def describe_turning_points(
    study: Study,
    game: GameName,
    stretches: StakeStretches,
    ends: tuple[float, float],
    progress: Progress,
) -> dict[str, Any]:
    """Return the nearest breakpoints, the range that keeps the answer, and changes along the slider, as plain values.

    Parameters
    ----------
    stretches : from ``study_stretches``, for the same other stakes.
    """
    payoffs, stake = study.instance.payoffs, stretches.stake
    value = float(payoffs.adversary_gain if stake == "gain" else getattr(payoffs, stake))
    turns = ~stretches.first
    low, high = value * (1 - ROUNDING), value * (1 + ROUNDING)
    (least, most), are_open = keeping_range(study, game, stretches, progress=progress)
    return {
        "stake": stake,
        "game": game,
        "value": value,
        "below": _nearest(study, stretches, turns & (stretches.lows < low), below=True),
        "here": _nearest(study, stretches, turns & (stretches.lows >= low) & (stretches.lows <= high), below=True),
        "above": _nearest(study, stretches, turns & (stretches.lows > high), below=False),
        "keeps": {
            "share": SHARE,
            "from": least,
            "to": most,
            "words": range_words((least, most), value, are_open),
        },
        "bins": _bins(study, stretches, ends),
    }


def _nearest(study: Study, stretches: StakeStretches, among: BoolArray, *, below: bool) -> dict[str, Any] | None:
    """Return the greatest or least of some breakpoints, and the numbers of records that change there."""
    lows = stretches.lows[among]
    if not len(lows):
        return None
    value = float(lows.max() if below else lows.min())
    there = among & (np.abs(stretches.lows - value) <= ROUNDING * value)
    weights = study.instance.profiles.records[stretches.profiles[there]]
    return {
        "value": float(f"{value:.12g}"),
        "strategies": count_or_hidden(int(weights[stretches.strategy_changes[there]].sum())),
        "replies": count_or_hidden(int(weights[stretches.reply_changes[there]].sum())),
    }


def _bins(study: Study, stretches: StakeStretches, ends: tuple[float, float]) -> list[dict[str, Any]]:
    """Return the number of records with changed strategies in each part of the slider's range, of equal ratios."""
    edges = np.geomspace(*ends, BINS + 1)
    changes = stretches.strategy_changes & (stretches.lows > edges[0]) & (stretches.lows <= edges[-1])
    which = np.searchsorted(edges, stretches.lows[changes]) - 1
    records = study.instance.profiles.records
    pairs = np.unique(which * len(records) + stretches.profiles[changes])  # repeated changes of a record count once
    sums = sums_by(pairs // len(records), records[pairs % len(records)], BINS)
    return [
        {"from": low, "to": high, "records": count_or_hidden(number)}
        for low, high, number in zip(edges[:-1].tolist(), edges[1:].tolist(), sums.tolist(), strict=True)
    ]
