"""Spark: a session that is found or started; reading and writing."""

import os
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pyarrow as pa
import pyspark
from pyspark import SparkConf, SparkContext, java_gateway
from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from gamedeid.data.engines.clusters import RECORD_NUMBER, no_answer_error
from gamedeid.data.engines.options import ReadOptions, lasting_spill_folder
from gamedeid.data.files.tables import TableFile
from gamedeid.errors import InvalidDataError, InvalidScenarioError, quoted
from gamedeid.safe_path import safe_path

CONNECT_TIMEOUT = 10.0
"""Seconds that a master may take to accept a connection."""

WORKER_TIMEOUT = 60.0
"""Seconds that a cluster may take to give us a worker, and the worker to count to one."""

_GLOB = frozenset("{}[]*?\\")

_SETTINGS = {
    "spark.app.name": "gamedeid",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.caseSensitive": "true",
    "spark.sql.session.timeZone": "UTC",
}
_LOCAL_SETTINGS = dict.fromkeys(("spark.driver.bindAddress", "spark.driver.host"), "127.0.0.1") | {
    "spark.authenticate": "true"  # other users can connect to any port
}
"""Settings of a session that is started here, unless the user's own configuration has them."""


@contextmanager
def session(read_options: ReadOptions) -> Iterator[None]:
    """Hold a session while the block runs; an existing session is used, and left open."""
    before = SparkSession.getActiveSession()
    session = _session(read_options)
    try:
        yield
    finally:
        if before is None:
            with suppress(Exception):  # it may be gone already, and that error has been reported
                session.stop()


def open_files(file: TableFile, columns: list[str], starts: list[int] | None, read_options: ReadOptions) -> Any:
    """Return columns of Parquet files as a lazy frame."""
    session = _session(read_options)
    _refuse_names_alike(session, file)
    frame = session.read.parquet(*(_address_of(path) for path in file.input_file.paths))
    wanted = [f.col(_quoted(name)) for name in columns]
    if starts is None:
        return frame.select(*wanted)
    return frame.select(
        *wanted, (_first_of_file(frame, file, starts) + _file_metadata(frame, "row_index")).alias(RECORD_NUMBER)
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
    """Return the existing session, or start one."""
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
    if read_options.cluster is not None:
        configuration.setMaster(read_options.cluster)
    is_local = str(configuration.get("spark.master", "local[*]")).startswith("local")
    for key, value in (_SETTINGS | (_LOCAL_SETTINGS if is_local else {})).items():
        configuration.setIfMissing(key, value)
    spills = str(configuration.get("spark.local.dir") or "").partition(",")[0]
    spill = read_options.spill or (Path(spills) if spills else None)
    configuration.set("spark.local.dir", str(lasting_spill_folder(spill)))  # Spark's own folders can be read by all
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


def _start_java() -> None:
    """Start Java, unless it runs, without its messages on standard error."""
    if SparkContext._gateway is not None or "PYSPARK_GATEWAY_PORT" in os.environ:  # noqa: SLF001
        return
    try:
        launch: Any = java_gateway.launch_gateway
        with safe_path():  # Java hands its environment on to Python's workers
            gateway = launch(SparkConf(), {"stderr": subprocess.DEVNULL})
        SparkContext._ensure_initialized(gateway=gateway)  # noqa: SLF001
    except Exception as error:
        raise InvalidScenarioError(
            f"Spark {pyspark.__version__} does not start: it needs Java 17 or newer; install it (on Debian: apt-get "
            "install default-jre-headless), or say in JAVA_HOME where it is"
        ) from error


def _check_master_listens(address: str | None) -> None:
    """Check that a master listens at spark://HOST:PORT: Spark itself takes a minute to report that none does."""
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
    first = {path.name: start for path, start in zip(file.input_file.paths, starts, strict=True)}
    seen = [address.rpartition("/")[2] for address in frame.inputFiles()]  # as Spark writes them, spaces as %20
    numbers = f.create_map(*(f.lit(one) for name in seen for one in (name, first[unquote(name)])))
    found = numbers[f.element_at(f.split(_file_metadata(frame, "file_path"), "/"), -1)]
    return f.coalesce(found, f.raise_error(f.lit("a file that is not of the table")))


def _file_metadata(frame: Any, what: str) -> Any:
    """Return Spark's metadata of the file of a row, for any names of the file's columns."""
    return frame.metadataColumn("_metadata").getField(what)


def _refuse_names_alike(session: Any, file: TableFile) -> None:
    """Refuse names that a session does not distinguish; ours does."""
    if session.conf.get("spark.sql.caseSensitive").lower() == "true":
        return
    by_fold: dict[str, str] = {}
    for name in file.names:
        other = by_fold.setdefault(name.casefold(), name)
        if other != name:
            raise InvalidDataError(
                f"{file.path}: columns {quoted(other)} and {quoted(name)} differ in capital letters only, which this "
                "Spark session does not distinguish; set spark.sql.caseSensitive to true there, or rename one of them"
            )


def _address_of(path: Path) -> str:
    """Return a path as an address for Spark: in this file system, and not a pattern."""
    return "".join(f"\\{letter}" if letter in _GLOB else letter for letter in _plain_address_of(path))


def _plain_address_of(path: Path) -> str:
    return f"file:{path.absolute()}"


def _quoted(name: str) -> str:
    return f"`{name.replace('`', '``')}`"
