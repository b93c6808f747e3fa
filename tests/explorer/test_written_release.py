"""The release that the page writes: the bytes of `gamedeid run` with the saved scenario, only where permitted."""

import stat

import pandas as pd
import pytest
from explorer_client import ORIGIN, TOKEN, ExplorerClient, client_in
from small_world import contents, gamedeid_prints, small_world

from gamedeid.explorer.outputs import EndedError
from gamedeid.explorer.session import Session
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.solve import solve
from gamedeid.study.study import Study


@pytest.fixture(scope="module")
def client(root):
    return client_in(root)


def test_a_release_has_the_bytes_of_a_run_of_the_saved_scenario(client, root):
    setting = {"loss": 60, "game": "no-attack"}
    client.ask("save", setting=setting, path="saved.toml", overwrite=False)
    found = client.ask("write", setting=setting, folder="page", overwrite=False)
    gamedeid_prints("run", root / "saved.toml", "-o", root / "run")
    assert contents(root / "run") == contents(root / "page")
    assert sorted(found["files"]) == sorted(path.name for path in (root / "run").iterdir())
    assert {"phase": None, "done": 0, "total": 0} == client.ask("progress")
    assert {0o600} == {stat.S_IMODE(path.stat().st_mode) for path in (root / "page").iterdir()}
    assert 0o700 == stat.S_IMODE((root / "page").stat().st_mode)


def test_the_release_of_the_scenario_as_opened_can_be_downloaded_and_nothing_else(client):
    client.ask("write", setting={}, folder="downloads", overwrite=False)

    def get(name):
        return client.request("GET", f"/{TOKEN}/download/{name}")

    release = get("release.csv")
    assert (200, b"age,sex,income\n") == (release.status_code, release.content.splitlines(keepends=True)[0])
    assert 'attachment; filename="release.csv"' == release.headers["content-disposition"]
    assert 200 == get("report.html").status_code
    for name in ("strategies.csv", "manifest.json", "..%2fscenario.toml", "../scenario.toml", "", "release.csv/"):
        assert 404 == get(name).status_code
    assert 405 == client.request("POST", f"/{TOKEN}/download/release.csv", headers={"origin": ORIGIN}).status_code


def test_without_a_release_there_is_none_to_download(tmp_path):
    assert 404 == client_in(tmp_path).request("GET", f"/{TOKEN}/download/release.csv").status_code


def test_a_scenario_that_was_changed_since_it_was_opened_is_not_written(tmp_path):
    client, path = client_in(tmp_path), tmp_path / "scenario.toml"
    path.write_text(path.read_text() + "# changed\n")

    assert "scenario.toml" in client.refused("write", setting={}, folder="out", overwrite=False)
    assert not (tmp_path / "out").exists()


def test_when_the_explorer_ends_nothing_is_left_half_written(tmp_path):
    session = Session.open(Scenario.read(small_world(tmp_path)), root=tmp_path)
    session.end()
    with pytest.raises(EndedError):
        session.write({}, "out", overwrite=False)

    assert not (tmp_path / "out").exists()
    assert [] == [path.name for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_a_release_of_a_study_of_frames_has_the_bytes_of_its_solution(tmp_path):
    scenario = Scenario.read(small_world(tmp_path))
    frames = [pd.read_csv(tmp_path / f"{name}.csv").iloc[::-1] for name in ("records", "people")]
    study = Study.prepare(scenario, *frames)
    client = ExplorerClient(Session(study, root=tmp_path))
    client.ask("save", setting={"loss": 60, "game": "basic"}, path="saved.toml", overwrite=False)
    client.ask("write", setting={"loss": 60, "game": "basic"}, folder="page", overwrite=False)
    solve(Scenario.read(tmp_path / "saved.toml"), *frames).write(tmp_path / "solved")

    assert contents(tmp_path / "solved") == contents(tmp_path / "page")
