"""The command ``gamedeid determination``: draft the document that an expert edits and signs."""

from pathlib import Path
from typing import Annotated

import typer

from gamedeid.cli.options import Json, print_json


def determination(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that gamedeid run -o has written.")],
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write it: FILE.md or FILE.docx.")
    ],
    overwrite: Annotated[
        bool, typer.Option("--overwrite", metavar="", help="Replace an earlier file at -o FILE.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Draft an expert determination from a folder of results, as Markdown or DOCX to edit.

    Facts that gamedeid cannot know are left to fill in, and listed; neither data nor scenario are needed.
    """
    from gamedeid.file_identity import digest_file
    from gamedeid.report.determination.write import write_draft
    from gamedeid.report.html.stored import read_results
    from gamedeid.report.terminal.console import console
    from gamedeid.report.words.determination import left_to_fill_in

    results = read_results(folder)
    written = write_draft(results, output, overwrite=overwrite)
    missing = left_to_fill_in(results.summary, results.manifest)
    if as_json:
        print_json({"path": str(written), "sha256": digest_file(written), "to_fill_in": missing}, "determination")
        return
    to = console()
    to.print(f"Written to {written}.")
    if missing:
        to.print(f"Left to fill in: {'; '.join(one[0].lower() + one[1:] for one in missing)}.")
