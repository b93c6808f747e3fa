"""Words in the names and values of columns that tell what they are about; the words stand in ``words.toml``."""

import re
import tomllib
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias

from gamedeid.data.column_names import words_of

Topic: TypeAlias = Literal["sex", "race", "year", "diagnosis", "facility", "demographic", "measured", "state", "county"]
"""What the name of a column can be about."""

Place: TypeAlias = Literal["state", "county", "city"]
"""How large a place is, as Safe Harbor tells them apart."""

_WORDS = Path(__file__).with_name("words.toml")
_ICD_10 = re.compile(r"[A-TV-Z][0-9][0-9AB](?:\.?[0-9A-Z]{1,4})?", re.IGNORECASE)


def is_about(name: str, topic: Topic) -> bool:
    """Return whether one of a name's words, or all of them together, is a word for a topic.

    Examples
    --------
    >>> is_about("patient_sex", "sex"), is_about("MaritalStatus", "demographic"), is_about("zip", "sex")
    (True, True, False)
    """
    parts, words = words_of(name), _words("names")[topic]
    return any(part in words for part in parts) or "".join(parts) in words


def place_named(name: str) -> Place:
    """Return how large a place a name speaks of; what is neither state nor county is taken for the smallest, a city.

    Examples
    --------
    >>> [place_named(name) for name in ("home_state", "countyFIPS", "town")]
    ['state', 'county', 'city']
    """
    if is_about(name, "state"):
        return "state"
    return "county" if is_about(name, "county") else "city"


def are_sexes(values: Collection[str]) -> bool:
    """Return whether values are words for sexes, one for men and one for women among them."""
    small, words = _small(values), _words("values")
    known = words["men"] | words["women"] | words["other_sexes"]
    return small <= known and bool(small & words["men"]) and bool(small & words["women"])


def sex_named(value: str) -> Literal["man", "woman"] | None:
    """Return which sex a word means; None where it means neither, or cannot be told."""
    small, words = value.casefold(), _words("values")
    if small in words["men"]:
        return "man"
    return "woman" if small in words["women"] else None


def are_races(values: Collection[str]) -> bool:
    """Return whether values are words for races, at least two that say which."""
    small, words = _small(values), _words("values")
    return small <= words["races"] | words["other_races"] and len(small & words["races"]) > 1


def are_us_states(values: Collection[str]) -> bool:
    """Return whether values are states of the United States, by name or by their two letters, and at least two."""
    small, words = _small(values), _words("values")
    return len(small) > 1 and (small <= words["states"] or small <= words["state_letters"])


def is_icd_10(value: str) -> bool:
    """Return whether a value has the form of a code of ICD-10: a letter, two digits and more, with a point or without.

    Examples
    --------
    >>> [is_icd_10(value) for value in ("E11.9", "I21", "S72001A", "E1", "U")]
    [True, True, True, False, False]
    """
    return _ICD_10.fullmatch(value) is not None


def _small(values: Collection[str]) -> set[str]:
    return {value.casefold() for value in values}


@cache
def _words(section: Literal["names", "values"]) -> Mapping[str, frozenset[str]]:
    lists = tomllib.loads(_WORDS.read_text("utf-8"))[section]
    return {topic: frozenset(words) for topic, words in lists.items()}
