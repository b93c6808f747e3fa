"""Is a census table read correctly in either form, and an invalid one refused?"""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from questions import message

from gamedeid.errors import GamedeidError
from gamedeid.risk.census.counts import PlaceCounts, read_place_counts

WIDE = """state,zip,under 12,12-18,65+
NY,11794,10,20,30
MA,01701,1,2,3
"""
LONG = """zip,age,sex,people,state
11794,65+,F,20,NY
11794,12-18,F,20,NY
01701,under 12,M,1,MA
11794,65+,M,10,NY
01701,12-18,M,2,MA
01701,65+,M,3,MA
11794,under 12,M,10,NY
"""
IN_ROWS = {"place": "zip", "age": "age", "count": "people"}


def counts(tmp_path, text, **how) -> PlaceCounts:
    path = tmp_path / "counts.csv"
    path.write_text(text, "utf-8")
    return read_place_counts(path, **{"place": "zip", "state": "state", **how})


@pytest.mark.parametrize(("text", "how"), [(WIDE, {}), (LONG, IN_ROWS)], ids=["columns", "rows"])
def test_both_forms_are_the_same_table(tmp_path, text, how):
    read = counts(tmp_path, text, **how)

    assert (["11794", "01701"], ["NY", "MA"]) == (read.places, read.states)
    assert ["under 12", "12-18", "65+"] == [group.name for group in read.groups]
    assert [[10, 20, 30], [1, 2, 3]] == read.people.tolist()
    assert np.int64 == read.people.dtype


def test_rows_of_one_place_add_up_and_those_of_its_namesake_in_another_state_do_not(tmp_path):
    text = "state,city,zip,0-9\nTX,Paris,75460,5\nTN,Paris,38242,7\nTX,Paris,75461,11\n"
    read = counts(tmp_path, text, place="city", drop=["zip"])

    assert (["Paris", "Paris"], ["TX", "TN"]) == (read.places, read.states)
    assert [[16], [7]] == read.people.tolist()


def test_an_age_group_without_a_row_has_no_people(tmp_path):
    read = counts(tmp_path, "zip,age,people\na,0-9,5\nb,10+,7\n", state=None, **IN_ROWS)
    assert [[5, 0], [0, 7]] == read.people.tolist()


def test_a_parquet_table_is_read_too(tmp_path):
    path = tmp_path / "counts.parquet"
    pq.write_table(pa.table({"zip": [11794, 1701], "under 12": [10.0, 1.0]}), path)
    read = read_place_counts(path, place="zip")

    assert (["11794", "1701"], None, [[10], [1]]) == (read.places, read.states, read.people.tolist())


def test_uniform_ages_are_one_group_of_a_lifetime(tmp_path):
    read = counts(tmp_path, WIDE).of_all_ages(76)

    assert [76] == [group.years for group in read.groups]
    assert [[60], [6]] == read.people.tolist()


@pytest.mark.parametrize(
    ("text", "how", "said"),
    [
        (WIDE, {"place": "zipp"}, "there is no column `zipp`; did you mean `zip`?"),
        (WIDE, {"state": None}, "column `state` is no age group"),
        ("state,zip,Tot_Pop,0-9\nNY,1,5,5\n", {}, "column `Tot_Pop` is no age group"),
        ("state,zip\nNY,1\n", {}, "has no column of an age group, such as `12-18` or `65+`"),
        (WIDE.replace("MA,", ","), {}, "column `state` has no value in row 2; every row needs one"),
        (WIDE.replace("01701", ""), {}, "column `zip` has no value in row 2; every row needs one"),
        (LONG.replace("12-18,M", "teens,M"), IN_ROWS, "column `age` has no age group in row 5; expected such as"),
        (LONG.replace("12-18,M", "10-11,M"), IN_ROWS, "the age groups `under 12` and `10-11` overlap: both hold age"),
        (LONG.replace("65+,M,10", "65+,M,-10"), IN_ROWS, "count column `people` must not be negative, but is in row 4"),
        (LONG.replace("01701,12-18", "01701,"), IN_ROWS, "column `age` has no value in row 5; every row needs one"),
        (WIDE, {"age": "zip", "count": "12-18"}, "column `zip` is named twice; each column has one meaning"),
        (WIDE, {"drop": ["state"]}, "column `state` is named twice; each column has one meaning"),
        (WIDE, {"open_years": 0}, "an open age group must have at least 1 year, not 0"),
    ],
)
def test_meaningless_input_is_refused_in_a_line_that_says_where(tmp_path, text, how, said):
    assert said in message(GamedeidError, counts, tmp_path, text, **how)


def test_columns_that_together_overflow_are_refused(tmp_path):
    most = 10**18 - 1
    ages, people = ",".join(f"{10 * age}-{10 * age + 9}" for age in range(5)), ",".join([str(most)] * 5)
    said = message(GamedeidError, counts, tmp_path, f"state,zip,{ages}\nNY,1,{people}\n")
    assert "the counts add up to more people than can be counted" in said
