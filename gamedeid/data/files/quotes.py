"""Whether every quoted value of a CSV file ends where a value ends: one that does not swallows the rows after it."""

import csv
import io
from pathlib import Path

import numpy as np

from gamedeid.blocks import FILE_BYTES
from gamedeid.data.files.streams import opened
from gamedeid.errors import InvalidDataError

_QUOTE = ord('"')


def refuse_stray_quotes(path: Path, *, delimiter: str, spaced: bool, encoding: str) -> None:
    """Check the quotes of a CSV file: those at the start of a value have one at its end, and ``""`` between.

    A quote further inside a value is a character like any other.

    Parameters
    ----------
    path : the file, plain or gzipped; it is read once more, a mebibyte at a time.
    delimiter : between values.
    spaced : whether a space follows the delimiters, so that a quote after it would start a value.
    encoding : of the text; what is not in it is no quote.

    Raises
    ------
    InvalidDataError : a quoted value without an end, with text after its end, or after a space; the message names the
        line, never the value.
    """
    if _is_ascii_beyond_doubt(encoding) and _quotes_alternate(path, delimiter):
        return
    with opened(path) as stream:
        text = io.TextIOWrapper(stream, encoding=encoding, errors="replace", newline="")
        rows = csv.reader(text, delimiter=delimiter, strict=True)
        try:
            for row in rows:
                if spaced and any(cell.startswith(" ") and cell.lstrip().startswith('"') for cell in row):
                    raise InvalidDataError(
                        f"{path}: line {rows.line_num} has a quote after a space; leave out the spaces between values"
                    )
        except csv.Error:
            raise InvalidDataError(
                f"{path}: a quoted value does not end where a value ends (line {rows.line_num}); "
                'double the quotes inside it, as "", or close it'
            ) from None
        finally:
            text.detach()


def _is_ascii_beyond_doubt(encoding: str) -> bool:
    """Return whether a byte below 128 is always the ASCII character: it is in UTF-8 and where each byte is a letter."""
    every_byte = bytes(range(256))
    letters = every_byte.decode(encoding, "replace")
    return encoding == "utf-8" or (len(letters) == len(every_byte) and letters.startswith(every_byte[:128].decode()))


def _quotes_alternate(path: Path, delimiter: str) -> bool:
    """Return whether quotes in turn open and close values, an escaped pair closing and opening at once.

    This is quickly seen; what it is not true of can still be right.
    """
    borders = np.zeros(256, np.bool_)
    borders[[_QUOTE, ord(delimiter), *b"\r\n"]] = True
    opens = True
    last = b"\n"
    with opened(path) as stream:
        block = stream.read(FILE_BYTES).removeprefix(b"\xef\xbb\xbf")
        while block:
            following = stream.read(FILE_BYTES)
            content = np.frombuffer(last + block + (following[:1] or b"\n"), np.uint8)
            quotes = np.flatnonzero(content[1:-1] == _QUOTE)
            first, second = (quotes[::2], quotes[1::2]) if opens else (quotes[1::2], quotes[::2])
            if not (borders[content[first]].all() and borders[content[second + 2]].all()):
                return False
            opens ^= bool(len(quotes) % 2)
            last, block = block[-1:], following
    return opens
