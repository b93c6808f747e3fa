"""Read the records and the population of a scenario, from files or data frames, as columns of codes."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from gamedeid.arrays import TABLE_ROWS, IntArray
from gamedeid.capabilities import Feature, Features
from gamedeid.data.ages import refuse_computed, with_ages
from gamedeid.data.columns import check_kinds, to_column, to_people, without_dictionaries
from gamedeid.data.declared import (
    Source,
    open_source,
    refuse_undeclared,
    refuse_unnamed_count,
    refuse_unnamed_numbers,
    refuse_weights,
    undeclared_columns,
)
from gamedeid.data.engines.options import AUTOMATIC, ReadOptions, sweep_spills, with_engine
from gamedeid.data.engines.rows import ReadRows, Rows
from gamedeid.data.files.tables import TableFile
from gamedeid.data.persons import RepeatedKey, number_persons, repeated_keys
from gamedeid.data.profiles import Column
from gamedeid.errors import InvalidDataError, quoted
from gamedeid.generalization.kinds import ZIP_DIGITS
from gamedeid.generalization.readings import as_text
from gamedeid.progress import Progress, unreported
from gamedeid.reprs import frozen
from gamedeid.scenario.scenario import Scenario, refuse_combinations
from gamedeid.scenario.sections import Population

if TYPE_CHECKING:
    from gamedeid.data.frames import Frame


@frozen(eq=False)
class AttributeTable:
    """The attributes of records or of a population, as columns of codes.

    Parameters
    ----------
    columns : attribute -> its values, (rows,); where an engine has counted the rows, each row here is a distinct one.
    people : (rows,) int64, number of records or people of each row.
    rows : the records themselves, for the release; None for a population.
    counted : (rows,) int64, number of rows of the data of each row here; None where that is one.
    repeated_keys : columns of records that repeat like a person's key.
    person_of_row : (rows,) int64, the number of each record's person, from 0 in the order of their first records; None
        where each record is a person.
    key_of_row : (rows,) the key that identifies people across releases; None if no other release is considered.
    """

    columns: Mapping[str, Column]
    people: IntArray
    rows: Rows | None
    counted: IntArray | None = None
    repeated_keys: tuple[RepeatedKey, ...] = ()
    person_of_row: IntArray | None = None
    key_of_row: Sequence[str] | None = None

    @property
    def total_rows(self) -> int:
        """How many rows the data have."""
        return len(self.people) if self.counted is None else int(self.counted.sum())


def read_records(
    scenario: Scenario,
    frame: Any = None,
    read_options: ReadOptions = AUTOMATIC,
    report_progress: Progress = unreported,
    *,
    key: str | None = None,
) -> AttributeTable:
    """Return the records, from a given frame or the scenario's file.

    Parameters
    ----------
    frame : a data frame; a lazy one is not collected.
    report_progress : called with (done, total) while an engine counts the rows.
    key : column that identifies people across releases; None if no other release is considered.

    Raises
    ------
    InvalidScenarioError : the scenario needs rows in memory, and these are elsewhere; or its keys exclude each other.
    InvalidDataError : the records do not fit the scenario.
    """
    section, missing = scenario.records, scenario.records.missing_values
    if frame is None:
        sweep_spills(read_options.spill)
    source = _open_records(scenario, frame)
    attributes = scenario.stored_attributes
    wanted = (*attributes, *section.keep, *scenario.date_columns, section.person, key)
    names = list(dict.fromkeys(name for name in wanted if name is not None))
    if isinstance(source, TableFile):
        read_options = with_engine(read_options, source, names)
    refuse_combinations(scenario, _features_before_reading(source, read_options))
    repeated: tuple[RepeatedKey, ...] = ()
    if section.person is None:
        first_rows = partial(_first_rows, source) if isinstance(source, TableFile) or not source.lazy else None
        repeated = repeated_keys(section.keep, section.drop, missing, first_rows)
    records = _count_by_engine(source, attributes, missing, read_options, report_progress, kept=section.keep)
    if records is None:
        records = _records_in_memory(scenario, source, names, key)
    return replace(records, repeated_keys=repeated)


def _features_before_reading(source: Source, read_options: ReadOptions) -> Features:
    """Return the features of records whose rows will not be in memory."""
    if not isinstance(source, TableFile):
        return {Feature.LAZY: "records"} if source.lazy else {}
    engine = read_options.engine
    return {} if engine == "memory" else {Feature.STREAMED: f"{source.table_name}, read by {engine}"}


def _first_rows(source: Source, names: Sequence[str]) -> pa.Table:
    if isinstance(source, TableFile):
        return next(source.blocks(names))
    return source.first_rows(names, TABLE_ROWS)


def first_rows_of_files(scenarios: Sequence[Scenario], names: Sequence[str]) -> pa.Table:
    """Return columns of the first ``TABLE_ROWS`` rows of records in the files of several scenarios.

    Raises
    ------
    InvalidDataError : records do not fit their scenario.
    pyarrow.ArrowException : the files have columns of different types.
    """
    tables: list[pa.Table] = []
    while len(tables) < len(scenarios) and sum(table.num_rows for table in tables) < TABLE_ROWS:
        source = _open_records(scenarios[len(tables)], None)
        tables.append(without_dictionaries(_first_rows(source, names)))
    return pa.concat_tables(tables).slice(0, TABLE_ROWS)


def _open_records(scenario: Scenario, frame: Any) -> Source:
    """Return the source of the records, whose columns are all declared; no row has been read."""
    section, dates, stored = scenario.records, scenario.date_columns, scenario.stored_attributes
    declared = (*stored, *section.keep, *section.drop, *([] if section.person is None else [section.person]))
    source = open_source(section, scenario.folder, frame, (*declared, *dates), "records")
    refuse_computed(scenario, source.names, source.table_name)
    refuse_undeclared(source, declared)
    if isinstance(source, TableFile):
        types = source.types([*stored, *section.keep, *dates])
        check_kinds({name: types[name] for name in (*stored, *dates)}, source.table_name)
    return source


def _count_by_engine(
    source: Source,
    attributes: Sequence[str],
    missing: Collection[str],
    read_options: ReadOptions,
    report_progress: Progress,
    *,
    kept: Sequence[str] | None = None,
    count: str | None = None,
) -> AttributeTable | None:
    """Return the attributes of records or of a population as an engine counts them; None if memory holds the rows.

    ``kept`` are the kept columns of records, None for a population, whose rows are not needed again.
    """
    if isinstance(source, TableFile):
        if read_options.engine == "memory":
            return None
        from gamedeid.data.engines.lazy import count_file  # noqa: PLC0415  (small files do without)

        groups, rows = count_file(
            source,
            attributes,
            read_options,
            kept=kept,
            count=count,
            missing_values=missing,
            report_progress=report_progress,
        )
    else:
        if not source.lazy:
            return None
        from gamedeid.data.engines.lazy import count_frame  # noqa: PLC0415  (files do without)

        frame = source.select([*attributes, *(kept or ()), *([] if count is None else [count])])
        counted = count_frame(frame, attributes, count=count, are_records=kept is not None)
        if counted is None:
            return None
        groups, rows = counted
    columns = groups.columns(source.table_name, missing)
    return AttributeTable(columns=columns, people=groups.people, rows=rows, counted=groups.rows)


def attributes_of_table(
    table: pa.Table,
    attributes: Collection[str],
    missing: Collection[str],
    table_name: str,
    count: str | None = None,
    rows: Rows | None = None,
) -> AttributeTable:
    """Return columns of a table in memory, with the people of each row in the column ``count``; None for one each."""
    columns = {name: to_column(table.column(name), name, table_name, missing) for name in attributes}
    people = np.ones(table.num_rows, np.int64) if count is None else to_people(table.column(count), count, table_name)
    return AttributeTable(columns=columns, people=people, rows=rows)


def _records_in_memory(scenario: Scenario, source: Source, names: Sequence[str], key: str | None) -> AttributeTable:
    """Return the records, with the values that need whole rows: ages, persons, and the texts of a key."""
    person, missing, table_name = scenario.records.person, scenario.records.missing_values, source.table_name
    kept = {*scenario.attributes, *scenario.records.keep}
    given: Frame | None = None
    if isinstance(source, TableFile):
        read = source.read(names, coded=[name for name in names if name in {*scenario.attributes, person, key}])
    else:
        given = source.select(names).collected()
        read = given.to_arrow()
    table = with_ages(scenario, read, table_name)
    released = table.select([name for name in table.column_names if name in kept])
    if given is not None:
        is_arrow = given.rows.implementation.is_pyarrow()
        given = given.of(released, table_name) if is_arrow else given.select(kept)
    rows = ReadRows(source=released, given_frame=given)
    keys = {name: to_column(read.column(name), name, table_name, missing) for name in (person, key) if name is not None}
    persons = {name: number_persons(column, name, table_name) for name, column in keys.items()}
    return replace(
        attributes_of_table(released, scenario.attributes, missing, table_name, rows=rows),
        person_of_row=None if person is None else persons[person],
        key_of_row=None if key is None else _texts(keys[key]),
    )


def _texts(column: Column) -> list[str]:
    """Return the text of every row of a column without missing values."""
    texts = [as_text(value) for value in column.values]
    return [texts[code] for code in column.codes]


def read_population(
    scenario: Scenario,
    section: Population,
    frame: Any = None,
    read_options: ReadOptions = AUTOMATIC,
    report_progress: Progress = unreported,
    *,
    attributes: Sequence[str] | None = None,
    place: str = "population",
) -> AttributeTable:
    """Return the population, from a given frame or the scenario's file, whose key in the scenario is ``place``.

    Only ``attributes`` (default: all) and the count are counted. The first rows of other columns that are not dropped
    are read too, since a column of numbers might be the count.
    """
    attributes = tuple(scenario.attributes) if attributes is None else attributes
    wanted = [*attributes, *([section.count] if section.count else [])]
    declared, missing = (*wanted, *section.drop), scenario.records.missing_values
    source = open_source(section, scenario.folder, frame, declared, place)
    refuse_unnamed_count(source.table_name, source.names, section, declared, place)
    if undeclared := undeclared_columns((*declared, *scenario.attributes), source.names):
        refuse_unnamed_numbers(source.table_name, source.numeric_columns(undeclared, missing), section, place)
    if isinstance(source, TableFile):
        check_kinds(source.types(wanted), source.table_name, section.count)
        read_options = with_engine(read_options, source, wanted)
    table = _count_by_engine(source, attributes, missing, read_options, report_progress, count=section.count)
    if table is None:
        rows = source.read(wanted, coded=wanted)
        table = attributes_of_table(rows, attributes, missing, source.table_name, section.count)
    refuse_weights(source.table_name, int(table.people.sum()), section, place)
    return table


def read_zip_populations(path: Path) -> dict[str, int]:
    """Return three-digit ZIP prefix -> people, from a file with columns zip3 and pop; equal prefixes add up."""
    file = TableFile.open(path)
    file.refuse_absent(["zip3", "pop"])
    table = file.read(["zip3", "pop"])
    prefixes = [
        str(value).zfill(ZIP_DIGITS) if isinstance(value, int) else str(value).strip()
        for value in table.column("zip3").to_pylist()
    ]
    for row, prefix in enumerate(prefixes):
        if len(prefix) != ZIP_DIGITS or not (prefix.isascii() and prefix.isdigit()):
            raise InvalidDataError(f"{path}: a ZIP prefix has three digits, not {quoted(prefix)} (row {row + 1})")
    people = to_people(table.column("pop"), "pop", str(path))
    totals: dict[str, int] = {}
    for prefix, count in zip(prefixes, people.tolist(), strict=True):
        totals[prefix] = totals.get(prefix, 0) + count
    return totals
