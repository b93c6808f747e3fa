"""The command ``gamedeid next``: up to three commands that come next, with the folder or scenario filled in."""

import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gamedeid.cli.options import has_manifest

if TYPE_CHECKING:
    from gamedeid.results.stored import StoredResults
    from gamedeid.scenario.scenario import Scenario


def next(  # noqa: A001  (the command's name)
    place: Annotated[
        str, typer.Argument(metavar="DIR", help="A folder of results, the folder of a draft, or a scenario.")
    ],
    scenario: Annotated[
        str | None, typer.Argument(metavar="SCENARIO", help="The scenario of the results, for commands that need it.")
    ] = None,
) -> None:
    """Print up to three commands that come next for a folder of results, a drafted scenario or any other scenario.

    Nothing is run; manifest and scenario are read, no data.
    """
    from gamedeid.report.terminal.console import console
    from gamedeid.results.stored import StoredResults
    from gamedeid.scenario.shipped import scenario_of

    draft = str(Path(place) / "scenario.toml")
    is_draft = os.path.isfile(draft)  # noqa: PTH113  (Path.is_file raises for a name too long)
    if has_manifest(Path(place)) or (os.path.isdir(place) and not is_draft):  # noqa: PTH112
        found = after_results(StoredResults.read(place), scenario)
    else:
        named = draft if is_draft else place
        found = after_scenario(named, scenario_of(named, reads_data=False))
    to = console()
    for words, why in found:
        to.print(command_line(*words), soft_wrap=True)  # one line, so that it can be copied
        to.print(f"    {why}")


def command_line(*words: object) -> str:
    """Return a command quoted for a shell."""
    return shlex.join(["gamedeid", *map(str, words)])


def run_of_draft(named: object, scenario: "Scenario", output: str) -> tuple[object, ...]:
    """Return the words that run a draft such that no attack pays, even if the recipient knows the method.

    With several rows a person and a population, all records get one strategy; the run warns of what that discloses.
    """
    from gamedeid.intake.drafting.scenario_text import game_of_draft

    game = game_of_draft(population=scenario.population is not None, person=scenario.records.person is not None)
    if game == "no-attack":
        return ("run", named, "--game", game, "--set", "limits.uniform=true", "-o", output)
    return ("run", named, *(() if scenario.game == game else ("--game", game)), "-o", output)


def after_scenario(named: str, scenario: "Scenario") -> Iterator[tuple[tuple[object, ...], str]]:
    """Yield the words of commands for a written scenario, and the purpose of each."""
    from gamedeid.scenario.sections import UNSOURCED

    if scenario.records.path is not None:
        yield ("check", scenario.folder / scenario.records.path, named), "Columns that may hold identifiers."
    yield ("compare" if scenario.regions is None else "regions", named), "The policy and the games side by side."
    if scenario.sources.loss.startswith(UNSOURCED):
        yield run_of_draft(named, scenario, "release"), "The release, until the stakes are yours."
    else:
        game = () if scenario.game else ("--game", "no-attack")
        yield ("run", named, *game, "-o", "release"), "The release."


def after_results(results: "StoredResults", scenario: str | None) -> Iterator[tuple[tuple[object, ...], str]]:
    """Yield the words of commands for written results, and the purpose of each."""
    from gamedeid.capabilities import Operation, refusal_words
    from gamedeid.results.manifest import is_document
    from gamedeid.results.stored import CONTENT, is_signed
    from gamedeid.scenario.scenario import Scenario

    folder, question = results.folder, (() if scenario is None else (scenario, *_overrides(results, scenario)))
    without = "" if question else " without the scenario"
    other = "" if results.is_of_this_version else "; most commands need results of this version, so run again"
    yield ("verify", folder, *question), f"Recompute all that can be recomputed{without}{other}."
    if not results.is_run or other:
        return
    has_report = CONTENT in results.outputs
    if scenario is not None and refusal_words(Operation.METHOD, Scenario.parse(results.question).features) is None:
        yield ("audit", folder, *question), "The risk if the recipient knows how the release was made."
    elif has_report:
        yield ("risk", "release", folder), "The risk by every measure, and the thresholds that are met."
    if is_signed(folder) or not has_report:
        if scenario is not None:
            yield ("codebook", folder, *question, "-o", "codebook.csv"), "Columns and labels, for recipients."
        elif has_report:
            yield ("certificate", folder), "One page to print: verdict, thresholds, stakes, validity and signature."
    elif any(map(is_document, results.outputs)):
        why = "Sign the folder, once the determination is filled in. gamedeid sign --new-key expert.key makes a key."
        yield ("sign", folder, "--key", "expert.key"), why
    else:
        yield ("determination", folder, "-o", folder / "determination.docx"), "Draft the document that an expert signs."


def _overrides(results: "StoredResults", scenario: str) -> Iterator[str]:
    """Yield the words that repeat the run's overrides: other commands compare scenario and run.

    Results hold only the last part of an absolute path; a file that is not there is looked for in this folder.
    """
    from gamedeid.scenario.toml import key_parts, toml_value

    for key in results.overridden:
        value: Any = results.manifest["scenario"]
        for part in key_parts(key):
            value = value.get(part) if isinstance(value, dict) else None
        if value is None or key == "game":  # the results say which game they are of
            continue
        if key == "earlier.releases" and not any(one["records"] or one["rises"] for one in value):
            yield from (word for one in value for word in ("--after", one["folder"]))
            continue
        if key.endswith(".path") and not (Path(scenario).parent / value).exists() and Path(value).exists():
            value = str(Path(value).absolute())
        yield from ("--set", f"{key}={toml_value(value)}")
