"""The targets of ``--log`` and ``--log-level``: a file, or standard error."""

import logging
import os
import stat
import sys
import time
from contextlib import suppress
from pathlib import Path

from gamedeid._version import __version__
from gamedeid.choices import LogLevel
from gamedeid.cli.standard_streams import print_error
from gamedeid.errors import OutputError, one_line
from gamedeid.parallel import cores

_PACKAGE = logging.getLogger("gamedeid")
_LOG = logging.getLogger(__name__)
_APPEND = (
    os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
)  # a pipe without a reader is refused, not waited for
_OWNER_ONLY = 0o600


def start_logging(path: Path | None, level: LogLevel, command: str) -> None:
    """Start the log of a command, which ends at :func:`stop_logging`."""
    handler = _OnStandardError() if path is None else _InFile(path)
    handler.level_before = _PACKAGE.level
    handler.setFormatter(_OneLine("%(asctime)s.%(msecs)03dZ %(levelname)s %(name)s: %(message)s", "%Y-%m-%dT%H:%M:%S"))
    _PACKAGE.addHandler(handler)
    _PACKAGE.setLevel(level.upper())
    version = ".".join(map(str, sys.version_info[:3]))
    _LOG.info("gamedeid %s, Python %s, %d cores: %s", __version__, version, cores(), command)


def log_message(level: LogLevel, words: str) -> None:
    """Log words of the command on standard error; they must not contain a value of the data."""
    _LOG.log(logging.getLevelNamesMapping()[level.upper()], "%s", one_line(words))


def stop_logging(code: int) -> None:
    """Log the exit code of the command, and end the log."""
    _LOG.info("ended with exit code %d", code)
    for handler in list(_PACKAGE.handlers):
        if isinstance(handler, _CommandHandler):
            _PACKAGE.removeHandler(handler)
            _PACKAGE.setLevel(handler.level_before)
            handler.close()


class _OneLine(logging.Formatter):
    """A formatter with one line per log record, in UTC, with control characters spelled out."""

    converter = staticmethod(time.gmtime)

    def format(self, record: logging.LogRecord) -> str:
        return one_line(super().format(record))


class _CommandHandler(logging.Handler):
    """A log handler of a command, removed when the command ends."""

    level_before = logging.NOTSET


class _OnStandardError(_CommandHandler):
    """A handler for the current standard error, which prints above a bar of progress."""

    def emit(self, record: logging.LogRecord) -> None:
        if sys.stderr is not None:
            with suppress(OSError):  # it has no reader any more
                sys.stderr.write(f"{self.format(record)}\n")


class _InFile(_CommandHandler):
    """A handler that appends each line to a file at once and whole, so that several commands can share it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path, self._full = path, False
        try:
            self._descriptor = os.open(path, _APPEND, _OWNER_ONLY)
        except OSError as error:
            raise _refused(path, error.strerror or str(error)) from None
        if not stat.S_ISREG(os.fstat(self._descriptor).st_mode):
            os.close(self._descriptor)
            raise _refused(path, "it is no regular file")

    def emit(self, record: logging.LogRecord) -> None:
        if self._full:
            return
        line = f"{self.format(record)}\n".encode(errors="backslashreplace")
        try:
            while line:
                line = line[os.write(self._descriptor, line) :]
        except OSError as error:
            self._full = True
            print_error(f"no more is logged to {self._path}: {(error.strerror or str(error)).lower()}")

    def close(self) -> None:
        super().close()
        os.close(self._descriptor)


def _refused(path: Path, why: str) -> OutputError:
    return OutputError(
        f"cannot log to {path}: {why.lower()}; name a file in a folder that is there, or leave --log out and give "
        "--log-level for standard error"
    )
