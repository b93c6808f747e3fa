"""Check that a Parquet file holds its rows and nothing else."""

import io
import re
from collections.abc import Iterable, Iterator
from itertools import product
from typing import IO, cast

import pyarrow as pa
import pyarrow.parquet

from gamedeid.errors import GamedeidError
from gamedeid.results.tables import BATCH_ROWS, Layout, bare_type, write_blocks
from gamedeid.verification.claims import Claims
from gamedeid.verification.findings import CheckLog

_SCHEMA = b"ARROW:schema"
_WRITER = re.compile(r"parquet-cpp-arrow version [0-9]+\.[0-9]+\.[0-9]+")
_MAGIC, _END = 4, 8
"""Bytes before the first column chunk, and after the metadata."""

_RISING = "DELTA_BINARY_PACKED"
_UNREADABLE = (pa.ArrowException, OSError, ValueError, OverflowError, MemoryError)


def compare_parquet(claims: Claims, log: CheckLog) -> None:
    """Note Parquet files of the folder that hold anything but their rows.

    Each is searched for metadata, bytes between its columns and values that no row has. Then its rows are written
    again, and must give the same bytes, unless another version of Arrow wrote the file.
    """
    for name in claims.stored.outputs:
        if not name.endswith(".parquet") or any(one.file == name for one in log.findings):
            continue
        try:
            content = claims.stored.content(name)
            with pa.parquet.ParquetFile(pa.BufferReader(content)) as file:
                hidden = list(_hidden_in(file, content))
                same_writer = file.metadata.created_by == f"parquet-cpp-arrow version {pa.cpp_version}"
                if not hidden and same_writer and not _is_written_again(file, content, _texts_of(claims)):
                    hidden = ["has other bytes than its rows make: it may hold content that no reader shows"]
        except (*_UNREADABLE, GamedeidError):
            log.find(name, "cannot be read as a Parquet file")
            continue
        for says in hidden:
            log.find(name, says)
        if not same_writer and not hidden:
            log.skip(f"the bytes of {name}", "another version of Arrow wrote it")
        log.did(f"that {name} holds its rows alone")


def _texts_of(claims: Claims) -> frozenset[str]:
    """Return the columns that a run hands over as dictionaries."""
    scenario = claims.scenario
    return frozenset() if scenario is None else frozenset([*scenario.attributes, str(scenario.pseudonym_column)])


def _hidden_in(file: pa.parquet.ParquetFile, content: bytes) -> Iterator[str]:
    """Yield the contents of a file other than its rows, as far as visible without writing it again."""
    metadata = file.metadata
    if not _WRITER.fullmatch(metadata.created_by or ""):
        yield "names another writer than gamedeid's"
    stored = metadata.metadata or {}
    if set(stored) != {_SCHEMA}:
        yield "has metadata that gamedeid does not write"
    schema = file.schema_arrow
    fields = [*schema, *(schema.field(place) for place in range(len(schema)))]
    if schema.metadata or any(field.metadata or not _is_bare(field.type) for field in fields):
        yield "has metadata of its columns, and gamedeid writes none"
    if any(start != end for start, end in _gaps(metadata, len(content))):
        yield "has bytes that belong to no column"
    texts = [field.name for field in schema if pa.types.is_string(field.type)]
    if _has_unused_values(content, metadata.num_row_groups, texts):
        yield "has values in a dictionary that no row has"


def _is_bare(kind: pa.DataType) -> bool:
    plain = kind.value_type if pa.types.is_dictionary(kind) else kind
    return bool(bare_type(plain).equals(plain, check_metadata=True))


def _gaps(metadata: pa.parquet.FileMetaData, size: int) -> Iterator[tuple[int, int]]:
    """Yield the end of each column chunk and the start of the next: they are equal unless content is hidden between."""
    end = _MAGIC
    for group in range(metadata.num_row_groups):
        for column in range(metadata.num_columns):
            chunk = metadata.row_group(group).column(column)
            start = chunk.dictionary_page_offset if chunk.has_dictionary_page else chunk.data_page_offset
            yield end, start
            end = start + chunk.total_compressed_size
    yield end, size - _END - metadata.serialized_size


def _has_unused_values(content: bytes, groups: int, texts: list[str]) -> bool:
    with pa.parquet.ParquetFile(pa.BufferReader(content), read_dictionary=texts) as file:
        for group, name in product(range(groups), texts):
            for chunk in file.read_row_group(group, [name]).column(0).chunks:
                if pa.types.is_dictionary(chunk.type) and len(chunk.indices.unique().drop_null()) < len(
                    chunk.dictionary
                ):
                    return True
    return False


def _is_written_again(file: pa.parquet.ParquetFile, content: bytes, texts: frozenset[str]) -> bool:
    """Return whether the rows of a file, written again in one of gamedeid's ways, give its bytes."""
    metadata = file.metadata
    chunks = [
        metadata.row_group(0).column(place) for place in range(metadata.num_columns * bool(metadata.num_row_groups))
    ]
    rising = frozenset(chunk.path_in_schema for chunk in chunks if _RISING in chunk.encodings)
    for coded, batch in product((frozenset[str](), texts.intersection(file.schema_arrow.names)), (None, *BATCH_ROWS)):
        stream = _Compared(content)
        try:
            write_blocks(
                _groups(file, content, coded), cast("IO[bytes]", stream), "parquet", layout=Layout(coded, rising, batch)
            )
        except _DifferentError:
            continue
        if stream.place == len(content):
            return True
    return False


def _groups(file: pa.parquet.ParquetFile, content: bytes, coded: Iterable[str]) -> Iterator[pa.Table]:
    """Yield the row groups of a file; one without rows if there are none."""
    with pa.parquet.ParquetFile(pa.BufferReader(content), read_dictionary=list(coded)) as again:
        if not file.num_row_groups:
            yield again.schema_arrow.empty_table()
        for group in range(file.num_row_groups):
            yield again.read_row_group(group)


class _DifferentError(Exception):
    """The written bytes differ from the file's."""


class _Compared(io.RawIOBase):
    """A file that stores nothing, and raises if the written bytes differ from those of another file."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self.place = 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.place

    def write(self, block: object) -> int:
        written = memoryview(block).cast("B")  # type: ignore[arg-type]
        if self._content[self.place : self.place + len(written)] != written:
            raise _DifferentError
        self.place += len(written)
        return len(written)
