"""The shipped scenarios are listed, and offered only if they can run."""

import json

import pytest
from small_world import gamedeid_prints, gamedeid_says

from gamedeid.scenario import shipped
from gamedeid.scenario.shipped import runnable_names

QUESTION = """game = "basic"
title = "{title}"
[records]
path = "{path}"
[attributes.sex]
hierarchy = "sex"
[payoffs]
benefit = 1
loss = 1
cost = 1
"""


@pytest.fixture
def two(tmp_path, monkeypatch):
    """Ship two scenarios, one of them with its data."""
    (tmp_path / "people.csv").write_text("sex\nMale\n")
    files = {}
    for name, path in (("absent", "../nowhere/gone.csv"), ("present", "people.csv")):
        files[name] = tmp_path / f"{name}.toml"
        files[name].write_text(QUESTION.format(title=f"The {name} one", path=path))
    monkeypatch.setattr(shipped, "shipped_files", lambda _: files)
    return files


@pytest.mark.usefixtures("two")
def test_runnable_scenarios_are_listed_and_what_the_others_lack():
    said = gamedeid_prints("scenarios", terminal_columns=80)

    assert "│ present │ The present one │ yes     │" in said
    assert "│ absent  │ The absent one  │ no      │" in said
    words = " ".join(said.split())  # lines are broken where the path of the test's folder has them broken
    assert "`absent` needs `gone.csv`, which an installation does not hold; a clone of the repository" in words
    assert "name scenarios/absent.toml there, or copy scenarios/nowhere from there to " in words
    assert "gamedeid compare present" in said


@pytest.mark.usefixtures("two")
def test_json_has_the_same_content():
    rows = json.loads(gamedeid_says("scenarios", "--json").out)["scenarios"]

    assert ["present", "absent"] == [row["name"] for row in rows]
    assert [0, 1] == [len(row["absent"]) for row in rows]


@pytest.mark.usefixtures("two")
def test_only_runnable_scenarios_are_offered():
    assert ["present"] == runnable_names()
    assert [] == runnable_names("abs")
    said = gamedeid_says("run", "absnt")
    assert "(present)" in said.err
    assert "absent" not in said.err
    assert "gone.csv" in gamedeid_says("run", "absent").err


def test_the_quickstart_comes_first_and_can_run():
    assert "quickstart" == runnable_names()[0]
