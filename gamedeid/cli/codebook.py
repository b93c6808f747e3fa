"""The command ``gamedeid codebook``: the meaning of a release's columns and labels."""

from pathlib import Path
from typing import Annotated

import typer

from gamedeid.cli.options import FinishedFolder, Json, OverwriteFile, with_groups
from gamedeid.cli.printing import print_found
from gamedeid.errors import OutputError


@with_groups
def codebook(
    finished: FinishedFolder,
    *,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="A CSV file to write, for the recipients.")
    ] = None,
    overwrite: OverwriteFile = False,
    as_json: Json = False,
) -> None:
    """Show the meaning of the columns and labels of a finished release, for its recipients.

    The codebook discloses no more than the release. It lists the labels of attributes, and the released codes of kept
    columns that have a label in records.value_labels of the scenario. It lists no other value of a kept column.
    """
    from gamedeid.report.terminal.release import print_codebook
    from gamedeid.study.codebook import release_codebook

    if overwrite and output is None:
        raise OutputError("--overwrite replaces an earlier file; say which with -o FILE")
    found = release_codebook(*finished.read())
    if output is not None:
        found.write(output, overwrite=overwrite)
    print_found(found, print_codebook, as_json=as_json)
