"""Shares compiled code among the processes of a test run: one compiles a loop or a test file, the others load it."""

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
"""Set at import, before a test chooses a folder for temporary files that must stay empty."""


def share_compiled_loops() -> None:
    """From now on, wait while another process of the run compiles the same loop, then load its result.

    Without this, each process compiles the same loops at the start of a run in a fresh folder; and if
    two save versions of one loop at the same time, one version is lost.
    """
    _LOCKS.mkdir(mode=0o700, exist_ok=True)
    plain = numba_dispatcher.Dispatcher.compile

    def compile_once(self: Any, sig: Any) -> Any:
        loop = self.py_func.__code__.co_filename, self.py_func.__qualname__
        with global_compiler_lock, held(*loop):  # so that two threads of a process never wait for each other's file
            return plain(self, sig)

    numba_dispatcher.Dispatcher.compile = compile_once


@contextmanager
def held(*names: str) -> Iterator[None]:
    """Hold the lock file for these names; other processes of the run wait for it.

    Loops call each other in one direction, so processes cannot deadlock.
    """
    name = hashlib.sha256(":".join(names).encode()).hexdigest()[:20]
    with (_LOCKS / name).open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
