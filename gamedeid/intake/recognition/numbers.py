"""Whether a column holds numbers, whole or with decimals, and which of them may stand for a missing value."""

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal

from gamedeid.generalization.missing_codes import is_missing_code
from gamedeid.reprs import frozen

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)
_COMMA_NUMBER = re.compile(r"[+-]?\d+,\d+(?:[eE][+-]?\d{1,3})?|[+-]?\d+", re.ASCII)
_NEGATIVE_CODE = re.compile(r"-[1-9]|-[1-9]9+|-9{2,}|-88|-77")
_NINES = re.compile(r"9{3,}")
_LARGEST, _LONGEST = 1e300, 300
"""A larger number, or one of more characters, is a text: no band could have it as an edge."""
_FAR_BEYOND = 2
"""A number of nines that is more than so many times the next largest value is taken for a code."""


@frozen
class Numbers:
    """The numbers of a column.

    Parameters
    ----------
    whole : whether all are whole, 34.0 among them.
    comma : whether a comma stands before decimals.
    low, high : the least and the greatest, codes for missing ones aside.
    codes : numbers that surely stand for a missing value, such as -9 where all others are 0 or more.
    decimals : digits behind the point that some value needs, 0 where all are whole.
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
    """Return the numbers that all of some distinct values are, apart from words for a missing one; None for others.

    Parameters
    ----------
    values : without spaces around them.
    """
    texts = list(values)
    comma = any("," in text for text in texts)
    pattern = _COMMA_NUMBER if comma else _NUMBER
    if not texts or not all(len(text) <= _LONGEST and pattern.fullmatch(text) for text in texts):
        return None
    numbers = {text: Decimal(text.replace(",", ".")) for text in texts}
    if any(abs(number) > _LARGEST for number in numbers.values()):
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
    """Return which of some distinct numbers surely stand for a missing value.

    Negative ones such as -9 where nothing else is below 0; and 999, 9999 and the like where they are more than twice
    the next largest. What could be a value, such as an age of 99, is none.
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
