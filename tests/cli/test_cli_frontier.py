"""The command `gamedeid frontier`: what it prints, what it writes, and what it refuses."""

import json

import pytest
from small_world import contents, gamedeid_prints, gamedeid_says, lines_above_the_table, refused, small_world

from gamedeid.analysis.risk_utility import risk_utility
from gamedeid.pictures.risk_utility import risk_utility_words
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.study import Study


@pytest.fixture
def scenario(tmp_path):
    return small_world(tmp_path)


@pytest.mark.parametrize("risk", ["adversary", "marketer", "attacked"])
def test_json_is_the_content_of_the_file_and_of_the_result(scenario, tmp_path, risk):
    folder = tmp_path / "out"
    said = gamedeid_prints("frontier", scenario, "--policy", "pairs", "--risk", risk, "-o", folder, "--json")

    shown = json.loads(said)
    assert shown == json.loads((folder / "frontier.json").read_text())
    study = Study.prepare(Scenario.read(scenario, {"floor": "pairs"}))
    assert shown == risk_utility(study, risk=risk).as_dict()
    assert risk == json.loads((folder / "manifest.json").read_text())["scenario"]["risk"]


def test_the_first_lines_answer_and_the_table_has_policy_games_and_what_one_could_have_instead(scenario):
    said = gamedeid_prints("frontier", scenario, "--policy", "pairs")

    study = Study.prepare(Scenario.read(scenario, {"floor": "pairs"}))
    above = lines_above_the_table(said)
    assert ["Four people", *risk_utility_words(risk_utility(study).as_dict())] == above[:-1]
    rows = [line.split("│")[1].strip() for line in said.splitlines() if line.startswith("│")]
    assert ["Pairs", "basic", "sh-friendly", "no-attack"] == rows[:4]
    assert list("ABCD") == rows[4:8]
    assert "a recipient who counts matching people; one who also knows how the release was made may find more." in said
    assert "A releases all alike (age 1, sex 0), B has a strategy for each record." in said
    assert "C releases all alike (age 1, sex 0), D has a strategy for each record." in said
    assert said.endswith("Nothing was written; add -o DIR for tables and picture.\n")


def test_those_that_beat_the_policy_are_listed_with_their_levels_those_on_the_frontier_first():
    said = gamedeid_says("frontier", "quickstart")
    listed = said.out.partition("Uniform policies that beat Safe Harbor, by levels; * on the frontier:")[2]
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in listed.splitlines() if line.startswith("│")]

    assert 9 == len(rows)
    assert ["1", "0", "2", "0"] == rows[0][:4]
    assert [True] * 4 + [False] * 5 == [row[4].startswith("*") for row in rows]


def test_a_narrow_terminal_loses_no_digit(scenario):
    wide, narrow = (gamedeid_says("frontier", scenario, terminal_columns=columns) for columns in (200, 60))

    assert (0, 0) == (wide.code, narrow.code)
    assert "$72.08" in wide.out
    assert "$72.08" in narrow.out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--risk", "marketeer"), "'marketeer' is not one of 'adversary', 'marketer', 'attacked'"),
        (("--set", "limits.publisher_payoff=101"), "limits: publisher_payoff = 101 cannot be met"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(scenario, tmp_path, words, says):
    before = contents(tmp_path)

    assert says in refused("frontier", scenario, *words)
    assert before == contents(tmp_path)


@pytest.mark.parametrize("also", [(), ("--set", "recipients.b.probability=0.5", "--set", "recipients.a.cost=9")])
def test_the_release_within_limits_is_marked_and_all_else_is_as_without(scenario, tmp_path, also):
    free = gamedeid_says("frontier", scenario, *also, "--json")
    limits = ("--set", "limits.expected_reidentifications=0.25")
    said = gamedeid_prints("frontier", scenario, *also, *limits, "--json", "-o", tmp_path / "out")

    limited, without = json.loads(said), json.loads(free.out)
    there = limited["releases"].pop("within limits")
    assert without == limited
    assert 0 < there["expected_reidentifications"] <= 0.25
    assert there["publisher_payoff"] < limited["releases"]["basic"]["publisher_payoff"]
    assert "within limits" in (tmp_path / "out" / "frontier.svg").read_text()
    assert "Within limits" in gamedeid_says("frontier", scenario, *also, *limits).out


def test_against_a_thief_there_is_a_curve_and_no_shadow_price(scenario, tmp_path):
    thief = ("--set", "recipients.thief.cost=0")
    folder = tmp_path / "out"
    gamedeid_prints("frontier", scenario, *thief, "-o", folder)
    assert "shadow_price" not in (folder / "curve.csv").read_text().splitlines()[0].split(",")
