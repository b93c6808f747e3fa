"""A setting saved as a scenario: comments and order are kept, and it reads back as the same question."""

import difflib
import stat

import pytest
from explorer_client import ExplorerClient, client_in
from small_world import QUICKSTART, SCENARIO, small_world

import gamedeid
from gamedeid.errors import InvalidScenarioError
from gamedeid.explorer.saving import Change, changed_text
from gamedeid.explorer.session import Session
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.study import Study


def lines_changed(before, after):
    compared = difflib.ndiff(before.splitlines(), after.splitlines())
    return [line for line in compared if line[:2] in {"- ", "+ "}]


def test_comments_and_order_stay_and_only_moved_stakes_change(client, root):
    setting = {"loss": 1500, "policy": "limited-data-set", "weights": {"sex": 0.5}, "gain": 900, "game": "basic"}
    found = client.ask("save", setting=setting, path="mine.toml", overwrite=False)

    assert {"path": str(root / "mine.toml")} == found
    text = (root / "mine.toml").read_text()
    changed = lines_changed(QUICKSTART.read_text(), text)
    comment = "# what its re-identification costs the publisher, and is worth to the adversary"
    assert {f"+ loss = 1500     {comment}", '+ floor = "limited-data-set"', "+ weight = 0.5", "+ gain = 900"} <= set(
        changed
    )
    assert ["game", "path", "path", "loss"] == [line.split()[1] for line in changed if line.startswith("- ")]
    assert 0o600 == stat.S_IMODE((root / "mine.toml").stat().st_mode)


def test_the_saved_scenario_asks_the_same_question(client, root):
    setting = {"loss": 1500, "benefit": 700.5, "weights": {"age": 2.0}, "policy": "limited-data-set", "game": "basic"}
    client.ask("save", setting=setting, path="same.toml", overwrite=False)
    saved = Scenario.read(root / "same.toml")
    changes = {
        "payoffs.loss": 1500,
        "payoffs.benefit": 700.5,
        "attributes.age.weight": 2.0,
        "floor": "limited-data-set",
        "game": "basic",
    }

    def question(scenario):
        resolved = scenario.resolved()
        for section in ("records", "population"):
            del resolved[section]["path"]
        return resolved

    assert question(Scenario.read(QUICKSTART, changes)) == question(saved)
    assert 400 == Study.prepare(saved).records


def test_a_scenario_with_an_aware_game_keeps_it_and_its_release_is_not_that_of_another_game(tmp_path):
    path = small_world(tmp_path, scenario=SCENARIO.replace('"basic"', '"aware-no-attack"'))
    session = Session.open(Scenario.read(path), root=tmp_path)
    client = ExplorerClient(session)
    client.ask("save", setting={"loss": 60}, path="saved.toml", overwrite=False)
    said = client.refused("write", setting={"loss": 60}, folder="out", overwrite=False)
    saved = Scenario.read(tmp_path / "saved.toml")

    assert ("no-attack", "aware-no-attack", 60) == (session.opened.game, saved.game, saved.payoffs.loss)
    assert "the scenario plays aware-no-attack, which this page does not" in said
    assert "The game of the scenario, aware-no-attack, is not shown" in session.question()["warnings"][0]
    assert not (tmp_path / "out").exists()


def test_an_existing_file_is_replaced_only_when_asked(client, root):
    client.ask("save", setting={"loss": 1}, path="twice.toml", overwrite=False)
    before = (root / "twice.toml").read_text()

    assert "already exists" in client.refused("save", setting={"loss": 2}, path="twice.toml", overwrite=False)
    assert before == (root / "twice.toml").read_text()
    client.ask("save", setting={"loss": 2}, path="twice.toml", overwrite=True)
    assert 2 == Scenario.read(root / "twice.toml").payoffs.loss


def test_a_scenario_in_another_folder_leads_to_the_same_data(tmp_path):
    (tmp_path / "deep" / "er").mkdir(parents=True)

    client_in(tmp_path).ask("save", setting={"loss": 80}, path="deep/er/moved.toml", overwrite=False)

    saved = Scenario.read(tmp_path / "deep" / "er" / "moved.toml")
    assert ("../../records.csv", "../../ages.csv") == (saved.records.path.as_posix(), saved.attributes["age"].hierarchy)
    assert "sex" == saved.attributes["sex"].hierarchy
    assert 4 == Study.prepare(saved).records


def test_a_list_of_a_recipient_is_found_from_another_folder(tmp_path):
    (tmp_path / "deep").mkdir()
    listed = '\n[recipients."a.b"]\npopulation = { path = "people.csv", count = "count", unmatched = "safe" }\n'
    scenario = Scenario.read(small_world(tmp_path, scenario=SCENARIO + listed))

    client = ExplorerClient(Session.open(scenario, root=tmp_path))
    client.ask("save", setting={"loss": 80}, path="deep/moved.toml", overwrite=False)

    assert 4 == Study.prepare(Scenario.read(tmp_path / "deep" / "moved.toml")).records


@pytest.mark.parametrize(
    "releases",
    [
        'releases = ["june", { folder = "june", rises = { age = 0 } }]\nkey = "name"',
        'key = "name"\n[[earlier.releases]]\nfolder = "june"\nrecords = "records.csv"',
    ],
)
def test_earlier_releases_are_found_from_another_folder(tmp_path, releases):
    (tmp_path / "deep").mkdir()
    path = small_world(tmp_path)
    gamedeid.solve(str(path)).write(tmp_path / "june", report=False)
    path.write_text(f"{path.read_text()}\n[earlier]\n{releases}\n")
    session = Session.open(Scenario.read(path), root=tmp_path)

    ExplorerClient(session).ask("save", setting={"loss": 80}, path="deep/moved.toml", overwrite=False)

    moved = Study.prepare(Scenario.read(tmp_path / "deep" / "moved.toml"))
    assert moved.earlier.levels.tolist() == Study.prepare(Scenario.read(path)).earlier.levels.tolist()


def test_overrides_are_saved_too(tmp_path):
    overrides = {"payoffs.cost": 21, "records.missing": "suppress"}
    scenario = Scenario.read(small_world(tmp_path), overrides)
    client = ExplorerClient(Session.open(scenario, root=tmp_path, overrides=overrides))

    client.ask("save", setting={"loss": 80}, path="over.toml", overwrite=False)

    saved = Scenario.read(tmp_path / "over.toml")
    assert (21, 80, "suppress") == (saved.payoffs.cost, saved.payoffs.loss, saved.records.missing)
    assert () == saved.overridden


def test_the_old_scenario_is_replaced_when_that_is_asked_for(tmp_path):
    client_in(tmp_path).ask("save", setting={"loss": 80}, path="scenario.toml", overwrite=True)

    assert 80 == Scenario.read(tmp_path / "scenario.toml").payoffs.loss
    assert 'title = "Four people"' in (tmp_path / "scenario.toml").read_text()


@pytest.mark.parametrize(
    ("text", "changes", "expected"),
    [
        ("a = 1 # why\nb = 2\n", [Change(("a",), 3)], "a = 3 # why\nb = 2\n"),
        ("[s]\na = 1\n", [Change(("b",), 3)], "b = 3\n\n[s]\na = 1\n"),
        ("[s]\na = 1\nc = 2\n", [Change(("s", "a"), None)], "[s]\nc = 2\n"),
        ("[s]\na = 1\n", [Change(("t", "a"), None)], "[s]\na = 1\n"),
        ("s = { a = 1, b = 2 }\n", [Change(("s", "a"), 3.0)], "s = { a = 3, b = 2 }\n"),
        ("s.a = 1\ns.b = 2\n", [Change(("s", "b"), 1.5)], "s.a = 1\ns.b = 1.5\n"),
        ('[s."x y"]\na = 1\n', [Change(("s", "x y", "a"), "z")], '[s."x y"]\na = "z"\n'),
        ("a = 1\r\n# b\r\n", [Change(("a",), 2)], "a = 2\r\n# b\r\n"),
    ],
)
def test_one_value_of_a_text_changes_and_nothing_else(text, changes, expected):
    assert expected == changed_text(text, changes)


def test_a_text_that_cannot_be_changed_is_left_alone():
    with pytest.raises(InvalidScenarioError, match=r"change it by hand: a\.b"):
        changed_text("a = 1\n", [Change(("a", "b"), 2)])
