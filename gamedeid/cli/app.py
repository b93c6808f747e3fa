"""The commands, gathered: all of them, or the one that is asked for."""

from collections.abc import Collection
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from gamedeid.choices import LogLevel
from gamedeid.cli.commands import COMMANDS, HELP_OPTIONS, LOG_DETAIL, LOGGED, PURPOSE, VALUES_SHOWN, VERSION, Option
from gamedeid.cli.help import Commands
from gamedeid.cli.version import version_line

ALL = tuple(name for names in COMMANDS.values() for name in names)


def gathered(names: Collection[str] = ALL) -> typer.Typer:
    """Return the command line with some commands: the others are not loaded.

    Parameters
    ----------
    names : of :data:`gamedeid.cli.commands.COMMANDS`.
    """
    app = typer.Typer(
        cls=Commands,
        help=PURPOSE,
        context_settings={"help_option_names": list(HELP_OPTIONS)},
        no_args_is_help=True,
        pretty_exceptions_enable=False,
    )
    for name in names:
        module = import_module(f"gamedeid.cli.{name}")
        if hasattr(module, "app"):
            app.add_typer(module.app, name=name)
        else:
            app.command(name)(getattr(module, name))
    app.callback()(_options)
    return app


def _option(one: Option, **more: Any) -> Any:
    """Return an option of ``gamedeid`` itself as typer declares it."""
    return typer.Option(one.flag, metavar=one.value, envvar=one.variable or None, help=one.words, **more)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(version_line())
        raise typer.Exit


def _options(
    context: typer.Context,
    version: Annotated[bool, _option(VERSION, callback=_print_version, is_eager=True)] = False,  # noqa: ARG001  (its callback reads it)
    show_values: Annotated[bool, _option(VALUES_SHOWN)] = False,  # noqa: ARG001  (`shows_values` reads it)
    log: Annotated[Path | None, _option(LOGGED)] = None,
    log_level: Annotated[LogLevel | None, _option(LOG_DETAIL)] = None,
) -> None:
    if log is not None or log_level is not None:
        from gamedeid.cli.log import begin  # it takes numpy, which help does not

        begin(log, log_level or "info", context.invoked_subcommand or "")
