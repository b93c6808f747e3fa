"""How a folder of results takes the place of an older one, so that one of the two stands there at every moment."""

import ctypes
import errno
import os
from collections.abc import Callable
from pathlib import Path

from gamedeid.results.staging import Place, discard, hold

_CURRENT_FOLDER, _EXCHANGE = -100, 2  # AT_FDCWD and RENAME_EXCHANGE of Linux
_UNABLE = {errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP}


def replace_folder(new: Path, place: Place, check: Callable[[Path], None]) -> None:
    """Put a folder in the place of another and remove the other.

    Where two names can be exchanged at once, there is no moment without results. Elsewhere the old folder is moved away
    first; if the run is killed just then, the next sweep puts it back. The old folder is locked meanwhile, so that no
    other run sweeps it away.

    Parameters
    ----------
    new : the folder to put there, beside the target.
    place : the target, a folder.
    check : raises if a folder may not be replaced; asked before, and again when nobody finds the old folder any more.

    Raises
    ------
    OSError : from the system or from ``check``; the old folder stands where it stood.
    OutputError : the new folder stands there, but the old one could not be removed.
    """
    lock = hold(place.path)
    try:
        check(place.path)
        if exchange(new, place.path):
            try:
                check(new)
            except BaseException:
                exchange(new, place.path)
                raise
            discard(new)
        else:
            _move_aside(new, place, check)
    finally:
        if lock is not None:
            os.close(lock)


def _move_aside(new: Path, place: Place, check: Callable[[Path], None]) -> None:
    away = place.hidden("old")
    place.path.rename(away)
    try:
        check(away)
        new.rename(place.path)
    except BaseException:
        away.rename(place.path)
        raise
    discard(away)


def exchange(one: Path, other: Path) -> bool:
    """Let two names change places at once; False where the system or the disk cannot.

    Raises
    ------
    OSError : it could, but refused.
    """
    rename = getattr(_system_library(), "renameat2", None)
    if rename is None:
        return False
    if rename(_CURRENT_FOLDER, os.fsencode(one), _CURRENT_FOLDER, os.fsencode(other), _EXCHANGE) == 0:
        return True
    code = ctypes.get_errno()
    if code in _UNABLE:
        return False
    raise OSError(code, os.strerror(code), str(one), None, str(other))


def _system_library() -> ctypes.CDLL | None:
    try:
        return ctypes.CDLL(None, use_errno=True)
    except (OSError, TypeError):  # pragma: no cover - only where there is no POSIX
        return None
