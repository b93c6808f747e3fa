"""numba, and the folders of compiled loops: no other user of the machine decides which loops run.

numba reads `.numba_config.yaml` in the working directory when it is imported, and again whenever it compiles. Such a
file can name a folder of compiled loops. It is therefore imported so that it reads no such file, and loops are read
only from folders that no other user may write to.
"""

import os
import stat
import sys
from collections.abc import Sequence
from functools import cache
from importlib.abc import InspectLoader, Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import CodeType, ModuleType
from typing import cast

_CACHE_ENDINGS = (".nbi", ".nbc")
"""Endings of the files that hold compiled loops."""

_MODULE, _FILE, _NO_FILE = "numba.core.config", ".numba_config.yaml", os.devnull


class _ConfigLoader(Loader):
    """Runs numba's module of settings with the name of its file replaced by that of no regular file."""

    def __init__(self, loader: InspectLoader) -> None:
        self._loader = loader

    def exec_module(self, module: ModuleType) -> None:
        code = cast("CodeType", self._loader.get_code(_MODULE))
        names = (_NO_FILE if one == _FILE else one for one in code.co_consts)
        exec(code.replace(co_consts=tuple(names)), module.__dict__)  # noqa: S102  (as every loader of modules does)


class _ConfigFinder(MetaPathFinder):
    """Finds that one module, and leaves all others to Python."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != _MODULE:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, InspectLoader):
            spec.loader = _ConfigLoader(spec.loader)
        return spec


def _imported() -> ModuleType:
    """Import numba, or take the imported one, without the settings of such a file."""
    finder = _ConfigFinder()
    sys.meta_path.insert(0, finder)
    try:
        import numba  # noqa: PLC0415
        from numba.core import config  # noqa: PLC0415
    finally:
        sys.meta_path.remove(finder)
    config._config_fname = _NO_FILE  # noqa: SLF001  (another library may have imported numba before)
    config.reload_config()  # type: ignore[no-untyped-call]
    return numba


numba = _imported()


def make_folder(folder: Path, mode: int) -> None:
    """Make a folder, and missing ones above it, with a mode."""
    lacking = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(lacking):
        one.mkdir(mode, exist_ok=True)


@cache
def refusal(folder: Path) -> str | None:
    """Return why no compiled loop may be taken from a folder, None if it may; a folder is examined once a process.

    The folder, the one above it and the compiled loops in it must belong to this user or to root, and no other user may
    write there. Nor may another user replace a folder on the path to it: if other users may write into one of these,
    its sticky bit must protect the files of each user, as in `/tmp`.
    """
    if not folder.is_absolute():
        return f"`{folder}` is not an absolute path"
    if not hasattr(os, "geteuid"):
        return None  # no POSIX: the system keeps the folders of users apart by other means
    try:
        links = (one for one in (folder, *folder.parents) if one.is_symlink())
        resolved = folder.resolve()
        above = (_folder_fault(one, place) for place, one in enumerate((resolved, *resolved.parents)) if one.exists())
        loops = [one for one in resolved.iterdir() if one.suffix in _CACHE_ENDINGS] if resolved.exists() else []
        faults = (*map(_owner_fault, links), *above, *map(_file_fault, loops))
    except OSError as error:
        return f"`{folder}` cannot be looked at ({error.strerror})"
    return next((fault for fault in faults if fault is not None), None)


def _folder_fault(folder: Path, place: int) -> str | None:
    """Return the fault of the folder of compiled loops (place 0) or of one above it."""
    state = folder.stat()
    if place <= 1 and not _is_ours(state):
        return f"`{folder}` belongs to another user"
    return None if place > 0 and state.st_mode & stat.S_ISVTX else _write_fault(folder, state)


def _file_fault(file: Path) -> str | None:
    state = file.lstat()
    if not stat.S_ISREG(state.st_mode):
        return f"`{file}` is not a regular file"
    return _owner_fault(file) or _write_fault(file, state)


def _owner_fault(path: Path) -> str | None:
    return None if _is_ours(path.lstat()) else f"`{path}` belongs to another user"


def _is_ours(state: os.stat_result) -> bool:
    return state.st_uid in {0, os.geteuid()}


def _write_fault(path: Path, state: os.stat_result) -> str | None:
    if state.st_mode & stat.S_IWOTH or (state.st_mode & stat.S_IWGRP and not _is_private_group(state.st_gid)):
        return f"other users may write to `{path}` (mode {stat.S_IMODE(state.st_mode):04o})"
    return None


@cache
def _is_private_group(number: int) -> bool:
    """Return whether a group has this user as its only member, as many systems make one for each user."""
    import grp  # noqa: PLC0415  (only on POSIX)
    import pwd  # noqa: PLC0415

    try:
        user, group = pwd.getpwuid(os.geteuid()), grp.getgrgid(number)
    except KeyError:
        return False
    named = user.pw_gid == number and user.pw_name == group.gr_name
    return user.pw_uid != 0 and named and set(group.gr_mem) <= {user.pw_name}
