"""The commands ``gamedeid plot KIND``: results as pictures."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamedeid.choices import GAMES, GameName
from gamedeid.cli.options import Json, Overrides, PolicyName, ScenarioPath, print_json, read_scenario
from gamedeid.cli.progress import progress
from gamedeid.errors import InvalidScenarioError, nearest, quoted

if TYPE_CHECKING:
    from gamedeid.grid import Axis, StakeName
    from gamedeid.one_profile import Person
    from gamedeid.pictures.picture import Picture
    from gamedeid.scenario import Scenario
    from gamedeid.study import Study

app = typer.Typer(help="Draw results as a picture: an image, or a page to point at.", no_args_is_help=True)

FACTOR, POINTS_OF_LINES, POINTS_OF_MAPS = 20, 41, 31
"""Values unless given: from the chosen one divided by the factor to it times the factor."""

File = Annotated[
    Path, typer.Option("--output", "-o", metavar="FILE", help="File for the picture: FILE.png, FILE.svg or FILE.html.")
]
Replace = Annotated[bool, typer.Option("--overwrite", metavar="", help="Replace a file of this name.")]
Game = Annotated[
    GameName, typer.Option(metavar="NAME", help="What the publisher may do: basic, no-attack or sh-friendly.")
]
Shown = Annotated[str, typer.Option("--game", metavar="NAME", help="The game to show, or the policy by its name.")]
Record = Annotated[
    int | None, typer.Option(metavar="NUMBER", help="The record by its number from 0, as in strategies.csv.")
]
Values = Annotated[
    str | None,
    typer.Option(metavar="ATTRIBUTE=VALUE,...", help="Or any person, by a value for every attribute."),
]
VaryLines = Annotated[
    list[str] | None,
    typer.Option(
        "--vary",
        metavar="STAKE=VALUES",
        help="A stake and its values, as in gamedeid sweep. May be repeated; each is varied alone.",
    ),
]
VaryMap = Annotated[
    list[str] | None,
    typer.Option(
        "--vary", metavar="STAKE=VALUES", help="The values of loss and those of benefit, as in gamedeid sweep."
    ),
]


@app.command()
def lattice(
    scenario: ScenarioPath,
    *,
    output: File,
    record: Record = None,
    values: Values = None,
    game: Game = "basic",
    policy: PolicyName = None,
    overrides: Overrides = None,
    overwrite: Replace = False,
    as_json: Json = False,
) -> None:
    """Draw the lattice of a record: both payoffs, the adversary's replies, and the strategy that is chosen."""
    from gamedeid.pictures.lattices import lattice_picture

    study, _ = _of_one(scenario, output, record, values, policy, overrides)
    _write(lattice_picture(study, game), output, overwrite=overwrite, as_json=as_json)


@app.command()
def strategies(
    scenario: ScenarioPath,
    *,
    output: File,
    record: Record = None,
    values: Values = None,
    game: Game = "basic",
    policy: PolicyName = None,
    overrides: Overrides = None,
    overwrite: Replace = False,
    as_json: Json = False,
) -> None:
    """Draw what each strategy of a record would bring both players, in walk order."""
    from gamedeid.pictures.strategies import strategies_picture

    study, _ = _of_one(scenario, output, record, values, policy, overrides)
    _write(strategies_picture(study, game), output, overwrite=overwrite, as_json=as_json)


@app.command()
def differences(
    scenario: ScenarioPath,
    *,
    output: File,
    policy: PolicyName = None,
    overrides: Overrides = None,
    overwrite: Replace = False,
    as_json: Json = False,
) -> None:
    """Draw how the records' payoffs differ between each game and the policy, as histograms."""
    from gamedeid.comparison import compare_study
    from gamedeid.differences import differences_of
    from gamedeid.pictures.differences import histogram_picture

    question = _asked(scenario, output, policy, overrides)
    with progress() as phase:
        comparison = compare_study(_prepared(question, phase), progress=lambda game: phase(f"{game} game"))
    _write(histogram_picture(differences_of(comparison)), output, overwrite=overwrite, as_json=as_json)


@app.command()
def scatter(
    scenario: ScenarioPath,
    *,
    output: File,
    policy: PolicyName = None,
    overrides: Overrides = None,
    overwrite: Replace = False,
    as_json: Json = False,
) -> None:
    """Draw the records' payoffs under each game against those under the policy."""
    from gamedeid.comparison import compare_study
    from gamedeid.pictures.differences import scatter_picture

    question = _asked(scenario, output, policy, overrides)
    with progress() as phase:
        comparison = compare_study(_prepared(question, phase), progress=lambda game: phase(f"{game} game"))
    _write(scatter_picture(comparison), output, overwrite=overwrite, as_json=as_json)


@app.command("record-map")
def record_map(
    scenario: ScenarioPath,
    *,
    output: File,
    record: Record = None,
    values: Values = None,
    game: Shown = "basic",
    vary: VaryMap = None,
    policy: PolicyName = None,
    overrides: Overrides = None,
    overwrite: Replace = False,
    as_json: Json = False,
) -> None:
    """Draw what a record's detail, the reply and both payoffs are over loss and benefit."""
    from gamedeid.pictures.maps import map_picture
    from gamedeid.record_sweep import record_sweep
    from gamedeid.sweep import columns_of

    question = _asked(scenario, output, policy, overrides)
    _known(game, question)
    axes = _axes_of_map(question, vary)
    study, named = _of_one(scenario, output, record, values, policy, overrides)
    with progress() as phase:
        columns = columns_of(record_sweep(study, axes, progress=phase("points")))
    picture = map_picture(columns, _chosen(question), game, record=named)
    _write(picture, output, overwrite=overwrite, as_json=as_json)


@app.command("map")
def dataset_map(
    scenario: ScenarioPath,
    *,
    output: File,
    game: Shown = "basic",
    vary: VaryMap = None,
    policy: PolicyName = None,
    overrides: Overrides = None,
    overwrite: Replace = False,
    as_json: Json = False,
) -> None:
    """Draw the dataset's mean detail, share attacked and mean payoffs over loss and benefit."""
    from gamedeid.pictures.maps import map_picture
    from gamedeid.sweep import columns_of, sweep

    question = _asked(scenario, output, policy, overrides)
    _known(game, question)
    axes = _axes_of_map(question, vary)
    with progress() as phase:
        columns = columns_of(sweep(_prepared(question, phase), axes, progress=phase("points")))
    _write(map_picture(columns, _chosen(question), game), output, overwrite=overwrite, as_json=as_json)


@app.command()
def lines(
    scenario: ScenarioPath,
    *,
    output: File,
    vary: VaryLines = None,
    policy: PolicyName = None,
    overrides: Overrides = None,
    overwrite: Replace = False,
    as_json: Json = False,
) -> None:
    """Draw the mean payoffs under the policy and the games along benefit, loss and cost."""
    from gamedeid.pictures.lines import lines_picture
    from gamedeid.sweep import columns_of, sweep

    question = _asked(scenario, output, policy, overrides)
    axes = _axes(question, vary, ("benefit", "loss", "cost"), POINTS_OF_LINES)
    with progress() as phase:
        study = _prepared(question, phase)
        along = {name: columns_of(sweep(study, [axis], progress=phase(name))) for name, axis in axes.items()}
    _write(lines_picture(along, _chosen(question, *along)), output, overwrite=overwrite, as_json=as_json)
