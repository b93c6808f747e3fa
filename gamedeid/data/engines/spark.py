"""Spark: how a session is found or started, and what it reads and writes."""

import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from uuid import uuid4

import pyarrow as pa
import pyspark
from pyspark import SparkConf, SparkContext, java_gateway
from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from gamedeid.data.engines.clusters import NUMBER, no_answer_error
from gamedeid.data.engines.options import ReadOptions
from gamedeid.data.engines.spills import lasting_spill_folder
from gamedeid.data.files.tables import TableFile
from gamedeid.errors import InvalidDataError, InvalidScenarioError, quoted
from gamedeid.safe_path import safe_path

CONNECT_TIMEOUT = 10.0
"""Seconds that a master may take to accept a connection."""

LOOPBACK = "127.0.0.1"
"""Address of this machine alone: what is started here is reached from nowhere else."""

WORKER_TIMEOUT = 60.0
"""Seconds that a cluster may take to give us a worker, and the worker to count to one."""

_GLOB = frozenset("{}[]*?\\")

_JOB_GROUP = "spark.jobGroup.id"  # by which Spark tells of the jobs that belong together

_SPILL_VARIABLE, _JAVA_VARIABLE = "SPARK_LOCAL_DIRS", "JDK_JAVA_OPTIONS"
_spill_parents: list[str] = []  # those that the environment named when we started Java


@contextmanager
def session(read_options: ReadOptions) -> Iterator[None]:
    """Hold a session as long as the block lasts; one that was there before is taken, and left alone.

    Raises
    ------
    InvalidScenarioError : there is no Java, or the cluster does not answer.
    """
    if SparkSession.getActiveSession() is not None:
        _session(read_options)
        yield
        return
    ours = _session(read_options)
    try:
        yield
    finally:
        with suppress(Exception):  # it may be gone already, and why has been said
            ours.stop()


@contextmanager
def share_of_tasks() -> Iterator[Callable[[], float | None]]:
    """Hold what returns the share of the tasks that are done, of the jobs that this thread begins in the block.

    Spark plans one stage after another, so that the tasks known become more. Spark Connect tells of none.
    """
    active = SparkSession.getActiveSession()
    context = getattr(active, "sparkContext", None) if active is not None else None
    if context is None:
        yield lambda: None
        return
    before, group = context.getLocalProperty(_JOB_GROUP), f"gamedeid-{uuid4()}"
    context.setLocalProperty(_JOB_GROUP, group)
    tracker = context.statusTracker()

    def share_done() -> float | None:
        jobs = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(group)]
        numbers = {stage for job in jobs if job is not None for stage in job.stageIds}
        stages = [stage for stage in map(tracker.getStageInfo, numbers) if stage is not None]
        known = sum(stage.numTasks for stage in stages)
        return sum(stage.numCompletedTasks for stage in stages) / known if known else None

    try:
        yield share_done
    finally:
        with suppress(Exception):  # the session may be gone, and why is being said
            context.setLocalProperty(_JOB_GROUP, before)


def open_files(file: TableFile, columns: list[str], starts: list[int] | None, read_options: ReadOptions) -> Any:
    """Return columns of Parquet files as a lazy frame."""
    there = _session(read_options)
    _refuse_names_alike(there, file)
    frame = there.read.parquet(*(_address_of(path) for path in file.paths))
    wanted = [f.col(_quoted(name)) for name in columns]
    if starts is None:
        return frame.select(*wanted)
    return frame.select(
        *wanted, (_first_of_file(frame, file, starts) + _file_metadata(frame, "row_index")).alias(NUMBER)
    )


def write_files(frame: Any, folder: Path, types: dict[str, pa.DataType]) -> list[Path]:
    """Write a frame into a new folder; Spark has its own types, which are the same ones in Parquet."""
    del types
    configuration = frame.sparkSession.conf
    before = configuration.get("spark.sql.parquet.outputTimestampType")
    configuration.set("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")
    try:
        frame.write.parquet(_plain_address_of(folder))
    finally:
        configuration.set("spark.sql.parquet.outputTimestampType", before)
    return sorted(folder.glob("part-*.parquet"))


def _session(read_options: ReadOptions) -> Any:
    """Return the session that is there, or start one."""
    active = SparkSession.getActiveSession()
    if active is not None:
        master = active.conf.get("spark.master", None)
        if read_options.cluster is not None and read_options.cluster != master:
            raise InvalidScenarioError(
                f"a Spark session with {quoted(master)} is there already; stop it, or leave out the cluster's address"
            )
        return active
    _check_master_listens(read_options.cluster)
    _start_java()
    configuration = SparkConf()
    for key, value in _default_settings(read_options, str(configuration.get("spark.master", "local[*]"))).items():
        configuration.setIfMissing(key, value)
    configuration.set("spark.local.dir", ",".join(map(str, _private_folders(read_options, configuration))))
    if read_options.cluster is not None:
        configuration.setMaster(read_options.cluster)
    try:
        started = SparkSession.builder.config(conf=configuration).getOrCreate()
        started.sparkContext.setLogLevel("ERROR")
    except Exception as error:
        raise no_answer_error("Spark", read_options.cluster, type(error).__name__) from error
    if not _has_worker(started):
        with suppress(Exception):
            started.stop()
        raise no_answer_error("Spark", read_options.cluster, f"no worker within {WORKER_TIMEOUT:.0f} s")
    return started


def _default_settings(read_options: ReadOptions, configured: str) -> dict[str, str]:
    """Return what is set unless the user's own configuration sets it."""
    master = read_options.cluster or configured
    settings = {
        "spark.app.name": "gamedeid",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.caseSensitive": "true",
        "spark.sql.session.timeZone": "UTC",
    }
    if master.startswith("local"):
        settings["spark.authenticate"] = "true"  # other users can connect to any port; the secret never leaves Java
    if master.startswith("local") or any(f"//{home}" in master for home in (LOOPBACK, "localhost")):
        settings |= {"spark.driver.bindAddress": LOOPBACK, "spark.driver.host": LOOPBACK}
    return settings


def _private_folders(read_options: ReadOptions, configuration: SparkConf) -> list[Path]:
    """Return where this process and its workers put blocks of rows: for each folder configured one in it of our own.

    Spark makes its folders so that everybody may read them.
    """
    configured = [*_spill_parents, *str(configuration.get("spark.local.dir", "")).split(",")]
    parents = [Path(parent) for parent in map(str.strip, configured) if parent and Path(parent).is_dir()]
    wanted: list[Path | None] = [read_options.spill] if read_options.spill is not None else [*parents] or [None]
    return [lasting_spill_folder(parent) for parent in dict.fromkeys(wanted)]


def _start_java() -> None:
    """Start Java without a word from it, unless it runs."""
    if SparkContext._gateway is not None or "PYSPARK_GATEWAY_PORT" in os.environ:  # noqa: SLF001
        return
    home = os.environ.get("JAVA_HOME")
    if not (shutil.which(Path(home) / "bin" / "java") if home else shutil.which("java")):
        raise InvalidScenarioError(
            f"Spark {pyspark.__version__} needs Java 17 or newer, and there is none; install it (on Debian: apt-get "
            "install default-jre-headless), or say in JAVA_HOME where it is"
        )
    try:
        launch: Any = java_gateway.launch_gateway
        with safe_path(), _private_environment():  # Java hands its environment on to Python's workers
            gateway = launch(SparkConf(), {"stderr": subprocess.DEVNULL})
        SparkContext._ensure_initialized(gateway=gateway)  # noqa: SLF001
    except Exception as error:
        raise InvalidScenarioError(
            f"Spark {pyspark.__version__} does not start on this Java; it needs Java 17 or newer"
        ) from error


@contextmanager
def _private_environment() -> Iterator[None]:
    """Have Java put its own temporary files into a folder of ours, and take folders to spill to from us."""
    before = {name: os.environ.get(name) for name in (_SPILL_VARIABLE, _JAVA_VARIABLE)}
    _spill_parents[:] = (before[_SPILL_VARIABLE] or "").split(",")
    options = f'-XX:-UsePerfData "-Djava.io.tmpdir={lasting_spill_folder(None)}"'
    try:
        os.environ.pop(_SPILL_VARIABLE, None)  # it would win over the configuration
        os.environ[_JAVA_VARIABLE] = f"{before[_JAVA_VARIABLE] or ''} {options}".strip()
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None) if value is None else os.environ.update({name: value})


def _check_master_listens(address: str | None) -> None:
    """Ask whether anybody listens at spark://HOST:PORT, since Spark itself takes a minute to say no."""
    if address is None or not address.startswith("spark://"):
        return
    masters = address.removeprefix("spark://").split(",")
    for master in masters:
        host, _, port = master.rpartition(":")
        with (
            suppress(OSError, ValueError),
            socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECT_TIMEOUT),
        ):
            return
    raise no_answer_error("Spark", address)


def _has_worker(started: Any) -> bool:
    """Return whether a worker counts to one in time."""
    counted = threading.Event()

    def count() -> None:
        with suppress(Exception):
            started.range(1).count()
            counted.set()

    threading.Thread(target=count, daemon=True).start()
    return counted.wait(WORKER_TIMEOUT)


def _first_of_file(frame: Any, file: TableFile, starts: list[int]) -> Any:
    """Return the number of the first record of the file that a row is in."""
    if len(starts) == 1:
        return f.lit(0)
    first = {path.name: start for path, start in zip(file.paths, starts, strict=True)}
    seen = [address.rpartition("/")[2] for address in frame.inputFiles()]  # as Spark writes them, spaces as %20
    numbers = f.create_map(*(f.lit(one) for name in seen for one in (name, first[unquote(name)])))
    found = numbers[f.element_at(f.split(_file_metadata(frame, "file_path"), "/"), -1)]
    return f.coalesce(found, f.raise_error(f.lit("a file that is not of the table")))


def _file_metadata(frame: Any, what: str) -> Any:
    """Return what Spark knows of the file that a row is in, whatever the file's own columns are called."""
    return frame.metadataColumn("_metadata").getField(what)


def _refuse_names_alike(there: Any, file: TableFile) -> None:
    """Refuse names that a session does not tell apart; ours does."""
    if there.conf.get("spark.sql.caseSensitive").lower() == "true":
        return
    by_fold: dict[str, str] = {}
    for name in file.names:
        other = by_fold.setdefault(name.casefold(), name)
        if other != name:
            raise InvalidDataError(
                f"{file.path}: columns {quoted(other)} and {quoted(name)} differ in capital letters only, which this "
                "Spark session does not tell apart; set spark.sql.caseSensitive to true there, or rename one of them"
            )


def _address_of(path: Path) -> str:
    """Return a path as Spark reads it: of this file system, and no pattern."""
    return "".join(f"\\{letter}" if letter in _GLOB else letter for letter in _plain_address_of(path))


def _plain_address_of(path: Path) -> str:
    return f"file:{path.absolute()}"


def _quoted(name: str) -> str:
    return f"`{name.replace('`', '``')}`"
