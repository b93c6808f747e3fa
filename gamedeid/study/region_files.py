"""The data of regions, each in a file of its own: the values of all of them, and the profiles and people of one."""

from collections.abc import Mapping

import numpy as np

from gamedeid.data.encode import KnownLeaves
from gamedeid.data.engines.options import ReadOptions
from gamedeid.data.hierarchies import close_hierarchy
from gamedeid.data.profiles import PopulationCells, Profiles
from gamedeid.data.question_tables import ReadTables, read_tables
from gamedeid.data.tables import AttributeTable, open_records, read_population
from gamedeid.errors import InvalidHierarchyError, quoted
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.open_hierarchy import OpenHierarchy
from gamedeid.parallel import side_by_side
from gamedeid.progress import Phases
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.prepare import code_tables

IN_MEMORY = ReadOptions(engine="memory")
"""Each region is held in memory while it is worked on."""


def read_region(
    scenario: Scenario, hierarchies: Mapping[str, Hierarchy], known_leaves: KnownLeaves
) -> tuple[Profiles, PopulationCells]:
    """Return the records and the people of a region, in the codes of the hierarchies of all regions."""
    coded = code_tables(scenario, hierarchies, _read(scenario), known_leaves)
    return coded.profiles, coded.population.cells


def _read(scenario: Scenario) -> ReadTables:
    """Return the tables of a region; a file that holds both records and people is read once."""
    population, path = scenario.population, scenario.records.path
    computed = any(attribute.is_computed for attribute in scenario.attributes.values())
    if population is None or path is None or population.path != path or computed:
        return read_tables(scenario, None, None, IN_MEMORY, None)
    open_records(scenario)  # what is wrong with its columns is said as of any records
    people = read_population(scenario, population, None, IN_MEMORY)
    ones = np.ones(len(people.people), np.int64)
    return ReadTables(
        records=AttributeTable(columns=people.columns, people=ones, rows=None),
        population=people,
        section=population,
        by_name={path.name: people},
        own={},
    )


def close_hierarchies(
    asked: Mapping[str, Scenario], hierarchies: Mapping[str, Hierarchy | OpenHierarchy], workers: int, progress: Phases
) -> dict[str, Hierarchy]:
    """Return the hierarchies, of which the open ones have the values that are found in any region."""
    still_open = {name: one for name, one in hierarchies.items() if isinstance(one, OpenHierarchy)}
    found: dict[str, set[object]] = {name: set() for name in still_open}
    if not still_open:
        return {name: one for name, one in hierarchies.items() if isinstance(one, Hierarchy)}
    report_progress = progress("reading the values of the regions")

    def values(_: int, scenario: Scenario) -> dict[str, set[object]]:
        tables = _read(_only(scenario, still_open))
        return {name: _values(tables, name) for name in still_open}

    for done, one in enumerate(side_by_side(values, asked.values(), workers), start=1):
        for name in still_open:
            found[name] |= one[name]
        report_progress(done, len(asked))
    closed = {}
    for name, hierarchy in hierarchies.items():
        if isinstance(hierarchy, OpenHierarchy):
            try:
                closed[name] = hierarchy.close(found[name])
            except InvalidHierarchyError as error:
                for scenario in asked.values():  # one of them says where the values are
                    close_hierarchy(name, hierarchy, _read(_only(scenario, {name: hierarchy})).by_name)
                raise InvalidHierarchyError(
                    *(f"column {quoted(name)}: {fault}" for fault in error.faults), values=error.data_values
                ) from None
        else:
            closed[name] = hierarchy
    return closed


def _only(scenario: Scenario, names: Mapping[str, object]) -> Scenario:
    """Return the scenario of a region with some of its attributes; the columns of the others are not read."""
    stored = [name for name, one in scenario.attributes.items() if name not in names and not one.is_computed]
    others = [name for name in scenario.attributes if name not in names]
    records = scenario.records.model_copy(update={"drop": (*scenario.records.drop, *stored)})
    update: dict[str, object] = {"attributes": {name: scenario.attributes[name] for name in names}, "records": records}
    if scenario.population is not None:
        drop = (*scenario.population.drop, *others)
        update["population"] = scenario.population.model_copy(update={"drop": drop})
    return scenario.model_copy(update=update)


def _values(tables: ReadTables, name: str) -> set[object]:
    """Return the distinct values of an attribute in the tables of a region."""
    found: set[object] = set()
    for table in tables.by_name.values():
        column = table.columns[name]
        found.update(column.values[place] for place in np.unique(column.codes[column.codes >= 0]).tolist())
    return found
