"""The content of a column by its name and the words in its values; the words are in `column_words.toml`."""

import re
import tomllib
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

Kind: TypeAlias = Literal["zip", "date", "age", "place"]
"""A kind of value that Safe Harbor limits: a name or values can look like it."""

Topic: TypeAlias = Literal["sex", "race", "year", "diagnosis", "facility", "demographic", "measured", "state", "county"]
"""A topic of a column's name."""

Place: TypeAlias = Literal["state", "county", "city"]
"""The size of a place, as Safe Harbor distinguishes them."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-zß-ÿ]+|\d+")
_ICD_10 = re.compile(r"[A-TV-Z][0-9][0-9AB](?:\.?[0-9A-Z]{1,4})?", re.IGNORECASE)
_LONGEST_NAME = 200  # characters; a longer name is not read
UNITS_A_YEAR = {"month": 12.0, "week": 52.18, "day": 365.25}
"""Unit of an age -> how many make a year."""

_OVERRIDDEN = {"unique identifiers", "free text", "dates", "places", "street addresses", "names"}
"""Kinds that do not count if a name states another kind: `fingerprint_hash`, `email_address`, `photo_date`."""

_NOT_DIRECT = {"unique identifiers", "free text", "dates", "places"}
"""Kinds whose words in a name do not alone make the column a direct identifier."""


class NamedIdentifier(NamedTuple):
    """A kind of identifier that a name suggests, and whether it can hardly mean anything else."""

    words: str
    stated: bool


def words_of(name: str) -> list[str]:
    """Return the words of a column's name in small letters: `homeZip_code2` has home, zip, code and 2."""
    return [word.lower() for word in _WORD.findall(name)]


def looks_like_identifier(name: str) -> bool:
    """Return whether a column is a direct identifier by its name.

    Examples
    --------
    >>> [looks_like_identifier(name) for name in ("Name", "E-Mail", "patientName", "drug_name", "education-num")]
    [True, True, True, False, False]
    """
    kinds = {kind.words for kind in identifiers_by_name(name) if kind.stated}
    return bool(kinds - _NOT_DIRECT) or words_of(name) == ["name"] or looks_like_person_key(name)


def looks_like_person_key(name: str) -> bool:
    """Return whether a column's name suggests a key that distinguishes one person's rows from another's.

    Examples
    --------
    >>> [looks_like_person_key(name) for name in ("patient_id", "MRN", "record_id", "person", "study_id", "zip_code")]
    [True, True, True, True, False, False]
    """
    parts, words = set(words_of(name)), _words()["words"]
    return "".join(words_of(name)) in words["person_keys"] or bool(parts & words["persons"] and parts & words["keys"])


def looks_like_count(name: str) -> bool:
    """Return whether the name of a column of a population suggests the number of people of a row.

    Examples
    --------
    >>> [looks_like_count(name) for name in ("Count", "pop", "county", "population_2010")]
    [True, True, False, False]
    """
    return name.lower() in _words()["words"]["counts"]


def kind_by_name(name: str) -> Kind | None:
    """Return the kind of value limited by Safe Harbor that any word of a name suggests, or None.

    Examples
    --------
    >>> [kind_by_name(name) for name in ("homeZip", "birth_date", "ageGroup", "county", "race")]
    ['zip', 'date', 'age', 'place', None]
    """
    words = words_of(name)
    return next((kind for kind in get_args(Kind) if any(_matches("limited", kind, word) for word in words)), None)


def identifiers_by_name(name: str) -> tuple[NamedIdentifier, ...]:
    """Return the kinds of identifiers that a column's name suggests, the surest first; mostly none or one.

    Examples
    --------
    >>> [[kind.words for kind in identifiers_by_name(name)] for name in ("homePhone", "MRN", "phone_type", "income")]
    [['telephone numbers'], ['medical record numbers'], [], []]
    """
    words = words_of(name)
    joined = "_".join(words)
    if not joined or len(joined) > _LONGEST_NAME or not _words()["words"]["facts"].isdisjoint(words):
        return ()
    names = (*_last_words(joined), *_last_words("".join(words)))
    stated = [kind for kind in _words()["stated"] if any(_matches("stated", kind, one) for one in names)]
    if len(stated) > 1:
        stated = [kind for kind in stated if kind not in _OVERRIDDEN] or stated[:1]
    if not stated and looks_like_person_key(name):
        stated = ["unique identifiers"]
    if stated:
        return tuple(NamedIdentifier(kind, stated=True) for kind in stated)
    hinted = (kind for kind in _words()["hinted"] if _matches("hinted", kind, joined))
    return tuple(NamedIdentifier(kind, stated=False) for kind in hinted)[:1]


def _last_words(joined: str) -> Iterator[str]:
    """Yield a name and its last words, such as `phone` of `home_phone`; `of` and `for` reverse the order."""
    yield joined
    for mark in ("_of_", "_for_"):
        if mark in joined:
            yield joined.partition(mark)[0]
            return
    yield from (joined[match.end() :] for match in re.finditer("_", joined))


def holds_birth_years(name: str) -> bool:
    """Return whether a column holds years of birth by its name."""
    words = words_of(name)
    return any(_matches("words", "birth_years", one) for one in ("_".join(words), "".join(words)))


def age_units_a_year(name: str) -> float | None:
    """Return how many units of a column's age make a year, by its name: 12 for `age_months`; None if it is no age."""
    joined = "_".join(words_of(name))
    for word, units in UNITS_A_YEAR.items():
        if re.fullmatch(rf"(?:\w+_)?age_?(?:in_)?{word}s?", joined):
            return units
    return 1.0 if _matches("words", "ages", joined) else None


def is_about(name: str, topic: Topic) -> bool:
    """Return whether one of a name's words, or all of them together, is a word for a topic.

    Words that only name the origin of a distance or a time do not count.

    Examples
    --------
    >>> is_about("patient_sex", "sex"), is_about("MaritalStatus", "demographic"), is_about("zip", "sex")
    (True, True, False)
    >>> [is_about(name, "demographic") for name in ("SchoolType", "DistFromSchool", "days_since_marriage")]
    [True, False, False]
    """
    parts = _counted_words(name)
    return not _words()["topics"][topic].isdisjoint([*parts, "".join(parts)])


def _counted_words(name: str) -> list[str]:
    """Return the words of a name without those that name the origin of a distance or a time."""
    parts, words = words_of(name), _words()["words"]
    if parts[:1] and parts[0] in words["distances"]:
        return parts[:1]
    if parts[-1:] == ["distance"]:
        return parts[-1:]
    for place, part in enumerate(parts):
        if part in words["directions"] and not words["amounts"].isdisjoint(parts[:place]):
            return parts[:place]
    return parts


def place_size_by_name(name: str) -> Place:
    """Return the size of the place in a name; a place that is neither state nor county counts as the smallest, a city.

    Examples
    --------
    >>> [place_size_by_name(name) for name in ("home_state", "countyFIPS", "town")]
    ['state', 'county', 'city']
    """
    if is_about(name, "state"):
        return "state"
    return "county" if is_about(name, "county") else "city"


def has_place_number_word(name: str) -> bool:
    """Return whether a name contains a word for areas that have numbers.

    Examples
    --------
    >>> [has_place_number_word(name) for name in ("homezip", "CensusTract2020", "city")]
    [True, True, False]
    """
    return any(word in name.casefold() for word in _words()["words"]["place_numbers"])


def are_sexes(values: Collection[str]) -> bool:
    """Return whether values are words for sexes, with at least one for men and one for women."""
    small, words = _lowercase(values), _words()["values"]
    known = words["men"] | words["women"] | words["other_sexes"]
    return small <= known and bool(small & words["men"]) and bool(small & words["women"])


def sex_of_word(value: str) -> Literal["man", "woman"] | None:
    """Return the sex that a word means; None where it means neither, or could mean both."""
    small, words = value.casefold(), _words()["values"]
    if small in words["men"]:
        return "man"
    return "woman" if small in words["women"] else None


def are_races(values: Collection[str]) -> bool:
    """Return whether values are words for races, at least two that say which."""
    small, words = _lowercase(values), _words()["values"]
    return small <= words["races"] | words["other_races"] and len(small & words["races"]) > 1


def are_us_states(values: Collection[str]) -> bool:
    """Return whether values are states of the United States, by name or by their two letters, and at least two."""
    small, words = _lowercase(values), _words()["values"]
    return len(small) > 1 and (small <= words["states"] or small <= words["state_letters"])


def is_us_state(value: str) -> bool:
    """Return whether a value is a state of the United States, by name or by its two letters."""
    words = _words()["values"]
    return value.casefold() in words["states"] | words["state_letters"]


def given_names() -> frozenset[str]:
    """Return common given names, in small letters, which identify a column of people's names."""
    return _words()["values"]["given_names"]


def is_icd_10(value: str) -> bool:
    """Return whether a value has the form of a code of ICD-10: a letter, two digits and more, with a point or without.

    Examples
    --------
    >>> [is_icd_10(value) for value in ("E11.9", "I21", "S72001A", "E1", "U")]
    [True, True, True, False, False]
    """
    return _ICD_10.fullmatch(value) is not None


def _lowercase(values: Collection[str]) -> set[str]:
    return {value.casefold() for value in values}


def _matches(section: str, key: str, text: str) -> bool:
    return _pattern(section, key).fullmatch(text) is not None


@cache
def _pattern(section: str, key: str) -> re.Pattern[str]:
    """Return the pattern of names of one kind; words for persons, staff and numbers match all of these."""
    pattern = "|".join(_table()[section][key])
    for part, words in _table()["parts"].items():
        pattern = pattern.replace(part, f"(?:{'|'.join(words)})")
    return re.compile(pattern)


@cache
def _words() -> dict[str, dict[str, frozenset[str]]]:
    return {section: {key: frozenset(words) for key, words in lists.items()} for section, lists in _table().items()}


@cache
def _table() -> dict[str, dict[str, Any]]:
    return tomllib.loads(Path(__file__).with_name("column_words.toml").read_text("utf-8"))
