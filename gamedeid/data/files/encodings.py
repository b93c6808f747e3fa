"""In which encoding a CSV file is, as its bytes tell."""

import codecs
from pathlib import Path

from gamedeid.arrays import FILE_BYTES
from gamedeid.data.files.streams import opened

UTF_8 = "utf-8"

_MARKS = {
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
    """Return the encoding of a CSV file by its bytes: a byte order mark, UTF-8, else Windows-1252 or Latin-1.

    A file that is UTF-8 throughout is taken for it: text in other encodings is so by accident only where it has no
    letters beyond ASCII. Every file is valid Latin-1, so the last two are a conclusion and no proof.

    Returns
    -------
    ``utf-8``, ``utf-16``, ``utf-32``, ``cp1252`` or ``latin-1``.
    """
    decoder = codecs.getincrementaldecoder(UTF_8)()
    high: set[int] = set()
    is_utf_8 = first = True
    with opened(path) as stream:
        while block := stream.read(FILE_BYTES):
            if first and (marked := next((name for mark, name in _MARKS.items() if block.startswith(mark)), None)):
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
