"""Finished parts of long work, kept in a folder so that a later run can continue."""

import io
import json
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from gamedeid._version import __version__
from gamedeid.errors import OutputError, quoted
from gamedeid.file_identity import digest_file
from gamedeid.results.file import is_regular, read_regular, write_file, writing_file
from gamedeid.results.staging import FOLDER_MODE

if TYPE_CHECKING:
    from gamedeid.results.folder import OutputFile

DIGEST = ".sha256"
"""Suffix of the file with the digest of a part, recorded when the part was finished."""

_PART = re.compile(r"[0-9a-f]{16}-.+")


class FinishedParts:
    """A folder of finished parts, possibly of several pieces of work.

    The name of a part begins with a digest of all its inputs, so that a part is found only if making it again would
    give the same bytes. A part is found only while it has the digest that was recorded when it was finished.

    Parameters
    ----------
    folder : created for the first part; its parent must exist.
    made_of : everything that parts depend on except their names, as text.

    Raises
    ------
    OutputError : the path is a symbolic link, not a folder, or the folder of another user.
    """

    def __init__(self, folder: Path, made_of: str) -> None:
        self._folder = folder
        self._stem = sha256(f"{__version__}\n{made_of}".encode()).hexdigest()[:16]
        self._digests: dict[str, str] = {}
        check_folder(folder)

    @classmethod
    def beside(cls, output: Path, made_of: object) -> "FinishedParts":
        """Return the finished parts for an output folder ``DIR``, kept in ``DIR.parts``."""
        return cls(parts_beside(output), json.dumps(made_of, sort_keys=True, default=str))

    def find(self, name: str) -> Path | None:
        """Return the path of a kept, unchanged part, or None."""
        recorded = self._recorded(name)
        path = self.path(name)
        if recorded is None or not is_regular(path) or digest_file(path) != recorded:
            return None
        self._digests[name] = recorded
        return path

    def read_values(self, name: str) -> Any:
        """Return the unchanged values that :meth:`write_values` kept, or None."""
        path = self.find(name)
        with suppress(ValueError):
            return None if path is None else json.loads(read_regular(path))
        return None

    def write_values(self, name: str, values: Any) -> None:
        """Keep plain values as a part, whole or not at all."""
        with self.writing(name) as stream:
            stream.write(json.dumps(values).encode())

    @contextmanager
    def writing(self, name: str) -> Iterator[io.BufferedWriter]:
        """Yield a binary stream to a part, which is kept whole or not at all."""
        try:
            self._folder.mkdir(mode=FOLDER_MODE, exist_ok=True)
        except OSError as error:
            raise OutputError(f"{quoted(self._folder)}: cannot keep finished parts there ({error.strerror})") from None
        path = self.path(name)
        with writing_file(path, overwrite=True, follow_links=False) as stream:
            written = cast("OutputFile", stream.raw)
            yield stream
        self._digests[name] = written.digest.hexdigest()
        write_file(_digest_of(path), self._digests[name], overwrite=True, follow_links=False)

    def clear(self) -> int:
        """Remove the parts of this work, and the folder if nothing else is in it; return the number of other parts."""
        with suppress(OSError):
            for name in self._digests:
                for path in (self.path(name), _digest_of(self.path(name))):
                    path.unlink(missing_ok=True)
            left = [path.name for path in self._folder.iterdir() if not path.name.endswith(DIGEST)]
            if left:
                return sum(_PART.fullmatch(name) is not None for name in left)
            self._folder.rmdir()
        return 0

    def path(self, name: str) -> Path:
        """Return the path of a part, which may not exist."""
        return self._folder / f"{self._stem}-{name}"

    def digest(self, name: str) -> str:
        """Return the SHA-256 in hex of a part that was found or written."""
        return self._digests[name]

    def _recorded(self, name: str) -> str | None:
        try:
            return read_regular(_digest_of(self.path(name))).decode("ascii", "replace")
        except FileNotFoundError:
            return None


def parts_beside(output: Path) -> Path:
    """Return the folder in which finished parts of the results in ``output`` are kept."""
    return Path(f"{os.path.normpath(output)}.parts")


def _digest_of(path: Path) -> Path:
    return path.with_name(f"{path.name}{DIGEST}")


def check_folder(folder: Path) -> None:
    """Check that a folder can keep finished parts, as far as possible before the first part."""
    try:
        found = folder.lstat()
    except OSError:
        return  # no folder, or no usable one, which is reported with the first part
    if stat.S_ISLNK(found.st_mode) or not stat.S_ISDIR(found.st_mode):
        what = "is a symbolic link" if stat.S_ISLNK(found.st_mode) else "is no folder"
        raise OutputError(f"{folder} {what}; finished parts are kept in a folder of that name: remove it")
    if hasattr(os, "geteuid") and found.st_uid != os.geteuid():
        raise OutputError(f"{folder} belongs to another user; parts in it are not taken: remove it")
