"""List the files that an answer depends on."""

from gamedeid.data.hierarchies import hierarchy_of
from gamedeid.data.zip3 import prefix_list
from gamedeid.file_identity import InputFile, Inputs
from gamedeid.generalization.files import find_hierarchy, table_of
from gamedeid.scenario.built_in import SAFE_HARBOR
from gamedeid.scenario.recipients import own_population
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.sections import Policy


def input_files(scenario: Scenario, *, records: bool = True, population: bool = True) -> Inputs:
    """Return every file that a scenario's answer depends on, as it is now: to be called before any of them is opened.

    Parameters
    ----------
    scenario : the question; the file that it was read from is not listed, since the question itself is.
    records, population : whether they come from the scenario's files, and not from data frames.
    """
    files: dict[str, InputFile] = {}
    if records and scenario.records.path is not None:
        files["records"] = InputFile.at(scenario.folder / scenario.records.path)
    if population and scenario.population is not None and scenario.population.path is not None:
        files["population"] = InputFile.at(scenario.folder / scenario.population.path)
    for name, recipient in scenario.recipients.items():
        if recipient.population is not None and recipient.population.path is not None:
            files[own_population(name)] = InputFile.at(scenario.folder / recipient.population.path)
    for name, attribute in scenario.attributes.items():
        if isinstance(attribute.hierarchy, str):
            path = find_hierarchy(attribute.hierarchy, scenario.folder)
            files[f"hierarchy {name}"] = InputFile.at(path)
            if (table := table_of(path)) is not None:
                files[f"table of hierarchy {name}"] = InputFile.at(table)
    policy = scenario.policy.get(SAFE_HARBOR, Policy())
    zips = policy.zip_populations
    if zips is not None and zips != "population":
        files["zip populations"] = InputFile.at(scenario.folder / zips)
    roles = (attribute.role or hierarchy_of(scenario, name).role for name, attribute in scenario.attributes.items())
    if zips is None and scenario.floor == SAFE_HARBOR and "zip" in roles:
        files["restricted prefixes"] = InputFile.at(prefix_list(policy.census))
    return Inputs(files=files, unlisted=() if scenario.file is None else (scenario.file,))


def listed_again(before: Inputs, scenario: Scenario) -> Inputs:
    """Return every file that another answer from the same data depends on; those listed before as they were then.

    Parameters
    ----------
    before : the files of the question that the data were read for.
    scenario : another question about these data.
    """
    named = input_files(scenario, records="records" in before.files, population="population" in before.files)
    return named.as_first_seen(before)
