"""How many released rows and people are unique by kept columns: by each, by the worst pairs, and by all together."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import ClassVar

import numpy as np

from gamedeid.arrays import BoolArray, IntArray
from gamedeid.data.columns import plain_columns
from gamedeid.grouping import distinct_rows
from gamedeid.reprs import frozen
from gamedeid.results.result import Count, OneOrMore, Result, Share, Text
from gamedeid.study.rows_at_start import rows_in_memory
from gamedeid.study.study import Study

WORST_PAIRS = 3
"""Most pairs of columns that are listed: those with most unique rows."""


@frozen
class UniqueValues(Result):
    """How many rows and people are unique by the values of one or more kept columns.

    Parameters
    ----------
    columns : their names.
    values : different values, or combinations of values, in the released rows.
    unique : released rows whose values no other released row has.
    share : of the released rows, in [0, 1].
    unique_people, share_of_people : released people whose set of values over all their rows no other person has, and as
        a share of the released people; None if each row is a person.
    """

    keys: ClassVar[tuple[str, ...]] = ("columns", "values", "unique", "share", "unique_people?", "share_of_people?")

    columns: tuple[Text, ...]
    values: OneOrMore
    unique: Count
    share: Share
    unique_people: Count | None = None
    share_of_people: Share | None = None


@frozen
class KeptUniqueness(Result):
    """Uniqueness of the kept columns of a release; no value of them, and nothing of a single record.

    Parameters
    ----------
    rows_looked_at : how many records were examined: all, or the first ones of a file that is not read into memory; None
        if none was, since the frame is lazy.
    released : how many of those are released.
    people : how many people these are; None if each row is a person.
    columns : each column alone, in the order of the columns, without those of nested values. Empty if nothing is
        released.
    pairs : the pairs with most unique rows, at most ``WORST_PAIRS``; of equal ones the first by order of columns. Empty
        if there are fewer than three columns.
    together : all columns; None if ``columns`` is empty.
    """

    keys: ClassVar[tuple[str, ...]] = ("rows_looked_at", "released", "people?", "columns", "pairs", "together")

    rows_looked_at: Count | None
    released: Count
    people: Count | None = None
    columns: tuple[UniqueValues, ...] = ()
    pairs: tuple[UniqueValues, ...] = ()
    together: UniqueValues | None = None


def uniqueness_of_kept(study: Study, withheld: BoolArray) -> KeptUniqueness:
    """Return how many rows and people, of profiles that are not ``withheld``, (q,), are unique by the kept columns.

    A missing value counts as a value.
    """
    kept = study.scenario.records.keep
    in_memory = rows_in_memory(study) if kept else None
    if in_memory is None:
        return KeptUniqueness(rows_looked_at=None if kept else 0, released=0)
    table, profile_of = in_memory
    released = ~withheld[profile_of]
    rows, persons = int(released.sum()), None
    if study.persons is not None:
        persons = np.unique(study.persons.of_record[: table.num_rows][released], return_inverse=True)[1]
    codes = {
        name: np.unique(column.codes[released], return_inverse=True)[1]
        for name, column in plain_columns(table, kept if rows else ())
    }
    return column_uniqueness(codes, looked_at=table.num_rows, released=rows, persons=persons)


def column_uniqueness(
    codes: Mapping[str, IntArray], *, looked_at: int, released: int, persons: IntArray | None = None
) -> KeptUniqueness:
    """Return how many rows and people are unique by columns.

    ``codes``, column -> (n,), are the numbers of the values in each released row, and ``persons``, (n,), those of
    persons, from 0 without gaps; None if each row is a person.
    """
    return KeptUniqueness(
        rows_looked_at=looked_at,
        released=released,
        people=None if persons is None else int(persons.max(initial=-1)) + 1,
        columns=tuple(_unique_values([name], codes, persons) for name in codes),
        pairs=tuple(_unique_values(pair, codes, persons) for pair in _worst_pairs(codes)),
        together=_unique_values(list(codes), codes, persons) if codes else None,
    )


def _unique_values(names: Sequence[str], codes: Mapping[str, IntArray], persons: IntArray | None) -> UniqueValues:
    """Return the uniqueness by some columns; ``codes`` and ``persons``, (n,) each, number values and people from 0."""
    chosen = [codes[name] for name in names]
    _, cells, sizes = distinct_rows(np.stack(chosen, axis=1))
    unique, alone = int((sizes == 1).sum()), None
    if persons is not None:
        alone = sum(1 for people in Counter(_value_sets(persons, cells)).values() if people == 1)
    return UniqueValues(
        columns=tuple(names),
        values=len(sizes),
        unique=unique,
        share=unique / len(cells),
        unique_people=alone,
        share_of_people=None if persons is None or alone is None else alone / (int(persons.max()) + 1),
    )


def _value_sets(persons: IntArray, cells: IntArray) -> Iterator[bytes]:
    """Yield the set of cells of each person in the order of their numbers, as bytes."""
    first, _, _ = distinct_rows(np.stack([persons, cells], axis=1))
    owners, held = persons[first], cells[first].astype(np.int64).tobytes()
    bounds = np.append(np.flatnonzero(np.diff(owners, prepend=-1)), len(owners)) * np.dtype(np.int64).itemsize
    return (held[start:end] for start, end in pairwise(bounds.tolist()))


def _worst_pairs(codes: Mapping[str, IntArray]) -> list[tuple[str, str]]:
    """Return the pairs of columns with most unique rows; only those with enough combinations of values are counted."""
    if len(codes) <= 2:  # noqa: PLR2004  (a pair is then all columns)
        return []
    names, rows = list(codes), len(next(iter(codes.values())))
    values = {name: int(one.max()) + 1 for name, one in codes.items()}
    most = {
        (one, other): min(rows, values[names[one]] * values[names[other]])
        for one, other in combinations(range(len(names)), 2)
    }
    found: list[tuple[int, tuple[int, int]]] = []
    for pair in sorted(most, key=lambda pair: (-most[pair], pair)):
        if len(found) == WORST_PAIRS and found[-1] < (-most[pair], pair):
            break
        one, other = (names[place] for place in pair)
        key = codes[one].astype(np.int64) * values[other] + codes[other]
        alone = int((np.unique(key, return_counts=True)[1] == 1).sum())
        found = sorted([*found, (-alone, pair)])[:WORST_PAIRS]
    return [(names[one], names[other]) for _, (one, other) in found]
