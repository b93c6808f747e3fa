"""The command ``gamedeid risk uniqueness-study``: how good the estimators of uniqueness are on a known population."""

import os
from pathlib import Path
from typing import Annotated

import typer

from gamedeid.cli.options import Json, Output, Overwrite, clear_parts, print_json, results_folder
from gamedeid.cli.progress import progress
from gamedeid.cli.risk.table_options import Attributes, Columns, Count, Width, people_table
from gamedeid.errors import InvalidScenarioError, quoted
from gamedeid.extras import require

Population = Annotated[
    Path,
    typer.Argument(
        metavar="DATA", help="The population, a CSV or Parquet file; a row is a person unless there is --count."
    ),
]
Fractions = Annotated[str, typer.Option(metavar="F,F,...", help="Sampling fractions, between 0 and 1.")]
Samples = Annotated[int, typer.Option(metavar="NUMBER", help="Samples drawn at each fraction.")]
Seed = Annotated[int, typer.Option(metavar="NUMBER", help="Of the random numbers.")]
Workers = Annotated[
    int | None, typer.Option(metavar="NUMBER", help="Processes that share the work; they change no digit.")
]
FRACTIONS, SAMPLES = ".01,.05,.1,.3,.5,.7,.9", 1000


def uniqueness_study(
    data: Population,
    *,
    attributes: Attributes = None,
    fractions: Fractions = FRACTIONS,
    samples: Samples = SAMPLES,
    seed: Seed = 1,
    workers: Workers = None,
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

    Writes study.csv, study.svg and manifest.json into -o DIR. Finished parts are kept in DIR.parts until then, so that
    the same command goes on where it was interrupted. Without -o nothing is written.
    """
    from gamedeid.report.terminal.console import console
    from gamedeid.report.terminal.uniqueness import print_study
    from gamedeid.results.resume import check_folder
    from gamedeid.risk.uniqueness.classes import read_class_sizes
    from gamedeid.risk.uniqueness.simulation import StudyPlan, study_uniqueness

    processes = known_workers(workers)
    table, chosen = people_table(attributes, count, columns, width), parse_fractions(fractions)
    if output is not None and parts is not None and os.path.normpath(parts) == os.path.normpath(output):
        raise InvalidScenarioError("--parts and -o must be two folders; leave --parts out, or name another")
    own = None if output is None or parts is not None else Path(f"{os.path.normpath(output)}.parts")
    if output is not None:
        require("pictures", "the picture in -o DIR")
    place = parts or own
    if place is not None:
        check_folder(place)
    with results_folder(output, overwrite=overwrite) as folder, progress() as phase:
        phase("reading the data")
        plan = StudyPlan(population=read_class_sizes(data, **table), fractions=chosen, samples=samples, seed=seed)
        finished = None if place is None else plan.parts(place)
        study = study_uniqueness(plan, workers=processes, parts=finished, progress=phase("samples"))
        if folder is not None:
            phase("writing the results")
            study.write_files(folder)
    if finished is not None and own is not None and output is not None:
        clear_parts(finished, output)
    if as_json:
        print_json({"truth": plan.truth, "rows": study.rows}, "uniqueness-study")
        return
    to = console()
    print_study(study.rows, plan.truth, to)
    to.print(f"Written to {output}." if output is not None else "Nothing was written; add -o DIR for the table.")


def known_workers(workers: int | None) -> int:
    """Return how many processes share the work: as many as asked for, or else one for each processor.

    Raises
    ------
    InvalidScenarioError : fewer than one.
    """
    if workers is not None and workers < 1:
        raise InvalidScenarioError(f"--workers must be at least 1, not {workers}")
    return workers or os.cpu_count() or 1


def parse_fractions(text: str) -> tuple[float, ...]:
    """Return fractions from a text such as ``.01,.05,.1``.

    Raises
    ------
    InvalidScenarioError : these are no numbers, or not between 0 and 1.
    """
    from gamedeid.risk.uniqueness.simulation import check_fractions

    try:
        fractions = tuple(float(part) for part in text.split(","))
    except ValueError:
        raise InvalidScenarioError(
            f"--fractions: {quoted(text)} are no numbers between 0 and 1, such as .01,.1,.5"
        ) from None
    check_fractions(fractions)
    return fractions
