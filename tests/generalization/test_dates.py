"""Dates: their forms, and their levels of the calendar, compared with Python's datetime."""

import datetime as dt

import pytest
from hierarchy_laws import check_laws
from hypothesis import given
from hypothesis import strategies as st

from gamedeid.data.years import is_date, years_in_label
from gamedeid.errors import InvalidHierarchyError
from gamedeid.generalization.kinds import build_hierarchy
from gamedeid.generalization.readings import DateFormat

FORMS = {
    "YYYY-MM-DD": "%Y-%m-%d",
    "DD.MM.YYYY": "%d.%m.%Y",
    "MM/DD/YYYY": "%m/%d/%Y",
    "YYYYMMDD": "%Y%m%d",
    "DDMMYYYY": "%d%m%Y",
    "DD Mon YYYY": "%d %b %Y",
    "DD-Mon-YYYY": "%d-%B-%Y",
    "YYYY-MM-DD HH:MM:SS": "%Y-%m-%d %H:%M:%S",
    "DD/MM/YYYY HH:MM": "%d/%m/%Y %H:%M",
    "%d.%m.%Y": "%d.%m.%Y",
    "%Y/%m/%d %H:%M:%S": "%Y/%m/%d %H:%M:%S",
}
MOMENTS = st.datetimes(dt.datetime(1000, 1, 1), dt.datetime(9999, 12, 31))  # noqa: DTZ001  (calendar dates)
DAYS = st.dates(dt.date(1600, 1, 1), dt.date(2200, 12, 31))
STEPS = [
    ["week"],
    ["month", "quarter", "year", "decade"],
    ["month", "year", "2 years", "10 years"],
    ["quarter", "5 years", "20 years", "100 years"],
    ["year"],
    [],
]


def close(days, **keys):
    return build_hierarchy({"kind": "date", **keys}, name="h").close(days)


def by_python(day: dt.date, step: str) -> str:
    """Return the label of a day by plain datetime."""
    if step == "week":
        return f"{day.isocalendar().year:04}-W{day.isocalendar().week:02}"
    if step == "month":
        return f"{day.year:04}-{day.month:02}"
    if step == "quarter":
        return f"{day.year:04}-Q{1 + (day.month - 1) // 3}"
    years = {"year": 1, "decade": 10}.get(step) or int(step.split(maxsplit=1)[0])
    start = day.year - day.year % years
    return f"{start:04}" if years == 1 else f"[{start:04}-{start + years - 1:04}]"


# Forms of dates


@given(MOMENTS, st.sampled_from(sorted(FORMS)))
def test_a_date_is_read_as_strptime_reads_it(moment, form):
    text = moment.strftime(FORMS[form])
    assert dt.datetime.strptime(text, FORMS[form]).date() == DateFormat(text=form).date_of(text)  # noqa: DTZ007
    assert moment.date() == DateFormat(text=form).date_of(moment.date()) == DateFormat(text=form).date_of(moment)


@pytest.mark.parametrize(
    ("form", "text", "day"),
    [
        ("YYYY-MM-DD", " 1850-03-04 ", dt.date(1850, 3, 4)),
        ("YYYY-MM-DD", "1958-03-14T23:59:59.999+14:00", dt.date(1958, 3, 14)),
        ("YYYY-MM-DD", "1958-03-14 00:00:00Z", dt.date(1958, 3, 14)),
        ("YYYY-MM-DD", "19580314", None),
        ("YYYY-MM-DD", "1958-3-14", None),
        ("YYYY-MM-DD", "14.03.1958", None),
        ("YYYY-MM-DD", "1900-02-29", None),
        ("YYYY-MM-DD", "0000-01-01", None),
        ("MM/DD/YYYY", "3/4/1958", dt.date(1958, 3, 4)),
        ("MM/DD/YYYY", "14/3/1958", None),
        ("MM/DD/YYYY", "3/14/58", None),
        ("YYYYMMDD", "1958314", None),
        ("YYYYMMDD", "1958031", None),
        ("DDMMYYYY", "1031958", None),
        ("YYYYMMDD", 19580314, dt.date(1958, 3, 14)),
        ("YYYYMMDD", 19580314.0, dt.date(1958, 3, 14)),
        ("DD Mon YYYY", "14 sept. 1958", None),
        ("DD Mon YYYY", "14 Sep. 1958", dt.date(1958, 9, 14)),
        ("DD Mon YYYY", "14 may 1958", dt.date(1958, 5, 14)),
        ("YYYY-MM-DD", dt.datetime(1958, 3, 14, tzinfo=dt.UTC), None),
        ("YYYY-MM-DD", "", None),
    ],
)
def test_only_valid_texts_of_a_form_are_dates(form, text, day):
    assert day == DateFormat(text=form).date_of(text)


@pytest.mark.parametrize(
    "form", ["", "YYYY", "DD.MM.YY", "DD.MM", "MM", "YYYY-MM-DD-DD", "YYYY-%U-DD", "date YYYYMMDD", "%y%m%d"]
)
def test_a_form_that_leaves_the_date_open_is_refused(form):
    with pytest.raises(InvalidHierarchyError, match=r"expected YYYY, MM .*; a year of two digits is ambiguous"):
        DateFormat(text=form)


@given(DAYS, st.sampled_from(sorted(FORMS)))
def test_a_form_writes_what_it_reads(day, form):
    assert day == DateFormat(text=form).date_of(DateFormat(text=form).written(day))


def test_several_forms_read_what_any_of_them_reads():
    tree = close(
        ["14.03.1958", "1958-03-14", dt.date(1958, 3, 14), "19580315"],
        levels=["year"],
        format=["DD.MM.YYYY", "YYYYMMDD", "YYYY-MM-DD"],
    )

    assert ("1958-03-14", "1958-03-15") == tree.leaves
    with pytest.raises(InvalidHierarchyError, match=r"expected dates written DD.MM.YYYY or YYYYMMDD, but 1 of the 2"):
        close(["14.03.1958", "3/14/1958"], levels=["year"], format=["DD.MM.YYYY", "YYYYMMDD"])


@pytest.mark.parametrize(
    "forms",
    [
        ["DD/MM/YYYY", "MM/DD/YYYY"],
        ["DD.MM.YYYY", "YYYY-MM-DD", "MM.DD.YYYY"],
        ["YYYYMMDD", "DDMMYYYY"],
        ["YYYY-MM-DD", "YYYY-DD-MM"],
        [],
    ],
)
def test_forms_that_read_one_text_as_different_days_are_refused_and_none_at_all(forms):
    with pytest.raises(InvalidHierarchyError, match="one text as different days" if forms else "`format` has no forms"):
        close([], levels=["year"], format=forms)


# Levels of the calendar


@given(st.lists(DAYS, min_size=1, max_size=3), st.sampled_from(STEPS), st.sampled_from(["YYYY-MM-DD", "DD.MM.YYYY"]))
def test_levels_are_those_of_the_calendar(days, steps, form):
    first, last = min(days), min(max(days), min(days) + dt.timedelta(days=900))
    tree = close([day.strftime(FORMS[form]) for day in (last, first, last)], levels=steps, format=form)
    domain = [first + dt.timedelta(days=number) for number in range((last - first).days + 1)]

    assert [day.isoformat() for day in domain] == list(tree.leaves)
    for level, step in enumerate(steps, start=1):
        assert [by_python(day, step) for day in domain] == [tree.label(level, leaf) for leaf in range(len(domain))]
    assert [tree.code(day.strftime(FORMS[form])) for day in domain] == [tree.code(day) for day in domain]
    check_laws(tree)


@given(st.lists(DAYS, min_size=1, max_size=4))
def test_months_are_the_leaves_where_the_form_tells_no_days(days):
    first, last = min(days), min(max(days), min(days) + dt.timedelta(days=2000))
    tree = close([first.strftime("%m/%Y"), last], levels=["quarter", "year", "decade"], format=["MM/YYYY", "YYYY-MM"])
    months = range(first.year * 12 + first.month - 1, last.year * 12 + last.month)

    assert [f"{month // 12:04}-{month % 12 + 1:02}" for month in months] == list(tree.leaves)
    for leaf, month in enumerate(months):
        day = dt.date(month // 12, month % 12 + 1, 7)
        assert leaf == tree.code(day) == tree.code(day.strftime("%Y-%m"))
        assert [by_python(day, step) for step in ("quarter", "year", "decade")] == [
            tree.label(k, leaf) for k in (1, 2, 3)
        ]
    check_laws(tree)


def test_years_up_to_the_earliest_are_one_group_from_the_years_on():
    tree = close(["1899-12-31", "1941-06-01"], levels=["month", "year", "decade"], earliest=1934)

    assert "<1935" == tree.label(2, tree.code("1899-12-31")) == tree.label(2, tree.code("1934-12-31"))
    assert "1935" == tree.label(2, tree.code("1935-01-01"))
    assert ("<1940", "[1940-1949]") == tree.labels[3]
    assert "1899-12" == tree.label(1, 0)
    check_laws(tree)


def test_safe_harbor_understands_every_label():
    tree = close(["1899-12-31", "1941-06-01"], levels=["quarter", "year", "5 years", "decade"], earliest=1934)

    assert all(is_date(label) for labels in tree.labels[:-1] for label in labels[::100])
    assert all(years_in_label(label) is not None for labels in tree.labels[2:-1] for label in labels)
    assert not any(years_in_label(label) for labels in tree.labels[:2] for label in labels)
    assert all(is_date(label) for label in close(["1899-12-31", "1941-06-01"], levels=["week"]).labels[1])


def test_a_given_range_is_the_domain_and_excludes_other_values():
    keys = {"kind": "date", "levels": ["year"], "low": dt.date(1950, 1, 1), "high": "1951-12-31"}
    tree = build_hierarchy(keys, name="h")

    assert (730, "date", False) == (len(tree.leaves), tree.role, tree.from_data)
    assert (0, None) == (tree.code("1950-01-01"), tree.code("1952-01-01"))


@pytest.mark.parametrize(
    ("days", "said"),
    [
        (["1958-03-14", "9999-12-31"], "8,041 years apart: expected at most 400"),  # it may stand for a missing value
        ([dt.datetime(1958, 3, 14, tzinfo=dt.UTC)], "they are moments in a time zone"),
    ],
)
def test_dates_without_a_common_calendar_are_refused_and_not_shown(days, said):
    with pytest.raises(InvalidHierarchyError, match=said) as caught:
        close(days, levels=["year"])
    assert "9999" not in str(caught.value)


@pytest.mark.parametrize(
    ("keys", "fault"),
    [
        ({"levels": ["week", "year"]}, "`levels` value 2 is `year`, after `week`: a week may be in two months"),
        ({"levels": ["month", "week"]}, "`levels` value 2 is `week`, after `month`: a week may be in two months"),
        ({"levels": ["quarter", "month"]}, "`levels` value 2 is `month`, after `quarter`: expected whole ones"),
        ({"levels": ["2 years", "5 years"]}, "`levels` value 2 is `5 years`, after `2 years`: expected whole ones"),
        ({"levels": ["year", "year"]}, "`levels` value 2 is `year`, after `year`: expected whole ones"),
        ({"levels": ["day"]}, "`levels` value 1 is `day`: expected `week`, .* the day is level 0 already"),
        ({"levels": ["0 years"]}, "`levels` value 1 is `0 years`: expected `week`"),
        ({"levels": ["month"], "earliest": 1934}, "`earliest` is 1934, but no level is of whole years"),
        ({"levels": ["year"], "low": "1950-01-01"}, "`low` and `high`: expected both of them, or none"),
        ({"levels": ["year"], "low": "1951-01-01", "high": "1950-01-01"}, "expected low <= high"),
        ({"levels": ["year"], "low": "0001-01-01", "high": "9999-01-01"}, "are too many days"),
        ({"levels": ["year"], "low": 1950, "high": "19500101"}, "`low` is `1950`: expected a date such as 2024-12-31"),
        ({"levels": ["month"], "format": "YYYY-MM"}, "`levels` value 1 is `month`, after `month`: expected whole ones"),
        ({"levels": ["year"], "format": ["YYYY-MM", "YYYY-MM-DD"]}, "`format` has forms with DD and without"),
        ({}, "`levels` is missing: expected a list of texts"),
        ({"kind": "age", "at": "2024-12-31", "widths": [5], "format": "YYYY-MM"}, "has no DD: an age needs the day"),
    ],
)
def test_levels_that_do_not_nest_are_refused_at_once(keys, fault):
    with pytest.raises(InvalidHierarchyError, match=fault):
        build_hierarchy({"kind": "date", **keys}, name="h")


# Dates of birth as ages


@given(DAYS, DAYS)
def test_an_age_is_the_birthdays_that_have_passed(born, at):
    tree = build_hierarchy({"kind": "age", "at": at, "widths": [5], "high": 700}, name="h")
    birthdays = 0
    while True:
        year = born.year + birthdays + 1
        day = born.replace(year=year) if (born.month, born.day) != (2, 29) else dt.date(year, 2, 28) + dt.timedelta(1)
        if day > at:
            break
        birthdays += 1

    assert (birthdays if born <= at else None) == tree.code(born.isoformat())


def test_ages_have_an_open_end_if_asked():
    tree = build_hierarchy({"kind": "age", "at": "2024-12-31", "widths": [5, 20], "open_from": 90}, name="h")

    leaf = tree.code("1930-02-02")
    assert ["94", "90+", "80+", "*"] == [tree.label(level, leaf) for level in range(4)]
    assert ("[85-89]", "[60-79]") == (tree.label(1, 89), tree.label(2, 79))
    assert ("age", None) == (tree.role, tree.code("1900-01-01"))
    check_laws(tree)
