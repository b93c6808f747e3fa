"""The command ``gamedeid solvers``: how well each solver does, at one point or along a grid of stakes."""

from typing import TYPE_CHECKING, Annotated

import typer

from gamedeid.cli.options import (
    Game,
    Json,
    Output,
    Overrides,
    Overwrite,
    PolicyName,
    ScenarioPath,
    Vary,
    print_json,
    read_scenario,
    results_folder,
)
from gamedeid.cli.progress import progress

if TYPE_CHECKING:
    from gamedeid.analysis.solver_results import SolverComparison, SolverSweep


def solvers(
    scenario: ScenarioPath,
    *,
    game: Game = "basic",
    solver: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Who takes part: exact, backward-induction, lattice-search or bounded-suboptimal; the first three, or "
            "exact and lattice-search with --vary. May be repeated.",
        ),
    ] = None,
    vary: Vary = None,
    output: Output = None,
    policy: PolicyName = None,
    overrides: Overrides = None,
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Compare the solvers: payoffs, differences from the best, strategies searched and running time.

    Writes solvers.csv and manifest.json into -o DIR; without -o nothing is written. Times are shown, never written.
    """
    from gamedeid.analysis.solver_comparison import ALONG_A_GRID, USUAL, compare_solvers, named_solvers, sweep_solvers
    from gamedeid.report.terminal.console import console
    from gamedeid.report.terminal.solvers import print_solvers
    from gamedeid.scenario.grid import grid_axes
    from gamedeid.study.study import Study

    question = read_scenario(scenario, overrides, policy)
    axes = grid_axes(vary) if vary else []
    taking_part = named_solvers(solver or (ALONG_A_GRID if axes else USUAL))
    with results_folder(output, overwrite=overwrite) as folder, progress() as phase:
        phase("reading the data")
        study = Study.prepare(question)
        compared: SolverSweep | SolverComparison
        if axes:
            compared = sweep_solvers(study, axes, game, taking_part, progress=phase("points"))
            points = compared.points
        else:
            compared = compare_solvers(study, game, taking_part, progress=phase)
            points = (compared,)
        if folder is not None:
            compared.write_files(folder)
        else:
            study.inputs.check()
    if as_json:
        rows = [row for one in points for row in one.timed_rows()]
        print_json({"game": game, "reference": points[0].reference, "rows": rows}, "solvers")
        return
    to = console()
    print_solvers(points, to)
    to.print(f"Written to {output}." if output is not None else "Nothing was written; add -o DIR for the table.")
