"""The explorer's answers to a setting: the measures of `gamedeid compare` at any stakes."""

import random

import pytest
from explorer_client import ExplorerClient
from small_world import small_world

from gamedeid.analysis.comparison import compare
from gamedeid.analysis.suggestions import suggest
from gamedeid.explorer.session import Session
from gamedeid.game.frontier import Frontier
from gamedeid.report.terminal.suggestions import suggestion_words
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.study import Study


def test_the_question_has_the_first_content_of_the_page(small_client):
    question = small_client.ask("question")

    assert "Four people" == question["title"]
    assert question["read"].startswith("4 records, 4 profiles")
    assert [] == question["warnings"]
    assert not question["thresholds"]
    assert {"benefit": 100.0, "loss": 90.0, "cost": 20.0, "gain": None} == {
        name: question["setting"][name] for name in ("benefit", "loss", "cost", "gain")
    }
    assert ["safe-harbor", "limited-data-set", "pairs"] == question["policies"]
    assert "needs a data use agreement (45 CFR 164.514(e))" in question["law"]["limited-data-set"]
    assert "actual knowledge" in question["law"]["safe-harbor"]
    assert "pairs" not in question["law"]
    assert ["age", "sex"] == [attribute["name"] for attribute in question["attributes"]]
    assert [["40", "41", "50", "51"], ["Male", "Female"]] == [one["values"] for one in question["attributes"]]
    assert [(4, "50"), (2, "[50-51]"), (1, "*")] == [
        (level["groups"], level["example"]) for level in question["attributes"][0]["levels"]
    ]


def random_settings(count):
    drawn = random.Random(13)  # noqa: S311
    for _ in range(count):
        yield {
            "benefit": round(drawn.uniform(10, 300), 2),
            "loss": round(drawn.uniform(1, 500), 2),
            "cost": round(drawn.uniform(1, 60), 2),
            "gain": drawn.choice([None, round(drawn.uniform(1, 500), 2)]),
            "weights": {"age": drawn.choice([1.0, 2.5]), "sex": drawn.choice([1.0, 0.0])},
            "policy": drawn.choice(["safe-harbor", "limited-data-set", "pairs"]),
        }


def test_shared_parts_of_the_policy_and_games_are_computed_once_for_all_stakes(small_scenario, monkeypatch):
    computed = []

    def counted(name, function):
        def call(*arguments, **keywords):
            computed.append(name)
            return function(*arguments, **keywords)

        return call

    monkeypatch.setattr(Frontier, "compile", counted("frontier", Frontier.compile))
    monkeypatch.setattr(Study, "policy", counted("policy", Study.policy))
    client = ExplorerClient(Session.open(small_scenario))
    for loss in (20, 90, 400):
        client.ask("answer", setting={"loss": loss})

    assert ["frontier", "policy"] == sorted(computed)  # the policy permits everything: sh-friendly is basic


@pytest.mark.parametrize("setting", list(random_settings(8)))
def test_the_explorer_answers_like_compare_at_any_setting(small_client, small_scenario, setting):
    changes = {f"payoffs.{name}": setting[name] for name in ("benefit", "loss", "cost", "gain")}
    changes |= {f"attributes.{name}.weight": weight for name, weight in setting["weights"].items()}
    study = Study.prepare(Scenario.read(small_scenario.file.path, changes | {"floor": setting["policy"]}))
    expected = {name: solution.measures for name, solution in compare(study).solutions.items()}

    found = small_client.ask("answer", setting=setting)

    assert setting == {name: found["setting"][name] for name in setting}
    assert expected == {one["name"]: one["measures"] for one in found["policies"]}


def test_values_missing_in_a_setting_are_the_scenarios(small_client):
    assert small_client.ask("question")["setting"] == small_client.ask("answer", setting={})["setting"]


def test_the_verdict_and_the_table_are_those_of_the_terminal(small_client):
    found = small_client.ask("answer", setting={"policy": "pairs", "game": "no-attack"})

    assert found["verdict"][0].startswith("Expected re-identifications of the no-attack game: none (the policy ")
    assert "; not computed if the recipient also knows" in found["verdict"][0]
    assert "made: gamedeid run, compare and audit compute it, or say why not." in found["verdict"][-1]
    assert "0.52 (the policy “pairs”: 0.83) if the recipient counts and attacks" in found["verdict"][0]
    rows = {row["key"]: row for row in found["table"]}
    assert {"pairs": "0.5", "basic": "0.5", "sh-friendly": "0.5", "no-attack": "0.0"} == rows[
        "expected_reidentifications"
    ]["texts"]
    assert ["no-attack"] == rows["expected_reidentifications"]["best"]
    assert "... if all were attacked" == rows["expected_reidentifications_if_all_attacked"]["words"]


@pytest.mark.parametrize("game", ["basic", "no-attack"])
def test_rows_before_and_after_are_released_as_a_person_with_these_values_is(small_client, game):
    setting = {"loss": 400, "game": game, "policy": "pairs"}
    found = small_client.ask("examples", setting=setting)

    assert ["age", "sex", "people who match"] == found["examples_columns"]
    assert len(found["examples"]) > 1
    for row in found["examples"]:
        values = dict(zip(("age", "sex"), (before for before, *_ in row["cells"]), strict=True))
        policies = small_client.ask("person", setting=setting, values=values)["policies"]
        [person] = [one for one in policies if one["name"] == game]
        expected = person["released"] or dict.fromkeys(values, "")
        assert list(expected.values()) == [after for *_, after in row["cells"]]
        assert [expected[name] != value for name, value in values.items()] == [bool(cut) for _, cut, _ in row["cells"]]
        assert ("withheld" if person["released"] is None else str(person["people"])) == row["people"]


def test_a_kept_column_of_identifiers_is_warned_of_without_a_value(tmp_path):
    scenario = small_world(tmp_path)
    records = (tmp_path / "records.csv").read_text().splitlines()
    mails = ["email", *(f"secret{number}@example.org" for number in range(len(records) - 1))]
    (tmp_path / "records.csv").write_text("".join(f"{row},{mail}\n" for row, mail in zip(records, mails, strict=True)))
    asked = Scenario.read(scenario, {"records.keep": ["income", "email"]})

    [warning] = ExplorerClient(Session.open(asked)).ask("question")["warnings"]

    assert warning.startswith("Kept column `email` looks like e-mail addresses (F)")
    assert "secret" not in warning.casefold()


def test_suggestions_are_those_of_the_library_and_say_what_the_page_can_set(tmp_path):
    own = {"thresholds.own": [{"measure": "k_map", "at_least": 5}]}
    scenario = Scenario.read(small_world(tmp_path), own)
    session = Session.open(scenario)
    client = ExplorerClient(session)
    assert client.ask("question")["thresholds"]
    free, limited = (client.ask("suggestions", setting={"loss": loss, "policy": "pairs"}) for loss in (90, 80))
    expected = suggest(Scenario.read(scenario.file.path, {**own, "payoffs.loss": 80, "floor": "pairs"}))

    assert suggestion_words(expected) == limited["words"]
    assert ("no-attack", None) == (free["game"], free["command"])
    command = "gamedeid run SCENARIO --game basic --set limits.record_risk=0.2 -o DIR"
    assert (None, command) == (limited["game"], limited["command"])
    assert [one.value for one in expected.stakes] == [one["value"] for one in limited["stakes"]["values"]]
    assert len(expected.tried) == len(limited["tried"]["rows"])
    with session.outputs.under_way():
        assert "changes are being tried; wait" in client.refused("suggestions", setting={})
    assert {"phase": None, "done": 0, "total": 0} == client.ask("progress")


def test_a_persons_released_row_is_that_of_the_release(small_client):
    found = small_client.ask("person", setting={"policy": "pairs"}, values={"age": "50", "sex": " Female"})["policies"]

    assert ["pairs", "basic", "sh-friendly", "no-attack"] == [one["name"] for one in found]
    released = {one["name"]: (one["released"], one["people"], one["attacked"]) for one in found}
    assert ({"age": "50", "sex": "*"}, 12, False) == released["basic"]
    assert ({"age": "[50-51]", "sex": "Female"}, 4, True) == released["pairs"]
    assert 0.25 == next(one for one in found if one["name"] == "pairs")["chance"]


def test_a_person_without_a_record_can_be_looked_up(small_client):
    found = small_client.ask("person", setting={}, values={"age": "50", "sex": "Male"})["policies"]

    assert 10 == next(one for one in found if one["name"] == "basic")["people"]
