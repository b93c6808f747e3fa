"""Which ZIP prefixes have too few people by a table of ZIP codes and people, as one merged group."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from string import digits as decimal_digits

from gamedeid.amounts import joined
from gamedeid.errors import InvalidHierarchyError, quoted
from gamedeid.generalization.prefixes import Merge

CODE_COLUMNS = ("zip", "zip3", "zip5", "zcta", "zcta5")
PEOPLE_COLUMNS = ("population", "pop", "people", "count")
MOST_DIGITS = 4
"""Digits of a prefix: 10,000 of them are looked up one by one."""


def people_of_rows(rows: Sequence[Sequence[str]]) -> dict[str, int]:
    """Return ZIP code, or prefix of one, -> people, from a table with a header."""
    header = [name.strip().casefold() for name in rows[0]] if rows else []
    places = []
    for names in (CODE_COLUMNS, PEOPLE_COLUMNS):
        found = [place for place, name in enumerate(header) if name in names]
        if len(found) != 1:
            raise InvalidHierarchyError(f"row 1: expected one column called {joined(map(quoted, names), 'or')}")
        places += found
    faults = list(_row_faults(rows, places, len(header)))
    if faults:
        raise InvalidHierarchyError(*faults)
    people: dict[str, int] = {}
    for row in rows[1:]:
        if row:
            code, count = (row[place].strip() for place in places)
            people[code] = people.get(code, 0) + int(count)
    return people


def small_prefixes(people: Mapping[str, int], *, digits: int, limit: int) -> tuple[str, ...]:
    """Return the prefixes of so many digits that have at most ``limit`` people, those of nobody too.

    Parameters
    ----------
    people : ZIP code, or prefix of at least so many digits, -> people.
    """
    faults = []
    if not 1 <= digits <= MOST_DIGITS:
        faults.append(f"`digits` is {digits}: expected 1 to {MOST_DIGITS}")
    if limit < 0:
        faults.append(f"`limit` is {limit}: expected 0 or more")
    short = sum(len(code) < digits or not _is_digits(code) for code in people)
    if short:
        faults.append(
            f"{short:,} of the {len(people):,} codes have fewer than {digits} digits: expected ZIP codes or prefixes "
            "as text, with leading zeros"
        )
    if faults:
        raise InvalidHierarchyError(*faults)
    totals: dict[str, int] = {}
    for code, count in people.items():
        totals[code[:digits]] = totals.get(code[:digits], 0) + count
    every = ("".join(one) for one in product(decimal_digits, repeat=digits))
    return tuple(prefix for prefix in every if totals.get(prefix, 0) <= limit)


def small_merge(prefixes: Sequence[str], *, digits: int, keep: Sequence[int], label: str | None) -> Merge:
    """Return the merge of small prefixes from the first level on that shows no more than their digits.

    Parameters
    ----------
    label : of the group; None for its distinct prefixes.
    """
    level = next((place for place, kept in enumerate(keep, start=1) if kept <= digits), None)
    if level is None:
        raise InvalidHierarchyError(f"`digits` is {digits}: no level below the root keeps so few characters")
    return Merge(from_level=level, prefixes=tuple(prefixes), label=label)


def _row_faults(rows: Sequence[Sequence[str]], places: Sequence[int], width: int) -> Iterator[str]:
    for number, row in enumerate(rows[1:], start=2):
        if not row:
            continue
        if len(row) != width:
            yield f"row {number}: expected {width} cells as in row 1, got {len(row)}"
            continue
        code, count = (row[place].strip() for place in places)
        if not _is_digits(code):
            yield f"row {number}: {quoted(code)} is no ZIP code: expected digits"
        if not _is_digits(count):
            yield f"row {number}: {quoted(count)} is no number of people: expected a whole number"


def _is_digits(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 18  # noqa: PLR2004  (as many as count people)
