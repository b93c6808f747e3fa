"""Do rows of values become the right small integers, and equal rows one profile?"""

from collections import Counter
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle_worlds import cells_of, codes_of, hierarchies_of, profiles_of
from questions import message
from worlds import worlds

from gamedeid import grouping
from gamedeid.data.encode import encode
from gamedeid.data.profiles import Column, PopulationCells, Profiles
from gamedeid.errors import InvalidDataError
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.grouping import distinct_rows

SEX = Hierarchy.from_rows([["m", "*"], ["f", "*"]], name="sexes")
ZIP = Hierarchy.prefixes(["01230", "37201"], length=5, name="zips")
LARGE = 2**31 - 1  # three columns of this base are too long for one number


@st.composite
def rows_of_codes(draw, bases):
    """Draw rows of codes that repeat often, with one column for each base."""
    few = st.tuples(*(st.one_of(st.integers(0, min(base, 3) - 1), st.just(base - 1)) for base in bases))
    return draw(st.lists(few, max_size=30))


def distinct_by_hand(rows: list[tuple[int, ...]]) -> tuple[list[int], list[int], list[int]]:
    order = sorted(set(rows))
    counts = Counter(rows)
    return [rows.index(row) for row in order], [order.index(row) for row in rows], [counts[row] for row in order]


def distinct(rows: list[tuple[int, ...]], bases: list[int]) -> tuple[list[int], list[int], list[int]]:
    codes = np.array(rows, np.int32).reshape(len(rows), len(bases))
    first, group, counts = distinct_rows(codes)
    return first.tolist(), group.tolist(), counts.tolist()


@pytest.mark.parametrize(
    "bases", [[1], [4], [2, 3, 4], [1000, 1000], [LARGE, 2], [LARGE] * 3, [3, LARGE, 3, LARGE, LARGE]]
)
@given(data=st.data())
def test_distinct_rows_are_found_in_lexicographic_order_however_long_their_keys(data, bases):
    rows = data.draw(rows_of_codes(bases))

    assert LARGE**3 > grouping.KEY_LIMIT
    assert distinct_by_hand(rows) == distinct(rows, bases)


@given(bases=st.lists(st.integers(1, 9), min_size=1, max_size=5), data=st.data(), limit=st.integers(10, 2000))
def test_where_a_key_becomes_too_long_does_not_matter(bases, data, limit):
    rows = data.draw(rows_of_codes(bases))

    with patch.object(grouping, "KEY_LIMIT", limit):
        assert distinct_by_hand(rows) == distinct(rows, bases)


@given(data=st.data(), span=st.sampled_from((0, 1, 16, 10**9)))
def test_counting_in_a_table_and_sorting_give_the_same(data, span):
    rows = data.draw(rows_of_codes([5, 6]))

    with patch.object(grouping, "DIRECT_SPAN", span):
        assert distinct_by_hand(rows) == distinct(rows, [5, 6])


@given(world=worlds())
def test_a_code_is_the_leaf_of_the_value_and_one_beyond_the_leaves_where_it_is_missing(world):
    codes = codes_of(world, world.records)
    for place, (attribute, hierarchy) in enumerate(hierarchies_of(world).items()):
        read = [*hierarchy.leaves, None]
        assert [values[attribute] for values in world.records] == [read[code] for code in codes[:, place]]


@given(world=worlds())
def test_profiles_are_the_distinct_records(world):
    profiles = profiles_of(world)
    codes = codes_of(world, world.records)
    expected = Counter(map(tuple, codes.tolist()))

    assert sorted(expected) == [tuple(row) for row in profiles.codes.tolist()]
    assert profiles.count == len(expected)
    assert [expected[tuple(row)] for row in profiles.codes.tolist()] == profiles.records.tolist()
    assert codes.tolist() == profiles.codes[profiles.of_record].tolist()
    of_record = [[value is None for value in values.values()] for values in world.records]
    assert of_record == profiles.missing[profiles.of_record].tolist()


@given(world=worlds())
def test_records_that_are_the_population_are_one_person_each(world):
    profiles = profiles_of(world)
    cells = PopulationCells.of_profiles(profiles)

    assert len(world.records) == cells.people.sum()
    assert profiles.codes.tolist() == cells.codes.tolist()


@given(world=worlds())
def test_a_population_knows_the_attributes_with_missing_values(world):
    people = world.records if world.population is None else [values for values, _ in world.population]

    assert [any(values[a] is None for values in people) for a in world.ladders] == cells_of(world).missing.tolist()


def test_coded_data_are_immutable():
    codes, people = np.array([[0], [1]], np.int32), np.array([1, 2])
    profiles, cells = Profiles.of(codes, [SEX]), PopulationCells.of(codes, people, [SEX])
    codes[0], people[0] = 1, 9

    assert [[0], [1]] == cells.codes.tolist() == profiles.codes.tolist()
    assert [1, 2] == cells.people.tolist()
    of_records = (profiles.codes, profiles.of_record, profiles.records, profiles.missing)
    for array in (cells.codes, cells.people, cells.missing, *of_records):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


UNKNOWN = (
    "has 4 values that the hierarchy `sexes` does not know, in 5 rows (first in row 2); it knows m, f; add them to the "
    "hierarchy, as values or as `spellings` of its values, or name a group there: "
    'unlisted = "Other"'
)


@pytest.mark.parametrize(
    ("hierarchy", "values", "codes", "said"),
    [
        (SEX, ["m", "x", "y", "z", "w"], [0, 2, 1, 3, 4, 1], UNKNOWN),
        (SEX, ["m", "x"], [0, 1], "has 1 value that the hierarchy `sexes` does not know, in 1 row ("),
        (SEX, ["m", "x"], [-1, 1], "has 1 value that the hierarchy `sexes` does not know, in 1 row (first in row 2)"),
        (ZIP, [1230], [0], "; leading zeros seem lost: save and read the column as text"),
        (ZIP, ["99999"], [0], "it knows 01230, 37201; if `99999` stands for a missing value"),
        (Hierarchy.intervals(0, 120, [5], name="age"), ["old"], [0], "it knows 0 ... 120 (121 values)"),
        (SEX, ["m"], [0, -1, 0, -1], "has no value in 2 rows (first in row 2); fill them in, or set"),
        (SEX, ["m"], [-1], "has no value in 1 row ("),
    ],
)
def test_values_that_are_unknown_or_missing_are_named_with_their_column_and_rows(hierarchy, values, codes, said):
    column = Column(values=values, codes=np.array(codes, np.int32))

    for allow_missing in [False] if "no value" in said else [False, True]:  # which does not permit an unknown one
        found = message(
            InvalidDataError,
            encode,
            {"it": column},
            {"it": hierarchy},
            table_name="people",
            allow_missing=allow_missing,
        )
        assert found.startswith("people: column `it` has ")
        assert said in found


def test_a_category_without_rows_need_not_be_known():
    column = Column(values=["x", "m", "f"], codes=np.array([2, 1, -1], np.int32))

    codes = encode({"it": column}, {"it": SEX}, table_name="records", allow_missing=True)
    assert [[SEX.code("f")], [SEX.code("m")], [2]] == codes.tolist()
