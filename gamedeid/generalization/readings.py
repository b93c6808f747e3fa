"""Which leaf a value of the data means where it may be written in several ways: dates, ages and numbers."""

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Protocol, runtime_checkable

from gamedeid.generalization.calendar_dates import DateFormats
from gamedeid.generalization.missing_codes import as_text
from gamedeid.reprs import frozen

MOST_DIGITS = 40
"""Digits of a number, before and after the point."""

POINT = "."

_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")


@runtime_checkable  # pydantic asks
class Reading(Protocol):
    """What reads the values of a column."""

    def leaf_of(self, value: object) -> str | None:
        """Return the leaf that a value means; None for one that cannot be read. The leaf need not be in the domain."""
        ...

    @property
    def words(self) -> str:
        """Return what the values must be, as messages say it after "expected"."""
        ...


@frozen
class Days:
    """Dates, in a stated form, as days: `1958-03-14`, or as months where the form tells no days: `1958-03`."""

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
class Ages:
    """Dates of birth, in a stated form, as whole years of age on a day: `66`."""

    form: DateFormats
    at: date

    def leaf_of(self, value: object) -> str | None:
        """Return the age of who was born on a date; None before birth."""
        born = self.form.date_of(value)
        if born is None or born > self.at:
            return None
        return str(self.at.year - born.year - ((self.at.month, self.at.day) < (born.month, born.day)))

    @property
    def words(self) -> str:
        """Return the form of the dates, and up to when."""
        return f"dates of birth written {self.form.words}, up to {self.at.isoformat()}"


@frozen
class Numbers:
    """Numbers, whole or with decimals, in their shortest form: 34, 34.0 and 3.4e1 are `34`.

    Parameters
    ----------
    decimal : what stands before the decimals in a text, `.` or `,`; leaves have a point.
    """

    decimal: str = POINT

    def leaf_of(self, value: object) -> str | None:
        """Return a number in its shortest form, without an exponent."""
        text = as_text(value)
        if isinstance(value, str) and self.decimal != POINT:
            text = "" if POINT in text else text.replace(self.decimal, POINT)
        number = number_of_text(text)
        return None if number is None else plain_number(number)

    @property
    def words(self) -> str:
        """Return what numbers are."""
        return f"numbers such as 34 or 18{self.decimal}5"


@frozen
class Spellings:
    """Codes that may be written with or without separators: `E119` and `E11.9`.

    Parameters
    ----------
    separators : characters that make no difference.
    leaves : code without separators -> the leaf; one that is not there stands for itself.
    """

    separators: str
    leaves: Mapping[str, str]

    def leaf_of(self, value: object) -> str | None:
        """Return the leaf of a code."""
        return self.leaves.get(bare_code(as_text(value), self.separators))

    @property
    def words(self) -> str:
        """Return what codes are."""
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
