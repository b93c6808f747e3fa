"""The command ``gamedeid solvers``: how well each solver does."""

from typing import Annotated

import typer

from gamedeid.cli.options import (
    Game,
    Json,
    Output,
    Overrides,
    Overwrite,
    PolicyName,
    ScenarioPath,
    print_json,
    read_scenario,
    results_folder,
)
from gamedeid.cli.progress import progress


def solvers(
    scenario: ScenarioPath,
    *,
    game: Game = "basic",
    solver: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Solvers: exact, backward-induction, lattice-search or bounded-suboptimal (default: the first "
            "three). May be repeated.",
        ),
    ] = None,
    output: Output = None,
    policy: PolicyName = None,
    overrides: Overrides = None,
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Compare the solvers: payoffs, differences from the best, strategies searched and running time.

    Writes solvers.csv and manifest.json into -o DIR; without -o nothing is written. Times are shown, never written.
    """
    from gamedeid.analysis.solver_comparison import USUAL, compare_solvers, named_solvers
    from gamedeid.report.terminal.console import console
    from gamedeid.report.terminal.results import print_solvers
    from gamedeid.study.study import Study

    question = read_scenario(scenario, overrides, policy)
    taking_part = named_solvers(solver or USUAL)
    with results_folder(output, overwrite=overwrite) as folder, progress() as phase:
        phase("reading the data")
        study = Study.prepare(question)
        compared = compare_solvers(study, game, taking_part, progress=phase)
        if folder is not None:
            compared.write_files(folder)
        else:
            study.inputs.check()
    if as_json:
        print_json({"game": game, "reference": compared.reference, "rows": compared.timed_rows()}, "solvers")
        return
    to = console()
    print_solvers(compared, to)
    to.print(f"Written to {output}." if output is not None else "Nothing was written; add -o DIR for the table.")
