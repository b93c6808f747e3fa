"""Every pattern of names that state a kind of identifier matches some name."""

import re

import pytest
from hypothesis import Phase, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from gamedeid.data import column_names
from gamedeid.data.column_names import age_units_a_year, holds_birth_years, identifiers_by_name


def found(alternative: str, holds) -> bool:
    """Return whether some name that an alternative matches is recognized as its kind."""
    names = st.from_regex(re.compile(alternative, re.ASCII), fullmatch=True)
    quick = settings(max_examples=200, derandomize=True, database=None, deadline=None, phases=[Phase.generate])
    try:
        find(names, holds, settings=quick)
    except NoSuchExample:
        return False
    return True


WORDS = column_names._table()  # noqa: SLF001


def whole(pattern: str) -> str:
    for part, words in WORDS["parts"].items():
        pattern = pattern.replace(part, f"(?:{'|'.join(words)})")
    return pattern


@pytest.mark.parametrize("table", ["stated", "hinted"])
def test_every_pattern_of_a_kind_matches_a_name_that_is_known_as_that_kind(table):
    missed = [
        (kind, one)
        for kind, patterns in WORDS[table].items()
        for one in patterns
        if not found(whole(one), lambda name, kind=kind: kind in [named.words for named in identifiers_by_name(name)])
    ]
    assert [] == missed


def test_every_word_for_a_fact_about_an_identifier_makes_its_name_that_of_none():
    assert [] == [word for word in WORDS["words"]["facts"] if identifiers_by_name(f"phone_{word}")]
    assert [] != [*identifiers_by_name("phone")]


def test_every_pattern_of_an_age_or_a_year_of_birth_matches_a_name():
    words = WORDS["words"]
    assert [] == [one for one in words["birth_years"] if not found(one, holds_birth_years)]
    assert [] == [one for one in words["ages"] if not found(one, lambda name: age_units_a_year(name) is not None)]
