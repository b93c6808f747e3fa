"""In which form a column writes its dates, if it does."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from gamedeid.reprs import frozen

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_FIRST_YEAR, _LAST_YEAR = 1800, 2200
_TIME = r"(?P<time>[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s*(?:Z|[+-]\d{2}:?\d{2}))?)?"
_YEAR, _MONTH, _DAY = r"(?P<y>\d{4})", r"(?P<m>\d{1,2})", r"(?P<d>\d{1,2})"
_PATTERNS: Mapping[str, str] = {
    "%Y-%m-%d": f"{_YEAR}-{_MONTH}-{_DAY}",
    "%Y/%m/%d": f"{_YEAR}/{_MONTH}/{_DAY}",
    "%Y.%m.%d": rf"{_YEAR}\.{_MONTH}\.{_DAY}",
    "%Y%m%d": r"(?P<y>\d{4})(?P<m>\d{2})(?P<d>\d{2})",
    "%d.%m.%Y": rf"{_DAY}\.{_MONTH}\.{_YEAR}",
    "%d/%m/%Y": f"{_DAY}/{_MONTH}/{_YEAR}",
    "%m/%d/%Y": f"{_MONTH}/{_DAY}/{_YEAR}",
    "%d-%m-%Y": f"{_DAY}-{_MONTH}-{_YEAR}",
    "%m-%d-%Y": f"{_MONTH}-{_DAY}-{_YEAR}",
    "%d %b %Y": rf"{_DAY}[ -](?P<b>[A-Za-z]{{3}})[ -]{_YEAR}",
    "%b %d, %Y": rf"(?P<b>[A-Za-z]{{3}}) {_DAY},? {_YEAR}",
}
_FORMS = {form: re.compile(pattern + _TIME) for form, pattern in _PATTERNS.items()}
_SHORT_YEAR = re.compile(r"\d{1,2}[-/.]\d{1,2}[-/.]\d{2}" + _TIME)


@frozen
class DateForms:
    """How the dates of a column can be read.

    Parameters
    ----------
    forms : the forms, as of ``strptime``, in which every value is a date; several where day and month could be
        exchanged.
    timed : whether a value tells a time of day as well.
    first, last : the first and the last year, by the first of the forms.
    """

    forms: tuple[str, ...]
    timed: bool
    first: int
    last: int

    @property
    def ambiguous(self) -> bool:
        """Whether it cannot be told which number is the day and which the month."""
        return len(self.forms) > 1


def date_forms(values: Iterable[str]) -> DateForms | None:
    """Return how all of some values can be read as dates of the years 1800 to 2200; None where they cannot.

    Examples
    --------
    >>> date_forms(["14.03.1958", "01.04.1960"]).forms
    ('%d.%m.%Y',)
    >>> date_forms(["04/03/1958", "01/04/1960"]).ambiguous
    True
    """
    left = list(_FORMS)
    years: dict[str, list[int]] = {form: [] for form in left}
    timed = False
    for value in values:
        fitting = []
        for form in left:
            match = _FORMS[form].fullmatch(value)
            year = None if match is None else _year(match.groupdict())
            if match is not None and year is not None:
                timed |= match["time"] is not None
                years[form].append(year)
                fitting.append(form)
        left = fitting
        if not left:
            return None
    found = years[left[0]] if left else []
    if not found:
        return None
    return DateForms(forms=tuple(left), timed=timed, first=min(found), last=max(found))


def have_short_years(values: Sequence[str]) -> bool:
    """Return whether values are dates whose years have two digits, so that nobody can tell their century."""
    return bool(values) and all(_SHORT_YEAR.fullmatch(value) for value in values)


def _year(parts: Mapping[str, str | None]) -> int | None:
    """Return the year of a date that there is, else None."""
    name = parts.get("b")
    if name is not None and name.casefold() not in _MONTHS:
        return None
    month = _MONTHS.index(name.casefold()) + 1 if name is not None else int(parts["m"] or 0)
    year = int(parts["y"] or 0)
    try:
        date(year, month, int(parts["d"] or 0))
    except ValueError:
        return None
    return year if _FIRST_YEAR <= year <= _LAST_YEAR else None
