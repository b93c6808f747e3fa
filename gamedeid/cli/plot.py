"""The commands ``gamedeid plot KIND``: results as pictures."""

from collections.abc import Callable
from functools import partial
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from gamedeid.choices import PictureKind
from gamedeid.cli.options import Game, Json, Overrides, PolicyName, Record, Risk, ScenarioPath, Values
from gamedeid.cli.person import named_person
from gamedeid.cli.plot_options import File, GameOrPolicy, OverwriteFile, Vary, VaryMap, read_question, write_picture
from gamedeid.cli.plot_risk import plot_demographics, plot_uniqueness
from gamedeid.cli.progress import progress

if TYPE_CHECKING:
    from gamedeid.pictures.picture import Picture
    from gamedeid.progress import Phases
    from gamedeid.scenario.scenario import Scenario

app = typer.Typer(help="Draw results as a picture: an image, or a page to point at.", no_args_is_help=True)

app.command("demographics")(plot_demographics)
app.command("uniqueness")(plot_uniqueness)

Draw = TypeVar("Draw", bound=Callable[..., "Picture"])


def _write(
    draw: Callable[..., "Picture"],
    scenario: ScenarioPath,
    *,
    output: File,
    policy: PolicyName = None,
    overrides: Overrides = None,
    overwrite: OverwriteFile = False,
    as_json: Json = False,
    **own: Any,
) -> None:
    question = read_question(scenario, output, overrides, policy)
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
    return _plot(question, "lattice", **named_person(record, values), game=game, progress=phase)


@_command("strategies")
def _strategies(
    question: "Scenario", phase: "Phases", *, record: Record = None, values: Values = None, game: Game = "basic"
) -> "Picture":
    """Draw the payoffs of both players from each strategy of a record, in walk order."""
    return _plot(question, "strategies", **named_person(record, values), game=game, progress=phase)


@_command("differences")
def _differences(question: "Scenario", phase: "Phases") -> "Picture":
    """Draw how the records' payoffs differ between each game and the policy, as histograms."""
    return _plot(question, "differences", progress=phase)


@_command("scatter")
def _scatter(question: "Scenario", phase: "Phases") -> "Picture":
    """Draw the records' payoffs under each game against those under the policy."""
    return _plot(question, "scatter", progress=phase)


@_command("record-map")
def _record_map(
    question: "Scenario",
    phase: "Phases",
    *,
    record: Record = None,
    values: Values = None,
    game: GameOrPolicy = "basic",
    vary: VaryMap = None,
) -> "Picture":
    """Draw a record's generalization, the adversary's reply and both payoffs over loss and benefit."""
    person = named_person(record, values)
    return _plot(question, "record-map", **person, game=game, vary=vary or [], progress=phase)


@_command("map")
def _map(question: "Scenario", phase: "Phases", *, game: GameOrPolicy = "basic", vary: VaryMap = None) -> "Picture":
    """Draw the mean generalization, the share attacked and both mean payoffs over loss and benefit."""
    return _plot(question, "map", game=game, vary=vary or [], progress=phase)


@_command("lines")
def _lines(question: "Scenario", phase: "Phases", *, vary: Vary = None) -> "Picture":
    """Draw both mean payoffs under the policy and the games along benefit, loss and cost."""
    return _plot(question, "lines", vary=vary or [], progress=phase)


@_command("deviation")
def _deviation(question: "Scenario", phase: "Phases", *, game: Game = "basic", vary: Vary = None) -> "Picture":
    """Draw how far lattice search stays from the best payoffs along benefit and loss."""
    return _plot(question, "deviation", game=game, vary=vary or [], progress=phase)


@_command("frontier")
def _frontier(question: "Scenario", phase: "Phases", *, risk: Risk = "adversary") -> "Picture":
    """Draw risk against utility: uniform policies, a strategy for each record, the policy and the games."""
    from gamedeid.analysis.risk_utility import risk_utility
    from gamedeid.pictures.risk_utility import frontier_picture
    from gamedeid.study.study import Study

    phase("reading the data")
    return frontier_picture(risk_utility(Study.prepare(question), risk=risk, progress=phase))


def _plot(question: "Scenario", kind: PictureKind, **asked: Any) -> "Picture":
    from gamedeid.pictures.plot import plot

    return plot(question, kind, **asked)
