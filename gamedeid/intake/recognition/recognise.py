"""Recognition of one column: by its name, its values and how many rows have each."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import field, replace
from typing import Any, Literal, TypeAlias

from gamedeid.amounts import number_of
from gamedeid.data.column_names import (
    age_units_a_year,
    are_races,
    are_sexes,
    are_us_states,
    is_about,
    is_icd_10,
    kind_by_name,
    looks_like_identifier,
    looks_like_person_key,
    words_of,
)
from gamedeid.generalization.readings import number_of_text
from gamedeid.intake.identifiers.column_signs import NEARLY_UNIQUE, OLDEST
from gamedeid.intake.identifiers.columns import column_findings
from gamedeid.intake.recognition.forms import (
    DateForms,
    Numbers,
    are_dates_of_several_forms,
    are_grouped_numbers,
    date_forms,
    have_short_years,
    numbers_of,
)
from gamedeid.intake.recognition.observed import DeclaredColumn, ObservedColumn
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
"""A kind that a column can be taken for."""

UNDECIDED_KINDS: tuple[Kind, ...] = ("category", "text", "whole number", "decimal number")
"""Kinds that say nothing about a column yet."""

MOST_CATEGORIES = 40
"""Most distinct values of a category."""

_OF_THE_US = re.compile("zip|zcta", re.IGNORECASE)  # names of postal codes that no other country has
_ZIP_5, _ZIP_9, _ZIP_LOST = re.compile(r"\d{5}"), re.compile(r"\d{5}-?\d{4}"), re.compile(r"\d{3,5}(?:\.0)?")
_UNNAMED = re.compile(r"Unnamed: \d+")
"""Name that pandas gives a column without a name."""
_YEARS, _LIKELY_YEARS = range(1850, 2101), range(1900, 2101)
_MAYBE_YEARS = "its values could be years"
_GROWN = 12
"""Ages in years that are all below this are those of children, or have another unit."""
_SMALL_AGES = (
    f"its name is that of an age, but all its values are below {_GROWN}: its unit could be decades or groups, not years"
)
_LARGE_AGES = "its name is that of an age, but its unit is not years: it could be months or days"
_UNSURE = {_MAYBE_YEARS, _SMALL_AGES}
_DIGIT = re.compile(r"\d")
_LEAST_DATES = 3  # fewest distinct numbers of eight digits that are dates, for a column whose name states no date
_NUMBERS_OF_PEOPLE = {"unique identifiers", "medical record numbers", "health plan numbers", "social security numbers"}
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
    """A recognised column.

    Parameters
    ----------
    because : the evidence, in words without any of its values.
    present : distinct value -> rows, without values that mean a missing one.
    form : of ZIP codes: ``five``, ``nine``, or ``lost`` if leading zeros are lost; of keys: ``repeats`` if every row
        has one and some share it; of dates: ``several`` if they have no common form; otherwise empty.
    """

    kind: Kind
    because: str
    present: Mapping[str, int] = field(repr=False)
    missing: tuple[str, ...] = field(repr=False)
    declared: DeclaredColumn = field(repr=False)
    form: str = ""
    numbers: Numbers | None = field(default=None, repr=False)
    dates: DateForms | None = field(default=None, repr=False)
    sure: bool = True


def _taken_for(
    seen: ObservedColumn, kind: Kind, because: str, *, codes: tuple[str, ...] = (), **more: Any
) -> Recognised:
    """Return the column as a kind, without the codes for a missing value among its values."""
    left = {value: rows for value, rows in seen.present.items() if value not in codes}
    return Recognised(
        kind=kind, because=because, present=left, missing=(*seen.words, *codes), declared=seen.declared, **more
    )


def recognise(column: ObservedColumn) -> Recognised:
    """Return the recognised column, by the first of the recognisers that knows it.

    If its name and its values give no evidence, a short label is read as its name.
    """
    found = _recognise(column)
    label = column.declared.second_name
    if found.kind not in UNDECIDED_KINDS or not label:
        return found
    labelled = _recognise(replace(column, name=label))
    if labelled.kind in UNDECIDED_KINDS or not labelled.sure:
        return found
    return replace(labelled, because=labelled.because.replace("its name", "its label"))


def _recognise(seen: ObservedColumn) -> Recognised:
    present = seen.present
    if not seen.readable:
        return _taken_for(seen, "unreadable", "its values are lists, bytes, times of day or moments in a time zone")
    if not present:
        return _taken_for(seen, "empty", "no row has a value")
    if len(present) == 1 and sum(present.values()) == seen.rows:
        return _taken_for(seen, "constant", "all values are the same")
    recognisers = (_key, _identifier, _labels, _dates, _zip_codes, _numbers, _ages_in_words, _words)
    return next((found for recogniser in recognisers if (found := recogniser(seen)) is not None), _text(seen))


def _are_few(seen: ObservedColumn) -> bool:
    return len(seen.present) <= MOST_CATEGORIES


def _is_key(name: str) -> bool:
    return looks_like_person_key(name) or name.casefold() in {"id", "no", "nr", "key"}


def _key(seen: ObservedColumn) -> Recognised | None:
    present = seen.present
    rows = sum(present.values())
    repeats = f"{rows:,} rows have {number_of(len(present), 'value')}"
    if _is_key(seen.name) or seen.declared.kind == "key":
        says = "its name is" if _is_key(seen.name) else f"{seen.declared.because}: it is"
        because = f"{says} that of a key of persons or records; {repeats}"
        form = "repeats" if rows == seen.rows and len(present) < rows and seen.complete else ""
        return _taken_for(seen, "person key", because, form=form)
    if seen.declared.kind in {"number", "codes", "date", "ZIP code"}:
        return None
    each = len(set(present.values())) == 1 and _REPEATS[0] <= rows / len(present) <= _REPEATS[1]
    if each and not _are_few(seen):
        because = f"each of its values is in the same number of rows; {repeats}"
        return _taken_for(seen, "person key", because, sure=False)
    if len(present) == seen.rows and all(value.isdecimal() and len(value) <= _DIGITS for value in present):
        numbers = [int(value) for value in present]
        if max(numbers) - min(numbers) == len(numbers) - 1 and min(numbers) <= 1:
            return _taken_for(seen, "row number", "it counts the rows")
        if not seen.name.strip() or _UNNAMED.fullmatch(seen.name):
            return _taken_for(seen, "row number", "it has no name, and each row has another number")
    return None


def _identifier(seen: ObservedColumn) -> Recognised | None:
    if seen.declared.kind in {"identifier", "free text"}:
        return _taken_for(seen, seen.declared.kind, seen.declared.because)
    findings = [one for one in column_findings(seen.name, seen.present) if one.kind not in _RECOGNISED_ELSEWHERE]
    strong = next((finding for finding in findings if finding.strong), None)
    if strong is not None:
        kind: Kind = "free text" if strong.kind == "free text" else "identifier"
        because = f"{_SPEAKS[strong.evidence]} of {strong.kind}"
        if strong.kind in _NUMBERS_OF_PEOPLE and seen.complete and max(seen.present.values()) > 1:
            because += "; if its equal values are rows of one person, make it the key of persons"
        return _taken_for(seen, kind, because)
    if looks_like_identifier(seen.name):
        return _taken_for(seen, "identifier", "its name is that of a direct identifier")
    others = {"unique identifiers", "free text"}
    if kind_by_name(seen.name) == "place":
        others.add("names")  # places are called like people: Prince George, San Antonio
    kinds = [finding.kind for finding in findings if finding.kind not in others]
    return _taken_for(seen, "identifier", f"it may hold {kinds[0]}", sure=False) if kinds else None


def _labels(seen: ObservedColumn) -> Recognised | None:
    """Return the kind of a column of codes by the labels of its values, all of which must have one."""
    labels = [seen.declared.value_labels.get(value, "") for value in seen.present]
    if not all(labels):
        return None
    tests: tuple[tuple[Kind, str, Callable[[Collection[str]], bool]], ...] = (
        ("sex", "sexes", are_sexes),
        ("race", "races", are_races),
        ("place", "states of the United States", are_us_states),
    )
    kinds = ((kind, words) for kind, words, holds in tests if holds(labels))
    return next((_taken_for(seen, kind, f"the labels of its values are {words}") for kind, words in kinds), None)


def _dates(seen: ObservedColumn) -> Recognised | None:
    if seen.declared.kind in {"number", "codes"}:
        return None
    codes, values = seen.codes, list(seen.plain)
    dates = date_forms(values)
    if dates is not None and seen.declared.day_first is not None:
        dates = dates.with_order(day_first=seen.declared.day_first)
    if dates is not None and (dates.forms != ("YYYYMMDD",) or kind_by_name(seen.name) == "date"):
        because = "its values are dates" + (", in which day and month could be exchanged" if dates.ambiguous else "")
        return _taken_for(seen, "date", because, codes=(*codes, *dates.codes), dates=dates)
    if dates is not None and len(values) >= _LEAST_DATES:
        because = "its values could be dates written YYYYMMDD"
        return _taken_for(seen, "date", because, codes=(*codes, *dates.codes), dates=dates, sure=False)
    if have_short_years(values):
        return _taken_for(seen, "date", "its values are dates whose years have two digits", codes=codes)
    if dates is None and are_dates_of_several_forms(values):
        return _taken_for(seen, "date", "its values are dates of several forms", codes=codes, form="several")
    return None


def _zip_codes(seen: ObservedColumn) -> Recognised | None:
    codes, named = seen.codes, kind_by_name(seen.name) == "zip" or seen.declared.kind == "ZIP code"
    values = list(seen.plain)
    if not values:
        return None
    if all(map(_ZIP_5.fullmatch, values)) and (named or any(value.startswith("0") for value in values)):
        because = "its values are five digits"
        if named:
            is_of_any_country = kind_by_name(seen.name) == "zip" and not _OF_THE_US.search(seen.name)
            code = "postal code, here taken for one of the United States" if is_of_any_country else "ZIP code"
            because += f", and its name is that of a {code}"
        return _taken_for(seen, "ZIP code", because, codes=codes, form="five")
    if named and all(_ZIP_9.fullmatch(value) or _ZIP_5.fullmatch(value) for value in values):
        return _taken_for(seen, "ZIP code", "its values are ZIP codes, some of nine digits", codes=codes, form="nine")
    if named and all(map(_ZIP_LOST.fullmatch, values)):
        are_numbers = any("." in value for value in values)
        lost = "its values became numbers" if are_numbers else "some of its values lost their leading zeros"
        because = f"its name is that of a ZIP code, and {lost}"
        return _taken_for(seen, "ZIP code", because, codes=codes, form="lost")
    return None


def _numbers(seen: ObservedColumn) -> Recognised | None:
    words = tuple(code for code in seen.codes if number_of_text(code) is None)
    values = [value for value in seen.present if value not in words]
    numbers = numbers_of(values)
    if numbers is None:
        if not any(_DIGIT.search(value) for value in values) or not are_grouped_numbers(values):
            return None
        because = "its values are numbers with separators of thousands, or with signs of money"
        return _taken_for(seen, "decimal number", because, codes=words)
    kind, because = _kind_of_numbers(seen.name, numbers, len(values) - len(numbers.codes))
    if because == _MAYBE_YEARS and seen.declared.kind == "number":
        kind, because = "whole number", "its values are whole numbers"
    return _taken_for(seen, kind, because, codes=(*words, *numbers.codes), numbers=numbers, sure=because not in _UNSURE)


def _ages_in_words(seen: ObservedColumn) -> Recognised | None:
    """Return ages that mostly have digits, but are not all plain numbers, such as `45 y` or `<1`."""
    rows = sum(count for value, count in seen.plain.items() if _DIGIT.search(value))
    if age_units_a_year(seen.name) is None or 2 * rows < seen.rows or _are_few(seen):
        return None
    odd = sum(number_of_text(value) is None for value in seen.plain)
    are = "is no plain number" if odd == 1 else "are no plain numbers"
    because = f"its name is that of an age, but of its {number_of(len(seen.plain), 'value')} {odd:,} {are}"
    return _taken_for(seen, "age", because, codes=seen.codes)


def _kind_of_numbers(name: str, numbers: Numbers, distinct: int) -> tuple[Kind, str]:
    """Return the kind of a column with this many distinct numbers, and the evidence; the first that holds."""
    low, high, named = numbers.low, numbers.high, kind_by_name(name)
    grouped = bool({"group", "class", "cat", "band"}.intersection(words_of(name)))
    few = distinct <= MOST_CATEGORIES
    is_age = named == "age" and not grouped and low >= 0
    is_place = (few and (named == "place" or is_about(name, "facility"))) or is_about(name, "county")
    of_years = (named == "date" or is_about(name, "year")) and low in _YEARS and high in _YEARS
    maybe_years = low in _LIKELY_YEARS and high in _LIKELY_YEARS and distinct >= _FEW_YEARS
    of_sexes = is_about(name, "sex") and distinct <= _MOST_SEXES
    are_codes = distinct <= _CERTAIN_CODES and not numbers.comma
    number: Kind = "whole number" if numbers.whole else "decimal number"
    ages: tuple[tuple[bool, Kind, str], ...] = (
        (is_age and (high > OLDEST or (age_units_a_year(name) or 1) > 1), number, _LARGE_AGES),
        (is_age and high < _GROWN, "age", _SMALL_AGES),
        (is_age, "age", f"its name is that of an age, its values go up to {OLDEST} at most"),
    )
    tests: tuple[tuple[bool, Kind, str], ...] = (
        (of_years, "year", "its name is that of a year or date, and its values are years"),
        *ages,
        (of_sexes, "sex", "its name is that of a sex, and its values are codes"),
        (few and is_about(name, "race"), "race", "its name is that of a race or ethnicity, and its values are codes"),
        (is_place, "place", "its name is that of a place, and its values are codes"),
        (maybe_years, "year", _MAYBE_YEARS),
        (are_codes, "category", f"it has {distinct} whole numbers as values, as codes do"),
        (True, "whole number", "its values are whole numbers"),
    )
    decimal: tuple[bool, Kind, str] = (True, "decimal number", "its values are numbers with decimals")
    possible = tests if numbers.whole else (*ages, decimal)
    return next((kind, because) for holds, kind, because in possible if holds)


def _words(seen: ObservedColumn) -> Recognised | None:
    name, present, few = seen.name, seen.present, _are_few(seen)
    tests: tuple[tuple[Kind, str, Callable[[], bool]], ...] = (
        ("sex", "its values are words for sexes", lambda: are_sexes(present)),
        ("sex", "its name is that of a sex", lambda: few and is_about(name, "sex")),
        ("race", "its values are words for races", lambda: are_races(present)),
        ("race", "its name is that of a race or ethnicity", lambda: few and is_about(name, "race")),
        ("ICD-10 code", "its values have the form of ICD-10 codes", lambda: _are_icd_10(seen)),
        ("place", "its values are states of the United States", lambda: are_us_states(present)),
        ("free text", "its values are several words long, and almost all different", lambda: _is_free_text(present)),
        ("place", "its name is that of a place", lambda: kind_by_name(name) == "place" or is_about(name, "facility")),
    )
    return next((_taken_for(seen, kind, because) for kind, because, holds in tests if holds()), None)


def _text(seen: ObservedColumn) -> Recognised:
    few = _are_few(seen) and 2 * len(seen.present) <= seen.rows
    more = "" if seen.complete else " and more"
    because = f"it has {number_of(len(seen.present), 'distinct value')}{more}"
    return _taken_for(seen, "category" if few else "text", because)


def _are_icd_10(seen: ObservedColumn) -> bool:
    """Return whether nearly all values have the form; if its name is of no diagnosis, many values that repeat."""
    rows = sum(seen.plain.values())
    fitting = sum(count for value, count in seen.plain.items() if is_icd_10(value))
    likely = _CERTAIN_CODES < len(seen.plain) < NEARLY_UNIQUE * rows
    return fitting >= _MOSTLY * rows > 0 and (likely or is_about(seen.name, "diagnosis"))


def _is_free_text(present: Mapping[str, int]) -> bool:
    rows = sum(present.values())
    long = sum(
        n for value, n in present.items() if len(value) > _LENGTH_OF_TEXT or value.count(" ") >= _WORDS_OF_TEXT - 1
    )
    return len(present) > MOST_CATEGORIES and 2 * long > rows and len(present) >= _ALMOST_EACH * rows / 2
