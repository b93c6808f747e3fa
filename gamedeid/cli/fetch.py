"""The command that brings a public dataset here."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from gamedeid import fetch as fetching


def fetch(
    dataset: Annotated[str, typer.Argument(help="Which dataset: adult.", show_default=False)],
    to: Annotated[Path, typer.Option("--to", "-o", metavar="DIR", help="An existing folder for the file.")] = Path(),
    address: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Another http or https address of the same file; its SHA-256 is checked."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Say what was done in JSON.")] = False,
) -> None:
    """Download a public dataset, check that it is the known one, and write it into a folder.

    A file that is already there is kept; a different file of the same name is never overwritten.
    """
    known = fetching.find_dataset(dataset)
    there = fetching.already_there(dataset, to)
    with _bar(known.file) as progress:
        path = fetching.fetch(dataset, to, address=address, progress=progress)
    if as_json:
        said = {"dataset": dataset, "path": str(path), "sha256": known.sha256, "already_there": there}
        typer.echo(json.dumps(said))
    else:
        typer.echo(f"{path} is already there" if there else f"{path} written: {known.title}")


@contextmanager
def _bar(file: str) -> Iterator[fetching.Progress | None]:
    """Show how far a download is, on a terminal only."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(file, total=None)
        yield lambda come, expected: bar.update(task, completed=come, total=expected)
