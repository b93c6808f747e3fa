"""What is seen of a column's values as its rows come by: which signs they have, and how many are distinct."""

import re
from collections import Counter
from collections.abc import Collection

from gamedeid.generalization.missing_codes import is_missing_code
from gamedeid.intake.identifiers.counts import LONGEST, CountedTexts
from gamedeid.intake.identifiers.named_kinds import age_units_a_year, tells_birth_year
from gamedeid.intake.identifiers.values import signs_of

OLD_AGE, OLDEST = 90, 125
"""Ages from the first on are to be in one group; numbers beyond the last are no ages."""

NEARLY_UNIQUE = 0.9
"""Share of the values, in the first block of rows, that are distinct, for a column to tell every row apart."""

CATEGORIES, ROWS_A_CATEGORY = 20, 5
"""A column of so few values, each in so many rows on average, holds categories: no numbers of people."""

LEAST_ROWS = 20
"""Of fewer rows it is not said that they are nearly unique."""

_NO_AGE_CODES = 900  # numbers from here on may stand for a missing age
_NUMBER = re.compile(r"[0-9]{1,5}(?:\.[0-9]*)?")
_FRACTION = re.compile(r"-?[0-9]*[.,][0-9]*[1-9][0-9]*(?:[eE][-+]?[0-9]+)?")
_DEGREES = re.compile(r"-?[0-9]{1,3}\.[0-9]{3,}")
_DIGIT, _LETTER = re.compile(r"\d"), re.compile(r"[^\W\d_]")
_LONGEST_WORD = 20  # characters of a word for a missing value
_MARKED = 100  # characters of a value in which digits are counted
_AGE_RANGE = re.compile(r"\W*([0-9]{2,3})\s*(?:-|\u2013|to)\s*([0-9]{2,3})\W*")
_MONTH = re.compile(r"0?[1-9]|1[0-2]")
_YEAR = re.compile(r"(?:18|19|20)[0-9]{2}(?:\.0*)?")


class ColumnSigns:
    """What was seen of a column's values, block after block of rows; none of them is held.

    Parameters
    ----------
    name : of the column.
    year : of the release, from which ages of years of birth are counted back; None where it is not known.
    missing_values : texts that stand for a missing value, besides the well known ones.

    Attributes
    ----------
    looked_at : how many rows had values that were looked at.
    sampled : whether not every distinct value was.
    rows, distinct : sign -> how many of these rows, and how many distinct values, have it.
    lengths : number of digits -> rows, of numbers of 6 digits and more.
    are_consecutive : whether the values of the first block are 1, 2, 3 and so on, as numbers of rows are.
    tells_birth_year : whether the name is that of years of birth.
    """

    def __init__(self, name: str, year: int | None = None, missing_values: Collection[str] = ()) -> None:
        self.name = name
        self._missing_values = missing_values
        self.looked_at = 0
        self.sampled = False
        self.year = year
        self._units = age_units_a_year(name)
        self.tells_birth_year = tells_birth_year(name)
        self.rows: Counter[str] = Counter()
        self.distinct: Counter[str] = Counter()
        self.lengths: Counter[int] = Counter()
        self._first: tuple[int, int] | None = None
        self.are_consecutive = False

    def add(self, counted: CountedTexts) -> None:
        """Take in a block of rows.

        Parameters
        ----------
        counted : its values; texts that stand for missing ones may be among them.
        """
        if self._first is None and counted.rows:
            self._first = (counted.distinct, counted.rows)
            self.are_consecutive = _are_consecutive(counted)
        self.sampled = self.sampled or len(counted.texts) < counted.distinct
        for value, rows in counted.texts.items():
            text = value.strip()
            if text and text not in self._missing_values and not _is_missing(text):
                self.looked_at += rows
                self._count(text, rows)

    def _count(self, text: str, rows: int) -> None:
        signs = set(signs_of(text[:LONGEST]))
        digits = 0 if _FRACTION.fullmatch(text) else len(_DIGIT.findall(text, 0, _MARKED))
        if digits:
            signs.add("digits")
        elif _LETTER.search(text):
            signs.add("letters")
        if digits >= 7:  # noqa: PLR2004  (fewer are no number that can be called)
            signs.add("many digits")
        if "number" in signs:
            self.lengths[len(text)] += rows
        for sign in signs | self._signs_of_number(text):
            self.rows[sign] += rows
            self.distinct[sign] += 1

    def _signs_of_number(self, text: str) -> set[str]:
        """Return what a number may be in a column of this name."""
        signs = set() if self._units is None else self._signs_of_age(text, self._units)
        if _DEGREES.fullmatch(text):
            signs.add("degrees")
        if _MONTH.fullmatch(text):
            signs.add("month")
        if _YEAR.fullmatch(text):
            signs.add("year")
            if self.tells_birth_year and (self.year is None or int(text[:4]) <= self.year - OLD_AGE):
                signs.add("old year")
        return signs

    @staticmethod
    def _signs_of_age(text: str, units: float) -> set[str]:
        """Return whether a text tells an age of 90 or over, other than that it is one of these, or is no age."""
        if _NUMBER.fullmatch(text):
            years = float(text) / units
            signs = {"old age"} if OLD_AGE <= years <= OLDEST else set()
            if years > OLDEST and float(text) < _NO_AGE_CODES:
                signs.add("no age")
            return signs if years.is_integer() or units > 1 else signs | {"fraction"}
        if (match := _AGE_RANGE.fullmatch(text)) is not None:
            low, high = int(match[1]), int(match[2])
            if low > OLD_AGE or (low == OLD_AGE and high < OLDEST - 20):  # [90-94], and not [90-120]
                return {"old age"}
        return set()

    def share(self, *signs: str) -> float:
        """Return the share of the values looked at, in [0, 1], that have one of some signs."""
        return min(1.0, sum(self.rows[sign] for sign in signs) / self.looked_at) if self.looked_at else 0.0

    @property
    def are_nearly_unique(self) -> bool:
        """Whether nearly every row has a value of its own."""
        distinct, rows = self._first or (0, 0)
        return rows >= LEAST_ROWS and distinct >= NEARLY_UNIQUE * rows

    @property
    def are_two(self) -> bool:
        """Whether there are but two values, or one: yes and no, mostly."""
        distinct, rows = self._first or (0, 0)
        return distinct <= 2 < rows  # noqa: PLR2004

    @property
    def are_categories(self) -> bool:
        """Whether a few values are those of many rows."""
        distinct, rows = self._first or (0, 0)
        return distinct <= CATEGORIES and rows >= ROWS_A_CATEGORY * distinct


def _is_missing(text: str) -> bool:
    """Return whether a text is a word for a missing value; 99 and 999 may be numbers like others."""
    return len(text) <= _LONGEST_WORD and not text.lstrip("-").isdigit() and is_missing_code(text)


def _are_consecutive(counted: CountedTexts) -> bool:
    """Return whether texts are whole numbers one after the other, as those of rows are: n different ones up to n."""
    try:
        numbers = [int(text) for text in counted.texts if text.strip()]
    except ValueError:
        return False
    return len(numbers) > 1 and min(numbers) >= 0 and max(numbers) <= counted.distinct
