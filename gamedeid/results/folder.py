"""How results reach the disk: whole or not at all, and readable by their owner only."""

import errno
import io
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from os import PathLike
from pathlib import Path
from typing import Any, Protocol

from gamedeid.errors import OutputError, one_line
from gamedeid.logs import logger_of
from gamedeid.results.exchange import replace_folder
from gamedeid.results.manifest import not_ours
from gamedeid.results.staging import OVERWRITE, Place, create, hidden_folder, sync_folder, undisturbed
from gamedeid.results.streams import AdoptedFile, OutputFile
from gamedeid.results.unnamed import can_write_unnamed, give_name, open_unnamed

_LOG = logger_of(__name__)

_OCCUPIED = {errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR}


@contextmanager
def writing_folder(path: Path, *, overwrite: bool = False) -> Iterator["FolderWriter"]:
    """Collect files, and show them as one folder when the block ends without an exception.

    Until then nothing appears: where the system can, files have no name before they are complete, so that a killed run
    leaves nothing; elsewhere they wait in a hidden folder that the next run for the same target removes. Folders get
    mode 0700 and files 0600, whatever the umask.

    Parameters
    ----------
    path : the folder to write; it must not exist or be empty, its parent must exist.
    overwrite : replace the folder at ``path`` if it is one of ours: a ``manifest.json`` and only files that it names.

    Raises
    ------
    OutputError : the folder may not or cannot be written. What stood there still stands, and nothing is added to it.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as home:
    ...     with writing_folder(Path(home) / "results") as folder:
    ...         folder.write_text("figures.json", "{}")
    ...     (Path(home) / "results" / "figures.json").read_text()
    '{}'
    """
    place = Place.of(path)
    place.sweep()
    with place.refusing():
        _admit_folder(place, overwrite=overwrite)
    with ExitStack() as stack:
        folder = FolderWriter(place, stack)
        yield folder
        with folder.complete() as hidden:
            _show_folder(hidden, place, overwrite=overwrite)
            sync_folder(place.path)
            sync_folder(place.path.parent)
    _LOG.info("%s: a folder of %d files is written", one_line(place.path.name), len(folder.digests))


class FolderWriter:
    """The files of a folder that does not exist yet; made by :func:`writing_folder`.

    Parameters
    ----------
    place : where the folder, or the only file of it, is to appear.
    stack : left when that is shown, or never will be.

    Raises
    ------
    OutputError : nothing can be written beside the place.
    """

    def __init__(self, place: Place, stack: ExitStack) -> None:
        self._place = place
        self._stack = stack
        self._workshop: Path | None = None
        self._files: dict[str, OutputFile | AdoptedFile] = {}
        with place.refusing():
            self._hidden = None if can_write_unnamed(place.path.parent) else stack.enter_context(hidden_folder(place))
        stack.callback(self._abandon)

    def open(self, name: str) -> io.BufferedWriter:
        """Return a binary stream to a new file, to be closed before the folder is; it cannot be rewound.

        Raises
        ------
        OutputError : the file cannot be created, or later written.
        ValueError : the name is no plain file name, or already taken.
        """
        self._check(name)
        with self._place.refusing(name):
            descriptor = create(self._hidden / name) if self._hidden else open_unnamed(self._place.path.parent)
        file = OutputFile(descriptor, name, self._place)
        self._files[name] = file
        return file.stream

    def adopt(self, path: Path, name: str, digest: str | None = None) -> None:
        """Take in a file that is complete and stands elsewhere; it stays there too, to be removed by whoever made it.

        Parameters
        ----------
        path : where it stands.
        name : what it is called here.
        digest : its SHA-256 in hex, if that is known.

        Raises
        ------
        OutputError : the file cannot be read or taken in, or has another digest.
        ValueError : the name is no plain file name, or already taken.
        """
        self._check(name)
        with self._place.refusing(name):
            self._files[name] = file = AdoptedFile(path)
            if digest is not None and file.digest.hexdigest() != digest:
                raise OutputError(f"{path}: was changed after it was finished; run again, and it is made again")
            if self._hidden is not None:
                give_name(file.descriptor, self._hidden / name)

    def workshop(self) -> Path:
        """Return a hidden folder beside the results, in which others may make files and folders to be taken in.

        It has mode 0700, and is removed with all that is in it when the results are shown, or never will be; after a
        death, by the next run for the same target.

        Raises
        ------
        OutputError : it cannot be made.
        """
        if self._workshop is None:
            with self._place.refusing():
                self._workshop = self._stack.enter_context(hidden_folder(self._place))
        return self._workshop

    def _check(self, name: str) -> None:
        if name in self._files or name in {"", ".", ".."} or os.path.basename(name) != name:  # noqa: PTH119
            raise ValueError(f"not the name of a new file: {name!r}")

    def write_text(self, name: str, text: str) -> None:
        """Write a whole file in UTF-8, line ends as they are.

        Raises
        ------
        OutputError : the file cannot be written.
        ValueError : the name is no plain file name, or already taken.
        """
        with self.open(name) as stream:
            stream.write(text.encode())

    @property
    def digests(self) -> dict[str, str]:
        """SHA-256 in hex of every closed file, by name, in the order of opening."""
        return {name: file.digest.hexdigest() for name, file in self._files.items() if file.ended}

    @contextmanager
    def complete(self) -> Iterator[Path]:
        """Yield a hidden folder that holds all files, written to the disk, for a block that nothing disturbs.

        Raises
        ------
        OutputError : a file could not be written, or cannot be put there.
        ValueError : a file is still open, so that some of it may not have been written.
        """
        for name, file in self._files.items():
            if not file.ended:
                raise ValueError(f"{name} is still open")
            if file.failure is not None:
                raise file.failure
            with self._place.refusing(name):
                os.fsync(file.descriptor)
        with undisturbed(), ExitStack() as stack, self._place.refusing():
            hidden = self._hidden or stack.enter_context(hidden_folder(self._place))
            for name, file in self._files.items() if self._hidden is None else ():
                with self._place.refusing(name):
                    give_name(file.descriptor, hidden / name)
            self._abandon()
            sync_folder(hidden)
            yield hidden

    def _abandon(self) -> None:
        """Let go of all files, without a further word to the disk."""
        for file in self._files.values():
            file.abandon()


def _admit_folder(place: Place, *, overwrite: bool) -> None:
    if not os.path.lexists(place.path):
        return
    if not place.path.is_dir():
        raise OutputError(f"{place.shown} already exists and is not a folder; choose another folder")
    if os.path.ismount(place.path):
        raise OutputError(
            f"{place.shown} is a disk of its own and cannot be replaced as a whole; choose a folder inside it"
        )
    if any(place.path.iterdir()):
        if not overwrite:
            raise _occupied(place)
        _admit_replacing(place, place.path)


def _admit_replacing(place: Place, folder: Path) -> None:
    reason = not_ours(folder)
    if reason is not None:
        raise OutputError(
            f"{place.shown} already exists and is not replaced, because it {reason}; choose another folder"
        )


def _occupied(place: Place) -> OutputError:
    return OutputError(
        f"{place.shown} already exists and is not empty; choose another folder or pass {OVERWRITE}",
        arguments=[OVERWRITE],
    )


def _show_folder(hidden: Path, place: Place, *, overwrite: bool) -> None:
    if overwrite and place.path.is_dir() and any(place.path.iterdir()):
        replace_folder(hidden, place, lambda folder: _admit_replacing(place, folder))
        return
    try:
        try:
            hidden.rename(place.path)
        except FileExistsError:  # some systems do not rename over an empty folder
            place.path.rmdir()
            hidden.rename(place.path)
    except OSError as error:
        if error.errno in _OCCUPIED:
            raise _occupied(place) from error
        raise


class Written(Protocol):
    """A result that puts its files into a folder."""

    def write_files(self, folder: FolderWriter) -> dict[str, Any]:
        """Write them, and return the content of ``manifest.json``."""
        ...


def write_result(self: Written, folder: str | PathLike[str], *, overwrite: bool = False) -> dict[str, Any]:
    """Write the files of ``write_files`` into a folder, as the command does that makes the same, the same bytes.

    Parameters
    ----------
    folder : where to; it must be new or empty, and its parent must exist.
    overwrite : replace an earlier folder of results.

    Returns
    -------
    the content of ``manifest.json``: what was asked, such as the scenario as resolved, and the SHA-256 of every input
    that was read from a file and of every output.

    Raises
    ------
    InvalidDataError : an input file is not what it was when it was read.
    OutputError : the folder may not or cannot be written; then nothing is.
    """
    with writing_folder(Path(folder), overwrite=overwrite) as writer:
        return self.write_files(writer)
