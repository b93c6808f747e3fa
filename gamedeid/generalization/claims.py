"""Requirements on the parts of a hierarchy, in words and as checks, for both files and callers."""

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date, datetime
from decimal import Decimal
from math import isfinite
from numbers import Integral
from typing import Any, NamedTuple, get_args

from gamedeid.amounts import joined
from gamedeid.choices import Role
from gamedeid.errors import InvalidHierarchyError, quoted


class Claim(NamedTuple):
    """A requirement on a part."""

    words: str
    holds: Callable[[Any], bool]


def check_claims(**parts: tuple[object, Claim]) -> None:
    """Check parts by their names."""
    refuse(claim_fault(name, value, claim) for name, (value, claim) in parts.items() if not claim.holds(value))


def refuse(faults: Iterable[str]) -> None:
    """Raise an error with all faults, if there are any."""
    if found := tuple(faults):
        raise InvalidHierarchyError(*found)


def claim_fault(name: str, value: object, claim: Claim) -> str:
    """Return the fault of a part that does not meet its requirement."""
    return f"`{name}` is {quoted(value)}: expected {claim.words}"


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_whole(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return not isinstance(value, bool) and isinstance(value, Integral | float | Decimal) and isfinite(value)


def _is_day(value: object) -> bool:
    if isinstance(value, str):
        try:
            date.fromisoformat(value)
        except ValueError:
            return False
        return value[4:5] == "-"
    return isinstance(value, date) and not isinstance(value, datetime)


def _is_list_of(holds: Callable[[Any], bool]) -> Callable[[object], bool]:
    return lambda value: (
        isinstance(value, Collection)
        and not isinstance(value, str | bytes | Mapping)
        and all(holds(one) for one in value)
    )


_TEXTS = _is_list_of(_is_text)

TEXT = Claim("a text", _is_text)
WHOLE_NUMBER = Claim("a whole number", _is_whole)
WHOLE_NUMBERS = Claim("a list of whole numbers", _is_list_of(_is_whole))
TEXTS = Claim("a list of texts", _TEXTS)
TEXT_OR_TEXTS = Claim("a text or a list of texts", lambda value: _is_text(value) or _TEXTS(value))
ROWS = Claim("a list of lists of texts", _is_list_of(_TEXTS))
NUMBER_LISTS = Claim("a list of lists of numbers", _is_list_of(_is_list_of(_is_number)))
DECIMAL = Claim("`.` or `,`", lambda value: isinstance(value, str) and value in {".", ","})
DAY = Claim("a date such as 2024-12-31", _is_day)
TABLE = Claim("a table", lambda value: isinstance(value, Mapping))
SPELLINGS = Claim(
    "a table of values, each with a list of texts",
    lambda value: isinstance(value, Mapping) and all(_TEXTS(words) for words in value.values()),
)
ROLE = Claim(
    joined(map(quoted, get_args(Role)), "or"), lambda value: isinstance(value, str) and value in get_args(Role)
)
PEOPLE = Claim(
    "a table of ZIP codes and people",
    lambda value: (
        isinstance(value, Mapping) and all(_is_text(code) and _is_whole(count) for code, count in value.items())
    ),
)
BOOLEAN = Claim("true or false", lambda value: isinstance(value, bool))
