"""Codes of any length by their beginnings and by ranges, with and without separators."""

import pytest
from hierarchy_laws import check_laws, labels_of
from hypothesis import given
from hypothesis import strategies as st

from gamedeid.errors import InvalidHierarchyError
from gamedeid.generalization.codes import CodeRange
from gamedeid.generalization.kinds import build_hierarchy

ICD = {"keep": [3], "ranges": [["A00-B99", "C00-D49", "E00-E90", "U07"]]}
CODES = st.builds(
    str.__add__, st.sampled_from(["A00", "B49", "C12", "D01", "E00"]), st.sampled_from(["", ".1", ".15", ".7"])
)


def close(values, **keys):
    return build_hierarchy({"kind": "codes", **keys}, name="h").close(values)


def test_codes_become_categories_and_then_chapters():
    tree = close(["E11.9", "E11", "E10.65", "B99", "U07.1"], **ICD)

    assert ["E11.9", "E11*", "E00-E90", "*"] == labels_of(tree, "E11.9")
    assert ["E11", "E11*", "E00-E90", "*"] == labels_of(tree, "E11")
    assert ["U07.1", "U07*", "U07", "*"] == labels_of(tree, "U071")
    assert (None, None) == (tree.code("E12"), tree.code("e11.9"))


def test_separators_do_not_matter_and_the_spelling_with_most_of_them_is_published():
    tree = close(["E119", "E11.9", "E11.65"], keep=[4, 3, 1])

    assert ("E11.65", "E11.9") == tree.leaves
    assert tree.code("E119") == tree.code("E11.9")
    assert ["E11.65", "E11.6*", "E11*", "E*", "*"] == labels_of(tree, "E1165")


def test_a_code_shorter_than_the_kept_length_is_its_own_group():
    tree = close(["E1", "E11", "E112"], keep=[3, 1])

    assert ["E1", "E1", "E*", "*"] == labels_of(tree, "E1")
    assert ["E11", "E11*", "E*", "*"] == labels_of(tree, "E11")


@given(st.sets(CODES, min_size=1, max_size=30), st.randoms())
def test_groups_are_the_codes_that_begin_alike_and_the_ranges_that_hold_them(codes, random):
    written = [random.choice([code, code.replace(".", "")]) for code in codes for _ in range(2)]
    tree = close(written, **ICD | {"keep": [4, 3]})
    plain = {code.replace(".", "") for code in codes}

    assert plain == {leaf.replace(".", "") for leaf in tree.leaves}
    for code in codes:
        bare = code.replace(".", "")
        chapter = next(one for one in ICD["ranges"][0] if one[:3] <= bare[:3] <= one[-3:])
        leaf = tree.code(code)
        assert leaf == tree.code(bare)
        assert f"{bare[:3]}*" == tree.label(2, leaf)
        assert sum(other[:3] == bare[:3] for other in plain) == tree.sizes[2, leaf]
        assert chapter == tree.label(3, leaf)
        group = sum(other[:4] == bare[:4] for other in plain) if len(bare) > 3 else 1
        assert group == tree.sizes[1, leaf]
    check_laws(tree)
    assert tree.labels == close(sorted(written), **ICD | {"keep": [4, 3]}).labels


@pytest.mark.parametrize("odd", ["Z00", "E", "", "E11-9", "E1é", "*", "NA", "unknown", "E11 9"])
def test_an_invalid_code_or_one_outside_all_ranges_is_an_error(odd):
    with pytest.raises(
        InvalidHierarchyError, match="within `ranges`, but 1 of the 2 distinct values in the data are none"
    ):
        close(["E11.9", odd], **ICD)


def test_codes_outside_the_ranges_may_be_a_group_of_their_own():
    tree = close(["E11.9", "Z00", "NA"], **ICD, unlisted="Other")

    assert ["Other", "Other", "Other", "*"] == labels_of(tree, "Z00") == labels_of(tree, "Other")
    assert ("E11.9", "Other") == tree.leaves


def test_ranges_that_split_a_group_are_refused_without_telling_a_code():
    with pytest.raises(InvalidHierarchyError, match="a level may not split a group") as caught:
        close(["E11", "E12"], keep=[1], ranges=[["E00-E11", "E12-E99"]])
    assert "E1" not in str(caught.value)


@pytest.mark.parametrize(
    ("keys", "fault"),
    [
        ({"keep": [1, 3]}, "`keep` value 2 is 3: expected a number from 1 to 0, fewer at each level"),
        ({"keep": [0]}, "`keep` value 1 is 0: expected a number from 1 to 100"),
        ({"separators": "-"}, "`separators` is `-`: expected characters such as"),
        ({"ranges": [[]]}, "`ranges` list 1 is empty"),
        ({"ranges": [["E90-E00"]]}, "`ranges` list 1: `E90-E00`: expected a range such as"),
        ({"ranges": [["E00-E9"]]}, "`ranges` list 1: `E00-E9`: expected a range such as"),
        ({"ranges": [["A00-B99", "B50-C00"]]}, "`ranges` list 1: `A00-B99` and `B50-C00` overlap"),
        ({"ranges": [["A-B", "B50-C00"]]}, "`ranges` list 1: `A-B` and `B50-C00` overlap"),
        ({"ranges": ["A00-B99"]}, "expected a list of lists of texts"),
    ],
)
def test_a_rule_that_no_codes_could_satisfy_is_refused_at_once(keys, fault):
    with pytest.raises(InvalidHierarchyError, match=fault):
        build_hierarchy({"kind": "codes", **keys}, name="h")


def test_a_range_holds_what_begins_within_it():
    assert ["E00", "E909"] == [
        code for code in ("D99", "E00", "E909", "E91", "E9") if CodeRange.of("E00-E90").holds(code)
    ]
