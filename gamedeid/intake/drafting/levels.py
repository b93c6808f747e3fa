"""The levels of each kind of column: descriptions of hierarchies, as their files have them."""

import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import field, replace
from decimal import Decimal
from itertools import pairwise
from math import floor
from typing import Any

from gamedeid.amounts import number_of
from gamedeid.choices import Role
from gamedeid.data.column_names import are_us_states, is_icd_10, place_size_by_name
from gamedeid.errors import InvalidHierarchyError
from gamedeid.generalization.kinds import OLDEST, build_hierarchy
from gamedeid.generalization.levels import ROOT, below_label, closed_label
from gamedeid.generalization.open_hierarchy import OpenHierarchy
from gamedeid.generalization.shipped import shipped_files
from gamedeid.intake.identifiers.column_signs import OLD_AGE
from gamedeid.intake.recognition.forms import Numbers
from gamedeid.intake.recognition.recognise import Kind, Recognised
from gamedeid.reprs import frozen

_US_ZIP, _ICD_10 = "us_zip", "icd10"  # shipped, and list no values
_AGE_WIDTHS = (5, 15, 30, 60)
_YEAR_WIDTHS = (5, 10, 30)
_DATE_LEVELS = ("month", "year", "decade")
_FINEST = 20  # approximate number of bands at level 1
_MOST_LISTED = 1000
_MOST_UNLISTED = 0.5  # share of the rows
_COMMA = "a comma may separate decimals or thousands in it: write its numbers with a point"
_OTHERS = ("Other", "Other values", "(other)")


@frozen
class DraftedHierarchy:
    """A hierarchy for a column.

    Parameters
    ----------
    words : its levels in words; without values of the data.
    safe_harbor : the least level that Safe Harbor permits; None if the role decides it.
    levels : number of levels; 0 before the hierarchy is built.
    """

    description: Mapping[str, Any]
    words: str
    safe_harbor: int | None = None
    levels: int = 0


@frozen
class NoHierarchy:
    """The reason for no hierarchy of a column."""

    reason: str


@frozen
class HierarchyRequest:
    """A column for which a hierarchy is drafted.

    Parameters
    ----------
    rare : values of fewer rows than this are not listed in a file.
    words : word of the records -> word of the population that means the same.
    """

    name: str
    found: Recognised
    rare: int
    year: int
    words: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def last_top_coded_year(self) -> int:
        """The last year of birth that shows an age of 90 or over in the year of the release."""
        return self.year - OLD_AGE


def draft_hierarchy(request: HierarchyRequest) -> DraftedHierarchy | NoHierarchy:
    """Return a hierarchy with every value of a column, or the reason for none."""
    build = KINDS[request.found.kind].build
    if build is None:
        return NoHierarchy(reason=f"no hierarchy is drafted for its kind ({request.found.kind})")
    drafted = build(request)
    if isinstance(drafted, NoHierarchy):
        return drafted
    present = [*request.found.present, *request.words]
    try:
        hierarchy = build_hierarchy(drafted.description, name=request.name)
        if isinstance(hierarchy, OpenHierarchy):
            hierarchy = hierarchy.close(present)
    except InvalidHierarchyError:
        return NoHierarchy(reason="its values are of several forms, of which no hierarchy could be drafted")
    if any(hierarchy.code(value) is None for value in present):
        return NoHierarchy(reason="some of its values have another form than the others")
    return replace(drafted, levels=hierarchy.levels)


def _zip_codes(request: HierarchyRequest) -> DraftedHierarchy | NoHierarchy:
    if request.found.form == "five":
        description = tomllib.loads(shipped_files("hierarchies")[_US_ZIP].read_text("utf-8"))
        words = (
            "by the digits kept, prefixes of the United States with too few people in one group; no codes are listed. "
            "Codes of another country need another hierarchy"
        )
        return DraftedHierarchy(description=description, words=words)
    if request.found.form == "lost":
        return NoHierarchy(reason="leading zeros are lost: save the column as text with five digits and draft again")
    return NoHierarchy(reason="codes of five and of nine digits are mixed: cut them to five digits and draft again")


def _ages(request: HierarchyRequest) -> DraftedHierarchy | NoHierarchy:
    numbers = request.found.numbers
    if numbers is None:
        return NoHierarchy(reason="write its ages as numbers of years, those below 1 as 0")
    if not numbers.whole:
        return NoHierarchy(reason=_COMMA) if _may_be_thousands(request) else _ages_with_decimals(numbers)
    high = max(OLDEST, int(numbers.high))
    keys = {"title": "Age in years", "kind": "interval", "role": "age", "low": 0, "high": high}
    words = f"groups of 5, 15, 30 and 60 years; Safe Harbor releases all ages of {OLD_AGE} and over as one"
    return DraftedHierarchy(description={**keys, "widths": list(_AGE_WIDTHS)}, words=words)


def _ages_with_decimals(numbers: Numbers) -> DraftedHierarchy:
    bands = [list(range(width, OLD_AGE + 1, width)) for width in (1, *_AGE_WIDTHS[:-2], 30)]
    words = f"whole years, groups of 5, 15 and 30 years; ages of {OLD_AGE} and over are one group"
    keys = {"title": "Age in years", "kind": "number", "role": "age", "bands": bands}
    return DraftedHierarchy(description={**keys, **_decimal(numbers)}, words=words, safe_harbor=1)


def _years(request: HierarchyRequest) -> DraftedHierarchy | NoHierarchy:
    """Return groups of years, one of which holds all years of ages of 90 or over, and no other."""
    numbers = request.found.numbers
    if numbers is None:
        return NoHierarchy(reason="its values are no whole numbers")
    low, high = int(numbers.low) // 10 * 10, int(numbers.high) // 10 * 10 + 9
    words = f"groups of {_joined(_YEAR_WIDTHS)} years"
    keys: dict[str, Any] = {"title": "Year", "role": "date"}
    if numbers.low > request.last_top_coded_year:
        widths = [width for width in _YEAR_WIDTHS if width <= high - low]
        keys |= {"kind": "interval", "low": low, "high": high, "widths": widths}
        return DraftedHierarchy(description=keys, words=words)
    words += f"; those up to {request.last_top_coded_year}, which show ages of {OLD_AGE} and over, are one group"
    years = range(low, max(high, request.last_top_coded_year + 1) + 1)
    rows = [
        [str(year), *(_span(year, width, request.last_top_coded_year) for width in _YEAR_WIDTHS), ROOT]
        for year in years
    ]
    return DraftedHierarchy(description={**keys, "kind": "table", "integer": True, "rows": rows}, words=words)


def _span(year: int, width: int, last_top_coded_year: int) -> str:
    """Return the group of years that contains a year; the years up to a top-coded one are one group."""
    if year <= last_top_coded_year:
        return below_label(last_top_coded_year + 1)
    first = last_top_coded_year + 1 + (year - last_top_coded_year - 1) // width * width
    return closed_label(first, first + width - 1)


def _dates(request: HierarchyRequest) -> DraftedHierarchy | NoHierarchy:
    dates = request.found.dates
    if request.found.form == "several":
        return NoHierarchy(reason="write all its dates as YYYY-MM-DD")
    if dates is None:
        return NoHierarchy(reason="years of two digits leave the century open: write them with four digits")
    if dates.ambiguous or len(dates.other_forms) > 1:
        either = _joined(dates.forms if dates.ambiguous else dates.other_forms)
        return NoHierarchy(reason=f"write its dates as YYYY-MM-DD, or add a hierarchy with one of {either}")
    forms = [dates.forms[0], *dates.other_forms]
    keys: dict[str, Any] = {"title": "Date", "kind": "date", "role": "date"}
    keys["format"] = forms[0] if len(forms) == 1 else forms
    keys["levels"] = list(_DATE_LEVELS)
    words = "days, months, years, decades"
    if dates.first <= request.last_top_coded_year:
        keys["earliest"] = request.last_top_coded_year
        words += f"; years up to {request.last_top_coded_year}, which show ages of {OLD_AGE} and over, are one group"
    return DraftedHierarchy(description=keys, words=words)


def _codes(request: HierarchyRequest) -> DraftedHierarchy:
    description = tomllib.loads(shipped_files("hierarchies")[_ICD_10].read_text("utf-8"))
    words = "subcategory, category, chapter; no codes are listed"
    if not all(is_icd_10(value) for value in request.found.present):
        description = {**description, "unlisted": _OTHERS[0]}
        words += f"; values that are no codes are one group, `{_OTHERS[0]}`"
    return DraftedHierarchy(description=description, words=words)


def _numbers(request: HierarchyRequest) -> DraftedHierarchy | NoHierarchy:
    numbers = request.found.numbers
    if numbers is None:
        return NoHierarchy(reason="write its numbers without separators of thousands and signs")
    if _may_be_thousands(request):
        return NoHierarchy(reason=_COMMA)
    bands = _bands(numbers)
    if any(low >= high for edges in bands for low, high in pairwise(edges)):
        return NoHierarchy(reason="its numbers are too close together for their size")
    keys = {"title": "Number", "kind": "number", "role": "other", "bands": bands, **_decimal(numbers)}
    return DraftedHierarchy(
        description=keys, words=f"{_joined(len(edges) + 1 for edges in bands)} bands, open at both ends"
    )


def _may_be_thousands(request: HierarchyRequest) -> bool:
    """Return whether a comma in numbers may be a decimal or a thousands separator: 1,234."""
    behind = [len(text.rpartition(",")[2]) for text in request.found.present if "," in text]
    return bool(behind) and all(digits == 3 for digits in behind)  # noqa: PLR2004  (digits of a thousand)


def _decimal(numbers: Numbers) -> dict[str, str]:
    """Return the key of the decimal separator, if that is not a point."""
    return {"decimal": ","} if numbers.comma else {}


def _bands(numbers: Numbers) -> list[list[float | int]]:
    """Return edges at round numbers, so that no edge shows the least or the greatest value."""
    span = max(numbers.high - numbers.low, Decimal(1) / 10**numbers.decimals)
    step = Decimal(10) ** floor((span / _FINEST).log10())
    step = next(step * factor for factor in (1, 2, 5, 10) if span <= step * factor * _FINEST)
    bands: list[list[Decimal]] = []
    for width in (step, 5 * step, 10 * step):
        first = floor(numbers.low / width) + 1
        edges = [width * place for place in range(first, floor(numbers.high / width) + 1)]
        if edges and (not bands or len(edges) < len(bands[-1])):
            bands.append(edges)
    plain = bands or [[step * (floor(numbers.low / step) + 1)]]
    return [[int(edge) if edge == edge.to_integral_value() else float(edge) for edge in edges] for edges in plain]


def _listed(request: HierarchyRequest) -> DraftedHierarchy | NoHierarchy:
    """Return the values themselves below one root; rare ones are one group without being listed."""
    found, rare = request.found, request.rare
    frequent = [value for value, rows in found.present.items() if rows >= rare]
    left = len(found.present) - len(frequent)
    unlisted = sum(rows for rows in found.present.values() if rows < rare)
    if len(frequent) > _MOST_LISTED:
        return NoHierarchy(reason=f"it has {len(frequent):,} values, too many to list them")
    if unlisted > _MOST_UNLISTED * sum(found.present.values()):
        return NoHierarchy(reason=f"most of its rows have values of fewer than {rare} rows each, too few to list them")
    integer = found.numbers is not None and found.numbers.whole
    leaves = dict.fromkeys(str(int(Decimal(value))) if integer else value for value in sorted(frequent, key=_by_size))
    keys: dict[str, Any] = {"title": "As it is, or not at all", "kind": "table", "role": _role(request)}
    words = "the values, or nothing"
    if integer:
        keys["integer"] = True
    if left:
        keys["unlisted"] = next(word for word in _OTHERS if word not in leaves)
        words += f"; {number_of(left, 'value')} of fewer than {rare} rows each are one group, `{keys['unlisted']}`"
    keys["rows"] = [[leaf, ROOT] for leaf in leaves]
    if request.words:
        keys["spellings"] = _spellings(request.words, leaves)
        words += "; the words of the records are read as those of the population"
    return DraftedHierarchy(description=keys, words=words)


def _spellings(words: Mapping[str, str], leaves: Collection[str]) -> dict[str, list[str]]:
    """Return value -> the other words that mean it, of values that are listed."""
    return {
        leaf: sorted(word for word, same in words.items() if same == leaf) for leaf in leaves if leaf in words.values()
    }


def _role(request: HierarchyRequest) -> Role:
    if request.found.kind != "place":
        return "other"
    return "state" if are_us_states(request.found.present) else place_size_by_name(request.name)


def _by_size(value: str) -> tuple[int, Decimal, str]:
    """Return a key that sorts numbers by their size and before other texts."""
    try:
        return 0, Decimal(value), value
    except ArithmeticError:
        return 1, Decimal(0), value


def _joined(words: Any) -> str:
    return ", ".join(map(str, words))


@frozen
class ColumnKind:
    """The treatment of a kind of column.

    Parameters
    ----------
    known : why others can know it about a person; empty if nothing says that they can.
    build : the function that drafts its hierarchy; None for no hierarchy.
    are_words : whether its values are words, which must be the same in the records and in a population.
    """

    dropped: str = ""
    known: str = ""
    build: Callable[[HierarchyRequest], DraftedHierarchy | NoHierarchy] | None = None
    are_words: bool = False


_WHEN = "others can know when something happened"

KINDS: Mapping[Kind, ColumnKind] = {
    "empty": ColumnKind(dropped="there is nothing in it"),
    "constant": ColumnKind(dropped="it is the same in all records"),
    "identifier": ColumnKind(dropped="it may name, number or address a person"),
    "person key": ColumnKind(dropped="a key finds its person in any other table that has it"),
    "row number": ColumnKind(dropped="the place of a row can be looked up in the original file"),
    "free text": ColumnKind(dropped="text can hold names, dates and places"),
    "unreadable": ColumnKind(dropped="it cannot be looked into"),
    "ZIP code": ColumnKind(known="others can know where a person lives", build=_zip_codes),
    "age": ColumnKind(known="others can know it", build=_ages),
    "date": ColumnKind(known=_WHEN, build=_dates),
    "year": ColumnKind(known=_WHEN, build=_years),
    "sex": ColumnKind(known="others can know it", build=_listed, are_words=True),
    "race": ColumnKind(known="others can know it", build=_listed, are_words=True),
    "place": ColumnKind(known="others can know where a person lives or was", build=_listed, are_words=True),
    "ICD-10 code": ColumnKind(known="others can know why a person was treated", build=_codes, are_words=True),
    "category": ColumnKind(build=_listed, are_words=True),
    "text": ColumnKind(build=_listed, are_words=True),
    "whole number": ColumnKind(build=_numbers),
    "decimal number": ColumnKind(build=_numbers),
}
"""Every kind that a column can be."""
