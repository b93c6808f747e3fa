"""Read the records and the population of a scenario, from files or data frames, as columns of codes."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pyarrow as pa

from gamedeid.arrays import IntArray
from gamedeid.blocks import TABLE_ROWS
from gamedeid.capabilities import Feature, Operation, check
from gamedeid.data.ages import date_columns, refuse_computed, with_ages
from gamedeid.data.columns import FIRST_ROWS, check_kinds, numeric_columns, to_column, to_people
from gamedeid.data.declared import (
    engine_of_file,
    open_section,
    refuse_undeclared,
    refuse_unnamed_count,
    refuse_unnamed_numbers,
    refuse_weights,
    undeclared_columns,
)
from gamedeid.data.engines.clusters import open_table
from gamedeid.data.engines.contract import Rows
from gamedeid.data.engines.duckdb import group_file
from gamedeid.data.engines.grouping import Groups, group_rows
from gamedeid.data.engines.lazy import LazyRows, can_join
from gamedeid.data.engines.local import RowsInMemory, StreamedRows
from gamedeid.data.engines.options import AUTOMATIC, ReadOptions
from gamedeid.data.engines.spills import sweep_spills
from gamedeid.data.files.tables import TableFile, refuse_absent
from gamedeid.data.frames import Frame
from gamedeid.data.persons import RepeatedKey, number_persons, repeated_keys
from gamedeid.data.profiles import Column
from gamedeid.errors import InvalidDataError, InvalidScenarioError
from gamedeid.progress import Progress
from gamedeid.reprs import frozen
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.sections import Population


@frozen(eq=False)
class AttributeTable:
    """The attributes of records or of a population, as columns of codes.

    Parameters
    ----------
    columns : attribute -> its values, (rows,); where an engine has counted the rows, each row here is a distinct one.
    people : (rows,) int64, how many records or people each row stands for.
    rows : the records themselves, for the release; None for a population.
    counted : (rows,) int64, how many rows of the data each row here stands for; None where that is one.
    repeated_keys : columns of records that repeat like a person's key.
    person_of_row : (rows,) int64, the number of each record's person, from 0 in the order of their first records; None
        where each record is a person.
    """

    columns: Mapping[str, Column]
    people: IntArray
    rows: Rows | None
    counted: IntArray | None = None
    repeated_keys: tuple[RepeatedKey, ...] = ()
    person_of_row: IntArray | None = None

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
    """Return the records, from a frame if one is given, else from the scenario's file.

    Parameters
    ----------
    frame : a data frame. One that is lazy stays where it is.
    report_progress : called with (done, total) while an engine counts the rows.
    """
    section = scenario.records
    declared, dates = _declared(scenario), date_columns(scenario)
    wanted = [*_stored(scenario), *section.keep]
    if frame is not None:
        given = Frame.of(frame, "records")
        refuse_computed(scenario, given.names, "records")
        refuse_absent("records", given.names, (*declared, *dates))
        refuse_undeclared("records", given.names, declared)
        if section.person is not None or dates:
            return _whole_records_of_frame(scenario, given, wanted, dates)
        keys = () if given.lazy else _repeated_keys(scenario, lambda names: given.select(names).first_rows(TABLE_ROWS))
        return replace(
            _records_of_frame(scenario, given.select(wanted), report_progress=report_progress), repeated_keys=keys
        )
    sweep_spills(read_options.spill)
    file = open_records(scenario)
    if section.person is not None or dates:
        return _whole_records_of_file(scenario, file, wanted, dates, read_options)
    keys = _repeated_keys(scenario, lambda names: next(file.blocks(names)))
    return replace(_records_of_file(scenario, file, read_options, report_progress), repeated_keys=keys)


def open_records(scenario: Scenario) -> TableFile:
    """Return the file of the records, whose columns are all declared, and no row of which has been read."""
    section = scenario.records
    if section.path is None:
        raise InvalidDataError("the scenario names no records; add [records] path, or hand a data frame over")
    path = scenario.folder / section.path
    declared, dates, stored = _declared(scenario), date_columns(scenario), _stored(scenario)
    file = open_section(path, section, (*declared, *dates), "records")
    refuse_computed(scenario, file.names, str(path))
    if undeclared_columns(declared, file.names):
        file.refuse_no_header()
    refuse_undeclared(str(path), file.names, declared)
    types = file.types([*stored, *section.keep, *dates])
    check_kinds({name: types[name] for name in (*stored, *dates)}, str(path))
    return file


def _stored(scenario: Scenario) -> list[str]:
    """Return the attributes that the records have columns of."""
    return [name for name, attribute in scenario.attributes.items() if not attribute.is_computed]


def _declared(scenario: Scenario) -> tuple[str, ...]:
    """Return the columns of the records of which the scenario says what becomes of them."""
    section = scenario.records
    keys_of_persons = () if section.person is None else (section.person,)
    return (*_stored(scenario), *section.keep, *section.drop, *keys_of_persons)


def _records_of_file(
    scenario: Scenario, file: TableFile, read_options: ReadOptions, report_progress: Progress | None
) -> AttributeTable:
    section, path = scenario.records, file.path
    wanted = [*scenario.attributes, *section.keep]
    missing = section.missing_values
    match engine_of_file(read_options, file, wanted):
        case "memory":
            return _records_of_table(scenario, file.read(wanted, coded=scenario.attributes), str(path))
        case "duckdb":
            groups = group_file(file, scenario.attributes, read_options, report_progress=report_progress)
            rows = StreamedRows(
                file=file, attributes=tuple(scenario.attributes), kept=section.keep, missing_values=missing
            )
            return _table_of_groups(scenario, groups, str(path), rows)
        case _:
            frame = open_table(file, [name for name in file.names if name in wanted], read_options, numbered=True)
            table = _records_of_frame(scenario, Frame.of(frame, str(path)), file.stated_rows, report_progress)
            return replace(table, rows=replace(cast("LazyRows", table.rows), file=file))


def _whole_records_of_file(
    scenario: Scenario, file: TableFile, wanted: Sequence[str], dates: Sequence[str], read_options: ReadOptions
) -> AttributeTable:
    """Return the records of a file that its engine holds in memory, with whatever is computed from whole rows."""
    person, whose = scenario.records.person, str(file.path)
    names = list(dict.fromkeys([*wanted, *dates, *([] if person is None else [person])]))
    engine = engine_of_file(read_options, file, names)
    if engine != "memory":
        raise InvalidScenarioError(
            f"{whose}: {_what_needs_memory(scenario)} in memory only, and this "
            f'file is read by "{engine}"; take the engine "memory", or more memory'
        )
    stored = [name for name in names if name in scenario.attributes or name == person]
    table = with_ages(scenario, file.read(names, coded=stored), whose)
    records = _records_of_table(scenario, _only(table, [*wanted, *scenario.attributes]), whose)
    return _with_persons(scenario, records, table, whose)


def _whole_records_of_frame(
    scenario: Scenario, frame: Frame, wanted: Sequence[str], dates: Sequence[str]
) -> AttributeTable:
    """Return the records of a frame in memory, with whatever is computed from whole rows."""
    if frame.lazy:
        ages = scenario.records.person is None
        check(Operation.COMPUTED_AGES if ages else Operation.GROUPED_ROWS, {Feature.LAZY: "records"})
    person = scenario.records.person
    names = [*wanted, *dates, *([] if person is None else [person])]
    table = with_ages(scenario, frame.select(names).collected().to_arrow(), frame.whose)
    released = _only(table, [*wanted, *scenario.attributes])
    collected = frame.select(wanted).collected()
    given = Frame.of(released, frame.whose) if collected.rows.implementation.is_pyarrow() else collected
    return _with_persons(
        scenario, _records_of_table(scenario, released, frame.whose, given.collected()), table, frame.whose
    )


def _with_persons(scenario: Scenario, records: AttributeTable, table: pa.Table, whose: str) -> AttributeTable:
    """Return the records with the person of each row, where the scenario names a key; the key is not kept."""
    person = scenario.records.person
    if person is None:
        return records
    key = to_column(table.column(person), person, whose, scenario.records.missing_values)
    return replace(records, person_of_row=number_persons(key, person, whose))


def _what_needs_memory(scenario: Scenario) -> str:
    if scenario.records.person is not None:
        return "the rows of one person ([records] person) are brought together"
    return "ages at a date of each record (born and at) are computed"


def _only(table: pa.Table, names: Collection[str]) -> pa.Table:
    return table.select([name for name in table.column_names if name in set(names)])


def read_population(
    scenario: Scenario,
    section: Population,
    frame: Any = None,
    read_options: ReadOptions = AUTOMATIC,
    report_progress: Progress | None = None,
    *,
    place: str = "population",
    others: Collection[str] = (),
) -> AttributeTable:
    """Return the population, from a frame if one is given, else from the scenario's file.

    Columns that are neither attributes nor the count are not counted; of those that are not dropped either, the first
    rows are read, since a column of numbers might be the count.

    Parameters
    ----------
    place : where the scenario says of the population what it says.
    others : columns that are no count, and need not be there.
    """
    wanted = [*scenario.attributes, *([section.count] if section.count else [])]
    declared = (*wanted, *section.drop)
    if frame is not None:
        given = Frame.of(frame, "population")
        refuse_absent("population", given.names, declared)
        refuse_unnamed_count("population", given.names, section, declared)
        numbers = given.numeric_columns(undeclared_columns(declared, given.names), scenario.records.missing_values)
        refuse_unnamed_numbers("population", numbers, section)
        table = _people_of_frame(scenario, given.select(wanted), section.count, report_progress=report_progress)
        refuse_weights("population", int(table.people.sum()), section)
        return table
    if section.path is None:
        raise InvalidDataError("[population] names no file; add path, or hand a data frame over")
    path = scenario.folder / section.path
    file = open_section(path, section, declared, place)
    refuse_unnamed_count(str(path), file.names, section, declared, place)
    if undeclared := undeclared_columns((*declared, *others), file.names):
        first_rows = file.first_rows(undeclared, FIRST_ROWS)
        refuse_unnamed_numbers(str(path), numeric_columns(first_rows, scenario.records.missing_values), section, place)
    table = _people_of_file(scenario, section, file, read_options, report_progress)
    refuse_weights(str(path), int(table.people.sum()), section, place)
    return table


def _people_of_file(
    scenario: Scenario,
    section: Population,
    file: TableFile,
    read_options: ReadOptions,
    report_progress: Progress | None,
) -> AttributeTable:
    wanted = [*scenario.attributes, *([section.count] if section.count else [])]
    path = file.path
    check_kinds(file.types(wanted), str(path), section.count)
    match engine_of_file(read_options, file, wanted):
        case "memory":
            return _people_of_table(scenario, file.read(wanted, coded=wanted), str(path), section.count)
        case "duckdb":
            groups = group_file(
                file, scenario.attributes, read_options, count=section.count, report_progress=report_progress
            )
            return _table_of_groups(scenario, groups, str(path))
        case _:
            frame = open_table(file, wanted, read_options)
            given = Frame.of(frame, str(path)).select(wanted)
            return _people_of_frame(scenario, given, section.count, file.stated_rows, report_progress)


def _repeated_keys(scenario: Scenario, first_rows: Callable[[Sequence[str]], pa.Table]) -> tuple[RepeatedKey, ...]:
    section = scenario.records
    return repeated_keys(section.keep, section.drop, section.missing_values, first_rows)


def _records_of_frame(
    scenario: Scenario, frame: Frame, rows: int | None = None, report_progress: Progress | None = None
) -> AttributeTable:
    if frame.lazy and can_join(frame):
        groups = group_rows(frame, scenario.attributes, stated_rows=rows, report_progress=report_progress)
        return _table_of_groups(scenario, groups, frame.whose, LazyRows(rows=frame, groups=groups))
    collected = frame.collected()
    return _records_of_table(scenario, collected.to_arrow(), frame.whose, collected)


def _records_of_table(scenario: Scenario, table: pa.Table, whose: str, frame: Frame | None = None) -> AttributeTable:
    missing = scenario.records.missing_values
    columns = {name: to_column(table.column(name), name, whose, missing) for name in scenario.attributes}
    rows = RowsInMemory(table=table, given_frame=frame)
    return AttributeTable(columns=columns, people=np.ones(table.num_rows, np.int64), rows=rows)


def _people_of_frame(
    scenario: Scenario,
    frame: Frame,
    count: str | None,
    rows: int | None = None,
    report_progress: Progress | None = None,
) -> AttributeTable:
    if frame.lazy:
        groups = group_rows(frame, scenario.attributes, count, stated_rows=rows, report_progress=report_progress)
        return _table_of_groups(scenario, groups, frame.whose)
    return _people_of_table(scenario, frame.collected().to_arrow(), frame.whose, count)


def _people_of_table(scenario: Scenario, table: pa.Table, whose: str, count: str | None) -> AttributeTable:
    missing = scenario.records.missing_values
    columns = {name: to_column(table.column(name), name, whose, missing) for name in scenario.attributes}
    people = np.ones(table.num_rows, np.int64) if count is None else to_people(table.column(count), count, whose)
    return AttributeTable(columns=columns, people=people, rows=None)


def _table_of_groups(scenario: Scenario, groups: Groups, whose: str, rows: Rows | None = None) -> AttributeTable:
    columns = groups.columns(whose, scenario.records.missing_values)
    return AttributeTable(columns=columns, people=groups.people, rows=rows, counted=groups.rows)
