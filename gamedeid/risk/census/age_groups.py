"""Which ages does a column of a census table count, by its name."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from gamedeid.errors import InvalidDataError, InvalidScenarioError, quoted

OPEN_YEARS = 12
"""Years that an open group such as 65+ is taken to have (sweeney2000, Figure 12)."""

LIFETIME = 76
"""Years that ages are spread over where they are taken as uniform (sweeney2000, section 4.3)."""

OLDEST = 150
"""No age beyond this is read: a column named 2010 is a year, not an age."""

_BEFORE = re.compile(r"^(?:ages?|a)(?=[ \d<]|under)")
_AFTER = re.compile(r"\b(?:years? olds?|years?|yrs)\b( of age)?")
_FORMS = (
    re.compile(r"(?:under|<) ?(?P<under>\d{1,3})"),
    re.compile(r"(?P<first>\d{1,3}) ?(?:-|\N{EN DASH}|to) ?(?P<last>\d{1,3})"),
    re.compile(r"(?P<open>\d{1,3}) ?(?:\+|plus|(?:and|or) (?:over|older|up|more))"),
    re.compile(r"(?P<only>\d{1,3})"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgeGroup:
    """People of some ages.

    Parameters
    ----------
    name : as the table has it.
    first : youngest age, in whole years.
    years : of age, >= 1; for an open group the number that it is taken to have.
    is_open : whether all older people are in it.
    """

    name: str
    first: int
    years: int
    is_open: bool = False

    def overlap(self, other: "AgeGroup") -> int | None:
        """Return the youngest age that both groups hold, or None; an open group holds every older age."""
        low = max(self.first, other.first)
        ends = [group.first + group.years for group in (self, other) if not group.is_open]
        return low if low < min(ends, default=low + 1) else None


def age_group(name: str, open_years: int = OPEN_YEARS) -> AgeGroup | None:
    """Return the age group that a name means, or None.

    Parameters
    ----------
    name : such as ``under 12``, ``<12``, ``12-18``, ``12 to 18``, ``A12to18``, ``48``, ``65+``, ``65 and over`` or
        ``A65Plus``; ``age``, ``years`` and capital letters make no difference. Ends are both in the group.
    open_years : years that a group without an upper end is taken to have, >= 1.

    Raises
    ------
    InvalidScenarioError : ``open_years`` below 1.

    Examples
    --------
    >>> age_group("A12to18").years
    7
    >>> age_group("65 years and over").years
    12
    """
    if open_years < 1:
        raise InvalidScenarioError(f"an open age group must have at least 1 year, not {open_years}")
    plain = _AFTER.sub(" ", _BEFORE.sub("", name.casefold().replace("_", " ").strip()))
    plain = " ".join(plain.split())
    found = next((match.groupdict() for form in _FORMS if (match := form.fullmatch(plain))), None)
    if found is None:
        return None
    numbers = {key: int(value) for key, value in found.items()}
    is_open = "open" in numbers
    first = numbers.get("first", numbers.get("open", numbers.get("only", 0)))
    end = first + open_years if is_open else numbers.get("under", numbers.get("last", first) + 1)
    if end <= first or max(numbers.values()) > OLDEST:
        return None
    return AgeGroup(name=name, first=first, years=end - first, is_open=is_open)


def refuse_overlap(groups: Sequence[AgeGroup], whose: str) -> None:
    """Check that nobody is counted in two groups.

    Raises
    ------
    InvalidDataError : two groups hold the same age.
    """
    rising = sorted(groups, key=lambda group: group.first)
    for younger, older in pairwise(rising):
        age = younger.overlap(older)
        if age is not None:
            raise InvalidDataError(
                f"{whose}: the age groups {quoted(younger.name)} and {quoted(older.name)} overlap: both hold age "
                f"{age}; each person must be counted once"
            )
