"""What is finished of long work, kept in a folder for a later run to go on from."""

import io
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from gamedeid._version import __version__
from gamedeid.errors import OutputError, quoted
from gamedeid.outputs.single import writing_file
from gamedeid.outputs.staging import FOLDER_MODE


class Kept:
    """A folder of finished parts, which may be those of several pieces of work.

    The name of a part begins with a digest of all it was made from, so that only what would be made again to the byte
    is found.

    Parameters
    ----------
    folder : made when the first part comes; its parent must exist.
    made_of : everything that parts depend on beside their own names, as text.
    """

    def __init__(self, folder: Path, made_of: str) -> None:
        self._folder = folder
        self._stem = sha256(f"{__version__}\n{made_of}".encode()).hexdigest()[:16]
        self._ours: set[Path] = set()

    def find(self, name: str) -> Path | None:
        """Return a part that was kept, or None."""
        path = self.path(name)
        if not path.is_file():
            return None
        self._ours.add(path)
        return path

    @contextmanager
    def writing(self, name: str) -> Iterator[io.BufferedWriter]:
        """Yield a binary stream to a part; it is kept whole or not at all.

        Raises
        ------
        OutputError : it cannot be written.
        """
        try:
            self._folder.mkdir(mode=FOLDER_MODE, exist_ok=True)
        except OSError as error:
            raise OutputError(
                f"{quoted(self._folder)}: cannot keep what is finished there ({error.strerror})"
            ) from None
        with writing_file(self.path(name), overwrite=True) as stream:
            yield stream
        self._ours.add(self.path(name))

    def clear(self) -> None:
        """Remove the parts of this work, and the folder if nothing else is in it."""
        with suppress(OSError):
            for path in self._ours:
                path.unlink(missing_ok=True)
            self._folder.rmdir()

    def path(self, name: str) -> Path:
        """Return where a part stands, or would."""
        return self._folder / f"{self._stem}-{name}"
