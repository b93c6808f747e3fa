"""The command ``gamedeid determination``: the draft that an expert signs."""

from pathlib import Path
from typing import Annotated

import typer

from gamedeid.cli.options import Json, OverwriteFile, RunFolder, print_json
from gamedeid.report.terminal.console import console, print_lines


def determination(
    folder: RunFolder,
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write it: FILE.md or FILE.docx.")
    ],
    overwrite: OverwriteFile = False,
    as_json: Json = False,
) -> None:
    """Draft an expert determination from a folder of results, as Markdown or DOCX to edit.

    Facts that gamedeid cannot know are left to fill in, and listed; neither data nor scenario are needed. A draft
    written into DIR belongs to the folder, and gamedeid sign signs it as it is filled in.
    """
    from gamedeid.catalogue import sentences
    from gamedeid.file_identity import digest_file
    from gamedeid.report.determination.write import write_draft
    from gamedeid.report.html.stored import read_results
    from gamedeid.report.words.determination import missing_facts
    from gamedeid.schemas.printed import DeterminationFacts

    results = read_results(folder)
    written = write_draft(folder, results, output, overwrite=overwrite)
    missing = missing_facts(results.summary, results.manifest)
    if as_json:
        print_json(DeterminationFacts(path=str(written), sha256=digest_file(written), to_fill_in=tuple(missing)))
        return
    facts = {"to_fill_in": "; ".join(one[0].lower() + one[1:] for one in missing)}
    print_lines((f"Written to {written}.", *sentences("commands.determination", facts)), console())
