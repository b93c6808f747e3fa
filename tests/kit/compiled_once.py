"""What the processes of a test run compile is shared: one compiles a loop or a file of tests, the others load it."""

import fcntl
import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba.core.dispatcher as numba_dispatcher
from numba.core.compiler_lock import global_compiler_lock

_LOCKS = Path(tempfile.gettempdir()) / f"gamedeid-compiles-{os.getuid()}"
"""Fixed before any test sets a folder for temporary files in which nothing may be left."""


def share_compiled_loops() -> None:
    """From now on wait where another process of this kind is compiling the same loop, and then load what it kept.

    Without this, each process compiles the same loops at the start of a run in a fresh folder; and of two that keep
    forms of one loop at the same time, the form of one is lost.
    """
    _LOCKS.mkdir(mode=0o700, exist_ok=True)
    plain = numba_dispatcher.Dispatcher.compile

    def compile_once(self: Any, sig: Any) -> Any:
        loop = self.py_func.__code__.co_filename, self.py_func.__qualname__
        with global_compiler_lock, held(*loop):  # so no two threads of a process wait for each other's file
            return plain(self, sig)

    numba_dispatcher.Dispatcher.compile = compile_once


@contextmanager
def held(*names: str) -> Iterator[None]:
    """Hold the file that stands for what has these names, while others of these processes wait for it.

    Loops call each other in one direction, so that nobody waits in a ring.
    """
    name = hashlib.sha256(":".join(names).encode()).hexdigest()[:20]
    with (_LOCKS / name).open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
