"""The command that `gamedeid init` recommends until users set stakes: it holds if the recipient knows the method."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from small_world import gamedeid_says

from gamedeid.intake.drafting.scenario_text import SAFE_GROUP_SIZE


@pytest.fixture
def patients(tmp_path: Path) -> Path:
    """Return a file of 400 patients, some of whose sexes are missing."""
    draw = np.random.default_rng(7)
    ages, sexes = draw.normal(50, 15, 400).round().clip(18, 95).astype(int), draw.choice(["F", "M", ""], 400)
    frame = pd.DataFrame({"age": ages, "sex": sexes, "outcome": draw.choice(["well", "ill"], 400)})
    frame.to_csv(tmp_path / "patients.csv", index=False)
    return tmp_path / "patients.csv"


def recommended(said: str) -> list[str]:
    """Return the words of the recommended command, with `--no-report` and without the folder at the end."""
    command = said[said.index("gamedeid run ") :].splitlines()[0]
    run, *words, last = command.removeprefix("gamedeid ").split()
    assert "RELEASE" == last
    return [run, "--no-report", *words]


def groups(scenario: Path, out: Path) -> Counter[tuple[str, ...]]:
    """Return how many records are released in each group: alike in their strategy and released values."""
    strategies = pd.read_csv(out / "strategies.csv")
    released = pd.read_csv(out / "release.csv", dtype=str)
    levels = strategies[~strategies["withheld"]][["age", "sex"]].astype(str).reset_index(drop=True)
    assert len(levels) == len(released), scenario
    rows = pd.concat([levels, released[["age", "sex"]]], axis=1)
    return Counter(map(tuple, rows.itertuples(index=False)))


def test_without_a_population_no_record_is_in_a_group_worth_an_attack(patients, tmp_path):
    scenario = tmp_path / "draft" / "scenario.toml"
    said = gamedeid_says("init", patients, "--yes", "--year", 2026, "-o", scenario.parent)
    ran = gamedeid_says(*recommended(said.out), tmp_path / "out")
    naive = gamedeid_says("run", scenario, "--game", "no-attack", "--no-report", "-o", tmp_path / "naive")

    assert (0, 0, 0) == (said.code, ran.code, naive.code), ran.err
    assert f"In the game aware-no-attack {SAFE_GROUP_SIZE} or more people are released alike" in said.out
    found = groups(scenario, tmp_path / "out")
    assert found
    assert min(found.values()) >= SAFE_GROUP_SIZE == 75
    assert min(groups(scenario, tmp_path / "naive").values()) < SAFE_GROUP_SIZE


@pytest.mark.parametrize("rows", [1, 2])
def test_with_a_population_no_attack_pays_on_people_with_one_row_or_several(tmp_path, rows):
    draw = np.random.default_rng(7)
    people = pd.DataFrame({"age": draw.integers(20, 60, 3000), "sex": draw.choice(["F", "M"], 3000)})
    people.to_csv(tmp_path / "people.csv", index=False)
    patients = people[:200].assign(outcome="well", mrn=range(1000, 1200))
    pd.concat([patients] * rows).to_csv(tmp_path / "patients.csv", index=False)
    words = ("--population", tmp_path / "people.csv", "--yes", "--year", 2026, "-o", tmp_path / "draft")
    key = ("--person", "mrn") if rows > 1 else ()
    said = gamedeid_says("init", tmp_path / "patients.csv", *words, *key)
    ran = gamedeid_says(*recommended(said.out), tmp_path / "out")
    strategies = pd.read_csv(tmp_path / "out" / "strategies.csv")

    assert (0, 0) == (said.code, ran.code), ran.err
    chosen = strategies[~strategies["withheld"]][["age", "sex"]].drop_duplicates()
    assert (rows > 1) == ("With one strategy for all records, this shows only" in said.out) == (len(chosen) == 1)
    summary = json.loads((tmp_path / "out" / "summary.json").read_text("utf-8"))
    played = summary["policies"][summary["game"]]
    assert (0.0, 0.0) == (played["attacked"], played["aware"]["attacked"])


def test_on_a_narrow_terminal_the_recommended_command_is_one_line(patients, tmp_path):
    written = gamedeid_says("init", patients, "--yes", "--year", 2026, "-o", tmp_path / "draft", terminal_columns=80)
    (command,) = [line for line in written.out.splitlines() if line.startswith("gamedeid run ")]

    assert command.endswith(" -o RELEASE")
    assert (0, 0) == (written.code, gamedeid_says(*recommended(written.out), tmp_path / "out").code)


@pytest.mark.parametrize("people", [SAFE_GROUP_SIZE - 1, SAFE_GROUP_SIZE])
def test_of_too_few_people_it_says_that_the_recommended_command_withholds_all(tmp_path, people):
    ages = np.resize([31, 38, 44], people)  # all in one group of 15 years
    frame = pd.DataFrame({"patient_id": range(1000, 1000 + people), "age": ages})
    frame = pd.concat([frame, frame[: people // 2]])  # several rows a person
    frame.to_csv(tmp_path / "visits.csv", index=False)
    words = ("--yes", "--year", 2026, "--person", "patient_id", "-o", tmp_path / "draft")
    said = gamedeid_says("init", tmp_path / "visits.csv", *words)
    ran = gamedeid_says(*recommended(said.out), tmp_path / "out")
    withheld = pd.read_csv(tmp_path / "out" / "strategies.csv")["withheld"]

    few = people < SAFE_GROUP_SIZE
    assert few == (f"The file has {people} people, fewer than 75:" in said.out)
    assert few == ("The aware-no-attack game withholds every person" in ran.out) == withheld.all()


def test_of_too_many_strategies_it_says_that_the_recommended_command_refuses_them(tmp_path):
    draw = np.random.default_rng(7)
    days = {
        name: pd.Timestamp("1930-01-01") + pd.to_timedelta(draw.integers(0, 30_000, 200), "D")
        for name in ("birth_date", "admit_date", "discharge_date", "visit_date")
    }
    frame = pd.DataFrame({"age": draw.integers(20, 80, 200), "sex": draw.choice(["F", "M"], 200), **days})
    others = {"zip": draw.choice(["37201", "38103"], 200), "dx": draw.choice(["I10", "J18.9"], 200)}
    frame.assign(**others).to_csv(tmp_path / "stays.csv", index=False)
    words = ("init", tmp_path / "stays.csv", "--yes", "--year", 2026)
    said = gamedeid_says(*words, "-o", tmp_path / "large")
    refused = gamedeid_says(*recommended(said.out), tmp_path / "out")
    again = gamedeid_says(*words, "--drop", "birth_date", "--drop", "admit_date", "-o", tmp_path / "small")
    ran = gamedeid_says(*recommended(again.out), tmp_path / "out")

    assert "strategies, and tables take at most 65,536" in refused.err
    strategies = refused.err.split("attributes: ")[1].split(" ")[0]
    assert f"The draft has {strategies} strategies, and this command takes at most 65,536." in said.out
    assert "this command takes at most" not in again.out
    assert (0, 0) == (again.code, ran.code), ran.err
