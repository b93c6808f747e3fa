"""Which hierarchy a recognised column could have: its description, as a hierarchy file has it."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from math import floor
from typing import Any, NamedTuple, TypeAlias

from gamedeid.errors import InvalidHierarchyError
from gamedeid.generalization.description import OpenHierarchy, build_hierarchy
from gamedeid.generalization.files import read_hierarchy
from gamedeid.generalization.hierarchy import Hierarchy, Role
from gamedeid.generalization.levels import ROOT
from gamedeid.generalization.shipped import shipped_files
from gamedeid.intake.recognition.recognise import Kind, Recognised
from gamedeid.intake.recognition.vocabulary import are_us_states, place_named
from gamedeid.reprs import frozen

Description: TypeAlias = Mapping[str, Any]

US_ZIP = "us_zip"
"""The shipped hierarchy of five-digit ZIP codes; it lists no values."""

OLD_AGE = 90
"""Safe Harbor releases all ages from here on as one; a date tells such an age where its year is long enough ago."""

_AGE_WIDTHS = (5, 15, 30, 60)
_AGES = (0, 120)
_YEAR_WIDTHS = (5, 10, 30)
_MOST_NUMBERS = 100_000
_FINEST = 40
_MOST_LISTED = 2000


@frozen
class DraftedLadder:
    """A hierarchy for a column.

    Parameters
    ----------
    description : the keys of its file.
    words : what its levels are, for people; without values of the data.
    """

    description: Description
    words: str


@frozen
class NoLadder:
    """Why there is no hierarchy for a column."""

    reason: str


def ladder_of(name: str, found: Recognised, *, rare: int, year: int) -> DraftedLadder | NoLadder:
    """Return a hierarchy that knows every value of a column, or why there is none.

    Parameters
    ----------
    name : of the column.
    found : what it is taken for.
    rare : values of fewer rows than this are not listed in a file.
    year : of the release, by which years tell ages of 90 and over.
    """
    drafted = _draft(_Request(name, found, rare, year))
    if isinstance(drafted, NoLadder):
        return drafted
    try:
        hierarchy = build_hierarchy(drafted.description, name=name)
        if isinstance(hierarchy, OpenHierarchy):
            hierarchy = hierarchy.close(found.present)
    except InvalidHierarchyError:
        return NoLadder(reason="its values are of several forms, which no hierarchy is drafted for")
    if not knows_all(hierarchy, found.present):
        return NoLadder(reason="some of its values have another form than the others")
    return drafted


def knows_all(hierarchy: Hierarchy, present: Mapping[str, int]) -> bool:
    """Return whether a hierarchy has a place for each of some values."""
    return all(hierarchy.code(value) is not None for value in present)


def _draft(request: "_Request") -> DraftedLadder | NoLadder:
    builders: dict[Kind, Callable[[_Request], DraftedLadder | NoLadder]] = {
        "ZIP code": _zip_codes,
        "age": _ages,
        "year": _years,
        "sex": _listed,
        "race": _listed,
        "place": _listed,
        "category": _listed,
        "text": _listed,
        "whole number": _whole_numbers,
    }
    build = builders.get(request.found.kind)
    if build is None:
        return NoLadder(reason=f"there is no hierarchy for what it holds ({request.found.kind})")
    return build(request)


class _Request(NamedTuple):
    name: str
    found: Recognised
    rare: int
    year: int


def _zip_codes(request: _Request) -> DraftedLadder | NoLadder:
    if request.found.form == "five":
        words = "by the digits kept; no codes are listed"
        return DraftedLadder(description=_shipped_description(US_ZIP), words=words)
    if request.found.form == "lost":
        return NoLadder(reason="leading zeros are lost: save the column as text with five digits and draft again")
    return NoLadder(reason="no hierarchy of codes of nine digits is drafted")


def _ages(request: _Request) -> DraftedLadder:
    words = "groups of 5, 15, 30 and 60 years; Safe Harbor joins all ages of 90 and over"
    high = max(_AGES[1], _top(request.found))
    return DraftedLadder(description=_interval("Age in years", "age", _AGES[0], high, _AGE_WIDTHS), words=words)


def _shipped_description(name: str) -> Description:
    """Return the description of a shipped prefix rule, its merged groups included."""
    rule = read_hierarchy(shipped_files("hierarchies")[name])
    if not isinstance(rule, OpenHierarchy):
        raise TypeError(f"{name} lists values")
    merge = [{"from_level": one.from_level, "label": one.label, "prefixes": list(one.prefixes)} for one in rule.merge]
    keys = {"title": rule.title, "kind": "prefix", "role": rule.role, "length": rule.length, "keep": list(rule.keep)}
    return {**keys, "merge": merge}


def _interval(title: str, role: Role, low: int, high: int, widths: Sequence[int]) -> Description:
    return {"title": title, "kind": "interval", "role": role, "low": low, "high": high, "widths": list(widths)}


def _top(found: Recognised) -> int:
    return 0 if found.numbers is None else int(found.numbers.high)


def _years(request: _Request) -> DraftedLadder | NoLadder:
    """Return groups of years, of which one holds all that tell an age of 90 or over, and no other."""
    found, year = request.found, request.year
    if found.numbers is None:
        return NoLadder(reason="its values are no whole numbers")
    least, most = int(found.numbers.low), int(found.numbers.high)
    told = year - OLD_AGE
    widths = [*_YEAR_WIDTHS]
    if least <= told:
        while told + 1 - widths[-1] > least:
            widths.append(2 * widths[-1])
        low = told + 1 - widths[-1]
    else:
        low = least - least % 10
    span = max(most, low + widths[0]) - low + 1
    kept = [width for width in widths if width < span or (least <= told and width == widths[-1])]
    words = f"years in groups of {', '.join(map(str, kept))}"
    if least <= told:
        words += f"; those up to {told} are one group, since they tell ages of {OLD_AGE} and over in {year}"
    return DraftedLadder(description=_interval("Year", "date", low, low + span - 1, kept), words=words)


def _whole_numbers(request: _Request) -> DraftedLadder | NoLadder:
    found = request.found
    if found.numbers is None:
        return NoLadder(reason="its values are no whole numbers")
    step = 1
    span = found.numbers.high - found.numbers.low
    while span > _FINEST * 5 * step:
        step *= 10
    low = floor(found.numbers.low / (10 * step)) * 10 * step
    high = (floor(found.numbers.high / (10 * step)) + 1) * 10 * step - 1
    if high - low > _MOST_NUMBERS:
        return NoLadder(reason="its numbers are spread too wide for a drafted hierarchy")
    widths = [width for width in (5 * step, 10 * step, 50 * step, 100 * step) if width < high - low + 1]
    words = f"groups of {', '.join(f'{width:,}' for width in widths)}"
    return DraftedLadder(description=_interval("Number", "other", low, high, widths), words=words)


def _listed(request: _Request) -> DraftedLadder | NoLadder:
    """Return the values themselves below one root; rare ones cannot be listed."""
    found, rare, role = request.found, request.rare, _role(request)
    frequent = sorted((value for value, rows in found.present.items() if rows >= rare), key=_natural)
    left = len(found.present) - len(frequent)
    if left:
        return NoLadder(reason=f"{left:,} of its values have fewer than {rare} rows each, too few to list them")
    if len(frequent) > _MOST_LISTED:
        return NoLadder(reason=f"it has {len(frequent):,} values, too many to list them")
    integer = found.numbers is not None and found.numbers.whole
    leaves = dict.fromkeys(str(int(Decimal(value))) if integer else value for value in frequent)
    rows = [[value, ROOT] for value in leaves]
    description: dict[str, Any] = {"title": "As it is, or not at all", "kind": "table", "role": role}
    description |= {"integer": True} if integer else {}
    return DraftedLadder(description=description | {"rows": rows}, words="the values, or nothing")


def _role(request: _Request) -> Role:
    if request.found.kind != "place":
        return "other"
    return "state" if are_us_states(request.found.present) else place_named(request.name)


def _natural(value: str) -> tuple[int, Decimal, str]:
    """Return what sorts numbers by their size and before other texts."""
    try:
        return 0, Decimal(value), value
    except ArithmeticError:
        return 1, Decimal(0), value
