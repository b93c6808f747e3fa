"""Fixtures of all tests, the option `--deep`, and the order in which tests start."""

import atexit
import compileall
import gc
import os
import secrets
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from compiled_once import held, share_compiled_loops
from depth import choose_depth
from writing_outputs import small_disk  # noqa: F401  (fixtures are found by their names here)

READ_BY_ALL = (Path(__file__).parents[1] / "gamedeid", Path(__file__).parent / "kit")
"""Folders of modules that every process of a run imports."""

MEMORY, ROOM = Path("/dev/shm"), 4 * 2**30  # noqa: S108  (of Linux; each run has a folder of its own there)
"""A folder in memory, and the least free bytes that it needs to be used for temporary files."""

FIRST = ("tests/data/engines/",)
"""Tests that share a cluster of processes: they start first, so that workers do not divide them."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--deep", action="store_true", help="try many more random inputs and moments: takes hours")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Start half as many processes again as there are cores: tests wait for browsers, commands and disks."""
    del config
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + (cores + 1) // 2


def pytest_configure(config: pytest.Config) -> None:
    choose_depth(deep=config.getoption("deep"))
    os.fsync = lambda _descriptor: None  # no test needs files to survive a power failure
    if hasattr(config, "workerinput"):  # one of several processes
        share_compiled_loops()
    else:
        _keep_files_in_memory()
        for folder in READ_BY_ALL:  # hundreds of processes follow, some with an order not to write bytecode
            compileall.compile_dir(folder, quiet=2, workers=0)
    # A shell's background jobs ignore Ctrl-C, and so would the processes that tests interrupt.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _keep_files_in_memory() -> None:
    """Keep temporary files of a run in memory, if `TMPDIR` names no folder: a disk may take milliseconds for each."""
    if "TMPDIR" in os.environ or not MEMORY.is_dir():
        return
    state = os.statvfs(MEMORY)
    if state.f_bavail * state.f_frsize < ROOM or state.f_flag & os.ST_NOEXEC:
        return
    letters = "".join(secrets.choice("ghkmnprstvwz") for _ in range(12))  # letters in no value that a test finds
    name = f"gamedeid-{letters}"
    (MEMORY / name).mkdir()
    (MEMORY / name).chmod(0o711)  # some tests let another user read their folders
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY / name)
    # at the exit: `multiprocessing` of Python 3.13 fails at its own, which comes before, if its folder has gone
    atexit.register(shutil.rmtree, MEMORY / name, ignore_errors=True)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Exclude the tests and all that they import from garbage collection: they stay to the end.

    Later, collect garbage as rarely as the command does.
    """
    from gamedeid.cli.entry_point import LOADED_OBJECTS  # noqa: PLC0415  (as below)

    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(LOADED_OBJECTS)
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[Any]:
    """Let only one of several processes rewrite a file's assertions, the slowest step; the others load them."""
    if not isinstance(collector, pytest.Module) or not hasattr(collector.config, "workerinput"):
        return (yield)
    keeps, sys.dont_write_bytecode = sys.dont_write_bytecode, False
    try:
        with held(str(collector.path)):
            return (yield)
    finally:
        sys.dont_write_bytecode = keeps


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not item.nodeid.startswith(FIRST))


@pytest.fixture(scope="session")
def forked() -> Iterator[Any]:
    """Yield a runner of the command line in processes without a start."""
    from forked_runs import ForkedRuns  # noqa: PLC0415  (as below)

    runs = ForkedRuns("quickstart")
    yield runs
    runs.end()


@pytest.fixture(scope="module")
def running() -> Iterator[Any]:
    """Yield a browser; it ends with the test file, since an asyncio loop runs in this thread as long as it is open."""
    from browser import browser  # noqa: PLC0415  (as below)

    with browser() as one:
        yield one


@pytest.fixture
def no_games_in_groups() -> Iterator[None]:
    """Leave out the games of groups where they are played by default."""
    from questions import without_games_in_groups  # noqa: PLC0415  (as below)

    with without_games_in_groups():
        yield


@pytest.fixture
def parts_of_four(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a block be two records, and a part two blocks."""
    rooms = ("data.files.tables", "data.engines.lazy", "data.engines.rows")
    for room in (*rooms, "results.parts", "results.row_order", "study.release"):
        monkeypatch.setattr(f"gamedeid.{room}.TABLE_ROWS", 2)
    monkeypatch.setattr("gamedeid.results.parts.PART_BLOCKS", 2)


@pytest.fixture(scope="session", autouse=True)
def _documents_noted() -> Iterator[None]:
    from schema_checks import every_document_checked  # noqa: PLC0415  (large; only those who run tests need it)

    with every_document_checked():
        yield


@pytest.fixture(autouse=True)
def _documents_are_as_their_schemas_say(request: pytest.FixtureRequest, _documents_noted: None) -> Iterator[None]:
    """Fail a test if it or its child processes have made a JSON document that violates its schema."""
    from schema_checks import FOUND, faults_below  # noqa: PLC0415  (as above)

    folder = request.getfixturevalue("tmp_path") if "tmp_path" in request.fixturenames else None
    yield
    found, FOUND[:] = list(FOUND), []
    found += [] if folder is None else faults_below(folder)
    assert found == [] or request.node.get_closest_marker("own_documents") is not None
