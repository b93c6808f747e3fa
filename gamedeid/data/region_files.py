"""The regions of a scenario: the Parquet files in its folders, and the question about each of them alone."""

from collections.abc import Mapping
from pathlib import Path

from gamedeid.capabilities import Operation, check
from gamedeid.errors import InvalidDataError, InvalidScenarioError, quoted
from gamedeid.file_identity import PARQUET, parts_of
from gamedeid.scenario.regions import Regions
from gamedeid.scenario.scenario import Scenario

NAMED = 6
"""A message names no more regions than this."""


def region_scenarios(scenario: Scenario) -> tuple[Regions, Mapping[str, Scenario]]:
    """Return in what regions differ, and region -> the scenario with its files only, in the order of their names.

    A region is a Parquet file in the folder of the records and, where there is a population, the file of the same name
    in its folder, which may be the same. Kept columns are not read.

    Parameters
    ----------
    scenario : the question; it has ``[regions]``.

    Raises
    ------
    InvalidScenarioError : it does not say what regions are, or asks for what is not known of regions.
    InvalidDataError : a folder without Parquet files, or regions with records or people only.
    """
    if scenario.regions is None:
        raise InvalidScenarioError(
            "the scenario has no regions; add [regions] with the attribute in which the files differ, and the level of "
            "its hierarchy at which no two of them share a group"
        )
    check(Operation.BY_REGIONS, scenario.features)
    records = _files(scenario, scenario.records.path, "records")
    population = scenario.population
    people = None if population is None else _files(scenario, population.path, "population")
    if people is not None and records.keys() != people.keys():
        alone = sorted(records.keys() ^ people.keys())
        has, lacks = ("records", "population") if alone[0] in records else ("population", "records")
        raise InvalidDataError(
            f"each region needs a file of the same name in the folder of the records and in that of the population; "
            f"{quoted(alone[0] + PARQUET)} is in that of the {has} and not in that of the {lacks}"
            + (f"; so it is with {len(alone)} files in all" if len(alone) > 1 else "")
        )
    kept = scenario.records.keep
    regions = {}
    for name, path in records.items():
        update: dict[str, object] = {"path": path, "keep": (), "drop": (*scenario.records.drop, *kept)}
        changes: dict[str, object] = {"records": scenario.records.model_copy(update=update)}
        if population is not None and people is not None:
            changes["population"] = population.model_copy(update={"path": people[name]})
        regions[name] = scenario.model_copy(update=changes)
    return scenario.regions, regions


def _files(scenario: Scenario, path: Path | None, section: str) -> dict[str, Path]:
    """Return region -> its file in the folder of a section."""
    if path is None:
        raise InvalidScenarioError(f"[{section}] names no folder of Parquet files, one for each region; add path")
    folder = scenario.folder / path
    parts = parts_of(folder)
    if not parts:
        what = "it holds none" if folder.is_dir() else "it is no folder" if folder.exists() else "there is nothing"
        raise InvalidDataError(f"{folder}: expected a folder with a Parquet file for each region; {what}")
    return {part.stem: part.absolute() for part in parts}
