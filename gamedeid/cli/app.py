"""The commands of the command line: all of them, or the requested one."""

from collections.abc import Callable, Collection, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer.main
from rich.markup import escape
from typer.core import TyperGroup

from gamedeid.choices import LogLevel
from gamedeid.cli.commands import COMMANDS, EXAMPLES, HELP_OPTIONS, LOG, LOG_LEVEL, PURPOSE, SHOW_VALUES, version_line

_MODULES = {name: module for modules in COMMANDS.values() for name, module in modules.items()}
ALL_COMMANDS = tuple(_MODULES)


@cache
def command_line(names: tuple[str, ...] = ALL_COMMANDS) -> Callable[..., Any]:
    """Return the runner of a command line with some commands, built once for all runs of a process."""
    return typer.main.get_command(load_commands(names))


def load_commands(names: Collection[str] = ALL_COMMANDS) -> typer.Typer:
    """Return the command line with some commands; the modules of others are not loaded."""
    app = typer.Typer(
        cls=Commands,
        help=PURPOSE,
        context_settings={"help_option_names": list(HELP_OPTIONS)},
        no_args_is_help=True,
        pretty_exceptions_enable=False,
    )
    for name in names:
        module = import_module(f"gamedeid.cli.{_MODULES[name]}")
        group = _OF_COMMAND[name]
        if hasattr(module, "app"):
            app.add_typer(module.app, name=name, rich_help_panel=group)
        else:
            app.command(name, rich_help_panel=group)(getattr(module, name))
    app.callback()(_options)
    return app


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(version_line())
        raise typer.Exit


def _options(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001  (its callback reads it)
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    show_values: Annotated[  # noqa: ARG001  (`shows_values` reads it)
        bool, typer.Option(SHOW_VALUES, help="Show values of the data in messages; allowed anywhere in a command.")
    ] = False,
    log: Annotated[
        Path | None,
        typer.Option(
            LOG,
            metavar="FILE",
            envvar="GAMEDEID_LOG",
            help="Add a line to this file for each step and its figures, never a value of the data; allowed anywhere "
            "in a command.",
        ),
    ] = None,
    log_level: Annotated[
        LogLevel | None,
        typer.Option(
            LOG_LEVEL,
            metavar="LEVEL",
            envvar="GAMEDEID_LOG_LEVEL",
            help="Least important lines of the log: debug, info, warning or error (default: info). Without --log they "
            "go to standard error; allowed anywhere in a command.",
        ),
    ] = None,
) -> None:
    if log is not None or log_level is not None:
        from gamedeid.cli.log import start_logging  # it loads numpy, which help does not need

        start_logging(log, log_level or "info", context.invoked_subcommand or "")


OPTIONS = {
    "Question": ("game", "solver", "policy", "overrides", "record", "values", "vary", "exact", "measure", "share"),
    "Results": ("output", "overwrite", "form", "defuse", "keep_order", "with_report", "as_json"),
    "Large files and clusters": ("engine", "memory", "spill", "cluster"),
}
"""Group of options -> names of parameters; options without a group come first."""

_OF_COMMAND = {name: group for group, names in COMMANDS.items() for name in names}
_PLACE = {group: place for place, group in enumerate(OPTIONS)}
_OF_OPTION = {name: group for group, names in OPTIONS.items() for name in names}


class Commands(TyperGroup):
    """The group of all commands, with formatted help."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        _lay_out(self)
        for path, command in _below(self):
            _lay_out(command)
            command.epilog = examples_text(path)


def examples_text(path: str) -> str | None:
    """Return the examples of a command as text for its help; None if it has none."""
    lines = [f"gamedeid {words}\n    {means}" for words, means in EXAMPLES.get(path, ())]
    return escape("\n".join(["Examples:", *lines])) if lines else None


def _below(group: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the commands of a group with their paths, including those of nested groups."""
    for name, command in group.commands.items():
        yield f"{path}{name}", command
        if hasattr(command, "commands"):
            yield from _below(command, f"{path}{name} ")


def _lay_out(command: Any) -> None:
    paragraphs = (command.help or "").split("\n\n")
    command.help = escape("\n\n".join(" ".join(words.split()) for words in paragraphs))
    for option in command.params:
        option.rich_help_panel = _OF_OPTION.get(option.name)
        if getattr(option, "is_flag", False):
            option.show_default = False
            option.metavar = ""
        elif option.param_type_name == "option" and option.show_default and option.default is not None:
            option.help = f"{option.help.removesuffix('.')} (default: {option.default})."
            option.show_default = False
        elif option.param_type_name == "argument":
            vars(option).update(display_type_rich=_no_type)
    as_declared = command.get_params
    command.get_params = lambda context: _in_groups(as_declared(context))


def _in_groups(options: list[Any]) -> list[Any]:
    """Return options in the order of their groups; options added by typer show no type."""
    for option in options:
        if option.name == "help" or "completion" in option.name:
            option.metavar = ""
    return sorted(options, key=lambda option: _PLACE.get(getattr(option, "rich_help_panel", ""), -1))


def _no_type(*, ctx: Any) -> None:
    """Return nothing in place of an argument's type, which is clear from its name."""
