"""The command ``gamedeid audit``: the risk from a recipient who knows how a release was made."""

from pathlib import Path
from typing import Annotated

import typer

from gamedeid.cli.commands import SHOW_VALUES
from gamedeid.cli.options import FileReadingOptions, FinishedFolder, Json, shows_values, with_groups
from gamedeid.cli.printing import print_found, print_json
from gamedeid.cli.progress import progress
from gamedeid.report.terminal.console import console


@with_groups
def audit(
    context: typer.Context,
    finished: FinishedFolder,
    reading: FileReadingOptions,
    *,
    worst: Annotated[int, typer.Option(metavar="NUMBER", min=0, help="How many of the worst groups are listed.")] = 5,
    earlier: Annotated[
        list[Path] | None,
        typer.Option(
            "--with",
            metavar="EARLIER",
            help="An earlier release that the recipient has too: the folder of its run. May be repeated. Shows the "
            "risk of all releases together.",
        ),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(
            "--key", metavar="COLUMN", help="With --with: the column by which people are found again in all extracts."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show the risk of a finished release if its recipient knows how it was made.

    A recipient who has this program, the scenario and the population can compute how every person would have been
    released, and leaves out those who would look otherwise. Shows this risk and that of the game. With --with, shows
    the risk if the recipient has earlier releases of the same people too. Nothing is written.
    """
    from gamedeid.report.terminal.release import print_audit
    from gamedeid.risk.audit import Audit
    from gamedeid.risk.audit import audit as audit_folder

    folder, question = finished.read()
    read_options = reading.chosen()
    if earlier:
        from gamedeid.report.terminal.release import print_joint_risk
        from gamedeid.risk.joint import joint_risk

        with progress() as phase:
            joint = joint_risk(folder, earlier, question, key=key, read_options=read_options, progress=phase)
        print_found(joint, print_joint_risk, as_json=as_json)
        return
    with progress() as phase:
        found = audit_folder(folder, question, read_options=read_options, progress=phase)
    with_values = shows_values(context)
    groups = found.worst_groups(worst, with_values=with_values)
    if as_json:
        print_json(Audit.of(found, groups))
        return
    to = console()
    print_audit(found, groups, to)
    if groups and not with_values:
        to.print(f"{SHOW_VALUES} shows the values of these groups.")
