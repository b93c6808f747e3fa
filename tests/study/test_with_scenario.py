"""What a study keeps and refuses with another scenario; its answers: test_with_scenario_everywhere."""

import json

import pytest
from small_world import HOME, SCENARIO, contents, small_world

from gamedeid import InvalidDataError, InvalidScenarioError, OpenHierarchy, Scenario, Study, read_hierarchy, solve
from gamedeid.choices import GAMES
from gamedeid.generalization.files import HierarchyFile
from gamedeid.scenario.toml import read_content

QUICKSTART = HOME / "scenarios" / "quickstart.toml"
CHANGES = {
    "stakes": {"payoffs.loss": 55, "payoffs.benefit": 70, "payoffs.gain": 300},
    "weights": {"attributes.age.weight": 3.0, "attributes.sex.weight": 0.0},
    "policy": {"floor": "pairs"},
}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return small_world(tmp_path_factory.mktemp("world"))


def test_unaffected_parts_are_not_compiled_again(path):
    study = Study.prepare(path)
    frontiers = [study.frontier(game) for game in GAMES]
    stakes = study.with_scenario(Scenario.read(path, CHANGES["stakes"]))
    policy = study.with_scenario(Scenario.read(path, CHANGES["policy"]))
    weights = study.with_scenario(Scenario.read(path, CHANGES["weights"]))

    assert all(one.entries is other.entries for one, other in zip(frontiers, map(stakes.frontier, GAMES), strict=True))
    assert all(stakes.frontier(game).data is stakes.instance.data for game in GAMES)
    assert study.frontier("basic").entries is policy.frontier("basic").entries
    assert study.frontier("sh-friendly").entries is not policy.frontier("sh-friendly").entries
    assert study.frontier("basic").entries is not weights.frontier("basic").entries
    assert study.scenario_policy is stakes.scenario_policy
    assert study.instance.counts is weights.instance.counts


@pytest.mark.parametrize("floors", [("limited-data-set", "safe-harbor"), ("safe-harbor", "limited-data-set")])
def test_the_manifest_lists_the_files_of_the_policy_that_was_asked_for_last(tmp_path, floors):
    first, last = (Scenario.read(QUICKSTART, {"floor": floor}) for floor in floors)

    solve(Study.prepare(first).with_scenario(last)).write(tmp_path / "changed", report=False)
    solve(Study.prepare(last)).write(tmp_path / "prepared", report=False)

    assert contents(tmp_path / "prepared") == contents(tmp_path / "changed")
    listed = json.loads((tmp_path / "changed" / "manifest.json").read_text())["inputs"]
    assert (floors[1] == "safe-harbor") == ("restricted prefixes" in listed)


def test_the_hierarchies_are_not_read_again_for_another_policy(path, monkeypatch):
    study = Study.prepare(path)
    read: list[object] = []
    monkeypatch.setattr(HierarchyFile, "opened", read.append)

    assert study.inputs.files == study.with_scenario(Scenario.read(path, {"floor": "pairs"})).inputs.files
    assert [] == read


OTHER_DATA = {
    "records": {"records.keep": [], "records.drop": ["name", "income"]},
    "population": {"population.unmatched": "unique"},
    "attributes.age.hierarchy": {"attributes.age.hierarchy": "age"},
    "recipients.club.population": {
        "recipients.club.levels": {"age": 1},
        "recipients.club.population": {"path": "people.csv", "count": "count"},
    },
}


@pytest.mark.parametrize("key", OTHER_DATA)
def test_a_scenario_that_needs_other_data_is_refused_and_the_key_named(path, key):
    study = Study.prepare(path)

    with pytest.raises(InvalidScenarioError, match=f"the data were read for another scenario.* `{key}`; prepare"):
        study.with_scenario(Scenario.read(path, OTHER_DATA[key]))


def test_a_file_changed_after_its_first_read_is_refused_for_another_question(tmp_path):
    path = small_world(tmp_path)
    study = Study.prepare(path)
    (tmp_path / "people.csv").write_text("age,sex,count\n40,Male,1\n")

    with pytest.raises(InvalidDataError, match=r"people\.csv: was changed after it was first read"):
        solve(study.with_scenario(Scenario.read(path, {"floor": "pairs"}))).write(tmp_path / "out")


def test_an_attribute_takes_a_hierarchy_that_is_open_to_the_data(tmp_path):
    (tmp_path / "digits.toml").write_text('kind = "prefix"\nlength = 2\nkeep = [1]\n')
    role = SCENARIO.replace('hierarchy = "ages.csv"\nrole = "age"', 'hierarchy = "digits.toml"\nrole = "other"')
    path = small_world(tmp_path, scenario=role)
    content = read_content(path)
    content["attributes"]["age"]["hierarchy"] = read_hierarchy(tmp_path / "digits.toml")
    assert isinstance(content["attributes"]["age"]["hierarchy"], OpenHierarchy)

    handed_over = Scenario.parse(content, folder=tmp_path)

    assert "digits" == handed_over.resolved()["attributes"]["age"]["hierarchy"]
    by_name, by_value = (solve(Study.prepare(one), game="basic").measures for one in (path, handed_over))
    assert by_name == by_value
