"""The address space that libraries reserve, with and without a limit (``ulimit -v``).

It checks whether a command can run within the limit, and which errors mean that the limit is reached.
"""

import errno
import os
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec

LEAST = 3 * 2**30
"""Bytes of address space below which no work is begun. Libraries reserve far more than they use: the quickstart takes
1 GiB of it with files in memory and 1.6 GiB with DuckDB. Near the limit, some libraries wait for ever or end the
process instead of raising an error."""

_FRUGAL = {"ARROW_DEFAULT_MEMORY_POOL": "system", "OPENBLAS_NUM_THREADS": "1"}
"""Settings that make libraries reserve no more than they need; the user's own settings take precedence."""

_ROOMY = {"MIMALLOC_PURGE_DELAY": "1000"}
"""Settings without a limit: memory freed by Arrow stays for so many milliseconds for the next block of rows. By
default it is returned at once and cleared again for each block, which takes a tenth of the time of a long release."""

_ASKS_FOR_WORDS_ONLY = {"-h", "--help", "--version"}

_SIGNS = (
    "cannot allocate memory",
    "failed to map segment",
    "bad_alloc",
    "can't start new thread",
    "std::system_error",
    "out of memory",
)
"""Texts of errors that mean a lack of memory, of any exception class."""


def address_space_limit() -> int | None:
    """Return the bytes of address space that this process may use, or None without a limit."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if most == resource.RLIM_INFINITY else most


def prepare_address_space(words: Sequence[str]) -> str | None:
    """Prepare for a limited address space; return why the limit is too small, or None."""
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
    """Load the linear algebra of numpy and scipy: later, without memory, loading hangs and ignores signals."""
    import numpy as np

    square = np.ones((100, 100))
    product = square @ square
    if find_spec("scipy") is not None:  # installed with an extra only
        import scipy.linalg.blas

        scipy.linalg.blas.dgemm(1.0, square, product)


def shortage_message(error: BaseException) -> str | None:
    """Return the message for an error that means a lack of memory or threads; None for other errors."""
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
