"""The rows of the records that are in memory, with their profiles."""

import pyarrow as pa

from gamedeid.arrays import TABLE_ROWS, IntArray
from gamedeid.study.study import Study


def rows_in_memory(study: Study) -> tuple[pa.Table, IntArray] | None:
    """Return the records in memory and their profiles, (n,); the first block of a file that is not read into it.

    None where the rows of a lazy frame stay.
    """
    table = study.rows.rows_in_memory()
    return None if table is None else (table, _profiles_at_start(study, table))


def first_rows(study: Study) -> tuple[pa.Table, IntArray, IntArray] | None:
    """Return at most ``TABLE_ROWS`` first rows, their profiles, (n,), and their own leaf codes, (n, a).

    None where the rows of a lazy frame stay. The rows of one person have one profile, and may have other codes.
    """
    table = study.rows.rows_in_memory()
    if table is None:
        return None
    table = table.slice(0, TABLE_ROWS)
    of_row = _profiles_at_start(study, table)
    codes = study.codes_of_rows(table) if study.is_by_row else study.instance.profiles.codes[of_row]
    return table, of_row, codes


def _profiles_at_start(study: Study, table: pa.Table) -> IntArray:
    """Return the profiles, (n,), of the first n rows of the records."""
    if study.is_by_row:
        return study.instance.profiles.of_record[: table.num_rows]
    return study.profiles_of(study.attribute_columns(table))
