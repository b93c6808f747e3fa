"""The command ``gamedeid sweep``: the policy and the three games over a grid of stakes."""

from math import inf
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gamedeid.choices import MEASURES, OUTCOMES, Format
from gamedeid.cli.options import Json, OnePerson, OutputOptions, ScenarioOptions, with_groups
from gamedeid.cli.printing import print_json, print_plain
from gamedeid.cli.progress import progress
from gamedeid.errors import InvalidScenarioError, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gamedeid.scenario.grid import StakeName
    from gamedeid.study.warnings import Warnings


@with_groups
def sweep(
    asked: ScenarioOptions,
    person: OnePerson,
    results: OutputOptions,
    *,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            metavar="STAKE=VALUES",
            help="Vary benefit, loss, cost or gain, or recipients.NAME.KEY, where KEY is gain, cost, loss, probability "
            "or covers: START:STOP:STEP, START:STOP:logCOUNT or A,B,C. May be repeated (default: the loss, from a "
            "tenth to ten times its value).",
        ),
    ] = None,
    exact: Annotated[
        str | None,
        typer.Option(
            metavar="STAKE[=LOW:HIGH]",
            help="Instead of points: every value of one stake at which a strategy or the adversary's reply changes.",
        ),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only this measure, such as attacked (default: all). May be repeated."),
    ] = None,
    form: Annotated[
        Format, typer.Option("--format", metavar="NAME", help="Format of the table of results: csv or parquet.")
    ] = "csv",
    as_json: Json = False,
) -> None:
    """Show the policy and the three games at varied stakes: one row for each point and policy.

    With --record or --values the rows are about one record: its levels, the adversary's reply and both payoffs.

    Writes sweep (with --exact: breakpoints, or the stretches of one record) and manifest.json into -o DIR; without -o
    the rows are printed, as a table on a terminal, and as CSV into a pipe or a file.
    """
    from gamedeid.analysis.breakpoints import breakpoints
    from gamedeid.analysis.study_table import check_measures
    from gamedeid.analysis.sweep import sweep as sweep_study
    from gamedeid.catalogue import sentence
    from gamedeid.report.terminal.console import console
    from gamedeid.report.terminal.results import print_warnings
    from gamedeid.report.terminal.sweeps import print_sweep
    from gamedeid.report.words.aware import with_unplayed
    from gamedeid.scenario.grid import grid_axes, values_around
    from gamedeid.scenario.payoffs import Payoffs
    from gamedeid.study.facts import study_warnings
    from gamedeid.study.study import Study

    question = asked.read()
    _refuse_both(exact, vary, measure)
    one = person.named()
    axes = grid_axes(vary or [], None if one else question.recipients) if vary else []
    if exact is None and not vary:
        own = Payoffs.of(question.payoffs, question.recipients)
        axes = [values_around("loss", own.loss, points=5, factor=10)]
    bounded = None if exact is None else parse_stake_bounds(exact)
    check_measures(measure, OUTCOMES if one else MEASURES)
    with results.writing() as folder, progress() as phase:
        phase("reading the data")
        study = Study.prepare(question)
        if one:
            study = study.alone(**one)
        if bounded is not None:
            phase("breakpoints")
            table = breakpoints(study, *bounded)
        else:
            table = sweep_study(study, axes, per_record=bool(one), measures=measure or None, progress=phase("points"))
        if folder is not None:
            made = table.write(folder, form=form)
        else:
            columns = table.columns
            study.inputs.check()
    to, warnings = console(), with_unplayed(study_warnings(study), question)
    if folder is not None and as_json:
        print_json(made)
    elif folder is not None:
        print_warnings(warnings, to)
        to.print(results.where("the table"))
    elif as_json or not to.is_terminal:
        _print_rows(columns, warnings, as_json=as_json)
    else:
        to.print(study.scenario.title or "Sweep")
        print_warnings(warnings, to)
        left_out = print_sweep(columns, to, followed=None if bounded is None else bounded[0])
        to.print(sentence("commands.sweep", {"left_out": left_out}))


def _print_rows(columns: "Mapping[str, Sequence[Any]]", warnings: "Warnings", *, as_json: bool) -> None:
    """Print rows for machines as JSON or CSV, which have no place for warnings: these go to standard error."""
    from gamedeid.report.terminal.console import console
    from gamedeid.report.terminal.results import print_warnings
    from gamedeid.results.tables import columns_to_rows, csv_bytes

    print_warnings(warnings, console(stderr=True))
    if as_json:
        print_plain(list(columns_to_rows(columns)))
    else:
        typer.echo(csv_bytes(columns).decode(), nl=False)


def _refuse_both(exact: str | None, vary: list[str] | None, measure: list[str] | None) -> None:
    """Refuse options for points together with an exact stake, which has no points."""
    if exact is not None and vary:
        raise InvalidScenarioError("--exact follows one stake, --vary a grid of points; choose one of them")
    if exact is not None and measure:
        raise InvalidScenarioError("--measure chooses columns of the points of --vary; --exact has none of them")


def parse_stake_bounds(text: str) -> "tuple[StakeName, float, float]":
    """Parse ``NAME`` or ``NAME=LOW:HIGH``: a stake, and the bounds of its breakpoints.

    Examples
    --------
    >>> parse_stake_bounds("loss=100:500")
    ('loss', 100.0, 500.0)
    """
    from gamedeid.analysis.breakpoints import bounds_fault
    from gamedeid.scenario.grid import parse_stake

    name, equals, words = text.partition("=")
    stake = parse_stake(name, "exact")
    if not equals:
        return stake, 0.0, inf
    try:
        low, high = (float(word) for word in words.split(":"))
    except ValueError:
        raise InvalidScenarioError(f"--exact {quoted(text)}: expected NAME or NAME=LOW:HIGH") from None
    if (fault := bounds_fault(low, high)) is not None:
        raise InvalidScenarioError(f"--exact {quoted(text)}: {fault}")
    return stake, low, high
