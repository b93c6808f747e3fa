"""The three standard streams: held open, written to the last byte, and with one line for what goes wrong."""

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
    """Hold the three standard streams open, and let standard output say in one line why it cannot be written."""
    for descriptor in range(3):
        _occupy(descriptor)
    out: Any = sys.stdout
    if out is None:
        yield
        return
    strict = out.errors
    out.reconfigure(errors="backslashreplace")  # what the terminal has no letter for is no reason to fail
    with _written_whole(out) as whole:
        sys.stdout = _Output(whole)
        try:
            yield
        finally:
            sys.stdout = out
            out.reconfigure(errors=strict)


@contextmanager
def _written_whole(out: Any) -> Iterator[Any]:
    """Give a text stream that writes all of a text or fails; unbuffered, Python leaves out what finds no room."""
    if not isinstance(getattr(out, "buffer", None), io.RawIOBase):
        yield out
        return
    buffered = io.BufferedWriter(out.buffer)
    whole = io.TextIOWrapper(buffered, encoding=out.encoding, errors=out.errors, write_through=True)
    try:
        yield whole
    finally:
        with suppress(OSError):  # already told
            whole.detach()
        with suppress(OSError):
            buffered.detach()  # else the stream would be closed with them


def print_error(words: str, *more: str) -> None:
    """Write one line to standard error, if there is one, and ``more`` as it is.

    A line break or a control character in the line is spelled out. On a terminal, long lines are broken between words.
    Without words nothing is written.
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
    """Return a line broken between words, as wide as the terminal that standard error is; as it is where it is none."""
    try:
        columns = os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError, AttributeError):
        return line
    whole = textwrap.TextWrapper(width=columns or 80, break_long_words=False, break_on_hyphens=False)
    return whole.fill(line)


class _Output:
    """A text stream whose failures end the command with an error of ours, not with that of whoever was writing."""

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
        if self._failure is not None:  # whoever wrote before may have caught it: typer tries a stream by an empty text
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
    """Open the null device for a standard stream that was closed: else the next file opened would take its number."""
    try:
        os.fstat(descriptor)
    except OSError:
        os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free, which is this one


def _discard(stream: Any) -> None:
    """Send what a stream still holds to the null device, or Python would try to write it again at the end."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
