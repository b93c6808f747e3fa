"""A single file: written whole or not at all, and read only if it is a regular file."""

import errno
import io
import logging
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gamedeid.errors import GamedeidError, OutputError, one_line
from gamedeid.results.folder import collect_files
from gamedeid.results.manifest import refuse_results_folder
from gamedeid.results.staging import OVERWRITE, Place, signals_deferred, sync_folder

_LOG = logging.getLogger(__name__)

_READ_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


@contextmanager
def writing_file(path: Path, *, overwrite: bool, follow_links: bool = True) -> Iterator[io.BufferedWriter]:
    """Yield a binary stream to a file, which appears with mode 0600 when the block ends without an exception.

    Parameters
    ----------
    path : the file to write; its folder must exist.
    follow_links : whether it is a file of the user's choice, which may be a link, and must be outside folders of
        results, whose manifest would not name it.
    """
    place = Place.of(path, follow_links=follow_links)
    place.sweep()
    with place.refusing():
        _admit(place, overwrite=overwrite)
    if follow_links:
        refuse_results_folder(place.path, path)
    with collect_files(place) as files:
        with files.open(place.path.name) as stream:
            yield stream
        with signals_deferred(), place.refusing():
            _publish(files.complete() / place.path.name, place.path, overwrite=overwrite)
            sync_folder(place.path.parent)
    _LOG.info("%s: a file is written", one_line(place.path.name))


def write_file(path: Path, content: str | bytes, *, overwrite: bool = False, follow_links: bool = True) -> None:
    """Write one file as with :func:`writing_file`."""
    with signals_deferred(), writing_file(path, overwrite=overwrite, follow_links=follow_links) as stream:
        stream.write(content.encode() if isinstance(content, str) else content)


def _admit(place: Place, *, overwrite: bool) -> None:
    if place.path.is_dir():
        raise OutputError(f"{place.shown} already exists and is a folder; choose another name")
    if os.path.lexists(place.path) and not overwrite:
        raise OutputError(
            f"{place.shown} already exists; choose another name or pass {OVERWRITE}", arguments=[OVERWRITE]
        )


def _publish(file: Path, path: Path, *, overwrite: bool) -> None:
    """Give a file its new name; on a disk without hard links, rely on the earlier check that the name is free."""
    if overwrite:
        file.replace(path)
        return
    try:
        os.link(file, path)
    except FileExistsError:
        raise
    except OSError:
        file.rename(path)


def read_regular(path: Path) -> bytes:
    """Return the content of a regular file."""
    if not is_regular(path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    try:
        descriptor = os.open(path, _READ_FLAGS)
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


def is_regular(path: Path) -> bool:
    """Return whether a path is a regular file; False if nothing is there."""
    try:
        mode = path.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise OutputError(f"{path} cannot be read ({error.strerror})") from None
    if not stat.S_ISREG(mode):
        raise _irregular(path, "is a symbolic link" if stat.S_ISLNK(mode) else "is no regular file")
    return True


def unreadable_words(error: GamedeidError) -> str:
    """Return why a file of a folder cannot be read, for a finding about it."""
    if isinstance(error.__context__, PermissionError):
        return "may not be read by you; give yourself permission to read it, or ask its owner"
    return "is no regular file that can be read"


def _irregular(path: Path, what: str) -> OutputError:
    return OutputError(f"{path} {what}; gamedeid writes regular files only: remove it")
