"""Dask: a client that is found or connected, else threads of this process; reading and writing."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet

from gamedeid.data.engines.clusters import RECORD_NUMBER, no_answer_error
from gamedeid.data.engines.options import ReadOptions, spill_folder
from gamedeid.data.files.parquet import stored_columns
from gamedeid.data.files.tables import TableFile
from gamedeid.errors import InvalidScenarioError, quoted
from gamedeid.parallel import cores

dask: Any = import_module("dask")  # imported by name, since they have no types
dd: Any = import_module("dask.dataframe")
distributed: Any = import_module("distributed")

PATIENCE = 10
"""Seconds that a scheduler may take to answer, and to have a worker."""

MEMORY_OF_A_THREAD = 2**29
"""Bytes for each thread, where this process reads the partitions itself."""

PARTITION_BYTES = 2**27
"""Unpacked bytes of Parquet that make a partition, unless a row group has more."""

Partition = tuple[str, list[int], int, list[int]]
"""Path, row groups, first record's number and columns on disk of a partition."""


@contextmanager
def session(read_options: ReadOptions) -> Iterator[None]:
    """Hold a client while the block runs; an existing client is used, and left open.

    Without a client and an address, threads of this process do the work: no port is opened.
    """
    before = _existing_client()
    client = _client(read_options)
    if client is None:
        threads = max(1, min(cores(), read_options.memory // MEMORY_OF_A_THREAD))
        with (
            spill_folder(read_options.spill) as folder,
            dask.config.set(scheduler="threads", num_workers=threads, temporary_directory=str(folder)),
        ):
            yield
        return
    try:
        yield
    finally:
        if before is None:
            with suppress(Exception):  # it may be gone already, and that error has been reported
                client.close()


def open_files(file: TableFile, columns: list[str], starts: list[int] | None, read_options: ReadOptions) -> Any:
    """Return columns of Parquet files as a lazy frame with Arrow's types."""
    _client(read_options)
    partitions = list(_partitions(file, columns, starts or [0] * len(file.input_file.paths)))
    read = _partition_reader()
    names = [*columns, *([RECORD_NUMBER] if starts is not None else [])]
    empty = read((str(file.input_file.paths[0]), [], 0, _stored(file.input_file.paths[0], columns)), names)
    return dd.from_map(read, partitions, columns=list(empty.columns), meta=empty, enforce_metadata=False)


def write_files(frame: Any, folder: Path, types: dict[str, pa.DataType]) -> list[Path]:
    """Write a frame into a new folder."""
    frame.to_parquet(str(folder), write_index=False, schema=types, write_metadata_file=False)
    return sorted(folder.glob("part.*.parquet"), key=lambda path: int(path.name.split(".")[1]))


def _partition_reader() -> Any:
    """Return the function by which workers read a partition; it is sent whole, as they need not have this package."""

    def read(partition: Partition, columns: list[str]) -> Any:
        path, groups, start, stored = partition
        with pyarrow.parquet.ParquetFile(path) as part:
            table = part.reader.read_row_groups(groups, column_indices=stored)
        views = {pyarrow.string_view(): pyarrow.string(), pyarrow.binary_view(): pyarrow.binary()}
        kinds = [kind.value_type if pyarrow.types.is_dictionary(kind) else kind for kind in table.schema.types]
        fields = [field.with_type(views.get(kind, kind)) for field, kind in zip(table.schema, kinds, strict=True)]
        table = table.cast(pyarrow.schema(fields))
        if number in columns:
            table = table.append_column(number, pyarrow.array(range(start, start + table.num_rows), pyarrow.int64()))
        return table.select(columns).to_pandas(types_mapper=pandas.ArrowDtype)

    import pandas  # noqa: ICN001, PLC0415  (as the function knows it)
    import pyarrow  # noqa: ICN001, PLC0415

    number = RECORD_NUMBER
    return read


def _partitions(file: TableFile, columns: list[str], starts: list[int]) -> Iterator[Partition]:
    """Yield the partitions in order; they are the same on any cluster."""
    for path, first in zip(file.input_file.paths, starts, strict=True):
        stored = _stored(path, columns)
        metadata = pyarrow.parquet.read_metadata(path)
        groups: list[int] = []
        start, size, rows = first, 0, 0
        for number in range(metadata.num_row_groups):
            group = metadata.row_group(number)
            if groups and size + group.total_byte_size > PARTITION_BYTES:
                yield str(path.absolute()), groups, start, stored
                groups, start, size, rows = [], start + rows, 0, 0
            groups.append(number)
            size, rows = size + group.total_byte_size, rows + group.num_rows
        yield str(path.absolute()), groups, start, stored


def _stored(path: Path, columns: list[str]) -> list[int]:
    return stored_columns(pyarrow.parquet.read_schema(path), columns)


def _existing_client() -> Any:
    try:
        return distributed.get_client()
    except ValueError:
        return None


def _client(read_options: ReadOptions) -> Any:
    """Return the existing client, or one for the cluster at the given address; else None."""
    existing = _existing_client()
    if existing is not None:
        address = existing.scheduler.address
        if read_options.cluster is not None and distributed.core.coerce_to_address(read_options.cluster) != address:
            raise InvalidScenarioError(
                f"a Dask client of {quoted(address)} is there already; close it, or leave out the cluster's address"
            )
        return existing
    if read_options.cluster is None:
        return None
    try:
        client = distributed.Client(read_options.cluster, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise no_answer_error("Dask", read_options.cluster, type(error).__name__) from error
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        client.close()
        raise no_answer_error("Dask", read_options.cluster, f"no worker within {PATIENCE} s") from None
    return client
