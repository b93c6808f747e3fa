"""Finished parts of long work, kept in a folder for a later run to go on from."""

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
"""Ends the name of the file that holds the digest of a part, recorded when the part was finished."""

_PART = re.compile(r"[0-9a-f]{16}-.+")


class FinishedParts:
    """A folder of finished parts, which may be those of several pieces of work.

    The name of a part begins with a digest of all it was made from, so that only what would be made again to the byte
    is found. A part is found only as long as it has the digest that was recorded when it was finished.

    Parameters
    ----------
    folder : made when the first part comes; its parent must exist.
    made_of : everything that parts depend on beside their own names, as text.

    Raises
    ------
    OutputError : the folder is a symbolic link, no folder, or that of another user.
    """

    def __init__(self, folder: Path, made_of: str) -> None:
        self._folder = folder
        self._stem = sha256(f"{__version__}\n{made_of}".encode()).hexdigest()[:16]
        self._digests: dict[str, str] = {}
        check_folder(folder)

    @classmethod
    def beside(cls, output: Path, made_of: object) -> "FinishedParts":
        """Return where the finished parts of long work wait: ``DIR.parts``, beside the folder that they are for."""
        return cls(parts_beside(output), json.dumps(made_of, sort_keys=True, default=str))

    def find(self, name: str) -> Path | None:
        """Return a part that was kept and is as it was, or None."""
        recorded = self._recorded(name)
        path = self.path(name)
        if recorded is None or not is_regular(path) or digest_file(path) != recorded:
            return None
        self._digests[name] = recorded
        return path

    def read_values(self, name: str) -> Any:
        """Return what :meth:`write_values` has kept and is as it was, or None."""
        path = self.find(name)
        with suppress(ValueError):
            return None if path is None else json.loads(read_regular(path))
        return None

    def write_values(self, name: str, values: Any) -> None:
        """Keep plain values, whole or not at all."""
        with self.writing(name) as stream:
            stream.write(json.dumps(values).encode())

    @contextmanager
    def writing(self, name: str) -> Iterator[io.BufferedWriter]:
        """Yield a binary stream to a part; it is kept whole or not at all."""
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
        """Remove the parts of this work, and the folder if nothing else is in it; return how many others are left."""
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
        """Return where a part stands, or would."""
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
    """Check that finished parts can be kept in a folder, as far as that can be told before the first one comes."""
    try:
        found = folder.lstat()
    except OSError:
        return  # there is none, or none that can be used, which is said when a part comes
    if stat.S_ISLNK(found.st_mode) or not stat.S_ISDIR(found.st_mode):
        what = "is a symbolic link" if stat.S_ISLNK(found.st_mode) else "is no folder"
        raise OutputError(f"{folder} {what}; finished parts are kept in a folder of that name: remove it")
    if hasattr(os, "geteuid") and found.st_uid != os.geteuid():
        raise OutputError(f"{folder} belongs to another user; parts in it are not taken: remove it")
