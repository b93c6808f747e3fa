"""The commands that compare: ``gamedeid compare``, ``regions``, ``frontier``, ``solvers`` and ``suggest``."""

from typing import Annotated

import typer

from gamedeid.cli.options import (
    Game,
    Json,
    OutputOptions,
    ReadingOptions,
    Risk,
    ScenarioOptions,
    Solver,
    cluster_session,
    with_groups,
)
from gamedeid.cli.printing import print_found, print_json
from gamedeid.cli.progress import progress
from gamedeid.report.terminal.console import console


@with_groups
def compare(
    results: OutputOptions,
    asked: ScenarioOptions,
    reading: ReadingOptions,
    *,
    solver: Solver = "exact",
    as_json: Json = False,
) -> None:
    """Compare a policy (default: Safe Harbor) with the three games.

    Shows the payoff of each if the recipient counts matching people, and if the recipient also knows how the release
    was made. The games aware-basic and aware-no-attack are added if profiles and strategies are few, and the records
    are their own population or the scenario names one of these games.

    Safe Harbor here generalizes attributes only: whether the publisher has actual knowledge, and the identifiers of
    relatives, employers and household members, are not checked (45 CFR 164.514(b)(2)).

    Writes comparison.csv, comparison.json and manifest.json into -o DIR; without -o nothing is written.
    """
    from gamedeid.analysis.comparison import compare, played_aware_games, relevant_aware_games
    from gamedeid.study.study import Study

    question = asked.read()
    read_options = reading.chosen()
    with results.writing() as folder, progress() as phase, cluster_session(read_options):
        study = Study.prepare(question, read_options=read_options, progress=phase)
        comparison = compare(study, solver=solver, progress=lambda game: phase(f"{game} game"))
        if folder is not None:
            phase("writing the results")
            comparison.write(folder)
        else:
            study.inputs.check()
    if as_json:
        print_json(comparison)
        return
    from gamedeid.capabilities import Operation, refusal_words
    from gamedeid.catalogue import sentences
    from gamedeid.report.terminal.results import print_comparison

    to = console()
    print_comparison(comparison, to)
    left_out = relevant_aware_games(study) != played_aware_games(study)
    for words in sentences(
        "commands.compare", {"aware_left_out": left_out and refusal_words(Operation.AWARE_GAME, study.features) is None}
    ):
        to.print(words)
    to.print(results.where("the tables"))


@with_groups
def regions(
    results: OutputOptions,
    asked: ScenarioOptions,
    *,
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER", help="Regions worked on at a time, each on one core (default: all cores).", min=1
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Compare a policy with the three games for data in one file per region, too large for memory.

    Writes regions.csv, regions.json and manifest.json into -o DIR; without -o nothing is written. Finished regions are
    kept in DIR.parts; the same command continues after them.
    """
    from gamedeid.analysis.regional_comparison import compare_regions, parts_of_regions
    from gamedeid.report.terminal.results import print_regions
    from gamedeid.study.regional import RegionalStudy

    question = asked.read()
    with results.writing() as folder, progress() as phase:
        study = RegionalStudy.prepare(question, workers=workers, progress=phase)
        parts = None if results.output is None else parts_of_regions(study, results.output)
        comparison = compare_regions(study, parts=parts, progress=phase)
        if folder is not None:
            phase("writing the results")
            comparison.write(folder)
    results.clear_parts(parts)
    print_found(comparison, print_regions, as_json=as_json, last=results.where("the tables"))


@with_groups
def frontier(
    results: OutputOptions,
    asked: ScenarioOptions,
    reading: ReadingOptions,
    *,
    risk: Risk = "adversary",
    as_json: Json = False,
) -> None:
    """Show risk and utility of all uniform policies, of a strategy for each record, of the policy and the games.

    A uniform policy releases all records at one strategy. Writes frontier.json, uniform.csv, curve.csv, frontier.svg
    and manifest.json into -o DIR; without -o nothing is written.
    """
    from gamedeid.analysis.risk_utility import risk_utility
    from gamedeid.report.terminal.risk_utility import print_risk_utility
    from gamedeid.study.study import Study

    question = asked.read()
    read_options = reading.chosen()
    with results.writing() as folder, progress() as phase, cluster_session(read_options):
        study = Study.prepare(question, read_options=read_options, progress=phase)
        result = risk_utility(study, risk=risk, progress=phase)
        if folder is not None:
            phase("writing the results")
            result.write(folder)
        else:
            study.inputs.check()
    print_found(result, print_risk_utility, as_json=as_json, last=results.where("tables and picture"))


@with_groups
def solvers(
    results: OutputOptions,
    asked: ScenarioOptions,
    *,
    game: Game = None,
    solver: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Solvers: exact, backward-induction, lattice-search or bounded-suboptimal (default: the first "
            "three). May be repeated.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Compare the solvers: payoffs, differences from the best, strategies searched and running time.

    Writes solvers.csv and manifest.json into -o DIR; without -o nothing is written. Times are shown, never written.
    """
    from gamedeid.analysis.solver_comparison import DEFAULT_SOLVERS, compare_solvers, named_solvers
    from gamedeid.report.terminal.results import print_solvers
    from gamedeid.study.study import Study

    question = asked.read()
    taking_part = named_solvers(solver or DEFAULT_SOLVERS)
    with results.writing() as folder, progress() as phase:
        phase("reading the data")
        study = Study.prepare(question)
        compared = compare_solvers(study, game, taking_part, progress=phase)
        if folder is not None:
            compared.write(folder)
        else:
            study.inputs.check()
    if as_json:
        print_json(compared.facts)
        return
    to = console()
    print_solvers(compared, to)
    to.print(results.where("the table"))


@with_groups
def suggest(
    asked: ScenarioOptions,
    *,
    game: Game = None,
    as_json: Json = False,
) -> None:
    """Suggest the cheapest change of game or limits that meets the scenario's thresholds.

    Solves the three games, each as it is, within limits from the thresholds, and with one strategy for all records.
    Shows the cost of each in the publisher's payoff. Also shows the nearest values of each stake with which the
    present game meets the thresholds; their costs would not compare. Nothing is written.
    """
    from gamedeid.analysis.suggestions import suggest
    from gamedeid.report.terminal.results import print_warnings
    from gamedeid.report.terminal.suggestions import print_suggestions, run_command
    from gamedeid.study.study import Study

    question = asked.read()
    with progress() as phase:
        study = Study.prepare(question, progress=phase)
        found = suggest(study, game=game, progress=phase)
        study.inputs.check()
    if as_json:
        print_json(found)
        return
    to = console()
    print_suggestions(found, to)
    print_warnings(found.warnings, to)
    if found.change is not None:
        command = run_command(asked.scenario, found.change, asked.overrides or [], asked.policy)
        to.print(f"Run it: {command}")
