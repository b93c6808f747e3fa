"""What becomes of every way in which a command can end: an exit code, and at most one line on standard error."""

import errno
import gc
import os
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

from gamedeid.cli import address_space
from gamedeid.cli.flags import in_options
from gamedeid.errors import GamedeidError, GamedeidWarning, OutputError, without_long_words

DONE, OUR_FAULT, BAD_INPUT = 0, 1, 2
_SHELL = 128  # what a shell adds to the number of the signal that ended a command
INTERRUPTED, UNHEARD, TERMINATED = _SHELL + signal.SIGINT, _SHELL + 13, _SHELL + signal.SIGTERM

SHOW_VALUES = "--show-values"
"""Asks for values of the data in messages; it may stand anywhere among the words."""

GRACE = 0.7
"""Seconds after a signal within which Python is to have heard of it."""

LONGEST = 4.0
"""Seconds that ending may take after that: until then files are removed, and clusters stopped."""

_AGAIN = 0.01  # seconds after which a signal that could not be answered is repeated

_SHOW_CURSOR = "\x1b[?25h"  # a bar of progress hides it

_LAST_WORDS = {INTERRUPTED: ["interrupted"], TERMINATED: ["asked to end"]}


def main() -> NoReturn:
    """Be the command: answer the words it was started with, and exit with the code of :func:`answer`."""
    try:
        sys.exit(answer(sys.argv[1:]))
    finally:
        if "duckdb" not in sys.modules:  # which complains of whatever of its own is left
            gc.freeze()  # to look through everything loaded for what could be freed takes as long as a small question


def answer(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code.

    Parameters
    ----------
    arguments : the words after the command's name.

    Returns
    -------
    0 done, 2 bad input, 130 interrupted (Ctrl-C), 141 nobody listens to standard output any more, 143 asked to end
    (SIGTERM), 1 our own fault, with a traceback.
    """
    asked: list[int] = []
    try:
        with _taking_signals(asked), _speaking(), _never_deaf(asked), _warning():
            code, words = _run(arguments)
    except KeyboardInterrupt:
        code, words = INTERRUPTED, []
    except SystemExit as end:
        code, words = int(end.code or DONE), []
    if asked and code != DONE:  # some libraries make errors of their own of whatever disturbs them
        code, words = _SHELL + asked[0], []
    _complain(*(words or _LAST_WORDS.get(code, [])))
    return code


def _run(arguments: Sequence[str]) -> tuple[int, list[str]]:
    """Return the exit code and what to say on standard error."""
    try:
        if (hopeless := address_space.begin(arguments)) is not None:
            return BAD_INPUT, [hopeless]
        from gamedeid.cli.app import app  # slow to import, and Ctrl-C may come meanwhile

        words = [SHOW_VALUES] * (SHOW_VALUES in arguments) + [word for word in arguments if word != SHOW_VALUES]
        code: int | None = app(args=words, prog_name="gamedeid", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except GamedeidError as error:
        return BAD_INPUT, [_told(error, with_values=SHOW_VALUES in arguments)]
    except Exception as error:  # noqa: BLE001  (the last door: whatever else comes is our fault)
        if (shortage := address_space.shortage(error)) is not None:
            return BAD_INPUT, [shortage]
        if (refusal := _refusal(error)) is not None:
            return BAD_INPUT, [refusal]
        what = "this is a fault of gamedeid itself; please report what follows"
        return OUR_FAULT, [what, *traceback.format_exception(error)]
    return code or DONE, []


def _told(error: GamedeidError, *, with_values: bool) -> str:
    """Return what to say of an error: values of the data only where they were asked for."""
    message, values = str(error), error.with_values()[len(str(error)) :]
    said = in_options(message, error.arguments)
    if with_values:
        return said + values
    return f"{said}; {SHOW_VALUES} tells the values" if error.data_values else said


def _refusal(error: Exception) -> str | None:
    """Return what typer says of words it cannot take, "" if it has said it; None if the error is none of typer's.

    The class of these errors has moved between versions of typer; that they format a message has not.
    """
    if not hasattr(error, "format_message"):
        return None
    said = without_long_words(str(error.format_message()).replace("Value error, ", "").strip().rstrip("."))
    if not said:
        return said
    context: Any = getattr(error, "ctx", None)
    command = "gamedeid" if context is None else context.command_path
    return f"{said[0].lower()}{said[1:]}{' See' if said.endswith('?') else '; see'} {command} --help"


def _complain(words: str = "", *more: str) -> None:
    """Say one line on standard error, if there is one, and ``more`` as it is.

    A line break or a control character in the line is spelled out.
    """
    if not words or sys.stderr is None:
        return
    line = "".join(one if one.isprintable() or "\ud800" <= one <= "\udfff" else repr(one)[1:-1] for one in words)
    try:
        sys.stderr.write("".join([f"gamedeid: {line}\n", *more]))
        sys.stderr.flush()
    except OSError:
        _silence(sys.stderr)


@contextmanager
def _taking_signals(asked: list[int]) -> Iterator[None]:
    """End on SIGTERM as on Ctrl-C, so that whatever is half written is cleaned up on the way out.

    Parameters
    ----------
    asked : receives the number of each signal that came.
    """

    def end(number: int, _frame: object) -> NoReturn:
        asked.append(number)
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        sys.exit(_SHELL + number)

    def ask_again(ignored: Any) -> None:
        """Repeat a signal that came where Python cannot raise anything, instead of complaining of it.

        A timer of the system does it a moment later: to start a thread may wait for a lock that is held here.
        """
        if not asked or not isinstance(ignored.exc_value, KeyboardInterrupt | SystemExit):
            complain(ignored)
        elif hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, lambda _number, _frame: signal.raise_signal(asked[-1]))
            signal.setitimer(signal.ITIMER_REAL, _AGAIN)
        else:
            asked.clear()  # it counts as not answered, and the process is ended

    signals = [one for one in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(one) is not signal.SIG_IGN]
    before = {number: signal.signal(number, end) for number in signals}
    complain, sys.unraisablehook = sys.unraisablehook, ask_again
    try:
        yield
    finally:
        sys.unraisablehook = complain
        if asked and hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _never_deaf(asked: list[int]) -> Iterator[None]:
    """End the process where a signal that came is not answered, because what runs does not come back to Python.

    Parameters
    ----------
    asked : has the number of each signal that was answered.
    """
    handlers: dict[int, Any] = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    heard, told = os.pipe()
    os.set_blocking(told, False)
    before = signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    over = threading.Event()

    def listen() -> None:
        while came := os.read(heard, 1):
            number = came[0]
            if handlers.get(number) in {None, signal.SIG_IGN}:
                continue
            late = over.wait(GRACE)
            while not late and signal.getsignal(number) is not handlers[number]:  # it is put off, for a moment
                late = over.wait(GRACE)
            if not late and (number not in asked or not over.wait(LONGEST)):
                _end_now(number)
        os.close(heard)

    with suppress(RuntimeError, MemoryError):  # where no thread can be had, Python alone answers signals
        threading.Thread(target=listen, daemon=True).start()
    try:
        yield
    finally:
        over.set()
        signal.set_wakeup_fd(before)
        os.close(told)


def _end_now(number: int) -> NoReturn:
    """End the process from another thread, leaving nothing behind that others could read."""
    if "gamedeid.results.staging" in sys.modules:
        sys.modules["gamedeid.results.staging"].remove_private_folders()
    if "multiprocessing" in sys.modules:
        for child in sys.modules["multiprocessing"].active_children():
            child.kill()
    if sys.stderr is not None and sys.stderr.isatty():
        sys.stderr.write(_SHOW_CURSOR)
    code = _SHELL + number
    _complain(*_LAST_WORDS.get(code, []))
    os._exit(code)


@contextmanager
def _warning() -> Iterator[None]:
    """Say warnings of ours as we say all else: in one line."""
    with warnings.catch_warnings():
        others = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *place: Any, **named: Any) -> None:
            if issubclass(category, GamedeidWarning):
                _complain(str(message))
            else:
                others(message, category, *place, **named)

        warnings.simplefilter("always", GamedeidWarning)
        warnings.showwarning = show
        yield


@contextmanager
def _speaking() -> Iterator[None]:
    """Hold the three standard streams open, and let standard output say in one line why it cannot be written."""
    for descriptor in range(3):
        _occupy(descriptor)
    out: Any = sys.stdout
    if out is None:
        yield
        return
    strict = out.errors
    out.reconfigure(errors="backslashreplace")  # what the terminal has no letter for is no reason to fail
    sys.stdout = _Output(out)
    try:
        yield
    finally:
        sys.stdout = out
        out.reconfigure(errors=strict)


def _occupy(descriptor: int) -> None:
    """Keep a standard stream that was closed from being the next file opened, into which others would then talk."""
    try:
        os.fstat(descriptor)
    except OSError:
        os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free, which is this one


class _Output:
    """A text stream whose failures end the command with a word of ours, not with that of whoever was writing."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with self._told_in_one_line():
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with self._told_in_one_line():
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    @contextmanager
    def _told_in_one_line(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            _silence(self._stream)
            if error.errno == errno.EPIPE:
                sys.exit(UNHEARD)
            raise OutputError(
                f"cannot write to standard output: {(error.strerror or str(error)).lower()}; send it elsewhere"
            ) from None


def _silence(stream: Any) -> None:
    """Let what a stream has still to say go nowhere, or Python would try to say it again at the end."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
