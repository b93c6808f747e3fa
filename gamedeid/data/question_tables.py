"""Read the tables of a question: the records, the population, and the populations of recipients."""

import logging
from collections.abc import Mapping
from typing import Any

from gamedeid.data.engines.options import ReadOptions
from gamedeid.data.tables import AttributeTable, read_population, read_records
from gamedeid.errors import InvalidScenarioError, one_line
from gamedeid.progress import Phases
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
    population : the table of the population; None if none is read.
    section : the scenario's section of the population; None if the records are their own population.
    by_name : name of a table in messages -> the table.
    own : name of a recipient -> the table of its separate population.
    """

    records: AttributeTable
    population: AttributeTable | None
    section: Population | None
    by_name: Mapping[str, AttributeTable]
    own: Mapping[str, AttributeTable]


def read_tables(
    scenario: Scenario, records: Any, population: Any, read_options: ReadOptions, progress: Phases
) -> ReadTables:
    """Read the records, the population if there is a table of it, and the separate populations of recipients."""
    section = scenario.population
    if population is not None:
        section = section or Population()
        if section.sampling_fraction is not None:
            raise InvalidScenarioError(
                "population.sampling_fraction replaces a population; remove it, or hand no population over"
            )
    is_estimated = section is not None and section.sampling_fraction is not None
    sections = {**scenario.table_sections, "population": None if is_estimated else section}
    frames = {"records": records, "population": population}
    owners = {own_population(name): name for name in scenario.recipients}
    by_place: dict[str, AttributeTable] = {}
    by_name: dict[str, AttributeTable] = {}
    for place, one in sections.items():
        if one is None:
            continue
        owner, frame = owners.get(place), frames.get(place)
        phase = f"reading the {place}" if owner is None else f"reading the people of {owner}"
        report_progress = progress(phase)
        if isinstance(one, Records):
            table = read_records(scenario, frame, read_options, report_progress, key=scenario.earlier_key)
        else:
            known = None if owner is None else scenario.recipients[owner].attributes_known(scenario.attributes)
            table = read_population(scenario, one, frame, read_options, report_progress, attributes=known, place=place)
        name = place if frame is not None or one.path is None else f"{place} ({one.path.name})"
        _LOG.info("%s: %d rows, %d columns read", one_line(name), table.total_rows, len(table.columns))
        report_progress(table.total_rows, table.total_rows)
        by_place[place] = by_name[name] = table
    return ReadTables(
        records=by_place["records"],
        population=by_place.get("population"),
        section=section,
        by_name=by_name,
        own={name: by_place[place] for place, name in owners.items() if place in by_place},
    )
