"""What do recipients make of a release who know how it was made, by the commands and from Python?"""

import json

import pandas as pd
import pytest
from questions import question
from small_world import SCENARIO, gamedeid_says, small_world

import gamedeid
from gamedeid.risk.aware import AUDITED, aware_risk

PEOPLE = pd.DataFrame({"age": [48, 48, 51, 93, 48, 50], "sex": ["Male", "Male", "Male", "Female", "Female", "Male"]})


@pytest.mark.parametrize("game", ["basic", "no-attack", "sh-friendly"])
def test_two_halves_of_the_adversary_are_the_adversary(game):
    half = {"probability": 0.5}
    changes = {"payoffs.cost": 25, "floor": "own", "policy.own.rules": []} if game == "sh-friendly" else {}
    one = aware_risk(gamedeid.solve(question({"payoffs.cost": 25} | changes), PEOPLE, game=game))
    asked = question({"payoffs.cost": 25, "recipients": {"first": half, "second": half}} | changes)
    two = aware_risk(gamedeid.solve(asked, PEOPLE, game=game))

    assert one.people.tolist() == two.people.tolist()
    assert one.attacked.tolist() == two.attacked.tolist()
    assert {name: two.measures[name] for name in AUDITED} == pytest.approx(one.measures)
    assert two.recipients["first"] == {"probability": 0.5, **{k: two.recipients["second"][k] for k in SUMS}}
    for measure in SUMS[1:]:
        total = sum(does[measure] for does in two.recipients.values())
        per_record = {"publisher_loss": None, "adversary_payoff": one.measures["adversary_payoff"]}
        if (expected := per_record.get(measure, one.measures.get(measure))) is not None:
            assert total == pytest.approx(expected)


SUMS = ("attacked", "expected_reidentifications", "publisher_loss", "adversary_payoff")


def test_the_publishers_loss_is_what_the_payoff_lacks():
    asked = question({"recipients": {"all": {}, "age": {"knows": ["age"], "covers": 0.5}, "thief": {"cost": 0}}})
    found = aware_risk(gamedeid.solve(asked, PEOPLE))
    solution = found.solution
    instance = solution.study.instance
    released = ~solution.withheld
    values = instance.values(instance.all_profiles[released], solution.choice.nodes[released])
    lost = (values - found.publisher_payoff[released]) * instance.profiles.records[released]
    each = sum(does["publisher_loss"] for does in found.recipients.values())
    assert lost.sum() / 6 == pytest.approx(each)
    assert each > 0


@pytest.mark.parametrize("learns", [0.25, 1.0])
def test_learning_for_nothing_is_two_recipients(learns):
    further = {"knows": ["sex"], "probability": learns}
    one = {"r": {"knows": ["age"], "learns": further}}
    two = {"knows": {"probability": learns}, "not": {"knows": ["age"], "probability": 1 - learns}}
    found, expected = (
        aware_risk(gamedeid.solve(question({"recipients": asked}), PEOPLE)).measures for asked in (one, two)
    )
    assert found == pytest.approx(expected)


RECIPIENTS = """
[recipients.researcher]
[recipients.neighbour]
knows = ["sex"]
covers = 0.6
"""


def test_a_folder_of_recipients_is_audited(tmp_path):
    path = small_world(tmp_path, scenario=SCENARIO + RECIPIENTS)
    folder = tmp_path / "results"
    assert gamedeid_says("run", path, "-o", folder).code == 0
    said = gamedeid_says("audit", folder, path, "--json")
    plain = json.loads(said.out)
    assert list(plain["recipients"]) == ["researcher", "neighbour"]
    summary = json.loads((folder / "summary.json").read_text())
    for name, does in plain["recipients"].items():
        assert does["naive"] == summary["recipients"][name]
    stored = json.loads((folder / "report.json").read_text())["aware"]
    assert stored == {key: plain[key] for key in stored}

    shown = gamedeid_says("audit", folder, path, terminal_columns=100).out
    for name in plain["recipients"]:
        assert f"│ {name}: attacks, if it gets the release" in shown
    assert "If each recipient counts the matching people" in shown
