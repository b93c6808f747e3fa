"""Options that several commands share, each written once."""

from pathlib import Path
from typing import Annotated, Any

import typer

from gamedeid.errors import InvalidScenarioError, did_you_mean
from gamedeid.readers.shipped import shipped_files
from gamedeid.scenario import Scenario
from gamedeid.scenario_files import override_value

ScenarioPath = Annotated[
    str,
    typer.Argument(metavar="SCENARIO", help="A scenario's TOML file, or the name of a shipped one such as quickstart."),
]
Overrides = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="KEY=VALUE", help="Override any scenario key, such as payoffs.loss=500. May be repeated."
    ),
]
PolicyName = Annotated[
    str | None,
    typer.Option("--policy", metavar="NAME", help="The policy to compare with and the floor of sh-friendly."),
]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="DIR", help="Folder for the results; it must not exist yet.")
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace an earlier results folder.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for machines instead of a table.")]


def read_scenario(named: str, overrides: list[str] | None = None, policy: str | None = None) -> Scenario:
    """Return the scenario of a path, or else of a shipped name, with overrides laid over it.

    Raises
    ------
    InvalidScenarioError : there is none of this name, or it says something that means nothing.
    """
    changes: dict[str, Any] = dict(override_value(text) for text in overrides or [])
    if policy is not None:
        changes["floor"] = policy
    return Scenario.read(_found(named), changes)


def _found(named: str) -> Path:
    path = Path(named)
    if path.exists() or path.suffix:
        return path
    shipped = shipped_files("scenarios")
    if named not in shipped:
        raise InvalidScenarioError(
            f"{named}: no such scenario file, and none of the shipped ones ({', '.join(sorted(shipped))})"
            + did_you_mean(named, shipped)
        )
    return shipped[named]
