"""Disclosure by kept columns: l-diversity and t-closeness of classes, and attributes that they reveal."""

from collections.abc import Mapping
from dataclasses import replace
from math import isfinite
from typing import Any, Literal, TypeAlias

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.data.column_names import looks_like_identifier
from gamedeid.data.columns import plain_columns
from gamedeid.data.profiles import Column
from gamedeid.grouping import distinct_rows, sums_by
from gamedeid.reprs import frozen
from gamedeid.results.result import Count, Number, OneOrMore, Result, Share, Text
from gamedeid.risk.records import released_classes
from gamedeid.study.kept import KeptUniqueness
from gamedeid.study.rows_at_start import first_rows
from gamedeid.study.solution import Solution

LEAST_ROWS = 20
"""Least rows of a kept value, and of a column: fewer rows prove nothing, since they may agree by chance."""

LEAST_AGREEMENT = 0.95
"""Least share of the rows of a kept value that have one value of an attribute, for the kept value to reveal it."""

FEWER_EXCEPTIONS = 10
"""Least factor by which other values of the attribute are rarer among the rows of a kept value than among all rows."""

LEAST_SHARE = 0.01
"""Least share of the released rows in which a kept column reveals an attribute, for a warning."""

NEARLY_UNIQUE = 0.9
"""Least share of the rows with a value that no other row has, for a column to be nearly unique for each row."""

Why: TypeAlias = Literal["gives back", "unique", "identifier"]
"""The fault of a kept column: it reveals an attribute, is nearly unique for each row, or names people by its name."""

Distance: TypeAlias = Literal["ordered", "equal"]
"""Distance of two values of a column: by their places in numerical order, or equal for all."""


@frozen
class ColumnDiversity(Result):
    """The disclosure of one kept column by the classes of a release.

    Who knows the class of a person learns the values of the column in it. A missing value counts as a value.

    Parameters
    ----------
    column : its name.
    values : different values in the released rows, at least 1.
    distinct : distinct l-diversity: different values in the class that has the fewest, at least 1.
    entropy : entropy l-diversity: the least exp(entropy) of a class, at least 1; published figures often round it down
        to a whole number.
    closeness : t-closeness: the greatest distance, in [0, 1], of a class's distribution from that of all released rows.
    distance : "ordered" if every value is a number, otherwise "equal".
    alone : rows whose class has a single value of the column: finding the class reveals the value.
    """

    column: Text
    values: OneOrMore
    distinct: OneOrMore
    entropy: Number
    closeness: Share
    distance: Distance
    alone: Count


@frozen
class KeptDiversity(Result):
    """The disclosure of every kept column; nothing of a single record.

    Parameters
    ----------
    rows_looked_at : how many records were examined, the first ones; None if none was, since the frame is lazy.
    released : how many of those are released.
    classes : how many classes these are in.
    columns : in the order of the columns, without those of nested values. Empty if nothing is released.
    """

    rows_looked_at: Count | None
    released: Count
    classes: Count
    columns: tuple[ColumnDiversity, ...]


def kept_diversity(solution: Solution) -> KeptDiversity:
    """Return the disclosure of the kept columns by the classes of a release, from its first rows.

    The game does not measure it: it counts re-identifications, not inferences about a person.

    Parameters
    ----------
    solution : the release.

    Returns
    -------
    for each kept column its l-diversity, distinct and by entropy, and its t-closeness, over the classes of the release.

    Raises
    ------
    InvalidDataError : a row of the records cannot be read again as it was.

    References
    ----------
    Machanavajjhala et al. 2007 (distinct and entropy l-diversity); Li, Li and Venkatasubramanian 2007 (t-closeness:
    the earth mover's distance with ordered or equal ground distance), both as pyCANON defines them.
    """
    kept = solution.study.scenario.records.keep
    first = first_rows(solution.study) if kept else None
    if first is None:
        return KeptDiversity(rows_looked_at=None if kept else 0, released=0, classes=0, columns=())
    table, profile_of, _ = first
    classes = released_classes(solution)[profile_of]
    released = classes >= 0
    _, class_of, sizes = distinct_rows(classes[released][:, None])
    found = [
        column_diversity(name, replace(column, codes=column.codes[released]), class_of, sizes)
        for name, column in plain_columns(table, kept if len(sizes) else ())
    ]
    return KeptDiversity(
        rows_looked_at=table.num_rows, released=int(released.sum()), classes=len(sizes), columns=tuple(found)
    )


def kept_uniqueness(solution: Solution) -> KeptUniqueness:
    """Return how many released rows are unique by their kept columns: each column, the worst pairs, all together.

    A recipient who knows these values of a person finds the row, whatever was generalized: the game counts only the
    attributes. If ``[records] person`` names people, each is also judged by the set of values of all their rows. A
    missing value counts as a value.

    Parameters
    ----------
    solution : the release.

    Returns
    -------
    numbers of different values, unique rows and unique people; no value.

    Raises
    ------
    InvalidDataError : a row of the records cannot be read again as it was.
    """
    return solution.kept_uniqueness


def column_diversity(name: str, column: Column, class_of: IntArray, sizes: IntArray) -> ColumnDiversity:
    """Return the measures of one column, (n,), whose rows are in classes, (n,) from 0 up, of these sizes, (k,)."""
    missing = len(column.values)
    values, codes = np.unique(np.where(column.codes < 0, missing, column.codes), return_inverse=True)
    numbers = None if values[-1] == missing else _numbers([column.values[one] for one in values.tolist()])
    if numbers is not None:
        values, of_value = np.unique(numbers, return_inverse=True)
        codes = of_value[codes]
    first, _, rows = distinct_rows(np.stack([class_of, codes], axis=1))
    cell_class, cell_value = class_of[first], codes[first]
    share = rows / sizes[cell_class]
    distinct = np.bincount(cell_class, minlength=len(sizes))
    entropy = np.bincount(cell_class, -share * np.log(share), minlength=len(sizes))
    in_all = np.bincount(codes)
    if numbers is None:
        overall = in_all / len(codes)
        excess = np.abs(share - overall[cell_value]) - overall[cell_value]
        distances = (np.bincount(cell_class, excess, minlength=len(sizes)) + 1) / 2
    else:
        distances = _ordered_distances(cell_class, cell_value, rows, in_all)
    return ColumnDiversity(
        column=name,
        values=len(values),
        distinct=int(distinct.min()),
        entropy=float(np.exp(max(entropy.min(), 0.0))),
        closeness=float(min(max(distances.max(), 0.0), 1.0)),
        distance="equal" if numbers is None else "ordered",
        alone=int(sizes[distinct == 1].sum()),
    )


def _ordered_distances(cell_class: IntArray, cell_value: IntArray, rows: IntArray, in_all: IntArray) -> FloatArray:
    """Return the earth mover's distance, (k,), of each class from all rows: mean gap of the cumulative distributions.

    A class's own cumulative distribution is constant from one of its values to the next, and that of all rows rises:
    the two cross at most once between them. Rows are added up as whole numbers, so that the order of the classes
    changes no digit. ``cell_class``, ``cell_value`` and ``rows``, (c,), are class, place of the value and rows of the
    class, sorted by class, then value; ``in_all``, (v,), is how many of all rows have each value.
    """
    begins = np.append(True, cell_class[1:] != cell_class[:-1])
    sizes, steps = np.add.reduceat(rows, np.flatnonzero(begins)), len(in_all) - 1
    if not steps:
        return np.zeros(len(sizes))
    reached = np.cumsum(in_all) / in_all.sum()
    below = np.concatenate([[0.0], np.cumsum(reached)])  # below[b] - below[a] is the sum of reached[a:b]
    before_class = np.cumsum(sizes) - sizes
    own = (np.cumsum(rows) - before_class[cell_class]) / sizes[cell_class]
    ends = np.append(np.where(begins[1:], steps, cell_value[1:]), steps)
    starts = np.minimum(cell_value, steps)
    crossing = np.clip(np.searchsorted(reached, own), starts, ends)
    gaps = own * (2 * crossing - starts - ends) + below[starts] + below[ends] - 2 * below[crossing]
    sums = np.bincount(cell_class, gaps, minlength=len(sizes)) + below[cell_value[begins]]
    distances: FloatArray = sums / steps
    return distances


def _numbers(values: list[Any]) -> FloatArray | None:
    """Return the values as numbers, (v,); None if one is no number."""
    try:
        numbers = np.array([float(value) for value in values])
    except (TypeError, ValueError):
        return None
    return numbers if all(map(isfinite, numbers)) else None


@frozen
class KeptWarning(Result):
    """The fault of a kept column.

    Parameters
    ----------
    column : its name.
    why : it "gives back" an attribute, is "unique" for nearly each row, or an "identifier" by its name.
    attribute : the attribute that it gives back.
    share : share of the examined released rows, in [0, 1], in which the attribute was generalized and is given back, or
        that have a unique value, or that have any value; None if no row was examined.
    """

    column: Text
    why: Text
    attribute: Text | None
    share: Share | None


@frozen
class KeptColumns(Result):
    """The findings about the kept columns of a release; nothing of a single record.

    Parameters
    ----------
    columns : number of kept columns.
    rows_looked_at : how many records were examined, the first ones; None for a lazy frame, of which only names were.
    warnings : in the order of the columns.
    uniqueness : how many released rows are unique by the columns; None if no column is kept.
    """

    columns: Count
    rows_looked_at: Count | None
    warnings: tuple[KeptWarning, ...]
    uniqueness: KeptUniqueness | None = None


def check_kept_columns(solution: Solution) -> KeptColumns:
    """Return the kept columns that undo the generalization of a release, by its first rows.

    A kept value gives an attribute back if at least ``LEAST_ROWS`` rows have it, ``LEAST_AGREEMENT`` of them have one
    value of the attribute, and exceptions are ``FEWER_EXCEPTIONS`` times rarer among them than among all rows, so that
    the value is not just the most common one. Rows of lazy frames are not examined.
    """
    study = solution.study
    kept = study.scenario.records.keep
    first = first_rows(study) if kept else None
    uniqueness = solution.kept_uniqueness if kept else None
    if first is None:
        named = [name for name in kept if looks_like_identifier(name)]
        warnings = [KeptWarning(column=name, why="identifier", attribute=None, share=None) for name in named]
        return KeptColumns(columns=len(kept), rows_looked_at=None, warnings=tuple(warnings), uniqueness=uniqueness)
    instance = study.instance
    table, profile_of, codes_of = first
    released = ~solution.withheld[profile_of]
    leaves, generalized = {}, {}
    for place, (attribute, hierarchy) in enumerate(instance.hierarchies.items()):
        missing = codes_of[:, place] == len(hierarchy.leaves)
        leaves[attribute] = np.where(missing, -1, codes_of[:, place])
        least = np.where(missing, hierarchy.levels - 1, 0)
        generalized[attribute] = (solution.levels[profile_of, place] > least) & released
    found: list[KeptWarning] = []
    for name, column in plain_columns(table, kept):
        codes, count = column.codes, len(column.values)
        if count:
            found += _warnings(name, codes, count, released)
            found += _revealed_attributes(name, codes, count, leaves, generalized, int(released.sum()))
    return KeptColumns(columns=len(kept), rows_looked_at=table.num_rows, warnings=tuple(found), uniqueness=uniqueness)


def _warnings(name: str, codes: IntArray, count: int, released: BoolArray) -> list[KeptWarning]:
    """Return the warnings of one column."""
    has_value = codes >= 0
    rows = int(released.sum())
    alone = np.append(np.bincount(codes[has_value], minlength=count) == 1, False)[codes]
    found: list[tuple[Why, float]] = []
    if looks_like_identifier(name):
        found.append(("identifier", _share(has_value & released, rows)))
    if rows and len(codes) >= LEAST_ROWS and alone.sum() >= NEARLY_UNIQUE * len(codes):
        found.append(("unique", _share(alone & released, rows)))
    return [KeptWarning(column=name, why=why, attribute=None, share=share) for why, share in found]


def _revealed_attributes(
    name: str,
    codes: IntArray,
    count: int,
    leaves: Mapping[str, IntArray],
    generalized: Mapping[str, BoolArray],
    rows: int,
) -> list[KeptWarning]:
    """Return warnings for the generalized attributes that a column reveals."""
    is_frequent = np.append(np.bincount(codes[codes >= 0], minlength=count) >= LEAST_ROWS, False)[codes]
    found = []
    for attribute, target in generalized.items():
        if _share(target & is_frequent, rows) < LEAST_SHARE:
            continue
        known = leaves[attribute] >= 0
        some = is_frequent & known
        revealing = _revealing_values(codes[some], leaves[attribute][some], count, leaves[attribute][known])
        share = _share(target & some & np.append(revealing, False)[codes], rows)
        if share >= LEAST_SHARE:
            found.append(KeptWarning(column=name, why="gives back", attribute=attribute, share=share))
    return found


def _revealing_values(codes: IntArray, leaves: IntArray, count: int, all_codes: IntArray) -> BoolArray:
    """Return which kept values, (count,), reveal a leaf: rows, (k,), compared with the leaves of all rows, (n,)."""
    if not len(codes):
        return np.zeros(count, np.bool_)
    first, _, together = distinct_rows(np.stack([codes, leaves], axis=1))
    most, rows = np.zeros(count, np.int64), sums_by(codes[first], together, count)
    np.maximum.at(most, codes[first], together)
    mode_share = np.bincount(all_codes).max() / len(all_codes)
    exceptions = (rows - most) / np.maximum(rows, 1)
    agreeing = (rows >= LEAST_ROWS) & (exceptions <= 1 - LEAST_AGREEMENT)
    revealing: BoolArray = agreeing & (exceptions * FEWER_EXCEPTIONS <= 1 - mode_share) & (mode_share < 1)
    return revealing


def _share(rows: BoolArray, of: int) -> float:
    return float(rows.sum()) / of if of else 0.0
