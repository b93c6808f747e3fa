"""Dictionaries of released columns: only values that occur in a row."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from gamedeid.arrow import recode_dictionary
from gamedeid.data.engines.rows import ColumnsByProfile, answered_rows

VALUES = [
    pa.array(["a", None, "b", "a", "never"]),
    pa.array([1.5, float("nan"), 2.0, float("nan"), 9.0]),
    pa.array([3, 1, None, 3, 8]),
]


def answer_of(of_row, left_out: list[bool], **columns: list) -> ColumnsByProfile:
    """Return a release of these columns, a value for each profile."""
    return ColumnsByProfile(
        columns={name: pa.array(values) for name, values in columns.items()},
        left_out=np.array(left_out),
        replaces=True,
        of_row=of_row,
        profiles_of=lambda _: of_row,
    )


@pytest.mark.parametrize("values", VALUES, ids=["text", "numbers", "integers"])
@pytest.mark.parametrize("codes", [pa.int8(), pa.uint16(), pa.int32(), pa.int64()], ids=str)
def test_coding_by_codes_is_coding_by_values(values, codes):
    random = np.random.default_rng(7)
    for rows in (0, 1, 2, 40):
        places = [None if place > 3 else place for place in random.integers(0, 6, rows).tolist()]
        column = pa.DictionaryArray.from_arrays(pa.array(places, codes), values)
        by_value = column.cast(values.type).dictionary_encode()
        found = recode_dictionary(column)
        assert found.type == column.type
        assert repr(found.to_pylist()) == repr(column.to_pylist())
        assert repr(found.dictionary.to_pylist()) == repr(by_value.dictionary.to_pylist())
        assert found.indices.to_pylist() == by_value.indices.to_pylist()


def test_a_coded_answer_holds_no_value_of_profiles_that_are_left_out_or_in_another_block():
    of_row = np.array([0, 1, 2, 0])
    answer = answer_of(of_row, [False, True, False], age=["[0-4]", "withheld", "elsewhere"])
    table = pa.table({"age": pa.array(["3", "4", "5", "1"]), "kept": pa.array([1, 2, 3, 4])})
    block = answered_rows(table.take([0, 1, 3]), of_row[[0, 1, 3]], answer.for_writing(), 0)
    assert block.column("age").chunk(0).dictionary.to_pylist() == ["[0-4]"]
    plain = answered_rows(table.take([0, 1, 3]), of_row[[0, 1, 3]], answer, 0)
    assert block.to_pydict() == plain.to_pydict() == {"age": ["[0-4]", "[0-4]"], "kept": [1, 4]}


@pytest.mark.parametrize("size", [3, 300])
def test_late_values_are_coded_like_early_ones(size):
    codes = np.concatenate([np.zeros(20_000, np.int32), np.arange(size)[::-1], [1]])
    column = pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), [f"value {code}" for code in range(size)])
    found = recode_dictionary(column)
    assert found.equals(column.cast(pa.string()).dictionary_encode())


@pytest.mark.parametrize("left_out", [[False, False], [False, True], [True, True]], ids=["none", "some", "all"])
def test_a_writer_receives_the_same_rows(left_out):
    of_row = np.array([0, 1, 1, 0, 1, 0, 0])
    answer = answer_of(of_row, left_out, age=["[0-4]", "*"], number=[7, 8])
    parts = [["x", None, "y"], ["z", "x"], [None, "x"]]
    table = pa.table(
        {
            "age": pa.array([1, 2, 3, 4, 5, 6, 7]),
            "number": pa.array(["3"] * 7),
            "kept": pa.chunked_array([pa.array(part, pa.string()).dictionary_encode() for part in parts]),
            "plain": pa.array(list("abcdefg")),
            "nested": pa.array([[{"a": row}] for row in range(7)]),
        }
    )
    for one in (answer, replace(answer, replaces=False), replace(answer, by_row={"person": pa.array(of_row)})):
        plain, written = (answered_rows(table, of_row, each, 0) for each in (one, one.for_writing()))
        assert written.to_pydict() == plain.to_pydict()
        assert len(plain) == sum(not left_out[profile] for profile in of_row)
