"""Hierarchies of dates: days, weeks, months, quarters, years and spans of years."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import MAXYEAR, MINYEAR, date
from typing import Any

import numpy as np

from gamedeid.amounts import joined
from gamedeid.arrays import IntArray
from gamedeid.errors import InvalidHierarchyError, did_you_mean, quoted
from gamedeid.generalization.claims import refuse
from gamedeid.generalization.levels import MOST_LABELS, ROOT, CompiledLevels, below_label, closed_label
from gamedeid.generalization.readings import DayReading, Reading, missing_values_hint
from gamedeid.reprs import frozen

MOST_YEARS = 400
"""Most years from the first to the last date of a column; a more distant date means a missing value, or is an error."""

YEAR = 12  # months
_MONTHS = {"month": 1, "quarter": 3, "year": YEAR, "decade": 10 * YEAR}
_WEEK = "week"
_YEARS = re.compile(r"([0-9]{1,3}) years")
_DAYS_FROM_MONDAY = 3  # days from Monday to 1970-01-01
_FIRST_YEAR = 1970


@frozen
class DateRule:
    """Dates by the calendar; the leaves are all days from the first to the last.

    Parameters
    ----------
    steps : units of levels 1, 2, ...: "week", "month", "quarter", "year", "decade" or "N years"; each consists of whole
        units of the level before. Spans of N years begin with years that N divides.
    reading : how dates are written, and whether they have the day.
    earliest : years up to this one are one group from the first level of whole years on; None: each is separate.

    Raises
    ------
    InvalidHierarchyError : an unknown unit, or one that does not consist of whole units before; has every fault.
    """

    steps: tuple[str, ...]
    reading: DayReading
    earliest: int | None = None
    notes = ()

    def __post_init__(self) -> None:
        refuse(_step_faults(self.steps, self.earliest, by_month=not self.reading.form.has_days))

    def leaf_of(self, value: object) -> str | None:
        """Return the day of a date; None for a value that is no date."""
        return self.reading.leaf_of(value)

    def reading_of(self, leaves: Collection[str]) -> Reading:  # noqa: ARG002  (the rule alone says how)
        """Return how values are read."""
        return self.reading

    def fault_of(self, invalid: Sequence[str], total: int) -> str:
        """Return the fault of values of the data that are no dates."""
        words, form = self.reading.words, self.reading.form
        found = f"expected {words}, but {len(invalid):,} of the {total:,} distinct values in the data are not: "
        if any(form.date_of(text) is not None for text in invalid):  # as text they are dates, with an offset
            return f"{found}they are moments in a time zone, and their day depends on the place; write the days"
        return f"{found}correct them, or say in `format` how they are written{missing_values_hint(invalid)}"

    def compile_levels(self, leaves: Collection[str]) -> CompiledLevels:
        """Return the levels of all days from the first to the last of some."""
        first, last = (date.fromisoformat(f"{leaf}-01"[: len("YYYY-MM-DD")]) for leaf in (min(leaves), max(leaves)))
        if last.year - first.year > MOST_YEARS:
            raise InvalidHierarchyError(
                f"the dates in the data are {last.year - first.year:,} years apart: expected at most {MOST_YEARS}; a "
                "date far from the others often stands for a missing value: name it in [records] missing_values, or "
                "give `low` and `high`",
                values=[first, last],
            )
        return self.compile(first, last)

    def compile(self, first: date, last: date) -> CompiledLevels:
        """Return the levels of all days, or months, from the first to the last, both included.

        Weeks are those of ISO 8601, from Monday on, published as `1958-W11`; months as `1958-03`, quarters as
        `1958-Q1`, spans of years as `[1955-1959]`, whether the days fill them or not.
        """
        if last < first:
            raise InvalidHierarchyError(f"`low` is {first} and `high` is {last}: expected low <= high")
        if ((last - first).days + 1) * (len(self.steps) + 2) > MOST_LABELS:
            raise InvalidHierarchyError(f"{first} to {last} are too many days: expected at most {MOST_LABELS:,} labels")
        values: Any = np.arange(np.datetime64(first), np.datetime64(last) + np.timedelta64(1, "D"))
        if not self.reading.form.has_days:
            values = np.unique(values.astype("M8[M]"))
        days = values.astype("M8[D]")  # the first day of a month
        rows, labels = [np.arange(len(values))], [tuple(np.datetime_as_string(values).tolist())]
        for step in self.steps:
            group_of, label = _unit(step, self.earliest)
            distinct, groups = np.unique(group_of(days), return_inverse=True)
            rows.append(groups)
            labels.append(tuple(map(label, distinct.tolist())))
        rows.append(np.zeros(len(values), np.int64))
        return CompiledLevels(labels[0], np.stack(rows).astype(np.int32), (*labels, (ROOT,)))

    def published(self) -> list[str]:
        """Return the labels of each level, in words."""
        value = "the day, as 1958-03-14" if self.reading.form.has_days else "the month, as 1958-03"
        return [value, *(_words(step, self.earliest) for step in self.steps), ROOT]

    def described(self) -> Mapping[str, object]:
        """Return the rule as plain values."""
        forms, steps = list(self.reading.form.texts), list(self.steps)
        return {"kind": "date", "format": forms, "levels": steps, "earliest": self.earliest}


def _unit(step: str, earliest: int | None) -> tuple[Callable[[Any], IntArray], Callable[[int], str]]:
    """Return the function that numbers the group of each day at a level, and the form of a group's label."""
    months = _months(step)
    if months is None:
        return lambda days: (days.astype(np.int64) + _DAYS_FROM_MONDAY) // 7, _week_label
    if months % YEAR:
        return lambda days: days.astype("M8[M]").astype(np.int64) // months, lambda one: _part_label(one, months)
    years = months // YEAR
    least = -1 if earliest is None else earliest // years
    return (
        lambda days: np.maximum((days.astype("M8[Y]").astype(np.int64) + _FIRST_YEAR) // years, least),
        lambda one: _years_label(one, years, is_open=one == least),
    )


def _week_label(week: int) -> str:
    year, number, _ = date.fromordinal(date(_FIRST_YEAR, 1, 1).toordinal() + 7 * week).isocalendar()
    return f"{year:04}-W{number:02}"


def _part_label(number: int, months: int) -> str:
    year, part = divmod(number, YEAR // months)
    return f"{year + _FIRST_YEAR:04}-" + (f"{part + 1:02}" if months == 1 else f"Q{part + 1}")


def _years_label(number: int, years: int, *, is_open: bool) -> str:
    start, end = number * years, number * years + years - 1
    return below_label(f"{end + 1:04}") if is_open else closed_label(f"{start:04}", f"{end:04}")


def _months(step: str) -> int | None:
    """Return how many months a unit has; None for a week."""
    if step == _WEEK:
        return None
    years = _YEARS.fullmatch(step)
    return int(years[1]) * YEAR if years is not None and int(years[1]) else _MONTHS[step]


def _step_faults(steps: Sequence[str], earliest: int | None, *, by_month: bool) -> Iterator[str]:
    units = (_WEEK, *_MONTHS)
    before = "month" if by_month else None
    for place, step in enumerate(steps, start=1):
        where = f"`levels` value {place} is {quoted(step)}"
        try:
            months = _months(step)
        except KeyError:
            level_0 = "; the day is level 0 already" if step == "day" else did_you_mean(step, units)
            yield f"{where}: expected {joined(map(quoted, (*units, 'N years')), 'or')}{level_0}"
            return
        if before is not None:
            finer = _months(before)
            if finer is None or months is None:
                yield (
                    f"{where}, after {quoted(before)}: a week may be in two months, quarters or years, so only the "
                    "day can be below it, and only `*` above it"
                )
            elif months <= finer or months % finer:
                yield f"{where}, after {quoted(before)}: expected whole ones of those, so that no group is split"
        before = step
    if earliest is not None and not MINYEAR <= earliest <= MAXYEAR:
        yield f"`earliest`: expected a year from {MINYEAR} to {MAXYEAR}, not {quoted(earliest)}"
    if earliest is not None and not any((_months(step) or 1) % YEAR == 0 for step in steps):
        yield f"`earliest` is {earliest}, but no level is of whole years: add one to `levels`"


def _words(step: str, earliest: int | None) -> str:
    examples = {_WEEK: "1958-W11", "month": "1958-03", "quarter": "1958-Q1"}
    months = _months(step) or 1
    if months % YEAR:
        return f"the {step}, as {examples[step]}"
    years = months // YEAR
    start = 1958 // years * years
    words = (
        f"{step if _YEARS.fullmatch(step) else f'the {step}'}, as {_years_label(start // years, years, is_open=False)}"
    )
    if earliest is None:
        return words
    return f"{words}; the first group is {_years_label(earliest // years, years, is_open=True)}"
