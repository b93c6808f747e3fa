"""The files that an answer depends on, and those of each region."""

from collections.abc import Mapping
from pathlib import Path

from gamedeid.capabilities import Operation, refuse_unsupported
from gamedeid.errors import GamedeidError, InvalidDataError, InvalidScenarioError, quoted
from gamedeid.file_identity import PARQUET, InputFile, Inputs, parquet_parts
from gamedeid.generalization.files import HierarchyFile, find_hierarchy, table_of_hierarchy
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.open_hierarchy import OpenHierarchy
from gamedeid.generalization.shipped import prefix_list
from gamedeid.reprs import frozen
from gamedeid.results.manifest import MANIFEST, release_digest
from gamedeid.scenario.earlier import EARLIER_RELEASE, earlier_release_name
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.sections import SAFE_HARBOR

_ZIP_POPULATIONS, RESTRICTED_PREFIXES = "zip populations", "restricted prefixes"
"""Names in the manifest of the two files one of which Safe Harbor may need."""


@frozen
class _EarlierManifest(InputFile):
    """The manifest of an earlier release, to which signatures and determinations may be added later."""

    def digest(self) -> str:
        with self.unchanged():
            return release_digest(self.path)


def read_inputs(
    scenario: Scenario, *, records: bool = True, population: bool = True
) -> tuple[Inputs, dict[str, Hierarchy | OpenHierarchy]]:
    """Return every file on which a scenario's answer depends, as it is before it is opened, and the hierarchies.

    The file of the scenario is not listed, since its content is. Open hierarchies have no values of the data yet.
    """
    found = {
        name: attribute.hierarchy
        if not isinstance(attribute.hierarchy, str)
        else find_hierarchy(attribute.hierarchy, scenario.folder)
        for name, attribute in scenario.attributes.items()
    }
    given = {name for name, is_read in (("records", records), ("population", population)) if not is_read}
    files = {
        name: (_EarlierManifest if name.startswith(EARLIER_RELEASE) else InputFile).at(path)
        for name, path in _tables(scenario).items()
        if name not in given
    }
    hierarchies: dict[str, Hierarchy | OpenHierarchy] = {}
    for name, one in found.items():
        if not isinstance(one, Path):
            hierarchies[name] = one
            continue
        files[f"hierarchy {name}"] = InputFile.at(one)
        file = HierarchyFile.opened(one)
        if file.table is not None:
            files[f"table of hierarchy {name}"] = InputFile.at(file.table)
        hierarchies[name] = file.read()
    files |= _policy_files(scenario, hierarchies)
    return Inputs(files=files, unlisted=() if scenario.file is None else (scenario.file,)), hierarchies


def input_paths(scenario: Scenario) -> dict[str, Path | None]:
    """Return the expected path of each input of a scenario, by its name; None for a hierarchy that is not found.

    Only the files of hierarchies are read. The shipped list of restricted prefixes is not among the inputs.
    """
    paths: dict[str, Path | None] = {**_tables(scenario)}
    for name, attribute in scenario.attributes.items():
        if isinstance(attribute.hierarchy, str):
            path = paths[f"hierarchy {name}"] = _found_hierarchy(attribute.hierarchy, scenario.folder)
            if path is not None and (table := table_of_hierarchy(path)) is not None:
                paths[f"table of hierarchy {name}"] = table
    return paths if scenario.zip_file is None else {**paths, _ZIP_POPULATIONS: scenario.zip_file}


def _tables(scenario: Scenario) -> dict[str, Path]:
    """Return the paths of tables of people, and of the manifests of earlier releases."""
    sections = scenario.table_sections.items()
    paths = {name: one.path for name, one in sections if one is not None and one.path is not None}
    releases = () if scenario.earlier is None else scenario.earlier.releases
    paths |= {earlier_release_name(number): one.folder / MANIFEST for number, one in enumerate(releases)}
    return {name: scenario.folder / path for name, path in paths.items()}


def _found_hierarchy(named: str, folder: Path) -> Path | None:
    try:
        return find_hierarchy(named, folder)
    except GamedeidError:
        return None


def _policy_files(scenario: Scenario, hierarchies: Mapping[str, Hierarchy | OpenHierarchy]) -> dict[str, InputFile]:
    """Return the file with the ZIP prefixes that Safe Harbor may not publish, if one is needed."""
    if scenario.zip_file is not None:
        return {_ZIP_POPULATIONS: InputFile.at(scenario.zip_file)}
    if scenario.floor != SAFE_HARBOR or scenario.safe_harbor.zip_populations == "population":
        return {}
    roles = {attribute.stated_role(hierarchies[name]) for name, attribute in scenario.attributes.items()}
    return {RESTRICTED_PREFIXES: InputFile.at(prefix_list(scenario.safe_harbor.census))} if "zip" in roles else {}


def list_inputs_again(
    before: Inputs, scenario: Scenario, hierarchies: Mapping[str, Hierarchy | OpenHierarchy]
) -> Inputs:
    """Return every file on which another answer from the same data depends; those listed before as they were then.

    Hierarchies are not read again.
    """
    data = {name: file for name, file in before.files.items() if name not in (_ZIP_POPULATIONS, RESTRICTED_PREFIXES)}
    unlisted = () if scenario.file is None else (scenario.file,)
    return Inputs(files=data | _policy_files(scenario, hierarchies), unlisted=unlisted).as_first_seen(before)


def region_scenarios(scenario: Scenario) -> dict[str, Scenario]:
    """Return region -> the scenario with its files only, in the order of their names.

    A region is a Parquet file in the folder of the records and, if there is a population, the file of the same name in
    its folder, which may be the same folder. Kept columns are not read.
    """
    if scenario.regions is None:
        raise InvalidScenarioError(
            "the scenario has no regions; add [regions] with the attribute in which the files differ, and the level of "
            "its hierarchy at which no two of them share a group"
        )
    refuse_unsupported(Operation.BY_REGIONS, scenario.features)
    records = _files(scenario, scenario.records.path, "records")
    population = scenario.population
    people = None if population is None else _files(scenario, population.path, "population")
    if people is not None and records.keys() != people.keys():
        alone = sorted(records.keys() ^ people.keys())
        has, lacks = ("records", "population") if alone[0] in records else ("population", "records")
        raise InvalidDataError(
            f"each region needs a file of the same name in the folder of the records and in that of the population; "
            f"{quoted(alone[0] + PARQUET)} is in that of the {has} and not in that of the {lacks}"
            + (f"; {len(alone)} files lack the other in all" if len(alone) > 1 else "")
        )
    kept = scenario.records.keep
    regions = {}
    for name, path in records.items():
        update: dict[str, object] = {"path": path, "keep": (), "drop": (*scenario.records.drop, *kept)}
        changes: dict[str, object] = {"records": scenario.records.model_copy(update=update)}
        if population is not None and people is not None:
            changes["population"] = population.model_copy(update={"path": people[name]})
        regions[name] = scenario.model_copy(update=changes)
    return regions


def _files(scenario: Scenario, path: Path | None, section: str) -> dict[str, Path]:
    """Return region -> its file in the folder of a section."""
    if path is None:
        raise InvalidScenarioError(f"[{section}] names no folder of Parquet files, one for each region; add path")
    folder = scenario.folder / path
    parts = parquet_parts(folder)
    if not parts:
        what = "it holds none" if folder.is_dir() else "it is no folder" if folder.exists() else "there is nothing"
        raise InvalidDataError(f"{folder}: expected a folder with a Parquet file for each region; {what}")
    regions = {part.stem: part.absolute() for part in parts}
    if len(regions) < len(parts):
        raise InvalidDataError(f"{folder}: holds two files for one region, by the same name up to {PARQUET}")
    return regions
