"""A manifest names the inputs of results, independent of place and time."""

from pathlib import Path

import pytest
import questions
from tampering import digest

from gamedeid import __version__
from gamedeid.errors import InvalidDataError
from gamedeid.file_identity import InputFile, Inputs, digest_file
from gamedeid.results.manifest import json_text, manifest
from gamedeid.scenario.inputs import read_inputs
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.toml import override


def question(folder: Path, *, records: str = "data/records.csv") -> Scenario:
    """Lay out a scenario's files; each holds its own name, as a row of a hierarchy."""
    for place in (records, "data/people.csv", "ages.csv", "zips.csv"):
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{path.name},*")
    changes = {
        "title": "Größe",
        "records.path": records,
        "population.path": "data/people.csv",
        "attributes": {"zip": {"hierarchy": "ages.csv"}, "age": {"hierarchy": "ages.csv", "weight": 0.5}},
        "policy.safe-harbor.zip_populations": "zips.csv",
    }
    return questions.question(changes, folder=folder)


def manifest_of(scenario: Scenario) -> dict[str, object]:
    return manifest(
        scenario=scenario.resolved(), inputs=read_inputs(scenario)[0], outputs={"summary.json": "2", "release.csv": "1"}
    )


def test_a_manifest_shows_files_as_the_scenario_writes_them(tmp_path):
    scenario = question(tmp_path)
    made = manifest_of(scenario)
    assert made == {
        "schema": "urn:gamedeid:schema:manifest:8",
        "gamedeid": __version__,
        "scenario": scenario.resolved(),
        "overridden": [],
        "inputs": {
            "records": {"path": "data/records.csv", "sha256": digest(b"records.csv,*")},
            "population": {"path": "data/people.csv", "sha256": digest(b"people.csv,*")},
            "hierarchy zip": {"path": "ages.csv", "sha256": digest(b"ages.csv,*")},
            "hierarchy age": {"path": "ages.csv", "sha256": digest(b"ages.csv,*")},
            "zip populations": {"path": "zips.csv", "sha256": digest(b"zips.csv,*")},
        },
        "outputs": {"release.csv": "1", "summary.json": "2"},
        "warnings": [],
        "seed": None,
    }
    assert list(made["outputs"]) == ["release.csv", "summary.json"]  # type: ignore[call-overload]


def test_the_same_inputs_in_another_folder_give_the_same_bytes(tmp_path):
    here, there = manifest_of(question(tmp_path / "here")), manifest_of(question(tmp_path / "there"))
    assert json_text(here) == json_text(there)
    assert str(tmp_path) not in json_text(here)


def test_no_folder_of_this_computer_is_in_a_manifest_wherever_the_scenario_names_it(tmp_path):
    scenario = question(tmp_path / "here", records=str(tmp_path / "elsewhere" / "records.csv"))
    for name, key in (("people.csv", "population.path"), ("zips.csv", "policy.safe-harbor.zip_populations")):
        (tmp_path / name).write_text("")
        scenario = _with(scenario, key, str(tmp_path / name))
    ages = tmp_path / "ages.csv"
    ages.write_text("34;*\n35;*\n")
    scenario = _with(scenario, "attributes.age.hierarchy", str(ages))
    made = manifest_of(scenario)

    assert "tmp" not in json_text(made)
    assert made["inputs"]["records"]["path"] == "records.csv"  # type: ignore[index]
    assert made["scenario"]["population"]["path"] == "people.csv"  # type: ignore[index]


def _with(scenario: Scenario, key: str, path: str) -> Scenario:
    """Return the scenario with another path, as read from a file with that path."""
    content = scenario.model_dump(mode="json", exclude_unset=True)
    override(content, key, path)
    return Scenario.parse(content, folder=scenario.folder)


def test_a_path_from_the_root_of_another_system_is_shown_by_its_last_part_too():
    asked = questions.question({"records.path": r"C:\Users\somebody\records.csv"})
    assert asked.resolved()["records"]["path"] == "records.csv"


@pytest.mark.parametrize("name", ["records", "population", "hierarchy age", "zip populations", "notes", ""])
def test_a_file_that_the_scenario_does_not_name_is_shown_by_its_bare_name(tmp_path, name):
    (tmp_path / "file.csv").write_bytes(b"content")
    files = {name: InputFile.at(tmp_path / "file.csv")}
    made = manifest(scenario={"population": None}, inputs=Inputs(files=files), outputs={})
    assert made["inputs"] == {name: {"path": "file.csv", "sha256": digest(b"content")}}


@pytest.mark.parametrize("size", [0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20])
def test_a_digest_is_that_of_the_whole_file(tmp_path, size):
    content = bytes(number % 251 for number in range(1000)) * (size // 1000 + 1)
    (tmp_path / "file").write_bytes(content[:size])
    assert digest_file(tmp_path / "file") == digest(content[:size])


def test_an_unreadable_file_is_reported(tmp_path):
    with pytest.raises(InvalidDataError, match=r"none\.csv: cannot be read \(No such file or directory\)"):
        digest_file(tmp_path / "none.csv")
    with pytest.raises(InvalidDataError, match=r"cannot be read \(Is a directory\)"):
        digest_file(tmp_path)
