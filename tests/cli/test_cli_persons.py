"""``[records] person`` on the command line: the release, the output, and that no key is released."""

import json
from pathlib import Path

import pytest
from command_files import ROWS_OF_VISITS, VISITS
from planted_tokens import assert_files_bare, assert_nothing_planted
from questions import question
from small_world import contents, gamedeid_says


def world(folder: Path, scenario: str = VISITS) -> Path:
    (folder / "scenario.toml").write_text(scenario)
    (folder / "visits.csv").write_text(ROWS_OF_VISITS)
    return folder / "scenario.toml"


def test_no_output_holds_a_key_and_only_the_manifest_names_its_column(tmp_path):
    scenario = world(tmp_path)
    said = [
        gamedeid_says("run", scenario, "-o", tmp_path / "out"),
        gamedeid_says("run", scenario, "-o", tmp_path / "parquet", "--format", "parquet", "--no-report"),
        gamedeid_says("compare", scenario, "-o", tmp_path / "compared"),
        gamedeid_says("sweep", scenario, "--vary", "loss=50:150:3", "-o", tmp_path / "swept"),
        gamedeid_says("sweep", scenario, "--record", 2, "--vary", "loss=50:150:3"),
        gamedeid_says("risk", "release", tmp_path / "out"),
        gamedeid_says("report", tmp_path / "out"),
        gamedeid_says("solvers", scenario),
        gamedeid_says("risk", "distinct", scenario, "--policy", "safe-harbor"),
    ]

    assert [(0, "")] * len(said) == [(one.code, one.err) for one in said]
    for one in said:
        assert_nothing_planted(one.out.encode(), "standard output")
        assert "patient_id" not in one.out
    for folder in ("out", "parquet", "compared", "swept"):
        assert_files_bare(tmp_path / folder)
        named = [name for name, text in contents(tmp_path / folder).items() if b"patient_id" in text]
        assert ["manifest.json"] == named


def test_pseudonyms_follow_the_seed_are_left_out_or_random(tmp_path):
    def released(line: str, out: str) -> list[str]:
        scenario = world(tmp_path, VISITS.replace("keep", f"{line}\nkeep"))
        assert 0 == gamedeid_says("run", scenario, "-o", tmp_path / out, "--no-report").code
        return (tmp_path / out / "release.csv").read_text().splitlines()

    seeds = [released(f"pseudonyms = {seed}", f"seed{place}") for place, seed in enumerate([0, 1, 1, '"random"'])]

    assert seeds[1] == seeds[2]
    assert seeds[0] != seeds[1]
    assert all(sorted({row.split(",")[0] for row in rows[1:]}) == list("12345") for rows in seeds)
    assert released("pseudonyms = false", "none")[0].startswith("age,")
    for out, stated in (("seed0", 0), ("seed1", 1), ("seed3", "random"), ("none", False)):
        said = json.loads((tmp_path / out / "manifest.json").read_text())["scenario"]["records"]["pseudonyms"]
        assert (type(stated), stated) == (type(said), said)


@pytest.mark.parametrize(("keep", "column"), [([], "person"), (["Person"], "pseudonym"), (["pseudonym"], "person")])
def test_the_column_of_pseudonyms_is_renamed_if_its_name_is_taken(keep, column):
    assert column == question({"records.person": "patient_id", "records.keep": keep}).pseudonym_column
