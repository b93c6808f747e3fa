"""The columns of the original data and of a release as variables, their distances, and their associations."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any, Literal, TypeAlias

import numpy as np
import pandas as pd
import pyarrow as pa

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.generalization.bounds import label_bounds, value_type
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.readings import as_text
from gamedeid.reprs import frozen
from gamedeid.risk.thresholds import SMALLEST_GROUP, small_groups
from gamedeid.study.stored_release import StoredRelease
from gamedeid.study.study import Study

OTHERS = "(all others)"
"""Category of all values that too few records have."""


@frozen(eq=False)
class Variable:
    """A column in one of both tables.

    Parameters
    ----------
    codes : (n,) the place of each row's value in ``labels``; -1 where it is missing or suppressed.
    numbers : (n,) float64, NaN where there is none; days for dates. None if the values are no numbers.
    """

    codes: IntArray
    labels: tuple[str, ...]
    numbers: FloatArray | None = None

    @property
    def known(self) -> Any:
        """Whether each row has a value, (n,)."""
        return self.codes >= 0 if self.numbers is None else ~np.isnan(self.numbers)

    @property
    def rows_of_labels(self) -> IntArray:
        """How many rows have each label."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.labels))

    @property
    def by_label(self) -> dict[str, int]:
        """Label -> how many rows have it."""
        return dict(zip(self.labels, self.rows_of_labels.tolist(), strict=True))


@frozen(eq=False)
class Pair:
    """A column of the original data and of the release."""

    original: Variable
    released: Variable

    @property
    def as_category(self) -> "Pair":
        """The same values as categories."""
        return Pair(original=replace(self.original, numbers=None), released=replace(self.released, numbers=None))

    @property
    def folded(self) -> "Pair":
        """The same, with categories of fewer than `SMALLEST_GROUP` records combined.

        Records are counted in the original; those of a category that it lacks, such as a group, in the release.
        """
        original, released, shown, combined = self.original, self.released, set[str](), set[str]()
        if original.numbers is None:
            rows = original.rows_of_labels
            used = np.flatnonzero(rows)
            small = small_groups(rows[used])
            shown = {original.labels[place] for place in used[~small].tolist()}
            combined = {original.labels[place] for place in used[small].tolist()}
            original = _combine_labels(original, combined)
        if released.numbers is None:
            counted = zip(released.labels, released.rows_of_labels.tolist(), strict=True)
            rare = {label for label, count in counted if count < SMALLEST_GROUP} - shown
            released = _combine_labels(released, combined | rare)
        return Pair(original=original, released=released)


Pairs: TypeAlias = Mapping[str, Pair]
"""Column -> its values in both tables."""


def read_pairs(study: Study, release: StoredRelease) -> dict[str, Pair]:
    """Return the attributes and kept columns of both tables, numbers and dates of generalized values at midpoints."""
    kept, missing = study.scenario.records.keep, study.scenario.records.missing_values
    table = pa.table({name: _original_column(study, name) for name in (*study.instance.hierarchies, *kept)})
    codes = study.codes_of_rows(table)
    found, nothing = {}, release.without_value
    for place, (name, hierarchy) in enumerate(study.instance.hierarchies.items()):
        own = codes[:, place]
        original = _labelled(hierarchy, np.where(own == len(hierarchy.leaves), -1, own), hierarchy.leaves, nothing)
        rows, labels, _ = release.labels(name)
        found[name] = Pair(original=original, released=_labelled(hierarchy, rows, labels, nothing))
    if kept:
        before = release.read_alike(table.select(kept))
        for place, name in enumerate(kept):
            written = release.stored.published(name)
            found[name] = _kept(before.iloc[:, place], release.rows[written], missing)
    return found


def with_labels(pair: Pair, name: str, release: StoredRelease) -> Pair:
    """Return an attribute with its released labels as categories, ``*`` among them."""
    codes, labels, _ = release.labels(name)
    return Pair(original=pair.original, released=Variable(codes=codes, labels=tuple(labels)))


def _original_column(study: Study, name: str) -> pa.ChunkedArray:
    columns = [values for _, values, _ in study.rows.columns([name])]
    return pa.chunked_array([chunk for column in columns for chunk in column.chunks], type=columns[0].type)


def _labelled(hierarchy: Hierarchy, codes: IntArray, labels: Sequence[str], nothing: Collection[str]) -> Variable:
    """Return the values of an attribute that labels denote; the labels in ``nothing`` denote none."""
    known = np.array([label not in nothing for label in labels] + [False])
    codes = np.where(known[codes], codes, -1)
    if value_type(hierarchy) == "text":
        return Variable(codes=codes, labels=tuple(labels))
    bounds = label_bounds(hierarchy, labels)
    middles = [_midpoint(*bounds[label]) for label in labels]
    return Variable(codes=codes, labels=tuple(labels), numbers=np.array([*middles, np.nan])[codes])


def _midpoint(low: Decimal | date | None, high: Decimal | date | None) -> float:
    if low is None or high is None:
        return np.nan
    ends = [float(end.toordinal()) if isinstance(end, date) else float(end) for end in (low, high)]
    return sum(ends) / 2


def _kept(original: Any, released: Any, missing: Collection[str]) -> Pair:
    """Return a kept column of both tables; as numbers if both tables have numbers."""
    found = [one.mask(one.isin(missing)) if pd.api.types.is_string_dtype(one) else one for one in (original, released)]
    before, after = map(_categories, found)
    numbers = list(map(_numbers, found))
    if numbers[0] is not None and numbers[1] is not None:
        before, after = replace(before, numbers=numbers[0]), replace(after, numbers=numbers[1])
    return Pair(original=before, released=after)


def _numbers(values: Any) -> FloatArray | None:
    if pd.api.types.is_datetime64_any_dtype(values):
        days = (values.dt.tz_localize(None) - pd.Timestamp(1, 1, 1).as_unit("s")) / pd.Timedelta(days=1) + 1
        return days.to_numpy(np.float64)  # type: ignore[no-any-return]
    if not pd.api.types.is_numeric_dtype(values):
        known, values = values.notna(), pd.to_numeric(values, errors="coerce")
        if (known & values.isna()).any():
            return None
    return values.to_numpy(np.float64, na_value=np.nan)  # type: ignore[no-any-return]


def _categories(values: Any) -> Variable:
    codes, found = pd.factorize(values)
    return Variable(codes=codes, labels=tuple(as_text(value) for value in found.tolist()))


def _combine_labels(variable: Variable, combined: set[str]) -> Variable:
    """Return a variable with one label instead of those in ``combined``."""
    named = np.array([OTHERS if label in combined else label for label in variable.labels], dtype=object)
    places, labels = pd.factorize(named)
    return Variable(codes=np.append(places, -1)[variable.codes], labels=tuple(labels.tolist()))


AssociationMeasure: TypeAlias = Literal["correlation", "correlation ratio", "Cramer's V"]
"""For two columns of numbers, for numbers in categories, and for two columns of categories."""


def attribute_shares(pair: Pair, levels: IntArray, hierarchy: Hierarchy) -> tuple[FloatArray, FloatArray]:
    """Return the rows of each value of an attribute, (leaves,), in both tables; a group counts in equal parts."""
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
    """Return the measure of the association of two columns."""
    numbers = (one.original.numbers is not None) + (other.original.numbers is not None)
    measures: tuple[AssociationMeasure, ...] = ("Cramer's V", "correlation ratio", "correlation")
    return measures[numbers]


def association(one: Variable, other: Variable) -> float | None:
    """Return the association of two columns of a table; None if one of them does not vary."""
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
    """Return the root of the share of the variance that is between the means of the categories."""
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
