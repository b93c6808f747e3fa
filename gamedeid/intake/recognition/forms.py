"""Whether a column holds numbers or dates, their form, and the values that may mean a missing one."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from gamedeid.generalization.readings import ISO, POINT, DateFormat, NumberReading, is_missing_code
from gamedeid.reprs import frozen

_NEGATIVE_CODE = re.compile(r"-[1-9]|-[1-9]9+|-9{2,}|-88|-77")
_NINES = re.compile(r"9{3,}")
_FAR_BEYOND = 2
"""A number of nines that is more than this many times the next largest value is taken for a code."""


@frozen
class Numbers:
    """The numbers of a column.

    Parameters
    ----------
    low, high : the least and the greatest, without codes for missing values.
    codes : numbers that surely mean a missing value, such as -9 where all others are 0 or more.
    decimals : most decimals of a value; 0 if all are whole.
    """

    whole: bool
    comma: bool
    low: Decimal
    high: Decimal
    codes: tuple[str, ...]
    decimals: int

    def with_others(self, others: "Numbers") -> "Numbers":
        """Return these and other numbers together."""
        return Numbers(
            whole=self.whole and others.whole,
            comma=self.comma or others.comma,
            low=min(self.low, others.low),
            high=max(self.high, others.high),
            codes=tuple(sorted({*self.codes, *others.codes})),
            decimals=max(self.decimals, others.decimals),
        )


def numbers_of(values: Iterable[str]) -> Numbers | None:
    """Return the numbers of distinct values, as a hierarchy reads them; None if not all values are numbers."""
    texts = list(values)
    comma = any("," in text for text in texts)
    reading = NumberReading(decimal="," if comma else POINT)
    numbers = {text: Decimal(leaf) for text in texts if (leaf := reading.leaf_of(text)) is not None}
    if not texts or len(numbers) < len(texts):
        return None
    codes = missing_numbers(numbers)
    left = {text: number for text, number in numbers.items() if text not in codes}
    if not left:
        return None
    decimals = max(_decimals(number) for number in left.values())
    return Numbers(
        whole=decimals == 0,
        comma=comma,
        low=min(left.values()),
        high=max(left.values()),
        codes=codes,
        decimals=decimals,
    )


def missing_numbers(numbers: Mapping[str, Decimal]) -> tuple[str, ...]:
    """Return which of some distinct numbers surely mean a missing value.

    Negative ones such as -9 if nothing else is below 0; and 999, 9999 and the like if they are more than twice the
    next largest. A possible value, such as an age of 99, is not among them.
    """
    codes: list[str] = []
    negative = [text for text, number in numbers.items() if number < 0]
    if 0 < len(negative) < len(numbers) and all(_NEGATIVE_CODE.fullmatch(text) for text in negative):
        codes += sorted(negative)
    nines = [text for text in numbers if _NINES.fullmatch(text)]
    others = [number for text, number in numbers.items() if text not in nines and text not in codes]
    if others:
        codes += sorted(text for text in nines if is_missing_code(text) and numbers[text] > _FAR_BEYOND * max(others))
    return tuple(codes)


def _decimals(number: Decimal) -> int:
    exponent = number.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


_DAYS = (
    ISO,
    "YYYY/MM/DD",
    "YYYY.MM.DD",
    "YYYYMMDD",
    "DD.MM.YYYY",
    "DD/MM/YYYY",
    "MM/DD/YYYY",
    "DD-MM-YYYY",
    "MM-DD-YYYY",
    "DD Mon YYYY",
    "DD-Mon-YYYY",
    "DDMonYYYY",
    "Mon DD, YYYY",
    "Mon DD YYYY",
)
_FORMS = {form: DateFormat(text=form) for form in (*_DAYS, *(f"{day} HH:MM" for day in _DAYS if day != ISO))}
_SHORT_YEAR = re.compile(r"\d{1,2}(?:[-/.]\d{1,2}[-/.]|[-/. ][^\W\d_]{3,9}\.?[-/. ])\d{2}(?:[T ].*)?")
_GROUPED = re.compile(r"[-+]?(?:[$€£] ?)?(?:\d+|[1-9]\d{0,2}(?:([.,' ])\d{3})(?:\1\d{3})*)(?:[.,]\d+)?(?: ?[$€£])?")
_FIRST_YEAR, _LAST_YEAR = 1800, 2200
_NO_YEAR = 9999


@frozen
class DateForms:
    """The forms in which the dates of a column can be read.

    Parameters
    ----------
    forms : the forms, as hierarchies of dates have them, in which every value is a date; several where day and month
        could be exchanged.
    first, last : the first and the last year, by the first of the forms.
    codes : values that are dates of the year 9999, which mean a missing one.
    other_forms : forms that the same column has elsewhere, each distinguishable from these.
    """

    forms: tuple[str, ...]
    first: int
    last: int
    codes: tuple[str, ...] = ()
    other_forms: tuple[str, ...] = ()

    @property
    def ambiguous(self) -> bool:
        """Whether the day and the month cannot be distinguished."""
        return len(self.forms) > 1

    def with_order(self, *, day_first: bool) -> "DateForms":
        """Return these dates in the forms with this order of day and month, if there are any."""
        ordered = tuple(form for form in self.forms if (form.find("D") < form.find("M")) == day_first)
        return replace(self, forms=ordered or self.forms)

    def with_others(self, others: "DateForms") -> "DateForms":
        """Return these and other dates together: in the forms that fit both, or else each in its form."""
        both = tuple(form for form in self.forms if form in others.forms)
        return DateForms(
            forms=both or self.forms,
            first=min(self.first, others.first),
            last=max(self.last, others.last),
            codes=tuple(sorted({*self.codes, *others.codes})),
            other_forms=() if both else others.forms,
        )


def date_forms(values: Collection[str]) -> DateForms | None:
    """Return the forms in which all values are dates of the years 1800 to 2200; None for no such form."""
    left: Mapping[str, DateFormat] = _FORMS
    years: dict[str, list[int]] = {form: [] for form in left}
    codes: list[str] = []
    for value in values:
        days = {form: day for form, reading in left.items() if (day := reading.date_of(value)) is not None}
        if days and all(day.year == _NO_YEAR for day in days.values()):
            codes.append(value)
            continue
        left = {form: left[form] for form, day in days.items() if _FIRST_YEAR <= day.year <= _LAST_YEAR}
        if not left:
            return None
        for form in left:
            years[form].append(days[form].year)
    forms = tuple(left)
    found = years[forms[0]]
    return DateForms(forms=forms, first=min(found), last=max(found), codes=tuple(codes)) if found else None


def are_dates_of_several_forms(values: Sequence[str]) -> bool:
    """Return whether each value can be read as a date, though not all in one form."""
    return bool(values) and all(date_forms([value]) or _SHORT_YEAR.fullmatch(value) for value in values)


def are_grouped_numbers(values: Iterable[str]) -> bool:
    """Return whether all values are numbers, with separators of thousands or signs of money."""
    return all(_GROUPED.fullmatch(value) for value in values)


def have_short_years(values: Sequence[str]) -> bool:
    """Return whether values are dates whose years have two digits, without a century."""
    return bool(values) and all(_SHORT_YEAR.fullmatch(value) for value in values)
