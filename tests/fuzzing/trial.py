"""Runs an input in this process, and gathers everything that comes out."""

import gc
import io
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from small_world import TERMINAL_WORDS

from fuzzing.case import Case
from fuzzing.frames import perform
from fuzzing.stored_results import lay_out
from gamedeid.cli import run_command

SECONDS = 5.0
"""Seconds that an input may work."""

_WAITING = 5  # times that, if it waits instead of working, as on a busy computer
_BIG = 8 << 20  # bytes of a file that are looked at


class TooSlowError(BaseException):
    """An input took too long; no `except Exception` may hide it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The outcome of an input.

    Parameters
    ----------
    code : the exit code; for a call 0, 2 for an error of the package, 1 for any other.
    out, err : standard output and error; for a call its result, and its error.
    before, after : name -> content of every file and link below its folder.
    noise : warnings, and errors that Python could only report.
    seconds : duration; None if it took too long.
    left : temporary files that it left.
    """

    code: int
    out: str
    err: str
    before: dict[str, bytes]
    after: dict[str, bytes]
    noise: tuple[str, ...] = ()
    seconds: float | None = None
    left: tuple[str, ...] = field(default=())

    @property
    def written(self) -> dict[str, bytes]:
        """New and changed files."""
        return {name: content for name, content in self.after.items() if self.before.get(name) != content}


def try_case(case: Case, home: Path, *, seconds: float = SECONDS) -> Outcome:
    """Run an input with the package, in a new folder below ``home``."""
    os.chdir(home)  # the input before may have changed the folder
    folder, scratch = new_folders(case, home)
    before = contents_of(folder)
    noise: list[str] = []
    begun = time.perf_counter()
    too_slow = False
    with _listening(noise), _elsewhere(folder, scratch), _replacing(case), _at_most(seconds):
        try:
            code, out, err = _called(case) if case.call is not None else _commanded(case)
        except TooSlowError as error:
            too_slow = True
            signal.setitimer(signal.ITIMER_REAL, 0)
            code, out, err = 1, "", "".join(traceback.format_exception(error))
        gc.collect(1)
    os.chdir(home)
    took = None if too_slow else time.perf_counter() - begun
    return Outcome(
        code=code,
        out=out,
        err=err,
        before=before,
        after=contents_of(folder),
        noise=tuple(noise),
        seconds=took,
        left=tuple(sorted(path.name for path in scratch.iterdir())),
    )


def new_folders(case: Case, home: Path) -> tuple[Path, Path]:
    """Return a folder with the input's files, and an empty one for temporary files."""
    folder, scratch = home / "case", home / "scratch"
    for one in (folder, scratch):
        shutil.rmtree(one, ignore_errors=True)
        one.mkdir(parents=True)
    case.write(folder)
    if case.results is not None:
        lay_out(folder, case.results)
    return folder, scratch


def _commanded(case: Case) -> tuple[int, str, str]:
    """Run the command line with streams as a command has them: standard error spells out what has no letter."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="strict")
    err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace")
    with _plain_environment(), redirect_stdout(out), redirect_stderr(err):
        code = run_command(list(case.words))
    said = []
    for stream in (out, err):
        stream.seek(0)
        said.append(stream.read())
    return code, said[0], said[1]


def _called(case: Case) -> tuple[int, str, str]:
    from gamedeid import GamedeidError

    try:
        shown = perform(case.call or {})
    except GamedeidError as error:
        return 2, "", f"gamedeid: {error}\n"
    except Exception as error:  # noqa: BLE001  (any other is what is looked for)
        return 1, "", "".join(traceback.format_exception(error))
    return 0, "\n".join(shown), ""


@contextmanager
def _plain_environment() -> Iterator[None]:
    """Ignore how this terminal wants output to look; faster than a replaced environment."""
    forgotten = {word: os.environ.pop(word) for word in TERMINAL_WORDS if word in os.environ}
    try:
        yield
    finally:
        os.environ.update(forgotten)


@contextmanager
def _listening(noise: list[str]) -> Iterator[None]:
    """Record warnings, and errors that Python can only report."""
    ignored, sys.unraisablehook = sys.unraisablehook, lambda one: noise.append(_ignored(one))
    threads, threading.excepthook = threading.excepthook, lambda one: noise.append(f"in a thread: {one.exc_value!r}")
    try:
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            for silent in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning):
                warnings.simplefilter("ignore", silent)  # as Python itself has it
            yield
        noise += [f"{one.category.__name__} in {Path(one.filename).name}: {one.message}" for one in heard]
    finally:
        sys.unraisablehook, threading.excepthook = ignored, threads


def _ignored(one: Any) -> str:
    if isinstance(one.exc_value, TooSlowError):
        os.kill(os.getpid(), signal.SIGALRM)
    return f"Exception ignored: {one.exc_value!r} in {one.object!r}"


@contextmanager
def _elsewhere(folder: Path, scratch: Path) -> Iterator[None]:
    """Stand in a folder, with another one for temporary files."""
    os.chdir(folder)
    before, tempfile.tempdir = tempfile.tempdir, str(scratch)
    environment = os.environ.get("TMPDIR")
    os.environ["TMPDIR"] = str(scratch)
    try:
        yield
    finally:
        tempfile.tempdir = before
        if environment is None:
            del os.environ["TMPDIR"]
        else:
            os.environ["TMPDIR"] = environment


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    worked, begun = time.process_time(), time.monotonic()

    def end(_number: int, _frame: object) -> None:
        if time.process_time() - worked > seconds or time.monotonic() - begun > seconds * _WAITING:
            raise TooSlowError

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)  # again and again, in case the exception is caught
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _replacing(case: Case) -> Iterator[None]:
    """Replace the content of a file from the given call of a function of the package on."""
    if case.replacement is None:
        yield
        return
    replacement, calls = case.replacement, 0

    def count(frame: Any, event: str, _argument: object) -> None:
        nonlocal calls
        if event != "call" or "/gamedeid/" not in frame.f_code.co_filename:
            return
        calls += 1
        if calls == replacement["call"]:
            sys.setprofile(None)
            path = Path(replacement["file"])
            if replacement["how"] == "write":
                path.write_bytes(replacement["content"])
            else:
                path.with_suffix(".new").write_bytes(replacement["content"])
                path.with_suffix(".new").replace(path)

    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(None)


def contents_of(folder: Path) -> dict[str, bytes]:
    """Return name -> content of every file below a folder; a link has its target, a folder a slash."""
    found: dict[str, bytes] = {}
    for root, folders, names in os.walk(folder):
        below = os.path.relpath(root, folder)
        for name in folders:
            path = os.path.join(root, name)  # noqa: PTH118  (quick)
            is_link = os.path.islink(path)  # noqa: PTH114
            found[os.path.normpath(f"{below}/{name}") + "/"] = os.readlink(path).encode() if is_link else b""  # noqa: PTH115
        for name in names:
            path = os.path.join(root, name)  # noqa: PTH118
            if os.path.islink(path):  # noqa: PTH114
                found[os.path.normpath(f"{below}/{name}")] = b"-> " + os.readlink(path).encode()  # noqa: PTH115
            else:
                with open(path, "rb") as file:  # noqa: PTH123
                    found[os.path.normpath(f"{below}/{name}")] = file.read(_BIG)
    return found
