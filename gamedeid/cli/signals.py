"""The end of a command by Ctrl-C or SIGTERM, also while Python cannot handle signals."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

from gamedeid.cli.commands import BY_SIGNAL, SIGNAL_WORDS
from gamedeid.cli.standard_streams import print_error

GRACE = 0.7
"""Seconds in which Python must handle a signal."""

LONGEST_END = 4.0
"""Seconds after that for the end of the process, in which files are removed and clusters stopped."""

_REPEATED_AFTER = 0.01  # seconds after which an unanswered signal is repeated

_SHOW_CURSOR = "\x1b[?25h"  # a bar of progress hides it


@contextmanager
def ending_on_signals(received: list[int]) -> Iterator[None]:
    """End the process on SIGTERM as on Ctrl-C, so that half-written files are removed."""

    def end(number: int, _frame: object) -> NoReturn:
        received.append(number)
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        sys.exit(BY_SIGNAL + number)

    def repeat(ignored: Any) -> None:
        """Repeat a signal that came where Python cannot raise an exception, instead of a complaint.

        A system timer repeats it a moment later: starting a thread may wait for a lock that is held here.
        """
        if not received or not isinstance(ignored.exc_value, KeyboardInterrupt | SystemExit):
            complain(ignored)
        elif hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, lambda _number, _frame: signal.raise_signal(received[-1]))
            signal.setitimer(signal.ITIMER_REAL, _REPEATED_AFTER)
        else:
            received.clear()  # the signal counts as unanswered, and the process is ended

    signals = [one for one in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(one) is not signal.SIG_IGN]
    before = {number: signal.signal(number, end) for number in signals}
    complain, sys.unraisablehook = sys.unraisablehook, repeat
    try:
        yield
    finally:
        sys.unraisablehook = complain
        if received and hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def ending_without_python(received: list[int]) -> Iterator[None]:
    """End the process if a signal is not answered because compiled code does not return to Python."""
    handlers: dict[int, Any] = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    read_end, write_end = os.pipe()
    if hasattr(os, "set_blocking"):  # Windows has it from Python 3.12 on, and does not ask for it
        os.set_blocking(write_end, False)
    before = signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)
    over = threading.Event()

    def listen() -> None:
        while came := os.read(read_end, 1):
            number = came[0]
            if handlers.get(number) in {None, signal.SIG_IGN}:
                continue
            ended = over.wait(GRACE)
            while not ended and signal.getsignal(number) is not handlers[number]:  # the signal is deferred for a moment
                ended = over.wait(GRACE)
            if not ended and (number not in received or not over.wait(LONGEST_END)):
                _end_now(number)
        os.close(read_end)

    with suppress(RuntimeError, MemoryError):  # without a thread, only Python answers signals
        threading.Thread(target=listen, daemon=True).start()
    try:
        yield
    finally:
        over.set()
        signal.set_wakeup_fd(before)
        os.close(write_end)


def _end_now(number: int) -> NoReturn:
    """End the process from another thread, after removing hidden folders and child processes."""
    if "gamedeid.results.staging" in sys.modules:
        sys.modules["gamedeid.results.staging"].remove_hidden_folders()
    if "multiprocessing" in sys.modules:
        for child in sys.modules["multiprocessing"].active_children():
            child.kill()
    if sys.stderr is not None and sys.stderr.isatty():
        sys.stderr.write(_SHOW_CURSOR)
    code = BY_SIGNAL + number
    print_error(SIGNAL_WORDS.get(code, ""))
    os._exit(code)
