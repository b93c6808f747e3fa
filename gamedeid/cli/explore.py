"""The command ``gamedeid explore``: turn the stakes of a scenario in a page on this computer."""

from contextlib import ExitStack, suppress
from pathlib import Path, PurePath
from typing import Annotated

import typer

from gamedeid.cli.options import Reading, ScenarioOptions, cluster_session, scenario_changes, with_groups
from gamedeid.cli.progress import progress
from gamedeid.errors import InvalidScenarioError, OutputError, quoted
from gamedeid.extras import require

LEAST_IDLE, MOST_IDLE = 0.01, 7 * 24 * 60
"""Minutes without a question after which the command can be told to end."""

TEXT_BROWSERS = frozenset({"elinks", "links", "lynx", "w3m", "www-browser"})
"""Browsers that would take the terminal, and cannot run the page."""


@with_groups
def explore(
    asked: ScenarioOptions,
    reading: Reading,
    *,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="DIR", help="Folder below which the page may save and write; the current one."
        ),
    ] = Path(),
    browser: Annotated[
        bool, typer.Option(" /--no-browser", metavar="", help="Print the address, and open no browser.")
    ] = True,
    idle: Annotated[
        float,
        typer.Option(metavar="MINUTES", help="Stop when no page has asked for anything for so long."),
    ] = 15.0,
) -> None:
    """Turn benefit, loss, cost, gain, weights, policy and game in a page, and see the effect at once.

    The page is on this computer only, at an address with a secret key. Ctrl-C ends it.
    """
    require("explore", "explore")
    from gamedeid.catalogue import sentence
    from gamedeid.explorer.serving import serving
    from gamedeid.explorer.session import Session

    if not LEAST_IDLE <= idle <= MOST_IDLE:
        raise InvalidScenarioError(f"--idle: expected minutes from {LEAST_IDLE} to {MOST_IDLE:,}, a week, not {idle:g}")
    if not output.is_dir():
        raise OutputError(f"there is no folder {quoted(output)}; create it first")
    question = asked.read()
    read_options = reading.chosen()
    with cluster_session(read_options):
        with progress() as phase:
            session = Session.open(
                question,
                read_options=read_options,
                progress=phase,
                root=output,
                overrides=scenario_changes(asked.overrides, asked.policy),
            )
        with serving(session) as server:
            session.compile_in_background()
            typer.echo(f"Explorer: {server.address}")
            typer.echo(sentence("commands.explore", {"idle": idle}))
            with ExitStack() as until_the_end:
                if browser:
                    _open(server.opening_address, until_the_end)
                server.wait(60 * idle)
    typer.echo(sentence("commands.explored", {"idle": idle}))


def _open(address: str, until_the_end: ExitStack) -> None:
    """Open an address in a browser, unless the only one is of text and would take the terminal."""
    import webbrowser

    from gamedeid.explorer.serving import opening_file

    with suppress(webbrowser.Error, OutputError):  # the address is printed all the same
        browser = webbrowser.get()
        if PurePath(browser.name).name not in TEXT_BROWSERS:
            browser.open(until_the_end.enter_context(opening_file(address)).as_uri())
