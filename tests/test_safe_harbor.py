"""Which level Safe Harbor asks for, value by value."""

import pytest
from questions import message

from gamedeid.errors import InvalidScenarioError
from gamedeid.hierarchy import Hierarchy
from gamedeid.prefixes import Merge
from gamedeid.safe_harbor import safe_harbor_levels, whole_numbers


def small(*names):
    return lambda prefixes: frozenset(names) & frozenset(prefixes)


nothing = small()


def levels(hierarchy, role, restricted=nothing):
    found, _ = safe_harbor_levels(hierarchy, role, restricted, where="attributes.x")
    return dict(zip(hierarchy.leaves, found.tolist(), strict=True))


def zips(*values, length=5, keep=None, merge=()):
    return Hierarchy.prefixes(values, length=length, keep=keep, merge=merge, name="zip", role="zip")


def test_ages_of_ninety_and_over_stand_in_one_group():
    found = levels(Hierarchy.intervals(0, 120, [5, 15, 30, 60], name="age"), "age")

    assert {0} == {found[str(age)] for age in range(90)}
    assert {3} == {found[str(age)] for age in range(90, 121)}


def test_a_group_of_some_of_the_older_ages_is_not_enough():
    rows = [["89", "a", "*"], ["90", "a", "*"], ["91", "b", "*"]]

    assert {"89": 0, "90": 2, "91": 2} == levels(Hierarchy.from_rows(rows, name="age"), "age")


def test_older_ages_may_stand_with_younger_ones():
    found = levels(Hierarchy.intervals(80, 99, [20], name="age"), "age")

    assert {"89": 0, "90": 1} == {age: found[age] for age in ("89", "90")}


def test_an_age_that_is_the_only_old_one_is_the_group():
    assert {"89": 0, "90": 0} == levels(Hierarchy.from_rows([["89", "*"], ["90", "*"]], name="age"), "age")


def test_where_only_the_root_joins_old_ages_it_is_what_is_published():
    rows = [["89", "*"], ["90", "*"], ["91", "*"]]

    assert {"89": 0, "90": 1, "91": 1} == levels(Hierarchy.from_rows(rows, name="age"), "age")


@pytest.mark.parametrize("leaf", ["90+", "--5", "²", "9" * 30])
def test_an_age_is_a_whole_number(leaf):
    hierarchy = Hierarchy.from_rows([["5", "*"], [leaf, "*"]], name="years")
    said = f"hierarchy `years` has `{leaf}`"

    assert f'attributes.x has the role "age": each value must be a whole number, but {said}' == message(
        InvalidScenarioError, levels, hierarchy, "age"
    )
    assert f"A size must be a whole number, but {said}" == message(
        InvalidScenarioError, whole_numbers, hierarchy, "A size"
    )


def test_three_digits_of_a_zip_code_are_told():
    assert {2} == set(levels(zips("37201", "37202", "38001", "38002"), "zip").values())


def test_a_zip_code_that_is_the_only_one_of_its_prefix_is_not_told_in_full():
    assert {2} == set(levels(zips("37201", "38001", "38002"), "zip").values())


def test_a_zip_code_of_three_digits_is_told():
    assert {0} == set(levels(zips("372", "380", length=3), "zip").values())


@pytest.mark.parametrize("code", ["37201-1234", "372011234"])
def test_nine_digits_are_zip_codes_too(code):
    assert {len(code) - 3} == set(levels(zips(code, length=len(code)), "zip").values())


def test_prefixes_of_too_few_people_are_told_as_one_group():
    values = ("37201", "42223", "42602", "72338")
    merged = zips(*values, merge=[Merge(from_level=2, values=values[1:])])

    assert {2} == set(levels(merged, "zip", small("422", "426", "723")).values())
    alone = levels(zips(*values), "zip", small("422", "426", "723"))
    assert {"37201": 2, "42223": 5, "42602": 5, "72338": 5} == alone


def test_a_group_of_some_of_the_small_prefixes_is_not_enough():
    values = ("37201", "42223", "42602", "72338")
    merged = zips(*values, merge=[Merge(from_level=2, values=values[1:3])])
    found = levels(merged, "zip", small("422", "426", "723"))

    assert {"37201": 2, "42223": 5, "42602": 5, "72338": 5} == found


def test_a_small_prefix_beside_a_larger_one_may_be_told_with_it():
    assert {"42101": 2, "42223": 3} == levels(zips("42101", "42223"), "zip", small("422"))


def test_the_only_small_prefix_of_the_data_is_not_told_by_its_name():
    values = ("03601", "37201")

    assert {"03601": 3, "37201": 2} == levels(zips(*values), "zip", small("036"))
    labelled = zips(*values, merge=[Merge(from_level=2, values=("03601",), label="000**")])
    assert {"03601": 2, "37201": 2} == levels(labelled, "zip", small("036"))


def test_a_group_that_tears_a_prefix_apart_is_not_told():
    rows = [["37201", "west", "*"], ["37202", "east", "*"], ["38001", "east", "*"]]

    assert {2} == set(levels(Hierarchy.from_rows(rows, name="zip"), "zip").values())


def test_where_every_level_tells_too_much_only_the_root_is_published():
    rows = [["37201", "37201-37202", "*"], ["37202", "37201-37202", "*"], ["38001", "38001", "*"]]

    assert {2} == set(levels(Hierarchy.from_rows(rows, name="zip"), "zip").values())
    assert {1} == set(levels(zips("37201", "38001", keep=()), "zip").values())


@pytest.mark.parametrize("leaf", ["3720", "1234", "K1A0B", "٣٧٢٠١"])
def test_a_zip_code_has_its_leading_zeros(leaf):
    hierarchy = Hierarchy.from_rows([["37201", "*"], [leaf, "*"]], name="places")

    assert (
        f'attributes.x has the role "zip", but hierarchy `places` has `{leaf}`, which is no ZIP code of 3, 5 or 9 '
        'digits; restore leading zeros, or set role = "other" or the safe_harbor level'
    ) == message(InvalidScenarioError, levels, hierarchy, "zip")


def test_other_attributes_are_told_as_they_are():
    hierarchy = Hierarchy.from_rows([["a", "*"], ["b", "*"]], name="x")
    found, words = safe_harbor_levels(hierarchy, "other", nothing, where="attributes.x")

    assert ([0, 0], "as it is") == (found.tolist(), words)
