"""Spellings in the data of values that the hierarchy writes in another way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamedeid.errors import InvalidHierarchyError
from gamedeid.generalization.kinds import build_hierarchy

SEX = {"kind": "table", "rows": [["Male", "*"], ["Female", "*"]]}
CODES = {"kind": "codes", "keep": [3]}


def build(keys, **spellings):
    return build_hierarchy({**keys, "spellings": spellings}, name="h")


def test_a_spelling_means_its_value():
    tree = build(SEX, Male=["M", "1", " m "], Female=["F", "2"])

    assert [0, 0, 0, 0, 0] == [tree.code(value) for value in ("Male", "M", 1, 1.0, "m")]
    assert [1, 1, 1] == [tree.code(value) for value in ("Female", " F", "2.0".removesuffix(".0"))]
    assert (None, None, None) == (tree.code("male"), tree.code("3"), tree.code(None))
    assert ("Male", "Female") == tree.leaves


def test_a_spelling_is_not_an_unlisted_value():
    tree = build({**SEX, "unlisted": "Other"}, Male=["M"])

    assert [0, 2, 2] == [tree.code("M"), tree.code("F"), tree.code("Other")]


@given(st.permutations(["E11.9", "E11.65", "Zucker", "E11.65"]))
def test_a_rule_takes_the_value_that_a_word_means(values):
    tree = build(CODES, **{"E11.9": ["Zucker", "sugar"]}).close(values)

    assert ("E11.65", "E11.9") == tree.leaves
    assert tree.code("E119") == tree.code("Zucker") == tree.code("sugar")


def test_words_mean_dates_and_ages_too():
    date = build(
        {"kind": "date", "levels": ["year"], "low": "2020-01-01", "high": "2021-12-31"}, **{"2020-01-02": ["start"]}
    )
    age = build({"kind": "age", "at": "2024-12-31", "widths": [5]}, **{"1950-01-01": ["fifty"]})

    assert (1, 74) == (date.code("start"), age.code("fifty"))


@pytest.mark.parametrize(
    ("keys", "spellings", "fault"),
    [
        (SEX, {"Mal": ["M"]}, "`spellings`: `Mal` is no value of the hierarchy"),
        (SEX, {"Male": ["Female"]}, "`spellings`: `Female`, for `Male`, is a value of the hierarchy itself"),
        (SEX, {"Male": ["M"], "Female": ["M "]}, "`spellings`: `M` stands for `Male` and for `Female`"),
        (SEX, {"Male": "M"}, "expected a table of values, each with a list of texts"),
        (CODES, {"?": ["E11"]}, "`spellings`: `?` is no value of the hierarchy"),
    ],
)
def test_spellings_that_could_be_read_in_two_ways_are_refused(keys, spellings, fault):
    with pytest.raises(InvalidHierarchyError) as caught:
        build(keys, **spellings)
    assert fault in caught.value.faults[0]
