"""The folder of one run: the release, the strategies, the summary, the report and the manifest."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import Any

from gamedeid.analysis.comparison import Comparison, compare
from gamedeid.analysis.robustness import SHARE, check_share, has_robust_ranges, robust_ranges
from gamedeid.analysis.summary import Summary
from gamedeid.capabilities import Feature, Operation, refuse_unsupported
from gamedeid.choices import GAMES, PLAYED_GAMES, GameName
from gamedeid.data.engines.rows import RECORD, ColumnsByProfile
from gamedeid.errors import InvalidScenarioError, quoted
from gamedeid.extras import require
from gamedeid.intake.identifiers.findings import IdentifierCheck
from gamedeid.population.rows import RowCounts
from gamedeid.progress import Phases, no_progress
from gamedeid.report.html.content import content_text, report_content
from gamedeid.report.html.page import report_page
from gamedeid.report.html.stored import grid_bytes
from gamedeid.report.view import ReportDocuments
from gamedeid.report.warnings import warned_summary
from gamedeid.reprs import frozen
from gamedeid.results.folder import FolderWriter
from gamedeid.results.formulas import defused_frame
from gamedeid.results.manifest import manifest
from gamedeid.results.parts import Blocks, adopt_parts, part_names, read_rows, write_parts
from gamedeid.results.resume import FinishedParts
from gamedeid.results.stored import CONTENT, GRID, REPORT, SUMMARY
from gamedeid.results.tables import Layout, WriteOptions
from gamedeid.scenario.sections import RANDOM
from gamedeid.study.facts import made_of, write_manifest
from gamedeid.study.finished import write_plan
from gamedeid.study.release import SortedRelease
from gamedeid.study.solution import Solution
from gamedeid.study.study import Study


@frozen(eq=False)
class RunResults:
    """The written results of a run.

    Parameters
    ----------
    finished : finished parts of the tables, kept until the folder is published; None if none were needed.
    """

    summary: Summary
    manifest: dict[str, Any]
    finished: FinishedParts | None


def require_report() -> None:
    """Check that the packages for the report are installed."""
    require("report", "report.html", "or leave it out with report=False", arguments=("report=False",))


def refuse_report(study: Study, game: str) -> None:
    """Refuse a report of a game if the study's lattice is too large; the game need not be solved yet."""
    if _game_with_ranges(study, game) is not None:
        refuse_unsupported(Operation.REPORT, study.instance.lattice.features)


def _game_with_ranges(study: Study, game: str) -> GameName | None:
    """Return the game whose robust ranges a report has; None for no robust ranges."""
    return next((name for name in GAMES if name == game and has_robust_ranges(study)), None)


def write_run_files(
    solution: Solution,
    folder: FolderWriter,
    output: Path,
    options: WriteOptions,
    *,
    identifiers: IdentifierCheck | None = None,
    report: bool = True,
    share: float = SHARE,
    progress: Phases = no_progress,
) -> RunResults:
    """Write a solution into a folder of results.

    Parameters
    ----------
    identifiers : the result of the check for identifiers; None to make it here.
    """
    study = solution.study
    robust = comparison = None
    if report:
        require_report()
        check_share(share)
        if solution.name not in PLAYED_GAMES:
            raise InvalidScenarioError(
                f"a report is of a game, and {quoted(solution.name)} is a policy; write it with report=False"
            )
        refuse_report(study, solution.name)
        game = _game_with_ranges(study, solution.name)
        comparison = compare(study, solved=solution, progress=lambda game: progress(f"{game} game"))
        if game is not None:
            report_progress = progress("robust ranges")
            for name in GAMES:
                study.frontier(name)
            if isinstance(study.instance.counts, RowCounts):
                study.instance.counts.forget()  # frontiers have counted all strategies; few are needed again
            robust = robust_ranges(study, game, share=share, progress=report_progress)
        progress("the population's own strategies")
    summary = warned_summary(solution, identifiers, robust, comparison, keep_order=options.keep_order)
    finished = _write_records(folder, output, solution, options, progress)
    if solution.mechanism is not None:
        progress("writing the plan")
        write_plan(folder, solution.mechanism, defuse=options.defuse)
    folder.write_json(SUMMARY, summary.as_dict())
    asked: dict[str, object] = {
        "game": solution.name,
        "solver": solution.solver,
        **{name: True for name in ("defuse", "keep_order") if getattr(options, name)},
        **({} if solution.applies is None else {"applies": solution.applies}),
        **({"one_person": True} if study.person else {}),
    }
    if comparison is not None:
        _write_report(folder, comparison, summary, progress, asked)
    made = write_manifest(study, folder, asked, summary.warnings)
    return RunResults(summary=summary, manifest=made, finished=finished)


def _write_records(
    folder: FolderWriter, output: Path, solution: Solution, options: WriteOptions, progress: Phases
) -> FinishedParts | None:
    """Write the release and the strategies; return finished parts, if any, kept until the folder is published."""
    study, records, keep_order = solution.study, solution.study.records, options.keep_order
    layouts = {"release": Layout(), "strategies": Layout(rising=frozenset([RECORD]))}
    release, strategies = solution.release_answer(keep_order=keep_order), solution.strategies_answer
    kept = study.rows.features
    if options.form == "parquet" and Feature.LAZY not in kept:
        release = release.for_writing()
        layouts["release"] = Layout(coded=frozenset(release.columns))
    by_value = None if keep_order else _sorted_release(folder, solution, release, options, progress)
    tables: dict[str, Blocks] = {
        "release": partial(study.rows.blocks, release),
        "strategies": solution.strategies_blocks,
    }
    rows = dict.fromkeys(tables, records)
    if by_value is not None:
        tables = {"release": by_value.blocks, "strategies": partial(by_value.strategies, strategies)}
        rows["release"] = by_value.rows
    names = {stem: part_names(stem, options.form, rows[stem]) for stem in tables}
    finished = None
    if any(len(parts) > 1 for parts in names.values()) and Feature.CLUSTER not in kept:
        progress("looking for finished parts")
        chosen = sha256(solution.choice.nodes.tobytes()).hexdigest()  # a search for some seconds may find others
        made_of = [study.scenario.resolved(), solution.name, chosen, dict(study.inputs.digests), keep_order]
        if study.scenario.records.pseudonyms == RANDOM or not _is_of_files(study):
            made_of.append(token_hex())  # other runs' parts have other pseudonyms, or are of data without a digest
        finished = FinishedParts.beside(output, made_of)
    for stem, blocks in tables.items():
        report_progress = progress(f"writing the {stem}")
        parts = None
        if by_value is None or (stem == "strategies" and study.rows.numbered):
            answer = release if stem == "release" else strategies
            parts = study.rows.write(answer, folder.scratch_folder() / stem)
        if parts is not None:  # the table is complete except for the numbers of rows
            adopt_parts(folder, stem, parts, options, None if by_value is None else by_value.with_rows)
            continue
        write_parts(
            folder,
            names[stem],
            blocks,
            finished,
            options,
            seekable=study.rows.seekable and (stem == "strategies" or keep_order),
            records=rows[stem],
            report_progress=report_progress,
            layout=layouts[stem],
        )
    return finished


def _is_of_files(study: Study) -> bool:
    """Return whether the digests of the inputs tell all data that a release is made of: none was handed over."""
    people = [] if study.population_rows is None else ["population"]
    needed = {"records", *people, *(f"hierarchy {name}" for name in study.instance.hierarchies)}
    return needed <= study.inputs.files.keys()


def _sorted_release(
    folder: FolderWriter, solution: Solution, answer: ColumnsByProfile, options: WriteOptions, progress: Phases
) -> SortedRelease:
    """Return the release in the order of its written values, also of defused ones."""
    rows, marked = solution.study.rows, replace(answer, marked=True)
    scratch = folder.scratch_folder()
    if Feature.CLUSTER in rows.features:
        progress("collecting the release")
    collected = rows.write(marked, scratch / "collected")
    blocks: Callable[[], Any] = partial(rows.blocks, marked) if collected is None else partial(read_rows, collected)
    written = (lambda: map(defused_frame, blocks())) if options.defuse else blocks
    return SortedRelease(solution.study, solution.withheld, written, scratch)


def _write_report(
    folder: FolderWriter,
    comparison: Comparison,
    summary: Summary,
    progress: Phases,
    asked: Mapping[str, object],
) -> None:
    """Write the report and its content; call it after all other files except the manifest."""
    found, content = summary.as_dict(), report_content(comparison, summary.game, progress=progress).as_dict()
    progress("writing the report")
    folder.write_text(CONTENT, content_text(content))
    if "map" in content:
        folder.write_bytes(GRID, grid_bytes(content, found, defuse="defuse" in asked))
    about = manifest(outputs=folder.digests, **made_of(comparison.study, asked, summary.warnings))
    folder.write_text(REPORT, report_page(ReportDocuments(summary=found, content=content, manifest=about)))
