"""The command ``gamedeid run``: decide for every record, write the release."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gamedeid.choices import Format
from gamedeid.cli.options import (
    Cluster,
    Engine,
    Game,
    Json,
    Memory,
    Output,
    Overrides,
    Overwrite,
    PolicyName,
    ScenarioPath,
    Solver,
    Spill,
    chosen_read_options,
    clear_parts,
    kept_parts,
    manifest_so_far,
    print_json,
    read_scenario,
    results_folder,
    write_manifest,
)
from gamedeid.cli.progress import progress
from gamedeid.errors import InvalidScenarioError
from gamedeid.progress import Phases

if TYPE_CHECKING:
    from pathlib import Path

    from gamedeid.results import FolderWriter
    from gamedeid.results.resume import Kept
    from gamedeid.study.solution import Solution


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
    defuse: Annotated[
        bool,
        typer.Option("--defuse", metavar="", help="Write no CSV cell that a spreadsheet would take for a formula."),
    ] = False,
    with_report: Annotated[
        bool,
        typer.Option(" /--no-report", metavar="", help="Leave out report.html, and report.json that it is made of."),
    ] = True,
    share: Annotated[
        float,
        typer.Option(metavar="SHARE", help="Of the records that are to keep their strategies in the robust ranges."),
    ] = 0.95,
    engine: Engine = "auto",
    memory: Memory = "2GiB",
    spill: Spill = None,
    cluster: Cluster = None,
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Decide for every record how much of it to release, and write the release.

    Writes release, strategies, summary.json, report.json, report.html and manifest.json into -o DIR; without -o nothing
    is written. Parquet of more than 8,388,608 records comes in parts; those finished are kept in DIR.parts until all
    are, so that the same command goes on where it was interrupted.
    """
    from gamedeid.analysis.robustness import check_share, robust_ranges
    from gamedeid.analysis.summary import run_summary
    from gamedeid.data.engines.clusters import connected
    from gamedeid.game.frontier import check_frontier
    from gamedeid.report.terminal.console import console
    from gamedeid.report.terminal.results import print_run
    from gamedeid.results.tables import json_text
    from gamedeid.study.solution import solve_study
    from gamedeid.study.study import Study

    question = read_scenario(scenario, overrides, policy)
    check_share(share)
    if defuse and form != "csv":
        raise InvalidScenarioError(
            "--defuse is for CSV: Parquet says of each value that it is text, and no spreadsheet takes it for a "
            "formula; leave it out, or choose --format csv"
        )
    read_options = chosen_read_options(engine, memory, spill, cluster)
    kept = None
    with results_folder(output, overwrite=overwrite) as folder, progress() as phase, connected(read_options):
        study = Study.prepare(question, read_options=read_options, progress=phase)
        if folder is not None and with_report:
            check_frontier(study.instance)
        solution = solve_study(study, game, solver, progress=phase(f"{game} game"))
        robust = None
        if folder is not None and with_report:
            robust = robust_ranges(study, game, share=share, progress=phase("robust ranges"))
        summary = run_summary(solution, robust)
        if folder is not None and output is not None:
            kept = _write_records(folder, output, solution, form, phase, defuse=defuse)
            folder.write_text("summary.json", json_text(summary))
            asked = {"game": game, "solver": solver, **({"defuse": True} if defuse else {})}
            if with_report:
                _write_report(folder, solution, summary, phase, asked)
            write_manifest(folder, study, **asked)
        study.inputs.check()
    if kept is not None and output is not None:
        clear_parts(kept, output)
    if as_json:
        print_json(summary)
        return
    to = console()
    print_run(solution, to, summary["kept_columns"])
    to.print(f"Written to {output}." if output is not None else "Nothing was written; add -o DIR for the release.")


def _write_records(
    folder: "FolderWriter",
    output: "Path",
    solution: "Solution",
    form: Format,
    phase: Phases,
    *,
    defuse: bool,
) -> "Kept | None":
    """Write the release and the strategies; return where parts, if any, are kept until the folder is shown."""
    from gamedeid.data.engines.lazy import LazyRows
    from gamedeid.results.cluster_parts import take_parts
    from gamedeid.results.parts import part_names, write_parts

    study, records = solution.study, int(solution.study.instance.profiles.records.sum())
    if isinstance(study.rows, LazyRows) and study.rows.on_cluster:
        for stem, answer in (("release", solution.release_answer), ("strategies", solution.strategies_answer)):
            phase(f"writing the {stem}")
            take_parts(folder, stem, form, study.rows.write(answer, folder.workshop() / stem), defuse=defuse)
        return None
    tables = {"release": solution.release_blocks, "strategies": solution.strategies_blocks}
    names = {stem: part_names(stem, form, records) for stem in tables}
    kept = None
    if any(len(parts) > 1 for parts in names.values()):
        phase("looking for finished parts")
        made_of = [study.scenario.resolved(), solution.name, solution.search["solver"], dict(study.inputs.digests)]
        kept = kept_parts(output, made_of)
    for stem, blocks in tables.items():
        report_progress = phase(f"writing the {stem}")
        write_parts(
            folder,
            names[stem],
            blocks,
            kept,
            seekable=study.rows.seekable,
            report_progress=report_progress,
            defuse=defuse,
        )
    return kept


def _write_report(
    folder: "FolderWriter",
    solution: "Solution",
    summary: Mapping[str, Any],
    phase: Phases,
    asked: Mapping[str, object],
) -> None:
    """Write what the report is made of, and the report; to be called when all else but the manifest is written."""
    from gamedeid.analysis.comparison import compare_study
    from gamedeid.report.html.content import content_text, report_content
    from gamedeid.report.html.page import report_page

    study, solver = solution.study, solution.search["solver"]
    comparison = compare_study(study, solver, solved=solution, progress=lambda game: phase(f"{game} game"))
    content = report_content(comparison, solution.name, progress=phase)
    phase("writing the report")
    folder.write_text("report.json", content_text(content))
    so_far = manifest_so_far(folder, study, **asked)
    folder.write_text("report.html", report_page(summary, content, so_far))
