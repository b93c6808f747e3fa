"""The commands ``gamedeid report``, ``certificate`` and ``determination``: documents made from a folder of results."""

from pathlib import Path
from typing import Annotated

import typer

from gamedeid.cli.commands import FINDINGS
from gamedeid.cli.options import Json, OverwriteFile, RunFolder
from gamedeid.cli.printing import print_json
from gamedeid.errors import OutputError
from gamedeid.report.terminal.console import console, print_lines


def report(
    folder: RunFolder,
    newer: Annotated[
        Path | None, typer.Argument(metavar="NEW", help="A later run; DIR is then the earlier one of two to compare.")
    ] = None,
    *,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Where to write the page, instead of DIR/report.html."),
    ] = None,
    overwrite: OverwriteFile = False,
    as_json: Json = False,
) -> None:
    """Make report.html again from a folder of results; neither data nor scenario are needed.

    Replaces DIR/report.html, unless another place is given with -o. With NEW, shows the changes from DIR to NEW for a
    renewal: scenario, data, figures, thresholds and validity; with -o as a page. Nothing in the folders changes.
    """
    from gamedeid.report.html.stored import write_report

    if overwrite and output is None:
        raise OutputError(
            "--overwrite replaces an earlier file; say which with -o FILE (DIR/report.html is replaced anyway)"
        )
    if newer is not None:
        from gamedeid.report.changes import print_changes, release_changes, write_changes

        changes = release_changes(folder, newer)
        if output is not None:
            write_changes(changes, output, overwrite=overwrite)
        if as_json:
            print_json(changes)
        elif output is None:
            print_changes(changes, console())
        else:
            console().print(f"Written to {output}.")
        return
    _print_page_path(write_report(folder, output, overwrite=overwrite), as_json=as_json)


def certificate(
    folder: RunFolder,
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Where to write it (default: DIR-certificate.html, next to DIR)."
        ),
    ] = None,
    public_key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The public key to check the signature of the folder with.")
    ] = None,
    overwrite: OverwriteFile = False,
    as_json: Json = False,
) -> None:
    """Write a certificate of one page to print: verdict, thresholds, stakes, validity, digest and signature.

    It is the first page of the report, made from the folder alone. It says whether the folder is signed, and whether
    files were changed after the run; the exit code is 3 if one was, or if the signature does not hold.
    """
    from gamedeid.report.html.stored import checked_certificate

    written, faults = checked_certificate(folder, output, public_key=public_key, overwrite=overwrite)
    _print_page_path(written, as_json=as_json)
    if faults:
        if not as_json:
            print_lines(faults, console())
        raise typer.Exit(FINDINGS)


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


def _print_page_path(written: Path, *, as_json: bool) -> None:
    from gamedeid.file_identity import digest_file
    from gamedeid.schemas.printed import PageFacts

    if as_json:
        print_json(PageFacts(path=str(written), sha256=digest_file(written)))
    else:
        console().print(f"Written to {written}.")
