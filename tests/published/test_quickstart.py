"""Does the script make the quickstart, does it keep its promise, and do its games differ?"""

import re
from pathlib import Path

import numpy as np
import pytest
from make_quickstart import FOLDER, PATIENTS, PLACES, quickstart_files

import gamedeid
from gamedeid.analysis.summary import run_summary
from gamedeid.file_identity import Inputs
from gamedeid.results.manifest import json_text, manifest

PATIENT, NUMBERS = 26, {1: "one", 2: "two", 3: "three", 4: "four", 5: "five"}
SCENARIO = Path(__file__).parents[2] / "scenarios" / "quickstart.toml"


@pytest.fixture(scope="module")
def made() -> dict[str, bytes]:
    return quickstart_files()


@pytest.fixture(scope="module")
def comparison() -> gamedeid.Comparison:
    return gamedeid.compare(SCENARIO)


@pytest.mark.parametrize("name", ["records.csv", "population.csv"])
def test_the_script_makes_the_committed_bytes(made: dict[str, bytes], name: str) -> None:
    assert (FOLDER / name).read_bytes() == made[name]


def test_another_seed_makes_another_hospital(made: dict[str, bytes]) -> None:
    assert quickstart_files(1)["records.csv"] != made["records.csv"]


def test_the_population_has_all_people_of_every_place() -> None:
    rows = [line.split(",") for line in (FOLDER / "population.csv").read_text().splitlines()[1:]]
    people = {place: sum(int(row[4]) for row in rows if row[3] == place) for place in PLACES}
    assert {place: total for place, (total, _) in PLACES.items()} == people


def test_no_name_leaves_the_hospital(comparison: gamedeid.Comparison) -> None:
    names = {line.split(",")[0] for line in (FOLDER / "records.csv").read_text().splitlines()[1:]}
    words = {word for name in names for word in name.split()}
    assert len(words) > 20
    for solution in comparison.solutions.values():
        written = (
            solution.release(keep_order=True).to_csv()
            + solution.strategies.to_csv()
            + str([block.to_pydict() for block in solution.strategies_blocks()])
        )
        assert set() == {word for word in words if word in written}


def test_no_name_gets_into_the_reports(comparison: gamedeid.Comparison) -> None:
    solution = comparison.solutions["basic"]
    made = manifest(scenario=solution.study.scenario.resolved(), inputs=Inputs(files={}), outputs={})
    written = json_text(run_summary(solution).as_dict()) + json_text(made)
    assert "Juniper" in (FOLDER / "records.csv").read_text()
    assert "Juniper" not in written


def test_the_games_differ_as_the_tutorial_needs_them_to(comparison: gamedeid.Comparison) -> None:
    measures = {name: solution.measures for name, solution in comparison.solutions.items()}
    assert {PATIENTS} == {row["records"] for row in measures.values()}
    assert 0.5 < measures["basic"]["unmodified"] < 1
    assert 0 < measures["no-attack"]["unmodified"] < measures["basic"]["unmodified"]
    assert 0 == measures["no-attack"]["attacked"] < measures["sh-friendly"]["attacked"] < measures["basic"]["attacked"]
    payoffs = [measures[name]["publisher_payoff"] for name in ("safe-harbor", "sh-friendly", "no-attack", "basic")]
    assert sorted(payoffs) == payoffs
    assert len(payoffs) == len(set(payoffs))


def test_the_tutorial_states_how_many_people_match_its_patient(comparison: gamedeid.Comparison) -> None:
    """Four people match at full detail; the page once called the patient unique."""
    solution = comparison.solutions["no-attack"]
    instance = solution.study.instance
    [profile] = instance.profiles.of_record[[PATIENT]]
    [exactly] = instance.people(np.array([profile]), instance.lattice.nodes(np.zeros((1, 4), np.int64)))
    released, gain = int(solution.people[profile]), int(instance.payoffs.adversary_gain)
    page = (SCENARIO.parents[1] / "docs" / "tutorial.md").read_text("utf-8")
    [section] = re.findall(r"^## 5\. .*?(?=^## 6\. )", page, re.DOTALL | re.MULTILINE)
    words = " ".join(section.split())

    assert f"Line 28 is record {PATIENT}, counted from 0" in words
    assert f",{exactly} ``` At full detail this patient is one of {NUMBERS[int(exactly)]} people." in words
    assert f"the expected gain is ${gain:,} / {exactly} = ${gain / exactly:,.0f}" in words
    assert f"{released} people match (`success_probability` {1 / released:.4f} = 1/{released})" in words
    assert f"The expected gain is then ${gain / released:.2f}" in words
    assert [] == re.findall(r"\bunique\b|\bsurely\b|\bcertain", words)


def test_a_place_with_too_few_people_is_published_as_one_group(comparison: gamedeid.Comparison) -> None:
    released = comparison.solutions["safe-harbor"].release(keep_order=True)["zip"]
    assert {"034**", "000**"} == set(released)
