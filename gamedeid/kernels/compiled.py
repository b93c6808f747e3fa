"""Compilation of the inner loops, kept for later runs; where they cannot be kept, they are compiled anew."""

import hashlib
import inspect
import multiprocessing
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NoReturn, TypeVar, cast

import numpy as np

from gamedeid.errors import CacheWarning
from gamedeid.kernels.guarded_numba import make_folder, numba, refusal
from gamedeid.progress import COMPILATION

# isort: split
from numba.core.caching import (  # below the import of numba
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    InTreeCacheLocator,
    UserProvidedCacheLocator,
)
from numba.core.runtime.nrt import rtsys

F = TypeVar("F", bound=Callable[..., object])

_WITHOUT = (
    "they are compiled anew in every run, which takes some seconds; NUMBA_CACHE_DIR can name a folder to keep them in"
)
_said: set[str] = set()
_writable: set[Path] = set()
"""Folders that took a file since this process began: one question for all loops of a folder."""
_refused: dict[str, None] = {}
"""Why folders were refused since this process began, in the order of their refusal."""

_OWN_MODE, _BESIDE_MODE = 0o700, 0o755
"""Modes of a new folder for compiled loops; a folder in the package is for all users of the package."""


def compiled(function: F) -> F:
    """Return a loop that is compiled when it is first called, for each kind of arguments.

    It may read and write the arrays that it is given, and pass them on; one that makes arrays is :func:`allocating`, as
    is one that gets an array from another. numba then need not count at every call who holds each array, which takes
    longer than most loops here.

    It releases the interpreter's lock. Compiled forms are kept on disk for later runs: in the package, or else in
    the user's own cache folder. Forms in the package are found there too if nothing can be written there, as
    in an image of a container. It is compiled again when any file of this package has changed, so that compiled
    functions may call each other across its files. With ``NUMBA_DISABLE_JIT=1`` it stays plain Python.
    """
    return _kept(function, counted=False)


def allocating(function: F) -> F:
    """Return a loop as :func:`compiled` does that may also make arrays and lists, and return them."""
    return _kept(function, counted=True)


def _kept(function: F, *, counted: bool) -> F:
    if numba.config.DISABLE_JIT:
        return np.errstate(over="ignore")(function)  # loops mix bits by numbers that overflow, as compiled ones may
    dispatcher: Any = numba.njit(nogil=True, no_cfunc_wrapper=True, _nrt=counted)(function)  # else as whoever calls it
    try:
        dispatcher._cache = _Cache(function)  # noqa: SLF001  (as numba's own enable_caching does)
    except (RuntimeError, OSError):
        COMPILATION.lost = True
        why = f" ({'; '.join(_refused)})" if _refused else ""
        _log_once(f"there is no folder that compiled loops can be kept in{why}; {_WITHOUT}")
    dispatcher.compile = _counted(dispatcher.compile)
    return cast("F", dispatcher)


def _counted(compile_: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a function that compiles or loads a loop, and ends the count of compilation if it fails.

    A loop that another one calls with a number written out is compiled as for any number of its type, and once only.
    """

    def counted(sig: Any) -> Any:
        depth = COMPILATION.depth
        try:
            return compile_(tuple(numba.types.unliteral(one) for one in sig))
        finally:
            COMPILATION.end(depth)

    return counted


@cache
def source_digest() -> str:
    """Return the SHA-256 digest of all Python files of this package, by name and content, in hexadecimal."""
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for file in sorted(Path(__file__).parent.glob("*.py")):
        content = file.read_bytes()
        digest.update(f"{file.name} {len(content)} ".encode() + content)
    return digest.hexdigest()


class _Folder(CompileResultCacheImpl):
    """The folder that the compiled forms of one function are kept in."""

    def __init__(self, function: Callable[..., object]) -> None:
        known = [_guarded_locator(one) for one in CompileResultCacheImpl._locator_classes]  # noqa: SLF001
        self._locator_classes = [*known, _PackageFolder]
        super().__init__(function)  # type: ignore[no-untyped-call]


@cache
def _guarded_locator(locator: type[Any]) -> type[Any]:
    """Return a locator of numba's that refuses a relative path, and folders into which other users may write."""

    class Own(locator):  # type: ignore[misc]
        def ensure_cache_path(self) -> None:
            folder = Path(self.get_cache_path())
            if folder.parts[0].startswith("~"):  # numba would make a folder of this name in the working directory
                raise FileNotFoundError("there is no home")  # and goes on to the next place now
            if folder in _writable:
                return
            if (why := refusal(folder)) is not None:
                _refuse(why, named=issubclass(locator, UserProvidedCacheLocator))
            make_folder(folder, _BESIDE_MODE if issubclass(locator, InTreeCacheLocator) else _OWN_MODE)
            super().ensure_cache_path()
            _writable.add(folder)

    return Own


def _refuse(why: str, *, named: bool = False) -> NoReturn:
    """Refuse a folder; say so at once of one that NUMBA_CACHE_DIR names, as no one looks elsewhere for its loops."""
    _refused[why] = None
    if named:
        _log_once(f"no compiled loops are kept in the folder that NUMBA_CACHE_DIR names: {why}")
    raise PermissionError(why)


class _PackageFolder(InTreeCacheLocator):
    """The folder in the package, if it has compiled loops, though nothing can be written there."""

    def ensure_cache_path(self) -> None:
        if next((Path(self._py_file).parent / "__pycache__").glob("*.nbi"), None) is None:
            raise FileNotFoundError("nothing is kept next to the package")


class _Cache(FunctionCache):
    """Compiled forms of one function, on disk; a disk that is full or a file that is damaged is no reason to end."""

    _impl_class = _Folder

    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        if (why := refusal(Path(self._cache_path))) is not None:  # numba has locators that make no folder
            _refuse(why)
        beside = Path(inspect.getfile(function)).parent / "__pycache__"
        places = dict.fromkeys([self._cache_path, *([str(beside)] if refusal(beside) is None else [])])
        self._cache_file, *self._others = (
            _CacheFile(
                cache_path=place,
                filename_base=self._impl.filename_base,
                source_stamp=self._impl.locator.get_source_stamp(),
            )
            for place in places
        )

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled form for some kinds of arguments, or None where there is none that can be used.

        numba's own method first loads all that could be compiled, scipy.linalg among it, which takes longer than a
        small question. Compiled code needs numba's memory only; whoever compiles loads the rest then.
        """
        kept = None
        try:
            rtsys.initialize(target_context)
            with self._guard_against_spurious_io_errors():
                kept = self._load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except Exception:  # noqa: BLE001  (whatever a damaged file makes of itself)
            self._start_anew()
        if kept is None:
            kept = self._kept_beside(sig, target_context)
        if kept is None:
            COMPILATION.begin()
        return kept

    def _kept_beside(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled form that came with the package, where another folder is the one to keep loops in."""
        try:
            key = self._index_key(sig, target_context.codegen())  # type: ignore[no-untyped-call]
            found = (file.load(key) for file in self._others)  # type: ignore[no-untyped-call]
            data = next((one for one in found if one is not None), None)
            return None if data is None else self._impl.rebuild(target_context, data)
        except Exception:  # noqa: BLE001  (damaged, or not for this user to read: it is compiled, then, and kept)
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled form, if that is possible."""
        try:
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        except Exception as error:  # noqa: BLE001
            COMPILATION.lost = True
            why = f" ({error.strerror})" if isinstance(error, OSError) and error.strerror else ""
            _log_once(f"compiled loops cannot be kept in `{self.cache_path}`{why}; {_WITHOUT}")

    def _start_anew(self) -> None:
        """Discard the kept forms of this function, since some of them cannot be read."""
        try:
            self.flush()  # type: ignore[no-untyped-call]
        except OSError:
            _log_once(f"compiled loops kept in `{self.cache_path}` cannot be read; {_WITHOUT}")
        else:
            _log_once(
                f"compiled loops kept in `{self.cache_path}` were damaged (a full disk?); they are "
                "compiled and kept anew"
            )


class _CacheFile(IndexDataCacheFile):
    """The files of one function; those of another version, of numba or of this package, count as absent.

    A caller holds the code of the functions that it calls, and the data after the version may name types that are gone.
    """

    def __init__(self, **where: Any) -> None:
        super().__init__(**where)  # type: ignore[no-untyped-call]
        self._version = f"{self._version} {source_digest()}"


def _log_once(words: str) -> None:
    """Say it once, however many loops it is true of, and not in processes that work for another."""
    if not _said and multiprocessing.parent_process() is None:
        _said.add(words)
        warnings.warn(words, CacheWarning, stacklevel=2)
