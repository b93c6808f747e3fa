"""What ``gamedeid --help`` prints: the look of typer's help, without typer, which is slow to load."""

import os
from collections.abc import Iterable, Sequence

from rich.align import Align
from rich.columns import Columns
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from gamedeid.cli.commands import (
    COMMANDS,
    HELP_OPTIONS,
    LOG_DETAIL,
    LOGGED,
    PURPOSE,
    VALUES_SHOWN,
    VERSION,
    Option,
    purpose_of,
)

_OPTIONS = (
    VERSION,
    VALUES_SHOWN,
    LOGGED,
    LOG_DETAIL,
    Option("--install-completion", "Install completion for the current shell."),
    Option("--show-completion", "Show completion for the current shell, to copy it or customize the installation."),
    Option(HELP_OPTIONS[1], "Show this message and exit."),
)
"""Ours, and those that typer adds."""

_OPTION, _SWITCH = "bold cyan", "bold green"


def print_root_help() -> None:
    """Print the options of ``gamedeid`` and its commands on standard output, as wide as the terminal is."""
    to = _console()
    usage = Text.assemble(("Usage: ", "yellow"), "gamedeid [OPTIONS] COMMAND [ARGS]...")
    to.print(Padding(usage, 1), style="bold")
    to.print(Padding(Align(Text(PURPOSE), pad=False), (0, 1, 1, 1)))
    _print_panel(to, "Options", [_row_of(option) for option in _OPTIONS])
    width = max(len(name) for names in COMMANDS.values() for name in names)
    for group, names in COMMANDS.items():
        _print_panel(to, group, [(Text(name), Text(purpose_of(name))) for name in names], first=width)


def _row_of(option: Option) -> tuple[RenderableType, ...]:
    """Return the cells of an option: its two forms, two that only pairs of switches fill, its value, its help."""
    short = HELP_OPTIONS[0] if option.flag in HELP_OPTIONS else ""
    words = Text(option.words)
    words.highlight_regex(r"--[\w-]+", _OPTION)
    variable = [Text(f"[env var: {option.variable}]", "dim yellow")] if option.variable else []
    value = Text(option.value, "bold yellow", overflow="fold")
    return Text(option.flag, _OPTION), Text(short, _SWITCH), Text(), Text(), value, Columns([words, *variable])


def _print_panel(
    to: Console, title: str, rows: Iterable[Sequence[RenderableType]], *, first: int | None = None
) -> None:
    """Print rows in a frame; of commands, whose names stand in a first column of a given width, or of options."""
    table = Table(show_header=False, expand=True, box=None, pad_edge=False, padding=(0, 1), highlight=False)
    if first is not None:
        table.add_column(style=_OPTION, no_wrap=True, width=first)
        table.add_column(ratio=10)
    for row in rows:
        table.add_row(*row)
    to.print(Panel(table, border_style="dim", title=title, title_align="left"))


def _console() -> Console:
    """Return a console that follows the variables of the environment that typer's own help follows."""
    width = os.environ.get("TERMINAL_WIDTH")
    forced = any(os.environ.get(name) for name in ("GITHUB_ACTIONS", "FORCE_COLOR", "PY_COLORS"))
    never = os.environ.get("_TYPER_FORCE_DISABLE_TERMINAL")
    return Console(force_terminal=False if never else forced or None, width=int(width) if width else None)
