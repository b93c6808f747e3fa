"""What one column is: by its name, its values and how many rows have each."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Literal, TypeAlias

from gamedeid.amounts import number_of
from gamedeid.data.column_names import (
    are_races,
    are_sexes,
    are_us_states,
    is_about,
    is_icd_10,
    kind_named,
    looks_like_identifier,
    looks_like_person_key,
    words_of,
)
from gamedeid.generalization.missing_codes import is_missing_code
from gamedeid.intake.identifiers.columns import column_findings
from gamedeid.intake.identifiers.findings import IdentifierFinding
from gamedeid.intake.recognition.forms import DateForms, Numbers, date_forms, have_short_years, numbers_of
from gamedeid.intake.recognition.observed import ObservedColumn
from gamedeid.reprs import frozen

Kind: TypeAlias = Literal[
    "empty",
    "constant",
    "identifier",
    "person key",
    "row number",
    "ZIP code",
    "age",
    "date",
    "year",
    "sex",
    "race",
    "place",
    "ICD-10 code",
    "category",
    "whole number",
    "decimal number",
    "free text",
    "text",
    "unreadable",
]
"""What a column can be taken for."""

OLDEST = 125
"""Whole numbers of years up to this one can be ages."""

MOST_CATEGORIES = 40
"""Distinct values that a category has at most."""

_ZIP_5, _ZIP_9, _ZIP_LOST = re.compile(r"\d{5}"), re.compile(r"\d{5}-?\d{4}"), re.compile(r"\d{3,5}")
_YEARS, _LIKELY_YEARS = range(1850, 2101), range(1900, 2101)
_MAYBE_YEARS = "its values could be years"
_WORDS_OF_TEXT = 4
_LENGTH_OF_TEXT = 40
_MOSTLY = 0.9
_ALMOST_EACH = 0.9
_SPEAKS = {"name": "its name speaks", "values": "its values speak", "name and values": "its name and values speak"}
_RECOGNISED_ELSEWHERE = {"places", "dates", "ages over 89"}
_MOST_SEXES = 4
_REPEATS = (2, 50)
_DIGITS = 18
_FEW_YEARS = 3
_CERTAIN_CODES = 8


@frozen
class Recognised:
    """What a column is taken for.

    Parameters
    ----------
    kind : what it is.
    because : by what it is recognised, in words without any of its values.
    present : distinct value -> rows, what stands for a missing value left out.
    missing : values in it that stand for a missing one.
    form : of ZIP codes: ``five``, ``nine`` or ``lost`` where leading zeros are lost; of keys: ``repeats`` where every
        row has one and some have the same; else empty.
    numbers : its numbers, where all values are such.
    dates : its dates, where all values are such.
    sure : whether nothing else is likely.
    """

    kind: Kind
    because: str
    present: Mapping[str, int] = field(repr=False)
    missing: tuple[str, ...] = field(default=(), repr=False)
    form: str = ""
    numbers: Numbers | None = field(default=None, repr=False)
    dates: DateForms | None = field(default=None, repr=False)
    sure: bool = True


def recognise(column: ObservedColumn) -> Recognised:
    """Return what a column is taken for, by the first of the recognisers that knows it."""
    if column.stored == "other":
        return Recognised(kind="unreadable", because="the file stores lists, bytes or times in it", present={})
    words = tuple(sorted(value for value in column.counts if _is_missing_word(value)))
    present = {value: rows for value, rows in column.counts.items() if value not in words}
    if not present:
        return Recognised(kind="empty", because="no row has a value", present=present, missing=words)
    if len(present) == 1 and sum(present.values()) == column.rows:
        return Recognised(kind="constant", because="all values are the same", present=present, missing=words)
    for recogniser in (_key, _identifier, _dates, _numbers, _words):
        found = recogniser(column, present, words)
        if found is not None:
            return found
    return _text(column, present, words)


def _is_missing_word(value: str) -> bool:
    """Return whether a value stands for a missing one in any column: no number, and no word that may be an answer."""
    return (
        is_missing_code(value)
        and not any(letter.isdigit() for letter in value)
        and value.casefold() not in {"none", "not applicable", "unknown", "not known", "unk"}
    )


def _is_key(name: str) -> bool:
    return looks_like_person_key(name) or name.casefold() in {"id", "no", "nr", "key"}


def _key(column: ObservedColumn, present: Mapping[str, int], words: tuple[str, ...]) -> Recognised | None:
    rows = sum(present.values())
    repeats = f"{rows:,} rows have {number_of(len(present), 'value')}"
    if _is_key(column.name):
        because = f"its name is that of a key of persons or records; {repeats}"
        form = "repeats" if rows == column.rows and len(present) < rows and column.complete else ""
        return Recognised(kind="person key", because=because, present=present, missing=words, form=form)
    if (
        len(present) > MOST_CATEGORIES
        and len(set(present.values())) == 1
        and _REPEATS[0] <= rows / len(present) <= _REPEATS[1]
    ):
        because = f"each of its values stands in the same number of rows; {repeats}"
        return Recognised(kind="person key", because=because, present=present, missing=words, sure=False)
    if len(present) == column.rows and all(value.isdecimal() and len(value) <= _DIGITS for value in present):
        numbers = [int(value) for value in present]
        counts = max(numbers) - min(numbers) == len(numbers) - 1 and min(numbers) <= 1
        if counts or not column.name.strip():
            because = "it counts the rows" if counts else "it has no name, and each row a number of its own"
            return Recognised(kind="row number", because=because, present=present, missing=words)
    return None


def _identifier(column: ObservedColumn, present: Mapping[str, int], words: tuple[str, ...]) -> Recognised | None:
    findings = [one for one in column_findings(column.name, present) if one.kind not in _RECOGNISED_ELSEWHERE]
    strong = [finding for finding in findings if finding.strong]
    if not strong:
        return _maybe_identifier(column, findings, present, words)
    kind: Kind = "free text" if strong[0].kind == "free text" else "identifier"
    because = f"{_SPEAKS[strong[0].evidence]} of {strong[0].kind}"
    return Recognised(kind=kind, because=because, present=present, missing=words)


def _maybe_identifier(
    column: ObservedColumn, findings: Sequence[IdentifierFinding], present: Mapping[str, int], words: tuple[str, ...]
) -> Recognised | None:
    """Return a direct identifier where only weak signs speak for one; unique numbers and texts are told otherwise."""
    kinds = [finding.kind for finding in findings if finding.kind not in {"unique identifiers", "free text"}]
    named = looks_like_identifier(column.name)
    if not kinds and not named:
        return None
    because = "its name is that of a direct identifier" if named else f"it may hold {kinds[0]}"
    return Recognised(kind="identifier", because=because, present=present, missing=words, sure=named)


def _dates(column: ObservedColumn, present: Mapping[str, int], words: tuple[str, ...]) -> Recognised | None:
    values = [value for value in present if not is_missing_code(value)]
    codes = (*words, *sorted(set(present) - set(values)))
    left = {value: present[value] for value in values}
    dates = date_forms(values)
    if dates is not None and not (dates.forms == ("YYYYMMDD",) and kind_named(column.name) != "date"):
        left = {value: rows for value, rows in left.items() if value not in dates.codes}
        codes = (*codes, *dates.codes)
        because = "its values are dates"
        if dates.ambiguous:
            because += ", in which day and month could be exchanged"
        return Recognised(kind="date", because=because, present=left, missing=codes, dates=dates)
    if have_short_years(values):
        because = "its values are dates whose years have two digits"
        return Recognised(kind="date", because=because, present=left, missing=codes)
    return None


def _numbers(column: ObservedColumn, present: Mapping[str, int], words: tuple[str, ...]) -> Recognised | None:
    zip_codes = _zip_codes(column, present, words)
    if zip_codes is not None:
        return zip_codes
    numbers = numbers_of(present)
    if numbers is None:
        return None
    left = {value: rows for value, rows in present.items() if value not in numbers.codes}
    codes = (*words, *numbers.codes)

    kind, because = _kind_of_numbers(column.name, numbers, len(left))
    sure = because != _MAYBE_YEARS
    return Recognised(kind=kind, because=because, present=left, missing=codes, numbers=numbers, sure=sure)


def _kind_of_numbers(name: str, numbers: Numbers, distinct: int) -> tuple[Kind, str]:
    """Return what a column of so many distinct numbers is, and by what that is known; the first that holds."""
    low, high, named = numbers.low, numbers.high, kind_named(name)
    grouped = bool({"group", "class", "cat", "band"}.intersection(words_of(name)))
    few = distinct <= MOST_CATEGORIES
    tests: tuple[tuple[bool, Kind, str], ...] = (
        (
            named == "age" and not grouped and low >= 0 and high <= OLDEST,
            "age",
            f"its name is that of an age, its values go up to {OLDEST} at most",
        ),
        (
            (named == "date" or is_about(name, "year")) and low in _YEARS and high in _YEARS,
            "year",
            "its name is that of a year or date, and its values are years",
        ),
        (
            is_about(name, "sex") and distinct <= _MOST_SEXES,
            "sex",
            "its name is that of a sex, and its values are codes",
        ),
        (few and is_about(name, "race"), "race", "its name is that of a race or ethnicity, and its values are codes"),
        (
            (few and (named == "place" or is_about(name, "facility"))) or is_about(name, "county"),
            "place",
            "its name is that of a place, and its values are codes",
        ),
        (low in _LIKELY_YEARS and high in _LIKELY_YEARS and distinct >= _FEW_YEARS, "year", _MAYBE_YEARS),
        (
            distinct <= _CERTAIN_CODES and not numbers.comma,
            "category",
            f"it has {distinct} whole numbers as values, as codes do",
        ),
        (True, "whole number", "its values are whole numbers"),
    )
    if not numbers.whole:
        decimal: tuple[Kind, str] = ("decimal number", "its values are numbers with decimals")
        return (tests[0][1], tests[0][2]) if tests[0][0] else decimal
    return next((kind, because) for holds, kind, because in tests if holds)


def _zip_codes(column: ObservedColumn, present: Mapping[str, int], words: tuple[str, ...]) -> Recognised | None:
    named = kind_named(column.name) == "zip"
    values = [value for value in present if not is_missing_code(value)]
    codes = (*words, *sorted(set(present) - set(values)))
    left = {value: present[value] for value in values}

    def found(form: str, because: str) -> Recognised:
        return Recognised(kind="ZIP code", because=because, present=left, missing=codes, form=form)

    leading = any(value.startswith("0") for value in values)
    if values and all(_ZIP_5.fullmatch(value) for value in values) and (named or leading):
        return found("five", "its values are five digits" + (", and its name is that of a ZIP code" if named else ""))
    if values and all(_ZIP_9.fullmatch(value) or _ZIP_5.fullmatch(value) for value in values) and named:
        return found("nine", "its values are ZIP codes, some of nine digits")
    if named and values and all(_ZIP_LOST.fullmatch(value) for value in values):
        return found("lost", "its name is that of a ZIP code, and some of its values lost their leading zeros")
    return None


def _words(column: ObservedColumn, present: Mapping[str, int], words: tuple[str, ...]) -> Recognised | None:
    few = len(present) <= MOST_CATEGORIES
    tests: tuple[tuple[Kind, str, Callable[[], bool]], ...] = (
        ("sex", "its values are words for sexes", lambda: are_sexes(present)),
        ("sex", "its name is that of a sex", lambda: few and is_about(column.name, "sex")),
        ("race", "its values are words for races", lambda: are_races(present)),
        ("race", "its name is that of a race or ethnicity", lambda: few and is_about(column.name, "race")),
        ("ICD-10 code", "its values have the form of ICD-10 codes", lambda: _are_icd_10(present)),
        ("place", "its values are states of the United States", lambda: are_us_states(present)),
    )
    for kind, because, holds in tests:
        if holds():
            return Recognised(kind=kind, because=because, present=present, missing=words)
    if _is_free_text(present):
        because = "its values are several words long, and almost all different"
        return Recognised(kind="free text", because=because, present=present, missing=words)
    if kind_named(column.name) == "place" or is_about(column.name, "facility"):
        because = "its name is that of a place"
        return Recognised(kind="place", because=because, present=present, missing=words)
    return None


def _text(column: ObservedColumn, present: Mapping[str, int], words: tuple[str, ...]) -> Recognised:
    kind: Kind = "category" if len(present) <= MOST_CATEGORIES and 2 * len(present) <= column.rows else "text"
    more = "" if column.complete else " and more"
    because = f"it has {number_of(len(present), 'distinct value')}{more}"
    return Recognised(kind=kind, because=because, present=present, missing=words)


def _are_icd_10(present: Mapping[str, int]) -> bool:
    fitting = sum(rows for value, rows in present.items() if is_icd_10(value))
    return len(present) > _CERTAIN_CODES and fitting >= _MOSTLY * sum(present.values())


def _is_free_text(present: Mapping[str, int]) -> bool:
    rows = sum(present.values())
    long = sum(
        n for value, n in present.items() if len(value) > _LENGTH_OF_TEXT or value.count(" ") >= _WORDS_OF_TEXT - 1
    )
    return len(present) > MOST_CATEGORIES and 2 * long > rows and len(present) >= _ALMOST_EACH * rows / 2
