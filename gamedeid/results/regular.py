"""Files that gamedeid wrote are read again as what they were: regular files, never symbolic links to other places."""

import errno
import os
import stat
from pathlib import Path

from gamedeid.errors import OutputError

_LOOK = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def read_regular(path: Path) -> bytes:
    """Return the content of a regular file.

    Raises
    ------
    OutputError : it is a symbolic link, or no file, or cannot be read.
    FileNotFoundError : there is none.
    """
    if not refuse_irregular(path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    try:
        descriptor = os.open(path, _LOOK)
        with os.fdopen(descriptor, "rb") as stream:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise _irregular(path, "is no regular file")
            return stream.read()
    except (FileNotFoundError, OutputError):
        raise
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise _irregular(path, "is a symbolic link") from None
        raise OutputError(f"{path} cannot be read ({error.strerror})") from None


def refuse_irregular(path: Path) -> bool:
    """Return whether a regular file is there; False if nothing is.

    Raises
    ------
    OutputError : what is there is a symbolic link, or no file.
    """
    try:
        mode = path.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise OutputError(f"{path} cannot be read ({error.strerror})") from None
    if not stat.S_ISREG(mode):
        raise _irregular(path, "is a symbolic link" if stat.S_ISLNK(mode) else "is no regular file")
    return True


def _irregular(path: Path, what: str) -> OutputError:
    return OutputError(f"{path} {what}; gamedeid writes regular files only: remove it")
