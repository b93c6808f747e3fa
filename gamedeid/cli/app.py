"""The commands, gathered."""

from pathlib import Path
from typing import Annotated

import typer

from gamedeid._version import __version__
from gamedeid.choices import LogLevel
from gamedeid.cli import hierarchy, plot, risk
from gamedeid.cli.apply import apply
from gamedeid.cli.attack import attack
from gamedeid.cli.audit import audit
from gamedeid.cli.check import check
from gamedeid.cli.compare import compare
from gamedeid.cli.determination import determination
from gamedeid.cli.explore import explore
from gamedeid.cli.fetch import fetch
from gamedeid.cli.flags import LOG, LOG_LEVEL, SHOW_VALUES
from gamedeid.cli.frontier import frontier
from gamedeid.cli.help import HELP_OPTIONS, Commands
from gamedeid.cli.init import init
from gamedeid.cli.report import report
from gamedeid.cli.run import run
from gamedeid.cli.scenarios import scenarios
from gamedeid.cli.schema import schema
from gamedeid.cli.sign import sign
from gamedeid.cli.solvers import solvers
from gamedeid.cli.sweep import sweep
from gamedeid.cli.verify import verify

app = typer.Typer(
    cls=Commands,
    help="Decide how much detail of each person's record can be shared.",
    context_settings={"help_option_names": list(HELP_OPTIONS)},
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.command()(init)
app.command()(check)
app.command()(scenarios)
app.command()(run)
app.command()(apply)
app.command()(compare)
app.command()(sweep)
app.command()(frontier)
app.command()(explore)
app.command()(solvers)
app.command()(report)
app.command()(determination)
app.command()(verify)
app.command()(audit)
app.command()(attack)
app.command()(sign)
app.add_typer(plot.app, name="plot")
app.add_typer(risk.app, name="risk")
app.add_typer(hierarchy.app, name="hierarchy")
app.command()(fetch)
app.command()(schema)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"gamedeid {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001  (its callback reads it)
        bool,
        typer.Option(
            "--version", metavar="", callback=_print_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
    show_values: Annotated[  # noqa: ARG001  (`shows_values` reads it)
        bool,
        typer.Option(
            SHOW_VALUES, metavar="", help="Tell values of the data in messages; may stand anywhere in a command."
        ),
    ] = False,
    log: Annotated[
        Path | None,
        typer.Option(
            LOG,
            metavar="FILE",
            envvar="GAMEDEID_LOG",
            help="Add a line to this file for each step and its figures, never a value of the data; "
            "may stand anywhere in a command.",
        ),
    ] = None,
    log_level: Annotated[
        LogLevel | None,
        typer.Option(
            LOG_LEVEL,
            metavar="LEVEL",
            envvar="GAMEDEID_LOG_LEVEL",
            help="Least important lines of the log: debug, info, warning or error; info unless given. Without --log "
            "they go to standard error; may stand anywhere in a command.",
        ),
    ] = None,
) -> None:
    """Decide how much detail of each person's record can be shared."""
    if log is not None or log_level is not None:
        from gamedeid.cli.log import begin  # it takes numpy, which help does not

        begin(log, log_level or "info", context.invoked_subcommand or "")
