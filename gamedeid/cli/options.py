"""Options that several commands share, each written once, and what becomes of them."""

import csv
import json
import re
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

import typer

from gamedeid.choices import EngineName, Format, GameName, RiskName, SolverName
from gamedeid.cli.standard_streams import print_error
from gamedeid.errors import InvalidScenarioError, OutputError, quoted

if TYPE_CHECKING:
    from gamedeid.data.engines.options import ReadOptions
    from gamedeid.results import FolderWriter
    from gamedeid.results.result import Result
    from gamedeid.results.resume import FinishedParts
    from gamedeid.scenario.scenario import Scenario


def _shipped_names(begun: str) -> list[str]:
    """Complete the name of a shipped scenario."""
    from gamedeid.scenario.shipped import runnable_names

    return runnable_names(begun)


ScenarioPath = Annotated[
    str,
    typer.Argument(
        metavar="SCENARIO",
        help="A scenario's TOML file, or the name of a shipped one such as quickstart.",
        autocompletion=_shipped_names,
    ),
]
ResultsFolder = Annotated[Path, typer.Argument(metavar="DIR", help="A folder of results.")]
ItsScenario = Annotated[
    str | None,
    typer.Argument(
        metavar="SCENARIO", help="Its scenario, which says where the inputs are.", autocompletion=_shipped_names
    ),
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
Solver = Annotated[
    SolverName,
    typer.Option(
        metavar="NAME",
        help="Solver of the games: exact, backward-induction, lattice-search or bounded-suboptimal.",
    ),
]
Game = Annotated[
    GameName,
    typer.Option(metavar="NAME", help="The game (permitted strategies): basic, no-attack or sh-friendly."),
]
Vary = Annotated[
    list[str] | None,
    typer.Option(
        metavar="STAKE=VALUES",
        help="Vary benefit, loss, cost or gain: START:STOP:STEP, START:STOP:logCOUNT or A,B,C. May be repeated.",
    ),
]
Record = Annotated[
    int | None, typer.Option(metavar="NUMBER", help="One record, by its number from 0, as in strategies.csv.")
]
Values = Annotated[
    str | None, typer.Option(metavar="ATTRIBUTE=VALUE,...", help="Or any person, by a value for every attribute.")
]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="DIR", help="Folder for the results; it must be new or empty."),
]
Engine = Annotated[
    EngineName,
    typer.Option(
        metavar="NAME",
        help="Engine that reads rows: auto, memory, duckdb, spark or dask; auto goes by size.",
    ),
]
Memory = Annotated[
    str, typer.Option(metavar="SIZE", help="Memory for reading and counting rows, such as 2GB or 512MiB.")
]
Spill = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="Where to spill rows beyond memory (default: a temporary folder)."),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Address of a Spark master or Dask scheduler (default: Spark's own configuration, threads for Dask).",
    ),
]
Risk = Annotated[
    RiskName,
    typer.Option(
        metavar="NAME",
        help="The risk: adversary (expected re-identifications), marketer (those if all are attacked) or attacked.",
    ),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", metavar="", help="Replace an earlier folder of results.")]
ReleaseForm = Annotated[
    Format, typer.Option("--format", metavar="NAME", help="Format of the release and the strategies: csv or parquet.")
]
Defuse = Annotated[
    bool, typer.Option("--defuse", metavar="", help="Write no CSV cell that a spreadsheet would take for a formula.")
]
WithReport = Annotated[
    bool,
    typer.Option(" /--no-report", metavar="", help="Leave out report.html, report.json and sensitivity.csv."),
]
Json = Annotated[bool, typer.Option("--json", metavar="", help="Print JSON for machines instead of a table.")]


def read_scenario(named: str, overrides: list[str] | None = None, policy: str | None = None) -> "Scenario":
    """Return the scenario of a path, or else of a shipped name, with overrides laid over it."""
    from gamedeid.scenario.shipped import scenario_of

    return scenario_of(named, scenario_changes(overrides, policy))


def scenario_changes(overrides: list[str] | None, policy: str | None) -> dict[str, Any]:
    """Return dotted key -> value of what options lay over a scenario's file."""
    from gamedeid.scenario.toml import override_value

    changes: dict[str, Any] = dict(override_value(text) for text in overrides or [])
    return changes if policy is None else changes | {"floor": policy}


def chosen_read_options(engine: EngineName, memory: str, spill: Path | None, cluster: str | None) -> "ReadOptions":
    """Return how rows are to be read."""
    from gamedeid.data.engines.options import ReadOptions

    return ReadOptions(engine=engine, memory=parse_memory(memory), spill=spill, cluster=cluster)


def cluster_session(read_options: "ReadOptions") -> AbstractContextManager[None]:
    """Hold a session with the cluster as long as the block lasts, if the engine is one."""
    if not read_options.on_cluster:
        return nullcontext()
    from gamedeid.data.engines.clusters import connected

    return connected(read_options)


def results_folder(output: Path | None, *, overwrite: bool) -> "AbstractContextManager[FolderWriter | None]":
    """Return where a command writes: a folder that appears whole when the block ends, or None when none was asked for.

    To be entered before the work: a folder that cannot be written is better known at once.
    """
    from gamedeid.results import writing_folder

    if output is not None:
        return writing_folder(output, overwrite=overwrite)
    if overwrite:
        raise OutputError("--overwrite replaces an earlier folder of results; say which with -o DIR")
    return nullcontext()


def clear_parts(finished: "FinishedParts", output: Path) -> None:
    """Remove the finished parts of work that is done; parts of another question are left alone, and named."""
    from gamedeid.results.resume import parts_beside

    left = finished.clear()
    if left:
        others = f"{left} finished part{'s' * (left != 1)} of another question"
        print_error(f"{parts_beside(output)} holds {others}; remove the folder if nobody needs them")


def where_written(output: Path | None, what: str) -> str:
    """Return the last line of a command: the folder of its results, or the option that would write them."""
    return f"Nothing was written; add -o DIR for {what}." if output is None else f"Written to {output}."


def print_json(content: "Result | Mapping[str, Any]") -> None:
    """Print JSON for machines, in letters that every encoding has."""
    print_plain(content if isinstance(content, Mapping) else content.as_dict())


def print_plain(content: object) -> None:
    """Print JSON that names no schema, such as a list of rows, or a schema itself."""
    typer.echo(json_words(content))


def json_words(content: object) -> str:
    """Return JSON as it is printed; numbers that are none are refused."""
    return json.dumps(content, indent=2, allow_nan=False)


def shows_values(context: typer.Context) -> bool:
    """Return whether ``--show-values`` stands among the words: messages and tables may tell values of the data."""
    return bool(context.find_root().params.get("show_values"))


_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}
_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]i?)?b?\s*", re.IGNORECASE)


def parse_memory(text: str) -> int:
    """Return the bytes that a text such as "2GB", "512MiB" or "1.5 g" means.

    Examples
    --------
    >>> parse_memory("2GB"), parse_memory("512 MiB")
    (2000000000, 536870912)
    """
    from gamedeid.data.engines.options import MOST_MEMORY

    found = _SIZE.fullmatch(text)
    if found is None:
        raise InvalidScenarioError(f"memory: expected a size such as 2GB or 512MiB, not {quoted(text)}")
    bytes_ = float(found[1]) * _UNITS[(found[2] or "").lower()]
    return int(min(bytes_, 2.0 * MOST_MEMORY))  # so much is refused, and may be more than a whole number can say


class Person(TypedDict, total=False):
    """How one person is named: by ``record``, a number, or by ``values``, attribute by attribute; by none if empty."""

    record: int
    values: dict[str, str]


def named_person(record: int | None, values: str | None) -> Person:
    """Return whom ``record`` or ``values`` names, nobody when neither is given."""
    if record is not None and values is not None:
        raise InvalidScenarioError("--record and --values both name one person; give one of them")
    if values is not None:
        return Person(values=parse_values(values))
    return Person() if record is None else Person(record=record)


def parse_values(text: str) -> dict[str, str]:
    """Read ``ATTRIBUTE=VALUE,...``; a part with a comma in it stands in double quotes, as in CSV.

    Examples
    --------
    >>> parse_values("age=48,sex=Male")
    {'age': '48', 'sex': 'Male'}
    >>> parse_values('"job=clerk, retired",age=70')
    {'job': 'clerk, retired', 'age': '70'}
    """
    form = "expected ATTRIBUTE=VALUE,ATTRIBUTE=VALUE,..., such as age=48,sex=Male"
    try:
        (parts,) = csv.reader([text], strict=True)
    except (csv.Error, ValueError):
        raise InvalidScenarioError(f"--values {quoted(text)}: {form}") from None
    values: dict[str, str] = {}
    for part in parts or [text]:
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not (name and equals and value):
            raise InvalidScenarioError(f"--values: {quoted(part)} is no value of an attribute; {form}")
        if name in values:
            raise InvalidScenarioError(f"--values: {quoted(name)} is given twice")
        values[name] = value
    return values
