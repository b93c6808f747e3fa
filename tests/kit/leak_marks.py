"""Marks planted in data that must not be shown, and the search for them in any output and encoding."""

import base64
import gzip
import html
import io
import re
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from urllib.parse import unquote_plus

import pyarrow as pa
import pyarrow.parquet as pq
from planted_tokens import parquet_contents

DROPPED = "QZDROPPEDXJW"
"""In every value of the dropped columns."""
DROPPED_NAME = "QZNAMEOFDROP"
"""In the names of the dropped columns."""
KEY = "QZPERSONKEYJ"
"""In every key that identifies people."""
KEY_NAME = "QZWHOSEROWXJ"
"""In the name of the column with these keys."""
WITHHELD = "QZGONEVALUEJ"
"""In the kept columns of records that are withheld."""
KEPT = "QZKEPTVALUEJ"
"""In the kept columns of records that are released."""
RAW = "QZLEAFVALUEJ"
"""In the records' values of an attribute that is always generalized."""
CROWD = "QZCROWDVALUE"
"""In the same attribute of people in the population who have no record."""
FAULTY = "QZBADVALUEXJ"
"""In invalid values."""
NOTE = "QZNOTEOFDATA"
"""In the metadata, attributes and index names of a table."""
FOLDER = "QZFOLDERNAME"
"""In the name of the folder that contains all files."""
NUMBER = 541_234_567
"""In a kept column of numbers, in records that are withheld."""

MARKS = (DROPPED, DROPPED_NAME, KEY, KEY_NAME, WITHHELD, KEPT, RAW, CROWD, FAULTY, NOTE, FOLDER)
EVERYTHING = frozenset({*MARKS, str(NUMBER)})
_STEM = 6  # characters by which a mark is recognized in a text that is cut off


@cache
def signs(mark: str) -> tuple[tuple[str, bytes, bool], ...]:
    """Return all forms of a mark: the encoding's name, the bytes, and whether case matters."""
    found = {
        "utf-8, its first letters": (mark[:_STEM].lower().encode(), False),
        "reversed": (mark[::-1].lower().encode(), False),
        "base32": (base64.b32encode(mark.encode())[: len(mark) * 8 // 5].lower(), False),
    }
    for code in ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le"):
        plain = mark.encode(code)
        found[code] = plain.lower(), False
        found[f"hex of {code}"] = plain.hex().encode(), False
        found |= {f"base64 of {code}, {at}": (part, True) for at, part in enumerate(base64_parts(plain))}
    if mark == str(NUMBER):
        del found["utf-8, its first letters"]
        found |= _signs_of_number()
    return tuple((name, content, exact) for name, (content, exact) in found.items())


def _signs_of_number() -> dict[str, tuple[bytes, bool]]:
    """Return the forms of the number other than its plain digits."""
    texts = {
        "digits with commas": f"{NUMBER:,}",
        "digits with underscores": f"{NUMBER:_}",
        "digits with spaces": f"{NUMBER:,}".replace(",", " "),
        "scientific": f"{NUMBER / 10 ** (len(str(NUMBER)) - 1):.6f}"[:-1],
        "hexadecimal": f"{NUMBER:x}",
    }
    packed = {
        "int32": struct.pack("<i", NUMBER),
        "int64": struct.pack("<q", NUMBER),
        "int64, other end first": struct.pack(">q", NUMBER),
        "float64": struct.pack("<d", NUMBER),
        "float64, other end first": struct.pack(">d", NUMBER),
    }
    found = {name: (text.encode(), False) for name, text in texts.items()}
    found |= {name: (content, True) for name, content in packed.items()}
    for name in ("int64", "float64"):
        found[f"hex of {name}"] = packed[name].hex().encode(), False
        found |= {f"base64 of {name}, {at}": (part, True) for at, part in enumerate(base64_parts(packed[name]))}
    return found


def base64_parts(content: bytes) -> list[bytes]:
    """Return the characters that every base64 text of these bytes contains, for each of the three alignments."""
    parts = []
    for shift in range(3):
        text = base64.b64encode(bytes(shift) + content)
        whole = (shift + len(content)) * 8 // 6  # characters that do not depend on later bytes
        parts.append(text[-(-shift * 8 // 6) : whole])
    return parts


def found_in(content: str | bytes, *, allowed: Iterable[str] = (), name: str = "") -> list[str]:
    """Return every mark in an output that is not allowed there, with its encoding and the text around it.

    Parameters
    ----------
    content : the output; a file of a known kind is opened, and packed content is unpacked.
    allowed : marks that the output may contain.
    name : of the output, for the answer.
    """
    raw = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    wanted = sorted(EVERYTHING - set(allowed))
    found = []
    for place, view in views(raw, name):
        lowered = view.lower()
        for mark in wanted:
            for encoding, sign, exact in signs(mark):
                at = (view if exact else lowered).find(sign)
                if at >= 0:
                    found.append(f"{name or 'text'}{place}: {mark} as {encoding}: {view[max(0, at - 80) : at + 80]!r}")
                    break
    return found


def assert_bare(content: str | bytes, *, allowed: Iterable[str] = (), name: str = "") -> None:
    """Check that no mark is in an output."""
    found = found_in(content, allowed=allowed, name=name)
    assert not found, "\n".join(found)


# --- containers, and texts in other letters ---------------------------------------------------------------------------


def views(content: bytes, name: str = "") -> Iterator[tuple[str, bytes]]:
    """Yield a content as it is, unpacked, and with its escapes undone, each with the name of this form."""
    yield "", content
    for place, part in _unpacked(content, name):
        for inner, view in views(part, place):
            yield f" > {place}{inner}", view
    if b"\0" in content[:4096] or content.startswith((b"\x89PNG", b"PK", b"PAR1", b"%PDF")):
        return
    text = content.decode("utf-8", "replace")
    for how, view in _unescaped(text):
        if view != text:
            yield f" ({how})", view.encode("utf-8", "surrogatepass")


def _unescaped(text: str) -> Iterator[tuple[str, str]]:
    if "&" in text:
        yield "HTML escapes undone", html.unescape(text)
    if "%" in text:
        yield "URL quoting undone", unquote_plus(text)
    if "\\" in text:
        yield (
            "backslashes undone",
            re.sub(r"\\(?:u\{?([0-9a-fA-F]{4,6})\}?|x([0-9a-fA-F]{2})|([0-7]{3}))", _letter, text),
        )
    if "=" in text and re.search(r"=[0-9A-F]{2}", text):
        yield "quoted-printable undone", re.sub(r"=([0-9A-F]{2})", lambda one: chr(int(one[1], 16)), text)
    yield "joined", re.sub(r"(?:\x1b\[[0-9;?]*[A-Za-z])|[\s│┃║|─━-]+", "", text)  # words split between lines or cells


def _letter(found: re.Match[str]) -> str:
    code = int(found[1] or found[2], 16) if found[1] or found[2] else int(found[3], 8)
    return chr(code) if code < 0x110000 else ""


def _unpacked(content: bytes, name: str) -> Iterator[tuple[str, bytes]]:
    """Yield the packed parts of a file, each with a name."""
    for start, unpack in _CONTAINERS.items():
        if content.startswith(start):
            yield from unpack(content)
    for number, part in enumerate(re.findall(rb"data:[\w/+.-]+;base64,([A-Za-z0-9+/=]+)", content)):
        yield f"data {number}{name and ' of '}{name}", base64.b64decode(part)


def _zip_parts(content: bytes) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        yield "comment", archive.comment
        for one in archive.infolist():
            yield f"{one.filename}'s entry", one.filename.encode() + one.comment + one.extra
            yield one.filename, archive.read(one)


def _parquet_parts(content: bytes) -> Iterator[tuple[str, bytes]]:
    with tempfile.NamedTemporaryFile(suffix=".parquet") as place:
        place.write(content)
        place.flush()
        for number, part in enumerate(parquet_contents(Path(place.name))):
            yield f"Parquet, part {number}", part
    yield "Parquet, as text", str(pq.read_table(pa.BufferReader(content)).to_pydict()).encode("utf-8", "replace")


def _pdf_parts(content: bytes) -> Iterator[tuple[str, bytes]]:
    for number, stream in enumerate(re.findall(rb"stream\r?\n(.*?)\r?\nendstream", content, re.DOTALL)):
        try:
            yield f"PDF, stream {number}", zlib.decompress(stream)
        except zlib.error:
            yield f"PDF, stream {number}", stream


def png_chunks(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the kind and the content of each chunk of a PNG file; texts are unpacked, pixels left as they are."""
    at = 8
    while at < len(content):
        length, kind = struct.unpack(">I4s", content[at : at + 8])
        part = content[at + 8 : at + 8 + length]
        if kind == b"zTXt":
            key, _, packed = part.partition(b"\0")
            part = key + b"\0" + zlib.decompress(packed[1:])
        elif kind == b"iTXt" and part.partition(b"\0")[2][:1] == b"\1":
            key, _, rest = part.partition(b"\0")
            part = key + b"\0" + zlib.decompress(rest[2:].split(b"\0", 2)[2])
        yield kind.decode("latin-1"), part
        at += 12 + length


_CONTAINERS: Mapping[bytes, Callable[[bytes], Iterator[tuple[str, bytes]]]] = {
    b"PK\x03\x04": _zip_parts,
    b"\x1f\x8b": lambda content: iter([("gzip", gzip.decompress(content))]),
    b"PAR1": _parquet_parts,
    b"\x89PNG": png_chunks,
    b"%PDF": _pdf_parts,
}
