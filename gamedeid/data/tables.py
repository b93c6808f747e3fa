"""Read the records and the population of a scenario, from files or data frames, as columns of codes."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np
import pyarrow as pa

from gamedeid.arrays import TABLE_ROWS, IntArray
from gamedeid.capabilities import Feature, Features, Operation, refuse_unsupported
from gamedeid.data.ages import date_columns, refuse_computed, with_ages
from gamedeid.data.columns import check_kinds, to_column, to_people
from gamedeid.data.declared import (
    open_section,
    refuse_undeclared,
    refuse_unnamed_count,
    refuse_unnamed_numbers,
    refuse_weights,
    undeclared_columns,
)
from gamedeid.data.engines.options import AUTOMATIC, ReadOptions, engine_of_file, sweep_spills
from gamedeid.data.engines.rows import ReadRows, Rows
from gamedeid.data.files.tables import TableFile, refuse_absent
from gamedeid.data.persons import RepeatedKey, number_persons, repeated_keys
from gamedeid.data.profiles import Column
from gamedeid.errors import InvalidDataError, quoted
from gamedeid.generalization.readings import as_text
from gamedeid.progress import Progress
from gamedeid.reprs import frozen
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.sections import Population

if TYPE_CHECKING:
    from gamedeid.data.engines.grouping import GroupedRows
    from gamedeid.data.frames import Frame

Source: TypeAlias = "TableFile | Frame"
"""The source of rows: a file, or a data frame."""


@frozen(eq=False)
class AttributeTable:
    """The attributes of records or of a population, as columns of codes.

    Parameters
    ----------
    columns : attribute -> its values, (rows,); where an engine has counted the rows, each row here is a distinct one.
    people : (rows,) int64, number of records or people of each row.
    rows : the records themselves, for the release; None for a population.
    source : where the records are, with the columns that are not released; None for a population.
    counted : (rows,) int64, number of rows of the data of each row here; None where that is one.
    repeated_keys : columns of records that repeat like a person's key.
    person_of_row : (rows,) int64, the number of each record's person, from 0 in the order of their first records; None
        where each record is a person.
    """

    columns: Mapping[str, Column]
    people: IntArray
    rows: Rows | None
    source: "TableFile | Frame | None" = None
    counted: IntArray | None = None
    repeated_keys: tuple[RepeatedKey, ...] = ()
    person_of_row: IntArray | None = None

    @property
    def features(self) -> Features:
        """What operations may refuse of where the records are."""
        return {} if self.rows is None else self.rows.features

    @property
    def total_rows(self) -> int:
        """How many rows the data have."""
        return len(self.people) if self.counted is None else int(self.counted.sum())


def read_records(
    scenario: Scenario,
    frame: Any = None,
    read_options: ReadOptions = AUTOMATIC,
    report_progress: Progress | None = None,
) -> AttributeTable:
    """Return the records, from a given frame or the scenario's file.

    Parameters
    ----------
    frame : a data frame. One that is lazy stays where it is.
    report_progress : called with (done, total) while an engine counts the rows.
    """
    section = scenario.records
    source = _source_of_records(scenario, frame, read_options)
    keys: tuple[RepeatedKey, ...] = ()
    if section.person is None and (isinstance(source, TableFile) or not source.lazy):
        keys = repeated_keys(section.keep, section.drop, section.missing_values, partial(_first_rows, source))
    if section.person is not None or date_columns(scenario):
        records = _whole_records(scenario, source, read_options)
    else:
        attributes, missing = tuple(scenario.attributes), section.missing_values
        records = _count_attributes(source, attributes, missing, read_options, report_progress, kept=section.keep)
    return replace(records, source=source, repeated_keys=keys)


def read_key(records: AttributeTable, name: str, missing_values: Collection[str]) -> list[str]:
    """Return the text of a key of persons in every row of the records; the key is not released."""
    source = cast("Source", records.source)
    table = source.read([name], coded=[name])
    column = to_column(table.column(name), name, source.whose, missing_values)
    number_persons(column, name, source.whose)
    texts = [as_text(value) for value in column.values]
    return [texts[code] for code in column.codes]


def _source_of_records(scenario: Scenario, frame: Any, read_options: ReadOptions) -> Source:
    """Return where the records are, whose columns are all declared."""
    if frame is None:
        sweep_spills(read_options.spill)
        return open_records(scenario)
    source, declared = _wrapped(frame, "records"), _declared(scenario)
    refuse_computed(scenario, source.names, source.whose)
    refuse_absent(source.whose, source.names, (*declared, *date_columns(scenario)))
    refuse_undeclared(source.whose, source.names, declared)
    return source


def _wrapped(frame: Any, whose: str) -> "Frame":
    from gamedeid.data.frames import Frame  # noqa: PLC0415  (files do without)

    return Frame.of(frame, whose)


def _first_rows(source: Source, names: Sequence[str]) -> pa.Table:
    if isinstance(source, TableFile):
        return next(source.blocks(names))
    return source.first_rows(names, TABLE_ROWS)


def open_records(scenario: Scenario) -> TableFile:
    """Return the file of the records, whose columns are all declared, and no row of which has been read."""
    section = scenario.records
    if section.path is None:
        raise InvalidDataError("the scenario names no records; add [records] path, or hand a data frame over")
    path = scenario.folder / section.path
    declared, dates, stored = _declared(scenario), date_columns(scenario), _stored(scenario)
    file = open_section(path, section, (*declared, *dates), "records")
    refuse_computed(scenario, file.names, file.whose)
    if undeclared_columns(declared, file.names):
        file.refuse_no_header()
    refuse_undeclared(file.whose, file.names, declared)
    types = file.types([*stored, *section.keep, *dates])
    check_kinds({name: types[name] for name in (*stored, *dates)}, file.whose)
    return file


def _stored(scenario: Scenario) -> list[str]:
    """Return the attributes that the records have columns of."""
    return [name for name, attribute in scenario.attributes.items() if not attribute.is_computed]


def _declared(scenario: Scenario) -> tuple[str, ...]:
    """Return the columns of the records that the scenario names."""
    section = scenario.records
    keys_of_persons = () if section.person is None else (section.person,)
    return (*_stored(scenario), *section.keep, *section.drop, *keys_of_persons)


def _count_attributes(
    source: Source,
    attributes: Sequence[str],
    missing: Collection[str],
    read_options: ReadOptions,
    report_progress: Progress | None,
    *,
    kept: Sequence[str] | None = None,
    count: str | None = None,
) -> AttributeTable:
    """Return the attributes of records or of a population.

    Parameters
    ----------
    kept : columns of records that are released unchanged; None for a population, whose rows are not needed again.
    count : column of people of a population; None where each row is one.
    """
    people = [] if count is None else [count]
    wanted = [*attributes, *(kept or ()), *people]
    if isinstance(source, TableFile):
        engine = engine_of_file(read_options, source, wanted)
        if engine == "memory":
            table = source.read(wanted, coded=[*attributes, *people])
            rows = None if kept is None else ReadRows(source=table)
            return _of_table(table, attributes, missing, source.whose, count, rows)
        from gamedeid.data.engines.lazy import count_file  # noqa: PLC0415  (small files do without)

        groups, file_rows = count_file(
            source,
            engine,
            attributes,
            read_options,
            kept=kept,
            count=count,
            missing_values=missing,
            report_progress=report_progress,
        )
        return _of_groups(groups, missing, source.whose, file_rows)
    frame = source.select(wanted)
    if frame.lazy:
        from gamedeid.data.engines.lazy import count_frame  # noqa: PLC0415  (files do without)

        if (counted := count_frame(frame, attributes, count=count, are_records=kept is not None)) is not None:
            return _of_groups(counted[0], missing, source.whose, counted[1])
    collected = frame.collected()
    table = collected.to_arrow()
    rows = None if kept is None else ReadRows(source=table, given_frame=collected)
    return _of_table(table, attributes, missing, source.whose, count, rows)


def _of_table(
    table: pa.Table,
    attributes: Collection[str],
    missing: Collection[str],
    whose: str,
    count: str | None,
    rows: Rows | None,
) -> AttributeTable:
    columns = {name: to_column(table.column(name), name, whose, missing) for name in attributes}
    people = np.ones(table.num_rows, np.int64) if count is None else to_people(table.column(count), count, whose)
    return AttributeTable(columns=columns, people=people, rows=rows)


def _of_groups(groups: "GroupedRows", missing: Collection[str], whose: str, rows: Rows | None) -> AttributeTable:
    columns = groups.columns(whose, missing)
    return AttributeTable(columns=columns, people=groups.people, rows=rows, counted=groups.rows)


def _whole_records(scenario: Scenario, source: Source, read_options: ReadOptions) -> AttributeTable:
    """Return the records, in memory, with all values computed from whole rows: ages, and the rows of a person."""
    person, missing, whose = scenario.records.person, scenario.records.missing_values, source.whose
    wanted = [*_stored(scenario), *scenario.records.keep]
    names = list(dict.fromkeys([*wanted, *date_columns(scenario), *([] if person is None else [person])]))
    given: Frame | None = None
    operation = Operation.COMPUTED_AGES if person is None else Operation.GROUPED_ROWS
    if isinstance(source, TableFile):
        engine = engine_of_file(read_options, source, names)
        if engine != "memory":
            refuse_unsupported(operation, {Feature.STREAMED: f"{whose}, read by {engine}"})
    elif source.lazy:
        refuse_unsupported(operation, {Feature.LAZY: "records"})
    read = source.read(names, coded=[name for name in names if name in scenario.attributes or name == person])
    table = with_ages(scenario, read, whose)
    released = table.select([name for name in table.column_names if name in {*wanted, *scenario.attributes}])
    if not isinstance(source, TableFile):
        collected = source.select(wanted).collected()
        in_arrow = collected.rows.implementation.is_pyarrow()
        given = (_wrapped(released, whose) if in_arrow else collected).collected()
    rows = ReadRows(source=released, given_frame=given)
    records = _of_table(released, scenario.attributes, missing, whose, None, rows)
    if person is None:
        return records
    key = to_column(table.column(person), person, whose, missing)  # which is not kept
    return replace(records, person_of_row=number_persons(key, person, whose))


def read_population(
    scenario: Scenario,
    section: Population,
    frame: Any = None,
    read_options: ReadOptions = AUTOMATIC,
    report_progress: Progress | None = None,
    *,
    attributes: Sequence[str] | None = None,
    place: str = "population",
) -> AttributeTable:
    """Return the population, from a given frame or the scenario's file.

    Columns that are neither attributes nor the count are not counted; of those that are not dropped either, the first
    rows are read, since a column of numbers might be the count.

    Parameters
    ----------
    attributes : those that are read; all of the scenario unless given.
    place : the scenario's key of the population.
    """
    attributes = tuple(scenario.attributes) if attributes is None else attributes
    wanted = [*attributes, *([section.count] if section.count else [])]
    declared, missing = (*wanted, *section.drop), scenario.records.missing_values
    source: Source
    if frame is not None:
        source = _wrapped(frame, "population")
        refuse_absent(source.whose, source.names, declared)
    elif section.path is None:
        raise InvalidDataError("[population] names no file; add path, or hand a data frame over")
    else:
        source = open_section(scenario.folder / section.path, section, declared, place)
    refuse_unnamed_count(source.whose, source.names, section, declared, place)
    if undeclared := undeclared_columns((*declared, *scenario.attributes), source.names):
        refuse_unnamed_numbers(source.whose, source.numeric_columns(undeclared, missing), section, place)
    if isinstance(source, TableFile):
        check_kinds(source.types(wanted), source.whose, section.count)
    table = _count_attributes(source, attributes, missing, read_options, report_progress, count=section.count)
    refuse_weights(source.whose, int(table.people.sum()), section, place)
    return table


ZIP_DIGITS = 3
"""Digits of the prefixes that a list of ZIP populations counts."""


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
