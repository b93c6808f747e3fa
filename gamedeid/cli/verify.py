"""The command ``gamedeid verify``: whether a folder of results is as it claims."""

from pathlib import Path
from typing import Annotated

import typer

from gamedeid.cli.commands import FINDINGS, SHOW_VALUES
from gamedeid.cli.options import FinishedFolder, Json, print_json, shows_values, with_groups
from gamedeid.report.terminal.console import console


@with_groups
def verify(
    context: typer.Context,
    finished: FinishedFolder,
    *,
    public_key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The public key that the folder must be signed by.")
    ] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", metavar="", help="List every check, and why others were not made.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Verify a folder of results; the exit code is 3 where a check fails.

    Recomputes all digests, and from release, population and hierarchies every label, count and measure, by code that
    the solvers do not use. Names checks that were not made.
    """
    from gamedeid.report.terminal.checks import print_verification
    from gamedeid.verification.verify import verify as verify_folder

    folder, question = finished.read()
    found = verify_folder(folder, question, public_key=public_key)
    with_values = shows_values(context)
    if as_json:
        print_json(found.as_dict(with_values=with_values))
    else:
        print_verification(found, console(), with_values=with_values, verbose=verbose)
        if not with_values and any(one.expected is not None for one in found.findings):
            console().print(f"{SHOW_VALUES} shows the values.")
    if not found.holds:
        raise typer.Exit(FINDINGS)
