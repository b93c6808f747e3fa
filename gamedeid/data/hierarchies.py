"""Read the hierarchies of a scenario, and give open ones the values in the data."""

from collections.abc import Collection, Mapping
from pathlib import Path

import numpy as np

from gamedeid.data.encode import LOST_ZEROS, encode, rows_found
from gamedeid.data.files.tables import TableFile
from gamedeid.data.tables import AttributeTable, attributes_of_table
from gamedeid.errors import InvalidHierarchyError, InvalidScenarioError, quoted
from gamedeid.generalization.files import find_hierarchy, read_hierarchy
from gamedeid.generalization.hierarchy import Hierarchy, level_of
from gamedeid.generalization.open_hierarchy import OpenHierarchy
from gamedeid.generalization.prefixes import PrefixRule
from gamedeid.generalization.readings import as_text
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.sections import Population


def hierarchy_of(scenario: Scenario, attribute: str) -> Hierarchy | OpenHierarchy:
    """Return the hierarchy of an attribute, which may still be open to the values in the data."""
    named = scenario.attributes[attribute].hierarchy
    if not isinstance(named, str):
        return named
    return read_hierarchy(find_hierarchy(named, scenario.folder))


def known_levels(
    section: Population | None, hierarchies: Mapping[str, Hierarchy | OpenHierarchy], place: str = "population"
) -> dict[str, int]:
    """Return attribute -> level, for attributes that the population, if any, has only at a level above 0."""
    known = {name: level for name, level in (section.levels if section is not None else {}).items() if level}
    for name, level in known.items():
        hierarchy = hierarchies[name]
        if isinstance(hierarchy, OpenHierarchy):
            raise InvalidScenarioError(
                f"{place}.levels: {quoted(name)} takes its values from the data, which have none at level {level}; "
                "give it a hierarchy that lists them"
            )
        level_of(hierarchy, level, f"{place}.levels")
    return known


def close_hierarchy(name: str, hierarchy: Hierarchy | OpenHierarchy, tables: Mapping[str, AttributeTable]) -> Hierarchy:
    """Return a hierarchy unchanged, or an open one with the values of an attribute in those ``tables`` that have it."""
    if isinstance(hierarchy, Hierarchy):
        return hierarchy
    tables = {table_name: table for table_name, table in tables.items() if name in table.columns}
    try:
        return hierarchy.close([value for table in tables.values() for value in table.columns[name].held])
    except InvalidHierarchyError as error:
        invalid = set(error.data_values)
        where = [
            f"{table_name}: {rows}"
            for table_name, table in tables.items()
            if (rows := _rows_with(invalid, name, table))
        ]
        length = hierarchy.rule.length if isinstance(hierarchy.rule, PrefixRule) else 0
        hint = f"; {LOST_ZEROS}" if any(text.isdigit() and len(text) < length for text in invalid) else ""
        begin = "; ".join(where) + ": " if where else f"column {quoted(name)}: "
        faults = [f"{begin}{fault}{hint}" for fault in error.faults]
        raise InvalidHierarchyError(*faults, values=error.data_values) from None


def close_over_file(
    hierarchy: Hierarchy | OpenHierarchy, path: Path, column: str, *, missing_values: Collection[str]
) -> Hierarchy:
    """Return the hierarchy for a column of a file, with the values found there if it is open.

    The empty text is always a missing value.
    """
    file = TableFile.open(path, expected=[column])
    file.refuse_absent([column])
    table = attributes_of_table(file.read([column], coded=[column]), [column], {"", *missing_values}, str(path))
    closed = close_hierarchy(column, hierarchy, {str(path): table})
    encode(table.columns, {column: closed}, table_name=str(path), allow_missing=True)
    return closed


def _rows_with(invalid: set[str], name: str, table: AttributeTable) -> str:
    """Describe the rows of a column that have some values: how many, and the first; empty if there are none."""
    column = table.columns[name]
    places = [place for place, value in enumerate(column.values) if as_text(value) in invalid]
    rows = np.isin(column.codes, places)
    return f"column {quoted(name)}, {rows_found(rows, table.counted)}" if rows.any() else ""
