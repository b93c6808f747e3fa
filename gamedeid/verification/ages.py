"""Ages that are computed from two dates of a record, again: row by row, by the calendar."""

import pyarrow as pa

from gamedeid.errors import InvalidDataError
from gamedeid.generalization.calendar_dates import DateFormats
from gamedeid.scenario.scenario import Scenario


def dates_of_ages(scenario: Scenario) -> list[str]:
    """Return the columns of the records that ages are computed from, each once."""
    columns = [[one.born, one.at] for one in scenario.attributes.values() if one.is_computed]
    return sorted({str(name) for pair in columns for name in pair})


def with_computed_ages(table: pa.Table, scenario: Scenario) -> pa.Table:
    """Return the records with a column more for each attribute that is an age at another date.

    Parameters
    ----------
    table : the records, with the columns of dates.
    scenario : says which.

    Raises
    ------
    InvalidDataError : a value that is no date.
    """
    missing = set(scenario.records.missing_values)
    for name, attribute in scenario.attributes.items():
        if not attribute.is_computed:
            continue
        formats, ages = DateFormats(texts=attribute.formats), list[str | None]()
        pairs = zip(*(table.column(str(one)).to_pylist() for one in (attribute.born, attribute.at)), strict=True)
        for born, at in pairs:
            if any(one is None or str(one).strip() in missing for one in (born, at)):
                ages.append(None)
                continue
            first, last = formats.date_of(born), formats.date_of(at)
            if first is None or last is None:
                raise InvalidDataError(f"attribute `{name}` is computed from a value that is no date")
            had_birthday = (last.month, last.day) >= (first.month, first.day)
            ages.append(str(last.year - first.year - (0 if had_birthday else 1)))
        table = table.append_column(name, pa.array(ages, pa.string()))
    return table
