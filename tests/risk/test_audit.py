"""A folder of results audited: the same risk as of the solution itself, or one clear line."""

import json
from pathlib import Path

import pandas as pd
import pytest
from questions import message, question
from small_world import contents, gamedeid_says, refused, small_world

from gamedeid import InvalidDataError, InvalidScenarioError, OutputError, Scenario, audit, policy_solution, solve
from gamedeid.risk import aware_risk

LOSS = "payoffs.loss=1000"


@pytest.fixture
def made(tmp_path) -> tuple[Path, Path]:
    """Return a scenario and the folder of its no-attack release."""
    (tmp_path / "world").mkdir()
    scenario = small_world(tmp_path / "world")
    solve(scenario, game="no-attack").write(tmp_path / "out", report=False)
    return scenario, tmp_path / "out"


def test_a_folder_has_the_risk_of_its_solution(made):
    """Six people match 40 as [40-41] Male, but those of 41 would be released unchanged: one is left.

    Of the 12 who match 50 as 50, the ten men would be released as men; of the 14 who match [50-51], two are 51.
    """
    scenario, folder = made
    before = contents(folder)
    found = audit(folder, scenario)

    assert aware_risk(solve(scenario, game="no-attack")).as_dict() == found.as_dict()
    assert [1, 5, 2, 2] == found.people.tolist()
    assert 0.75 == found.measures["attacked"]
    assert 2.0 == found.measures["expected_reidentifications"]
    assert 0.0 == found.naive["attacked"]
    assert "[40-41]" not in gamedeid_says("audit", folder, scenario).out
    assert "[40-41]" in gamedeid_says("audit", folder, scenario, "--show-values").out
    assert before == contents(folder)


def test_a_policy_is_audited_too(made, tmp_path):
    scenario, _ = made
    study = solve(scenario).study
    policy_solution(study, study.policy("pairs")).write(tmp_path / "pairs", report=False)
    assert audit(tmp_path / "pairs", scenario).measures == pytest.approx(audit(tmp_path / "pairs", scenario).naive)


def test_a_changed_scenario_or_input_is_refused(made, tmp_path):
    scenario, folder = made
    assert "the scenario has changed since, in `payoffs.loss`" in refused("audit", folder, scenario, "--set", LOSS)

    people = scenario.with_name("people.csv")
    people.write_text(people.read_text().replace("41,Male,5", "41,Male,6"))
    assert "the input `population` has changed" in message(InvalidDataError, audit, folder, scenario)
    people.write_text(people.read_text().replace("41,Male,6", "41,Male,5"))
    changed = Scenario.read(scenario, {"records.path": str(scenario.with_name("other.csv"))})
    changed.records.path.write_text(scenario.with_name("records.csv").read_text().replace("51", "50"))
    solve(changed).write(tmp_path / "other", report=False)
    says = "the input `records` has changed since the run; `records.path` was overridden for the run, so override it"
    assert says in message(InvalidDataError, audit, tmp_path / "other", scenario)

    strategies = folder / "strategies.csv"
    strategies.write_text(strategies.read_text().replace("true", "false").replace("\n0,1", "\n0,0"))
    assert "strategies.csv is not the file" in message(OutputError, audit, folder, scenario)
    assert "holds no results" in message(OutputError, audit, tmp_path, scenario)


def test_frames_cannot_be_found_again(tmp_path):
    people = pd.DataFrame({"age": [48, 48, 51, 93], "sex": ["Male", "Male", "Male", "Female"]})
    solve(question(), people).write(tmp_path / "out", report=False)
    assert "its records were a data frame" in message(InvalidScenarioError, audit, tmp_path / "out")


def test_a_population_that_was_a_frame_is_noticed(made, tmp_path):
    scenario, _ = made
    text = scenario.read_text()
    start, end = text.index("[population]"), text.index("[attributes.age]")
    alone = scenario.with_name("alone.toml")
    alone.write_text(text[:start] + text[end:])
    people = pd.DataFrame({"age": [40, 41, 50, 51] * 9, "sex": ["Male", "Male", "Female", "Female"] * 9})
    solve(alone, population=people).write(tmp_path / "frame", report=False)
    assert "has other results" in message(InvalidDataError, audit, tmp_path / "frame", alone)


LIMITS = ("attacked = 0.1", "smallest_cell = 3", "uniform = true")
ALONE = [(game, limit) for game in ("basic", "no-attack") for limit in LIMITS]
ALONE += [(game, None) for game in ("basic", "no-attack", "aware-basic", "aware-no-attack")]


def alone(scenario: Path, limit: str | None) -> Path:
    """Return a question of twenty records without a population, within a limit; or with two records a person."""
    text = scenario.read_text().replace("records.csv", "twenty.csv")
    text = text[: text.index("[population]")] + text[text.index("[attributes.age]") :]
    text = text.replace('drop = ["name"]', 'person = "name"') if limit is None else f"{text}[limits]\n{limit}\n"
    (scenario.parent / "alone.toml").write_text(text)
    kinds = ("40,Male", "41,Male", "41,Male", "50,Female", "51,Female", "50,Male", "50,Male")
    rows = "".join(f"SECRET{number // 2},{kinds[number % 7]},>50K\n" for number in range(20))
    (scenario.parent / "twenty.csv").write_text(f"name,age,sex,income\n{rows}")
    return scenario.parent / "alone.toml"


@pytest.mark.parametrize(("game", "limit"), ALONE)
def test_records_that_are_their_own_population_are_counted_as_they_are_released(made, tmp_path, game, limit):
    scenario = alone(made[0], limit)
    solution = solve(scenario, game=game)
    solution.write(tmp_path / "alone", report=False)
    found = audit(tmp_path / "alone", scenario)

    names = pd.read_csv(scenario.parent / "twenty.csv")["name"] if limit is None else range(20)
    table = solution.strategies.assign(name=names)
    released = table[~table["withheld"]].reset_index(drop=True)
    looks = pd.concat(
        [released[["name", "age", "sex"]], solution.release(keep_order=True)[["age", "sex"]].add_prefix("is ")], axis=1
    )
    by_group = looks.drop_duplicates().groupby(["age", "sex", "is age", "is sex"])["name"].count()
    assert sum(90 > 20 * people for people in by_group) == pytest.approx(found.measures["expected_reidentifications"])
    assert sorted(set(by_group)) == sorted(set(found.people[found.people > 0].tolist()))
    printed = json.loads(gamedeid_says("audit", tmp_path / "alone", scenario, "--json").out)
    assert (20 if limit else 10) == printed["records"]
    assert 0 == gamedeid_says("verify", tmp_path / "alone", scenario).code
