"""Real clusters of several processes on this machine; a test can kill one process during a run."""

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from browser import unavailable

PATIENCE = 60.0
"""Most seconds that a process may take to start."""

CONFIGURATION = """
spark.executor.memory 512m
spark.executor.cores 1
spark.cores.max 2
spark.sql.files.openCostInBytes 128m
spark.sql.shuffle.partitions 2
spark.sql.adaptive.enabled false
spark.sql.codegen.wholeStage false
spark.sql.codegen.factoryMode NO_CODEGEN
spark.driver.extraJavaOptions -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
spark.executor.extraJavaOptions -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
"""
"""A user's usual configuration: an executor on each worker, a task for each file.

Java shall start fast, and no query is long enough to be worth compiling.
"""


def require(*modules: str, java: bool = False) -> None:
    """Skip or fail the test if a package or Java is not installed."""
    lacking = [name for name in modules if find_spec(name) is None]
    if java and shutil.which("java") is None:
        lacking.append("java")
    if lacking:
        unavailable(f"no {', '.join(lacking)} to run a cluster with")


def start_spark_quickly(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """Keep the configuration in a folder, and let Spark read it from there, in this process and those it starts."""
    (folder / "spark-defaults.conf").write_text(CONFIGURATION)
    patch.setenv("SPARK_CONF_DIR", str(folder))


@dataclass(frozen=True, kw_only=True)
class SmallCluster:
    """A running cluster: its address, and the processes started for it, the workers last."""

    address: str
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def workers(self) -> list[int]:
        """Process ids of the workers, or of the processes that supervise them."""
        return [process.pid for process in self.processes[1:]]


@contextmanager
def spark_cluster(folder: Path) -> Iterator[SmallCluster]:
    """Start a standalone master and two workers with a core each."""
    import pyspark  # noqa: PLC0415

    command = [str(Path(pyspark.__file__).parent / "bin" / "spark-class")]
    local = {
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_DAEMON_JAVA_OPTS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    }
    with _processes(folder, local) as start:
        master = start("master", [*command, "org.apache.spark.deploy.master.Master", *_ports("127.0.0.1")])
        address = _said(folder / "master.log", r"Starting Spark master at (spark://\S+)")
        size = ["--cores", "1", "--memory", "640m", "--work-dir"]
        workers = [
            start(
                name,
                [*command, "org.apache.spark.deploy.worker.Worker", *_ports("127.0.0.1"), *size, str(folder), address],
            )
            for name in ("one", "two")
        ]
        for name in ("one", "two"):
            _said(folder / f"{name}.log", "(Successfully registered with master)")
        yield SmallCluster(address=address, processes=[master, *workers])


@contextmanager
def dask_cluster(folder: Path, preload: str) -> Iterator[SmallCluster]:
    """Start a scheduler and two workers with a thread each, which nannies restart; workers load a script first."""
    (folder / "preload.py").write_text(preload)
    dask = [sys.executable, "-m", "dask"]
    common = ["--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0"]
    ours = {
        "DASK_TEMPORARY_DIRECTORY": str(folder),
        "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "false",  # it samples the worker a hundred times a second
        "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "10s",
    }
    with _processes(folder, ours) as start:
        scheduler = start("scheduler", [*dask, "scheduler", *common, "--port", "0"])
        address = _said(folder / "scheduler.log", r"Scheduler at:\s+(tcp://\S+)")
        each = ["--nthreads", "1", "--memory-limit", "1GiB", "--preload", str(folder / "preload.py")]
        workers = [start(name, [*dask, "worker", address, *common, *each]) for name in ("one", "two")]
        for name in ("one", "two"):
            _said(folder / f"{name}.log", r"(Registered to:)")
        yield SmallCluster(address=address, processes=[scheduler, *workers])


@contextmanager
def killing_process(find: Callable[[], int | None]) -> Iterator[list[int]]:
    """Kill the first process that ``find`` returns while the block runs; yield the list of killed process ids."""
    killed: list[int] = []
    over = threading.Event()

    def watch() -> None:
        while not killed and not over.wait(0.005):
            number = find()
            if number is not None:
                os.kill(number, signal.SIGKILL)
                killed.append(number)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield killed
    finally:
        over.set()
        watcher.join()


@contextmanager
def restarted_java() -> Iterator[None]:
    """Let Spark restart Java in the block, with the environment as it is then, and again after the block."""
    _forget_java()
    try:
        yield
    finally:
        _forget_java()


def _forget_java() -> None:
    from pyspark import SparkContext  # noqa: PLC0415

    gateway = SparkContext._gateway  # noqa: SLF001
    if gateway is not None:
        gateway.shutdown()
        gateway.proc.stdin.close()
        gateway.proc.wait(PATIENCE)
        SparkContext._gateway = SparkContext._jvm = None  # noqa: SLF001


def descendants(numbers: list[int], of_command: str) -> list[int]:
    """Return the child processes whose command line contains a word."""
    import psutil  # noqa: PLC0415

    found = []
    for number in numbers:
        for process in psutil.Process(number).children(recursive=True):
            try:
                if any(of_command in word for word in process.cmdline()):
                    found.append(process.pid)
            except psutil.Error:  # it has ended meanwhile
                continue
    return found


@contextmanager
def _processes(folder: Path, more: dict[str, str]) -> Iterator[Callable[[str, list[str]], Any]]:
    started: list[subprocess.Popen[bytes]] = []

    def start(name: str, command: list[str]) -> subprocess.Popen[bytes]:
        with (folder / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(
                command, stdout=log, stderr=log, env=os.environ | more, cwd=folder, start_new_session=True
            )
        started.append(process)
        return process

    try:
        yield start
    finally:
        for process in reversed(started):
            process.terminate()
        for process in reversed(started):
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _ports(host: str) -> list[str]:
    return ["--host", host, "--port", "0", "--webui-port", "0"]


def _said(log: Path, pattern: str) -> str:
    """Wait until a process has logged a text, and return the matched part."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = re.search(pattern, log.read_text("utf-8", errors="replace"))
        if found:
            return found[1]
        time.sleep(0.05)
    raise AssertionError(f"{pattern!r} was never said:\n{log.read_text('utf-8', errors='replace')}")
