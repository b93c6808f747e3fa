"""Folders of results: written whole or not at all, and readable by their owner only."""

import errno
import hashlib
import io
import logging
import os
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from gamedeid.errors import OutputError, one_line
from gamedeid.file_identity import Inputs, digest_file
from gamedeid.results.manifest import MANIFEST, foreign_content, json_text, manifest
from gamedeid.results.staging import (
    FILE_MODE,
    FOLDER_MODE,
    OVERWRITE,
    REPLACED,
    Place,
    acquire_lock,
    create,
    hidden_folder,
    remove,
    signals_deferred,
    sync_folder,
    write_failure_reason,
)

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_LOG = logging.getLogger(__name__)

_OCCUPIED = {errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR}


@contextmanager
def writing_folder(path: Path, *, overwrite: bool = False) -> Iterator["FolderWriter"]:
    """Collect files, and publish them as one folder when the block ends without an exception.

    Until then they wait in a hidden folder next to it; the next run for the same target removes that of a killed run.
    Folders get mode 0700 and files 0600, whatever the umask.

    Parameters
    ----------
    path : the folder to write; it must be absent or empty, and its parent must exist.

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
    with collect_files(place) as folder:
        yield folder
        with signals_deferred(), place.refusing():
            _show_folder(folder.complete(), place, overwrite=overwrite)
            sync_folder(place.path)
            sync_folder(place.path.parent)
    _LOG.info("%s: a folder of %d files is written", one_line(place.path.name), len(folder.digests))


class FolderWriter:
    """A writer of the files of a future folder; returned by :func:`writing_folder`.

    Parameters
    ----------
    place : path of the future folder, or of its only file.
    """

    def __init__(self, place: Place, hidden: Path) -> None:
        self._place = place
        self._folder, self._scratch = _private_folder(hidden / "new"), hidden / "work"
        self._files: dict[str, OutputFile] = {}
        self._adopted: dict[str, str] = {}

    def open(self, name: str) -> io.BufferedWriter:
        """Return a binary stream to a new file; close it before the folder is complete. It cannot be rewound."""
        path = self._path_of(name)
        with self._place.refusing(name):
            file = OutputFile(path, self._place)
        self._files[name] = file
        return file.stream

    def adopt(self, path: Path, name: str, digest: str) -> None:
        """Take in a complete file from another place; the original stays there for its maker to remove."""
        new = self._path_of(name)
        with self._place.refusing(name):
            try:
                os.link(path, new, follow_symlinks=False)
            except (OSError, NotImplementedError):  # another disk, or a system that cannot link a file as it is
                with path.open("rb") as part, self.open(name) as stream:
                    shutil.copyfileobj(part, stream)
            if new.is_symlink() or digest_file(new) != digest:
                raise OutputError(f"{path}: was changed after it was finished; run again, and it is made again")
            new.chmod(FILE_MODE)
        self._adopted[name] = digest

    def scratch_folder(self) -> Path:
        """Return a hidden folder of mode 0700 for files that will be taken in; it is removed in the end."""
        with self._place.refusing():
            return self._scratch if self._scratch.exists() else _private_folder(self._scratch)

    def _path_of(self, name: str) -> Path:
        if name in {*self._files, *self._adopted, "", ".", ".."} or os.path.basename(name) != name:  # noqa: PTH119
            raise ValueError(f"not the name of a new file: {name!r}")
        return self._folder / name

    def write_bytes(self, name: str, content: bytes) -> None:
        """Write a whole file."""
        with self.open(name) as stream:
            stream.write(content)

    def write_text(self, name: str, text: str) -> None:
        """Write a whole file in UTF-8, with unchanged line ends."""
        self.write_bytes(name, text.encode())

    def write_json(self, name: str, content: Any) -> None:
        """Write a document as indented JSON."""
        self.write_text(name, json_text(content))

    def write_manifest(self, *, inputs: Inputs, **made_of: Any) -> dict[str, Any]:
        """Write ``manifest.json``, the last file of a folder, and return its content."""
        made = manifest(inputs=inputs, outputs=self.digests, **made_of)
        self.write_json(MANIFEST, made)
        inputs.check()
        return made

    @property
    def digests(self) -> dict[str, str]:
        """The SHA-256 in hex of every complete file, by name."""
        written = {name: file.digest.hexdigest() for name, file in self._files.items() if file.stream.closed}
        return {**written, **self._adopted}

    def complete(self) -> Path:
        """Return the hidden folder that holds all files, written to the disk."""
        for name, file in self._files.items():
            if not file.stream.closed:
                raise ValueError(f"{name} is still open")
            if file.failure is not None:
                raise file.failure
        sync_folder(self._folder)
        return self._folder

    def abandon(self) -> None:
        """Close all open files, without writing to the disk."""
        for file in self._files.values():
            file.abandoned = True
            file.stream.close()


class OutputFile(io.FileIO):
    """A new file, which computes its digest while it is written, and keeps a failure to write."""

    def __init__(self, path: Path, place: Place) -> None:
        super().__init__(create(path), "wb")
        self.digest = hashlib.sha256()
        self.failure: OutputError | None = None
        self.stream: io.BufferedWriter = io.BufferedWriter(self, 1 << 18)
        self.abandoned = False
        self._file_name = path.name
        self._place = place

    def write(self, block: "ReadableBuffer", /) -> int:
        """Write a block; nothing is written to an abandoned file."""
        view = memoryview(block).cast("B")
        if self.abandoned:
            return len(view)
        with self._keeping_failure():
            written = super().write(view)
        self.digest.update(view[:written])
        return written

    def seekable(self) -> bool:
        """Return False: the digest is computed while writing."""
        return False

    def close(self) -> None:
        """Close the file after all of it is on the disk."""
        try:
            if not (self.closed or self.abandoned or self.failure):
                with self._keeping_failure():
                    os.fsync(self.fileno())
        finally:
            super().close()

    @contextmanager
    def _keeping_failure(self) -> Iterator[None]:
        try:
            with self._place.refusing(self._file_name):
                yield
        except OutputError as error:
            self.failure = error
            raise


@contextmanager
def collect_files(place: Place) -> Iterator[FolderWriter]:
    """Yield a writer to a hidden folder next to a target; files that were not published are removed in the end."""
    with ExitStack() as stack:
        with place.refusing():
            folder = FolderWriter(place, stack.enter_context(hidden_folder(place)))
        stack.callback(folder.abandon)
        yield folder


def _private_folder(folder: Path) -> Path:
    folder.mkdir(FOLDER_MODE)
    folder.chmod(FOLDER_MODE)
    return folder


def _admit_folder(place: Place, *, overwrite: bool) -> None:
    if not place.path.is_dir():
        if os.path.lexists(place.path):
            raise OutputError(f"{place.shown} already exists and is not a folder; choose another folder")
        return
    if os.path.ismount(place.path):
        raise OutputError(
            f"{place.shown} is a separate disk and cannot be replaced as a whole; choose a folder inside it"
        )
    if any(place.path.iterdir()):
        if not overwrite:
            raise _occupied(place)
        _admit_replacing(place, place.path)


def _admit_replacing(place: Place, folder: Path) -> None:
    reason = foreign_content(folder)
    if reason is not None:
        raise OutputError(
            f"{place.shown} already exists and is not replaced, because it {reason}; choose another folder"
        )


def _occupied(place: Place) -> OutputError:
    return OutputError(
        f"{place.shown} already exists and is not empty; choose another folder or pass {OVERWRITE}",
        arguments=[OVERWRITE],
    )


def _show_folder(new: Path, place: Place, *, overwrite: bool) -> None:
    if overwrite and place.path.is_dir() and any(place.path.iterdir()):
        _replace_folder(new, place)
        return
    try:
        try:
            new.rename(place.path)
        except FileExistsError:  # some systems do not rename over an empty folder
            place.path.rmdir()
            new.rename(place.path)
    except OSError as error:
        if error.errno in _OCCUPIED:
            raise _occupied(place) from error
        raise


def _replace_folder(new: Path, place: Place) -> None:
    """Replace a folder by another; if this run is killed in between, the next run restores the old folder."""
    lock = acquire_lock(place.path)
    try:
        _admit_replacing(place, place.path)
        place.path.chmod(FOLDER_MODE)
        old = place.path.rename(new.with_name(REPLACED))
        try:
            _admit_replacing(place, old)  # no one can add a file to it any more
            new.rename(place.path)
        except BaseException:
            old.rename(place.path)
            raise
        try:
            remove(old)
        except OSError as error:
            raise OutputError(
                f"the new results are in place, but the old ones are left in {old}, for you to remove: "
                f"{write_failure_reason(error)}"
            ) from error
    finally:
        if lock is not None:
            os.close(lock)


class Written(Protocol):
    """A result that can write its files into a folder."""

    def _write_into(self, folder: FolderWriter) -> dict[str, Any]: ...


def write_result(
    self: Written, folder: str | PathLike[str] | FolderWriter, *, overwrite: bool = False
) -> dict[str, Any]:
    """Write the files of this result into a folder, with the same bytes as the command for the same result.

    Parameters
    ----------
    folder : the target, new or empty, whose parent must exist; or an open writer of a folder.
    overwrite : replace an earlier folder of results.

    Returns
    -------
    the content of ``manifest.json``: the question, such as the resolved scenario, and the SHA-256 of every input file
    and of every output.

    Raises
    ------
    InvalidDataError : an input file has changed since it was read.
    OutputError : the folder may not or cannot be written; then nothing is written.
    """
    with open_folder(folder, overwrite=overwrite) as writer:
        return self._write_into(writer)


def open_folder(folder: str | PathLike[str] | FolderWriter, *, overwrite: bool) -> AbstractContextManager[FolderWriter]:
    """Return a writer of a folder; an open writer stays open."""
    return (
        nullcontext(folder) if isinstance(folder, FolderWriter) else writing_folder(Path(folder), overwrite=overwrite)
    )
