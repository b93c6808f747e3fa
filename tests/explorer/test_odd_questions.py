"""Every answer in every kind of question: all withheld, no attacks, no population, one record, missing values."""

import json

import pytest
from explorer_client import ExplorerClient
from kinds_of_hierarchy import write_kinds
from small_world import ALONE, SCENARIO, gamedeid_says, small_world

from gamedeid import solve
from gamedeid.explorer.session import Session
from gamedeid.scenario.scenario import Scenario

ONE = "name,age,sex,income\nSECRETA,40,Male,<=50K\n"
PERSONS = SCENARIO.replace('drop = ["name"]', 'person = "name"')
ROWS = "name,age,sex,income\n" + 12 * "SECRETA,40,Male,<=50K\nSECRETA,41,Male,>50K\nSECRETB,50,Female,<=50K\n"
GAPS = "name,age,sex,income\nSECRETA,,Male,<=50K\nSECRETB,41,,>50K\n"
ONE_EACH = "age,sex,count\n40,Male,1\n41,Male,1\n50,Female,1\n51,Female,1\n"
OPEN = SCENARIO.replace('hierarchy = "ages.csv"\nrole = "age"', 'hierarchy = "digits.toml"\nrole = "other"')
DIGITS = 'kind = "prefix"\nlength = 2\nkeep = [1]\n'

QUESTIONS = {
    "as it is": {},
    "no population": {"scenario": ALONE},
    "one record": {"records": ONE},
    "one record that is its own population": {"records": ONE, "scenario": ALONE},
    "all withheld": {"population": ONE_EACH, "scenario": SCENARIO.replace("loss = 90", "loss = 90000")},
    "nobody attacked": {"scenario": SCENARIO.replace("cost = 20", "cost = 20000")},
    "a gain of its own": {"scenario": SCENARIO.replace("cost = 20", "cost = 20\ngain = 500")},
    "several rows a person": {"scenario": PERSONS, "records": ROWS},
    "missing values": {"scenario": SCENARIO.replace("[records]", '[records]\nmissing = "suppress"'), "records": GAPS},
    "people who match nobody": {
        "scenario": SCENARIO.replace("[population]", '[population]\nunmatched = "safe"'),
        "population": "age,sex,count\n40,Male,1\n",
    },
    "a sample": {"scenario": ALONE + "[population]\nsampling_fraction = 0.1\n"},
    "its own policy as floor": {"scenario": 'floor = "pairs"\n' + SCENARIO},
    "values from the data": {"scenario": OPEN},
}


def asked(folder, changes):
    (folder / "digits.toml").write_text(DIGITS)
    path = small_world(folder)
    for name, file in (("records", "records.csv"), ("population", "people.csv"), ("scenario", path.name)):
        if name in changes:
            (folder / file).write_text(changes[name])
    return ExplorerClient(Session.open(Scenario.read(path), root=folder))


def test_the_page_says_that_the_recipient_has_earlier_releases(tmp_path):
    path = small_world(tmp_path)
    solve(path).write(tmp_path / "before", report=False)
    after = Scenario.read(path, {"earlier.releases": [str(tmp_path / "before")], "earlier.key": "name"})

    [said] = ExplorerClient(Session.open(after, root=tmp_path)).ask("question")["warnings"]
    assert said.startswith("The recipient has 1 earlier release.")
    changes = ("--set", "earlier.releases=['before']", "--set", "earlier.key=name")
    assert said in gamedeid_says("compare", path, *changes).out


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_answer_is_plain_and_tells_of_no_record(name, tmp_path):
    client = asked(tmp_path, QUESTIONS[name])
    question = client.ask("question")
    answers = [question]
    for setting in ({}, {"loss": 1, "game": "no-attack"}, {"cost": 1e-6}, {"benefit": 1e9, "game": "sh-friendly"}):
        answers += [client.ask("answer", setting=setting), client.ask("changes", setting=setting)]
    stakes = [*("benefit", "loss", "cost"), *(["gain"] if question["setting"]["gain"] is not None else [])]
    answers += [client.ask("breakpoints", setting={}, stake=stake) for stake in stakes]
    answers.append(client.ask("map", setting={}, key=None, have=0))
    values = {"age": "40", "sex": "Male"}
    answers.append(client.ask("person", setting={}, values=values))

    told = json.dumps(answers, allow_nan=False)
    assert "SECRET" not in told
    assert "50K" not in told
    assert answers[1]["verdict"]
    for row in answers[1]["table"]:
        assert [one["name"] for one in answers[1]["policies"]] == list(row["texts"])


def test_values_from_the_data_are_never_shown(tmp_path):
    records = "name,age,sex,income\n" + 20 * "SECRETA,40,Male,<=50K\n"
    client = asked(tmp_path, {"scenario": OPEN, "records": records})

    [age, sex] = client.ask("changes", setting={"loss": 1})["attributes"]

    attribute = client.ask("question")["attributes"][0]
    assert ([], [None, None, None]) == (attribute["values"], [level["example"] for level in attribute["levels"]])
    assert (1, ["4*"]) == (age["level"], [group["label"] for group in age["groups"]])
    assert (0, ["Male"]) == (sex["level"], [group["label"] for group in sex["groups"]])


def test_only_values_that_can_be_typed_are_offered(tmp_path):
    client = ExplorerClient(Session.open(Scenario.read(write_kinds(tmp_path)), root=tmp_path))
    offered = {one["name"]: one["values"] for one in client.ask("question")["attributes"]}

    assert {"born": [], "visit": [], "bmi": [], "code": [], "ward": ["A1", "B1", "Other"]} == offered
