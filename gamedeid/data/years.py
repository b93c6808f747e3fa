"""The years in a label of a date, and whether it has more than years."""

import re
from typing import NamedTuple

FIRST_YEAR, LAST_YEAR = 1850, 2100
"""Four digits count as a year from the first to the last."""

_NAMED = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\.?"
)
_DATE = re.compile(
    r"[0-9]{4}[-/.][0-9]{1,2}(?:[-/.][0-9]{1,2})?(?:[t ].*)?"  # 1958-03, 1958-03-14, with a time of day
    r"|[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{2}(?:[0-9]{2})?(?:[t ].*)?"  # 14/03/1958, 3/14/58
    r"|[0-9]{1,2}[-/.][0-9]{4}"  # 03/1958
    r"|[0-9]{4}\W?[qw][0-9]{1,2}|[qw][0-9]{1,2}\W?[0-9]{4}"  # 1958Q1, 1958-W11
    rf"|(?:[0-9]{{1,4}}\W*)?{_NAMED}(?:\W*[0-9]{{1,4}})*(?:(?:t[0-9]|[ ,]).*)?"  # 14 March 1958, Mar 1958, Monday
)
_EIGHT_DIGITS = re.compile(r"[0-9]{8}")
_YEAR_ALONE = re.compile(r"(?<![0-9])[0-9]{4}(?![0-9])")
_BELOW = re.compile(r"\s*<\s*[0-9]{4}\s*$")
_DECADE = re.compile(r"(?<![0-9*])([0-9]{3})\*")
_WORDS = re.compile(
    r"\b(?:years?|before|after|since|until|till|to|and|or|earlier|later|older|younger|born|from|up|in|the|under|over|"
    r"through)\b"
)
_MARKS = re.compile(r"[\s\-\u2013\u2014/.,;:<>=\u2264\u2265+()\[\]{}*]")


class Years(NamedTuple):
    """The first and the last year in a text."""

    first: int
    last: int


def years_in_label(label: str) -> Years | None:
    """Return the least and the greatest year of a label that consists of years; None for any other label.

    `1958`, `1958-**-**`, `[1955-1959]`, `195*`, `1936 or earlier`, `<1937` and `1950s` do; `1958-03` and `14/03/****`
    do not.
    """
    text = re.sub(r"(?<=[0-9]{4})s\b", "", label.casefold())
    years: list[int] = []
    for decade in _DECADE.findall(text):
        years += [int(decade) * 10, int(decade) * 10 + 9]
    text = _DECADE.sub(" ", text)
    years += [int(year) for year in _YEAR_ALONE.findall(text)]
    if years and _BELOW.match(text):
        years[0] -= 1  # the year that is named is the first that the group does not have
    left = _MARKS.sub("", _WORDS.sub("", _YEAR_ALONE.sub(" ", text)))
    if left or not years or not all(_is_year(year) for year in years):
        return None
    return Years(min(years), max(years))


def year_of(value: str) -> int | None:
    """Return the year of a date; None if it has none, or is ambiguous."""
    if _EIGHT_DIGITS.fullmatch(value):
        return _year_of_digits(value)
    years = {int(year) for year in _YEAR_ALONE.findall(value) if _is_year(int(year))}
    return years.pop() if len(years) == 1 else None


def is_one_year(label: str) -> bool:
    """Return whether a label is a year, with nothing else but brackets, stars and the like."""
    return re.fullmatch(r"\W*[0-9]{4}\W*", label) is not None and _BELOW.match(label) is None


def is_date(value: str) -> bool:
    """Return whether a value looks like a date: years, with or without a month and a day, in a common form."""
    text = value.strip().casefold().rstrip("*-/. ")
    if years_in_label(value) is not None or _DATE.fullmatch(text):
        return True
    return _EIGHT_DIGITS.fullmatch(text) is not None and _year_of_digits(text) is not None


def _is_year(year: int) -> bool:
    return FIRST_YEAR <= year <= LAST_YEAR


def _year_of_digits(text: str) -> int | None:
    """Return the year of 19580314, 14031958 or 03141958."""
    first, last = int(text[:4]), int(text[4:])
    if _is_year(first) and 1 <= int(text[4:6]) <= 12 and 1 <= int(text[6:]) <= 31:  # noqa: PLR2004
        return first
    return last if _is_year(last) and 1 <= min(int(text[:2]), int(text[2:4])) <= 12 else None  # noqa: PLR2004
