"""Which level Safe Harbor asks for, value by value."""

import pytest
from questions import message

from gamedeid.errors import InvalidScenarioError
from gamedeid.game.safe_harbor import leaf_numbers, safe_harbor_levels
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.kinds import build_hierarchy
from gamedeid.generalization.prefixes import Merge


def small(*names):
    return lambda prefixes: frozenset(names) & frozenset(prefixes)


nothing = small()


def levels(hierarchy, role, restricted=nothing):
    found, _ = safe_harbor_levels(hierarchy, role, restricted, where="attributes.x")
    return dict(zip(hierarchy.leaves, found.tolist(), strict=True))


DATES = "0123456789-/"


def zips(*values, length=5, keep=None, merge=()):
    alphabet = "0123456789-"
    return Hierarchy.prefixes(values, length=length, keep=keep, merge=merge, alphabet=alphabet, name="zip", role="zip")


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


def test_an_age_above_ninety_that_is_the_only_old_one_is_not_told():
    assert {"89": 0, "97": 1} == levels(Hierarchy.from_rows([["89", "*"], ["97", "*"]], name="age"), "age")
    found = levels(Hierarchy.intervals(85, 104, [10], name="age"), "age")
    assert {"89": 0, "95": 2, "104": 2} == {age: found[age] for age in ("89", "95", "104")}


def test_what_counts_is_what_the_label_of_the_old_ages_tells():
    for label, least in (("90 or over", 1), ("[90-99]", 1), (">89", 1), ("old", 1), ("92-97", 2)):
        rows = [["35", "35", "*"], ["92", label, "*"], ["97", label, "*"]]
        assert {"35": 0, "92": least, "97": least} == levels(Hierarchy.from_rows(rows, name="age"), "age")


@pytest.mark.parametrize("leaf", ["90+", ">=90", "85-89", "48.5.1", "--5", "²", "151", "9" * 30])
def test_an_age_is_a_number_of_years(leaf):
    hierarchy = Hierarchy.from_rows([["5", "*"], [leaf, "*"]], name="years")

    assert (
        'attributes.x has the role "age", but 1 of the 2 values of hierarchy `years` is no number of years from '
        "0 to 150, such as 48; write the ages so, or say the least level that Safe Harbor permits: safe_harbor = LEVEL"
    ) == message(InvalidScenarioError, levels, hierarchy, "age")


def test_ages_may_have_decimals():
    bands = [[*range(5, 95, 5)], [30, 60, 90], [60]]
    rule = build_hierarchy({"kind": "number", "role": "age", "bands": bands}, name="age")
    ages = rule.close(["0.5", "89.9", "90", "94.5", "101.25"])

    assert {"0.5": 0, "89.9": 0, "90": 1, "94.5": 1, "101.25": 1} == levels(ages, "age")
    assert "90+" == ages.label(1, 4)
    finer = build_hierarchy({"kind": "number", "role": "age", "bands": [[60, 89.5, 94.5], [60]]}, name="age")
    assert {"60": 0, "94.5": 2, "101.25": 2} == levels(finer.close(["60", "94.5", "101.25"]), "age")


def test_a_size_is_a_number():
    hierarchy = Hierarchy.from_rows([["5", "*"], ["90+", "*"]], name="years")

    assert "A size must be a number, but hierarchy `years` has `90+`" == message(
        InvalidScenarioError, leaf_numbers, hierarchy, "A size"
    )


def test_ages_in_months_are_no_ages_in_years():
    hierarchy = Hierarchy.intervals(0, 1439, [12], name="months")

    assert "1,289 of the 1,440 values of hierarchy `months` are no number of years" in message(
        InvalidScenarioError, levels, hierarchy, "age"
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
        'attributes.x has the role "zip", but 1 of the 2 values of hierarchy `places` is no ZIP code of 3, 5 or 9 '
        "digits; restore leading zeros, or say the least level that Safe Harbor permits: safe_harbor = LEVEL"
    ) == message(InvalidScenarioError, levels, hierarchy, "zip")


def test_other_attributes_are_told_as_they_are():
    hierarchy = Hierarchy.from_rows([["a", "*"], ["b", "*"]], name="x")
    found, words = safe_harbor_levels(hierarchy, "other", nothing, where="attributes.x")

    assert ([0, 0], "as it is") == (found.tolist(), words)


def test_a_role_that_nobody_states_is_taken_for_other_and_said_so():
    hierarchy = Hierarchy.from_rows([["a", "*"], ["b", "*"]], name="x")
    found, words = safe_harbor_levels(hierarchy, None, nothing, where="attributes.x")

    assert ([0, 0], "as it is, taken for role other since none is stated") == (found.tolist(), words)


@pytest.mark.parametrize("role", ["county", "city"])
def test_what_is_smaller_than_a_state_is_not_told(role):
    hierarchy = Hierarchy.from_rows([["a", "north", "TN", "*"], ["b", "north", "TN", "*"]], name="x")
    found, words = safe_harbor_levels(hierarchy, role, nothing, where="attributes.x")

    assert ([3, 3], f"* only, as a {role} is smaller than a state") == (found.tolist(), words)


def test_a_state_is_told():
    hierarchy = Hierarchy.from_rows([["TN", "South", "*"], ["OH", "Midwest", "*"]], name="x")

    assert {0} == set(levels(hierarchy, "state").values())


def dated(hierarchy, year=2026):
    found, words = safe_harbor_levels(hierarchy, "date", nothing, where="attributes.x", year=year)
    return dict(zip(hierarchy.leaves, found.tolist(), strict=True)), words


DAYS = ["1935-12-31", "1936-01-01", "1936-12-31", "1937-01-01", "2001-02-28"]


def test_of_a_date_the_year_is_told_and_no_day_or_month():
    days = Hierarchy.prefixes(DAYS, length=10, keep=[7, 4, 3], alphabet=DATES, name="birth")
    found, words = dated(days)

    assert 2 == found["1937-01-01"] == found["2001-02-28"]
    assert "1937******" == days.label(2, days.code("1937-01-01"))
    assert "years only, those up to 1936 in one group" == words


def test_years_of_ninety_years_ago_and_before_stand_in_one_group():
    apart = Hierarchy.prefixes(DAYS, length=10, keep=[7, 4], alphabet=DATES, name="birth")
    assert {3} == {dated(apart)[0][day] for day in DAYS[:3]}
    decades = Hierarchy.prefixes(DAYS, length=10, keep=[7, 4, 3], alphabet=DATES, name="birth")
    assert {3} == {dated(decades)[0][day] for day in DAYS[:3]}
    assert {2} == set(dated(decades, year=2020)[0].values())


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (1907, 2026, {"1907": 3, "1936": 3, "1937": 0}),  # [1907-1936]
        (1900, 2026, {"1900": 4, "1936": 4, "1937": 0}),  # [1900-1929] and [1930-1959]: only * joins them
        (1936, 2026, {"1936": 1, "1937": 0}),  # a single year is an age
    ],
)
def test_years_alone_are_told_but_for_the_old(low, high, expected):
    found, _ = dated(Hierarchy.intervals(low, high, [5, 10, 30], name="birth"))

    assert expected == {year: found[year] for year in expected}


def test_a_group_that_ends_before_the_ninetieth_year_tells_too_much():
    rows = [["1920", "1920-1929", "*"], ["1929", "1920-1929", "*"], ["1990", "1990", "*"]]
    assert {"1920": 2, "1929": 2, "1990": 0} == dated(Hierarchy.from_rows(rows, name="x"))[0]
    rows = [["1920", "1936 or earlier", "*"], ["1929", "1936 or earlier", "*"], ["1990", "1990", "*"]]
    assert {"1920": 1, "1929": 1, "1990": 0} == dated(Hierarchy.from_rows(rows, name="x"))[0]


def test_the_year_of_the_release_is_asked_for():
    hierarchy = Hierarchy.intervals(1907, 2026, [5], name="years")

    assert (
        'attributes.x has the role "date", and a year of 90 years ago shows an age that Safe Harbor does not release: '
        "write the year of the release, year = YYYY, under [policy.safe-harbor]"
    ) == message(InvalidScenarioError, dated, hierarchy, None)


@pytest.mark.parametrize(
    ("days", "keep"),
    [
        (["14/03/1958", "15/03/1958"], [6, 3]),  # the year goes first, the day stays
        (["19031958", "20121958"], [4]),  # a day and a month that look like a year
        (["190358", "201258"], [4]),
        (["58-03-14"], [2]),
    ],
)
def test_where_no_level_is_known_to_tell_the_year_the_level_is_asked_for(days, keep):
    hierarchy = Hierarchy.prefixes(days, length=len(days[0]), keep=keep, alphabet=DATES, name="days")

    top = hierarchy.levels - 1
    assert (
        f'attributes.x has the role "date", but no level of hierarchy `days` below {top} is known to show the year '
        f"alone; say the least level that does: safe_harbor = LEVEL ({top} for *)"
    ) == message(InvalidScenarioError, dated, hierarchy)


def test_where_every_level_tells_a_day_or_a_month_only_the_root_is_published():
    hierarchy = Hierarchy.prefixes(["1958-03-14"], length=10, keep=[7], alphabet=DATES, name="days")

    assert ({"1958-03-14": 2}, "* only, as no other level shows the year alone") == dated(hierarchy)
