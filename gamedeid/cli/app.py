"""The commands, gathered; and what becomes of every way in which one can end."""

import signal
import sys
from typing import Annotated, NoReturn

import typer

from gamedeid._version import __version__
from gamedeid.cli import hierarchy
from gamedeid.cli.compare import compare
from gamedeid.cli.fetch import fetch
from gamedeid.cli.run import run
from gamedeid.errors import GamedeidError

OUR_FAULT, BAD_INPUT, TERMINATED = 1, 2, 143

app = typer.Typer(
    help="Decide how much detail of each person's record can be shared.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.command()(run)
app.command()(compare)
app.add_typer(hierarchy.app, name="hierarchy")
app.command()(fetch)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"gamedeid {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Decide how much detail of each person's record can be shared."""


def main() -> NoReturn:
    """Run the command line and exit: 0 done, 2 bad input, 130 interrupted, 1 our own fault (with a traceback)."""
    signal.signal(signal.SIGTERM, _stop)
    try:
        app(prog_name="gamedeid")
    except GamedeidError as error:
        print(f"gamedeid: {error}", file=sys.stderr)  # noqa: T201  (this is where errors are said)
        sys.exit(BAD_INPUT)
    except MemoryError:
        print("gamedeid: not enough memory for this question", file=sys.stderr)  # noqa: T201
        sys.exit(BAD_INPUT)
    except Exception:
        print("gamedeid: this is a fault of gamedeid itself; please report what follows", file=sys.stderr)  # noqa: T201
        raise
    sys.exit(0)


def _stop(_signal: int, _frame: object) -> NoReturn:
    """End on SIGTERM as on Ctrl-C: whatever is half written is cleaned up on the way out."""
    sys.exit(TERMINATED)
