"""The command ``gamedeid compare``: the policy and the three games side by side."""

from typing import Annotated

import typer

from gamedeid.choices import SolverName
from gamedeid.cli.options import Json, Output, Overrides, Overwrite, PolicyName, ScenarioPath, read_scenario
from gamedeid.cli.progress import progress


def compare(
    scenario: ScenarioPath,
    output: Output = None,
    solver: Annotated[SolverName, typer.Option(help="How the best strategies are found.")] = "exact",
    policy: PolicyName = None,
    overrides: Overrides = None,
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Compare a policy (Safe Harbor unless you say otherwise) with the three games.

    Writes comparison.csv, comparison.json and manifest.json into -o DIR; without -o nothing is written.
    """
    from gamedeid.comparison import compare_study
    from gamedeid.manifest import manifest
    from gamedeid.outputs import writing_folder
    from gamedeid.report.files import json_text, rows_to_columns, write_table
    from gamedeid.report.summary import comparison_summary
    from gamedeid.report.terminal import console, print_comparison
    from gamedeid.study import Study, input_files

    question = read_scenario(scenario, overrides, policy)
    with progress() as phase:
        comparison = compare_study(Study.prepare(question), solver, progress=lambda game: phase(f"{game} game"))
        summary = comparison_summary(comparison)
        if output is not None:
            with writing_folder(output, overwrite=overwrite) as folder:
                with folder.open("comparison.csv") as stream:
                    write_table(rows_to_columns(comparison.rows), stream, "csv")
                folder.write_text("comparison.json", json_text(summary))
                made = manifest(
                    scenario={**question.resolved(), "solver": solver},
                    inputs=input_files(question),
                    outputs=folder.digests,
                )
                folder.write_text("manifest.json", json_text(made))
    if as_json:
        typer.echo(json_text(summary), nl=False)
        return
    to = console()
    print_comparison(comparison, to)
    if output is not None:
        to.print(f"Written to {output}.")
