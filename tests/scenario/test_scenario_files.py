"""How a scenario is read from a file, with overrides, and the errors of an invalid one."""

import re
from pathlib import Path

import pytest
from questions import message

from gamedeid import InvalidScenarioError, Scenario
from gamedeid.scenario.toml import override, override_value


def write(folder: Path, text: str | bytes) -> Path:
    path = folder / "question.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


SMALL = """
game = "basic"
[attributes.age]
hierarchy = "age"
[payoffs]
benefit = 1200
loss = 300
cost = 4
"""


def test_a_file_is_read_and_its_folder_remembered(tmp_path):
    scenario = Scenario.read(write(tmp_path, SMALL))

    assert (tmp_path, 1200.0) == (scenario.folder, scenario.payoffs.benefit)


def test_a_byte_order_mark_makes_no_difference(tmp_path):
    assert 4.0 == Scenario.read(write(tmp_path, b"\xef\xbb\xbf" + SMALL.encode())).payoffs.cost


def test_overrides_are_laid_over_the_file(tmp_path):
    path = write(tmp_path, SMALL)
    scenario = Scenario.read(str(path), {"payoffs.loss": 500, "population.unmatched": "safe", "title": "x"})

    assert (500.0, "safe", "x") == (scenario.payoffs.loss, scenario.population.unmatched, scenario.title)
    assert f"unknown key `payoffs.los`; did you mean `loss`? (in {path})" == message(
        InvalidScenarioError, Scenario.read, path, {"payoffs.los": 1}
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"title = 'caf\xe9'", "is not UTF-8 text (byte 12)"),
        ("title = \n", "is not valid TOML: Invalid value (at line 1, column 9)"),
        ("title = " + "9" * 5000, "is not valid TOML: a number is too large, or the nesting too deep"),
        ("title = " + "[" * 5000, "is not valid TOML: a number is too large, or the nesting too deep"),
    ],
)
def test_a_file_that_is_not_toml_is_refused(tmp_path, text, said):
    path = write(tmp_path, text)

    assert message(InvalidScenarioError, Scenario.read, path).startswith(f"{path}: {said}")


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    gone = tmp_path / "gone.toml"

    assert f"{gone}: no such scenario file" == message(InvalidScenarioError, Scenario.read, gone)
    assert f"{tmp_path}: is a folder; a scenario is one TOML file" == message(
        InvalidScenarioError, Scenario.read, tmp_path
    )
    beneath = write(tmp_path, SMALL) / "x.toml"
    assert f"{beneath}: cannot be read (Not a directory)" == message(InvalidScenarioError, Scenario.read, beneath)
    assert "a name no file can have" in message(InvalidScenarioError, Scenario.read, "a\0b")


def test_the_name_of_a_shipped_scenario_leads_to_its_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    begin = "quickstart: no such scenario file; the one that comes with gamedeid is "
    said = message(InvalidScenarioError, Scenario.read, "quickstart")

    assert said.startswith(begin)
    assert "Quickstart: patients of an invented hospital" == Scenario.read(said.removeprefix(begin)).title


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("payoffs.loss=500", "payoffs.loss", 500),
        (" payoffs.loss = 5e2", "payoffs.loss", 500.0),
        ("floor=limited-data-set", "floor", "limited-data-set"),
        ('title="a = b"', "title", "a = b"),
        ("title=a = b", "title", "a = b"),
        ('records.keep=["a", "b"]', "records.keep", ["a", "b"]),
        ("population={unmatched = 'safe'}", "population", {"unmatched": "safe"}),
        ("title=", "title", ""),
        ("title=1\nfloor=2", "title", "1\nfloor=2"),
        ("title=" + "9" * 5000, "title", "9" * 5000),
    ],
)
def test_an_override_is_read_as_toml_and_else_as_text(text, key, value):
    assert (key, value) == override_value(text)


@pytest.mark.parametrize("text", ["payoffs.loss", "=3", " = 3"])
def test_an_override_needs_a_key_and_a_value(text):
    assert f"set takes KEY=VALUE, such as payoffs.loss=500, not `{text}`" == message(
        InvalidScenarioError, override_value, text
    )


def test_an_override_makes_the_sections_on_its_way():
    made = {}
    override(made, "policy.mine.levels.age", 2)

    assert {"policy": {"mine": {"levels": {"age": 2}}}} == made


def test_a_part_of_an_override_may_have_a_dot_or_a_letter_of_its_own():
    made = {}
    override(made, 'attributes."zip.code".weight', 2)
    override(made, "attributes.größe.weight", 1)

    assert {"attributes": {"zip.code": {"weight": 2}, "größe": {"weight": 1}}} == made


@pytest.mark.parametrize("there", [5, [{"when": {}}]])
def test_an_override_does_not_go_through_a_value(there):
    assert "override of `payoffs.loss`: `payoffs` is a value, not a section" == message(
        InvalidScenarioError, override, {"payoffs": there}, "payoffs.loss", 3
    )


SPACED = '; a name with a space or a dot in it needs quotes, such as [attributes."marital status"]'


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        (
            'path = "C:\\Users\\me\\x.csv"\n',
            "; a Windows path needs single quotes, such as path = 'C:\\data\\records.csv'",
        ),
        ("[attributes.marital status]\n", SPACED),
        ("marital status = 5\n", SPACED),
        ("title = \n", ""),
    ],
)
def test_an_error_names_the_text_that_toml_wants_in_quotes(tmp_path, text, hint):
    path = tmp_path / "scenario.toml"
    path.write_text(text)
    said = message(InvalidScenarioError, Scenario.read, path)

    assert re.search(r"is not valid TOML: .* \(at line 1, column \d+\)", said)[0] + hint == said.removeprefix(
        f"{path}: "
    )
