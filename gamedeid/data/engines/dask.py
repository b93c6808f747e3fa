"""Dask: how a client is found or started, and what its workers read and write."""

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet

from gamedeid.data.engines.clusters import LOOPBACK, NUMBER, WORKERS_DIED, no_answer_error
from gamedeid.data.engines.options import ReadOptions
from gamedeid.data.engines.spills import lasting_spill_folder
from gamedeid.data.files.parquet import stored_columns
from gamedeid.data.files.tables import TableFile
from gamedeid.errors import InvalidScenarioError, quoted
from gamedeid.extras import lacking
from gamedeid.safe_path import SAFE_PATH, safe_path

dask: Any = import_module("dask")  # imported so, since they have no types
dd: Any = import_module("dask.dataframe")
distributed: Any = import_module("distributed")

PATIENCE = 10
"""Seconds that a scheduler may take to answer, and to have a worker."""

LEAST_WORKER_MEMORY = 2**29
"""Bytes that a worker of our own gets at least."""

PARTITION_BYTES = 2**27
"""Unpacked bytes of Parquet that make a partition, unless a row group has more."""

MOST_DEATHS = 2
"""How often workers of our own may die before the work is given up."""

LONGEST_PAUSE, PAUSE_CHECKED_EVERY = 20.0, 1.0
"""Seconds that all of them may pause for want of memory, and between two looks at that."""

OWN_WORKER_SETTINGS: dict[str, Any] = {
    **{f"distributed.{whose}.http.routes": [] for whose in ("scheduler", "worker", "nanny")},
    f"distributed.nanny.pre-spawn-environ.{SAFE_PATH}": "1",
}
"""Dask's settings for workers of our own: they serve no pages to browsers, which anybody on the machine could read, and
find no modules in the working directory, also if they are started anew."""

Partition = tuple[str, list[int], int, list[int]]
"""Path, row groups, first record's number and columns on disk of a partition."""


@contextmanager
def session(read_options: ReadOptions) -> Iterator[None]:
    """Hold a client as long as the block lasts; one that was there before is taken, and left alone.

    Raises
    ------
    InvalidScenarioError : the cluster does not answer.
    """
    if _existing_client() is not None:
        _client(read_options)
        yield
        return
    with safe_path():  # Dask leaves the variable set
        client = _client(read_options)
        cluster = client.cluster
        try:
            yield
        finally:
            with suppress(Exception):  # it may be gone already, and why has been said
                client.close()
                if cluster is not None:
                    cluster.close()


@contextmanager
def share_of_tasks() -> Iterator[Callable[[], float | None]]:
    """Hold what returns the share of the tasks that are done, of those that are asked for in the block.

    A scheduler of workers is asked, or else whichever scheduler works in this process.
    """
    client = _existing_client()
    if client is None:
        with _OwnSchedulers() as schedulers:
            yield schedulers.share_done
        return
    count, already = _task_counter(), ()
    with suppress(Exception):  # a scheduler may let nobody count: then the work goes on, and tells nothing
        already = client.run_on_scheduler(count, client.id, ())[2]

    def share_done() -> float | None:
        done, known, _ = client.run_on_scheduler(count, client.id, already)
        return done / known if known else None

    yield share_done


class _OwnSchedulers(dask.callbacks.Callback):  # type: ignore[misc]  # it has no types
    """Keeps the state of the schedulers that work in this process, threads or processes of its own."""

    def __init__(self) -> None:
        super().__init__()
        self._states: list[Any] = []

    def _start_state(self, dsk: Any, state: Any) -> None:  # noqa: ARG002  (as Dask calls it)
        self._states.append(state)

    def share_done(self) -> float | None:
        """Return the share of the tasks that are done; None before the first."""
        done = sum(len(state["finished"]) for state in self._states)
        left = sum(len(state[kind]) for state in self._states for kind in ("waiting", "ready", "running"))
        return done / (done + left) if done + left else None


def _task_counter() -> Any:
    """Return the function that a scheduler counts a client's tasks with; it is sent whole, as the reader is."""

    def count(client: str, already: Any, dask_scheduler: Any) -> tuple[int, int, list[Any]]:
        wanted = [task for task in dask_scheduler.clients[client].wants_what if task.key not in set(already)]
        seen = set(wanted)
        left = list(wanted)
        while left:
            new = left.pop().dependencies - seen
            seen |= new
            left += new
        done = sum(task.state in {"memory", "released"} for task in seen)
        return done, len(seen), [task.key for task in wanted]

    return count


def open_files(file: TableFile, columns: list[str], starts: list[int] | None, read_options: ReadOptions) -> Any:
    """Return columns of Parquet files as a lazy frame, whose types are those of Arrow."""
    _client(read_options)
    partitions = list(_partitions(file, columns, starts or [0] * len(file.paths)))
    read = _partition_reader()
    names = [*columns, *([NUMBER] if starts is not None else [])]
    empty = read((str(file.paths[0]), [], 0, _stored(file.paths[0], columns)), names)
    return dd.from_map(read, partitions, columns=list(empty.columns), meta=empty, enforce_metadata=False)


def write_files(frame: Any, folder: Path, types: dict[str, pa.DataType]) -> list[Path]:
    """Write a frame into a new folder."""
    frame.to_parquet(str(folder), write_index=False, schema=types, write_metadata_file=False)
    return sorted(folder.glob("part.*.parquet"), key=lambda path: int(path.name.split(".")[1]))


def _partition_reader() -> Any:
    """Return the function that workers read a partition with; it is sent whole: workers need not have this package."""

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

    number = NUMBER
    return read


def _partitions(file: TableFile, columns: list[str], starts: list[int]) -> Iterator[Partition]:
    """Yield the partitions in order; they are the same on any cluster."""
    for path, first in zip(file.paths, starts, strict=True):
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
    """Return the client that is there, or start one."""
    there = _existing_client()
    if there is not None:
        address = there.scheduler.address
        if read_options.cluster is not None and distributed.core.coerce_to_address(read_options.cluster) != address:
            raise InvalidScenarioError(
                f"a Dask client of {quoted(address)} is there already; close it, or leave out the cluster's address"
            )
        return there
    if read_options.cluster is None:
        return distributed.Client(_cluster(read_options))
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


def _cluster(read_options: ReadOptions) -> Any:
    """Start worker processes on this machine, which nobody else can reach, nor read what they spill.

    Other users of the machine can connect to any of its ports. So all talk is by TLS, and only who has the key of this
    run is listened to: it is made here, never written, and handed to the workers as they are started.
    """
    workers = max(1, min(os.cpu_count() or 1, read_options.memory // LEAST_WORKER_MEMORY))
    try:
        security = distributed.Security.temporary()
    except ImportError:
        raise lacking("dask", "a cluster of Dask on this machine, to keep its other users out,") from None
    with dask.config.set(OWN_WORKER_SETTINGS), safe_path():
        cluster = distributed.LocalCluster(
            host=LOOPBACK,
            n_workers=workers,
            threads_per_worker=1,
            memory_limit=read_options.memory // workers,
            security=security,
            silence_logs=logging.CRITICAL,
            dashboard_address=f"{LOOPBACK}:0",
            scheduler_kwargs={"dashboard": False},
            local_directory=str(lasting_spill_folder(read_options.spill)),
        )
    guard = WorkerGuard(MOST_DEATHS)
    cluster.scheduler.add_plugin(guard)
    cluster.scheduler.loop.add_callback(guard.watch, cluster.scheduler)
    return cluster


class WorkerGuard(distributed.SchedulerPlugin):  # type: ignore[misc]  # it has no types
    """Gives up where Dask would not, with too little memory: it starts workers anew, or lets all pause, for ever."""

    def __init__(self, most_deaths: int) -> None:
        self._left = most_deaths
        self._paused = 0.0

    def remove_worker(self, scheduler: Any, worker: str, **_: Any) -> None:  # noqa: ARG002
        """Count a worker that is gone."""
        self._left -= 1
        if self._left < 0:
            scheduler.loop.call_later(0, self._give_up, scheduler)

    def watch(self, scheduler: Any) -> None:
        """Look, again and again, whether all workers that have something to do pause, since their memory is full."""
        busy = [worker.status.name for worker in scheduler.workers.values() if worker.processing]
        self._paused = self._paused + PAUSE_CHECKED_EVERY if busy and set(busy) == {"paused"} else 0.0
        if self._paused > LONGEST_PAUSE:
            self._give_up(scheduler)
        if scheduler.status.name == "running":
            scheduler.loop.call_later(PAUSE_CHECKED_EVERY, self.watch, scheduler)

    def _give_up(self, scheduler: Any) -> None:
        """Cancel whatever anybody waits for."""
        for name, client in list(scheduler.clients.items()):
            wanted = [task.key for task in client.wants_what]
            scheduler.stimulus_cancel(wanted, client=name, force=True, reason=WORKERS_DIED, msg="")
