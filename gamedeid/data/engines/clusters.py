"""Clusters: a Parquet table is opened on Spark or Dask, counted there, and its answered rows are written there."""

import errno
import logging
import warnings
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

import pyarrow as pa

from gamedeid.data.engines.options import CLUSTERS, ReadOptions
from gamedeid.data.files.tables import TableFile
from gamedeid.errors import GamedeidError, InvalidDataError, InvalidScenarioError, OutputError, quoted
from gamedeid.extras import missing_extra_error
from gamedeid.lazy_imports import LazyModule

if TYPE_CHECKING:
    import pyarrow.parquet as pq
else:
    pq = LazyModule("pyarrow.parquet")

_LOG = logging.getLogger(__name__)

RECORD_NUMBER = "__gamedeid_record"
"""Column of a record's number, from 0, in the order of the files and of the rows in them."""

_DISK_FULL_WORDS = ("No space left on device", "Disk quota exceeded")
_FILE_ABSENT_WORDS = ("FILE_NOT_EXIST", "FileNotFoundException", "PATH_NOT_FOUND", "NoSuchFileException")
_WORKERS_DIED_WORDS = ("KilledWorker", "NoWorkerError")
_NO_ANSWER_WORDS = (
    "masters are unresponsive",
    "stopped SparkContext",
    "Connection refused",
    "connection-lost",
    "CommClosedError",
)


class Engine(Protocol):
    """The contract of every kind of cluster; each has its module."""

    def session(self, read_options: ReadOptions) -> AbstractContextManager[None]:
        """Hold a session while the block runs; an existing session is used, and left open."""
        ...

    def open_files(
        self, file: TableFile, columns: list[str], starts: list[int] | None, read_options: ReadOptions
    ) -> Any:
        """Return columns of Parquet files as a lazy frame, in the existing session, or in a new one that stays open."""
        ...

    def write_files(self, frame: Any, folder: Path, types: dict[str, pa.DataType]) -> list[Path]:
        """Write a lazy frame into a new folder, a Parquet file for each partition; return these in order."""
        ...


@contextmanager
def connected(read_options: ReadOptions) -> Iterator[None]:
    """Hold a session with the cluster while the block runs, if the engine is a cluster.

    An existing session of Spark, or client of Dask, is used, and left open.
    """
    if not read_options.on_cluster:
        yield
        return
    with without_cluster_warnings(), _engine(read_options.engine).session(read_options):
        _LOG.info("a session of the engine %s has begun", read_options.engine)
        yield


def open_table(file: TableFile, columns: Collection[str], read_options: ReadOptions, *, numbered: bool) -> Any:
    """Return columns of a table in Parquet, which every worker must see under the same path, as a lazy frame."""
    if not file.input_file.is_parquet:
        raise InvalidDataError(
            f"{file.path}: engine {read_options.engine} reads Parquet files and folders of them; "
            "any other file goes with the engine duckdb, however large it is"
        )
    engine = _engine(read_options.engine)
    starts = _first_records(file) if numbered else None
    with explaining_errors(read_options.engine, str(file.path)):
        return engine.open_files(file, list(columns), starts, read_options)


def write_frame(
    kind: str,
    frame: Any,
    folder: Path,
    types: dict[str, pa.DataType],
    rows: int,
) -> list[Path]:
    """Have the workers write a lazy frame into a new folder, and return the parts in the order of the partitions.

    Empty parts are left out, unless all parts are empty. All columns of the frame are nullable.
    """
    with explaining_errors(kind, str(folder)):
        parts = _engine(kind).write_files(frame, folder.absolute(), types)
    counts = [pq.read_metadata(part).num_rows for part in parts]
    if sum(counts) != rows or not parts:
        raise OutputError(
            f"{folder.parent}: the workers wrote {rows:,} rows, but {sum(counts):,} of them are there for this "
            "process; results must go to a folder that it shares with all workers, under the same path"
        )
    return [part for part, count in zip(parts, counts, strict=True) if count] or parts[:1]


@contextmanager
def explaining_errors(kind: str, table_name: str) -> Iterator[None]:
    """Translate a cluster's error into our words, without any value, which may be a person's.

    The traceback leaves out the original error, which may quote values; the cluster's log has it.
    """
    try:
        yield
    except GamedeidError:
        raise
    except Exception as error:
        if kind not in CLUSTERS or not _is_cluster_error(error):
            raise
        raise _explained_error(kind, table_name, error) from None


def _explained_error(kind: str, table_name: str, error: Exception) -> GamedeidError:
    message = str(error)
    is_full = getattr(error, "errno", None) in {errno.ENOSPC, errno.EDQUOT}
    if is_full or any(word in message for word in _DISK_FULL_WORDS):
        return OutputError(
            f"{table_name}: a disk of the {kind} cluster is full; free some space, or choose another folder"
        )
    if any(word in f"{type(error).__name__} {message}" for word in _WORKERS_DIED_WORDS):
        return InvalidDataError(
            f"{table_name}: workers of the {kind} cluster died again and again, or had no memory left; give them more "
            "memory, or use the engine duckdb, which needs little"
        )
    if isinstance(error, PermissionError) or "Permission denied" in message or "Mkdirs failed" in message:
        return OutputError(
            f"{table_name}: a worker of the {kind} cluster may not read or write there; it must run as you do"
        )
    if isinstance(error, FileNotFoundError) or any(word in message for word in _FILE_ABSENT_WORDS):
        return InvalidDataError(
            f"{table_name}: a worker of the {kind} cluster does not see it; it must have the same path everywhere"
        )
    if isinstance(error, TimeoutError) or any(word in message for word in _NO_ANSWER_WORDS):
        return InvalidScenarioError(
            f"the {kind} cluster does not answer any more ({_error_name(error)}); see its own log"
        )
    return InvalidDataError(f"{table_name}: the {kind} cluster gave up ({_error_name(error)}); see its own log")


def _is_cluster_error(error: Exception) -> bool:
    home = type(error).__module__.partition(".")[0]
    return isinstance(error, OSError | pa.ArrowException) or home in {"pyspark", "py4j", "dask", "distributed"}


def _error_name(error: Exception) -> str:
    """Return a cluster's name for an error, never its text."""
    condition = getattr(error, "getCondition", None)
    named = condition() if callable(condition) else None
    if named:
        return str(named)
    java = getattr(error, "java_exception", None)
    return type(error).__name__ if java is None else str(java.getClass().getSimpleName())


def _first_records(file: TableFile) -> list[int]:
    """Return the number of the first record of each file."""
    return [0, *accumulate(pq.read_metadata(path).num_rows for path in file.input_file.paths[:-1])]


def _engine(name: str) -> Engine:
    try:
        with without_cluster_warnings():
            return cast("Engine", import_module(f"{__package__}.{name}"))
    except ImportError:
        raise missing_extra_error(name, f"the engine {quoted(name)}") from None


@contextmanager
def without_cluster_warnings() -> Iterator[None]:
    """Suppress warnings of clusters that do not matter here."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)  # we need none
        warnings.filterwarnings("ignore", "Sending large graph", UserWarning)  # the answers, which are few
        yield


def no_answer_error(engine: str, address: str | None, why: str = "") -> InvalidScenarioError:
    """Return the error for a cluster that does not answer."""
    where = f"at {address}" if address is not None else "on this machine"
    return InvalidScenarioError(
        f"no {engine} cluster answers {where}{why and f' ({why})'}; "
        "check its address (ReadOptions.cluster), and that it runs",
        arguments=["ReadOptions.cluster"],
    )
