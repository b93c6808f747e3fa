"""The command ``gamedeid audit``: what a release is worth to a recipient who knows how it was made."""

from typing import Annotated

import typer

from gamedeid.cli.options import (
    Engine,
    ItsScenario,
    Json,
    Memory,
    Overrides,
    ResultsFolder,
    Spill,
    chosen_read_options,
    print_json,
    read_scenario,
    shows_values,
)
from gamedeid.cli.progress import progress


def audit(
    context: typer.Context,
    folder: ResultsFolder,
    scenario: ItsScenario = None,
    *,
    overrides: Overrides = None,
    worst: Annotated[int, typer.Option(metavar="NUMBER", min=0, help="How many of the worst groups are listed.")] = 5,
    engine: Engine = "auto",
    memory: Memory = "2GiB",
    spill: Spill = None,
    as_json: Json = False,
) -> None:
    """Show the risk of a finished release if its recipient knows how it was made.

    A recipient who has this program, the scenario and the population can compute how every person would have been
    released, and leaves out those who would look otherwise. Shows this risk and that of the game. Nothing is
    written.
    """
    from gamedeid.cli.flags import SHOW_VALUES
    from gamedeid.report.terminal.console import console
    from gamedeid.report.terminal.release import print_audit
    from gamedeid.risk.mechanism.audit import audit as audit_folder

    question = None if scenario is None else read_scenario(scenario, overrides)
    read_options = chosen_read_options(engine, memory, spill, None)
    with progress() as phase:
        found = audit_folder(folder, question, read_options=read_options, progress=phase)
    with_values = shows_values(context)
    groups = found.worst_groups(worst, with_values=with_values)
    if as_json:
        solution = found.solution
        print_json(
            {"game": solution.name, "solver": solution.solver, **found.as_dict(), "worst_groups": groups}, "audit"
        )
        return
    to = console()
    print_audit(found, groups, to)
    if groups and not with_values:
        to.print(f"{SHOW_VALUES} tells the values of these groups.")
