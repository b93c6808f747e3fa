"""Every measure of a finished release: counted by hand, stored by a run, printed from the folder."""

import json

import pandas as pd
import pytest
from small_world import contents, gamedeid_says, small_world

import gamedeid
from gamedeid.report.words.risks import COLUMNS, risk_rows
from gamedeid.risk.release import release_risks


@pytest.fixture
def scenario(tmp_path):
    return small_world(tmp_path)


@pytest.fixture
def out(tmp_path, scenario):
    said = gamedeid_says("run", scenario, "--policy", "pairs", "-o", tmp_path / "out")
    assert (0, "") == (said.code, said.err)
    return tmp_path / "out"


def test_the_small_world_is_as_counted_by_hand(scenario):
    # basic releases [40-41] Male, matched by 6; 41 Male, by 5; 50 *, by 12; 51 Female, by 2: four classes of one
    found = release_risks(gamedeid.solve(scenario, game="basic"), distinct=(1, 2, 5, 6, 12)).as_dict()

    known = ["thresholds", "population_is_the_records", "population_is_estimated", "kept_diversity", "kept_uniqueness"]
    assert [*known, *COLUMNS] == list(found)
    release = found["release"]
    assert (4, 0, 1, 2) == tuple(release[key] for key in ("released", "withheld", "k_anonymity", "k_map"))
    assert {"1": 0, "2": 1 / 4, "5": 2 / 4, "6": 3 / 4, "12": 1} == release["distinct"]
    assert {"unique": 4, "unique_in_population": 0, "lambda_1": 0, "lambda_2": 0} == release["uniqueness"]
    mean = (1 / 6 + 1 / 5 + 1 / 12 + 1 / 2) / 4
    assert pytest.approx(mean) == release["journalist"]["mean"]
    assert pytest.approx(4 * mean) == release["marketer"]["journalist"]["reidentifications"]
    assert pytest.approx(1 / 2) == release["expected_reidentifications"]  # only two people alike are worth an attack
    # raw: 40 Male is one of one, 41 Male of five, 50 and 51 Female of two each
    raw = found["raw"]
    assert {"1": 1 / 4, "2": 3 / 4, "5": 1, "6": 1, "12": 1} == raw["distinct"]
    assert {"unique": 4, "unique_in_population": 1, "lambda_1": 1 / 4, "lambda_2": 1 / 4} == raw["uniqueness"]


def test_the_policy_is_the_scenarios(out):
    stored = json.loads((out / "report.json").read_text())["risks"]

    # pairs releases [40-41] Male twice, matched by 6, and [50-51] Female twice, by 4
    assert "pairs" == stored["policy"]["name"]
    assert (2, 4) == (stored["policy"]["k_anonymity"], stored["policy"]["k_map"])
    assert stored["policy"]["uniqueness"]["lambda_1"] is None


def test_a_finished_release_tells_its_risk_from_the_folder_alone(tmp_path, out):
    for gone in ("records.csv", "people.csv", "scenario.toml"):
        (tmp_path / gone).unlink()
    before = contents(out)
    said = gamedeid_says("risk", "release", out)

    assert (0, "") == (said.code, said.err)
    stored = json.loads((out / "report.json").read_text())["risks"]
    for row in risk_rows(stored):
        assert any(row.name in line and all(cell in line for cell in row.cells) for line in said.out.splitlines()), row
    printed = json.loads(gamedeid_says("risk", "release", out, "--json").out)
    assert {"schema": "urn:gamedeid:schema:release-risks:3", **stored} == printed
    assert before == contents(out)


def test_the_page_tells_the_same(out):
    page = (out / "report.html").read_text()
    stored = json.loads((out / "report.json").read_text())["risks"]

    assert "Risk by other measures" in page
    for row in risk_rows(stored):
        assert row.name in page
        assert row.means in page
        assert all(f">{cell}</td>" in page for cell in row.cells)


def test_withheld_records_are_in_no_share():
    # one person, worth less than an attack on her would cost: everybody matches only her, so nothing can be released
    world = {
        "attributes": {"sex": {"hierarchy": "sex"}},
        "game": "basic",
        "payoffs": {"benefit": 10, "loss": 50, "cost": 1},
    }

    solution = gamedeid.solve(gamedeid.Scenario.parse(world), pd.DataFrame({"sex": ["Male"]}))
    release = release_risks(solution).as_dict()["release"]

    assert (1, 1, 0) == (release["records"], release["withheld"], release["released"])
    assert {"1": 0, "3": 0, "5": 0, "10": 0} == release["distinct"]
    assert {"unique": 0, "unique_in_population": 0, "lambda_1": None, "lambda_2": 0} == release["uniqueness"]
    assert release["k_map"] is None
    assert "none" in {cell for row in risk_rows(release_risks(solution).as_dict()) for cell in row.cells}


@pytest.mark.parametrize("damage", ["none", "report"])
def test_a_folder_that_is_no_result_is_refused_in_one_line(tmp_path, out, damage):
    if damage == "none":
        refused = gamedeid_says("risk", "release", tmp_path / "nowhere")
        assert "holds no results of gamedeid: there is no such folder" in refused.complaint
    else:
        (out / "report.json").write_text("{}")
        refused = gamedeid_says("risk", "release", out)
        assert "is not as manifest.json has it" in refused.complaint
    assert 2 == refused.code


def test_the_limits_that_are_met_come_first(tmp_path, scenario):
    changes = ("--set", 'thresholds={presets=["0.2", "cells-11"]}')
    assert 0 == gamedeid_says("run", scenario, *changes, "-o", tmp_path / "judged").code
    lines = gamedeid_says("risk", "release", tmp_path / "judged").out.splitlines()

    assert "Not met: 0.2, prosecutor risk, highest: 1.0000, at most 0.2000 asked." == lines[1]
    assert "Not met: cells-11, records in the smallest class of the release: 1, at least 11 asked." in lines[2:5]


def test_a_release_without_thresholds_says_so_first(out):
    assert (
        "The scenario names no thresholds, so none is applied."
        == gamedeid_says("risk", "release", out).out.splitlines()[1]
    )
