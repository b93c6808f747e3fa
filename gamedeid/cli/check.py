"""The command ``gamedeid check``: which columns of a file may hold identifiers."""

from typing import Annotated

import typer

from gamedeid.choices import IdentifierRule
from gamedeid.cli.commands import FINDINGS
from gamedeid.cli.options import DataFile, Json, Overrides, read_named_scenario
from gamedeid.cli.printing import print_json


def check(
    data: DataFile,
    scenario: Annotated[
        str | None,
        typer.Argument(
            metavar="SCENARIO",
            help="Treatment of the columns: a scenario's TOML file, or the name of a shipped one.",
        ),
    ] = None,
    *,
    rule: Annotated[
        IdentifierRule | None,
        typer.Option(
            metavar="NAME",
            help="List of identifiers: safe-harbor or limited-data-set (default: that of the scenario's floor).",
        ),
    ] = None,
    encoding: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Encoding of a CSV file, such as latin-1 (default: the scenario's; without a scenario, detected).",
        ),
    ] = None,
    year: Annotated[
        int | None, typer.Option(metavar="YEAR", help="Year of the release; years of birth then show ages over 89.")
    ] = None,
    overrides: Overrides = None,
    as_json: Json = False,
) -> None:
    """Find the columns of a file that may hold one of the 18 kinds of identifiers of Safe Harbor.

    No value is shown. The exit code is 3 if a finding is unresolved.
    """
    from gamedeid.intake.identifiers.tables import check_identifiers
    from gamedeid.report.terminal.checks import print_findings
    from gamedeid.report.terminal.console import console

    question = read_named_scenario(scenario, overrides)
    found = check_identifiers(data, question, rule=rule, encoding=encoding, year=year)
    content = found.as_dict()
    if as_json:
        print_json(content)
    else:
        print_findings(content, console())
    if found.unhandled:
        raise typer.Exit(FINDINGS)
