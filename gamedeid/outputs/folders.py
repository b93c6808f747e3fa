"""How results reach the disk: whole or not at all, and readable by their owner only."""

import errno
import hashlib
import io
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from gamedeid.errors import OutputError
from gamedeid.manifest import not_ours
from gamedeid.outputs.nameless import give_name, has_nameless, open_nameless
from gamedeid.outputs.staging import Place, create, hidden_folder, hold, remove, sync_folder, undisturbed
from gamedeid.outputs.swaps import replace_folder

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

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
    ...         folder.write_text("summary.json", "{}")
    ...     (Path(home) / "results" / "summary.json").read_text()
    '{}'
    """
    place = Place.of(path)
    place.sweep()
    with place.refusing():
        _admit_folder(place, overwrite=overwrite)
    with ExitStack() as stack:
        with place.refusing():
            hidden = None if has_nameless(place.path.parent) else stack.enter_context(hidden_folder(place))
        folder = FolderWriter(place, hidden)
        stack.callback(folder.close)
        yield folder
        folder.finish(overwrite=overwrite)


class FolderWriter:
    """The files of a folder that does not exist yet; made by :func:`writing_folder`.

    Parameters
    ----------
    place : where the folder is to appear.
    hidden : the folder in which files wait; None if they wait without names.
    """

    def __init__(self, place: Place, hidden: Path | None) -> None:
        self._place = place
        self._hidden = hidden
        self._files: dict[str, _OutputFile] = {}

    def open(self, name: str) -> io.BufferedWriter:
        """Return a binary stream to a new file, to be closed before the folder is; it cannot be rewound.

        Raises
        ------
        OutputError : the file cannot be created, or later written.
        ValueError : the name is no plain file name, or already taken.
        """
        if name in self._files or name in {"", ".", ".."} or os.path.basename(name) != name:  # noqa: PTH119
            raise ValueError(f"not the name of a new file: {name!r}")
        with self._place.refusing(name):
            descriptor = create(self._hidden / name) if self._hidden else open_nameless(self._place.path.parent)
        file = self._files[name] = _OutputFile(descriptor, name, self._place)
        return file.stream

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
        return {name: file.digest.hexdigest() for name, file in self._files.items() if file.stream.closed}

    def finish(self, *, overwrite: bool) -> None:
        """Show the folder. For :func:`writing_folder` only.

        Raises
        ------
        OutputError : it cannot be shown.
        ValueError : a file is still open, so that some of it may not have been written.
        """
        for name, file in self._files.items():
            if not file.stream.closed:
                raise ValueError(f"{name} is still open")
            if file.failure is not None:
                raise file.failure
            with self._place.refusing(name):
                os.fsync(file.descriptor)
        with undisturbed(), ExitStack() as stack, self._place.refusing():
            if self._hidden is None:
                hidden = stack.enter_context(hidden_folder(self._place))
                for name, file in self._files.items():
                    with self._place.refusing(name):
                        give_name(file.descriptor, hidden / name)
            else:
                hidden = self._hidden
                self.close()
                sync_folder(hidden)
            _show_folder(hidden, self._place, overwrite=overwrite)
            sync_folder(self._place.path)
            sync_folder(self._place.path.parent)

    def close(self) -> None:
        """Let go of all files, without a further word to the disk. For :func:`writing_folder` only."""
        for file in self._files.values():
            file.abandon()


def write_file(path: Path, content: str | bytes, *, overwrite: bool = False) -> None:
    """Write one file that appears whole or not at all, with mode 0600.

    Parameters
    ----------
    path : the file to write; its folder must exist.
    content : text is written in UTF-8, line ends as they are.
    overwrite : replace a file that stands there.

    Raises
    ------
    OutputError : the file may not or cannot be written; what stood there still stands.
    """
    place = Place.of(path)
    place.sweep()
    hidden = place.hidden("new")
    with undisturbed(), place.refusing(), ExitStack() as stack:
        _admit_file(place, overwrite=overwrite)
        nameless = has_nameless(place.path.parent)
        stack.callback(remove, hidden)
        descriptor = open_nameless(place.path.parent) if nameless else create(hidden)
        stack.callback(os.close, descriptor)
        if not nameless and (lock := hold(hidden)) is not None:
            stack.callback(os.close, lock)
        unwritten = memoryview(content.encode() if isinstance(content, str) else content)
        while unwritten:
            unwritten = unwritten[os.write(descriptor, unwritten) :]
        os.fsync(descriptor)
        if nameless:
            give_name(descriptor, hidden if overwrite else place.path)
        if overwrite:
            hidden.replace(place.path)
        elif not nameless:
            _rename_to_new(hidden, place.path)
        sync_folder(place.path.parent)


class _OutputFile(io.FileIO):
    """A file being written: counts its digest along, and says in one line why it cannot be written."""

    def __init__(self, descriptor: int, name: str, place: Place) -> None:
        super().__init__(descriptor, "wb", closefd=False)
        self.descriptor = descriptor
        self.digest = hashlib.sha256()
        self.failure: OutputError | None = None
        self.stream: io.BufferedWriter = io.BufferedWriter(self, 1 << 18)
        self._file_name = name
        self._place = place
        self._abandoned = False

    def write(self, block: "ReadableBuffer", /) -> int:
        view = memoryview(block).cast("B")
        if self._abandoned:
            return len(view)
        try:
            with self._place.refusing(self._file_name):
                written = super().write(view)
        except OutputError as error:
            self.failure = error
            raise
        self.digest.update(view[:written])
        return written

    def seekable(self) -> bool:
        return False

    def abandon(self) -> None:
        if not self._abandoned:
            self._abandoned = True
            self.stream.close()
            os.close(self.descriptor)


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


def _admit_file(place: Place, *, overwrite: bool) -> None:
    if place.path.is_dir():
        raise OutputError(f"{place.shown} already exists and is a folder; choose another name")
    if os.path.lexists(place.path) and not overwrite:
        raise OutputError(f"{place.shown} already exists; choose another name or pass --overwrite")


def _occupied(place: Place) -> OutputError:
    return OutputError(f"{place.shown} already exists and is not empty; choose another folder or pass --overwrite")


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


def _rename_to_new(hidden: Path, path: Path) -> None:
    """Rename a file to a name that must be new; where the disk has no second names, trust the look taken before."""
    try:
        os.link(hidden, path)
    except FileExistsError:
        raise
    except OSError:
        hidden.rename(path)
