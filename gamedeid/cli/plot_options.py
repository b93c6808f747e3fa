"""What the commands ``gamedeid plot KIND`` share: their options, the question and the file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamedeid.cli.options import print_json, read_scenario

if TYPE_CHECKING:
    from gamedeid.pictures.picture import Picture
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
    """Return the scenario of a picture, once it is known that its file can be of the form that its name says.

    Raises
    ------
    OutputError : the file's suffix is none of those that a picture can have.
    InvalidScenarioError : as for any command.
    """
    check_file(output)
    return read_scenario(named, overrides, policy)


def check_file(output: Path) -> None:
    """Check that a picture can be of the form that its file's name says.

    Raises
    ------
    OutputError : the file's suffix is none of those that a picture can have.
    """
    from gamedeid.extras import require
    from gamedeid.pictures.saving import form_of

    form_of(output)
    require("pictures", "a picture")


def write_picture(picture: "Picture", output: Path, *, overwrite: bool, as_json: bool) -> None:
    """Write a picture to its file and say so, or print what it shows as JSON.

    Raises
    ------
    OutputError : the file may not or cannot be written.
    """
    from gamedeid.pictures.saving import save_picture
    from gamedeid.report.terminal.console import console

    save_picture(picture, output, overwrite=overwrite)
    if as_json:
        names = ("kind", "title", "caption", "finding", "table")
        print_json({name: getattr(picture, name) for name in names}, "picture")
    else:
        console().print(f"Written to {output}.")
