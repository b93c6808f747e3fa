"""The command ``gamedeid explore``: turn the stakes of a scenario in a page on this computer."""

from pathlib import Path
from typing import Annotated

import typer

from gamedeid.cli.options import ReadingOptions, ScenarioOptions, cluster_session, scenario_changes, with_groups
from gamedeid.cli.progress import progress
from gamedeid.extras import require


@with_groups
def explore(
    asked: ScenarioOptions,
    reading: ReadingOptions,
    *,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="DIR", help="Folder below which the page may save and write."),
    ] = Path(),
    browser: Annotated[
        bool, typer.Option(" /--no-browser", metavar="", help="Print the address, and open no browser.")
    ] = True,
    idle: Annotated[
        float,
        typer.Option(metavar="MINUTES", help="Stop after this time without a request."),
    ] = 15,
) -> None:
    """Change benefit, loss, cost, gain, weights, policy and game in a page, and see the effect at once.

    The page is on this computer only, at an address with a secret key. Ctrl-C ends it.
    """
    require("explore", "explore")
    from gamedeid.catalogue import sentence
    from gamedeid.explorer.serving import check_place, serving
    from gamedeid.explorer.session import Session

    check_place(output, idle)
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
            if browser:
                server.open_page()
            server.wait(60 * idle)
    typer.echo(sentence("commands.explored", {"idle": idle}))
