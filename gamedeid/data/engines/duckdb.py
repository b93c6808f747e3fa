"""Files that need not fit in memory: DuckDB counts them, and spills to a folder."""

import tempfile
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pyarrow as pa

from gamedeid.data.engines.grouping import GroupedRows, group_rows
from gamedeid.data.engines.options import ReadOptions, spill_folder
from gamedeid.data.files.tables import TableFile
from gamedeid.data.frames import Frame
from gamedeid.data.lazy_frames import in_narwhals
from gamedeid.errors import GamedeidError, InvalidDataError, OutputError
from gamedeid.parallel import cores
from gamedeid.progress import HUNDREDTHS_OF_PERCENT, Progress, unreported

COUNTING_SHARE = 2
"""DuckDB gets the memory divided by this: this process needs the rest for DuckDB's counts."""

THREAD_MEMORY = 2**26
"""Bytes that a thread of DuckDB needs to count anything."""

POLLING_INTERVAL = 0.25
"""Seconds between two polls of the share done."""

LONGEST_CALL = 5.0
"""Seconds to wait at the end for a poll that has begun: an engine that has ended may not answer."""

_GLOB = set("*?[]{}")


def group_file(
    file: TableFile,
    attributes: Collection[str],
    read_options: ReadOptions,
    *,
    count: str | None = None,
    report_progress: Progress = unreported,
) -> GroupedRows:
    """Count the rows, or people, of each distinct row of a file's attributes.

    ``report_progress`` is called with (rows done, all rows) if the file states its rows, otherwise with the share done.
    """
    wanted = (*attributes, *([count] if count is not None else []))
    refusals: list[GamedeidError] = []
    with (
        file.input_file.unchanged(),
        _database(read_options) as database,
        _explaining_errors(file, read_options, refusals),
        polled_progress(partial(_share_done, database), file.content.stated_rows, report_progress),
    ):
        return group_rows(_rows_of(database, file, wanted, refusals), attributes, count, joins=False)


@contextmanager
def _database(read_options: ReadOptions) -> Iterator[Any]:
    """Open an empty database within its limits; it leaves nothing behind, and uses no network."""
    import duckdb  # noqa: PLC0415  (slow to import, and small files do without)

    memory = read_options.memory // COUNTING_SHARE
    with spill_folder(read_options.spill) as spill:
        database = duckdb.connect(
            config={
                "memory_limit": f"{memory}B",
                "threads": max(1, min(cores(), memory // THREAD_MEMORY)),
                "temp_directory": str(spill),
                "autoinstall_known_extensions": False,
                "autoload_known_extensions": False,
                "preserve_insertion_order": False,
            }
        )
        try:
            yield database
        finally:
            database.close()


def _rows_of(database: Any, file: TableFile, wanted: Collection[str], refusals: list[GamedeidError]) -> Frame:
    """Return a file's rows as a lazy frame of a database; faults of the rows go into ``refusals``.

    DuckDB reads Parquet itself, unless names differ in case only, which it does not distinguish. Our strict reader
    reads such files, and CSV, block by block.
    """
    table_name, paths = str(file.path), [str(path) for path in file.input_file.paths]
    are_distinct = len({name.casefold() for name in file.names}) == len(file.names)
    if file.input_file.is_parquet and are_distinct and not any(_GLOB & set(path) for path in paths):
        return Frame.of(database.read_parquet(paths, union_by_name=False, hive_partitioning=False), table_name)
    blocks = file.blocks(wanted)
    first = next(blocks)
    names = tuple(first.column_names)
    labels = tuple(f"column_{place}" for place in range(len(names)))
    first = first.rename_columns(list(labels))

    def batches() -> Iterator[pa.RecordBatch]:
        try:
            yield from first.to_batches()
            for block in blocks:
                yield from block.rename_columns(list(labels)).to_batches()
        except GamedeidError as error:
            refusals.append(error)
            raise

    rows = database.from_arrow(pa.RecordBatchReader.from_batches(first.schema, batches()))
    return Frame(table_name=table_name, rows=in_narwhals(rows), lazy=True, names=names, labels=labels)


@contextmanager
def _explaining_errors(file: TableFile, read_options: ReadOptions, refusals: list[GamedeidError]) -> Iterator[None]:
    """Translate an error of DuckDB into our words, without any value, which may be a person's."""
    import duckdb  # noqa: PLC0415

    try:
        yield
    except duckdb.Error as error:
        if refusals:
            raise refusals[0] from None
        if any(word in str(error) for word in ("No space left", "max_temp_directory_size")):
            raise OutputError(
                f"cannot spill to {read_options.spill or tempfile.gettempdir()}: the disk is full; free some space, or "
                "name another folder (ReadOptions.spill)",
                arguments=["ReadOptions.spill"],
            ) from None
        if isinstance(error, duckdb.OutOfMemoryException):
            raise InvalidDataError(
                f"{file.path}: its distinct rows cannot be counted in {read_options.memory / 2**30:.1f} GiB; give more "
                "memory (ReadOptions.memory), or leave out attributes whose values differ in nearly every row",
                arguments=["ReadOptions.memory"],
            ) from None
        raise InvalidDataError(f"{file.path}: cannot be read ({type(error).__name__})") from None


def _share_done(database: Any) -> float:
    """Return the share of its work that a database reports as done; 0 where it reports none."""
    return max(0.0, float(database.query_progress()) / 100)


@contextmanager
def polled_progress(
    share_done: Callable[[], float | None], rows: int | None, report_progress: Progress
) -> Iterator[None]:
    """Report the progress of some work while the block runs, in rows if their number is known.

    Reported numbers never fall, even if an engine finds more work to do. ``share_done`` returns the share of the work
    that is done, in [0, 1], or None if unknown. It is called in a separate thread; the work itself reports its errors.
    """
    if report_progress is unreported:
        yield
        return
    ended, total = threading.Event(), HUNDREDTHS_OF_PERCENT if rows is None else rows

    def watch() -> None:
        reported = 0
        while not ended.wait(POLLING_INTERVAL):
            try:
                share = share_done()
            except Exception:  # noqa: BLE001  (the engine is gone, or cannot report)
                return
            done = round(total * (share or 0.0))
            if done > reported:
                reported = done
                report_progress(reported, total)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join(LONGEST_CALL)
