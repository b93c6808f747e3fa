"""Every measure of a finished release: counted by hand, stored by a run, printed from the folder."""

import json

import pandas as pd
import pytest
from questions import content
from small_world import contents, gamedeid_prints, gamedeid_says, small_world

import gamedeid
from gamedeid.report.words.risks import COLUMNS, diversity_grid, risk_rows
from gamedeid.risk.records import record_risks
from gamedeid.risk.release import release_risks
from gamedeid.study.solve import policy_solution


@pytest.fixture
def scenario(tmp_path):
    return small_world(tmp_path)


@pytest.fixture
def out(tmp_path, scenario):
    gamedeid_prints("run", scenario, "--policy", "pairs", "-o", tmp_path / "out")
    return tmp_path / "out"


def test_the_small_world_is_as_counted_by_hand(scenario):
    # basic releases [40-41] Male, matched by 6; 41 Male, by 5; 50 *, by 12; 51 Female, by 2: four classes of one
    solution = gamedeid.solve(scenario, game="basic")
    found = release_risks(solution, distinct=(1, 2, 5, 6, 12)).as_dict()

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
    assert "raw" == raw["name"]
    assert {"1": 1 / 4, "2": 3 / 4, "5": 1, "6": 1, "12": 1} == raw["distinct"]
    assert {"unique": 4, "unique_in_population": 1, "lambda_1": 1 / 4, "lambda_2": 1 / 4} == raw["uniqueness"]
    policy = policy_solution(solution.study, solution.study.scenario_policy)
    for one, name in ((solution, "release"), (policy, "policy")):
        assert record_risks(one).as_dict().items() <= found[name].items()


def test_a_finished_release_tells_its_risk_from_the_folder_alone(tmp_path, out):
    for gone in ("records.csv", "people.csv", "scenario.toml"):
        (tmp_path / gone).unlink()
    before = contents(out)
    said = gamedeid_prints("risk", "release", out)

    stored = json.loads((out / "report.json").read_text())["risks"]
    # pairs releases [40-41] Male twice, matched by 6, and [50-51] Female twice, by 4
    policy = stored["policy"]
    assert ("pairs", 2, 4, None) == (
        *(policy[key] for key in ("name", "k_anonymity", "k_map")),
        policy["uniqueness"]["lambda_1"],
    )
    assert "names no thresholds" in said.splitlines()[1]
    assert "distinct l-diversity" in said
    for row in risk_rows(stored):
        assert any(row.name in line and all(cell in line for cell in row.cells) for line in said.splitlines()), row
    printed = json.loads(gamedeid_says("risk", "release", out, "--json").out)
    assert {"schema": "urn:gamedeid:schema:release-risks:3", **stored} == printed
    assert before == contents(out)
    (out / "report.json").write_text("{}")
    assert "is not as manifest.json has it" in gamedeid_says("risk", "release", out).complaint


def test_withheld_records_are_in_no_share():
    # one person, worth less than an attack on her would cost: everybody matches only her, so nothing can be released
    world = content({"attributes": {"sex": {"hierarchy": "sex"}}, "payoffs": {"benefit": 10, "loss": 50, "cost": 1}})
    solution = gamedeid.solve(world, pd.DataFrame({"sex": ["Male"]}))
    found = release_risks(solution).as_dict()
    release = found["release"]

    assert (1, 1, 0) == (release["records"], release["withheld"], release["released"])
    assert {"1": 0, "3": 0, "5": 0, "10": 0} == release["distinct"]
    assert {"unique": 0, "unique_in_population": 0, "lambda_1": None, "lambda_2": 0} == release["uniqueness"]
    assert release["k_map"] is None
    assert "none" in {cell for row in risk_rows(found) for cell in row.cells}
    assert not diversity_grid(found["kept_diversity"])


def test_the_limits_that_are_met_come_first(tmp_path, scenario):
    changes = ("--set", 'thresholds={presets=["0.2", "cells-11"]}')
    assert 0 == gamedeid_says("run", scenario, *changes, "-o", tmp_path / "judged").code
    lines = gamedeid_says("risk", "release", tmp_path / "judged").out.splitlines()

    assert lines[1].startswith("Not met: 0.2, prosecutor risk")
    assert any(line.startswith("Not met: cells-11") for line in lines[2:5])
