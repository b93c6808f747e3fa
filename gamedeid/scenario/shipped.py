"""Find a scenario: a given one, a file, or a shipped one whose data are present."""

import os
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from gamedeid.amounts import joined
from gamedeid.errors import InvalidScenarioError, did_you_mean, quoted
from gamedeid.file_identity import TABLES
from gamedeid.generalization.shipped import shipped_files
from gamedeid.reprs import frozen
from gamedeid.scenario.scenario import Scenario, ScenarioLike


@frozen
class ShippedScenario:
    """A scenario that comes with gamedeid.

    Parameters
    ----------
    absent : the files of records and population that it needs and that are missing; without them it cannot run.
    """

    name: str
    title: str
    path: Path
    absent: tuple[Path, ...]


def shipped_scenarios() -> list[ShippedScenario]:
    """Return the scenarios that come with gamedeid, first those that can run here, the smallest data first."""
    found: list[tuple[bool, int, str, ShippedScenario]] = []
    for name, path in shipped_files("scenarios").items():
        scenario = Scenario.read(path)
        absent = tuple(absent_data(scenario))
        size = sum(path.stat().st_size for path in _data_files(scenario) if path not in absent)
        shipped_one = ShippedScenario(name=name, title=scenario.title, path=path, absent=absent)
        found.append((bool(absent), size, name, shipped_one))
    return [scenario for *_, scenario in sorted(found, key=lambda one: one[:3])]


def runnable_names(begun: str = "") -> list[str]:
    """Return the names of shipped scenarios that can run here and begin with ``begun``, for shell completion."""
    return [one.name for one in shipped_scenarios() if not one.absent and one.name.startswith(begun)]


def scenario_of(
    given: ScenarioLike, overrides: Mapping[str, Any] | None = None, *, reads_data: bool = True
) -> Scenario:
    """Return the given scenario, in any of its forms; ``overrides``, dotted key -> value, replace values of a file."""
    if isinstance(given, Scenario):
        return given
    if isinstance(given, Mapping):
        return Scenario.parse(given)
    if not isinstance(given, str | PathLike):
        raise InvalidScenarioError(
            "scenario: expected a Scenario, the path of a scenario file, the name of a shipped one, or a dict with its "
            f"sections, not {type(given).__name__}"
        )
    named = os.fspath(given)
    scenario = Scenario.read(find_scenario(named), overrides)
    if reads_data:
        refuse_absent_data(named, scenario)
    return scenario


def find_scenario(named: str) -> Path:
    """Return the path of a scenario: a file, or a shipped name."""
    path = Path(named)
    if path.suffix.lower() in TABLES and os.path.isfile(path):  # noqa: PTH113  (as below)
        raise InvalidScenarioError(
            f"{path}: is a table by its name, and a scenario is a TOML file that names its tables; draft one "
            "from the table first"
        )
    shipped = shipped_files("scenarios")
    if named and (path.suffix or os.path.exists(path)) and not _is_shipped(named):  # noqa: PTH110  (as below)
        return path
    if named not in shipped:
        offered = runnable_names()
        raise InvalidScenarioError(
            f"{quoted(named)}: no such scenario file, and none of the shipped ones ({', '.join(offered)})"
            + did_you_mean(named, offered)
        )
    return shipped[named]


def refuse_absent_data(named: str, scenario: Scenario) -> None:
    """Refuse a shipped scenario, by its name, whose data are missing."""
    absent = absent_data(scenario) if _is_shipped(named) else []
    if absent:
        raise InvalidScenarioError(f"scenario {missing_files_hint(named, absent)}")


def _is_shipped(named: str) -> bool:
    """Return whether a shipped scenario is named, also if a folder, such as that of its results, has the name."""
    return named in shipped_files("scenarios") and not os.path.isfile(named)  # noqa: PTH113  (Path.is_file may raise)


def missing_files_hint(name: str, absent: Sequence[Path]) -> str:
    """Return the missing files of a shipped scenario, their source, and the next step."""
    kept = f"scenarios/{absent[0].parent.name}"
    return (
        f"{quoted(name)} needs {joined([quoted(path.name) for path in absent], 'and')}, which an installation does not "
        f"hold; a clone of the repository and the source distribution have them: name scenarios/{name}.toml there, or "
        f"copy {kept} from there to {os.path.normpath(absent[0].parent)}"
    )


def absent_data(scenario: Scenario) -> list[Path]:
    """Return the missing files of records and population of a scenario."""
    return [path for path in _data_files(scenario) if not path.exists()]


def _data_files(scenario: Scenario) -> list[Path]:
    people = None if scenario.population is None else scenario.population.path
    return [scenario.folder / path for path in (scenario.records.path, people) if path is not None]
