"""The years that a label of a date means."""

import pytest

from gamedeid.data.years import is_date, is_one_year, year_of, years_in_label


@pytest.mark.parametrize(
    ("label", "years"),
    [
        ("1958", (1958, 1958)),
        ("1958-**-**", (1958, 1958)),
        ("1958******", (1958, 1958)),
        ("[1955-1959]", (1955, 1959)),
        ("1958 to 1961", (1958, 1961)),
        ("195*", (1950, 1959)),
        ("1950s", (1950, 1950)),
        ("1936 or earlier", (1936, 1936)),
        ("<1937", (1936, 1936)),
        ("\u2264 1936", (1936, 1936)),
        ("year 2001", (2001, 2001)),
        *((label, None) for label in ("*", "", "1958-03", "1958-03-14", "14/03/****", "1403****", "14******")),
        *((label, None) for label in ("1958Q1", "March 1958", "fifties", "58", "3000")),
    ],
)
def test_a_label_means_years_alone_or_nothing(label, years):
    assert years == years_in_label(label)


DATES = ("1958", "1958-03", "1958-03-14", "1958-03***", "1958-03-14T08:00:00", "14.3.1958", "3/14/58", "03/1958")
IN_WORDS = ("19580314", "14031958", "March 1958", "14 Mar 1958", "Monday", "1958Q1")
NO_DATES = ("*", "48", "5000", "37201", "12345678", "surgery", "Marchand", "14/03/****", "")


@pytest.mark.parametrize("value", [*DATES, *IN_WORDS, *NO_DATES])
def test_dates_are_recognized_in_common_forms_only(value):
    assert (value not in NO_DATES) == is_date(value)


@pytest.mark.parametrize(
    ("value", "year"),
    [("1958-03-14", 1958), ("19580314", 1958), ("14031958", 1958), ("1958-1961", None), ("58", None), ("190358", None)],
)
def test_the_year_of_a_date(value, year):
    assert year == year_of(value)


def test_a_label_may_be_one_year():
    assert [True, True, False, False] == [is_one_year(label) for label in ("1936", "1936******", "1936 or so", "193*")]
