"""The command ``gamedeid risk uniqueness-study``: how good the estimators of uniqueness are on a known population."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gamedeid.cli.options import Json, Output, Overwrite, clear_parts, print_json, results_folder
from gamedeid.cli.progress import progress
from gamedeid.cli.risk.table_options import Attributes, Columns, Count, Width, table_question
from gamedeid.errors import InvalidScenarioError
from gamedeid.file_identity import InputFile, Inputs

if TYPE_CHECKING:
    from gamedeid.results import FolderWriter
    from gamedeid.risk.uniqueness.classes import TableQuestion
    from gamedeid.risk.uniqueness.simulation import UniquenessStudy


def uniqueness_study(
    data: Annotated[
        Path,
        typer.Argument(
            metavar="DATA", help="The population, a CSV or Parquet file; a row is a person unless there is --count."
        ),
    ],
    *,
    attributes: Attributes = None,
    fractions: Annotated[
        str, typer.Option(metavar="F,F,...", help="Sampling fractions, between 0 and 1.")
    ] = ".01,.05,.1,.3,.5,.7,.9",
    samples: Annotated[int, typer.Option(metavar="NUMBER", help="Samples drawn at each fraction.")] = 1000,
    seed: Annotated[int, typer.Option(metavar="NUMBER", help="Of the random numbers.")] = 1,
    workers: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Processes that share the work; they change no digit.")
    ] = None,
    parts: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Keep finished parts there, also at the end, for later studies."),
    ] = None,
    count: Count = None,
    columns: Columns = None,
    width: Width = None,
    output: Output = None,
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Compare the estimators of uniqueness by samples of a population that is known.

    Writes study.csv, study.svg and manifest.json into -o DIR. What is finished is kept in DIR.parts until then, so that
    the same command goes on where it was interrupted. Without -o nothing is written.
    """
    from gamedeid.report.terminal.console import console
    from gamedeid.report.terminal.uniqueness import print_study
    from gamedeid.results.resume import check_folder
    from gamedeid.risk.uniqueness.simulation import StudyPlan, parse_fractions, study_uniqueness

    if workers is not None and workers < 1:
        raise InvalidScenarioError(f"--workers must be at least 1, not {workers}")
    question, chosen = table_question(data, attributes, count, columns, width), parse_fractions(fractions)
    if output is not None and parts is not None and os.path.normpath(parts) == os.path.normpath(output):
        raise InvalidScenarioError("--parts and -o must be two folders; leave --parts out, or name another")
    own = None if output is None or parts is not None else Path(f"{os.path.normpath(output)}.parts")
    place = parts or own
    if place is not None:
        check_folder(place)
    source = Inputs(files={"data": InputFile.at(data)})
    with results_folder(output, overwrite=overwrite) as folder, progress() as phase:
        phase("reading the data")
        plan = StudyPlan(population=question.class_sizes(), fractions=chosen, samples=samples, seed=seed)
        keep = None if place is None else plan.parts(place)
        study = study_uniqueness(plan, workers=workers or os.cpu_count() or 1, keep=keep, progress=phase("samples"))
        if folder is not None:
            phase("writing the results")
            _write(folder, question, study, source)
    if keep is not None and own is not None and output is not None:
        clear_parts(keep, output)
    if as_json:
        print_json({"truth": plan.truth, "rows": study.rows})
        return
    to = console()
    print_study(study.rows, plan.truth, to)
    to.print(f"Written to {output}." if output is not None else "Nothing was written; add -o DIR for the table.")


def _write(folder: "FolderWriter", question: "TableQuestion", study: "UniquenessStudy", source: Inputs) -> None:
    from gamedeid.report.pictures.saving import contents
    from gamedeid.report.pictures.uniqueness import uniqueness_picture
    from gamedeid.results.manifest import manifest
    from gamedeid.results.tables import json_text, rows_to_columns, write_table

    with folder.open("study.csv") as stream:
        write_table(rows_to_columns(study.rows), stream, "csv")
    with folder.open("study.svg") as stream:
        stream.write(contents(uniqueness_picture(study.rows, study.plan.truth), "svg"))
    plan = study.plan
    asked: dict[str, Any] = {**question.as_dict(), "fractions": list(plan.fractions), "samples": plan.samples}
    made = manifest(scenario=asked, inputs=source, outputs=folder.digests)
    folder.write_text("manifest.json", json_text({**made, "seed": plan.seed}))
