"""The command ``gamedeid verify``: checks of a folder of results."""

from pathlib import Path
from typing import Annotated

import typer

from gamedeid.cli.exit_codes import FINDINGS
from gamedeid.cli.flags import SHOW_VALUES
from gamedeid.cli.options import ItsScenario, Json, Overrides, ResultsFolder, print_json, read_scenario, shows_values


def verify(
    context: typer.Context,
    folder: ResultsFolder,
    scenario: ItsScenario = None,
    *,
    overrides: Overrides = None,
    public_key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The public key that the folder must be signed by.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Verify a folder of results; the exit code is 3 where a check fails.

    Recomputes all digests, and from release, population and hierarchies every label, count and measure, by code that
    the solvers do not use. Lists the checks made, and those not made with the reason.
    """
    from gamedeid.report.terminal.checks import print_verification
    from gamedeid.report.terminal.console import console
    from gamedeid.verification.verify import verify as verify_folder

    question = None if scenario is None else read_scenario(scenario, overrides)
    found = verify_folder(folder, question, public_key=public_key)
    with_values = shows_values(context)
    if as_json:
        print_json(found.as_dict(with_values=with_values))
    else:
        print_verification(found, console(), with_values=with_values)
        if not with_values and any(one.expected is not None for one in found.findings):
            console().print(f"{SHOW_VALUES} tells the values.")
    if not found.holds:
        raise typer.Exit(FINDINGS)
