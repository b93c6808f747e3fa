"""The commands ``gamedeid run`` and ``gamedeid apply``: they decide for records and write the release."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gamedeid.choices import GAMES, Format, PlayedGame
from gamedeid.cli.options import (
    FileReadingOptions,
    Json,
    OutputOptions,
    Overrides,
    ReadingOptions,
    RunFolder,
    ScenarioOptions,
    Solver,
    cluster_session,
    read_named_scenario,
    with_groups,
)
from gamedeid.cli.printing import print_json
from gamedeid.cli.progress import progress
from gamedeid.report.terminal.console import console, print_lines

if TYPE_CHECKING:
    from gamedeid.analysis.summary import Summary
    from gamedeid.results.folder import FolderWriter
    from gamedeid.results.resume import FinishedParts
    from gamedeid.results.tables import WriteOptions
    from gamedeid.study.solution import Solution


@dataclass(frozen=True, kw_only=True, repr=False)
class ReleaseFiles:
    """The files of a release."""

    form: Annotated[
        Format,
        typer.Option("--format", metavar="NAME", help="Format of the release and the strategies: csv or parquet."),
    ] = "csv"
    defuse: Annotated[
        bool,
        typer.Option("--defuse", metavar="", help="Write no CSV cell that a spreadsheet would take for a formula."),
    ] = False
    keep_order: Annotated[
        bool,
        typer.Option(
            "--keep-order",
            metavar="",
            help="Release rows in the order of the records, which can disclose a date of admission or another sort key "
            "(default: in the order of the released values).",
        ),
    ] = False
    with_report: Annotated[
        bool,
        typer.Option(" /--no-report", metavar="", help="Leave out report.html, report.json and sensitivity.csv."),
    ] = True

    def options(self) -> "WriteOptions":
        """Return the options for the tables; impossible ones are refused."""
        from gamedeid.results.tables import WriteOptions

        return WriteOptions(form=self.form, defuse=self.defuse, keep_order=self.keep_order)

    def check(self, output: Path | None) -> None:
        """Check that the files can be written, before any work."""
        from gamedeid.report.run_folder import require_report

        self.options()
        if output is not None and self.with_report:
            require_report()

    def write(
        self, solution: "Solution", folder: "FolderWriter | None", output: Path | None, **how: Any
    ) -> "tuple[Summary, FinishedParts | None]":
        """Write the files into a folder, if there is one; return the summary of the solution, and kept parts.

        Parameters
        ----------
        how : further arguments of :func:`gamedeid.report.run_folder.write_run_files`, including ``identifiers``.
        """
        from gamedeid.report.run_folder import write_run_files
        from gamedeid.report.warnings import warned_summary

        if folder is None or output is None:
            summary = warned_summary(solution, how["identifiers"], keep_order=self.keep_order)
            solution.study.inputs.check()
            return summary, None
        written = write_run_files(solution, folder, output, self.options(), **how)
        return written.summary, written.finished


@with_groups
def run(
    results: OutputOptions,
    asked: ScenarioOptions,
    files: ReleaseFiles,
    reading: ReadingOptions,
    *,
    game: Annotated[
        PlayedGame | None,
        typer.Option(
            metavar="NAME",
            help="The game: basic, no-attack, sh-friendly, aware-basic or aware-no-attack (default: the scenario's).",
        ),
    ] = None,
    solver: Solver = "exact",
    after: Annotated[
        list[Path] | None,
        typer.Option(
            "--after",
            metavar="EARLIER",
            help="An earlier release that the recipient has: the folder of its run. May be repeated. People are found "
            "again by earlier.key of the scenario.",
        ),
    ] = None,
    share: Annotated[
        float,
        typer.Option(metavar="SHARE", help="Share of the records that keep their strategies in the robust ranges."),
    ] = 0.95,
    as_json: Json = False,
) -> None:
    """Decide for every record how much of it to release, and write the release.

    Writes release, strategies, summary.json, report.json, report.html and manifest.json into -o DIR; also plan.csv in
    the games aware-basic and aware-no-attack, or sensitivity.csv in the others without limits and recipients. Without
    -o nothing is written. Parquet of more than 8,388,608 records is in parts; finished parts are kept in
    DIR.parts, and the same command continues after them.
    """
    from gamedeid.analysis.robustness import check_share
    from gamedeid.catalogue import sentences
    from gamedeid.intake.identifiers.releases import refuse_identifiers
    from gamedeid.report.run_folder import refuse_report
    from gamedeid.report.terminal.results import print_run
    from gamedeid.report.words.detail import weight_words
    from gamedeid.risk.detail import release_detail
    from gamedeid.study.solve import solve
    from gamedeid.study.study import Study

    question = asked.read(after)
    check_share(share)
    files.check(results.output)
    read_options = reading.chosen()
    played = question.game_to_play(game)
    with results.writing() as folder, progress() as phase, cluster_session(read_options):
        study = Study.prepare(question, read_options=read_options, progress=phase)
        identifiers = refuse_identifiers(study)
        if folder is not None and files.with_report:
            refuse_report(study, played)
        solution = solve(study, game=played, solver=solver, progress=phase(f"{played} game"))
        found, finished = files.write(
            solution,
            folder,
            results.output,
            identifiers=identifiers,
            report=files.with_report,
            share=share,
            progress=phase,
        )
        summary = found.as_dict()
    results.clear_parts(finished)
    if as_json:
        print_json(summary)
        return
    to = console()
    print_run(solution, to, summary)
    print_lines(weight_words(release_detail(solution)), to)
    shown = {*summary["policies"], *summary.get("limits", {}).get("unmet_in", ())}
    print_lines(sentences("commands.run", {"others_left_out": not shown >= set(GAMES)}), to)
    to.print(results.where("the release"))


@with_groups
def apply(
    folder: RunFolder,
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The new rows, with the columns of the records.")],
    results: OutputOptions,
    files: ReleaseFiles,
    reading: FileReadingOptions,
    *,
    scenario: Annotated[
        str | None,
        typer.Option(metavar="SCENARIO", help="The scenario of the finished folder, which says where the inputs are."),
    ] = None,
    overrides: Overrides = None,
    as_json: Json = False,
) -> None:
    """Release new rows by a finished solution: the same profile gets the same strategy.

    Refused if scenario, hierarchies or population have changed, or if a strategy depends on other records. In
    the games aware-basic and aware-no-attack, rows with other values join groups that are released already, or are
    withheld. Writes the files of gamedeid run into -o DIR; shows how many rows and profiles are new.
    """
    from gamedeid.analysis.summary import AppliedSummary
    from gamedeid.catalogue import sentences
    from gamedeid.intake.identifiers.releases import refuse_identifiers
    from gamedeid.report.terminal.results import print_applied
    from gamedeid.results.stored import is_signed
    from gamedeid.study.applied import apply as apply_to

    question = read_named_scenario(scenario, overrides)
    files.check(results.output)
    read_options = reading.chosen()
    with results.writing() as writer, progress() as phase:
        applied = apply_to(folder, new, question, read_options=read_options, progress=phase)
        identifiers = refuse_identifiers(applied.solution.study)
        report = files.with_report and applied.solution.solver is not None
        summary, finished = files.write(
            applied.solution, writer, results.output, identifiers=identifiers, report=report, progress=phase
        )
    results.clear_parts(finished)
    if as_json:
        print_json(AppliedSummary.of(summary, applied))
        return
    to = console()
    print_applied(applied, summary.as_dict(), to)
    unchecked = question is None and is_signed(folder)
    print_lines(sentences("commands.apply", {"unchecked": unchecked, "folder": str(folder)}), to)
    to.print(results.where("the release"))
