"""Several runs for one folder."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from writing_outputs import ROOT, everything_in, names_in, next_line, results

from gamedeid.errors import OutputError
from gamedeid.results import writing_folder
from gamedeid.results.staging import Place, hidden_folder, hold

pytestmark = pytest.mark.own_documents


def test_of_two_runs_for_one_folder_the_first_to_end_wins(tmp_path: Path) -> None:
    with (  # noqa: PT012  (the end of the block fails)
        pytest.raises(OutputError, match="out already exists and is not empty"),
        writing_folder(tmp_path / "out") as slow,
    ):
        slow.write_text("release.csv", "slow")
        results(tmp_path / "out", "quick")
    assert names_in(tmp_path) == ["out"]
    assert (tmp_path / "out" / "release.csv").read_text() == "quick"


def test_of_two_runs_that_overwrite_the_last_to_end_stays(tmp_path: Path) -> None:
    results(tmp_path / "out", "old")
    with writing_folder(tmp_path / "out", overwrite=True) as slow:
        slow.write_text("manifest.json", '{"gamedeid": "slow", "outputs": {}}')
        results(tmp_path / "out", "quick", overwrite=True)
    assert everything_in(tmp_path) == {"out/manifest.json": b'{"gamedeid": "slow", "outputs": {}}'}


def test_a_folder_that_another_run_is_replacing_is_refused(tmp_path: Path) -> None:
    results(tmp_path / "out", "old")
    lock = hold(tmp_path / "out")
    assert lock is not None
    with pytest.raises(OutputError, match="another run is writing there; wait for it or choose another folder"):
        results(tmp_path / "out", "new", overwrite=True)
    os.close(lock)
    assert (tmp_path / "out" / "release.csv").read_text() == "old"
    assert names_in(tmp_path) == ["out"]


def test_a_folder_swept_away_before_it_was_locked_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = Place.of(tmp_path / "out")
    monkeypatch.setattr(os.path, "samestat", lambda _one, _other: False)
    with pytest.raises(OutputError, match="the folder around it has gone"), place.refusing(), hidden_folder(place):
        pytest.fail("the block must not be entered")
    assert names_in(tmp_path) == []


def test_processes_that_race_for_one_folder_make_one_whole_folder(tmp_path: Path) -> None:
    code = """
import sys
from pathlib import Path
from gamedeid.errors import OutputError
from gamedeid.results import writing_folder
print("ready", flush=True)
sys.stdin.readline()
try:
    with writing_folder(Path(sys.argv[1])) as folder:
        for name in "abcdef":
            folder.write_text(name, sys.argv[2])
except OutputError as error:
    print("lost", error)
else:
    print("won")
"""
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path / "out"), str(number)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(4)
    ]
    assert [next_line(racer) for racer in racers] == ["ready"] * 4
    for racer in racers:
        assert racer.stdin is not None
        racer.stdin.write("\n")
        racer.stdin.flush()
    said = [racer.communicate()[0].split()[0] for racer in racers]
    assert sorted(said) == ["lost", "lost", "lost", "won"]
    winner = str(said.index("won")).encode()
    assert everything_in(tmp_path) == {f"out/{name}": winner for name in "abcdef"}
