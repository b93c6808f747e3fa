"""The command ``gamedeid sweep``: the policy and the three games over a grid of stakes."""

import io
from collections.abc import Sequence
from typing import Annotated

import typer

from gamedeid.choices import MEASURES, OUTCOMES, Format
from gamedeid.cli.options import (
    Json,
    Output,
    Overrides,
    Overwrite,
    PolicyName,
    Record,
    ScenarioPath,
    Values,
    Vary,
    print_json,
    read_scenario,
    results_folder,
    write_manifest,
)
from gamedeid.cli.progress import progress
from gamedeid.errors import InvalidScenarioError, nearest, quoted


def sweep(
    scenario: ScenarioPath,
    *,
    vary: Vary = None,
    exact: Annotated[
        str | None,
        typer.Option(
            metavar="STAKE[=LOW:HIGH]",
            help="Instead of points: every value of one stake at which a strategy or the adversary's reply changes.",
        ),
    ] = None,
    record: Record = None,
    values: Values = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only this measure, such as attacked; all unless given. May be repeated."),
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

    Writes sweep (with --exact: breakpoints, or the stretches of one record) and manifest.json into -o DIR; without -o
    the rows are printed as CSV.
    """
    from gamedeid.analysis.breakpoint_tables import breakpoint_table, parse_course, stretch_table
    from gamedeid.analysis.record_sweep import record_sweep
    from gamedeid.analysis.sweep import sweep as sweep_study
    from gamedeid.data.person import named_person
    from gamedeid.report.terminal.console import console
    from gamedeid.results.tables import columns_to_rows, write_blocks
    from gamedeid.scenario.grid import Axis, check_grid
    from gamedeid.study.study import Study

    question = read_scenario(scenario, overrides, policy)
    _refuse_both(exact, vary)
    course = parse_course(exact) if exact is not None else None
    axes = [Axis.parse(text) for text in vary or []]
    if course is None:
        check_grid(axes)
    person = named_person(record, values)
    left_out = _left_out(measure, OUTCOMES if person else MEASURES, exact)
    with results_folder(output, overwrite=overwrite) as folder, progress() as phase:
        phase("reading the data")
        study = Study.prepare(question)
        if person:
            study = study.alone(**person)
        if course is not None:
            phase("breakpoints")
            name = "stretches" if person else "breakpoints"
            asked: dict[str, object] = {"exact": exact}
            tables = iter([(stretch_table if person else breakpoint_table)(study, *course)])
        else:
            name = "sweep"
            asked = {"vary": {axis.name: list(axis.values) for axis in axes}}
            blocks = (record_sweep if person else sweep_study)(study, axes, progress=phase("points"))
            tables = ({key: block.columns[key] for key in block.columns if key not in left_out} for block in blocks)
        if folder is None:
            rows = list(tables)
        else:
            with folder.open(f"{name}.{form}") as stream:
                write_blocks(tables, stream, form)
            made = write_manifest(folder, study, **asked, **person)
        study.inputs.check()
    if folder is not None:
        if as_json:
            print_json(made)
        else:
            console().print(f"Written to {output}.")
    elif as_json:
        print_json([row for block in rows for row in columns_to_rows(block)])
    else:
        text = io.BytesIO()
        write_blocks(rows, text, "csv")
        typer.echo(text.getvalue().decode(), nl=False)


def _refuse_both(exact: str | None, vary: list[str] | None) -> None:
    if exact is not None and vary:
        raise InvalidScenarioError("--exact follows one stake, --vary a grid of points; choose one of them")


def _left_out(asked: list[str] | None, known: Sequence[str], exact: str | None) -> set[str]:
    """Return the measures that are not shown; none when none is asked for.

    Raises
    ------
    InvalidScenarioError : one is asked for that there is not, or with breakpoints, which have none.
    """
    if not asked:
        return set()
    if exact is not None:
        raise InvalidScenarioError("--measure chooses columns of the points of --vary; --exact has none of them")
    for name in asked:
        if name not in known:
            raise InvalidScenarioError(f"--measure: there is no measure {quoted(name)}{nearest(name, known)}")
    return set(known) - set(asked)
