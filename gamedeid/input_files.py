"""Which files an answer depends on."""

from pathlib import Path

from gamedeid.found_hierarchies import hierarchy_of
from gamedeid.readers.hierarchy_files import find_hierarchy, table_of
from gamedeid.readers.zip3 import prefix_list
from gamedeid.scenario import SAFE_HARBOR, Scenario
from gamedeid.sections import Policy


def input_files(scenario: Scenario) -> dict[str, Path]:
    """Return every file that a scenario's answer depends on: a name for it, and the path."""
    files = {}
    if scenario.records.path is not None:
        files["records"] = scenario.folder / scenario.records.path
    if scenario.population is not None and scenario.population.path is not None:
        files["population"] = scenario.folder / scenario.population.path
    for name, attribute in scenario.attributes.items():
        if isinstance(attribute.hierarchy, str):
            path = find_hierarchy(attribute.hierarchy, scenario.folder)
            files[f"hierarchy {name}"] = path
            if (table := table_of(path)) is not None:
                files[f"table of hierarchy {name}"] = table
    zips = scenario.policy.get(SAFE_HARBOR, Policy()).zip_populations
    if zips is not None and zips != "population":
        files["zip populations"] = scenario.folder / zips
    roles = (attribute.role or hierarchy_of(scenario, name).role for name, attribute in scenario.attributes.items())
    if zips is None and scenario.floor == SAFE_HARBOR and "zip" in roles:
        files["restricted prefixes"] = prefix_list()
    return files
