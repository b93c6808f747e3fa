"""Whether the levels of an attribute form one tree in tree order."""

from collections.abc import Iterator

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.errors import quoted
from gamedeid.generalization.levels import MOST_LEVELS, ROOT


def tree_faults(leaves: tuple[str, ...], groups: IntArray, labels: tuple[tuple[str, ...], ...]) -> Iterator[str]:
    """Yield the faults that keep the parts from being one tree in tree order; none after a fault of shape."""
    shape = (len(labels), len(leaves))
    if groups.shape != shape or len(labels) < 2 or not leaves:  # noqa: PLR2004 - a value and the root
        yield f"groups of shape {groups.shape}: expected {shape}, with at least 2 levels and 1 leaf"
        return
    if len(labels) > MOST_LEVELS:
        yield f"has {len(labels)} levels, the value and the root included: expected at most {MOST_LEVELS}"
        return
    steps = np.diff(groups, axis=1)
    if groups[:, 0].any() or not np.isin(steps, (0, 1)).all():
        yield "groups are not counted from 0 along the leaves without gaps: the leaves are not in tree order"
    elif (steps[1:] > steps[:-1]).any():
        level = int(np.flatnonzero((steps[1:] > steps[:-1]).any(axis=1))[0])
        yield f"level {level + 1} splits a group of level {level}"
    elif not steps[0].all() or steps[-1].any():
        yield "the groups of level 0 are not the leaves, or those of the top level are not one"
    for level, row in enumerate(labels):
        if len(row) != int(groups[level, -1]) + 1 or len(set(row)) != len(row) or "" in row:
            yield f"level {level} has {len(row)} labels: expected one for each of its groups, all different, none empty"
    if labels[0] == leaves:
        yield from _misleading_labels(leaves, groups, labels)
    if labels[0] != leaves or labels[-1] != (ROOT,):
        yield f"the labels of level 0 are not the leaves, or the top label is not `{ROOT}`"


def _misleading_labels(leaves: tuple[str, ...], groups: IntArray, labels: tuple[tuple[str, ...], ...]) -> Iterator[str]:
    """Yield the groups that are published like a value, but are not that value alone."""
    places = {leaf: place for place, leaf in enumerate(leaves)}
    for level, row in enumerate(labels[1:-1], start=1):
        sizes = np.bincount(groups[level])
        for group in (number for number, label in enumerate(row) if label in places):
            if groups[level, places[row[group]]] != group or sizes[group] > 1:
                label = quoted(row[group])
                yield (
                    f"level {level} calls a group {label}, which is also a value, and the group is not that value "
                    "alone: give the group another label"
                )
