"""The commands ``gamedeid scenarios``, ``fetch`` and ``schema``, for shipped and downloaded material."""

from pathlib import Path
from typing import Annotated

import typer

from gamedeid.cli.options import Json
from gamedeid.cli.printing import print_json, print_plain
from gamedeid.cli.progress import progress
from gamedeid.report.terminal.console import console, print_rows


def scenarios(*, as_json: Json = False) -> None:
    """List the scenarios that come with gamedeid, and say which of them can run here."""
    from gamedeid.scenario.shipped import missing_files_hint, shipped_scenarios

    found = shipped_scenarios()
    if as_json:
        from gamedeid.schemas.printed import ScenariosFacts, ShippedFacts

        facts = (
            ShippedFacts(name=one.name, title=one.title, path=str(one.path), absent=tuple(map(str, one.absent)))
            for one in found
        )
        print_json(ScenariosFacts(scenarios=tuple(facts)))
        return
    if not found:
        typer.echo("No scenario came with this installation.")
        return
    to = console()
    rows = ((one.name, one.title, "no" if one.absent else "yes") for one in found)
    print_rows(("name", "title", "can run"), rows, to, left=3)
    for one in found:
        if one.absent:
            to.print(f"{missing_files_hint(one.name, one.absent)}.")
    if able := [one.name for one in found if not one.absent]:
        to.print(f"Try one by its name: gamedeid compare {able[0]}")


def fetch(
    dataset: Annotated[str, typer.Argument(metavar="DATASET", help="Which dataset: adult.")],
    to: Annotated[Path, typer.Option("--to", "-o", metavar="DIR", help="An existing folder for the file.")] = Path(),
    address: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Another http or https address of the same file; its SHA-256 is checked."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Download a public dataset, check its digest, and write it into a folder.

    A file that is already there is kept; a different file of the same name is never overwritten.
    """
    from gamedeid.data import datasets as fetching

    known = fetching.find_dataset(dataset)
    there = fetching.already_there(dataset, to)
    with progress() as phase:
        path = fetching.fetch(dataset, to, address=address, progress=phase(known.file))
    if as_json:
        from gamedeid.schemas.printed import DatasetFacts

        print_json(DatasetFacts(dataset=dataset, path=str(path), sha256=known.sha256, already_there=there))
    else:
        console().print(f"{path} is already there." if there else f"Written to {path}: {known.title}.")


def _names(begun: str) -> list[str]:
    """Complete the name of a schema."""
    from gamedeid.schema_names import VERSIONS

    return [name for name in VERSIONS if name.startswith(begun)]


def schema(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME", help="Which schema, such as summary (default: list all).", autocompletion=_names
        ),
    ] = None,
) -> None:
    """Print the JSON Schema of an output, or of a scenario; without a name, list them."""
    from gamedeid.schema_names import schema_id
    from gamedeid.schemas.listed import SCHEMAS
    from gamedeid.schemas.listed import schema as json_schema

    if name is not None:
        print_plain(json_schema(name))
        return
    rows = ((one, schema_id(one).rpartition(":")[2], described.title) for one, described in SCHEMAS.items())
    print_rows(("name", "version", "document"), rows, console(), left=3)
