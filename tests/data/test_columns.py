"""Columns of any type as distinct values and codes, and counts as whole numbers of people."""

import datetime as dt
import decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from questions import message

from gamedeid.data.columns import to_column, to_people
from gamedeid.errors import InvalidDataError


def chunked(values, kind=None) -> pa.ChunkedArray:
    return pa.chunked_array([pa.array(values, kind)])


def of_pandas(values, kind) -> pa.ChunkedArray:
    return pa.chunked_array([pa.Array.from_pandas(pd.Series(values, dtype=kind))])


PANDAS_TEXTS = (object, "str", "string", "category", pd.CategoricalDtype(["99", "48"]))
POLARS_CATEGORIES = (pl.Categorical, pl.Enum(["99", "48"]))


def decoded(column, missing=()) -> list[object]:
    """Return what a column holds, row by row, missing values as None."""
    found = to_column(column, "age", "records", missing)
    assert np.int32 == found.codes.dtype
    values = found.values  # noqa: PD011  (no data frame)
    return [None if code < 0 else values[code] for code in found.codes.tolist()]


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (chunked(["x", None, "x"]), ["x", None, "x"]),
        (chunked(["x", None, "x"], pa.large_string()), ["x", None, "x"]),
        (chunked([48, None]), [48, None]),
        (chunked([48.0, float("nan"), None]), [48.0, None, None]),
        (chunked([True, False]), [True, False]),
        (chunked([None, None]), [None, None]),
        (chunked([dt.date(2020, 1, 1)]), [dt.date(2020, 1, 1)]),
        (chunked([decimal.Decimal("1.5")]), [decimal.Decimal("1.5")]),
        (pa.chunked_array([pa.array(["x", None, "y"]).dictionary_encode()]), ["x", None, "y"]),
        (pa.chunked_array([pa.DictionaryArray.from_arrays([0, 1, 0], ["x", None])]), ["x", None, "x"]),
        (pa.chunked_array([["x"], [], ["y", None, "x"]]), ["x", "y", None, "x"]),
        (
            pa.chunked_array([pa.array(["x"]).dictionary_encode(), pa.array(["y", "x"]).dictionary_encode()]),
            ["x", "y", "x"],
        ),
        (pa.chunked_array([pa.array(["x", "y", None, "z"])]).slice(1, 3), ["y", None, "z"]),
        *((of_pandas(["48", None], kind), ["48", None]) for kind in PANDAS_TEXTS),
        (of_pandas([48, None], "Int64"), [48, None]),
        (of_pandas([48, None], float), [48.0, None]),
        *((chunked(pl.Series(["48", None], dtype=kind).to_arrow()), ["48", None]) for kind in POLARS_CATEGORIES),
    ],
)
def test_a_column_of_any_type_is_values_and_codes(column, expected):
    assert expected == decoded(column)


def test_texts_for_missing_values_are_missing():
    column = chunked(["x", "", " ", "?", " ? ", "x?"])

    assert ["x", None, None, "?", " ? ", "x?"] == decoded(column, [""])
    assert ["x", "", " ", None, None, "x?"] == decoded(column, ["?"])
    assert ["x", "", " ", "?", " ? ", "x?"] == decoded(column)
    assert [None, 6] == decoded(chunked([5, 6]), ["5"])
    assert [None, -8.5] == decoded(chunked([-9.0, -8.5]), ["-9"])


@pytest.mark.parametrize("column", [chunked([[1], [2]]), chunked([{"a": 1}])])
def test_nested_values_are_refused(column):
    assert f"records: column `age` must hold plain values, not `{column.type}`" == message(
        InvalidDataError, to_column, column, "age", "records", ()
    )


@given(st.lists(st.lists(st.one_of(st.none(), st.sampled_from("abc")), max_size=5), min_size=1, max_size=4))
def test_a_column_is_the_same_in_any_chunks(chunks):
    whole = [value for chunk in chunks for value in chunk]
    if whole:
        assert whole == decoded(pa.chunked_array(chunks, pa.string()))


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (chunked([1, 0, 7]), [1, 0, 7]),
        (chunked([1, 2], pa.uint8()), [1, 2]),
        (chunked([1.0, 2.0]), [1, 2]),
        (chunked(["1", "007", " 12 ", "-0"]), [1, 7, 12, 0]),
        (chunked(["12.0", "3"]), [12, 3]),
        (chunked(["9007199254740993"]), [2**53 + 1]),
        (chunked(["1", "2"], pa.large_string()), [1, 2]),
        (chunked([decimal.Decimal(5)]), [5]),
        (pa.chunked_array([pa.array(["3", "4", "3"]).dictionary_encode()]), [3, 4, 3]),
        (pa.chunked_array([[1], [], [2, 3]]), [1, 2, 3]),
    ],
)
def test_counts_may_come_in_any_form(column, expected):
    people = to_people(column, "n", "population")

    assert (np.int64, expected) == (people.dtype, people.tolist())


@pytest.mark.parametrize(
    ("column", "said"),
    [
        (chunked([1, None, 3]), "has no value in row 2"),
        (chunked([1.0, float("nan")]), "has no value in row 2"),
        (chunked(["1", "", "x"]), "has no value in row 2"),
        (chunked([None, None]), "has no value in row 1"),
        (chunked([1.0, 2.5]), "must hold whole numbers of people, but row 2 has none; are these weights?"),
        (chunked([5.0, 12.0000000001]), "must hold whole numbers of people, but row 2 has none; are these weights?"),
        (chunked(["1", "2", "many", "few"]), "must hold whole numbers of people, but row 3 has none"),
        (chunked(["1", "2.5"]), "must hold whole numbers of people, but row 2 has none; are these weights?"),
        (chunked(["0x10"]), "must hold whole numbers of people, but row 1 has none"),
        (chunked(["12.0000000001"]), "must hold whole numbers of people, but row 1 has none; are these weights?"),
        (chunked(["1_0"]), "must hold whole numbers of people, but row 1 has none"),
        (chunked([1.0, 1e30]), "must hold whole numbers of people, but row 2 has none"),
        (chunked([1.0, float("inf")]), "must hold whole numbers of people, but row 2 has none"),
        (chunked([2**63], pa.uint64()), "must hold whole numbers of people, but row 1 has one of more than 18 digits"),
        (
            chunked([decimal.Decimal("5.5")]),
            "must hold whole numbers of people, but row 1 has none; are these weights?",
        ),
        (chunked([3, -1, -2]), "must not be negative, but is in row 2"),
        (chunked(["-0.0", "-7.0"]), "must not be negative, but is in row 2"),
        (chunked([2**61, 2**61]), "adds up to more people than can be counted"),
        (chunked([True]), "must hold whole numbers of people, not `bool`"),
        (chunked([dt.datetime(2020, 1, 1)]), "must hold whole numbers of people, not `timestamp[us]`"),  # noqa: DTZ001
        (chunked([[1]]), "must hold whole numbers of people, not `list<item: int64>`"),
    ],
)
def test_a_count_that_is_none_is_refused_with_its_row(column, said):
    assert f"population: count column `n` {said}" == message(InvalidDataError, to_people, column, "n", "population")


@given(st.integers(0, 60), st.integers(1, 61))
def test_the_first_odd_count_is_found_wherever_it_is(before, after):
    column = chunked(["1"] * before + ["x"] + ["y"] * after)

    assert f"but row {before + 1} has none" in message(InvalidDataError, to_people, column, "n", "population")


def coded(codes, categories) -> pa.ChunkedArray:
    return pa.chunked_array([pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), pa.array(categories))])


def test_categories_that_occur_must_be_counts():
    counts = coded([2, 0, 2], ["7", "many", " 12.0", None])

    assert [12, 7, 12] == to_people(counts, "n", "population").tolist()
    for bad, said in (("many", "has none"), (None, "has no value in row 2")):
        assert said in message(InvalidDataError, to_people, coded([0, 1], ["7", bad]), "n", "population")
