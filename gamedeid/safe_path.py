"""The module path of started processes: Python's own folders, without the working directory."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

SAFE_PATH = "PYTHONSAFEPATH"
"""The environment variable that makes Python and its child processes leave out the working directory."""

_LOCK = Lock()
_blocks: list[str | None] = []
"""The variable's value before each open block: the user's value before the first, then "1"."""


@contextmanager
def safe_path() -> Iterator[None]:
    """Make all Python processes started in the block look for modules in safe places only.

    Helper processes of multiprocessing, Dask and Spark are started by ``python -c`` and ``python -m``, which look into
    the working directory first: a file `signal.py` among the data would run. The variable is restored when the
    last of several blocks has ended.
    """
    with _LOCK:
        _blocks.append(os.environ.get(SAFE_PATH))
        os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        with _LOCK:
            before = _blocks.pop()  # blocks of several threads may end in any order: the first entry is removed last
            if before is None:
                os.environ.pop(SAFE_PATH, None)
            else:
                os.environ[SAFE_PATH] = before
