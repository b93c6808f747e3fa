"""Files on their way into the results: those being written, and those that are complete and come from elsewhere."""

import hashlib
import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

from gamedeid.blocks import FILE_BYTES
from gamedeid.errors import OutputError
from gamedeid.results.staging import FILE_MODE, Place

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class OutputFile(io.FileIO):
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
        """Write a block; after :meth:`abandon` what is still in the stream's buffer goes nowhere."""
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

    @property
    def ended(self) -> bool:
        """Whether all has been written that will be."""
        return self.stream.closed

    def seekable(self) -> bool:
        """Refuse to go back: the digest is counted along."""
        return False

    def abandon(self) -> None:
        """Let go of it, without a further word to the disk."""
        if not self._abandoned:
            self._abandoned = True
            self.stream.close()
            os.close(self.descriptor)


class AdoptedFile:
    """A complete file; its digest is counted when it is taken in."""

    failure = None
    ended = True

    def __init__(self, path: Path) -> None:
        self.descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        os.fchmod(self.descriptor, FILE_MODE)
        self.digest = hashlib.sha256()
        while block := os.read(self.descriptor, FILE_BYTES):
            self.digest.update(block)
        self._abandoned = False

    def abandon(self) -> None:
        """Let go of it."""
        if not self._abandoned:
            self._abandoned = True
            os.close(self.descriptor)
