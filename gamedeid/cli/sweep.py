"""The command ``gamedeid sweep``: the policy and the three games over a grid of stakes."""

import io
from typing import Annotated

import typer

from gamedeid.choices import Format
from gamedeid.cli.options import (
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
    write_manifest,
)
from gamedeid.cli.progress import progress


def sweep(
    scenario: ScenarioPath,
    *,
    vary: Vary = None,
    record: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="Of one record only, by its number from 0, as in strategies.csv."),
    ] = None,
    values: Annotated[
        str | None,
        typer.Option(metavar="ATTRIBUTE=VALUE,...", help="Of one person only, by a value for every attribute."),
    ] = None,
    output: Output = None,
    policy: PolicyName = None,
    overrides: Overrides = None,
    form: Annotated[
        Format, typer.Option("--format", metavar="NAME", help="Of the table of results: csv or parquet.")
    ] = "csv",
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Show how the policy and the three games fare as the stakes move: one row for each point and policy.

    With --record or --values the rows are about one record: its levels, the adversary's reply and both payoffs.

    Writes sweep and manifest.json into -o DIR; without -o the rows are printed as CSV.
    """
    from gamedeid.grid import Axis, check_grid
    from gamedeid.one_profile import named_person
    from gamedeid.record_sweep import record_sweep
    from gamedeid.report.console import console
    from gamedeid.report.files import write_blocks
    from gamedeid.study import Study
    from gamedeid.sweep import sweep as sweep_study

    question = read_scenario(scenario, overrides, policy)
    axes = [Axis.parse(text) for text in vary or []]
    check_grid(axes)
    person = named_person(record, values)
    with results_folder(output, overwrite=overwrite) as folder, progress() as phase:
        phase("reading the data")
        study = Study.prepare(question)
        told = phase("points")
        blocks = (
            record_sweep(study.alone(**person), axes, progress=told)
            if person
            else sweep_study(study, axes, progress=told)
        )
        if folder is None:
            rows = list(blocks)
        else:
            with folder.open(f"sweep.{form}") as stream:
                write_blocks((block.columns for block in blocks), stream, form)
            made = write_manifest(folder, question, vary={axis.name: list(axis.values) for axis in axes}, **person)
    if folder is not None:
        if as_json:
            print_json(made)
        else:
            console().print(f"Written to {output}.")
    elif as_json:
        print_json([row for block in rows for row in block.rows()])
    else:
        text = io.BytesIO()
        write_blocks((block.columns for block in rows), text, "csv")
        typer.echo(text.getvalue().decode(), nl=False)
