"""The command ``gamedeid run``: decide for every record, write the release."""

from typing import Annotated

import typer

from gamedeid.choices import Format
from gamedeid.cli.options import (
    Game,
    Json,
    Output,
    Overrides,
    Overwrite,
    PolicyName,
    ScenarioPath,
    Solver,
    print_json,
    read_scenario,
    results_folder,
    write_manifest,
)
from gamedeid.cli.progress import progress


def run(
    scenario: ScenarioPath,
    *,
    output: Output = None,
    game: Game = "basic",
    solver: Solver = "exact",
    policy: PolicyName = None,
    overrides: Overrides = None,
    form: Annotated[
        Format, typer.Option("--format", metavar="NAME", help="Of the release and the strategies: csv or parquet.")
    ] = "csv",
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Decide for every record how much of it to release, and write the release.

    Writes release, strategies, summary.json and manifest.json into -o DIR; without -o nothing is written.
    """
    from gamedeid.release import released_table
    from gamedeid.report.console import console
    from gamedeid.report.files import json_text, write_table
    from gamedeid.report.summary import run_summary
    from gamedeid.report.terminal import print_run
    from gamedeid.solution import solve_study
    from gamedeid.study import Study

    question = read_scenario(scenario, overrides, policy)
    with results_folder(output, overwrite=overwrite) as folder, progress() as phase:
        phase("reading the data")
        study = Study.prepare(question)
        solution = solve_study(study, game, solver, progress=phase(f"{game} game"))
        summary = run_summary(solution)
        if folder is not None:
            phase("writing the results")
            with folder.open(f"release.{form}") as stream:
                write_table(released_table(study, solution.levels, solution.withheld), stream, form)
            with folder.open(f"strategies.{form}") as stream:
                write_table(solution.per_record(), stream, form)
            folder.write_text("summary.json", json_text(summary))
            write_manifest(folder, question, game=game, solver=solver)
    if as_json:
        print_json(summary)
        return
    to = console()
    print_run(solution, to)
    to.print(f"Written to {output}." if output is not None else "Nothing was written; add -o DIR for the release.")
