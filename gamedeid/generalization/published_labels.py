"""The labels of a hierarchy as they are published, and where a label belongs."""

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.levels import MISSING


def label_places(hierarchy: Hierarchy) -> dict[str, tuple[int, int]]:
    """Return label -> the least level that has it, and the first leaf of its group there."""
    places: dict[str, tuple[int, int]] = {}
    for level, labels in enumerate(hierarchy.labels):
        first = np.searchsorted(hierarchy.groups[level], np.arange(len(labels))).tolist()  # groups are runs of leaves
        for label, leaf in zip(labels, first, strict=True):
            places.setdefault(label, (level, leaf))
    return places


def every_label(hierarchy: Hierarchy) -> list[str]:
    """Return every label of an attribute, level after level; equal labels of different levels are repeated.

    Where missing values have a separate label, it is the last.
    """
    return [label for labels in hierarchy.labels for label in labels] + [MISSING] * hierarchy.shows_missing


def published_places(hierarchy: Hierarchy, codes: IntArray, levels: IntArray) -> IntArray:
    """Return the place in :func:`every_label`, (q,), of the label of leaf codes (q,) at levels (q,).

    The number of leaves is the code of a missing value, which is published as the root at any level, or by its label.
    """
    starts = np.concatenate([[0], np.cumsum([len(labels) for labels in hierarchy.labels])])
    known = codes < len(hierarchy.leaves)
    groups = np.where(known, hierarchy.groups[levels, np.where(known, codes, 0)], 0)
    return np.where(known, starts[levels] + groups, starts[-1] if hierarchy.shows_missing else starts[-2])
