"""Several runs for one folder."""

import os
from pathlib import Path

import pytest
from forked_writers import FORKING, race
from writing_outputs import everything_in, names_in, results

from gamedeid.errors import OutputError
from gamedeid.results import staging
from gamedeid.results.folder import writing_folder
from gamedeid.results.staging import Place, acquire_lock, hidden_folder

pytestmark = pytest.mark.own_documents


def test_of_two_overwriting_runs_the_last_to_end_wins(tmp_path):
    results(tmp_path / "out", "old")
    with writing_folder(tmp_path / "out", overwrite=True) as slow:
        slow.write_text("manifest.json", '{"gamedeid": "slow", "outputs": {}}')
        results(tmp_path / "out", "quick", overwrite=True)
    assert everything_in(tmp_path) == {"out/manifest.json": b'{"gamedeid": "slow", "outputs": {}}'}


def test_a_folder_that_another_run_is_replacing_is_refused(tmp_path):
    results(tmp_path / "out", "old")
    lock = acquire_lock(tmp_path / "out")
    assert lock is not None
    with pytest.raises(OutputError, match="another run is writing there; wait for it or choose another folder"):
        results(tmp_path / "out", "new", overwrite=True)
    os.close(lock)
    assert (tmp_path / "out" / "release.csv").read_text() == "old"
    assert names_in(tmp_path) == ["out"]


def test_a_folder_swept_before_it_was_locked_is_reported(tmp_path, monkeypatch):
    place = Place.of(tmp_path / "out")
    monkeypatch.setattr(os.path, "samestat", lambda _one, _other: False)
    with pytest.raises(OutputError, match="the folder around it has gone"), place.refusing(), hidden_folder(place):
        pytest.fail("the block must not be entered")
    assert names_in(tmp_path) == []


@pytest.mark.parametrize("swept_whole", [True, False])
def test_a_folder_that_another_run_sweeps_before_it_is_locked_is_made_again(tmp_path, monkeypatch, swept_whole):
    place = Place.of(tmp_path / "out")
    swept: list[Path] = []
    locks: list[int | None] = []

    def lock_late(path: Path) -> int | None:
        if not swept:
            swept.append(path)
            locks.append(acquire_lock(path))  # as the sweeping run does, which removes it at once or soon
            if swept_whole:
                path.rmdir()
        return acquire_lock(path)

    monkeypatch.setattr(staging, "acquire_lock", lock_late)
    with hidden_folder(place) as hidden:
        assert names_in(tmp_path) == [hidden.name]
        assert [hidden] != swept
        place.sweep()
        assert hidden.is_dir()
    os.close(locks[0])
    assert names_in(tmp_path) == []


def test_processes_that_race_for_one_folder_make_one_complete_folder(tmp_path):
    start = FORKING.Barrier(4)
    racers = [FORKING.Process(target=race, args=(number, start, tmp_path / "out")) for number in range(4)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    lost = [racer.exitcode for racer in racers]
    assert sorted(lost) == [0, 1, 1, 1]
    assert everything_in(tmp_path) == {f"out/{name}": str(lost.index(0)).encode() for name in "abcdef"}
