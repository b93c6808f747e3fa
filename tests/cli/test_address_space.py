"""Does a command end soon, with one line, if memory, address space or threads have run out?"""

import errno
import subprocess
import sys
import threading
from unittest.mock import Mock

import pytest
from small_world import gamedeid_says, process_environment, refused, small_world

from gamedeid.cli import address_space

resource = pytest.importorskip("resource")

PLENTY = "not enough memory for this question; try fewer attributes, or a computer with more"


def limited_to(size, monkeypatch):
    monkeypatch.setattr(resource, "getrlimit", lambda _: (size, resource.RLIM_INFINITY))


@pytest.mark.parametrize("size", [400_000, 1_500_000])
def test_less_address_space_than_libraries_need_is_refused_before_they_are_loaded(size, tmp_path):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (size * 1024, size * 1024))

    said = subprocess.run(
        [sys.executable, "-m", "gamedeid", "compare", small_world(tmp_path)],
        preexec_fn=limit,
        env=process_environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    shown = "390 MiB" if size == 400_000 else "1.4 GiB"
    assert (2, "") == (said.returncode, said.stdout)
    assert (
        f"gamedeid: not enough memory to begin: the address space is limited to {shown} (ulimit -v), and at least "
        "3.0 GiB are needed; raise the limit\n"
    ) == said.stderr


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["compare", "--help"]])
def test_help_is_given_in_any_address_space(words, monkeypatch):
    limited_to(2**28, monkeypatch)
    assert 0 == gamedeid_says(*words).code


@pytest.mark.parametrize("given", [{}, {"MIMALLOC_PURGE_DELAY": "0"}])
def test_without_a_limit_freed_memory_waits_for_the_next_block_and_nothing_is_loaded(given, monkeypatch):
    limited_to(resource.RLIM_INFINITY, monkeypatch)
    monkeypatch.setattr(address_space, "_load_linear_algebra", lambda: pytest.fail("loaded"))
    monkeypatch.setattr(address_space.os, "environ", dict(given))

    assert address_space.prepare_address_space(["compare", "scenario.toml"]) is None
    assert {"MIMALLOC_PURGE_DELAY": "1000", **given} == address_space.os.environ


def test_within_a_limit_libraries_are_frugal_unless_they_were_set_otherwise(monkeypatch):
    limited_to(address_space.LEAST, monkeypatch)
    monkeypatch.setattr(address_space.os, "environ", {"OPENBLAS_NUM_THREADS": "2"})

    assert address_space.prepare_address_space(["compare", "scenario.toml"]) is None
    assert {"OPENBLAS_NUM_THREADS": "2", "ARROW_DEFAULT_MEMORY_POOL": "system"} == address_space.os.environ


SHORTAGES = (
    MemoryError(),
    OSError(errno.ENOMEM, "Cannot allocate memory"),
    ImportError("x.so: failed to map segment from shared object"),
    RuntimeError("std::bad_alloc"),
    RuntimeError("can't start new thread"),
)
LIMITED = (
    "not enough memory for this question: the address space is limited to 4.0 GiB (ulimit -v); raise the limit, or try "
    "fewer attributes"
)
THREADS = "no further thread can be started; raise the limit of processes (ulimit -u), or end other programs"


@pytest.mark.parametrize(
    ("limit", "error", "line"),
    [
        *((4 * 2**30, error, LIMITED) for error in SHORTAGES),
        (resource.RLIM_INFINITY, SHORTAGES[1], PLENTY),
        (resource.RLIM_INFINITY, SHORTAGES[4], THREADS),
    ],
)
def test_exhausted_memory_or_threads_give_one_line_that_names_the_limit(limit, error, line, tmp_path, monkeypatch):
    world = small_world(tmp_path)
    limited_to(limit, monkeypatch)
    monkeypatch.setattr("gamedeid.study.study.Study.prepare", Mock(side_effect=error))

    assert line == refused("compare", world)


def test_a_librarys_error_by_a_shortage_is_reported_as_a_shortage():
    error = ValueError("no table")
    error.__cause__ = MemoryError()
    assert PLENTY == address_space.shortage_message(error)
    assert address_space.shortage_message(ValueError("no table")) is None


def test_a_command_runs_without_a_thread_for_signals(tmp_path, monkeypatch):
    world = small_world(tmp_path)

    monkeypatch.setattr(threading.Thread, "start", Mock(side_effect=RuntimeError("can't start new thread")))
    assert gamedeid_says("compare", world).code in {0, 2}
