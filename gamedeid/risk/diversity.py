"""What the classes of a release still tell of the kept columns: l-diversity and t-closeness, beside the game."""

from dataclasses import replace
from math import isfinite
from typing import Any, Literal, TypeAlias

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.data.columns import to_column
from gamedeid.data.profiles import Column
from gamedeid.errors import InvalidDataError
from gamedeid.grouping import distinct_rows
from gamedeid.reprs import frozen
from gamedeid.results.quantities import Count, Number, OneOrMore, Share, Text
from gamedeid.results.result import Result
from gamedeid.risk.records import classes_of
from gamedeid.study.kept import KeptUniqueness
from gamedeid.study.solution import Solution

Distance: TypeAlias = Literal["ordered", "equal"]
"""How far two values of a column are apart: by their places in order of number, or all equally."""


@frozen
class ColumnDiversity(Result):
    """What the classes of a release tell of one kept column.

    Somebody whose class is known learns the values of the column in it. A missing value is one value more.

    Parameters
    ----------
    column : its name.
    values : different values in the released rows, at least 1.
    distinct : distinct l-diversity: different values in the class that has the fewest, at least 1.
    entropy : entropy l-diversity: exp(entropy) of the class where it is least, at least 1; published figures often
        round it down to a whole number.
    closeness : t-closeness: the greatest distance, in [0, 1], of a class's distribution from that of all released rows.
    distance : "ordered" where every value is a number, "equal" elsewhere.
    alone : rows whose class has a single value of the column: finding the class gives the value away.
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
    """The same of every kept column; nothing of a single record.

    Parameters
    ----------
    rows_looked_at : how many records were looked at, the first ones; None where they stay elsewhere: none was.
    released : how many of those are released.
    classes : how many classes these are in.
    columns : in the order of the columns; those of nested values are left out. Empty where nothing is released.
    """

    rows_looked_at: Count | None
    released: Count
    classes: Count
    columns: tuple[ColumnDiversity, ...]


def kept_diversity(solution: Solution) -> KeptDiversity:
    """Return what the classes of a release tell of its kept columns, as far as its first rows go.

    The game does not ask for it: it counts who is found, not what is learned of them.

    Parameters
    ----------
    solution : what is released.

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
    first = solution.study.first_rows() if kept else None
    if first is None:
        return KeptDiversity(rows_looked_at=None if kept else 0, released=0, classes=0, columns=())
    table, profile_of, _ = first
    classes = classes_of(solution)[profile_of]
    released = classes >= 0
    _, class_of, sizes = distinct_rows(classes[released][:, None], [int(classes.max(initial=0)) + 1])
    found = []
    for name in kept if len(sizes) else ():
        try:
            column = to_column(table.column(name), name, "records", [""])
        except InvalidDataError:  # values that are nested cannot be told apart
            continue
        found.append(column_diversity(name, replace(column, codes=column.codes[released]), class_of, sizes))
    return KeptDiversity(
        rows_looked_at=table.num_rows, released=int(released.sum()), classes=len(sizes), columns=tuple(found)
    )


def kept_uniqueness(solution: Solution) -> KeptUniqueness:
    """Return how many released rows are unique by their kept columns: each column, the worst pairs, all together.

    A recipient who knows these values of a person finds the row, whatever was generalized: the game counts only the
    attributes. Where ``[records] person`` names people, each is also judged by the set of values of all their rows. A
    missing value is one value more.

    Parameters
    ----------
    solution : what is released.

    Returns
    -------
    different values, unique rows and unique people; no value.

    Raises
    ------
    InvalidDataError : a row of the records cannot be read again as it was.
    """
    return solution.kept_uniqueness


def column_diversity(name: str, column: Column, class_of: IntArray, sizes: IntArray) -> ColumnDiversity:
    """Return the measures of one column, (n,), whose rows are in classes, (n,) from 0 up, of these sizes, (k,)."""
    absent = column.codes < 0
    codes = np.where(absent, len(column.values), column.codes)
    numbers = None if absent.any() else _numbers(column.values)
    if numbers is not None:
        codes = np.unique(numbers, return_inverse=True)[1][codes]
    values, codes = np.unique(codes, return_inverse=True)
    first, _, rows = distinct_rows(np.stack([class_of, codes], axis=1), [len(sizes), len(values)])
    cell_class, cell_value = class_of[first], codes[first]
    share = rows / sizes[cell_class]
    distinct = np.bincount(cell_class, minlength=len(sizes))
    entropy = np.bincount(cell_class, -share * np.log(share), minlength=len(sizes))
    in_all = np.bincount(codes)
    if numbers is None:
        overall = in_all / len(codes)
        away = np.abs(share - overall[cell_value]) - overall[cell_value]
        distances = (np.bincount(cell_class, away, minlength=len(sizes)) + 1) / 2
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
    the two cross once between them at most. Rows are added up as whole numbers, so that the order of the classes does
    not matter to the last digit.

    Parameters
    ----------
    cell_class, cell_value, rows : (c,) class, place of the value and rows of the class, sorted by class, then value.
    in_all : (v,) of all rows, how many have each value.
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


def _numbers(values: IntArray | list[Any] | Any) -> FloatArray | None:
    """Return the values as numbers, (v,); None if one is none."""
    try:
        numbers = np.array([float(value) for value in values])
    except (TypeError, ValueError):
        return None
    return numbers if all(map(isfinite, numbers)) else None
