"""The names of the commands, and what can be said of them before any is loaded."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from gamedeid.cli.flags import LOG, LOG_LEVEL, SHOW_VALUES

HELP_OPTIONS = ("-h", "--help")

PURPOSE = "Decide how much detail of each person's record can be shared."

COMMANDS = {
    "Begin": ("init", "check", "scenarios", "fetch", "schema"),
    "Decide": ("run", "apply", "compare", "regions", "explore"),
    "Look closer": ("sweep", "frontier", "solvers", "plot", "risk", "hierarchy"),
    "Document and check": ("report", "determination", "verify", "audit", "attack", "sign"),
}
"""The groups of commands. A command is the function of its name, or the group ``app``, of gamedeid.cli.NAME."""


class Option(NamedTuple):
    """An option of ``gamedeid`` itself, as its help shows it."""

    flag: str
    words: str
    value: str = ""
    variable: str = ""


VERSION = Option("--version", "Show the version and exit.")
VALUES_SHOWN = Option(SHOW_VALUES, "Show values of the data in messages; allowed anywhere in a command.")
LOGGED = Option(
    LOG,
    "Add a line to this file for each step and its figures, never a value of the data; allowed anywhere in a command.",
    value="FILE",
    variable="GAMEDEID_LOG",
)
LOG_DETAIL = Option(
    LOG_LEVEL,
    "Least important lines of the log: debug, info, warning or error (default: info). Without --log "
    "they go to standard error; allowed anywhere in a command.",
    value="LEVEL",
    variable="GAMEDEID_LOG_LEVEL",
)

_HELP = r'^(?:def {}\(.*?\) -> \w+:\n    """|app = typer\.Typer\(\s*help=")(.+?)(?:\n\n|"{{1,3}})'


def named_command(words: Sequence[str]) -> str | None:
    """Return the name of the command that some words begin with, after options; None if they begin with none."""
    first = next((word for word in words if not word.startswith("-")), None)
    return first if any(first in names for names in COMMANDS.values()) else None


def purpose_of(name: str) -> str:
    """Return the first paragraph of a command's help, read from its source: to import it takes longer than to read it.

    Parameters
    ----------
    name : one of :data:`COMMANDS`.
    """
    folder = Path(__file__).parent
    file = next(file for file in (folder / f"{name}.py", folder / name / "__init__.py") if file.exists())
    found = re.search(_HELP.format(name), file.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return " ".join(found[1].split()) if found else ""
