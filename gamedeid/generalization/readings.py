"""Readings of values that may be written in several ways: days, ages, numbers and codes."""

import json
import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property
from itertools import combinations
from typing import Protocol, runtime_checkable

from gamedeid.amounts import joined
from gamedeid.errors import InvalidHierarchyError, quoted
from gamedeid.reprs import frozen

_CODE = re.compile(
    r"#?n/?a|#?n\.a\.|#?nan|nil|null|none|unk|unknown|missing|not (?:available|applicable|known|stated|reported)"
    r"|[-.?]+|x{2,}"
    r"|-[1-9]|-?9{2,}|0{2,}",
    re.IGNORECASE,
)
_LONGEST = 20  # characters of a code
SHOWN = 5
"""Most codes that a hint lists: they are known words, not a person's values."""


def is_missing_code(value: object) -> bool:
    """Return whether a value is well known as a code for a missing one: `NA`, `..`, `-9`, `999`, `00000` and more."""
    text = as_text(value)
    return len(text) <= _LONGEST and _CODE.fullmatch(text) is not None


def as_text(value: object) -> str:
    """Return a value as text without spaces around it; 999.0, the form of 999 in a column with gaps, is "999"."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value).strip()


def missing_values_hint(values: Iterable[object]) -> str:
    """Return the hint about values that are codes for missing ones; empty if none are."""
    codes = sorted({as_text(value) for value in values if is_missing_code(value)})[:SHOWN]
    if not codes:
        return ""
    named = " or ".join(quoted(code) for code in codes)
    return f"; if {named} stands for a missing value, write [records] missing_values = {json.dumps(codes)}"


ISO = "YYYY-MM-DD"

_MONTH_NAME = r"[A-Za-z]{3,9}\.?"
_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_TIME = r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?(?: ?(?:Z|[+-][0-9]{2}:?[0-9]{2}))?"
_ISO = re.compile(rf"(?P<year>[0-9]{{4}})-(?P<month>[0-9]{{2}})-(?P<day>[0-9]{{2}})(?:[T ]{_TIME})?")
_PERCENT = {
    "%Y": "YYYY", "%m": "MM", "%d": "DD", "%b": "Mon", "%B": "Mon", "%T": "HH:MM:SS", "%F": ISO,
    "%H:%M:%S": "HH:MM:SS", "%H:%M": "HH:MM",
}  # fmt: skip
_TOKEN = re.compile(r"HH:MM(?::SS)?|YYYY|Mon|MM|DD")
_MIDNIGHT = str.maketrans("HMS", "000")
_PROBES = (date(2003, 2, 1), date(2010, 11, 12), date(1912, 10, 11), date(2012, 12, 12))
"""Days that remain valid if two numbers of them are exchanged in a form."""

_PARTS = {"YYYY": "year", "MM": "month", "Mon": "month_name", "DD": "day"}


@frozen(slots=False)
class DateFormat:
    """The form in which the dates of a column are written.

    Parameters
    ----------
    text : `YYYY`, `MM` (or `Mon` for an English name), `DD` once each in any order, or no `DD` if only months are
        known, and `HH:MM` or `HH:MM:SS` for a time of day, which is dropped; other letters are literal. `%Y`, `%m`,
        `%d`, `%b`, `%H:%M:%S` mean the same. `MM` and `DD` may have one digit if no other part is next to them.
        `YYYY-MM-DD` accepts a time of day after `T` or a space, as in ISO 8601.

    Raises
    ------
    InvalidHierarchyError : a part is missing or there twice.
    """

    text: str = ISO

    def __post_init__(self) -> None:
        named = sorted(_PARTS[one].removesuffix("_name") for one in _TOKEN.findall(self._letters) if one in _PARTS)
        left = _TOKEN.sub("", self._letters).replace("T", "")
        if named not in (["day", "month", "year"], ["month", "year"]) or re.search(r"%|[A-Za-z]{2}", left):
            raise InvalidHierarchyError(
                f"`format` is {quoted(self.text)}: expected YYYY, MM (or Mon) and DD once each, as in `DD.MM.YYYY`, "
                "`MM/DD/YYYY`, `YYYYMMDD` or `YYYY-MM-DD HH:MM:SS`, or without DD, `YYYY-MM`; a year of two digits is "
                "ambiguous"
            )

    def date_of(self, value: object) -> date | None:
        """Return the day that a value means, or the first of a month; None if it is no date in this form.

        Dates and moments without a time zone, as in Parquet files, mean their day. A moment in a time zone has no known
        day: it depends on the place.
        """
        if isinstance(value, datetime):
            return None if value.tzinfo is not None else date(value.year, value.month, value.day)
        if isinstance(value, date):
            return value
        found = self._pattern.fullmatch(as_text(value))
        if found is None:
            return None
        parts = found.groupdict()
        month = int(parts["month"]) if parts.get("month") else _month_named(parts["month_name"])
        try:
            return date(int(parts["year"]), month, int(parts.get("day") or 1))
        except ValueError:
            return None

    def written(self, day: date) -> str:
        """Return a day in this form, at midnight."""
        year, month, name = f"{day.year:04}", f"{day.month:02}", _MONTHS[day.month - 1][:3]
        parts = {"YYYY": year, "MM": month, "Mon": name, "DD": f"{day.day:02}"}
        return _TOKEN.sub(lambda token: parts.get(token[0], token[0].translate(_MIDNIGHT)), self._letters)

    @property
    def has_days(self) -> bool:
        """Whether dates in this form have the day, and not only the month."""
        return "DD" in self._letters

    @cached_property
    def _letters(self) -> str:
        """The form in letters."""
        text = self.text
        for percent, word in sorted(_PERCENT.items(), key=lambda pair: -len(pair[0])):
            text = text.replace(percent, word)
        return text

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        plain = self._letters
        if plain == ISO:
            return _ISO
        pattern, end = "", 0
        for token in _TOKEN.finditer(plain):
            pattern += re.escape(plain[end : token.start()])
            beside_digits = token.start() == end > 0 or _TOKEN.match(plain, token.end()) is not None
            pattern += _token_pattern(token[0], beside_digits=beside_digits)
            end = token.end()
        return re.compile(pattern + re.escape(plain[end:]))


@frozen(slots=False)
class DateFormats:
    """The forms in which the dates of a column, or of two tables, are written.

    Raises
    ------
    InvalidHierarchyError : no form, or an invalid one; two forms that could read one text as different days.
    """

    texts: tuple[str, ...] = (ISO,)  # each as in `DateFormat`; a value is read in the one that it fits

    def __post_init__(self) -> None:
        forms = self._forms
        if not forms:
            raise InvalidHierarchyError("`format` has no forms: expected at least one")
        if len({form.has_days for form in forms}) > 1:
            raise InvalidHierarchyError("`format` has forms with DD and without: expected one kind of them")
        for form, other in combinations(forms, 2):
            for day in _PROBES:
                day = day if form.has_days else day.replace(day=1)  # noqa: PLW2901  (the part that the form has)
                if other.date_of(form.written(day)) not in {None, day}:
                    raise InvalidHierarchyError(
                        f"`format`: {quoted(form.text)} and {quoted(other.text)} could read one text as different days"
                    )

    @property
    def has_days(self) -> bool:
        """Whether the dates have the day, and not only the month."""
        return self._forms[0].has_days

    @property
    def words(self) -> str:
        """Return the forms, in words for messages."""
        return joined(self.texts, "or")

    def date_of(self, value: object) -> date | None:
        """Return the day that a value means; None if it is no date in any of the forms."""
        days = (form.date_of(value) for form in self._forms)
        return next((day for day in days if day is not None), None)

    @cached_property
    def _forms(self) -> tuple[DateFormat, ...]:
        return tuple(DateFormat(text=text) for text in self.texts)


def _token_pattern(token: str, *, beside_digits: bool) -> str:
    if token.startswith("HH"):
        return _TIME
    digits = {"YYYY": "[0-9]{4}", "Mon": _MONTH_NAME}.get(token, "[0-9]{2}" if beside_digits else "[0-9]{1,2}")
    return f"(?P<{_PARTS[token]}>{digits})"


def _month_named(name: str) -> int:
    """Return the number of a month by its English name, in full or its first three letters; 0 for any other word."""
    word = name.casefold().removesuffix(".")
    return next((number for number, month in enumerate(_MONTHS, start=1) if word in (month, month[:3])), 0)


MOST_DIGITS = 40
"""Digits of a number, before and after the point."""

POINT = "."

_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")


@runtime_checkable  # pydantic asks
class Reading(Protocol):
    """A reader of the values of a column."""

    def leaf_of(self, value: object) -> str | None:
        """Return the leaf of a value, which need not be in the domain; None for a value that cannot be read."""

    @property
    def words(self) -> str:
        """Return the expected form of values, for messages after "expected"."""


@frozen
class DayReading:
    """Dates, in a stated form, as days: `1958-03-14`, or as months if the form has no days: `1958-03`."""

    form: DateFormats

    def leaf_of(self, value: object) -> str | None:
        """Return the day of a date, or its month."""
        day = self.form.date_of(value)
        return None if day is None else day.isoformat() if self.form.has_days else day.isoformat()[: len("YYYY-MM")]

    @property
    def words(self) -> str:
        """Return the form of the dates."""
        return f"dates written {self.form.words}"


@frozen
class AgeReading:
    """Dates of birth, in a stated form, as whole years of age on a day: `66`."""

    form: DateFormats
    at: date

    def leaf_of(self, value: object) -> str | None:
        """Return the age of a person born on a date; None before birth."""
        born = self.form.date_of(value)
        if born is None or born > self.at:
            return None
        return str(self.at.year - born.year - ((self.at.month, self.at.day) < (born.month, born.day)))

    @property
    def words(self) -> str:
        """Return the form of the dates, and the latest one."""
        return f"dates of birth written {self.form.words}, up to {self.at.isoformat()}"


@frozen
class NumberReading:
    """Numbers, whole or with decimals, in their shortest form: 34, 34.0 and 3.4e1 are `34`."""

    decimal: str = POINT  # the decimal separator of a text, `.` or `,`; leaves have a point

    def leaf_of(self, value: object) -> str | None:
        """Return a number in its shortest form, without an exponent."""
        text = as_text(value)
        if isinstance(value, str) and self.decimal != POINT:
            text = "" if POINT in text else text.replace(self.decimal, POINT)
        number = number_of_text(text)
        return None if number is None else plain_number(number)

    @property
    def words(self) -> str:
        """Return the expected form of numbers."""
        return f"numbers such as 34 or 18{self.decimal}5"


@frozen
class CodeReading:
    """Codes that may be written with or without separators: `E119` and `E11.9`."""

    separators: str
    leaves: Mapping[str, str]  # code without separators -> the leaf; a code that is not a key is its own leaf

    def leaf_of(self, value: object) -> str | None:
        """Return the leaf of a code."""
        return self.leaves.get(bare_code(as_text(value), self.separators))

    @property
    def words(self) -> str:
        """Return the expected form of codes."""
        return "codes"


def number_of_text(text: str) -> Decimal | None:
    """Return the number that a text writes, with a decimal point and maybe an exponent; None for any other text."""
    if len(text) > MOST_DIGITS or _NUMBER.fullmatch(text) is None:
        return None
    number = Decimal(text)
    return number if number.adjusted() < MOST_DIGITS and int(number.as_tuple().exponent) > -MOST_DIGITS else None


def plain_number(number: Decimal) -> str:
    """Return a number in its shortest form without an exponent: `34`, `18.5`, `0`."""
    text = f"{number:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text


def bare_code(text: str, separators: str) -> str:
    """Return a code without its separators."""
    return text.translate(dict.fromkeys(map(ord, separators))) if separators else text
