"""The three standard streams: held open, written to the last byte, with errors in one line."""

import errno
import io
import os
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from gamedeid.cli.commands import NO_READER
from gamedeid.errors import OutputError


@contextmanager
def guarded_streams() -> Iterator[None]:
    """Hold the three standard streams open, and report a failure to write standard output in one line."""
    for descriptor in range(3):
        _occupy(descriptor)
    out: Any = sys.stdout
    if out is None:
        yield
        return
    strict = out.errors
    out.reconfigure(errors="backslashreplace")  # a letter that the terminal lacks is not an error
    with _written_whole(out) as whole:
        sys.stdout = _Output(whole)
        try:
            yield
        finally:
            sys.stdout = out
            out.reconfigure(errors=strict)


@contextmanager
def _written_whole(out: Any) -> Iterator[Any]:
    """Yield a text stream that writes all of a text or fails; unbuffered, Python drops the part that does not fit."""
    if not isinstance(getattr(out, "buffer", None), io.RawIOBase):
        yield out
        return
    buffered = io.BufferedWriter(out.buffer)
    whole = io.TextIOWrapper(buffered, encoding=out.encoding, errors=out.errors, write_through=True)
    try:
        yield whole
    finally:
        with suppress(OSError):  # already reported
            whole.detach()
        with suppress(OSError):
            buffered.detach()  # else the stream would be closed too


def print_error(words: str, *more: str) -> None:
    """Write one line to standard error, if there is one, and ``more`` unchanged.

    A line break or a control character in the line is spelled out. On a terminal, long lines are broken between words.
    Nothing is written for empty words.
    """
    if not words or sys.stderr is None:
        return
    line = "".join(one if one.isprintable() or "\ud800" <= one <= "\udfff" else repr(one)[1:-1] for one in words)
    try:
        sys.stderr.write("".join([f"{_in_lines(f'gamedeid: {line}')}\n", *more]))
        sys.stderr.flush()
    except OSError:
        _discard(sys.stderr)


def _in_lines(line: str) -> str:
    """Return a line broken between words to the width of the terminal; unchanged if standard error is no terminal."""
    try:
        columns = os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError, AttributeError):
        return line
    whole = textwrap.TextWrapper(width=columns or 80, break_long_words=False, break_on_hyphens=False)
    return whole.fill(line)


class _Output:
    """A text stream whose failures end the command with gamedeid's own error."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._failure: OutputError | None = None

    def write(self, text: str) -> int:
        with self._failing_in_one_line():
            self._stream.write(text)
            if self._stream.write_through:
                self._stream.flush()
        return len(text)

    def flush(self) -> None:
        with self._failing_in_one_line():
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    @contextmanager
    def _failing_in_one_line(self) -> Iterator[None]:
        if self._failure is not None:  # an earlier writer may have caught it: typer tests a stream with an empty text
            raise self._failure
        try:
            yield
        except OSError as error:
            _discard(self._stream)
            if error.errno == errno.EPIPE:
                sys.exit(NO_READER)
            self._failure = OutputError(
                f"cannot write to standard output: {(error.strerror or str(error)).lower()}; send it elsewhere"
            )
            raise self._failure from None


def _occupy(descriptor: int) -> None:
    """Open the null device for a closed standard stream: else the next opened file would get its number."""
    try:
        os.fstat(descriptor)
    except OSError:
        os.open(os.devnull, os.O_RDWR)  # gets the lowest free number, which is this one


def _discard(stream: Any) -> None:
    """Send the buffer of a stream to the null device: else Python would try to write it again at the end."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
