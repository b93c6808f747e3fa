"""The numbers or days of a published label: the lowest and the highest."""

import re
from calendar import monthrange
from collections.abc import Collection, Iterator, Mapping
from datetime import MAXYEAR, MINYEAR, date, timedelta
from decimal import Decimal
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from gamedeid.generalization.dates import DateRule
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.number_bands import NumberRule
from gamedeid.generalization.open_hierarchy import OpenHierarchy
from gamedeid.generalization.readings import AgeReading, DayReading, NumberReading
from gamedeid.reprs import brief

ValueType: TypeAlias = Literal["number", "date", "text"]
"""The type of an attribute's values."""

_PLACES = ("zip", "county", "city", "state")
_NUMBER = r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?"
_NUMBERS = (
    re.compile(rf"(?P<low>{_NUMBER})-(?P<high>{_NUMBER})"),
    re.compile(rf"\[(?P<low>{_NUMBER})-(?P<high>{_NUMBER})\]"),
    re.compile(rf"\[(?P<low>{_NUMBER}) to (?P<high>{_NUMBER})\]"),
    re.compile(rf"\[(?P<low>{_NUMBER})-<(?P<high>{_NUMBER})\]"),
    re.compile(rf"\[(?P<low>{_NUMBER}), (?P<high>{_NUMBER})[)\[]"),
    re.compile(rf"<(?P<high>{_NUMBER})"),
    re.compile(rf"(?P<low>{_NUMBER})\+"),
    re.compile(rf">=(?P<low>{_NUMBER})"),
)
_YEARS = re.compile(
    r"(?P<low>[0-9]{4})|\[(?P<first>[0-9]{4})-(?P<last>[0-9]{4})\]|(?P<high>[0-9]{4}) or earlier|<(?P<above>[0-9]{4})"
)
_PART_OF_YEAR = re.compile(r"(?P<year>[0-9]{4})-(?:Q(?P<quarter>[1-4])|W(?P<week>[0-9]{2})|(?P<month>[0-9]{2}))")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_QUARTER = 3  # months


@brief
class LabelBounds(NamedTuple):
    """The lowest and the highest value of a group; None where the label has no such end.

    The upper edge of a band of numbers, `[14-<15]` or `<14`, counts as its highest value though it is not in the band.
    """

    low: Decimal | date | None = None
    high: Decimal | date | None = None


_UNBOUNDED = LabelBounds()


def value_type(hierarchy: Hierarchy | OpenHierarchy) -> ValueType:
    """Return the type of the values of a hierarchy.

    Listed values, such as those of a table, are numbers if all are plain numbers (`34`, not `034`) and the role is no
    place; they are dates if the role is ``date`` and all are ISO dates.
    """
    if isinstance(hierarchy, OpenHierarchy):
        rule = hierarchy.rule
        return "number" if isinstance(rule, NumberRule) else "date" if isinstance(rule, DateRule) else "text"
    if isinstance(hierarchy.reading, DayReading):
        return "date"
    if isinstance(hierarchy.reading, AgeReading | NumberReading) or hierarchy.integer:
        return "number"
    if hierarchy.reading is not None or hierarchy.role in _PLACES:
        return "text"
    leaves = hierarchy.listed_part().leaves
    if all(re.fullmatch(_NUMBER, leaf) for leaf in leaves):
        return "number"
    return "date" if hierarchy.role == "date" and all(_date_bounds(leaf).low for leaf in leaves) else "text"


def bounds_of(label: str, values: ValueType) -> LabelBounds:
    """Return the lowest and the highest value that a label denotes.

    Numbers: `34`, `[30-34]`, `[14-<15]`, `<14`, `90+`; of hierarchies that a user writes also `1942-1946`, `[1 to 3]`,
    `[14, 15)`, `[14, 15[` and `>=90`. Dates: `1958-03-14`, `1958-W11`, `1958-03`, `1958-Q1`, `1958`, `[1955-1959]`,
    `<1935`, also `1934 or earlier`; their bounds are the first and the last day. Any other label, `*` among them, has
    no bounds.

    Examples
    --------
    >>> bounds = bounds_of("1958-Q1", "date")
    >>> print(bounds.low, bounds.high)
    1958-01-01 1958-03-31
    """
    if values == "text":
        return _UNBOUNDED
    found = _number_bounds(label) if values == "number" else _date_bounds(label)
    reversed_ends = found.low is not None and found.high is not None and found.low > found.high  # type: ignore[operator]
    return _UNBOUNDED if reversed_ends else found


def label_bounds(hierarchy: Hierarchy | OpenHierarchy, labels: Collection[str]) -> dict[str, LabelBounds]:
    """Return label -> its bounds, for some labels of a hierarchy.

    A label of listed values has bounds only if all values of its groups are within them, so that a name such as `5` for
    a group of other values does not count as a number.
    """
    values = value_type(hierarchy)
    found = {label: _UNBOUNDED if label == hierarchy.unlisted else bounds_of(label, values) for label in labels}
    if isinstance(hierarchy, Hierarchy) and values != "text":
        for label in set(_not_within(hierarchy, values, found)):
            found[label] = _UNBOUNDED
    return found


def _not_within(hierarchy: Hierarchy, values: ValueType, bounds: Mapping[str, LabelBounds]) -> Iterator[str]:
    """Yield the labels whose groups have a value outside of their bounds."""
    leaves = [bounds_of(leaf, values) for leaf in hierarchy.leaves]
    for groups, labels in zip(hierarchy.groups[:-1], hierarchy.labels[:-1], strict=True):
        starts = np.searchsorted(groups, np.arange(len(labels) + 1)).tolist()  # groups are runs of leaves
        for group, label in enumerate(labels):
            low, high = bounds.get(label, _UNBOUNDED)
            if (
                (low, high) != _UNBOUNDED
                and not all(
                    leaf != _UNBOUNDED
                    and (low is None or low <= leaf.low)  # type: ignore[operator]
                    and (high is None or leaf.high <= high)  # type: ignore[operator]
                    for leaf in leaves[starts[group] : starts[group + 1]]
                )
            ):
                yield label


def _number_bounds(label: str) -> LabelBounds:
    if re.fullmatch(_NUMBER, label):
        return LabelBounds(Decimal(label), Decimal(label))
    for form in _NUMBERS:
        if (match := form.fullmatch(label)) is not None:
            ends = match.groupdict()
            return LabelBounds(*(Decimal(ends[end]) if end in ends else None for end in ("low", "high")))
    return _UNBOUNDED


def _date_bounds(label: str) -> LabelBounds:
    try:
        if _DAY.fullmatch(label):
            return LabelBounds(date.fromisoformat(label), date.fromisoformat(label))
        if (match := _YEARS.fullmatch(label)) is not None:
            year, first, last, high, above = (None if text is None else int(text) for text in match.groups())
            if above is not None:
                high = above - 1
            if high is not None:
                return LabelBounds(None, date(high, 12, 31))
            return LabelBounds(*_years(year if first is None else first, year if last is None else last))  # type: ignore[arg-type]
        if (match := _PART_OF_YEAR.fullmatch(label)) is not None:
            return _part_of_year(int(match["year"]), match["quarter"], match["week"], match["month"])
    except ValueError:  # no such day, month or week
        pass
    return _UNBOUNDED


def _years(first: int, last: int) -> tuple[date, date]:
    """Return the first and the last day of years, within the range of the calendar."""
    return date(max(first, MINYEAR), 1, 1), date(min(last, MAXYEAR), 12, 31)


def _part_of_year(year: int, quarter: str | None, week: str | None, month: str | None) -> LabelBounds:
    if week is not None:
        monday = date.fromisocalendar(year, int(week), 1)
        return LabelBounds(monday, monday + min(timedelta(6), date.max - monday))
    first, last = (int(str(month)),) * 2 if quarter is None else (_QUARTER * int(quarter) - 2, _QUARTER * int(quarter))
    return LabelBounds(date(year, first, 1), date(year, last, monthrange(year, last)[1]))
