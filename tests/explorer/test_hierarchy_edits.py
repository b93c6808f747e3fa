"""Hierarchies edited in the page: their faults in our usual words, and their effects beside a study prepared anew."""

import pytest
from explorer_client import ExplorerClient
from small_world import HOME

from gamedeid.analysis.comparison import compare_study
from gamedeid.explorer.session import Session
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.solve import solve_study
from gamedeid.study.study import Study

QUICKSTART = HOME / "scenarios" / "quickstart.toml"


@pytest.fixture(scope="module")
def client():
    return ExplorerClient(Session.open(Scenario.read(QUICKSTART)))


@pytest.fixture(scope="module")
def edited(client):
    text = client.ask("hierarchy", attribute="age")["text"]
    assert "5, 15, 30, 60" in text
    return text.replace("5, 15, 30, 60", "10, 40")


@pytest.fixture(scope="module")
def study(edited, tmp_path_factory):
    path = tmp_path_factory.mktemp("hierarchies") / "age.toml"
    path.write_text(edited)
    return Study.prepare(Scenario.read(QUICKSTART, {"attributes.age.hierarchy": str(path)}))


def test_the_text_is_that_of_the_file(client):
    found = client.ask("hierarchy", attribute="zip")

    assert ("us_zip.toml", True, None) == (found["file"], found["editable"], found["why_not"])
    assert (HOME / "hierarchies" / "us_zip.toml").read_text() == found["text"]


def test_an_edited_hierarchy_is_answered_as_a_file_with_its_text(client, edited, study):
    found = client.ask("answer", setting={"hierarchies": {"age": edited}, "loss": 1500})

    at = study.with_scenario(
        study.scenario.model_copy(update={"payoffs": study.scenario.payoffs.model_copy(update={"loss": 1500.0})})
    )
    expected = {name: solution.measures for name, solution in compare_study(at).solutions.items()}
    assert expected == {one["name"]: one["measures"] for one in found["policies"]}
    assert {"age": edited} == found["setting"]["hierarchies"]


def test_the_levels_of_an_edited_hierarchy_are_told(client, edited):
    attributes = client.ask("attributes", setting={"hierarchies": {"age": edited}})["attributes"]

    assert [121, 12, 3, 1] == [level["groups"] for level in attributes[0]["levels"]]
    assert 6 == len(client.ask("attributes", setting={})["attributes"][0]["levels"])


def test_records_change_where_another_label_or_level_of_the_same_hierarchy_is_published(client, edited, study):
    before = solve_study(Study.prepare(Scenario.read(QUICKSTART)), "no-attack")
    after = solve_study(study, "no-attack")
    changed = 0
    for one, other in zip(before.study.instance.profiles.of_record, study.instance.profiles.of_record, strict=True):
        released = [
            None
            if solution.withheld[profile]
            else [
                (name != "age" and int(level), hierarchy.label(int(level), int(code)))
                for level, code, (name, hierarchy) in zip(
                    solution.levels[profile],
                    solution.study.instance.profiles.codes[profile],
                    solution.study.instance.hierarchies.items(),
                    strict=True,
                )
            ]
            for solution, profile in ((before, one), (after, other))
        ]
        changed += released[0] != released[1]

    found = client.ask("changes", setting={"hierarchies": {"age": edited}, "game": "no-attack"})

    assert found["known"]
    assert changed == found["changed"] >= 11
    assert all(row["after"] is None or row["after"]["age"] <= 3 for row in found["strategies"])


def test_a_hierarchy_with_the_same_text_changes_nothing(client):
    text = client.ask("hierarchy", attribute="age")["text"]

    assert 0 == client.ask("changes", setting={"hierarchies": {"age": text}})["changed"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("kind = ", "hierarchy of `age`: not valid TOML"),
        ('kind = "intervals"', "hierarchy of `age`: `kind` is `intervals`"),
        ("", "hierarchy of `age`: the file is empty"),
        ('kind = "table"\npath = "/etc/passwd"', "hierarchy of `age`: the table beside it can be no other than before"),
        (3, "hierarchies.age: expected a text of at most"),
        ("x" * 600_000, "hierarchies.age: expected a text of at most"),
    ],
)
def test_faults_are_said_in_our_usual_words_without_a_path(client, text, said):
    line = client.refused("answer", setting={"hierarchies": {"age": text}})

    assert line.startswith(said)
    assert "/" not in line.replace("/etc/passwd", "").split(":", 1)[0]
    assert str(HOME) not in line


def test_every_fault_of_a_hierarchy_is_told(client):
    found = client.post("answer", {"setting": {"hierarchies": {"age": 'kind = "interval"\nfoo = 1\nbar = 2\n'}}}).json()

    assert len(found["faults"]) >= 2
    assert all(fault.startswith("hierarchy of `age`: ") for fault in found["faults"])


def test_values_that_an_edited_hierarchy_lacks_are_told_by_number_only(client, edited):
    line = client.refused("answer", setting={"hierarchies": {"age": edited.replace("120", "40")}})

    assert "age" in line
    assert "hierarchy" in line


def test_there_is_no_such_attribute(client):
    assert "did you mean `age`?" in client.refused("hierarchy", attribute="agee")
    assert "there is no attribute" in client.refused("hierarchy", attribute=["age"])
    assert "there is no attribute `x`" in client.refused("answer", setting={"hierarchies": {"x": ""}})
