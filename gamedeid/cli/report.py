"""The command ``gamedeid report``: make the report of stored results again."""

from pathlib import Path
from typing import Annotated

import typer

from gamedeid.cli.options import Json, print_json


def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that gamedeid run -o has written.")],
    *,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Where to write the page, instead of DIR/report.html."),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", metavar="", help="Replace an earlier file at -o FILE.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Make report.html again from a folder of results; neither data nor scenario are needed.

    Replaces DIR/report.html, unless another place is given with -o.
    """
    from gamedeid.errors import OutputError
    from gamedeid.file_identity import digest_file
    from gamedeid.report.html.stored import write_report
    from gamedeid.report.terminal.console import console

    if overwrite and output is None:
        raise OutputError(
            "--overwrite replaces an earlier file; say which with -o FILE (DIR/report.html is replaced anyway)"
        )
    written = write_report(folder, output, overwrite=overwrite)
    if as_json:
        print_json({"path": str(written), "sha256": digest_file(written)}, "page")
    else:
        console().print(f"Written to {written}.")
