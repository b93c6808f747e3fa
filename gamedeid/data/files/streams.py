"""The bytes of a table file, plain or gzipped, and what keeps them from being read."""

import gzip
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

import pyarrow as pa

from gamedeid.arrays import FILE_BYTES
from gamedeid.errors import InvalidDataError

GZIPPED = b"\x1f\x8b"
"""How gzipped content begins, whatever the file is called."""

UNREADABLE = (OSError, EOFError, UnicodeError, zlib.error, pa.ArrowException)
"""What the libraries that read files raise."""


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """Open the content of a file, unpacked where it is gzipped; errors while it is read are said in our words."""
    gzipped = is_gzipped(path)
    try:
        if gzipped:
            with gzip.open(path) as stream:
                yield cast("IO[bytes]", stream)
        else:
            with path.open("rb") as plain:
                yield plain
    except UNREADABLE as error:
        raise InvalidDataError(f"{path}: cannot be read ({reason(error)})") from None


def content_size(path: Path, most: int) -> int:
    """Return how many bytes a file holds, unpacked where it is gzipped; more than ``most`` are not counted."""
    packed = path.stat().st_size
    if not is_gzipped(path) or packed > most:
        return packed
    size = 0
    with opened(path) as content:
        while size <= most and (block := content.read(FILE_BYTES)):
            size += len(block)
    return size


def is_gzipped(path: Path) -> bool:
    """Return whether a file holds gzipped content."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISREG(mode):
            with path.open("rb") as stream:
                return stream.read(len(GZIPPED)) == GZIPPED
    except FileNotFoundError:
        if str(path).isprintable():
            raise InvalidDataError(f"{path}: no such file") from None
        raise InvalidDataError(
            f"`{path}`: no such file; in TOML a Windows path needs single quotes, such as 'C:\\data\\x.csv'"
        ) from None
    except OSError as error:
        raise InvalidDataError(f"{path}: cannot be read ({reason(error)})") from None
    what = "is a folder without Parquet files in it" if stat.S_ISDIR(mode) else "is no regular file"
    raise InvalidDataError(f"{path}: {what}; expected a CSV or Parquet file")


def reason(error: Exception) -> str:
    """Return the kind of an error in a few words, without any content of the file."""
    strerror = getattr(error, "strerror", None)
    return strerror or str(error).split(":", 1)[0].split("\n", 1)[0]
