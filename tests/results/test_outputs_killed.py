"""Killed runs, and how the next run clears their remains."""

import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest
from forked_writers import FORKING, write_again_and_again, write_for_ever, write_until
from writing_outputs import RESULTS, everything_in, mode, names_in, results

from gamedeid.results.staging import Place, acquire_lock, hidden_folder

pytestmark = pytest.mark.own_documents


def kill(write: Callable[..., None], target: Path, *, after: float) -> None:
    begun = FORKING.Event()
    process = FORKING.Process(target=write, args=(target, begun))
    process.start()
    begun.wait()
    time.sleep(after)
    process.kill()
    process.join()
    assert process.exitcode == -signal.SIGKILL


@pytest.mark.parametrize("moment", range(8))
def test_a_run_killed_while_it_writes_shows_nothing_and_the_next_one_removes_what_it_hid(tmp_path, moment):
    kill(write_for_ever, tmp_path / "out", after=moment * 0.0017)
    (hidden,) = tmp_path.iterdir()
    assert (hidden.name.startswith(".gamedeid-"), mode(hidden)) == (True, 0o700)
    Place.of(tmp_path / "out").sweep()
    assert names_in(tmp_path) == []


@pytest.mark.parametrize("moment", range(12))
def test_a_run_killed_at_any_moment_leaves_whole_results_or_none_and_the_next_run_clears_up(tmp_path, moment):
    target = tmp_path / "out"
    kill(write_again_and_again, target, after=0.003 + moment * 0.0061)
    Place.of(target).sweep()
    assert names_in(tmp_path) in ([], ["out"])
    if target.exists():
        found = everything_in(target)
        number = json.loads(found["manifest.json"])["gamedeid"]
        text = f"{number}\n".encode() * 1000
        assert {name: content for name, content in found.items() if name != "manifest.json"} == {
            "release.csv": text,
            "summary.json": text,
        }
    results(target, "next", overwrite=True)
    assert names_in(tmp_path) == ["out"]
    assert names_in(target) == RESULTS


@pytest.mark.parametrize(
    "before", [{}, {"release.csv": b"old", "manifest.json": b'{"gamedeid":"0","outputs":{"release.csv":""}}'}]
)
def test_a_run_killed_after_each_of_its_last_steps_loses_neither_old_nor_new(tmp_path, before):
    new = {"release.csv": b"new", "manifest.json": b'{"gamedeid": "0", "outputs": {"release.csv": ""}}'}
    for step in range(1, 20):
        target = tmp_path / f"step{step}" / "out"
        target.parent.mkdir()
        if before:
            target.mkdir()
        for name, content in before.items():
            (target / name).write_bytes(content)
        process = FORKING.Process(target=write_until, args=(step, target))
        process.start()
        process.join()
        assert process.exitcode in {0, -signal.SIGKILL}
        done = process.exitcode == 0
        Place.of(target).sweep()
        assert names_in(target.parent) in (["out"], [] if not before else ["out"])
        found = everything_in(target) if target.exists() else {}
        assert found == new if done else found in (before, new)
        if done:
            break
    assert done
    assert step > 2 if before else step > 1


def test_hidden_folders_of_a_live_run_are_left_alone(tmp_path):
    place = Place.of(tmp_path / "out")
    with hidden_folder(place) as hidden:
        place.sweep()
        assert names_in(tmp_path) == [hidden.name]
    assert names_in(tmp_path) == []


def test_hidden_folders_of_other_targets_and_computers_are_left_alone(tmp_path, monkeypatch):
    other = Place.of(tmp_path / "other").hidden()
    other.write_text("text")
    (tmp_path / ".gamedeid-notes").write_text("mine")
    with monkeypatch.context() as patch:
        patch.setattr("platform.node", lambda: "another computer")
        foreign = Place.of(tmp_path / "out").hidden()
        foreign.write_text("text")
    Place.of(tmp_path / "out").sweep()
    assert names_in(tmp_path) == sorted([other.name, foreign.name, ".gamedeid-notes"])


def test_folders_that_others_made_in_a_hidden_one_are_swept_too(tmp_path):
    hidden = Place.of(tmp_path / "out").hidden()
    (hidden / "inner").mkdir(parents=True)
    (hidden / "inner" / "part").write_text("text")
    (hidden / "away").symlink_to(tmp_path.parent)
    results(tmp_path / "out", "text")
    assert names_in(tmp_path) == ["out"]
    assert tmp_path.parent.is_dir()


def test_a_folder_that_cannot_be_removed_does_not_stop_a_run(tmp_path, monkeypatch):
    hidden = Place.of(tmp_path / "out").hidden()
    hidden.mkdir()

    with monkeypatch.context() as patch:
        patch.setattr("gamedeid.results.staging.remove", Mock(side_effect=PermissionError()))
        Place.of(tmp_path / "out").sweep()
    assert names_in(tmp_path) == [hidden.name]


def test_a_link_under_a_hidden_name_is_not_followed(tmp_path):
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "file").write_text("mine")
    Place.of(tmp_path / "out").hidden().symlink_to("precious")
    results(tmp_path / "out", "text")
    assert (tmp_path / "precious" / "file").read_text() == "mine"


def test_only_one_holds_a_lock_and_only_of_what_still_has_the_name(tmp_path):
    (tmp_path / "file").write_text("")
    lock = acquire_lock(tmp_path / "file")
    assert lock is not None
    with pytest.raises(BlockingIOError):
        acquire_lock(tmp_path / "file")
    os.close(lock)
    with pytest.raises(FileNotFoundError):
        acquire_lock(tmp_path / "none")
