"""Tables in parts, written one by one and kept, or written by the workers of a cluster; published all together."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet

from gamedeid.arrays import TABLE_ROWS
from gamedeid.choices import Format
from gamedeid.parallel import cores
from gamedeid.progress import Progress
from gamedeid.results.folder import FolderWriter
from gamedeid.results.resume import FinishedParts
from gamedeid.results.tables import Layout, WriteOptions, write_blocks

PART_BLOCKS = 16
"""Blocks of rows in a part: 16 of 2**19 rows are 8,388,608."""

WRITERS = 4
"""Most parts that are written at once: each takes the memory of a few blocks."""

Blocks = Callable[[int], Iterator[pa.Table]]
"""A function that returns the blocks of a table from a block number on."""


def part_names(stem: str, form: Format, records: int) -> list[str]:
    """Return the file names of a table: one for CSV, and one for Parquet with no more records than a part has.

    Examples
    --------
    >>> part_names("release", "parquet", 20_000_000)
    ['release-0001.parquet', 'release-0002.parquet', 'release-0003.parquet']
    """
    parts = -(-records // (PART_BLOCKS * TABLE_ROWS))
    return _numbered_names(stem, form, 1 if form == "csv" else max(parts, 1))


def _numbered_names(stem: str, form: Format, parts: int) -> list[str]:
    if parts == 1:
        return [f"{stem}.{form}"]
    return [f"{stem}-{number:04}.{form}" for number in range(1, parts + 1)]


def write_parts(
    folder: FolderWriter,
    names: list[str],
    blocks: Blocks,
    finished: FinishedParts | None,
    options: WriteOptions,
    *,
    seekable: bool,
    records: int,
    report_progress: Progress,
    layout: Layout,
) -> None:
    """Write a table of records into a folder of results.

    Parameters
    ----------
    report_progress : a callback that receives (records done, all records).
    """
    if len(names) == 1 or finished is None:
        reported = _reporting(blocks(0), records, report_progress)
        for name in names:
            with folder.open(name) as stream:
                part = reported if len(names) == 1 else islice(reported, PART_BLOCKS)
                write_blocks(part, stream, options.form, defuse=options.defuse, layout=layout)
        return
    missing = [number for number, name in enumerate(names) if finished.find(name) is None]
    write = _write_in_parallel if seekable else _write_in_order
    for done, _ in enumerate(write(names, missing, blocks, finished, layout), start=len(names) - len(missing) + 1):
        report_progress(min(done * PART_BLOCKS * TABLE_ROWS, records), records)
    for name in names:
        folder.adopt(finished.path(name), name, finished.digest(name))


def adopt_parts(
    folder: FolderWriter,
    stem: str,
    parts: Sequence[Path],
    options: WriteOptions,
    changed: Callable[[pa.Table], pa.Table] | None,
) -> None:
    """Copy a table into a folder of results from parts that a cluster wrote.

    Each part is written again: a cluster's writer adds metadata, which would be published with the release.

    Parameters
    ----------
    changed : function from a block to the written block (default: unchanged).
    """
    files = [parts] if options.form == "csv" else [[part] for part in parts]
    for name, of_file in zip(_numbered_names(stem, options.form, len(files)), files, strict=True):
        with folder.open(name) as stream:
            write_blocks(read_rows(of_file, changed), stream, options.form, defuse=options.defuse)


def _reporting(blocks: Iterator[pa.Table], records: int, report_progress: Progress) -> Iterator[pa.Table]:
    """Yield blocks, and report each when the next is requested: it is written by then."""
    for number, block in enumerate(blocks, 1):
        yield block
        report_progress(min(number * TABLE_ROWS, records), records)


def _write_in_order(
    names: list[str], missing: list[int], blocks: Blocks, finished: FinishedParts, layout: Layout
) -> Iterator[None]:
    """Write the missing parts one after the other, and yield after each."""
    coming: Iterator[pa.Table] = iter(())
    for number in missing:
        if number - 1 not in missing:
            coming = blocks(number * PART_BLOCKS)
        with finished.writing(names[number]) as stream:
            write_blocks(islice(coming, PART_BLOCKS), stream, "parquet", layout=layout)
        yield


def _write_in_parallel(
    names: list[str], missing: list[int], blocks: Blocks, finished: FinishedParts, layout: Layout
) -> Iterator[None]:
    """Write the missing parts on all cores, and yield after each; an early end stops the other writers soon."""
    stop = threading.Event()

    def write(number: int) -> None:
        with finished.writing(names[number]) as stream:
            write_blocks(
                _until(stop, islice(blocks(number * PART_BLOCKS), PART_BLOCKS)), stream, "parquet", layout=layout
            )

    with ThreadPoolExecutor(min(WRITERS, cores())) as pool:
        try:
            for part in as_completed([pool.submit(write, number) for number in missing]):
                part.result()
                yield
        except BaseException:
            stop.set()
            pool.shutdown(cancel_futures=True)
            raise


def _until(stop: threading.Event, blocks: Iterator[pa.Table]) -> Iterator[pa.Table]:
    for block in blocks:
        if stop.is_set():
            raise InterruptedError("another part could not be written")
        yield block


def read_rows(parts: Sequence[Path], changed: Callable[[pa.Table], pa.Table] | None = None) -> Iterator[pa.Table]:
    """Yield the rows of Parquet files, a block at a time; a file without rows yields one empty block."""
    as_written = changed or (lambda table: table)
    for part in parts:
        with pa.parquet.ParquetFile(part) as file:
            if not file.metadata.num_rows:
                yield as_written(file.schema_arrow.empty_table())
            for batch in file.iter_batches(TABLE_ROWS):
                yield as_written(pa.Table.from_batches([batch]))
