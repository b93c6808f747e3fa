"""Ages that are computed: whole years from one date of a record to another."""

from collections.abc import Collection
from datetime import date

import numpy as np
import pyarrow as pa

from gamedeid.arrays import IntArray
from gamedeid.data.columns import to_column
from gamedeid.data.encode import rows_found
from gamedeid.errors import InvalidDataError, quoted
from gamedeid.generalization.readings import DateFormats
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.sections import Attribute

_DAYS_OF_A_YEAR = 512  # more than the number of 31 December, below


def refuse_computed(scenario: Scenario, names: Collection[str], table_name: str) -> None:
    """Refuse records that have a column for a computed attribute."""
    for name, attribute in scenario.attributes.items():
        if attribute.is_computed and name in names:
            raise InvalidDataError(
                f"{table_name}: has a column {quoted(name)}, and the scenario computes this attribute from "
                f"{quoted(attribute.born)} and {quoted(attribute.at)}; leave out born and at, or rename one of the two"
            )


def with_ages(scenario: Scenario, table: pa.Table, table_name: str) -> pa.Table:
    """Return the records with one more column at the end for each computed attribute, in the scenario's order."""
    missing = scenario.records.missing_values
    for name, attribute in scenario.attributes.items():
        if attribute.is_computed:
            table = table.append_column(name, _ages(table, name, attribute, missing, table_name))
    return table


def _ages(table: pa.Table, name: str, attribute: Attribute, missing: Collection[str], table_name: str) -> pa.Array:
    formats = DateFormats(texts=attribute.formats)
    born = _days(table, str(attribute.born), formats, missing, table_name, name)
    at = _days(table, str(attribute.at), formats, missing, table_name, name)
    known = (born >= 0) & (at >= 0)
    before = known & (at < born)
    if before.any():
        raise InvalidDataError(
            f"{table_name}: attribute {quoted(name)} is the age at {quoted(attribute.at)}, which is before "
            f"{quoted(attribute.born)} in {rows_found(before, None)}; correct these rows, or leave the date empty there"
        )
    years = at // _DAYS_OF_A_YEAR - born // _DAYS_OF_A_YEAR - (at % _DAYS_OF_A_YEAR < born % _DAYS_OF_A_YEAR)
    return pa.array(years.astype(str), mask=~known)


def _days(
    table: pa.Table, column: str, formats: DateFormats, missing: Collection[str], table_name: str, attribute: str
) -> IntArray:
    """Return a number for each date, (n,), that grows from day to day; -1 where it is missing."""
    found = to_column(table.column(column), column, table_name, missing)
    dates = [formats.date_of(value) for value in found.values]
    numbers = np.array([-2 if one is None else _day_number(one) for one in dates] + [-1], np.int64)[found.codes]
    invalid = numbers == -2  # noqa: PLR2004
    if invalid.any():
        raise InvalidDataError(
            f"{table_name}: column {quoted(column)} has no date in the form {formats.words} in "
            f"{rows_found(invalid, None)}, "
            f'and attribute {quoted(attribute)} is computed from it; state the form: format = "DD.MM.YYYY"',
            values=[value for value, one in zip(found.values, dates, strict=True) if one is None],
        )
    return numbers


def _day_number(day: date) -> int:
    return day.year * _DAYS_OF_A_YEAR + day.month * 32 + day.day
