"""Every pattern of names that state a kind of identifier matches some name."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import Phase, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from gamedeid.intake.identifiers import named_kinds
from gamedeid.intake.identifiers.named_kinds import age_units_a_year, kinds_named, tells_birth_year


def alternatives(pattern: str) -> Iterator[str]:
    """Yield what stands between the `|` of a pattern that are in no brackets."""
    depth, start = 0, 0
    for place, letter in enumerate(pattern):
        depth += (letter in "([") - (letter in ")]")
        if letter == "|" and depth == 0:
            yield pattern[start:place]
            start = place + 1
    yield pattern[start:]


def pattern_of(name: str) -> str:
    return getattr(named_kinds, name).pattern


def found(alternative: str, holds) -> bool:
    """Return whether some name that an alternative matches is known as what it stands for."""
    names = st.from_regex(re.compile(alternative, re.ASCII), fullmatch=True)
    quick = settings(max_examples=200, derandomize=True, database=None, deadline=None, phases=[Phase.generate])
    try:
        find(names, holds, settings=quick)
    except NoSuchExample:
        return False
    return True


@pytest.mark.parametrize("table", ["_STATED", "_HINTED"])
def test_every_pattern_of_a_kind_matches_a_name_that_is_known_as_that_kind(table):
    missed = [
        (kind, one)
        for kind, pattern in getattr(named_kinds, table).items()
        for one in alternatives(pattern)
        if not found(one, lambda name, kind=kind: kind in [named.words for named in kinds_named(name)])
    ]
    assert [] == missed


def test_every_word_for_a_fact_about_an_identifier_makes_its_name_that_of_none():
    words = re.fullmatch(r"\(\?:\^\|_\)\(\?:(.*)\)\(\?:_\|\$\)", pattern_of("_NO_IDENTIFIER"))[1]
    assert [] == [word for word in alternatives(words) if kinds_named(f"phone_{word}")]
    assert [] != [*kinds_named("phone")]


def test_every_pattern_of_an_age_or_a_year_of_birth_matches_a_name():
    years = pattern_of("_BIRTH_YEAR").removeprefix("(?:").removesuffix(")")
    assert [] == [one for one in alternatives(years) if not found(one, tells_birth_year)]
    ages = pattern_of("_AGE")
    assert [] == [one for one in alternatives(ages) if not found(one, lambda name: age_units_a_year(name) is not None)]


def test_a_german_medical_record_is_known_by_its_name():
    assert ["medical record numbers"] == [one.words for one in kinds_named("krankenakte")]
    assert ["medical record numbers"] == [one.words for one in kinds_named("Krankenaktennummer")]
