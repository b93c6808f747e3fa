"""What libraries reserve, and for how long, with and without a limit on the address space (``ulimit -v``).

Is there room to work within the limit, and which errors mean that it is used up?
"""

import errno
import os
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec

LEAST = 3 * 2**30
"""Bytes of address space below which no work is begun. Libraries reserve far more than they use: the quickstart takes
1 GiB of it with files held in memory and 1.6 GiB with DuckDB, and where they come near the limit some of them wait for
ever, or end the process, instead of raising an error."""

_FRUGAL = {"ARROW_DEFAULT_MEMORY_POOL": "system", "OPENBLAS_NUM_THREADS": "1"}
"""Settings of libraries under which they reserve no more than they need; whoever has set them otherwise is obeyed."""

_ROOMY = {"MIMALLOC_PURGE_DELAY": "1000"}
"""Settings where nothing is limited: what Arrow frees waits so many milliseconds for the next block of rows. Given back
at once, as unless set, the system clears it anew for each block, which takes a tenth of the time of a long release."""

_ASKS_FOR_WORDS_ONLY = {"-h", "--help", "--version"}

_SIGNS = (
    "cannot allocate memory",
    "failed to map segment",
    "bad_alloc",
    "can't start new thread",
    "std::system_error",
    "out of memory",
)
"""What errors say that mean no memory, in whatever class a library has put them."""


def address_space_limit() -> int | None:
    """Return the bytes of address space that this process may have, or None where there is no such limit."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if most == resource.RLIM_INFINITY else most


def prepare_address_space(words: Sequence[str]) -> str | None:
    """Get ready to work within a limited address space; return why that is hopeless, or None."""
    if not words or _ASKS_FOR_WORDS_ONLY & set(words):
        return None
    most = address_space_limit()
    if most is None:
        _set(_ROOMY)
        return None
    if most < LEAST:
        return (
            f"not enough memory to begin: the address space is limited to {_size(most)} (ulimit -v), and at least "
            f"{_size(LEAST)} are needed; raise the limit"
        )
    _set(_FRUGAL)
    _load_linear_algebra()
    return None


def _set(settings: Mapping[str, str]) -> None:
    for name, value in settings.items():
        os.environ.setdefault(name, value)


def _load_linear_algebra() -> None:
    """Load numpy's linear algebra, and scipy's: loaded later, without room, it tries for ever and hears no signal."""
    import numpy as np

    square = np.ones((100, 100))
    product = square @ square
    if find_spec("scipy") is not None:  # an extra
        import scipy.linalg.blas

        scipy.linalg.blas.dgemm(1.0, square, product)


def shortage_message(error: BaseException) -> str | None:
    """Return what to say of an error that means that memory, or threads, have run out; None if it means neither."""
    seen: set[int] = set()
    one: BaseException | None = error
    while one is not None and id(one) not in seen:
        seen.add(id(one))
        if _is_shortage(one):
            return _words(one)
        one = one.__cause__ or one.__context__
    return None


def _is_shortage(error: BaseException) -> bool:
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return True
    duckdb = sys.modules.get("duckdb")
    if duckdb is not None and isinstance(error, duckdb.OutOfMemoryException):
        return True
    said = str(error).lower()
    return isinstance(error, ImportError | OSError | RuntimeError) and any(sign in said for sign in _SIGNS)


def _words(error: BaseException) -> str:
    most = address_space_limit()
    if most is not None:
        return (
            f"not enough memory for this question: the address space is limited to {_size(most)} (ulimit -v); raise "
            "the limit, or try fewer attributes"
        )
    if "can't start new thread" in str(error):
        return "no further thread can be started; raise the limit of processes (ulimit -u), or end other programs"
    return "not enough memory for this question; try fewer attributes, or a computer with more"


def _size(count: int) -> str:
    return f"{count / 2**30:.1f} GiB" if count >= 2**30 else f"{count // 2**20} MiB"
