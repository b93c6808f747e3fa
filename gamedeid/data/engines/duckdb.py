"""Files that need not fit in memory: DuckDB counts them, and spills to a folder what does not fit."""

import os
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from gamedeid.data.columns import COUNT_TEXT, COUNT_TEXT_PADDING, is_text
from gamedeid.data.engines.grouping import ODD, PEOPLE, ROWS, Groups, groups_of
from gamedeid.data.engines.options import ReadOptions
from gamedeid.data.engines.spills import spill_folder
from gamedeid.data.files.tables import TableFile
from gamedeid.errors import GamedeidError, InvalidDataError, OutputError
from gamedeid.progress import Progress, polled_progress
from gamedeid.scenario.bounds import MOST_PEOPLE

COUNTING_SHARE = 2
"""DuckDB gets this part of the memory: what it counts comes to this process afterwards."""

THREAD_MEMORY = 2**26
"""Bytes that a thread of DuckDB needs to count anything."""

_GLOB = set("*?[]{}")


def group_file(
    file: TableFile,
    attributes: Collection[str],
    read_options: ReadOptions,
    *,
    count: str | None = None,
    report_progress: Progress | None = None,
) -> Groups:
    """Count the rows, or people, of each distinct row of a file's attributes.

    Parameters
    ----------
    count : column of people; None where each row is one.
    report_progress : called with (rows done, rows in all) where the file states how many it has, else with the share.
    """
    wanted = (*attributes, *([count] if count is not None else []))
    kind = None if count is None else file.types([count])[count]
    refusals: list[GamedeidError] = []
    with (
        file.input_file.unchanged(),
        _database(read_options) as database,
        _explaining_errors(file, read_options, refusals),
        _relation(database, file, wanted, refusals) as (rows, labels),
        polled_progress(partial(_share_done, database), file.stated_rows, report_progress),
    ):
        groups = {name: labels[name] for name in attributes}
        sums = "" if count is None else _people_columns(labels[count], kind)
        table = rows.query("file", _grouping(list(labels.values()), list(groups.values()), sums)).to_arrow_table()
    return groups_of(table, groups, str(file.path), count)


def _grouping(columns: list[str], attributes: list[str], sums: str) -> str:
    """Return the query that counts, in an order that is always the same; columns are named by their places."""
    groups, file = ", ".join(attributes), f"file AS t({', '.join(columns)})"
    return f"SELECT {groups}, count(*) AS {ROWS}{sums} FROM {file} GROUP BY {groups} ORDER BY {groups}"  # noqa: S608


def _people_columns(column: str, kind: pa.DataType) -> str:
    """Return what sums the people: a text that is no number, and a number that is not whole, count as odd."""
    if pa.types.is_integer(kind):
        number, sound = column, f"({column} >= 0)"
    elif is_text(kind.value_type if pa.types.is_dictionary(kind) else kind):
        number = f"TRY_CAST(regexp_replace({column}, '{COUNT_TEXT_PADDING}', '', 'g') AS BIGINT)"
        sound = f"(regexp_full_match({column}, '{COUNT_TEXT}') AND {number} >= 0)"
    else:
        number = column
        sound = f"({column} >= 0 AND CAST({column} AS DOUBLE) < {MOST_PEOPLE} AND {column} = floor({column}))"
    whole = f"CASE WHEN {sound} THEN CAST({number} AS HUGEINT) ELSE 0 END"
    people = f"CAST(least(sum({whole}), {MOST_PEOPLE}) AS BIGINT)"  # so many are refused
    return f", {people} AS {PEOPLE}, CAST(sum(CASE WHEN {sound} THEN 0 ELSE 1 END) AS BIGINT) AS {ODD}"


@contextmanager
def _database(read_options: ReadOptions) -> Iterator[Any]:
    """Open an empty database within its limits; nothing of it stays, and it asks nobody else for anything."""
    import duckdb  # noqa: PLC0415  (slow to import, and small files do without)

    memory = read_options.memory // COUNTING_SHARE
    with spill_folder(read_options.spill) as spill:
        database = duckdb.connect(
            config={
                "memory_limit": f"{memory}B",
                "threads": max(1, min(os.cpu_count() or 1, memory // THREAD_MEMORY)),
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


@contextmanager
def _relation(
    database: Any, file: TableFile, wanted: Collection[str], refusals: list[GamedeidError]
) -> Iterator[tuple[Any, dict[str, str]]]:
    """Yield a relation of a file's rows, and what to call its columns; what is wrong with them goes into ``refusals``.

    Parquet is read by DuckDB itself, unless names differ in capital letters only, which it does not tell apart. That,
    and CSV, come block by block from our own reader, which refuses what is odd.
    """
    paths = [str(path) for path in file.paths]
    apart = len({name.casefold() for name in file.names}) == len(file.names)
    if file.is_parquet and apart and not any(_GLOB & set(path) for path in paths):
        rows = database.read_parquet(paths, union_by_name=False, hive_partitioning=False)
        yield rows, {name: f"column_{place}" for place, name in enumerate(file.names)}
        return
    blocks = file.blocks(wanted)
    first = next(blocks)
    labels = {name: f"column_{place}" for place, name in enumerate(first.column_names)}
    first = first.rename_columns(list(labels.values()))

    def batches() -> Iterator[pa.RecordBatch]:
        try:
            yield from first.to_batches()
            for block in blocks:
                yield from block.rename_columns(list(labels.values())).to_batches()
        except GamedeidError as error:
            refusals.append(error)
            raise

    yield database.from_arrow(pa.RecordBatchReader.from_batches(first.schema, batches())), labels


@contextmanager
def _explaining_errors(file: TableFile, read_options: ReadOptions, refusals: list[GamedeidError]) -> Iterator[None]:
    """Say in our words what DuckDB says in its own, without any value: it may belong to somebody."""
    import duckdb  # noqa: PLC0415

    try:
        yield
    except duckdb.Error as error:
        if refusals:
            raise refusals[0] from None
        if any(word in str(error) for word in ("No space left", "max_temp_directory_size")):
            raise _disk_full_error(read_options) from None
        if isinstance(error, duckdb.OutOfMemoryException):
            raise InvalidDataError(
                f"{file.path}: its distinct rows cannot be counted in {read_options.memory / 2**30:.1f} GiB; give more "
                "memory (ReadOptions.memory), or leave out attributes of which nearly every row has a value of its own",
                arguments=["ReadOptions.memory"],
            ) from None
        raise InvalidDataError(f"{file.path}: cannot be read ({type(error).__name__})") from None


def _share_done(database: Any) -> float:
    """Return the share of its work that a database says is done; 0 where it cannot tell."""
    return max(0.0, float(database.query_progress()) / 100)


def _disk_full_error(read_options: ReadOptions) -> OutputError:
    where = read_options.spill or Path(tempfile.gettempdir())
    return OutputError(
        f"cannot spill to {where}: the disk is full; free some space, or name another folder (ReadOptions.spill)",
        arguments=["ReadOptions.spill"],
    )
