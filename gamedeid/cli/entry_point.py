"""The command line from its words to an exit code, and at most one line on standard error."""

import gc
import os
import re
import shlex
import sys
import threading
import traceback
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from gamedeid.cli import address_space
from gamedeid.cli.commands import (
    BAD_INPUT,
    BY_SIGNAL,
    DONE,
    INTERRUPTED,
    LOG,
    LOG_LEVEL,
    OUR_FAULT,
    SHOW_VALUES,
    SIGNAL_WORDS,
    named_command,
    version_line,
)
from gamedeid.cli.signals import ending_on_signals, ending_without_python
from gamedeid.cli.standard_streams import guarded_streams, print_error
from gamedeid.errors import GamedeidError, GamedeidWarning, InvalidScenarioError, traceback_places, without_long_words
from gamedeid.progress import COMPILATION
from gamedeid.safe_path import safe_path

_LOG_MODULE = "gamedeid.cli.log"  # loaded for a log only: its import takes as long as that of this module

LOADED_OBJECTS = 50_000
"""New objects between runs of the garbage collector. Python's default of 700 means hundreds of runs while libraries
are loaded, of which almost nothing can be freed."""


def main() -> NoReturn:
    """Run the words of ``sys.argv``, and exit with the code of :func:`run_command`."""
    gc.set_threshold(LOADED_OBJECTS)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # else pydantic searches all installed packages
    try:
        sys.exit(run_command(sys.argv[1:]))
    finally:
        if "duckdb" not in sys.modules:  # which complains of its remaining objects
            gc.freeze()  # a final garbage collection takes as long as a small question


def run_command(arguments: Sequence[str]) -> int:
    """Run the words after ``gamedeid``, and return the exit code, one of ``commands.EXIT_CODES``."""
    received: list[int] = []
    try:
        with (
            ending_on_signals(received),
            safe_path(),
            guarded_streams(),
            ending_without_python(received),
            _warnings_in_one_line(),
            report_compilation(),
            report_thread_faults(with_values=SHOW_VALUES in arguments),
        ):
            code, words = _run(arguments)
    except KeyboardInterrupt:
        code, words = INTERRUPTED, []
    except SystemExit as end:
        code, words = int(end.code or DONE), []
    if received and code != DONE:  # some libraries turn an interruption into another error
        code, words = BY_SIGNAL + received[0], []
    if _LOG_MODULE in sys.modules:
        sys.modules[_LOG_MODULE].stop_logging(code)
    print_error(*(words or [SIGNAL_WORDS.get(code, "")]))
    return code


def _run(arguments: Sequence[str]) -> tuple[int, list[str]]:
    """Return the exit code and the words for standard error."""
    try:
        if (refusal := address_space.prepare_address_space(arguments)) is not None:
            return BAD_INPUT, [refusal]
        code = _called(options_first(arguments))
        if sys.stdout is not None:
            sys.stdout.flush()
    except GamedeidError as error:
        _log("error", _message(error))
        return BAD_INPUT, [_message(error, with_values=SHOW_VALUES in arguments)]
    except Exception as error:  # noqa: BLE001  (whatever else comes is our fault)
        if (shortage := address_space.shortage_message(error)) is not None:
            return BAD_INPUT, [shortage]
        if (refusal := _refused_words(error)) is not None:
            _log("error", refusal)
            return BAD_INPUT, [refusal]
        _log("error", f"a fault of gamedeid itself: {type(error).__name__}")
        return OUR_FAULT, fault_words(error, with_values=SHOW_VALUES in arguments)
    return code or DONE, []


def _called(words: list[str]) -> int | None:
    """Run the command of some words, and load it only: its imports are slow, and Ctrl-C may come."""
    if words == ["--version"]:
        print(version_line())  # noqa: T201  (where there is no standard output, it prints nothing)
        return None
    from gamedeid.cli.app import ALL_COMMANDS, command_line

    name = None if "_GAMEDEID_COMPLETE" in os.environ else named_command(words)
    run = command_line(ALL_COMMANDS if name is None else (name,))  # all commands, to suggest one for a misspelt name
    code: int | None = run(args=words, prog_name="gamedeid", standalone_mode=False)
    return code


def _log(level: str, words: str) -> None:
    """Log words for standard error if there is a log; they must not contain a value of the data."""
    if _LOG_MODULE in sys.modules:
        sys.modules[_LOG_MODULE].log_message(level, words)


def _message(error: GamedeidError, *, with_values: bool | None = None) -> str:
    """Return the message of an error: with values if ``with_values``, with a hint at them if False, without if None."""
    message, values = str(error), error.with_values()[len(str(error)) :]
    said = in_options(message, error.arguments)
    if with_values:
        return said + values
    return f"{said}; {SHOW_VALUES} shows the values" if error.data_values and with_values is False else said


def _refused_words(error: Exception) -> str | None:
    """Return typer's message on invalid words, "" if typer has printed it; None for other errors."""
    if not hasattr(error, "format_message"):  # the class has another module in some versions of typer
        return None
    said = without_long_words(str(error.format_message()).replace("Value error, ", "").strip().rstrip("."))
    if not said:
        return said
    context: Any = getattr(error, "ctx", None)
    command = "gamedeid" if context is None else context.command_path
    unknown = re.match(r"No such command '(.+?)'", said)
    if unknown is not None and os.path.isdir(unknown[1]):  # noqa: PTH112  (Path.is_dir raises for a name too long)
        does = "release" if command.endswith(" risk") else "next"
        return f"'{unknown[1]}' is a folder, not a command; type {command} {does} {shlex.quote(unknown[1])}"
    return f"{said[0].lower()}{said[1:]}{' See' if said.endswith('?') else '; see'} {command} --help"


@contextmanager
def _warnings_in_one_line() -> Iterator[None]:
    """Write gamedeid's warnings like errors, in one line."""
    with warnings.catch_warnings():
        others = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *place: Any, **named: Any) -> None:
            if issubclass(category, GamedeidWarning):
                _log("warning", str(message))
                print_error(str(message))
            else:
                others(message, category, *place, **named)

        warnings.simplefilter("always", GamedeidWarning)
        warnings.showwarning = show
        yield


@contextmanager
def report_compilation() -> Iterator[None]:
    """Report the start of a compilation of inner loops once on a terminal, and its duration in the end.

    In a pipeline nothing is reported: its standard error must not depend on earlier runs.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    before = COMPILATION.seconds
    COMPILATION.begun = lambda: print_error("compiling inner loops, as a first run does")
    try:
        yield
    finally:
        COMPILATION.begun = None
        if COMPILATION.seconds > before:
            later_runs = "later runs compile again" if COMPILATION.lost else "later runs use the compiled loops"
            print_error(f"compiling took {COMPILATION.seconds - before:.1f} s of this run; {later_runs}")


_REPORT = "this is a fault of gamedeid itself; please report the lines below"


def fault_words(error: BaseException, *, with_values: bool) -> list[str]:
    """Return the lines for standard error: a request to report, then a traceback; messages only ``with_values``."""
    if with_values:
        return [_REPORT, *traceback.format_exception(error)]
    return [
        f"{_REPORT}; {SHOW_VALUES} adds the words of the errors, which may contain values",
        *traceback_places(error),
    ]


@contextmanager
def report_thread_faults(*, with_values: bool) -> Iterator[None]:
    """Report a fault in another thread, which ends that thread only, like one in the main thread."""
    before = threading.excepthook

    def tell(ended: threading.ExceptHookArgs) -> None:
        if isinstance(ended.exc_value, Exception):
            print_error(*fault_words(ended.exc_value, with_values=with_values))

    threading.excepthook = tell
    try:
        yield
    finally:
        threading.excepthook = before


OPTIONS = {
    "`faults`": "`gamedeid hierarchy check`",
    "address=...": "--address",
    "ReadOptions.cluster": "--cluster",
    "ReadOptions.memory": "--memory",
    "ReadOptions.spill": "--spill",
    "defuse": "--defuse",
    "earlier.releases": "gamedeid run --after DIR; gamedeid audit NEW --with DIR shows the risk of both releases",
    "form='csv'": "--format csv",
    "game=...": "--game NAME",
    "measures": "--measure",
    "overrides": "--set",
    "overwrite=True": "--overwrite",
    "parts": "--attribute COLUMN",
    "recipients=['naive']": "--recipient naive",
    "record=...": "--record NUMBER",
    "report=False": "--no-report",
    "verify(folder)": "gamedeid verify",
    "values={...}": "--values ATTRIBUTE=VALUE,...",
    "widths": "--width",
    "with report=True": "without --no-report",
    'whose="records"': "--records",
}
"""Argument, possibly with a value -> its option, if the option has another name."""


def options_first(arguments: Sequence[str]) -> list[str]:
    """Return the words of a command, with options that are valid at any position first.

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
    """Return a message of the library with options in place of arguments.

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
