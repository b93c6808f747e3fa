"""Tokens planted in data that must not be released, a question whose records carry them, and the search for them."""

import base64
import io
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from questions import question

TOKEN = "PLANTED"  # noqa: S105  (a mark, no password)
"""Start of every text that must not be released; the texts exceed twelve letters, so that no engine packs them."""

KEPT = ("coded", "ordered", "text", "pair", "words", "number")
"""Columns that are released unchanged."""

WITHHELD_NUMBER = 0x504C414E54454421
"""A number that must not be released: its bytes read "PLANTED!", forwards or backwards."""

SIGNS = (TOKEN.encode(), WITHHELD_NUMBER.to_bytes(8, "little"), str(WITHHELD_NUMBER).encode())


def planted(rows: int = 12) -> pa.Table:
    """Return records; every third is withheld: a person of 93 among people of 48.

    Tokens are in the dropped column, in all kept columns of withheld rows, in categories that no row has, in the
    metadata of the table, of columns and of fields within them, and below a missing value.
    """
    out = [row % 3 == 1 for row in range(rows)]
    texts = [f"{TOKEN}-withheld-{row}" if out[row] else f"open-{row % 2}" for row in range(rows)]
    words = pa.array(texts)
    coded = pa.array([f"{TOKEN}-unused", "open-0", "open-1", *(text for text in texts if text.startswith(TOKEN))])
    places = pa.array([coded.to_pylist().index(text) for text in texts], pa.int32())
    numbers = [WITHHELD_NUMBER if out[row] else row for row in range(rows)]
    hidden = [WITHHELD_NUMBER if row % 3 == 2 else number for row, number in enumerate(numbers)]
    below = pa.Array.from_buffers(pa.int64(), rows, [_bits([row % 3 != 2 for row in range(rows)]), *_data(hidden)])
    noted = {"note": f"{TOKEN}-note"}
    struct = pa.struct([pa.field("inside", pa.string(), metadata=noted)])
    columns = {
        "name": pa.array([f"{TOKEN}-dropped-{row}" for row in range(rows)]),
        "age": pa.array([93 if out[row] else 48 for row in range(rows)]),
        "sex": pa.array(["Male"] * rows),
        "coded": pa.DictionaryArray.from_arrays(places, coded),
        "ordered": pa.DictionaryArray.from_arrays(places, coded, ordered=True),
        "text": words,
        "pair": pa.StructArray.from_arrays([words], fields=list(struct)),
        "words": pa.array([[text] for text in texts]),
        "number": below,
    }
    fields = [pa.field(name, column.type, metadata=noted) for name, column in columns.items()]
    attributes = (
        b'{"attributes": {"owner": "PLANTED-attribute"}, "index_columns": [], "columns": [], "column_indexes": []}'
    )
    return pa.table(list(columns.values()), pa.schema(fields, {"owner": f"{TOKEN}-owner", b"pandas": attributes}))


SCENARIO = """
game = "basic"
[records]
path = "records.parquet"
drop = ["name"]
keep = ["coded", "ordered", "text", "pair", "words", "number"]
[population]
path = "people.parquet"
count = "count"
[attributes.age]
hierarchy = "ages.csv"
role = "other"
[attributes.sex]
hierarchy = "sexes.csv"
[payoffs]
benefit = 100
loss = 50000
cost = 20
"""
"""A person of 48 is released among 1,000 others; a person of 93 is not worth a release at any level."""

FRAME_QUESTION = question(
    {
        "records.drop": ["name"],
        "records.keep": list(KEPT),
        "population": {"count": "count"},
        "payoffs": {"benefit": 100, "loss": 50_000, "cost": 20},
    }
)
PEOPLE = pa.table({"age": [48, 93], "sex": ["Male", "Male"], "count": [1000, 1]})


def planted_world(folder: Path, table: pa.Table | None = None) -> Path:
    """Write the question whose records carry tokens, and return its scenario."""
    table = planted() if table is None else table
    pq.write_table(table, folder / "records.parquet")
    pq.write_table(PEOPLE, folder / "people.parquet")
    (folder / "ages.csv").write_text("48;*\n93;*\n")
    (folder / "sexes.csv").write_text("Male;*\n")
    (folder / "scenario.toml").write_text(SCENARIO)
    return folder / "scenario.toml"


def assert_nothing_planted(found: bytes, where: str) -> None:
    """Check bytes for every token."""
    for sign in SIGNS:
        place = found.find(sign)
        assert place < 0, f"{where}: {found[max(0, place - 60) : place + 60]!r}"


def assert_files_bare(folder: Path) -> None:
    """Check every file of a folder, Parquet page by page."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            assert_nothing_planted(path.read_bytes(), path.name)
            for place, content in enumerate(parquet_contents(path) if path.suffix == ".parquet" else ()):
                assert_nothing_planted(content, f"{path.name}, content {place}")


def assert_frame_bare(frame: Any) -> None:
    """Check everything made from an eager frame: pickles, files of all kinds, buffers in memory."""
    assert_nothing_planted(pickle.dumps(frame), "pickle")
    stream = io.BytesIO()
    if isinstance(frame, pd.DataFrame):
        assert {} == frame.attrs
        table = pa.Table.from_pandas(frame)
    elif isinstance(frame, pl.DataFrame):
        frame.write_ipc(stream, compression="uncompressed")
        assert_nothing_planted(stream.getvalue(), "IPC file")
        table = pa.table(frame)
    else:
        table = frame
    for column in table.columns:
        for chunk in column.chunks:
            for content in buffers_of(chunk):
                assert_nothing_planted(content, "buffer")
    assert_nothing_planted(str(table.schema.to_string(truncate_metadata=False)).encode(), "schema")
    assert_nothing_planted(table.schema.serialize().to_pybytes(), "schema")


def buffers_of(array: pa.Array) -> Iterator[bytes]:
    """Yield all buffers of an array in memory, and the larger buffers that contain them."""
    buffers = array.buffers()
    while buffers:
        buffer = buffers.pop()
        if buffer is not None:
            yield buffer.to_pybytes()
            buffers.append(buffer.parent)
    if pa.types.is_dictionary(array.type):
        yield from buffers_of(array.dictionary)


def parquet_contents(path: Path) -> Iterator[bytes]:
    """Yield all content of a Parquet file: its metadata decoded, each page of each column unpacked."""
    metadata = pq.read_metadata(path)
    for value in (metadata.metadata or {}).values():
        yield value
        try:
            yield base64.b64decode(value, validate=True)
        except ValueError:
            continue
    content = path.read_bytes()
    for group in range(metadata.num_row_groups):
        for place in range(metadata.num_columns):
            column = metadata.row_group(group).column(place)
            start = column.dictionary_page_offset or column.data_page_offset
            pages = 0
            for page in _pages(content[start : start + column.total_compressed_size], column.compression):
                pages += 1
                yield page
            assert pages or not column.num_values


def _pages(content: bytes, compression: str) -> Iterator[bytes]:
    at = 0
    while at < len(content):
        header, at = _read_struct(content, at)
        packed, unpacked = content[at : at + header[3]], header[2]
        at += header[3]
        levels = sum(header[8].get(key, 0) for key in (5, 6)) if 8 in header else 0
        body = packed[levels:]
        if compression != "UNCOMPRESSED" and body:
            body = pa.Codec(compression.lower()).decompress(body, unpacked - levels).to_pybytes()
        yield packed[:levels] + body


def _read_struct(content: bytes, at: int) -> tuple[dict[int, Any], int]:
    """Return the fields of a structure in Thrift's compact form, by number, and where it ends."""
    fields: dict[int, Any] = {}
    number = 0
    while content[at]:
        step, kind = content[at] >> 4, content[at] & 15
        at += 1
        if step:
            number += step
        else:
            number, at = _read_whole(content, at)
        fields[number], at = _read_value(content, at, kind)
    return fields, at + 1


def _read_value(content: bytes, at: int, kind: int) -> tuple[Any, int]:
    if kind in {1, 2}:
        return kind == 1, at
    if kind in {4, 5, 6}:
        return _read_whole(content, at)
    if kind == 8:
        length, at = _read_varint(content, at)
        return content[at : at + length], at + length
    if kind == 12:
        return _read_struct(content, at)
    raise AssertionError(f"a page header holds something of kind {kind}")


def _read_whole(content: bytes, at: int) -> tuple[int, int]:
    value, at = _read_varint(content, at)
    return (value >> 1) ^ -(value & 1), at


def _read_varint(content: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        value |= (content[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if content[at - 1] < 128:
            return value, at


def _bits(there: list[bool]) -> pa.Buffer:
    return pa.array(there).buffers()[1]


def _data(numbers: list[int]) -> list[pa.Buffer]:
    return [pa.array(numbers, pa.int64()).buffers()[1]]
