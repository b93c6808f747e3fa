"""Rows in another order: the same rows, the order of a seed, and nothing else changed."""

import csv
import json

import pandas as pd
import pytest
from questions import content
from small_world import gamedeid_says, small_world

import gamedeid

PEOPLE = pd.DataFrame({"age": range(40, 60), "sex": ["Male", "Female"] * 10, "note": range(20)})


def rows(path):
    with path.open(newline="") as file:
        return list(csv.reader(file))


@pytest.fixture
def outs(tmp_path):
    scenario = small_world(tmp_path)
    for name, words in (
        ("plain", ()),
        ("one", ("--shuffle", "7")),
        ("same", ("--shuffle", "7")),
        ("other", ("--shuffle", "8")),
    ):
        said = gamedeid_says("run", scenario, "-o", tmp_path / name, "--no-report", *words)
        assert (0, "") == (said.code, said.err)
    return tmp_path


def test_the_rows_are_the_same_and_their_order_is_the_seeds(outs):
    found = {name: rows(outs / name / "release.csv") for name in ("plain", "one", "same", "other")}

    assert found["one"] == found["same"]
    assert 3 <= len({str(found[name]) for name in found})
    for name in ("one", "other"):
        assert found["plain"][0] == found[name][0]
        assert sorted(found["plain"]) == sorted(found[name])


def test_nothing_else_is_changed_and_the_manifest_says_so(outs):
    for name in ("strategies.csv", "summary.json"):
        assert (outs / "plain" / name).read_bytes() == (outs / "one" / name).read_bytes()
    manifests = {name: json.loads((outs / name / "manifest.json").read_text()) for name in ("plain", "one")}
    assert 7 == manifests["one"]["scenario"].pop("shuffle")
    assert manifests["plain"]["scenario"] == manifests["one"]["scenario"]


def test_a_shuffled_folder_is_verified_and_one_of_another_order_is_not(outs):
    assert 0 == gamedeid_says("verify", outs / "one", outs / "scenario.toml").code
    for name in ("release.csv", "manifest.json"):
        (outs / "one" / name).chmod(0o600)
    manifest = json.loads((outs / "one" / "manifest.json").read_text())
    manifest["scenario"]["shuffle"] = 8
    (outs / "one" / "manifest.json").write_text(json.dumps(manifest))
    said = gamedeid_says("verify", outs / "one", outs / "scenario.toml")

    assert 3 == said.code
    assert "release.csv" in said.out + said.err


def test_from_python_kept_values_go_with_their_rows():
    scenario = content({"records": {"keep": ["note"]}, "floor": "limited-data-set"})
    solution = gamedeid.solve(scenario, PEOPLE)
    (block,) = solution.release_blocks(shuffle=3)
    shuffled, plain = block.to_pandas(), solution.release()

    assert list(plain["note"]) != list(shuffled["note"])
    pd.testing.assert_frame_equal(
        plain.astype(str), shuffled.sort_values("note").reset_index(drop=True).astype(str), check_dtype=False
    )


def test_what_cannot_be_shuffled_is_said_and_nothing_is_written(tmp_path):
    said = gamedeid_says("run", small_world(tmp_path), "-o", tmp_path / "out", "--shuffle", "-1")

    assert (2, "shuffle: expected a seed, a whole number of 0 or more, not -1") == (said.code, said.complaint)
    assert not (tmp_path / "out").exists()
    polars = pytest.importorskip("polars")
    lazy = gamedeid.solve(
        content({"records": {"keep": ["note"]}, "floor": "limited-data-set"}), polars.from_pandas(PEOPLE).lazy()
    )
    with pytest.raises(gamedeid.InvalidScenarioError, match="a shuffled release needs the rows in memory"):
        lazy.write(tmp_path / "out", shuffle=1, report=False)
    assert not (tmp_path / "out").exists()
