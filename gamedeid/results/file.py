"""One file that appears whole or not at all: written as the only one of a folder, and taken out of it."""

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gamedeid.errors import OutputError, one_line
from gamedeid.logs import logger_of
from gamedeid.results.folder import collecting
from gamedeid.results.staging import OVERWRITE, Place, sync_folder, undisturbed

_LOG = logger_of(__name__)


@contextmanager
def writing_file(path: Path, *, overwrite: bool = False, follow_links: bool = True) -> Iterator[io.BufferedWriter]:
    """Yield a binary stream to a file that appears, with mode 0600, when the block ends without an exception.

    Parameters
    ----------
    path : the file to write; its folder must exist.
    overwrite : replace a file that stands there.
    follow_links : whether a symbolic link at ``path`` stands for what it points to, or is replaced itself.

    Raises
    ------
    OutputError : the file may not or cannot be written; what stood there still stands.
    """
    place = Place.of(path, follow_links=follow_links)
    place.sweep()
    with place.refusing():
        _admit(place, overwrite=overwrite)
    with collecting(place) as files:
        with files.open(place.path.name) as stream:
            yield stream
        with undisturbed(), place.refusing():
            _show(files.complete() / place.path.name, place.path, overwrite=overwrite)
            sync_folder(place.path.parent)
    _LOG.info("%s: a file is written", one_line(place.path.name))


def write_file(path: Path, content: str | bytes, *, overwrite: bool = False, follow_links: bool = True) -> None:
    """Write one file that appears whole or not at all, with mode 0600.

    Parameters
    ----------
    path : the file to write; its folder must exist.
    content : text is written in UTF-8, line ends as they are.
    overwrite : replace a file that stands there.
    follow_links : whether a symbolic link at ``path`` stands for what it points to, or is replaced itself.

    Raises
    ------
    OutputError : the file may not or cannot be written; what stood there still stands.
    """
    with undisturbed(), writing_file(path, overwrite=overwrite, follow_links=follow_links) as stream:
        stream.write(content.encode() if isinstance(content, str) else content)


def _admit(place: Place, *, overwrite: bool) -> None:
    if place.path.is_dir():
        raise OutputError(f"{place.shown} already exists and is a folder; choose another name")
    if os.path.lexists(place.path) and not overwrite:
        raise OutputError(
            f"{place.shown} already exists; choose another name or pass {OVERWRITE}", arguments=[OVERWRITE]
        )


def _show(file: Path, path: Path, *, overwrite: bool) -> None:
    """Give a file its name, which must be new; where the disk has no second names, trust the look taken before."""
    if overwrite:
        file.replace(path)
        return
    try:
        os.link(file, path)
    except FileExistsError:
        raise
    except OSError:
        file.rename(path)
