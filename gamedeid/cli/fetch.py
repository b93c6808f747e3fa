"""The command ``gamedeid fetch``: bring a public dataset here."""

from pathlib import Path
from typing import Annotated

import typer

from gamedeid.cli.options import Json, print_json
from gamedeid.cli.progress import progress


def fetch(
    dataset: Annotated[str, typer.Argument(metavar="DATASET", help="Which dataset: adult.")],
    to: Annotated[Path, typer.Option("--to", "-o", metavar="DIR", help="An existing folder for the file.")] = Path(),
    address: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Another http or https address of the same file; its SHA-256 is checked."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Download a public dataset, check that it is the known one, and write it into a folder.

    A file that is already there is kept; a different file of the same name is never overwritten.
    """
    from gamedeid.data import datasets as fetching
    from gamedeid.report.terminal.console import console

    known = fetching.find_dataset(dataset)
    there = fetching.already_there(dataset, to)
    with progress() as phase:
        path = fetching.fetch(dataset, to, address=address, progress=phase(known.file))
    if as_json:
        print_json({"dataset": dataset, "path": str(path), "sha256": known.sha256, "already_there": there}, "dataset")
    else:
        console().print(f"{path} is already there." if there else f"Written to {path}: {known.title}.")
