"""The commands ``gamedeid plot KIND``: results as pictures."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gamedeid.choices import PictureKind
from gamedeid.cli.options import Game, Json, OnePerson, OverwriteFile, Risk, ScenarioOptions, with_groups
from gamedeid.cli.printing import print_json
from gamedeid.cli.progress import progress
from gamedeid.cli.risk_tables import CensusTable, PeopleTableOptions, Samples, Sampling, known_workers, parse_fractions

if TYPE_CHECKING:
    from gamedeid.pictures.picture import Picture

GameOrPolicy = Annotated[
    str | None,
    typer.Option(
        "--game", metavar="NAME", help="The game to show, or the policy by its name (default: the scenario's game)."
    ),
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


@dataclass(frozen=True, kw_only=True, repr=False)
class PictureFile:
    """The file of a picture."""

    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="File for the picture: FILE.png, FILE.svg or FILE.html."),
    ]
    overwrite: OverwriteFile = False
    as_json: Json = False

    def check(self) -> None:
        """Check that a picture can have the format of its file's name."""
        from gamedeid.pictures.saving import picture_form

        picture_form(self.output)

    def write(self, picture: "Picture") -> None:
        """Write a picture, and print its path, or its words and numbers as JSON."""
        from gamedeid.pictures.saving import save_picture
        from gamedeid.report.terminal.console import console
        from gamedeid.report.terminal.results import print_warnings

        save_picture(picture, self.output, overwrite=self.overwrite)
        if self.as_json:
            print_json(picture)
        else:
            print_warnings(picture.warnings, console())
            console().print(f"Written to {self.output}.")


app = typer.Typer(help="Draw results as an image or an interactive page.", no_args_is_help=True)


@app.command("demographics")
@with_groups
def _demographics(table: CensusTable, file: PictureFile) -> None:
    """Draw the people likely unique by place, sex and birth, from a census table: by age group and by place."""
    from gamedeid.pictures.people import demographics_picture

    file.check()
    table.check()
    file.write(demographics_picture(table.identifiable()))


@app.command("uniqueness")
@with_groups
def _uniqueness(sampling: Sampling, table: PeopleTableOptions, file: PictureFile, *, samples: Samples = 100) -> None:
    """Draw the errors of the estimators of uniqueness, from samples of a known population."""
    from gamedeid.pictures.people import uniqueness_picture
    from gamedeid.risk.uniqueness.simulation import study_uniqueness

    file.check()
    processes, chosen, columns = known_workers(sampling.workers), parse_fractions(sampling.fractions), table.asked()
    with progress() as phase:
        phase("reading the data")
        plan = sampling.plan(columns, chosen, samples)
        study = study_uniqueness(plan, workers=processes, progress=phase("samples"))
    file.write(uniqueness_picture(study.rows, plan.truth))


@app.command("lattice")
@with_groups
def _lattice(asked: ScenarioOptions, file: PictureFile, person: OnePerson, *, game: Game = None) -> None:
    """Draw the lattice of a record: both payoffs, the adversary's replies, and the strategy that is chosen."""
    _draw(asked, file, "lattice", person, game=game)


@app.command("strategies")
@with_groups
def _strategies(asked: ScenarioOptions, file: PictureFile, person: OnePerson, *, game: Game = None) -> None:
    """Draw the payoffs of both players from each strategy of a record, in walk order."""
    _draw(asked, file, "strategies", person, game=game)


@app.command("differences")
@with_groups
def _differences(asked: ScenarioOptions, file: PictureFile) -> None:
    """Draw how the records' payoffs differ between each game and the policy, as histograms."""
    _draw(asked, file, "differences")


@app.command("scatter")
@with_groups
def _payoff_scatter(asked: ScenarioOptions, file: PictureFile) -> None:
    """Draw the records' payoffs under each game against those under the policy."""
    _draw(asked, file, "scatter")


@app.command("record-map")
@with_groups
def _record_map(
    asked: ScenarioOptions,
    file: PictureFile,
    person: OnePerson,
    *,
    game: GameOrPolicy = None,
    vary: VaryMap = None,
) -> None:
    """Draw a record's generalization, the adversary's reply and both payoffs over loss and benefit."""
    _draw(asked, file, "record-map", person, game=game, vary=vary or [])


@app.command("map")
@with_groups
def _map(asked: ScenarioOptions, file: PictureFile, *, game: GameOrPolicy = None, vary: VaryMap = None) -> None:
    """Draw the mean generalization, the share attacked and both mean payoffs over loss and benefit."""
    _draw(asked, file, "map", game=game, vary=vary or [])


@app.command("lines")
@with_groups
def _lines(asked: ScenarioOptions, file: PictureFile, *, vary: Vary = None) -> None:
    """Draw both mean payoffs under the policy and the games along benefit, loss and cost."""
    _draw(asked, file, "lines", vary=vary or [])


@app.command("deviation")
@with_groups
def _deviation(asked: ScenarioOptions, file: PictureFile, *, game: Game = None, vary: Vary = None) -> None:
    """Draw the distance of lattice search from the best payoffs along benefit and loss."""
    _draw(asked, file, "deviation", game=game, vary=vary or [])


@app.command("frontier")
@with_groups
def _frontier(asked: ScenarioOptions, file: PictureFile, *, risk: Risk = "adversary") -> None:
    """Draw risk against utility: uniform policies, a strategy for each record, the policy and the games."""
    from gamedeid.analysis.risk_utility import risk_utility
    from gamedeid.pictures.plot import plot
    from gamedeid.study.study import Study

    file.check()
    question = asked.read()
    with progress() as phase:
        phase("reading the data")
        picture = plot(risk_utility(Study.prepare(question), risk=risk, progress=phase), "frontier")
    file.write(picture)


def _draw(
    asked: ScenarioOptions, file: PictureFile, kind: PictureKind, person: OnePerson | None = None, **own: Any
) -> None:
    """Draw the picture of a scenario, and write it."""
    file.check()
    from gamedeid.pictures.plot import plot

    question = asked.read()
    with progress() as phase:
        picture = plot(question, kind, **({} if person is None else person.named()), **own, progress=phase)
    file.write(picture)
