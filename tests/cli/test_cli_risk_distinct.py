import json

import pytest
from small_world import contents, gamedeid_prints, gamedeid_says


@pytest.fixture
def scenario(folder_of_commands):
    return folder_of_commands / "voter.toml"


def test_json_has_people_shares_and_total_risk(scenario, tmp_path):
    before = contents(tmp_path)
    said = gamedeid_prints("risk", "distinct", scenario, "--policy", "raw", "--distinct", "1,5", "--json")

    assert {
        "schema": "urn:gamedeid:schema:distinct:1",
        "policy": "raw",
        "attacker": "general",
        "released": "population",
        "population_levels": {},
        "people": 20,
        "unmatched": 0,
        "distinct": {"1": 1.0, "5": 10.0},
        "share": {"1": 0.05, "5": 0.5},
        "total_risk": 5.0,
        "total_risk_share": 0.25,
    } == json.loads(said)
    assert before == contents(tmp_path)


def test_another_policy_adds_the_trust_differential(scenario):
    words = ("--policy", "raw", "--against", "pairs", "--distinct", "1,5")
    found = json.loads(gamedeid_says("risk", "distinct", scenario, *words, "--json").out)["against"]
    assert {"1": None, "5": 2.5, "total_risk": pytest.approx(5 / 3)} == found["trust_differential"]
    assert ["pairs", {"1": 0.0, "5": 4.0}, 3.0] == [found["policy"], found["distinct"], found["total_risk"]]


def test_an_attacker_of_the_scenario_brings_her_price_and_another_one_replaces_it(scenario):
    words = ("risk", "distinct", scenario, "--policy", "raw", "--attacker", "voter", "--json")
    found = json.loads(gamedeid_says(*words).out)
    risk = 3 - 0.5**4 - 0.5**6 - 0.5**10
    assert [pytest.approx(risk), 30.0] == [found["total_risk"], found["list_price"]]
    assert pytest.approx(30 / risk) == found["price_per_reidentification"]
    other = json.loads(gamedeid_says(*words, "--list-price", 60).out)
    assert pytest.approx(2) == other["price_per_reidentification"] / found["price_per_reidentification"]


def test_groups_of_an_attribute_are_rows(scenario):
    words = ("risk", "distinct", scenario, "--policy", "raw", "--distinct", "2", "--by")
    found = json.loads(gamedeid_says(*words, "age", "--json").out)["by"]
    assert ["age", 1] == [found["attribute"], found["level"]]
    assert [("[40-41]", 6, {"2": 1.0}, 2.0), ("[50-51]", 14, {"2": 4.0}, 3.0)] == [
        (row["group"], row["people"], row["distinct"], row["total_risk"]) for row in found["groups"]
    ]
    assert ["40", "41", "50", "51"] == [
        row["group"] for row in json.loads(gamedeid_says(*words, "age:0", "--json").out)["by"]["groups"]
    ]
