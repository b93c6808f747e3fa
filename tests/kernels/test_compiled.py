"""Compiled loops are kept on disk; if the disk fails, a command prints a line and takes some seconds longer."""

import errno
import importlib.util
import os
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import numba
import pytest
from numba.core.caching import _CacheLocator
from numba.core.errors import TypingError

import gamedeid
from gamedeid.cli.entry_point import report_compilation
from gamedeid.errors import CacheWarning
from gamedeid.kernels.guarded_numba import refusal
from gamedeid.kernels.tables import WITHHELD
from gamedeid.progress import Compilation

WITHOUT = (
    "they are compiled anew in every run, which takes some seconds; NUMBA_CACHE_DIR can name a folder to keep them in"
)
LOOP = """
from gamedeid.kernels.compiled import compiled

@compiled
def add(one, other):
    return one + other
"""


@pytest.fixture(name="folder")
def _folder(tmp_path, monkeypatch):
    monkeypatch.setattr("gamedeid.kernels.compiled._said", set())
    monkeypatch.setattr("gamedeid.kernels.compiled._writable", set())
    monkeypatch.setattr("gamedeid.kernels.compiled._refused", {})
    monkeypatch.setattr("numba.core.config.CACHE_DIR", "")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    refusal.cache_clear()
    (tmp_path / "loops.py").write_text(LOOP)
    return tmp_path


def loaded(folder):
    """Return the loop as a new process would have it."""
    found = importlib.util.spec_from_file_location("loops", folder / "loops.py")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module.add


def twice(folder):
    """Return the results of two processes."""
    return loaded(folder)(1, 2), loaded(folder)(1.5, 2.0)


def said_by(call, *arguments):
    """Return the result of a call, and its warnings."""
    with pytest.warns(CacheWarning) as said:
        found = call(*arguments)
    return found, [str(one.message) for one in said]


def found_again(folder):
    """Return the loop as a new process finds it, kept by an earlier one."""
    again = loaded(folder)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert 3 == again(1, 2)
    assert 1 == sum(again.stats.cache_hits.values())
    return again


def test_compiled_loops_are_kept(folder):
    assert 3 == loaded(folder)(1, 2)
    found_again(folder)


@pytest.mark.parametrize("content", [b"", None], ids=["empty", "cut"])
@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_a_damaged_file_is_made_anew_and_reported_once(folder, kind, content):
    loaded(folder)(1, 2)
    (path,) = folder.glob(f"__pycache__/*.{kind}")
    path.write_bytes(path.read_bytes()[:-20] if content is None else content)

    kept = f"`{folder / '__pycache__'}`"
    said = f"compiled loops kept in {kept} were damaged (a full disk?); they are compiled and kept anew"
    assert ((3, 3.5), [said]) == said_by(twice, folder)
    found_again(folder)


def test_files_of_another_version_are_not_read(folder, monkeypatch):
    loaded(folder)(1, 2)
    (path,) = folder.glob("__pycache__/*.nbi")
    path.write_bytes(path.read_bytes()[:-20])
    monkeypatch.setattr("gamedeid.kernels.compiled.source_digest", lambda: "of another version")
    assert (3, 3.5) == twice(folder)


def test_a_full_disk_is_reported_once(folder, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("numba.core.caching.IndexDataCacheFile._open_for_write", full)
    said = f"compiled loops cannot be kept in `{folder / '__pycache__'}` (No space left on device); {WITHOUT}"
    assert ((3, 3.5), [said]) == said_by(twice, folder)


def test_a_package_and_a_home_that_cannot_be_written_are_reported_once(folder, monkeypatch):
    def refuse(*_):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("numba.core.caching._CacheLocator.ensure_cache_path", refuse)
    assert ((3, 3.5), [f"there is no folder that compiled loops can be kept in; {WITHOUT}"]) == said_by(twice, folder)


def test_loops_kept_next_to_the_package_are_found_where_nothing_can_be_written(folder, monkeypatch):
    def refuse(*_):
        raise OSError(errno.EROFS, "Read-only file system")

    loaded(folder)(1, 2)
    monkeypatch.setattr("gamedeid.kernels.compiled._writable", set())
    monkeypatch.setattr("numba.core.caching._CacheLocator.ensure_cache_path", refuse)
    monkeypatch.setattr("numba.core.caching.IndexDataCacheFile._open_for_write", refuse)
    again = found_again(folder)
    said = f"compiled loops cannot be kept in `{folder / '__pycache__'}` (Read-only file system); {WITHOUT}"
    assert (3.5, [said]) == said_by(again, 1.5, 2.0)


def test_loops_kept_next_to_the_package_are_found_though_others_are_kept_elsewhere(folder, monkeypatch):
    loaded(folder)(1, 2)
    beside = sorted((folder / "__pycache__").iterdir())
    monkeypatch.setattr("numba.core.config.CACHE_DIR", str(folder / "elsewhere"))
    again = loaded(folder)

    assert (3, 3.5) == (again(1, 2), again(1.5, 2.0))
    assert (1, 1) == (sum(again.stats.cache_hits.values()), sum(again.stats.cache_misses.values()))
    assert beside == sorted((folder / "__pycache__").iterdir())
    assert 1 == len(list((folder / "elsewhere").rglob("*.nbc")))
    last = loaded(folder)
    assert (3, 3.5) == (last(1, 2), last(1.5, 2.0))
    assert 2 == sum(last.stats.cache_hits.values())


def test_loops_damaged_next_to_the_package_are_compiled_for_the_other_folder(folder, monkeypatch):
    loaded(folder)(1, 2)
    for path in folder.glob("__pycache__/*.nb?"):
        path.write_bytes(path.read_bytes()[:-20])
    monkeypatch.setattr("numba.core.config.CACHE_DIR", str(folder / "elsewhere"))

    assert 3 == loaded(folder)(1, 2)
    found_again(folder)


@pytest.mark.skipif(os.name != "posix", reason="elsewhere, no account is without a home")
def test_a_user_without_a_home_finds_no_folder_named_for_it(folder, monkeypatch):
    ensure = _CacheLocator.ensure_cache_path

    def read_only_package(locator):
        if locator.get_cache_path() == str(folder / "__pycache__"):
            raise OSError(errno.EROFS, "Read-only file system")
        ensure(locator)

    monkeypatch.setattr("numba.core.caching._CacheLocator.ensure_cache_path", read_only_package)
    monkeypatch.setattr("posixpath.expanduser", lambda path: path)  # as for a number without an account, and no HOME
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    (folder / "here").mkdir()
    monkeypatch.chdir(folder / "here")
    assert ((3, 3.5), [f"there is no folder that compiled loops can be kept in; {WITHOUT}"]) == said_by(twice, folder)
    assert [] == list((folder / "here").iterdir())


def test_a_worker_process_prints_nothing(folder, monkeypatch):
    monkeypatch.setattr("multiprocessing.parent_process", lambda: "another")
    monkeypatch.setattr("numba.core.caching.IndexDataCacheFile._open_for_write", lambda *_: 1 / 0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert 3 == loaded(folder)(1, 2)


ASK = """
import numpy as np
from gamedeid.kernels.frontier import choose_entry
from gamedeid.kernels.tables import Entries, CompiledStakes
entries = Entries(np.array([0, 1]), np.ones(1), np.array([7]), np.zeros(1, np.int64), np.ones(1, np.bool_))
chosen = choose_entry(entries, 0, CompiledStakes(100.0, 50.0, 7, 1e-7), None, True)
print(chosen, sum(choose_entry.stats.cache_hits.values()))
"""
RULE, OTHER = "return 0 < people <= attack_limit", "return 0 < people < attack_limit"


def test_callers_follow_when_a_rule_in_another_file_changes(tmp_path):
    skipped = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(gamedeid.__file__).parent, tmp_path / "gamedeid", ignore=skipped)
    rules = tmp_path / "gamedeid" / "kernels" / "rules.py"
    ours = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "NUMBA_DISABLE_JIT": "0"}

    def entry_and_hits():
        run = subprocess.run(
            [sys.executable, "-c", ASK], cwd=tmp_path, env=os.environ | ours, stdout=subprocess.PIPE, check=True
        )
        return [int(word) for word in run.stdout.split()]

    assert [WITHHELD, 0] == entry_and_hits()  # a group of 7 is attacked, and the game forbids that
    assert [WITHHELD, 1] == entry_and_hits()
    assert 1 == rules.read_text().count(RULE)
    rules.write_text(rules.read_text().replace(RULE, OTHER))
    assert [0, 0] == entry_and_hits()


QUICK = """
import sys
import numpy as np
sys.path.insert(0, {folder!r})
from loops import add
print(add(1, 2), "scipy.linalg" in sys.modules)
import numba
product = numba.njit(lambda one, other: np.dot(one, other))
print(product(np.arange(3.0), np.ones(3)))
print(numba.njit(lambda one: add(one, 2))(5))
"""


def test_kept_loops_load_without_the_compiler_and_users_compile_as_usual(folder):
    code = QUICK.format(folder=str(folder))
    runs = [
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, encoding="utf-8")
        for _ in range(2)
    ]

    assert "3 False\n3.0\n7\n" == runs[1].stdout
    assert runs[0].stdout.startswith("3 ")


def test_a_loop_is_compiled_once_for_a_number_that_is_written_out_and_any_other(folder):
    add = loaded(folder)
    assert 3 == add(1, 2)
    assert 7 == numba.njit(lambda one: add(one, 2))(5)
    assert [(numba.int64, numba.int64)] == add.signatures


def test_the_time_of_compiling_is_measured_and_reported_once(folder, monkeypatch):
    begun, told = Compilation(), []
    begun.begun = lambda: told.append(begun.seconds)
    monkeypatch.setattr("gamedeid.kernels.compiled.COMPILATION", begun)
    add = loaded(folder)
    add(1, 2)
    first = begun.seconds
    add(1.0, 2.0)

    assert [0.0] == told
    assert 0 < first < begun.seconds
    loaded(folder)(1, 2)
    again = begun.seconds
    assert loaded(folder)(1, 2) == 3
    assert again == begun.seconds
    assert not begun.lost


def test_a_loop_that_cannot_be_compiled_does_not_stop_the_clock_for_the_next(folder, monkeypatch):
    monkeypatch.setattr("gamedeid.kernels.compiled.COMPILATION", begun := Compilation())
    add = loaded(folder)
    with pytest.raises(TypingError):
        add("1", 2)
    failed = begun.seconds
    add(1, 2)

    assert 0 == begun.depth
    assert 0 < failed < begun.seconds


@pytest.mark.parametrize(
    ("terminal", "lost", "said"),
    [
        (True, False, ["", "later runs use the compiled loops"]),
        (True, True, ["", "later runs compile"]),
        (False, False, []),
    ],
)
def test_a_terminal_shows_compiling_and_that_loops_are_kept_only_if_true(monkeypatch, capsys, terminal, lost, said):
    monkeypatch.setattr("gamedeid.cli.entry_point.COMPILATION", told := Compilation())
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal, raising=False)
    with report_compilation():
        told.begin()
        told.lost = lost
        told.end()

    for words, line in zip(said, capsys.readouterr().err.splitlines(), strict=True):
        assert "compiling" in line
        assert words in line
