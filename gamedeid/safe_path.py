"""Where processes that this one starts look for modules: where Python has them, and not in the working directory."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

SAFE_PATH = "PYTHONSAFEPATH"
"""The environment variable with which Python, and whatever Python that one starts, leaves the working directory out."""

_LOCK = Lock()
_blocks: list[str | None] = []
"""What the variable was before each block that has not ended: what the user made it before the first, then "1"."""


@contextmanager
def safe_path() -> Iterator[None]:
    """Have all Python processes that start in the block look for modules in safe places alone.

    Helper processes of multiprocessing, Dask and Spark are started by ``python -c`` and ``python -m``, which look into
    the working directory before all else: a file `signal.py` among the data would run. Afterwards the variable is
    again what it was, when the last of several blocks has ended.
    """
    with _LOCK:
        _blocks.append(os.environ.get(SAFE_PATH))
        os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        with _LOCK:
            before = _blocks.pop()  # blocks of several threads may end in any order: the first entry goes last
            if before is None:
                os.environ.pop(SAFE_PATH, None)
            else:
                os.environ[SAFE_PATH] = before
