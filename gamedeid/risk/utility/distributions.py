"""How far the columns of a release are from the original ones, and how strongly pairs of them still hang together."""

from typing import Literal, TypeAlias

import numpy as np
import pandas as pd

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.risk.utility.variables import Pair, Variable

AssociationMeasure: TypeAlias = Literal["correlation", "correlation ratio", "Cramer's V"]
"""Of two columns of numbers, of numbers in categories, and of two columns of categories."""


def attribute_shares(pair: Pair, levels: IntArray, hierarchy: Hierarchy) -> tuple[FloatArray, FloatArray]:
    """Return the rows of each value of an attribute, (leaves,), in both tables; those of a group in equal parts."""
    released = np.zeros(len(hierarchy.leaves))
    rows = pair.released.rows_of_labels.tolist()
    for label, level, count in zip(pair.released.labels, levels.tolist(), rows, strict=True):
        if count:
            group = hierarchy.labels[level].index(label)
            inside = hierarchy.groups[level] == group
            released[inside] += count / inside.sum()
    return pair.original.rows_of_labels.astype(np.float64), released


def kept_shares(pair: Pair) -> tuple[FloatArray, FloatArray]:
    """Return the rows of each value of a kept column, (k,), in both tables."""
    labels = {label: place for place, label in enumerate(dict.fromkeys((*pair.original.labels, *pair.released.labels)))}
    shares = []
    for variable in (pair.original, pair.released):
        counted = np.zeros(len(labels))
        np.add.at(counted, [labels[label] for label in variable.labels], variable.rows_of_labels)
        shares.append(counted)
    return shares[0], shares[1]


def total_variation(one: FloatArray, other: FloatArray) -> float:
    """Return half the sum of the differences of shares, in [0, 1], from weights of each value, (k,), not all 0."""
    return float(min(np.abs(one / one.sum() - other / other.sum()).sum() / 2, 1.0))


def hellinger(one: FloatArray, other: FloatArray) -> float:
    """Return the Hellinger distance of shares, in [0, 1], from weights of each value, (k,), not all 0."""
    roots = np.sqrt(one / one.sum()) - np.sqrt(other / other.sum())
    return float(min(np.sqrt((roots**2).sum() / 2), 1.0))


def association_measure(one: Pair, other: Pair) -> AssociationMeasure:
    """Return how the association of two columns is measured."""
    numbers = (one.original.numbers is not None) + (other.original.numbers is not None)
    measures: tuple[AssociationMeasure, ...] = ("Cramer's V", "correlation ratio", "correlation")
    return measures[numbers]


def association(one: Variable, other: Variable) -> float | None:
    """Return how strongly two columns of a table hang together; None where one of them does not vary."""
    known = one.known & other.known
    if one.numbers is not None and other.numbers is not None:
        return _correlation(one.numbers[known], other.numbers[known])
    if one.numbers is not None:
        return _correlation_ratio(one.numbers[known], other.codes[known])
    if other.numbers is not None:
        return _correlation_ratio(other.numbers[known], one.codes[known])
    return _cramers_v(one.codes[known], other.codes[known])


def _correlation(one: FloatArray, other: FloatArray) -> float | None:
    if len(one) == 0 or np.ptp(one) == 0 or np.ptp(other) == 0:
        return None
    return float(np.clip(np.corrcoef(one, other)[0, 1], -1, 1))


def _correlation_ratio(numbers: FloatArray, codes: IntArray) -> float | None:
    """Return the root of the share of the variance that the means of the categories make up."""
    if len(numbers) == 0 or np.ptp(numbers) == 0 or np.ptp(codes) == 0:
        return None
    distances = numbers - numbers.mean()
    sums, rows = np.bincount(codes, distances), np.bincount(codes)
    between = (sums[rows > 0] ** 2 / rows[rows > 0]).sum()
    return float(np.sqrt(min(between / (distances**2).sum(), 1.0)))


def _cramers_v(one: IntArray, other: IntArray) -> float | None:
    table = pd.crosstab(one, other).to_numpy(np.float64)
    if min(table.shape) <= 1:
        return None
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / len(one)
    chi_squared = ((table - expected) ** 2 / expected).sum()
    return float(np.sqrt(min(chi_squared / len(one) / (min(table.shape) - 1), 1.0)))
