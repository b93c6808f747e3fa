"""The command ``gamedeid apply``: release new rows by a finished solution."""

from pathlib import Path
from typing import Annotated

import typer

from gamedeid.cli.options import (
    Defuse,
    Engine,
    Json,
    Memory,
    Output,
    Overrides,
    Overwrite,
    ReleaseForm,
    Spill,
    WithReport,
    chosen_read_options,
    clear_parts,
    print_json,
    read_scenario,
    results_folder,
)
from gamedeid.cli.progress import progress
from gamedeid.schema_names import KEY, schema_id


def apply(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The finished folder, as gamedeid run -o wrote it.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The new rows, with the columns of the records.")],
    *,
    scenario: Annotated[
        str | None,
        typer.Option(metavar="SCENARIO", help="The scenario of the finished folder, which says where the inputs are."),
    ] = None,
    output: Output = None,
    overrides: Overrides = None,
    form: ReleaseForm = "csv",
    defuse: Defuse = False,
    with_report: WithReport = True,
    engine: Engine = "auto",
    memory: Memory = "2GiB",
    spill: Spill = None,
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Release new rows by a finished solution: the same profile gets the same strategy.

    Refused where scenario, hierarchies or population have changed, or where a strategy depends on other records. Of
    the games aware-basic and aware-no-attack, rows with other values join groups that are released already, or are
    withheld. Writes the files of gamedeid run into -o DIR; shows how many rows and profiles are new.
    """
    from gamedeid.intake.identifiers.releases import refuse_identifiers
    from gamedeid.report.run_folder import check_tables, require_report, write_run_files
    from gamedeid.report.terminal.console import console
    from gamedeid.report.terminal.results import print_applied
    from gamedeid.report.warnings import warned_summary
    from gamedeid.study.applied import apply as apply_to

    question = None if scenario is None else read_scenario(scenario, overrides)
    check_tables(form, defuse=defuse)
    if output is not None and with_report:
        require_report()
    read_options = chosen_read_options(engine, memory, spill, None)
    finished = None
    with results_folder(output, overwrite=overwrite) as results, progress() as phase:
        applied = apply_to(folder, new, question, read_options=read_options, progress=phase)
        identifiers = refuse_identifiers(applied.solution.study)
        if results is not None and output is not None:
            written = write_run_files(
                applied.solution,
                results,
                output,
                identifiers=identifiers,
                form=form,
                defuse=defuse,
                report=with_report and applied.solution.solver is not None,
                progress=phase,
            )
            summary, finished = written.summary, written.finished
        else:
            summary = warned_summary(applied.solution, identifiers)
            applied.solution.study.inputs.check()
    if finished is not None and output is not None:
        clear_parts(finished, output)
    if as_json:
        print_json({**summary, KEY: schema_id("apply"), "applied": applied.as_dict()})
        return
    to = console()
    print_applied(applied, summary, to)
    to.print(f"Written to {output}." if output is not None else "Nothing was written; add -o DIR for the release.")
