"""How a file is written that has no name before it is complete, so that a killed run leaves nothing."""

import errno
import os
import shutil
from pathlib import Path

from gamedeid.results.staging import FILE_MODE, create

_UNNAMED = getattr(os, "O_TMPFILE", 0)
_NO_UNNAMED = {errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOENT}
_NO_LINK = {errno.EPERM, errno.EACCES, errno.EXDEV, errno.ENOENT, errno.EOPNOTSUPP, errno.EMLINK}


def can_write_unnamed(folder: Path) -> bool:
    """Tell whether files can be made without names there, and named later."""
    if not _UNNAMED:
        return False
    try:
        descriptor = open_unnamed(folder)
    except OSError as error:
        if error.errno in _NO_UNNAMED:
            return False
        raise
    try:
        return os.path.lexists(_handle(descriptor))
    finally:
        os.close(descriptor)


def open_unnamed(folder: Path) -> int:
    """Make a file without a name on the disk of a folder, readable by its owner only, and return its descriptor."""
    descriptor = os.open(folder, _UNNAMED | os.O_RDWR, FILE_MODE)
    os.fchmod(descriptor, FILE_MODE)
    return descriptor


def give_name(descriptor: int, path: Path) -> None:
    """Name an unnamed file; where the system does not allow that, copy it."""
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.link(_handle(descriptor), path.name, dst_dir_fd=folder, follow_symlinks=True)
    except OSError as error:
        if error.errno not in _NO_LINK:
            raise
        _copy(descriptor, path)
    finally:
        os.close(folder)


def _copy(descriptor: int, path: Path) -> None:
    with os.fdopen(create(path), "wb") as copy, os.fdopen(os.dup(descriptor), "rb") as original:
        try:
            original.seek(0)
            shutil.copyfileobj(original, copy)
            copy.flush()
            os.fsync(copy.fileno())
        except BaseException:
            path.unlink()
            raise


def _handle(descriptor: int) -> str:
    return f"/proc/self/fd/{descriptor}"
