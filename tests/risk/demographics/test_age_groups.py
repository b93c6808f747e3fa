"""The ages that a name means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from questions import message

from gamedeid.errors import InvalidDataError, InvalidScenarioError
from gamedeid.risk.census.counts import AgeGroup, age_group, refuse_overlap

NAMES = {
    (0, 12, False): ("AUnder12", "under 12", "<12", "0-11"),
    (0, 5, False): ("Under 5 years",),
    (12, 7, False): ("A12to18", "12-18", "12\N{EN DASH}18", "12 to 18 years of age", "age_12_to_18"),
    (25, 10, False): ("Ages 25 - 34",),
    (48, 1, False): ("48", "age 48"),
    (65, 12, True): ("A65Plus", "65+", " 65 plus "),
    (75, 12, True): ("75 or older",),
    (85, 12, True): ("85 years and over",),
}
"""First age, number of ages and whether the group is open -> its names."""


@pytest.mark.parametrize(
    ("name", "first", "years", "is_open"), [(name, *group) for group, names in NAMES.items() for name in names]
)
def test_a_name_gives_the_ages_of_its_group(name, first, years, is_open):
    assert AgeGroup(name=name, first=first, years=years, is_open=is_open) == age_group(name)


@pytest.mark.parametrize(
    "name", ["", "zip", "Tot_Pop", "18-12", "under 0", "2010", "200-210", "12-18-24", "x65+", "-5"]
)
def test_a_name_without_ages_is_not_an_age_group(name):
    assert None is age_group(name)


def test_an_open_group_has_the_years_it_is_given():
    assert 20 == age_group("65+", open_years=20).years
    assert 7 == age_group("12-18", open_years=20).years


def test_an_open_group_has_a_year_at_least():
    said = message(InvalidScenarioError, age_group, "65+", 0)
    assert "an open age group must have at least 1 year, not 0" == said


def ages(group):
    """Return the ages of a group; no person is older than 199."""
    return set(range(group.first, 200 if group.is_open else group.first + group.years))


names = st.one_of(
    st.tuples(st.integers(0, 30), st.integers(0, 12)).map(lambda ends: f"{ends[0]}-{ends[0] + ends[1]}"),
    st.integers(0, 40).map(lambda age: f"{age}+"),
    st.integers(1, 30).map(lambda age: f"under {age}"),
)


@given(groups=st.lists(names.map(age_group), min_size=1, max_size=4))
def test_groups_that_hold_one_age_twice_are_refused_and_no_others(groups):
    everybody = [age for group in groups for age in ages(group)]
    if len(everybody) == len(set(everybody)):
        refuse_overlap(groups, "people.csv")
    else:
        said = message(InvalidDataError, refuse_overlap, groups, "people.csv")
        age = int(said.split("both hold age ")[1].split(";")[0])
        assert everybody.count(age) > 1
