"""How the page of commands is printed from the code when the site is built: help and options, then the page's notes."""

import re
from collections.abc import Iterator
from typing import Any

import typer

from gamedeid.cli.app import load_commands

PAGE = "reference/cli"
HEADING = re.compile(r"^## `(gamedeid.*)`\n", re.MULTILINE)


def commands() -> dict[str, Any]:
    """Return path -> command, in the order of the help."""
    return dict(_below(typer.main.get_command(load_commands()), "gamedeid"))


def _below(command: Any, path: str) -> Iterator[tuple[str, Any]]:
    yield path, command
    for name, one in getattr(command, "commands", {}).items():
        yield from _below(one, f"{path} {name}")


def commands_page(source: str) -> str:
    """Return the page of commands: each with its help and options, and below them its notes from ``source``.

    Raises
    ------
    ValueError : a heading of the source names no command.
    """
    introduction, *pieces = HEADING.split(source)
    notes = dict(zip(pieces[::2], pieces[1::2], strict=True))
    every = commands()
    if unknown := [path for path in notes if path not in every]:
        msg = f"{PAGE}: no such command: {', '.join(unknown)}"
        raise ValueError(msg)
    sections = [
        f"## `{path}`\n\n{_help(one)}\n\n{_options(one)}\n{notes.get(path, '').strip()}\n"
        for path, one in every.items()
    ]
    return "\n".join([introduction.rstrip("\n"), "", *sections])


def _help(command: Any) -> str:
    return re.sub(r"\\(?=\[)", "", command.help or "").replace("<", "&lt;")


def _options(command: Any) -> str:
    rows = [
        f"| {', '.join(f'`{name}`' for name in _names(one))} | {_value(one)} | {_cell(one.help)} |"
        for one in command.params
        if not getattr(one, "hidden", False) and "completion" not in one.name
    ]
    return "\n".join(["| argument or option | value | meaning |", "|---|---|---|", *rows, ""]) if rows else ""


def _names(option: Any) -> list[str]:
    if option.param_type_name == "argument":
        return [_cell(option.metavar or option.name)]
    return [*option.opts, *option.secondary_opts]


def _value(option: Any) -> str:
    if option.param_type_name == "argument" or option.is_flag or not option.metavar:
        return ""
    return f"`{_cell(option.metavar)}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _print(_app: Any, page: str, source: list[str]) -> None:
    if page == PAGE:
        source[0] = commands_page(source[0])


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx when a page takes its text from the code."""
    app.connect("source-read", _print)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
