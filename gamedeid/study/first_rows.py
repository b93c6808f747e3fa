"""The first rows of the records, with the profile and the values of each."""

import pyarrow as pa

from gamedeid.arrays import IntArray
from gamedeid.data.columns import to_column
from gamedeid.study.study import Study


def first_rows(study: Study) -> tuple[pa.Table, IntArray, IntArray] | None:
    """Return the first rows of the records, their profiles, (n,), and their own leaf codes, (n, a).

    None where the rows of a lazy frame stay. The rows of one person have one profile, and may have different codes.
    """
    table = study.rows.first_block()
    if table is None:
        return None
    columns = {
        name: to_column(table.column(name), name, "records", study.scenario.records.missing_values)
        for name in study.instance.hierarchies
    }
    if study.persons is not None:
        return table, study.instance.profiles.of_record[: table.num_rows], study.encoded(columns)
    profile_of = study.profiles_of(columns)
    return table, profile_of, study.instance.profiles.codes[profile_of]
