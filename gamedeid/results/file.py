"""One file that appears whole or not at all."""

import io
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from gamedeid.errors import OutputError
from gamedeid.results.staging import OVERWRITE, Place, create, hold, remove, sync_folder, undisturbed
from gamedeid.results.streams import OutputFile
from gamedeid.results.unnamed import can_write_unnamed, give_name, open_unnamed


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
    hidden = place.hidden("new")
    with ExitStack() as stack:
        with place.refusing():
            _admit(place, overwrite=overwrite)
            unnamed = can_write_unnamed(place.path.parent)
            stack.callback(_forget, hidden)
            descriptor = open_unnamed(place.path.parent) if unnamed else create(hidden)
            if not unnamed and (lock := hold(hidden)) is not None:
                stack.callback(os.close, lock)
        file = OutputFile(descriptor, place.path.name, place)
        stack.callback(file.abandon)
        with file.stream as stream:
            yield stream
        if file.failure is not None:
            raise file.failure
        with undisturbed(), place.refusing():
            os.fsync(descriptor)
            _show(descriptor if unnamed else None, hidden, place, overwrite=overwrite)
            sync_folder(place.path.parent)


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


def _forget(hidden: Path) -> None:
    """Remove what did not become the file; where that is impossible, the next run for the same target does it."""
    with suppress(OSError):
        remove(hidden)


def _show(unnamed: int | None, hidden: Path, place: Place, *, overwrite: bool) -> None:
    if unnamed is not None:
        give_name(unnamed, hidden if overwrite else place.path)
    if overwrite:
        hidden.replace(place.path)
    elif unnamed is None:
        _rename_to_new(hidden, place.path)


def _admit(place: Place, *, overwrite: bool) -> None:
    if place.path.is_dir():
        raise OutputError(f"{place.shown} already exists and is a folder; choose another name")
    if os.path.lexists(place.path) and not overwrite:
        raise OutputError(
            f"{place.shown} already exists; choose another name or pass {OVERWRITE}", arguments=[OVERWRITE]
        )


def _rename_to_new(hidden: Path, path: Path) -> None:
    """Rename a file to a name that must be new; where the disk has no second names, trust the look taken before."""
    try:
        os.link(hidden, path)
    except FileExistsError:
        raise
    except OSError:
        hidden.rename(path)
