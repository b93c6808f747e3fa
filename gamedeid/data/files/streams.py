"""The bytes of a table file, plain or gzipped: faults when they are read, and their encoding."""

import codecs
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
from gamedeid.file_identity import InputFile

GZIPPED = b"\x1f\x8b"
"""First bytes of gzipped content, for any name of the file."""

UNREADABLE = (OSError, EOFError, UnicodeError, zlib.error, pa.ArrowException)
"""Errors that the libraries that read files raise."""


@contextmanager
def open_content(path: Path) -> Iterator[IO[bytes]]:
    """Open the content of a file, unpacked if it is gzipped; errors while it is read are translated into our words."""
    gzipped = is_gzipped(path)
    try:
        if gzipped:
            with gzip.open(path) as stream:
                yield cast("IO[bytes]", stream)
        else:
            with path.open("rb") as plain:
                yield plain
    except UNREADABLE as error:
        raise InvalidDataError(f"{path}: cannot be read ({error_reason(error)})") from None


def content_size(path: Path, most: int) -> int:
    """Return how many bytes a file holds, unpacked if it is gzipped, counted up to ``most``."""
    packed = path.stat().st_size
    if not is_gzipped(path) or packed > most:
        return packed
    size = 0
    with open_content(path) as content:
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
        raise InvalidDataError(f"{path}: cannot be read ({error_reason(error)})") from None
    what = "is a folder without Parquet files in it" if stat.S_ISDIR(mode) else "is no regular file"
    raise InvalidDataError(f"{path}: {what}; expected a CSV or Parquet file")


def error_reason(error: Exception) -> str:
    """Return the kind of an error in a few words, without any content of the file."""
    strerror = getattr(error, "strerror", None)
    return strerror or str(error).split(":", 1)[0].split("\n", 1)[0]


UTF_8 = "utf-8"

_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF8: UTF_8,
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""Byte order marks, those that begin like another one first."""

_WINDOWS_ONLY = frozenset(range(0x80, 0xA0))
"""Bytes that are letters and signs in Windows-1252, and control characters in Latin-1, which no table has."""

_NO_LETTER = frozenset((0x81, 0x8D, 0x8F, 0x90, 0x9D))
"""Bytes that Windows-1252 does not have."""


def detect_encoding(path: Path) -> str:
    """Return ``utf-8``, ``utf-16``, ``utf-32``, ``cp1252`` or ``latin-1``: the encoding of a CSV file by its bytes.

    A byte order mark decides. A file that is valid UTF-8 counts as UTF-8: text in another encoding is hardly ever valid
    UTF-8 if it has letters beyond ASCII. Every file is valid Latin-1, so the last two are a guess. Files of other
    formats state their encoding; the answer for them is ``utf-8``.
    """
    file = InputFile.at(path)
    if file.is_parquet or file.program is not None:
        return UTF_8
    decoder = codecs.getincrementaldecoder(UTF_8)()
    high: set[int] = set()
    is_utf_8 = first = True
    with open_content(path) as stream:
        while block := stream.read(FILE_BYTES):
            if first and (
                marked := next((name for mark, name in _BYTE_ORDER_MARKS.items() if block.startswith(mark)), None)
            ):
                return marked
            first = False
            high.update(byte for byte in set(block) if byte >= 0x80)  # noqa: PLR2004  (beyond ASCII)
            if is_utf_8:
                is_utf_8 = _decodes(decoder, block)
    if is_utf_8 and _decodes(decoder, b"", final=True):
        return UTF_8
    return "cp1252" if high & _WINDOWS_ONLY and not high & _NO_LETTER else "latin-1"


def _decodes(decoder: codecs.IncrementalDecoder, block: bytes, *, final: bool = False) -> bool:
    try:
        decoder.decode(block, final)
    except UnicodeDecodeError:
        return False
    return True
