"""The commands ``gamedeid plot KIND``: results as pictures."""

from collections.abc import Callable
from functools import partial
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, cast

import typer

from gamedeid.choices import PictureKind
from gamedeid.cli.options import (
    Game,
    Json,
    Overrides,
    PolicyName,
    Record,
    Risk,
    ScenarioPath,
    Values,
    named_person,
    print_json,
    read_scenario,
)
from gamedeid.cli.progress import progress
from gamedeid.cli.risk_tables import (
    FRACTIONS,
    Attributes,
    Columns,
    Count,
    Fractions,
    Population,
    Samples,
    Seed,
    Width,
    Workers,
    known_workers,
    parse_fractions,
    people_table,
    with_census_table,
)

if TYPE_CHECKING:
    from gamedeid.pictures.picture import Picture
    from gamedeid.progress import Phases
    from gamedeid.risk.census.identifiable import Identifiable
    from gamedeid.scenario.scenario import Scenario


File = Annotated[
    Path, typer.Option("--output", "-o", metavar="FILE", help="File for the picture: FILE.png, FILE.svg or FILE.html.")
]
OverwriteFile = Annotated[bool, typer.Option("--overwrite", metavar="", help="Replace a file of this name.")]
GameOrPolicy = Annotated[
    str, typer.Option("--game", metavar="NAME", help="The game to show, or the policy by its name.")
]
Vary = Annotated[
    list[str] | None,
    typer.Option(
        metavar="STAKE=VALUES", help="A stake and its values, as in gamedeid sweep; each alone. May be repeated."
    ),
]
VaryMap = Annotated[
    list[str] | None,
    typer.Option("--vary", metavar="STAKE=VALUES", help="The values of loss, or of benefit, as in gamedeid sweep."),
]


def read_question(named: str, output: Path, overrides: list[str] | None, policy: str | None) -> "Scenario":
    """Return the scenario of a picture, once it is known that its file can be of the form that its name says."""
    check_file(output)
    return read_scenario(named, overrides, policy)


def check_file(output: Path) -> None:
    """Check that a picture can be of the form that its file's name says."""
    from gamedeid.extras import require
    from gamedeid.pictures.saving import form_of

    form_of(output)
    require("pictures", "a picture")


def write_picture(picture: "Picture", output: Path, *, overwrite: bool, as_json: bool) -> None:
    """Write a picture to its file and say so, or print what it shows as JSON."""
    from gamedeid.pictures.saving import save_picture
    from gamedeid.report.terminal.console import console
    from gamedeid.schemas.printed import PictureFacts

    save_picture(picture, output, overwrite=overwrite)
    if as_json:
        print_json(
            PictureFacts(
                kind=cast("PictureKind", picture.kind),
                title=picture.title,
                caption=picture.caption,
                finding=picture.finding,
                table=picture.table,
            )
        )
    else:
        console().print(f"Written to {output}.")


@with_census_table
def plot_demographics(
    read: Callable[[], "Identifiable"], *, output: File, overwrite: OverwriteFile = False, as_json: Json = False
) -> None:
    """Draw who is likely unique by place, sex and birth, from a census table: by age group, and from place to place."""
    check_file(output)
    write_picture(_plot(read(), "demographics"), output, overwrite=overwrite, as_json=as_json)


def plot_uniqueness(
    data: Population,
    *,
    output: File,
    attributes: Attributes = None,
    fractions: Fractions = FRACTIONS,
    samples: Samples = 100,
    seed: Seed = 1,
    workers: Workers = None,
    count: Count = None,
    columns: Columns = None,
    width: Width = None,
    overwrite: OverwriteFile = False,
    as_json: Json = False,
) -> None:
    """Draw how far the estimators of uniqueness are off, by samples of a population that is known."""
    from gamedeid.pictures.people import uniqueness_picture
    from gamedeid.risk.uniqueness.classes import read_class_sizes
    from gamedeid.risk.uniqueness.simulation import StudyPlan, study_uniqueness

    check_file(output)
    processes, chosen = known_workers(workers), parse_fractions(fractions)
    table = people_table(attributes, count, columns, width)
    with progress() as phase:
        phase("reading the data")
        plan = StudyPlan(population=read_class_sizes(data, **table), fractions=chosen, samples=samples, seed=seed)
        study = study_uniqueness(plan, workers=processes, progress=phase("samples"))
    write_picture(uniqueness_picture(study.rows, plan.truth), output, overwrite=overwrite, as_json=as_json)


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


def _plot(question: "Scenario | Identifiable", kind: PictureKind, **asked: Any) -> "Picture":
    from gamedeid.pictures.plot import plot

    return plot(question, kind, **asked)
