"""The level that Safe Harbor asks for, by value."""

import pytest
from questions import message

from gamedeid import Hierarchy, InvalidScenarioError
from gamedeid.game.safe_harbor import leaf_numbers, safe_harbor_levels
from gamedeid.generalization.kinds import build_hierarchy
from gamedeid.generalization.prefixes import Merge


def levels(hierarchy, role, *restricted, year=None):
    """Return value -> the level that is asked for, and the rule in words; some prefixes are restricted."""
    found, words = safe_harbor_levels(
        hierarchy, role, frozenset(restricted).intersection, where="attributes.x", year=year
    )
    return dict(zip(hierarchy.leaves, found.tolist(), strict=True)), words


def table(*rows):
    return Hierarchy.from_rows([row.split(";") for row in rows], name="x")


DATES = "0123456789-/"


def zips(*values, length=5, keep=None, merge=()):
    alphabet = "0123456789-"
    return Hierarchy.prefixes(values, length=length, keep=keep, merge=merge, alphabet=alphabet, name="zip", role="zip")


def test_ages_of_ninety_and_over_are_in_one_group():
    found, _ = levels(Hierarchy.intervals(0, 120, [5, 15, 30, 60], name="age"), "age")

    assert {str(age): 3 if age >= 90 else 0 for age in range(121)} == found


@pytest.mark.parametrize(
    ("ages", "expected"),
    [
        pytest.param(table("89;a;*", "90;a;*", "91;b;*"), {"89": 0, "90": 2, "91": 2}, id="a group of some older ages"),
        pytest.param(Hierarchy.intervals(80, 99, [20], name="x"), {"89": 0, "90": 1}, id="with younger ones"),
        pytest.param(table("89;*", "90;*"), {"89": 0, "90": 0}, id="the only old age is the group"),
        pytest.param(table("89;*", "90;*", "91;*"), {"89": 0, "90": 1, "91": 1}, id="only the root joins old ages"),
        pytest.param(table("89;*", "97;*"), {"89": 0, "97": 1}, id="the only old age is above ninety"),
        pytest.param(
            Hierarchy.intervals(85, 104, [10], name="x"), {"89": 0, "95": 2, "104": 2}, id="a group above ninety"
        ),
        *(
            pytest.param(
                table("35;35;*", f"92;{label};*", f"97;{label};*"), {"35": 0, "92": least, "97": least}, id=label
            )
            for label, least in (("90 or over", 1), ("[90-99]", 1), (">89", 1), ("old", 1), ("92-97", 2))
        ),
    ],
)
def test_a_label_of_all_old_ages_is_permitted(ages, expected):
    found, _ = levels(ages, "age")

    assert expected == {age: found[age] for age in expected}


@pytest.mark.parametrize("leaf", ["90+", ">=90", "85-89", "48.5.1", "--5", "²", "151", "9" * 30])
def test_an_age_is_a_number_of_years(leaf):
    assert (
        'attributes.x has the role "age", but 1 of the 2 values of hierarchy `x` is no number of years from '
        "0 to 150, such as 48; write the ages so, or say the least level that Safe Harbor permits: safe_harbor = LEVEL"
    ) == message(InvalidScenarioError, levels, table("5;*", f"{leaf};*"), "age")


def test_ages_may_have_decimals():
    bands = [[*range(5, 95, 5)], [30, 60, 90], [60]]
    rule = build_hierarchy({"kind": "number", "role": "age", "bands": bands}, name="age")
    ages = rule.close(["0.5", "89.9", "90", "94.5", "101.25"])

    assert {"0.5": 0, "89.9": 0, "90": 1, "94.5": 1, "101.25": 1} == levels(ages, "age")[0]
    assert "90+" == ages.label(1, 4)
    finer = build_hierarchy({"kind": "number", "role": "age", "bands": [[60, 89.5, 94.5], [60]]}, name="age")
    assert {"60": 0, "94.5": 2, "101.25": 2} == levels(finer.close(["60", "94.5", "101.25"]), "age")[0]


def test_a_size_is_a_number():
    assert "A size must be a number, but hierarchy `x` has `90+`" == message(
        InvalidScenarioError, leaf_numbers, table("5;*", "90+;*"), "A size"
    )


def test_ages_in_months_are_not_ages_in_years():
    assert "1,289 of the 1,440 values of hierarchy `months` are no number of years" in message(
        InvalidScenarioError, levels, Hierarchy.intervals(0, 1439, [12], name="months"), "age"
    )


SMALL = ("37201", "42223", "42602", "72338")
"""ZIP codes; the last three have prefixes with few people."""


@pytest.mark.parametrize(
    ("codes", "restricted", "expected"),
    [
        pytest.param(zips("37201", "37202", "38001", "38002"), "", [2] * 4, id="three digits are told"),
        pytest.param(zips("37201", "38001", "38002"), "", [2] * 3, id="the only one of its prefix is not told in full"),
        pytest.param(zips("372", "380", length=3), "", [0, 0], id="a code of three digits is told"),
        pytest.param(zips("37201-1234", length=10), "", [7], id="nine digits"),
        pytest.param(zips("372011234", length=9), "", [6], id="nine digits without a hyphen"),
        pytest.param(
            zips(*SMALL, merge=[Merge(from_level=2, values=SMALL[1:])]),
            "422 426 723",
            [2] * 4,
            id="few, in one group",
        ),
        pytest.param(zips(*SMALL), "422 426 723", [2, 5, 5, 5], id="few, each alone"),
        pytest.param(
            zips(*SMALL, merge=[Merge(from_level=2, values=SMALL[1:3])]),
            "422 426 723",
            [2, 5, 5, 5],
            id="some of these",
        ),
        pytest.param(zips("42101", "42223"), "422", [2, 3], id="a small prefix with a larger one"),
        pytest.param(
            zips("03401", "03601", "05001", "05901"),
            "036 059",
            [2, 4, 2, 4],
            id="two small ones, each with a larger one",
        ),
        pytest.param(
            zips("03401", "03601", "37201", "87101", "87801"),
            "036 878",
            [2, 5, 2, 2, 5],
            id="which have no digit in common",
        ),
        pytest.param(
            zips("03401", "03601", "05001", "05901", keep=[2]),
            "036 059",
            [1] * 4,
            id="where no level shows the larger ones alone",
        ),
        pytest.param(zips("03601", "37201"), "036", [3, 2], id="the only small prefix is not told by its name"),
        pytest.param(
            zips("03601", "37201", merge=[Merge(from_level=2, values=("03601",), label="000**")]),
            "036",
            [2, 2],
            id="but by another name",
        ),
        pytest.param(table("37201;west;*", "37202;east;*", "38001;east;*"), "", [2] * 3, id="a prefix torn apart"),
        pytest.param(
            table("37201;37201-37202;*", "37202;37201-37202;*", "38001;38001;*"),
            "",
            [2] * 3,
            id="all tell more",
        ),
        pytest.param(zips("37201", "38001", keep=()), "", [1, 1], id="only the root"),
    ],
)
def test_three_digit_zones_are_published_and_small_ones_in_one_group(codes, restricted, expected):
    assert dict(zip(codes.leaves, expected, strict=True)) == levels(codes, "zip", *restricted.split())[0]


@pytest.mark.parametrize("leaf", ["3720", "1234", "K1A0B", "٣٧٢٠١"])
def test_a_zip_code_has_its_leading_zeros(leaf):
    assert (
        'attributes.x has the role "zip", but 1 of the 2 values of hierarchy `x` is no ZIP code of 3, 5 or 9 '
        "digits; restore leading zeros, or say the least level that Safe Harbor permits: safe_harbor = LEVEL"
    ) == message(InvalidScenarioError, levels, table("37201;*", f"{leaf};*"), "zip")


@pytest.mark.parametrize(
    ("role", "level", "said"),
    [
        ("other", 0, "as it is"),
        ("state", 0, "as it is"),
        (None, 0, "as it is, taken for role other since none is stated"),
        ("county", 3, "* only, as a county is smaller than a state"),
        ("city", 3, "* only, as a city is smaller than a state"),
    ],
)
def test_areas_smaller_than_a_state_are_hidden_and_all_else_is_published(role, level, said):
    assert ({"a": level, "b": level}, said) == levels(table("a;north;TN;*", "b;north;TN;*"), role)


def dated(hierarchy, year=2026):
    return levels(hierarchy, "date", year=year)


DAYS = ["1935-12-31", "1936-01-01", "1936-12-31", "1937-01-01", "2001-02-28"]


def test_dates_are_published_as_years():
    days = Hierarchy.prefixes(DAYS, length=10, keep=[7, 4, 3], alphabet=DATES, name="birth")
    found, words = dated(days)

    assert 2 == found["1937-01-01"] == found["2001-02-28"]
    assert "1937******" == days.label(2, days.code("1937-01-01"))
    assert "years only, those up to 1936 in one group" == words


def test_years_ninety_or_more_years_ago_are_in_one_group():
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
def test_years_are_published_except_those_of_old_people(low, high, expected):
    found, _ = dated(Hierarchy.intervals(low, high, [5, 10, 30], name="birth"))

    assert expected == {year: found[year] for year in expected}


def test_a_group_that_ends_before_the_ninetieth_year_discloses_too_much():
    for label, least in (("1920-1929", 2), ("1936 or earlier", 1)):
        found, _ = dated(table(f"1920;{label};*", f"1929;{label};*", "1990;1990;*"))
        assert {"1920": least, "1929": least, "1990": 0} == found


def test_the_year_of_the_release_is_required():
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
def test_the_level_is_required_where_none_is_known_to_show_the_year(days, keep):
    hierarchy = Hierarchy.prefixes(days, length=len(days[0]), keep=keep, alphabet=DATES, name="days")

    top = hierarchy.levels - 1
    assert (
        f'attributes.x has the role "date", but no level of hierarchy `days` below {top} is known to show the year '
        f"alone; say the least level that does: safe_harbor = LEVEL ({top} for *)"
    ) == message(InvalidScenarioError, dated, hierarchy)


def test_only_the_root_is_published_if_every_level_shows_a_day_or_month():
    hierarchy = Hierarchy.prefixes(["1958-03-14"], length=10, keep=[7], alphabet=DATES, name="days")

    assert ({"1958-03-14": 2}, "* only, as no other level shows the year alone") == dated(hierarchy)
