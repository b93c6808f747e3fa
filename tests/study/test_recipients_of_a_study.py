"""The effect of recipients on a scenario's answers and files, and questions refused in one line."""

import csv
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from questions import message
from small_world import SCENARIO, contents, gamedeid_says, refused, small_world

import gamedeid
from gamedeid import InvalidScenarioError
from gamedeid.choices import GAMES
from gamedeid.study.solution import Solution

ONE = "[recipients.only]\n"
WITH_STAKES = SCENARIO.replace("loss = 90", "loss = 70").replace("cost = 20", "cost = 3") + "[recipients.only]\n"
THREE = (
    SCENARIO
    + """
[recipients.researcher]
[recipients.voters]
levels = { age = 1 }
covers = 0.6
cost = 5
[recipients.thief]
cost = 0
probability = 0.001
"""
)
LEARNS = (
    SCENARIO
    + """
[recipients.club]
levels = { age = 1 }
gain = 300
covers = 0.5
[recipients.club.learns]
knows = ["age", "sex"]
probability = 0.25
"""
)
AT_A_PRICE = LEARNS + "price = 6\n"


def solved(folder: Path, scenario: str = SCENARIO, **how: Any) -> Solution:
    return gamedeid.solve(small_world(folder, scenario=scenario), **how)


def test_one_recipient_writes_the_paper_s_files(tmp_path):
    own = "loss = 90\ncost = 20\n"
    assert solved(tmp_path).measures == solved(tmp_path, SCENARIO + ONE).measures
    for name, scenario in (("none", SCENARIO), ("own", WITH_STAKES + own)):
        (tmp_path / name).mkdir()
        path = small_world(tmp_path / name, scenario=scenario)
        assert 0 == gamedeid_says("run", path, "-o", tmp_path / f"{name}-out").code
    none, own_stakes = (contents(tmp_path / f"{name}-out") for name in ("none", "own"))
    for file in ("release.csv", "strategies.csv", "summary.json", "sensitivity.csv", "report.json"):
        assert none[file] == own_stakes[file], file


def test_background_risk_of_probability_0_changes_no_file(tmp_path):
    background = "\n[recipients.background]\ncost = 0\nprobability = 0\n"
    for name, scenario in (("without", THREE), ("beside", THREE + background)):
        (tmp_path / name).mkdir()
        path = small_world(tmp_path / name, scenario=scenario)
        assert 0 == gamedeid_says("run", path, "--no-report", "-o", tmp_path / f"{name}-out").code
        assert 0 == gamedeid_says("compare", path, "-o", tmp_path / f"{name}-both").code
    for out in ("out", "both"):
        without, beside = (contents(tmp_path / f"{name}-{out}") for name in ("without", "beside"))
        del without["manifest.json"], beside["manifest.json"]
        assert without == beside


def test_what_recipients_do_adds_up_to_the_measures(tmp_path):
    found = solved(tmp_path, THREE)

    assert ["researcher", "voters", "thief"] == list(found.recipients)
    total = {key: sum(one[key] for one in found.recipients.values()) for key in found.recipients["thief"]}
    assert found.measures["expected_reidentifications"] == pytest.approx(total["expected_reidentifications"])
    assert found.measures["adversary_payoff"] == pytest.approx(total["adversary_payoff"])
    value = float((100 * (1 - found.information_loss)).mean())
    assert found.measures["publisher_payoff"] == pytest.approx(value - total["publisher_loss"])
    assert 1.0 == found.recipients["thief"]["attacked"]
    risk = float((found.success_probability * found.attacked).sum())
    assert found.measures["expected_reidentifications"] == pytest.approx(risk)


def test_a_report_tells_what_a_recipient_may_learn_and_at_which_price(tmp_path):
    solved(tmp_path, AT_A_PRICE).write(tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text()

    assert "age, sex (with probability 0.25, for $6 if that pays)" in page


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("scenario", [THREE, WITH_STAKES + "loss = 90\n", LEARNS, AT_A_PRICE])
def test_verify_finds_nothing_wrong_with_what_recipients_do(tmp_path, scenario, game):
    path = small_world(tmp_path, scenario=scenario)
    solved(tmp_path, scenario, game=game).write(tmp_path / "out", report=False)
    found = gamedeid.verify(tmp_path / "out", path)

    assert () == found.findings
    assert any("no permitted strategy is better" in done for done in found.checked)


def test_a_nonexistent_level_of_knowledge_is_refused(tmp_path):
    said = message(InvalidScenarioError, solved, tmp_path, f"{SCENARIO}[recipients.r]\nlevels = {{ age = 9 }}\n")
    assert said.startswith("recipients.r.levels.age: `ages` has no level 9; its levels are")


def test_the_manifest_has_a_recipients_price_of_learning_if_given(tmp_path):
    free, nothing, paid, dear = (
        solved(tmp_path, scenario)
        for scenario in (LEARNS, LEARNS + "price = 0\n", AT_A_PRICE, LEARNS + "price = 500\n")
    )
    assert free.measures == nothing.measures
    never = solved(tmp_path, LEARNS.replace("probability = 0.25", "probability = 0"))
    assert dear.measures == pytest.approx(never.measures)
    assert free.measures["publisher_payoff"] <= paid.measures["publisher_payoff"] <= dear.measures["publisher_payoff"]
    assert "price" not in free.study.scenario.resolved()["recipients"]["club"]["learns"]
    assert 6 == paid.study.scenario.resolved()["recipients"]["club"]["learns"]["price"]
    total = sum(one["adversary_payoff"] for one in paid.recipients.values())
    assert paid.measures["adversary_payoff"] == pytest.approx(total)


AXES = {
    "stakes": ("loss=45,90", "benefit=100,50"),
    "probability": ("recipients.researcher.probability=0,0.5,1", "loss=90,200"),
    "covers": ("recipients.voters.covers=0.2,1", "loss=90,200"),
    "cost": ("recipients.thief.cost=0,20", "loss=90,200"),
    "gain": ("recipients.voters.gain=30,300", "loss=90,200"),
}


@pytest.mark.parametrize("axes", AXES.values(), ids=AXES)
@pytest.mark.parametrize(
    "scenario", [THREE, WITH_STAKES + "\n[recipients.voters]\nprobability = 0\n[recipients.thief]"]
)
def test_a_sweep_plays_every_point_and_moves_a_number_of_one_recipient(tmp_path, axes, scenario):
    scenario = scenario.replace("[recipients.only]", "[recipients.researcher]")
    path = small_world(tmp_path, scenario=scenario)
    values = {name: map(float, words.split(",")) for name, words in (axis.split("=") for axis in axes)}
    rows = gamedeid.sweep(gamedeid.Study.prepare(path), list(axes)).table.to_dict("records")

    assert list(product(*values.values())) == [tuple(row[name] for name in values) for row in rows[::4]]
    for place, row in enumerate(rows):
        if place % 4 == 0:  # a point has a row for the policy and each game
            overrides = {name if "." in name else f"payoffs.{name}": row[name] for name in values}
            there = gamedeid.compare(gamedeid.Scenario.read(path, overrides))
        found = there.solutions[row["policy"]].measures
        assert {key: pytest.approx(found[key]) for key in found if key in row} == {
            key: row[key] for key in found if key in row
        }


def test_tables_of_one_record_agree_with_each_other(tmp_path):
    path = small_world(tmp_path, scenario=THREE)
    exact, sampled = (
        list(csv.DictReader(gamedeid_says("sweep", path, *words, "--record", "1").out.splitlines()))
        for words in (("--exact", "loss"), ("--vary", "loss=3:300:11"))
    )

    assert "only a sweep of all" in refused("sweep", path, "--vary", "recipients.thief.cost=1", "--record", "1")
    told = ("age", "sex", "withheld", "attacked", "information_loss", "success_probability")
    for row in sampled:
        loss = float(row["loss"])
        (there,) = [
            one
            for one in exact
            if one["policy"] == row["policy"] and float(one["low"]) < loss < float(one["high"] or "inf")
        ]
        assert [there[name] for name in told] == [row[name] for name in told]
