"""A folder of results audited: the same risk as of the solution itself, or one clear line."""

import json
from pathlib import Path

import pandas as pd
import pytest
from questions import message, question
from small_world import contents, gamedeid_says, small_world

from gamedeid import InvalidDataError, InvalidScenarioError, OutputError, audit, aware_risk, policy_solution, solve

LOSS = "payoffs.loss=1000"


@pytest.fixture
def made(tmp_path) -> tuple[Path, Path]:
    """Return a scenario and the folder of its no-attack release."""
    (tmp_path / "world").mkdir()
    scenario = small_world(tmp_path / "world")
    solve(scenario, game="no-attack").write(tmp_path / "out", report=False)
    return scenario, tmp_path / "out"


def test_a_folder_has_the_risk_of_its_solution(made):
    """Six people match 40 as [40-41] Male, but those of 41 would be released as they are: one is left.

    Of the 12 who match 50 as 50, the ten men would be released as men; of the 14 who match [50-51], two are of 51.
    """
    scenario, folder = made
    before = contents(folder)
    found = audit(folder, scenario)

    assert aware_risk(solve(scenario, game="no-attack")).as_dict() == found.as_dict()
    assert [1, 5, 2, 2] == found.people.tolist()
    assert 0.75 == found.measures["attacked"]
    assert 2.0 == found.measures["expected_reidentifications"]
    assert 0.0 == found.naive["attacked"]
    assert before == contents(folder)


@pytest.mark.parametrize("game", ["basic", "sh-friendly"])
def test_the_command_tells_both_recipients(made, tmp_path, game):
    scenario, _ = made
    gamedeid_says("run", scenario, "--game", game, "-o", tmp_path / game, "--no-report")
    said = gamedeid_says("audit", tmp_path / game, scenario)
    plain = json.loads(gamedeid_says("audit", tmp_path / game, scenario, "--json").out)

    assert (0, "") == (said.code, said.err)
    assert f"{plain['aware']['attacked']:.2%}" in said.out
    assert {"schema", "game", "solver", "records", "naive", "aware", "unlike", "worst_groups"} == set(plain)
    assert "SECRET" not in said.out


def test_values_of_groups_are_told_when_asked_for(made):
    scenario, folder = made
    assert "[40-41]" not in gamedeid_says("audit", folder, scenario).out
    assert "[40-41]" in gamedeid_says("audit", folder, scenario, "--show-values").out


def test_a_policy_is_audited_too(made, tmp_path):
    scenario, _ = made
    study = solve(scenario).study
    policy_solution(study, study.policy("pairs")).write(tmp_path / "pairs", report=False)
    assert audit(tmp_path / "pairs", scenario).measures == pytest.approx(audit(tmp_path / "pairs", scenario).naive)


def test_what_is_no_longer_as_it_was_is_refused(made, tmp_path):
    scenario, folder = made
    said = gamedeid_says("audit", folder, scenario, "--set", LOSS)
    assert 2 == said.code
    assert "the scenario has changed since, in `payoffs.loss`" in said.complaint

    people = scenario.with_name("people.csv")
    people.write_text(people.read_text().replace("41,Male,5", "41,Male,6"))
    assert "the population has changed" in message(InvalidDataError, audit, folder, scenario)
    people.write_text(people.read_text().replace("41,Male,6", "41,Male,5"))

    strategies = folder / "strategies.csv"
    strategies.write_text(strategies.read_text().replace("true", "false").replace("\n0,1", "\n0,0"))
    assert "strategies.csv is not the file" in message(OutputError, audit, folder, scenario)
    assert "holds no results" in message(OutputError, audit, tmp_path, scenario)


def test_frames_cannot_be_found_again(tmp_path):
    people = pd.DataFrame({"age": [48, 48, 51, 93], "sex": ["Male", "Male", "Male", "Female"]})
    solve(question(), people).write(tmp_path / "out", report=False)
    assert "its records were a data frame" in message(InvalidScenarioError, audit, tmp_path / "out")


def test_a_population_that_was_a_frame_is_noticed(made, tmp_path):
    scenario, _ = made
    text = scenario.read_text()
    start, end = text.index("[population]"), text.index("[attributes.age]")
    alone = scenario.with_name("alone.toml")
    alone.write_text(text[:start] + text[end:])
    people = pd.DataFrame({"age": [40, 41, 50, 51] * 9, "sex": ["Male", "Male", "Female", "Female"] * 9})
    solve(alone, population=people).write(tmp_path / "frame", report=False)
    assert "has other results" in message(InvalidDataError, audit, tmp_path / "frame", alone)
