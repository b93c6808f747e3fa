"""Which hierarchies a scenario speaks of, and how those that take their values from the data get them."""

from collections.abc import Mapping

import numpy as np

from gamedeid.builders import OpenHierarchy
from gamedeid.errors import InvalidScenarioError, quoted
from gamedeid.hierarchy import Hierarchy
from gamedeid.missing_codes import as_text
from gamedeid.policies import level_of
from gamedeid.readers.hierarchy_files import find_hierarchy, read_hierarchy
from gamedeid.scenario import Scenario
from gamedeid.sections import Population
from gamedeid.sources import Source


def hierarchy_of(scenario: Scenario, attribute: str) -> Hierarchy | OpenHierarchy:
    """Return the hierarchy of an attribute, which may still be open to the values in the data.

    Raises
    ------
    InvalidHierarchyError : there is none, or it is none.
    """
    named = scenario.attributes[attribute].hierarchy
    if isinstance(named, Hierarchy):
        return named
    return read_hierarchy(find_hierarchy(named, scenario.folder))


def known_levels(section: Population | None, ladders: Mapping[str, Hierarchy | OpenHierarchy]) -> dict[str, int]:
    """Return attribute -> level, for those that the population has at a level above 0 only.

    Raises
    ------
    InvalidScenarioError : a level that its hierarchy does not have, or has only once the data are known.
    """
    known = {name: level for name, level in (section.levels if section is not None else {}).items() if level}
    for name, level in known.items():
        ladder = ladders[name]
        if isinstance(ladder, OpenHierarchy):
            raise InvalidScenarioError(
                f"population.levels: {quoted(name)} takes its values from the data, which have none at level {level}; "
                "give it a hierarchy that lists them"
            )
        level_of(ladder, level, "population.levels")
    return known


def closed(name: str, ladder: Hierarchy | OpenHierarchy, *sources: Source) -> Hierarchy:
    """Return a hierarchy as it is, or an open one closed over the values of an attribute in all sources."""
    if isinstance(ladder, Hierarchy):
        return ladder
    values: set[str] = set()
    for source in sources:
        column = source.columns[name]
        used = np.unique(column.codes[column.codes >= 0])
        values.update(as_text(column.values[place]) for place in used.tolist())
    return ladder.close(sorted(values))
