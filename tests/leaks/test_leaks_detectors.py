"""The detectors find leaks planted in every encoding, container, display, error, command and answer."""

import base64
import gzip
import io
import logging
import struct
import warnings
import zipfile
import zlib
from dataclasses import dataclass
from html import escape
from typing import Any
from urllib.parse import quote

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from explorer_client import ExplorerClient
from leak_displays import displays_of, displays_of_error
from leak_marks import EVERYTHING, MARKS, NUMBER, RAW, found_in
from test_leaks_commands import COMMANDS, place_in, said_and_written

from gamedeid.explorer.session import Session
from gamedeid.reprs import repr_of

NOISE = "Ünrelated text, 1,234 rows; "


def packed_in_zip(text: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", text)
    return stream.getvalue()


def packed_in_parquet(text: str, **how: Any) -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.table({"x": [text] * 3}), stream, **how)
    return stream.getvalue()


def noted_in_parquet(text: str) -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.table({"x": [1]}).replace_schema_metadata({"note": text}), stream)
    return stream.getvalue()


def noted_in_png(text: str) -> bytes:
    """Return a picture of one pixel with a compressed text."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    note = b"Comment\0\0" + zlib.compress(text.encode())
    parts = [(b"IHDR", header), (b"zTXt", note), (b"IDAT", zlib.compress(b"\0\0")), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)


ENCODINGS = {
    "plain": str.encode,
    "lower case": lambda text: text.lower().encode(),
    "cut off": lambda text: f"{text[:-5]}...".encode() if RAW in text else text.encode(),
    "utf-16": lambda text: text.encode("utf-16"),
    "utf-16, other end first": lambda text: text.encode("utf-16-be"),
    "utf-32": lambda text: text.encode("utf-32-le"),
    "JSON": lambda text: "".join(f"\\u{ord(one):04x}" for one in text).encode(),
    "Python's backslashes": lambda text: "".join(f"\\x{ord(one):02x}" for one in text if ord(one) < 256).encode(),
    "HTML": lambda text: "".join(f"&#{ord(one)};" for one in text).encode(),
    "HTML, named": lambda text: escape(text).encode(),
    "URL": lambda text: "".join(f"%{one:02X}" for one in text.encode()).encode(),
    "URL, plain letters": lambda text: quote(text).encode(),
    "quoted-printable": lambda text: "".join(f"={one:02X}" for one in text.encode()).encode(),
    "hexadecimal": lambda text: text.encode().hex().encode(),
    **{
        f"base64 at {shift}": lambda text, shift=shift: base64.b64encode(b"x" * shift + text.encode())
        for shift in range(3)
    },
    "base64 of utf-16": lambda text: base64.b64encode(text.encode("utf-16-le")),
    "in a data address": lambda text: b'<img src="data:image/svg+xml;base64,' + base64.b64encode(text.encode()) + b'">',
    "broken between lines": lambda text: "\n".join(text).encode(),
    "broken between cells": lambda text: "│ \n│ ".join([text[: len(text) // 2], text[len(text) // 2 :]]).encode(),
    "coloured": lambda text: "\x1b[1m".join(text).encode(),
    "zip": packed_in_zip,
    "gzip": lambda text: gzip.compress(text.encode()),
    "Parquet": packed_in_parquet,
    "Parquet, compressed": lambda text: packed_in_parquet(text, compression="zstd"),
    "Parquet, without a dictionary": lambda text: packed_in_parquet(text, use_dictionary=False, compression="gzip"),
    "Parquet, metadata": noted_in_parquet,
    "PNG": noted_in_png,
    "PDF": lambda text: b"%PDF-1.7\n1 0 obj\nstream\n" + zlib.compress(text.encode()) + b"\nendstream\n",
}


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("mark", [RAW, str(NUMBER)], ids=["text", "number"])
def test_a_mark_is_found_however_it_is_written(mark, encoding):
    content = ENCODINGS[encoding](f"{NOISE}{mark}-7")

    assert found_in(content), content
    assert not found_in(content, allowed=EVERYTHING)
    assert not found_in(ENCODINGS[encoding](NOISE + "QX"))


@pytest.mark.parametrize(
    "written",
    [
        f"{NUMBER:,}",
        f"{NUMBER:_}",
        f"{NUMBER:.6e}",
        f"{NUMBER:.1f}",
        f"{NUMBER:#x}",
        np.int64(NUMBER).tobytes(),
        np.float64(NUMBER).tobytes(),
        *(base64.b64encode(bytes(shift) + np.float64(NUMBER).tobytes()) for shift in range(3)),
        *(base64.b64encode(bytes(shift) + np.int64(NUMBER).tobytes()) for shift in range(3)),
    ],
)
def test_a_number_is_found_however_it_is_written(written):
    assert found_in(written)


def test_every_mark_is_found():
    for mark in MARKS:
        assert [True] == [mark in line for line in found_in(mark) if "joined" not in line]


# --- ways of showing --------------------------------------------------------------------------------------------------


@dataclass
class Plain:
    """Shows its fields."""

    places: list[str]


def showing(**ways: Any) -> object:
    """Return a value that shows a mark in one way only."""
    return type("Shy", (), {"__repr__": lambda _: "Shy()", **ways})()


LEAKY = {
    "fields": Plain([RAW]),
    "repr": showing(__repr__=lambda self: repr_of(self, places=[RAW])),
    "str": showing(__str__=lambda _: RAW),
    "format": showing(__format__=lambda _, __: RAW),
    "a table": showing(_repr_html_=lambda _: f"<td>{RAW}</td>"),
    "kinds of a notebook": showing(_repr_mimebundle_=lambda _, **__: {"text/plain": "", "application/json": [RAW]}),
    "a picture": showing(_repr_png_=lambda _: noted_in_png(RAW)),
    "LaTeX": showing(_repr_latex_=lambda _: RAW),
    "IPython's pretty": showing(_repr_pretty_=lambda _, printer, __: printer.text(RAW)),
    "rich": showing(__rich__=lambda _: RAW),
    "parts for rich": showing(__rich_repr__=lambda _: iter([("places", RAW)])),
}


@pytest.mark.parametrize("way", LEAKY)
def test_a_value_that_shows_itself_is_found(way):
    assert any(found_in(shown, name=shown_as) for shown_as, shown in displays_of(LEAKY[way]))
    assert not any(found_in(shown) for _, shown in displays_of(showing()))


def raised(
    error: Exception, *, cause: Exception | None = None, note: str = "", context: Exception | None = None
) -> Exception:
    if note:
        error.add_note(note)
    try:
        if context is not None:
            try:
                raise context  # noqa: TRY301
            except Exception:  # noqa: BLE001
                raise error  # noqa: B904
        raise error from cause  # noqa: TRY301
    except Exception as caught:  # noqa: BLE001
        return caught


@pytest.mark.parametrize(
    ("error", "how"),
    [
        (ValueError(f"{RAW} is no number"), {}),
        (ValueError("no number", [RAW]), {}),
        (ValueError("no number"), {"cause": KeyError(RAW)}),
        (ValueError("no number"), {"context": KeyError(RAW)}),
        (ValueError("no number"), {"note": RAW}),
    ],
)
def test_an_error_that_shows_a_value_is_found(error, how):
    assert any(found_in(shown) for _, shown in displays_of_error(raised(error, **how)))
    assert not any(found_in(shown) for _, shown in displays_of_error(raised(ValueError("no number"), context=None)))


# --- commands and answers ---------------------------------------------------------------------------------------------


def leaking(name: str) -> Any:
    """Return a function that shows a mark in one way."""

    def printed(*_: Any) -> None:
        print(RAW)  # noqa: T201

    ways = {
        "standard output": printed,
        "log": lambda *_: logging.getLogger("of.others").debug("read %s", RAW),
        "warnings": lambda *_: warnings.warn(RAW, UserWarning, stacklevel=1),
    }
    return ways[name]


@pytest.mark.parametrize("way", ["standard output", "log", "warnings"])
def test_a_command_that_shows_a_value_is_found(way, made, monkeypatch):
    monkeypatch.setattr("gamedeid.report.terminal.results.print_run", leaking(way))
    with pytest.raises(AssertionError, match=f"{way} of run .*{RAW}"):
        said_and_written("run", made.scenario, around=made.folder, entry=COMMANDS["run",])


def test_a_command_that_writes_a_value_is_found(made, monkeypatch):
    entry, at = COMMANDS["compare",], place_in(made, made.scenario)
    monkeypatch.setattr("gamedeid.results.manifest.__version__", RAW)
    with pytest.raises(AssertionError, match=f"(manifest|comparison).json: {RAW}"):
        said_and_written("compare", *entry.words(at), around=made.folder, entry=entry)


def test_an_answer_that_shows_a_value_is_found(made, monkeypatch):
    session = Session.open(made.question, root=made.folder)
    monkeypatch.setattr(session, "question", lambda: {"attributes": [{"levels": [{"example": RAW}]}]})

    assert found_in(ExplorerClient(session).post("question", {}).text)
