"""The output and files of `verify`, `sign` and `apply` hold no secret value."""

import shutil

import pytest
from planted_tokens import TOKEN, assert_files_bare, planted_world
from small_world import gamedeid_says
from tampering import change_json, change_rows

TAMPERED = {
    "nothing": lambda _: None,
    "a released row": lambda folder: change_rows(folder, "release.csv", lambda rows: rows[0].update(text="x", age="*")),
    "a row too many": lambda folder: change_rows(folder, "release.csv", lambda rows: [*rows, rows[0]]),
    "a withheld record": lambda folder: change_rows(
        folder, "strategies.csv", lambda rows: rows[1].update(withheld="false", age="0")
    ),
    "the summary": lambda folder: change_json(folder, "summary.json", lambda one: one["measures"].update(attacked=1.0)),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    base = tmp_path_factory.mktemp("planted")
    scenario = planted_world(base)
    for form in ("csv", "parquet"):
        assert 0 == gamedeid_says("run", scenario, "-o", base / form, "--format", form, "--no-report").code
    return scenario, base


@pytest.mark.parametrize("kind", TAMPERED)
def test_verify_shows_no_planted_token(made, kind, tmp_path):
    scenario, base = made
    out = shutil.copytree(base / "csv", tmp_path / "out")
    TAMPERED[kind](out)
    for words in ([], ["--json"]):
        said = gamedeid_says("verify", out, scenario, *words)

        assert (0 if kind == "nothing" else 3) == said.code, said.out
        assert TOKEN not in said.out + said.err


def test_parquet_with_nested_values_holds(made):
    scenario, base = made

    assert 0 == gamedeid_says("verify", base / "parquet", scenario).code


def test_applied_results_hold_no_planted_token(made, tmp_path):
    scenario, base = made
    said = gamedeid_says(
        "apply", base / "csv", base / "records.parquet", "--scenario", scenario, "-o", tmp_path / "out"
    )

    assert 0 == said.code, said.err
    assert TOKEN not in said.out + said.err
    assert_files_bare(tmp_path / "out")
    (base / "people.csv").write_text("age,sex,count\n48,Male,9\n93,Male,1\n")
    words = ("--scenario", scenario, "--set", "population.path=people.csv")
    said = gamedeid_says("apply", base / "csv", base / "records.parquet", *words)
    assert 2 == said.code
    assert TOKEN not in said.out + said.err
