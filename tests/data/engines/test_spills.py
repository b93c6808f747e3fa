"""Data spilled to disk: only the owner can read them, and all are removed, even after SIGKILL."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from other_users import list_files
from questions import message
from small_world import gamedeid_says, process_environment, small_world

from gamedeid.data.engines.options import lasting_spill_folder, spill_folder, sweep_spills
from gamedeid.errors import OutputError, quoted

KILLED = """
import os, signal, sys
from pathlib import Path
from gamedeid.data.engines.options import {made} as made

{use}
"""
USES = {
    "spill_folder": "with made(Path(sys.argv[1])) as folder:\n    {then}",
    "lasting_spill_folder": "folder = made(Path(sys.argv[1]))\n{then}",
}


def run_python(made, then, folder):
    words = KILLED.format(made=made, use=USES[made].format(then=then))
    return subprocess.run(
        [sys.executable, "-c", words, folder], capture_output=True, text=True, env=process_environment(), check=False
    )


@pytest.fixture(name="public")
def _public():
    """A folder that every user may enter, like the system's temporary one."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o1777)
    yield folder
    shutil.rmtree(folder)


def test_other_users_cannot_list_spilled_data(public):
    with spill_folder(public) as folder:
        (folder / "SECRET").write_text("SECRET")
        done = list_files(public)

        assert folder.name in done.stdout
        assert (True, False) == ("Permission denied" in done.stderr, "SECRET" in done.stdout)


def test_a_spill_folder_is_its_owners_whatever_the_umask_and_goes_away(tmp_path):
    before = os.umask(0)
    try:
        with spill_folder(tmp_path) as folder:
            assert 0o700 == folder.stat().st_mode & 0o777
            (folder / "rows").mkdir()
    finally:
        os.umask(before)
    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize("made", USES)
def test_the_next_run_of_any_engine_sweeps_the_spilled_data_of_a_killed_run(made, tmp_path):
    then = "(folder / 'rows').write_text('SECRET'); os.kill(os.getpid(), signal.SIGKILL)"
    world = small_world(tmp_path)
    spill = tmp_path / "spill"
    spill.mkdir()
    assert -9 == run_python(made, then, spill).returncode
    (left,) = spill.iterdir()
    assert "SECRET" == (left / "rows").read_text()

    assert 0 == gamedeid_says("run", world, "--engine", "memory", "--spill", spill).code
    assert [] == list(spill.iterdir())


def test_a_lasting_folder_goes_away_with_its_process(tmp_path):
    done = run_python("lasting_spill_folder", "print(folder.is_dir(), made(folder.parent) == folder)", tmp_path)

    assert "True True\n" == done.stdout
    assert [] == list(tmp_path.iterdir())


def test_spilled_data_of_a_live_run_are_left_alone(tmp_path):
    with spill_folder(tmp_path) as folder:
        sweep_spills(tmp_path)
        with spill_folder(tmp_path) as other:
            assert {folder, other} == set(tmp_path.iterdir())
        assert [folder] == list(tmp_path.iterdir())


def test_spill_folders_of_another_user_are_left_alone(public, monkeypatch):
    with spill_folder(public) as folder:
        stem = folder.name.rpartition("-")[0]
        kept = public / f"{stem}-0123456789abcdef.spill"
        kept.mkdir()
    monkeypatch.setattr("os.geteuid", lambda: 12345)
    sweep_spills(public)
    assert [kept] == list(public.iterdir())
    monkeypatch.undo()
    sweep_spills(public)
    assert [] == list(public.iterdir())


def test_an_unusable_spill_folder_is_one_line(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.mkdir", refuse)
    expected = f"cannot spill to {quoted(tmp_path)}: you may not write there; choose another folder (ReadOptions.spill)"
    assert expected == message(OutputError, lambda: spill_folder(tmp_path).__enter__())
    assert expected == message(OutputError, lasting_spill_folder, tmp_path)
