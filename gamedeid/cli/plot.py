"""The commands ``gamedeid plot KIND``: results as pictures."""

from collections.abc import Callable
from functools import partial
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from gamedeid.cli.options import Game, Json, Overrides, PolicyName, Record, ScenarioPath, Values
from gamedeid.cli.pictured import (
    File,
    Replace,
    Shown,
    Vary,
    VaryBoth,
    asked,
    check_shown,
    chosen_stakes,
    person_of,
    varied,
    varied_both,
    write_picture,
)
from gamedeid.cli.progress import progress

if TYPE_CHECKING:
    from gamedeid.analysis.comparison import Comparison
    from gamedeid.progress import Phases
    from gamedeid.report.pictures.picture import Picture
    from gamedeid.scenario.scenario import Scenario
    from gamedeid.study.study import Study

POINTS_OF_LINES, POINTS_OF_MAPS, POINTS_OF_SOLVERS = 41, 31, 21
"""Values of each stake that is varied, unless given."""

app = typer.Typer(help="Draw results as a picture: an image, or a page to point at.", no_args_is_help=True)

Draw = TypeVar("Draw", bound=Callable[..., "Picture"])


def _write(
    draw: Callable[..., "Picture"],
    scenario: ScenarioPath,
    *,
    output: File,
    policy: PolicyName = None,
    overrides: Overrides = None,
    overwrite: Replace = False,
    as_json: Json = False,
    **own: Any,
) -> None:
    question = asked(scenario, output, overrides, policy)
    with progress() as phase:
        picture = draw(question, phase, **own)
    write_picture(picture, output, overwrite=overwrite, as_json=as_json)


def _command(name: str) -> Callable[[Draw], Draw]:
    """Make a command of a function that draws the picture of a scenario, as :func:`_write` does.

    Its options are the function's own, after the scenario and the phases of the work, and those of :func:`_write`.
    """

    def add(draw: Draw) -> Draw:
        command = partial(_write, draw)
        scenario, output, *others, _ = signature(command).parameters.values()
        options: list[Parameter] = [scenario, output, *list(signature(draw).parameters.values())[2:], *others]
        command.__dict__.update(
            __signature__=Signature(options), __annotations__={one.name: one.annotation for one in options}
        )
        app.command(name, help=draw.__doc__)(command)
        return draw

    return add


@_command("lattice")
def _lattice(
    question: "Scenario", phase: "Phases", *, record: Record = None, values: Values = None, game: Game = "basic"
) -> "Picture":
    """Draw the lattice of a record: both payoffs, the adversary's replies, and the strategy that is chosen."""
    from gamedeid.report.pictures.lattices import lattice_picture

    person, _ = person_of(record, values)
    return lattice_picture(_prepared(question, phase).alone(**person), game)


@_command("strategies")
def _strategies(
    question: "Scenario", phase: "Phases", *, record: Record = None, values: Values = None, game: Game = "basic"
) -> "Picture":
    """Draw what each strategy of a record would bring both players, in walk order."""
    from gamedeid.report.pictures.strategies import strategies_picture

    person, _ = person_of(record, values)
    return strategies_picture(_prepared(question, phase).alone(**person), game)


@_command("differences")
def _differences(question: "Scenario", phase: "Phases") -> "Picture":
    """Draw how the records' payoffs differ between each game and the policy, as histograms."""
    from gamedeid.analysis.payoff_differences import differences_of
    from gamedeid.report.pictures.differences import histogram_picture

    return histogram_picture(differences_of(_compared(question, phase)))


@_command("scatter")
def _scatter(question: "Scenario", phase: "Phases") -> "Picture":
    """Draw the records' payoffs under each game against those under the policy."""
    from gamedeid.report.pictures.differences import scatter_picture

    return scatter_picture(_compared(question, phase))


@_command("record-map")
def _record_map(
    question: "Scenario",
    phase: "Phases",
    *,
    record: Record = None,
    values: Values = None,
    game: Shown = "basic",
    vary: VaryBoth = None,
) -> "Picture":
    """Draw a record's generalization, the adversary's reply and both payoffs over loss and benefit."""
    from gamedeid.analysis.record_sweep import record_sweep
    from gamedeid.analysis.study_table import columns_of
    from gamedeid.report.pictures.maps import map_picture

    person, named = person_of(record, values)
    check_shown(game, question)
    axes = varied_both(question, vary, POINTS_OF_MAPS)
    study = _prepared(question, phase).alone(**person)
    columns = columns_of(record_sweep(study, axes, progress=phase("points")))
    return map_picture(columns, chosen_stakes(question), game, record=named)


@_command("map")
def _map(question: "Scenario", phase: "Phases", *, game: Shown = "basic", vary: VaryBoth = None) -> "Picture":
    """Draw the mean generalization, the share attacked and both mean payoffs over loss and benefit."""
    from gamedeid.analysis.study_table import columns_of
    from gamedeid.analysis.sweep import sweep
    from gamedeid.report.pictures.maps import map_picture

    check_shown(game, question)
    axes = varied_both(question, vary, POINTS_OF_MAPS)
    columns = columns_of(sweep(_prepared(question, phase), axes, progress=phase("points")))
    return map_picture(columns, chosen_stakes(question), game)


@_command("lines")
def _lines(question: "Scenario", phase: "Phases", *, vary: Vary = None) -> "Picture":
    """Draw both mean payoffs under the policy and the games along benefit, loss and cost."""
    from gamedeid.analysis.study_table import columns_of
    from gamedeid.analysis.sweep import sweep
    from gamedeid.report.pictures.lines import lines_picture

    axes = varied(question, vary, ("benefit", "loss", "cost"), POINTS_OF_LINES)
    study = _prepared(question, phase)
    along = {name: columns_of(sweep(study, [axis], progress=phase(name))) for name, axis in axes.items()}
    return lines_picture(along, chosen_stakes(question, *along))


@_command("deviation")
def _deviation(question: "Scenario", phase: "Phases", *, game: Game = "basic", vary: Vary = None) -> "Picture":
    """Draw how far lattice search stays from the best payoffs along benefit and loss."""
    from gamedeid.analysis.solver_comparison import sweep_solvers
    from gamedeid.report.pictures.deviation import deviation_picture
    from gamedeid.results.tables import rows_to_columns

    axes = varied(question, vary, ("benefit", "loss"), POINTS_OF_SOLVERS)
    study = _prepared(question, phase)
    along = {
        name: rows_to_columns(
            [row for one in sweep_solvers(study, [axis], game, progress=phase(name)) for row in one.rows]
        )
        for name, axis in axes.items()
    }
    return deviation_picture(along, chosen_stakes(question, *along))


def _prepared(question: "Scenario", phase: "Phases") -> "Study":
    from gamedeid.study.study import Study

    phase("reading the data")
    return Study.prepare(question)


def _compared(question: "Scenario", phase: "Phases") -> "Comparison":
    from gamedeid.analysis.comparison import compare_study

    return compare_study(_prepared(question, phase), progress=lambda game: phase(f"{game} game"))
