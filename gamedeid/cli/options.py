"""Options that several commands share, alone and in groups, and their parsing."""

import csv
import os
import re
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

import typer
from typer.models import ArgumentInfo

from gamedeid.choices import EngineName, GameName, RiskName, SolverName
from gamedeid.cli.standard_streams import print_error
from gamedeid.errors import InvalidScenarioError, OutputError, quoted

if TYPE_CHECKING:
    from gamedeid.data.engines.options import ReadOptions
    from gamedeid.results.folder import FolderWriter
    from gamedeid.results.resume import FinishedParts
    from gamedeid.scenario.scenario import Scenario


def _shipped_names(begun: str) -> list[str]:
    """Return the shipped scenarios that complete a word."""
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
DataFile = Annotated[
    Path,
    typer.Argument(
        metavar="DATA", help="A file of CSV, Parquet, SAS, SPSS, Stata or Excel, or a folder of Parquet files."
    ),
]
RunFolder = Annotated[Path, typer.Argument(metavar="DIR", help="A folder that gamedeid run -o has written.")]
Overrides = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="KEY=VALUE", help="Override any scenario key, such as payoffs.loss=500. May be repeated."
    ),
]
Solver = Annotated[
    SolverName,
    typer.Option(
        metavar="NAME",
        help="Solver of the games: exact, backward-induction, lattice-search or bounded-suboptimal.",
    ),
]
Game = Annotated[
    GameName | None,
    typer.Option(metavar="NAME", help="The game: basic, no-attack or sh-friendly (default: the scenario's)."),
]
Risk = Annotated[
    RiskName,
    typer.Option(
        metavar="NAME",
        help="The risk: adversary (expected re-identifications), marketer (those if all are attacked) or attacked.",
    ),
]
OverwriteFile = Annotated[bool, typer.Option("--overwrite", metavar="", help="Replace an earlier file at -o FILE.")]
Json = Annotated[bool, typer.Option("--json", metavar="", help="Print JSON for machines instead of a table.")]


def with_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with the options of its groups as separate parameters for typer.

    A parameter of the command whose type is a dataclass is replaced by the fields of that class, with typer's
    annotations; the command is called with an instance. Arguments come before options.
    """
    own = signature(command).parameters.values()
    groups: dict[str, Any] = {one.name: one.annotation for one in own if is_dataclass(one.annotation)}
    options = [
        option.replace(kind=Parameter.KEYWORD_ONLY)
        for one in own
        for option in (signature(groups[one.name]).parameters.values() if one.name in groups else [one])
    ]

    options.sort(key=lambda one: not isinstance(getattr(one.annotation, "__metadata__", (None,))[0], ArgumentInfo))

    @wraps(command)
    def call(**given: Any) -> None:
        made = {
            name: group(**{field.name: given.pop(field.name) for field in fields(group)})
            for name, group in groups.items()
        }
        command(**made, **given)

    call.__dict__["__signature__"] = Signature(options)
    call.__annotations__ = {one.name: one.annotation for one in options}
    return call


@dataclass(frozen=True, kw_only=True, repr=False)
class ScenarioOptions:
    """The scenario of a command, and the overrides of its file."""

    scenario: ScenarioPath
    policy: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The policy to compare with and the floor of sh-friendly."),
    ] = None
    overrides: Overrides = None

    def read(self, after: list[Path] | None = None) -> "Scenario":
        """Return the scenario with all overrides, after the earlier releases in some folders."""
        return read_scenario(self.scenario, self.overrides, self.policy, after)


@dataclass(frozen=True, kw_only=True, repr=False)
class FinishedFolder:
    """A finished folder, and its scenario if named, in either order: only the folder has a manifest."""

    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder of results.")]
    scenario: Annotated[
        str | None,
        typer.Argument(
            metavar="SCENARIO",
            help="Its scenario, which says where the inputs are: a TOML file, or the name of a shipped one.",
            autocompletion=_shipped_names,
        ),
    ] = None
    overrides: Overrides = None
    after: Annotated[
        list[Path] | None,
        typer.Option(
            "--after",
            metavar="EARLIER",
            help="An earlier release, if the folder was made with gamedeid run --after. May be repeated.",
        ),
    ] = None

    def read(self) -> "tuple[Path, Scenario | None]":
        """Return the folder, and the scenario with all overrides; None if no scenario is named."""
        folder, named = self.folder, self.scenario
        if named is not None and has_manifest(Path(named)) and not has_manifest(folder):
            folder, named = Path(named), str(folder)
        return folder, read_named_scenario(named, self.overrides, self.after)


def has_manifest(folder: Path) -> bool:
    """Return whether a folder holds results."""
    from gamedeid.results.manifest import MANIFEST

    return os.path.isfile(folder / MANIFEST)  # noqa: PTH113  (Path.is_file raises for a name too long)


@dataclass(frozen=True, kw_only=True, repr=False)
class FileReadingOptions:
    """Options for reading rows on this computer."""

    engine: Annotated[
        EngineName,
        typer.Option(
            metavar="NAME",
            help="Engine that reads rows: auto, memory, duckdb, spark or dask; auto goes by size.",
        ),
    ] = "auto"
    memory: Annotated[
        str, typer.Option(metavar="SIZE", help="Memory for reading and counting rows, such as 2GB or 512MiB.")
    ] = "2GiB"
    spill: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where to spill rows beyond memory (default: a temporary folder)."),
    ] = None

    def chosen(self, cluster: str | None = None) -> "ReadOptions":
        """Return the options for reading rows."""
        from gamedeid.data.engines.options import ReadOptions

        return ReadOptions(engine=self.engine, memory=parse_memory(self.memory), spill=self.spill, cluster=cluster)


@dataclass(frozen=True, kw_only=True, repr=False)
class ReadingOptions(FileReadingOptions):
    """Options for reading rows on this computer or a cluster."""

    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Address of a Spark master or Dask scheduler (default: Spark's own configuration, threads for Dask).",
        ),
    ] = None

    def chosen(self, cluster: str | None = None) -> "ReadOptions":
        """Return the options for reading rows."""
        return super().chosen(cluster or self.cluster)


@dataclass(frozen=True, kw_only=True, repr=False)
class OutputOptions:
    """Options for the place of a command's results."""

    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="DIR", help="Folder for the results; it must be new or empty."),
    ] = None
    overwrite: Annotated[
        bool, typer.Option("--overwrite", metavar="", help="Replace an earlier folder of results.")
    ] = False

    def writing(self) -> "AbstractContextManager[FolderWriter | None]":
        """Return a context of the writer of a folder, which appears whole when the block ends; of None without -o.

        Enter it before the work, so that a folder that cannot be written is reported at once.
        """
        from gamedeid.results.folder import writing_folder

        if self.output is not None:
            return writing_folder(self.output, overwrite=self.overwrite)
        if self.overwrite:
            raise OutputError("--overwrite replaces an earlier folder of results; say which with -o DIR")
        return nullcontext()

    def clear_parts(self, finished: "FinishedParts | None") -> None:
        """Remove the finished parts of completed work; parts of another question are kept and reported."""
        from gamedeid.results.resume import parts_beside

        if finished is None or self.output is None:
            return
        left = finished.clear()
        if left:
            others = f"{left} finished part{'s' * (left != 1)} of another question"
            print_error(f"{parts_beside(self.output)} holds {others}; remove the folder if they are not needed")

    def where(self, what: str) -> str:
        """Return the last line of a command: the folder of its results, or the option that would write them."""
        if self.output is None:
            return f"Nothing was written; add -o DIR for {what}."
        return f"Written to {self.output}."


@dataclass(frozen=True, kw_only=True, repr=False)
class OnePerson:
    """The person that a question is about, or no person."""

    record: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="One record, by its number from 0, as in strategies.csv.")
    ] = None
    values: Annotated[
        str | None,
        typer.Option(
            metavar="ATTRIBUTE=VALUE,...", help="Instead of --record: any person, by a value for every attribute."
        ),
    ] = None

    def named(self) -> "Person":
        """Return the person as keyword arguments of the library's functions."""
        if self.record is not None and self.values is not None:
            raise InvalidScenarioError("--record and --values both name one person; give one of them")
        if self.values is not None:
            return Person(values=parse_values(self.values))
        return Person() if self.record is None else Person(record=self.record)


def read_scenario(
    named: str, overrides: list[str] | None = None, policy: str | None = None, after: list[Path] | None = None
) -> "Scenario":
    """Return the scenario of a path, or else of a shipped name, with overrides."""
    from gamedeid.scenario.shipped import scenario_of

    changes = scenario_changes(overrides, policy)
    if after:
        changes["earlier.releases"] = [str(folder.absolute()) for folder in after]
    return scenario_of(named, changes)


def read_named_scenario(
    named: str | None, overrides: list[str] | None, after: list[Path] | None = None
) -> "Scenario | None":
    """Return the scenario with all overrides; None if none is named, which leaves nothing to override."""
    if named is not None:
        return read_scenario(named, overrides, after=after)
    if overrides or after:
        raise InvalidScenarioError(f"{'--set' if overrides else '--after'} overrides keys of a scenario; name one")
    return None


def scenario_changes(overrides: list[str] | None, policy: str | None) -> dict[str, Any]:
    """Return dotted key -> value of the overrides of a scenario's file by options."""
    from gamedeid.scenario.toml import override_value

    changes: dict[str, Any] = dict(override_value(text) for text in overrides or [])
    return changes if policy is None else changes | {"floor": policy}


def cluster_session(read_options: "ReadOptions") -> AbstractContextManager[None]:
    """Return a context that holds a session with the cluster, if the engine is a cluster."""
    if not read_options.on_cluster:
        return nullcontext()
    from gamedeid.data.engines.clusters import connected

    return connected(read_options)


def shows_values(context: typer.Context) -> bool:
    """Return whether ``--show-values`` is given: messages and tables may contain values of the data."""
    return bool(context.find_root().params.get("show_values"))


_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}
_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]i?)?b?\s*", re.IGNORECASE)


def parse_memory(text: str) -> int:
    """Return the number of bytes in a text such as "2GB", "512MiB" or "1.5 g".

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
    return int(min(bytes_, 2.0 * MOST_MEMORY))  # larger sizes are refused, and may be infinite


class Person(TypedDict, total=False):
    """One person, named by ``record``, a number, or by ``values``, attribute -> value; empty for no person."""

    record: int
    values: dict[str, str]


def parse_values(text: str) -> dict[str, str]:
    """Parse ``ATTRIBUTE=VALUE,...``; a part with a comma is in double quotes, as in CSV.

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
