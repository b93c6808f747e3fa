"""In which form a column writes its dates, if it does."""

import re
from collections.abc import Collection, Mapping, Sequence

from gamedeid.generalization.calendar_dates import ISO, DateFormat
from gamedeid.reprs import frozen

_DAYS = (
    ISO,
    "YYYY/MM/DD",
    "YYYY.MM.DD",
    "YYYYMMDD",
    "DD.MM.YYYY",
    "DD/MM/YYYY",
    "MM/DD/YYYY",
    "DD-MM-YYYY",
    "MM-DD-YYYY",
    "DD Mon YYYY",
    "DD-Mon-YYYY",
    "DDMonYYYY",
    "Mon DD, YYYY",
    "Mon DD YYYY",
)
_FORMS = {form: DateFormat(text=form) for form in (*_DAYS, *(f"{day} HH:MM" for day in _DAYS if day != ISO))}
_SHORT_YEAR = re.compile(r"\d{1,2}[-/.]\d{1,2}[-/.]\d{2}(?:[T ].*)?")
_FIRST_YEAR, _LAST_YEAR = 1800, 2200
_NO_YEAR = 9999


@frozen
class DateForms:
    """How the dates of a column can be read.

    Parameters
    ----------
    forms : the forms, as hierarchies of dates have them, in which every value is a date; several where day and month
        could be exchanged.
    first, last : the first and the last year, by the first of the forms.
    codes : values that are dates of the year 9999, which stand for a missing one.
    other_forms : forms that the same column has elsewhere, each of which can be told from these.
    """

    forms: tuple[str, ...]
    first: int
    last: int
    codes: tuple[str, ...] = ()
    other_forms: tuple[str, ...] = ()

    @property
    def ambiguous(self) -> bool:
        """Whether it cannot be told which number is the day and which the month."""
        return len(self.forms) > 1

    def with_others(self, others: "DateForms") -> "DateForms":
        """Return these and other dates together: in the forms that fit both, or else each in its own."""
        both = tuple(form for form in self.forms if form in others.forms)
        return DateForms(
            forms=both or self.forms,
            first=min(self.first, others.first),
            last=max(self.last, others.last),
            codes=tuple(sorted({*self.codes, *others.codes})),
            other_forms=() if both else others.forms,
        )


def date_forms(values: Collection[str]) -> DateForms | None:
    """Return how all of some values can be read as dates of the years 1800 to 2200; None where they cannot.

    Examples
    --------
    >>> date_forms(["14.03.1958", "1.4.1960"]).forms
    ('DD.MM.YYYY',)
    >>> date_forms(["04/03/1958", "01/04/1960"]).ambiguous
    True
    """
    left: Mapping[str, DateFormat] = _FORMS
    years: dict[str, list[int]] = {form: [] for form in left}
    codes: list[str] = []
    for value in values:
        days = {form: day for form, reading in left.items() if (day := reading.date_of(value)) is not None}
        if days and all(day.year == _NO_YEAR for day in days.values()):
            codes.append(value)
            continue
        left = {form: left[form] for form, day in days.items() if _FIRST_YEAR <= day.year <= _LAST_YEAR}
        if not left:
            return None
        for form in left:
            years[form].append(days[form].year)
    forms = tuple(left)
    found = years[forms[0]]
    return DateForms(forms=forms, first=min(found), last=max(found), codes=tuple(codes)) if found else None


def have_short_years(values: Sequence[str]) -> bool:
    """Return whether values are dates whose years have two digits, so that nobody can tell their century."""
    return bool(values) and all(_SHORT_YEAR.fullmatch(value) for value in values)
