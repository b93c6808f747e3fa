"""Codes that show fewer characters level by level, merged groups, and every fault of such a rule."""

import pytest
from hierarchy_laws import faults_of, labels_of
from hypothesis import given
from hypothesis import strategies as st

from gamedeid import Hierarchy, InvalidHierarchyError
from gamedeid.generalization.prefixes import Merge


@given(st.sets(st.text("012", min_size=3, max_size=3), min_size=1))
def test_prefixes_group_the_codes_that_begin_alike(values):
    tree = Hierarchy.prefixes(sorted(values), length=3, name="h")

    for value in values:
        leaf = tree.code(value)
        assert [value, f"{value[:2]}*", f"{value[:1]}**", "*"] == labels_of(tree, value)
        assert sum(other[:2] == value[:2] for other in values) == tree.sizes[1, leaf]


def test_a_merge_with_a_label_is_published_as_it_at_all_its_levels():
    merge = Merge(from_level=1, prefixes=("036", "059"), label=" 000** ")
    tree = Hierarchy.prefixes(["03601", "05900", "03799"], length=5, keep=(3, 1), merge=[merge], name="zip")

    assert ["05900", "000**", "000**", "*"] == labels_of(tree, "05900")
    assert ["03799", "037**", "0****", "*"] == labels_of(tree, "03799")


def test_a_merge_of_one_prefix_is_in_brackets_only_next_to_others_of_that_prefix():
    merge = [Merge(from_level=1, prefixes=("12",))]

    assert ("[1**]", "1**") == Hierarchy.prefixes(["120", "130"], length=3, merge=merge, name="h").labels[2]
    assert ("1**", "2**") == Hierarchy.prefixes(["120", "230"], length=3, merge=merge, name="h").labels[2]


def test_merges_of_one_prefix_that_would_be_published_alike_need_labels_of_their_own():
    rule = {"length": 3, "alphabet": "alphanumeric", "keep": [1], "name": "h"}
    merge = [Merge(from_level=1, values=("a11",)), Merge(from_level=1, values=("a12",))]

    with pytest.raises(InvalidHierarchyError, match=r"merge 2: its label `a\*\*` at level 1 is also that of merge 1"):
        Hierarchy.prefixes(["a11", "a12"], merge=merge, **rule)
    with pytest.raises(
        InvalidHierarchyError, match=r"merge 2: its label `\[a\*\*\]` at level 1 is also that of merge 1"
    ):
        Hierarchy.prefixes(["a11", "a12", "a21"], merge=merge, **rule)
    assert ("[a**]", "a**") == Hierarchy.prefixes(["a11", "a12"], merge=merge[:1], **rule).labels[1]


@pytest.mark.parametrize(
    ("values", "rule", "faults"),
    [
        ([], {}, ["no values: expected at least one"]),
        (["12"], {}, ["value 1: `12` has 2 characters: expected 3"]),
        (
            ["12*", "12 "],
            {},
            [
                f"value {n}: `{v}` has a `*` or a space in it: expected a code in full"
                for n, v in ((1, "12*"), (2, "12 "))
            ],
        ),
        (["123", "124", "123"], {}, ["value 3: `123` is already value 1"]),
        (["123"], {"length": 0}, ["`length` is 0: expected 1 to 100"]),
        (["123"], {"length": 10**15}, ["`length` is 1000000000000000: expected 1 to 100"]),
        (
            ["123"],
            {"keep": [3, 2, 2, 0]},
            [
                "`keep` value 1 is 3: expected a number from 1 to 2, fewer at each level",
                "`keep` value 3 is 2: expected a number from 1 to 1, fewer at each level",
                "`keep` value 4 is 0: expected a number from 1 to 1, fewer at each level",
            ],
        ),
        (
            ["123"],
            {"merge": [Merge(from_level=3, values=("12",), prefixes=("", "1234"), label="*")]},
            [
                "merge 1: `from_level` is 3: expected a level from 1 to 2, below the root",
                "merge 1: value `12` has 2 characters: expected 3",
                "merge 1: prefix `` has 0 characters: expected 1 to 3",
                "merge 1: prefix `1234` has 4 characters: expected 1 to 3",
                "merge 1: `label` is `*`: expected a text that is no other label",
            ],
        ),
        (
            ["123"],
            {"merge": [Merge(from_level=0)]},
            [
                "merge 1: `from_level` is 0: expected a level from 1 to 2, below the root",
                "merge 1: no `values` and no `prefixes`: expected at least one",
            ],
        ),
        (
            ["123"],
            {"merge": [Merge(from_level=1, values=("999",), prefixes=("8", "12"))]},
            ["merge 1: `999` is not among the values", "merge 1: no value begins with `8`"],
        ),
        (
            ["123"],
            {"merge": [Merge(from_level=1, values=("123",)), Merge(from_level=2, prefixes=("1",))]},
            ["merge 2: `123` is in merge 1 too"],
        ),
        (
            ["123", "124"],
            {"merge": [Merge(from_level=2, values=("123",))]},
            [
                (
                    "value 2: `12*` of level 1 is in `1**` at level 2, but in `[1**]` by value 1: a level may not "
                    "split a group"
                )
            ],
        ),
        (
            ["123", "456"],
            {"merge": [Merge(from_level=1, values=("123",), label="45*")]},
            [
                (
                    "merge 1: its label `45*` at level 1 is also that of values outside it: give the merge another "
                    "`label`, or correct those values"
                )
            ],
        ),
        (
            ["123", "456"],
            {"keep": [1], "merge": [Merge(from_level=1, values=(v,), label="x") for v in ("123", "456")]},
            ["merge 2: its label `x` at level 1 is also that of merge 1"],
        ),
    ],
)
def test_prefix_faults_name_the_key_and_the_value(values, rule, faults):
    assert tuple(faults) == faults_of(Hierarchy.prefixes, values, **{"length": 3, "name": "h"} | rule)
