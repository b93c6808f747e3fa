"""What the commands ``gamedeid plot KIND`` share: the question, whose picture, over which stakes, and the file."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from gamedeid.choices import GAMES
from gamedeid.cli.options import print_json, read_scenario
from gamedeid.cli.person import Person, named_person
from gamedeid.errors import InvalidScenarioError, nearest, quoted

if TYPE_CHECKING:
    from gamedeid.report.pictures.picture import Picture
    from gamedeid.scenario.grid import Axis, StakeName
    from gamedeid.scenario.scenario import Scenario

FACTOR = 20
"""Stakes that are varied run, unless given, from the chosen one divided by this to the chosen one times this."""

File = Annotated[
    Path, typer.Option("--output", "-o", metavar="FILE", help="File for the picture: FILE.png, FILE.svg or FILE.html.")
]
Replace = Annotated[bool, typer.Option("--overwrite", metavar="", help="Replace a file of this name.")]
Shown = Annotated[str, typer.Option("--game", metavar="NAME", help="The game to show, or the policy by its name.")]
Vary = Annotated[
    list[str] | None,
    typer.Option(
        metavar="STAKE=VALUES", help="A stake and its values, as in gamedeid sweep; each alone. May be repeated."
    ),
]
VaryBoth = Annotated[
    list[str] | None,
    typer.Option("--vary", metavar="STAKE=VALUES", help="The values of loss, or of benefit, as in gamedeid sweep."),
]


def asked(named: str, output: Path, overrides: list[str] | None, policy: str | None) -> "Scenario":
    """Return the scenario of a picture, once it is known that its file can be of the form that its name says.

    Raises
    ------
    OutputError : the file's suffix is none of those that a picture can have.
    InvalidScenarioError : as for any command.
    """
    from gamedeid.report.pictures.saving import form_of

    form_of(output)
    return read_scenario(named, overrides, policy)


def person_of(record: int | None, values: str | None) -> tuple[Person, str]:
    """Return whom a picture is of, and what to call them.

    Raises
    ------
    InvalidScenarioError : nobody is named, or two are.
    """
    person = named_person(record, values)
    if not person:
        raise InvalidScenarioError(
            "this picture is of one record; say which with --record NUMBER or --values ATTRIBUTE=VALUE,..."
        )
    return person, f"record {record}" if values is None else values


def check_shown(name: str, question: "Scenario") -> None:
    """Check that a picture can show a game or policy of this name.

    Raises
    ------
    InvalidScenarioError : it is no game, and not the policy that the scenario compares with.
    """
    known = (*GAMES, question.floor)
    if name not in known:
        raise InvalidScenarioError(f"there is no game or policy {quoted(name)} to show{nearest(name, known)}")


def varied(
    question: "Scenario", texts: list[str] | None, names: Sequence["StakeName"], points: int
) -> dict["StakeName", "Axis"]:
    """Return the stakes to vary and their values: as given, or else around the chosen ones.

    Parameters
    ----------
    question : whose stakes are the chosen ones.
    texts : what was given with ``--vary``.
    names : the stakes varied if none are given.
    points : how many values, if none are given.

    Raises
    ------
    InvalidScenarioError : no range, or a stake given twice.
    """
    from gamedeid.scenario.grid import Axis, around, check_grid

    given = [Axis.parse(text) for text in texts or []]
    if given:
        check_grid([Axis(name=axis.name, values=axis.values[:1]) for axis in given])  # each is a grid of its own
        return {cast("StakeName", axis.name): axis for axis in given}
    chosen = chosen_stakes(question)
    return {name: around(name, chosen[name], points, FACTOR) for name in names}


def varied_both(question: "Scenario", texts: list[str] | None, points: int) -> list["Axis"]:
    """Return the values of the loss and of the benefit: those given, or else around the chosen ones.

    Raises
    ------
    InvalidScenarioError : another stake is given, or as :func:`varied` does.
    """
    own = varied(question, None, ("loss", "benefit"), points)
    given = varied(question, texts, (), points)
    others = [name for name in given if name not in own]
    if others:
        raise InvalidScenarioError(
            f"a map is drawn over loss and benefit; leave out --vary {others[0]}, or set it with --set "
            f"payoffs.{others[0]}=..."
        )
    return list((own | given).values())


def chosen_stakes(question: "Scenario", *more: str) -> dict[str, float]:
    """Return the scenario's own stakes; the gain only where it is one of its own, or among ``more``."""
    from gamedeid.scenario.payoffs import Payoffs

    own = Payoffs.of(question.payoffs)
    stakes = {"benefit": own.benefit, "loss": own.loss, "cost": own.cost}
    if not own.gain_follows_loss or "gain" in more:
        stakes["gain"] = own.adversary_gain
    return stakes


def write_picture(picture: "Picture", output: Path, *, overwrite: bool, as_json: bool) -> None:
    """Write a picture to its file and say so, or print what it shows as JSON.

    Raises
    ------
    OutputError : the file may not or cannot be written.
    """
    from gamedeid.report.pictures.saving import save_picture
    from gamedeid.report.terminal.console import console

    save_picture(picture, output, overwrite=overwrite)
    if as_json:
        names = ("kind", "title", "caption", "finding", "table")
        print_json({name: getattr(picture, name) for name in names})
    else:
        console().print(f"Written to {output}.")
