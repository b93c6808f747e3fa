"""The tables of a question, read: the records, the population, and the own populations of recipients."""

import logging
from collections.abc import Mapping
from typing import Any

from gamedeid.data.engines.options import ReadOptions
from gamedeid.data.tables import AttributeTable, read_population, read_records
from gamedeid.errors import InvalidScenarioError, one_line
from gamedeid.progress import Phases, Progress
from gamedeid.reprs import frozen
from gamedeid.scenario.recipients import own_population
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.sections import Population, Records

_LOG = logging.getLogger(__name__)


@frozen(eq=False)
class ReadTables:
    """The tables of a question, as they were read.

    Parameters
    ----------
    population : those of the population; None where no table of it is read.
    section : the scenario's section of the population; None where the records are their own.
    by_name : name of a table in messages -> the table.
    own : name of a recipient -> the table of its population.
    """

    records: AttributeTable
    population: AttributeTable | None
    section: Population | None
    by_name: Mapping[str, AttributeTable]
    own: Mapping[str, AttributeTable]


def read_tables(
    scenario: Scenario, records: Any, population: Any, read_options: ReadOptions, progress: Phases | None
) -> ReadTables:
    """Read the records and, where there is one, the population."""
    report_progress = _phase(progress, "reading the records")
    records_table = read_records(scenario, records, read_options, report_progress)
    name = _name_of("records", scenario.records, records)
    _report_all_rows(name, records_table, report_progress)
    by_name = {name: records_table}
    section = scenario.population
    if section is None and population is not None:
        section = Population()
    if section is None or section.sampling_fraction is not None:
        if population is not None:
            raise InvalidScenarioError(
                "population.sampling_fraction is for want of a population; none can be handed over"
            )
        population_table = None
    else:
        report_progress = _phase(progress, "reading the population")
        population_table = read_population(scenario, section, population, read_options, report_progress)
        name = _name_of("population", section, population)
        _report_all_rows(name, population_table, report_progress)
        by_name[name] = population_table
    own = _read_own(scenario, read_options, progress)
    by_name |= {own_population(name): table for name, table in own.items()}
    return ReadTables(records=records_table, population=population_table, section=section, by_name=by_name, own=own)


def _read_own(scenario: Scenario, read_options: ReadOptions, progress: Phases | None) -> dict[str, AttributeTable]:
    """Return recipient -> its population, with the attributes of which it knows something."""
    tables = {}
    for name, recipient in scenario.recipients.items():
        if recipient.population is not None:
            report_progress = _phase(progress, f"reading the people of {name}")
            tables[name] = read_population(
                scenario,
                recipient.population,
                None,
                read_options,
                report_progress,
                attributes=recipient.attributes_known(scenario.attributes),
                place=own_population(name),
            )
            _report_all_rows(own_population(name), tables[name], report_progress)
    return tables


def _phase(progress: Phases | None, name: str) -> Progress | None:
    return None if progress is None else progress(name)


def _name_of(table: str, section: Records | Population, frame: Any) -> str:
    """Return the name of a table in messages: its file, where it is read from one."""
    path = section.path if frame is None else None
    return table if path is None else f"{table} ({path.name})"


def _report_all_rows(name: str, table: AttributeTable, report_progress: Progress | None) -> None:
    """Tell that all rows of a table have been read."""
    _LOG.info("%s: %d rows, %d columns read", one_line(name), table.total_rows, len(table.columns))
    if report_progress is not None:
        report_progress(table.total_rows, table.total_rows)
