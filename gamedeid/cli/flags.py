"""Messages of the library name arguments of calls; the command line has its own options in their place."""

import re
from collections.abc import Iterable, Sequence

from gamedeid.errors import InvalidScenarioError

SHOW_VALUES = "--show-values"
"""Asks for values of the data in messages; it may stand anywhere among the words."""

LOG, LOG_LEVEL = "--log", "--log-level"
"""Say where to what is logged, and how much of it; they may stand anywhere among the words too."""

OPTIONS = {
    "address=...": "--address",
    "ReadOptions.cluster": "--cluster",
    "ReadOptions.memory": "--memory",
    "ReadOptions.spill": "--spill",
    "defuse": "--defuse",
    "form='csv'": "--format csv",
    "measures": "--measure",
    "overwrite=True": "--overwrite",
    "parts": "--attribute COLUMN",
    "recipients=['naive']": "--recipient naive",
    "record=...": "--record NUMBER",
    "report=False": "--no-report",
    "values={...}": "--values ATTRIBUTE=VALUE,...",
    "widths": "--width",
    "with report=True": "without --no-report",
    'whose="records"': "--records",
}
"""Options that are not just called as the argument is, and what arguments become that have a value."""


def options_first(arguments: Sequence[str]) -> list[str]:
    """Return the words of a command with the options that may stand anywhere before all others.

    Parameters
    ----------
    arguments : the words after the command's name.

    Raises
    ------
    InvalidScenarioError : an option at the end lacks its value.

    Examples
    --------
    >>> options_first(["run", "quickstart", "--log", "run.log", "--show-values"])
    ['--log=run.log', '--show-values', 'run', 'quickstart']
    """
    first, others, words = [], [], iter(arguments)
    for word in words:
        if word in {LOG, LOG_LEVEL}:
            value = next(words, None)
            if value is None:
                raise InvalidScenarioError(f"{word} needs a value after it; see gamedeid --help")
            first.append(f"{word}={value}")
        elif word == SHOW_VALUES or word.startswith((f"{LOG}=", f"{LOG_LEVEL}=")):
            first.append(word)
        else:
            others.append(word)
    return [*first, *others]


def in_options(message: str, arguments: Iterable[str]) -> str:
    """Return a message of the library in the words of the command line.

    Parameters
    ----------
    message : of a :class:`gamedeid.GamedeidError`.
    arguments : as the error has them: words at the start or the end of the message. What stands between, which may be
        a path or a name, is left alone.

    Examples
    --------
    >>> in_options("vary `loss=5:1:1`: the range is empty", ["vary"])
    '--vary `loss=5:1:1`: the range is empty'
    >>> in_options("out already exists; choose another name or pass overwrite=True", ["overwrite=True"])
    'out already exists; choose another name or pass --overwrite'
    """
    for argument in arguments:
        option = OPTIONS.get(argument, f"--{argument}")
        places = [found.start() for found in re.finditer(rf"(?<![\w-]){re.escape(argument)}", message)]
        if places:
            place = 0 if places[0] == 0 else places[-1]
            message = message[:place] + option + message[place + len(argument) :]
    return message
