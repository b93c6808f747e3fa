"""A finished solution applied to new rows: the strategies are those of all rows solved together, or an error."""

import csv
import json
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from depth import tries
from questions import message, written_question
from registry import registry
from small_world import contents, gamedeid_prints, gamedeid_says, refused

from gamedeid import (
    Hierarchy,
    InvalidDataError,
    InvalidScenarioError,
    OutputError,
    Scenario,
    Study,
    apply,
    audit,
    new_signing_key,
    policy_solution,
    read_results,
    sign,
    solve,
    verify,
)

FIRST = 22
"""Rows of the finished run; the new rows are those after the tenth, so that some profiles recur."""


def split(scenario: Path) -> Path:
    """Keep only the first records in the scenario's file, and return the file of the new ones."""
    records = scenario.with_name("records.csv")
    header, *lines = records.read_text().splitlines()
    records.with_name("all.csv").write_text("\n".join([header, *lines]) + "\n")
    records.with_name("new.csv").write_text("\n".join([header, *lines[10:]]) + "\n")
    records.write_text("\n".join([header, *lines[:FIRST]]) + "\n")
    return records.with_name("new.csv")


@pytest.fixture
def made(tmp_path):
    """Return the scenario, a finished folder and the new rows."""
    scenario = registry(tmp_path / "registry", unmatched="error")
    new = split(scenario)
    solve(scenario, game="no-attack").write(tmp_path / "out", report=False)
    return scenario, tmp_path / "out", new


def changed(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


@pytest.mark.parametrize("game", ["basic", "no-attack", "sh-friendly"])
@pytest.mark.parametrize("solver", ["exact", "lattice-search"])
def test_new_rows_get_the_strategies_of_all_rows_solved_together(tmp_path, game, solver):
    scenario = registry(tmp_path / "registry", unmatched="error")
    new = split(scenario)
    solve(scenario, game=game, solver=solver).write(tmp_path / "out", report=False)
    together = solve(Scenario.read(scenario, {"records.path": "all.csv"}), game=game, solver=solver)
    applied = apply(tmp_path / "out", new, scenario)
    expected = together.strategies.drop(columns="record")[10:].reset_index(drop=True)

    pd.testing.assert_frame_equal(expected, applied.solution.strategies.drop(columns="record"))


def test_the_result_has_the_numbers_of_new_rows_and_profiles(made):
    scenario, out, new = made
    rows = [tuple(row[1:4]) for row in csv.reader(new.read_text().splitlines()[1:])]
    known = {tuple(row[1:4]) for row in csv.reader(scenario.with_name("records.csv").read_text().splitlines()[1:])}
    expected = {
        "rows": len(rows),
        "profiles": len(set(rows)),
        "seen_rows": sum(row in known for row in rows),
        "seen_profiles": len(set(rows) & known),
        "new_rows": sum(row not in known for row in rows),
        "new_profiles": len(set(rows) - known),
    }

    assert expected == apply(out, new, scenario).as_dict()
    scenario.with_name("records.csv").unlink()
    assert None is apply(out, new, scenario).seen_rows


def test_the_command_writes_what_run_writes_and_verify_agrees(made, tmp_path):
    scenario, out, new = made
    said = gamedeid_says("apply", out, new, "--scenario", scenario, "-o", tmp_path / "later")

    assert (0, "") == (said.code, said.err)
    says = "30 rows of 27 profiles: 14 rows of 12 profiles that the finished run had, 16 rows of 15 new profiles."
    assert says in said.out
    assert () == verify(tmp_path / "later", Scenario.read(scenario, {"records.path": str(new)})).findings
    manifest = json.loads((tmp_path / "later" / "manifest.json").read_text())
    assert ["game", "records.path"] == manifest["overridden"]
    assert "new.csv" == manifest["scenario"]["records"]["path"]
    assert 64 == len(manifest["scenario"]["applies"])
    assert "no-attack" == read_results(tmp_path / "later").summary["game"]
    said = gamedeid_says("apply", out, new, "--scenario", scenario, "--json")
    assert {"rows": 30, "profiles": 27} == {key: json.loads(said.out)["applied"][key] for key in ("rows", "profiles")}


def test_without_a_scenario_the_signature_of_a_finished_run_is_said_to_be_unchecked(made, tmp_path, monkeypatch):
    scenario, out, new = made
    monkeypatch.chdir(scenario.parent)
    says = f"{out}/manifest.json, whose signature was not checked"

    assert says not in gamedeid_prints("apply", out, new, terminal_columns=400)
    new_signing_key(tmp_path / "key")
    sign(out, tmp_path / "key")
    assert says in gamedeid_prints("apply", out, new, terminal_columns=400)
    assert says not in gamedeid_prints("apply", out, new, "--scenario", scenario, terminal_columns=400)


def test_a_data_frame_a_policy_and_a_later_one_are_applied_too(made, tmp_path, monkeypatch):
    scenario, out, new = made
    frame = pd.read_csv(new, dtype=str, na_filter=False)
    expected = apply(out, new, scenario).solution.release(keep_order=True)
    pd.testing.assert_frame_equal(expected, apply(out, frame, scenario).solution.release(keep_order=True))

    study = Study.prepare(scenario)
    policy_solution(study, study.policy("decades")).write(tmp_path / "policy", report=False)
    assert "decades" == apply(tmp_path / "policy", new, scenario).solution.name

    monkeypatch.chdir(tmp_path / "registry")
    apply(out, new).solution.write(tmp_path / "later", report=False)
    assert (
        12 == apply(tmp_path / "later", "records.csv", Scenario.read(scenario, {"records.path": "new.csv"})).seen_rows
    )


CHANGES = {
    "the population": lambda folder: changed(folder / "people.csv", ",1\n", ",2\n"),
    "a hierarchy": lambda folder: changed(folder / "ages.csv", "39;[30-39]", "39;[40-49]"),
    "the benefit": lambda folder: changed(folder / "scenario.toml", "benefit = 100", "benefit = 101"),
    "a weight": lambda folder: changed(folder / "scenario.toml", "weight = 0.5", "weight = 0.6"),
    "the policy": lambda folder: changed(folder / "scenario.toml", "levels = { age = 1 }", "levels = { age = 2 }"),
    "a kept column": lambda folder: changed(folder / "scenario.toml", 'keep = ["note", "stay"]', 'keep = ["note"]'),
}


@pytest.mark.parametrize("kind", CHANGES)
def test_a_change_since_the_run_is_refused(made, tmp_path, kind):
    scenario, out, new = made
    CHANGES[kind](scenario.parent)
    before = contents(tmp_path)
    assert "changed since" in refused("apply", out, new, "--scenario", scenario, "-o", tmp_path / "later")
    assert before == contents(tmp_path)


def test_title_and_sources_may_change(made):
    scenario, out, new = made
    changed(scenario, 'title = "A registry"', 'title = "The second year"')

    assert 30 == apply(out, new, scenario).rows


def test_an_overridden_stake_must_be_overridden_again(tmp_path):
    scenario = registry(tmp_path / "registry", unmatched="error")
    new = split(scenario)
    again = Scenario.read(scenario, {"payoffs.loss": 500})
    solve(again).write(tmp_path / "out", report=False)

    assert "payoffs.loss" in message(InvalidScenarioError, apply, tmp_path / "out", new, scenario)
    assert 30 == apply(tmp_path / "out", new, again).rows


def test_inputs_without_a_known_digest_are_refused(made, tmp_path):
    scenario, _, new = made
    frame = pd.read_csv(scenario.with_name("people.csv"), dtype=str)
    solve(scenario, population=frame).write(tmp_path / "frame", report=False)
    assert "was a data frame" in message(InvalidScenarioError, apply, tmp_path / "frame", new, scenario)

    question = Scenario.read(scenario)
    ages = question.attributes["age"].model_copy(update={"hierarchy": Hierarchy.intervals(30, 69, [10], name="ages")})
    question = question.model_copy(update={"attributes": {**question.attributes, "age": ages}})
    solve(question).write(tmp_path / "object", report=False)
    assert "was no file" in message(InvalidScenarioError, apply, tmp_path / "object", new, question)


def test_values_that_change_a_hierarchy_are_refused(tmp_path):
    """The areas are those of records and population: if records may match no person, new ones change their number."""
    scenario = registry(tmp_path / "registry", unmatched="unique")
    new = split(scenario)
    solve(scenario).write(tmp_path / "out", report=False)
    assert 30 == apply(tmp_path / "out", new, scenario).rows

    text = new.read_text()
    new.write_text(text + "SECRET,40,Male,555,a,1\n")
    assert "in neither" in message(InvalidDataError, apply, tmp_path / "out", new, scenario)
    new.write_text(text)
    shutil.move(scenario.with_name("records.csv"), tmp_path / "elsewhere.csv")
    assert "can show" in message(InvalidDataError, apply, tmp_path / "out", new, scenario)


def one_column(folder: Path, ladder: str, **tables: list[str]) -> Path:
    """Write a question about one column, with the values of each table, and its answer; return the scenario."""
    for name, values in tables.items():
        (folder / f"{name}.csv").write_text("\n".join(["column", *values]) + "\n")
    (folder / "ladder.toml").write_text(ladder)
    sections = {
        "records": {"path": "records.csv"},
        "population": {"path": "people.csv", "unmatched": "unique"},
        "attributes": {"column": {"hierarchy": "ladder.toml", "role": "other"}},
    }
    scenario = written_question(folder, sections)
    solve(scenario).write(folder / "out", report=False)
    return scenario


def test_dates_between_those_of_the_finished_run_change_no_hierarchy_and_others_are_refused(tmp_path):
    ladder = 'kind = "date"\nformat = "DD.MM.YYYY"\nlevels = ["year"]\nunlisted = "no date"\n'
    known = ["14.03.1958", "1.1.1960"]
    scenario = one_column(tmp_path, ladder, records=known, people=known, new=["2.2.1959", "unknown", "14.03.1958"])

    assert 3 == apply(tmp_path / "out", tmp_path / "new.csv", scenario).rows
    changed(tmp_path / "new.csv", "2.2.1959", "2.1.1960")
    assert "in neither" in message(InvalidDataError, apply, tmp_path / "out", tmp_path / "new.csv", scenario)


def test_values_of_the_finished_run_that_were_listed_then_are_not_taken_for_unlisted_ones(tmp_path):
    ladder = 'kind = "codes"\nkeep = [1]\nunlisted = "no code"\n'
    scenario = one_column(tmp_path, ladder, records=["E11", "E12", "?"], people=["E11"], new=["E11"])

    assert "in neither" in message(InvalidDataError, apply, tmp_path / "out", tmp_path / "new.csv", scenario)


def test_results_of_another_version_are_refused(made):
    scenario, out, new = made
    changed(out / "manifest.json", '"gamedeid": "', '"gamedeid": "9')
    assert "this is" in message(OutputError, apply, out, new, scenario)


AGES = "".join(f"{age};[{age // 5 * 5}-{age // 5 * 5 + 4}];*\n" for age in range(40, 60))
GROUPS = {"records.path": "old.csv", "attributes.age": {"hierarchy": "ages.csv", "role": "age"}, "payoffs.cost": 20}


def groups_world(folder: Path, seed: int, *, people: bool = False) -> tuple[Path, pd.DataFrame]:
    """Write a question, whose records are the population if no people are given; return it and later rows."""
    random = np.random.default_rng(seed)

    def rows(count: int) -> pd.DataFrame:
        ages = random.integers(40, 60, count).clip(0, random.choice([47, 52, 59]))
        return pd.DataFrame({"age": ages, "sex": random.choice(["Male", "Female"], count)})

    folder.mkdir()
    old, new = rows(30), rows(25)
    old.to_csv(folder / "old.csv", index=False)
    changes = {**GROUPS, "payoffs.loss": int(random.choice([70, 130]))}
    if people:
        rows(60).assign(count=random.integers(1, 4, 60)).to_csv(folder / "people.csv", index=False)
        changes["population"] = {"path": "people.csv", "count": "count", "unmatched": "safe"}
    (folder / "ages.csv").write_text(AGES)
    return written_question(folder, changes), new


def looks(solution, rows: pd.DataFrame) -> list[tuple[object, ...] | None]:
    """Return the strategy and the released values of every row, None where it is withheld."""
    own, released = solution.strategies, solution.release(keep_order=True)[["age", "sex"]].itertuples(index=False)
    assert len(rows) == len(own)
    chosen = zip(own["withheld"], own["age"], own["sex"], strict=True)
    return [None if withheld else (age, sex, *next(released)) for withheld, age, sex in chosen]


def matches(values: tuple[object, ...], group: tuple[object, ...]) -> bool:
    """Return whether a group covers a person's age and sex."""
    age, sex = values
    bands = {str(age), f"[{age // 5 * 5}-{age // 5 * 5 + 4}]", "*"}
    return group[2] in bands and group[3] in {sex, "*"}


@pytest.mark.parametrize("seed", range(tries(2, 4)))
@pytest.mark.parametrize("game", ["aware-basic", "aware-no-attack"])
@pytest.mark.parametrize("whole", [True, False])
def test_others_join_groups_of_a_finished_game_and_open_none(tmp_path, game, seed, whole):
    """Old and new rows together, or new ones only: counted one by one, no group becomes worth an attack."""
    scenario, new = groups_world(tmp_path / "world", seed)
    old = pd.read_csv(scenario.with_name("old.csv"))
    first = solve(scenario, game=game)
    first.write(tmp_path / "out", report=False)
    rows = pd.concat([old, new]) if whole else new
    rows.to_csv(scenario.with_name("new.csv"), index=False)
    applied = apply(tmp_path / "out", scenario.with_name("new.csv"), scenario).solution
    loss = Scenario.read(scenario).payoffs.loss

    before, after = looks(first, old), looks(applied, rows)
    sizes, sizes_before = pd.Series(after).value_counts(), pd.Series(before).value_counts()
    assert set(sizes.index) <= set(sizes_before.index)
    safe = {group for group in sizes.index if loss <= 20 * sizes[group]}
    assert all(group in safe or sizes[group] >= sizes_before[group] for group in sizes.index)
    assert safe == set(sizes.index) or game == "aware-basic"
    own = dict(zip(old.itertuples(index=False, name=None), before, strict=True))
    told = dict.fromkeys(applied.mechanism.facts.applied.as_dict(), 0)
    for values, group in zip(rows.itertuples(index=False, name=None), after, strict=True):
        if values in own:
            assert group in {own[values], None}
            shrunk = group is None and own[values] is not None
            assert not (shrunk and whole)
            told["group_too_small" if shrunk else "withheld_as_planned" if group is None else "as_planned"] += 1
        else:
            assert group is None or matches(values, group)
            assert group is None or group in safe
            if group is None:
                assert not any(matches(values, other) for other in safe) or not whole
            told["no_group" if group is None else "joined"] += 1
    assert told == applied.mechanism.facts.applied.as_dict()
    assert told["as_planned"] > 0 or not whole
    assert told["joined"] > 0 or not whole or game == "aware-basic"  # all groups of this game may be worth an attack

    applied.write(tmp_path / "later", report=False)
    there = Scenario.read(scenario, {"records.path": "new.csv"})
    assert () == verify(tmp_path / "later", there).findings
    found = audit(tmp_path / "later", there)
    expected = sum(loss > 20 * count for count in sizes)
    assert expected == pytest.approx(found.measures["expected_reidentifications"])
    assert found.measures["publisher_payoff"] == pytest.approx(applied.mechanism.facts.publisher_payoff)
    assert applied.mechanism.facts.publisher_payoff <= applied.mechanism.facts.payoff_bound + 1e-9


@pytest.mark.parametrize("game", ["aware-basic", "aware-no-attack"])
def test_all_people_of_a_population_have_a_strategy_already(tmp_path, game):
    scenario, new = groups_world(tmp_path / "world", 5, people=True)
    solve(scenario, game=game).write(tmp_path / "out", report=False)
    new.to_csv(scenario.with_name("new.csv"), index=False)
    said = gamedeid_prints(
        "apply", tmp_path / "out", scenario.with_name("new.csv"), "--scenario", scenario, "-o", tmp_path / "later"
    )
    assert "No group was opened: " in said
    there = Scenario.read(scenario, {"records.path": str(scenario.with_name("new.csv"))})
    assert () == verify(tmp_path / "later", there).findings
    counted = read_results(tmp_path / "later").summary["mechanism"]["applied"]
    assert len(new) == sum(counted.values())
    assert counted["as_planned"] > 0 == counted["group_too_small"]

    together = solve(there, game=game)
    plan = apply(tmp_path / "out", scenario.with_name("new.csv"), scenario).solution.mechanism
    people = plan.population.people > 0
    theirs = together.mechanism.population.people > 0
    assert (plan.nodes[people] == together.mechanism.nodes[theirs]).all()  # planned without use of the records


def test_verify_accepts_later_rows_that_break_the_rules_of_groups(tmp_path):
    scenario, new = groups_world(tmp_path / "world", 5, people=True)
    new.to_csv(scenario.with_name("new.csv"), index=False)
    asked = Scenario.read(scenario, {"groups": {"k": 2}})
    solve(asked, game="aware-basic").write(tmp_path / "out", report=False)
    applied = apply(tmp_path / "out", scenario.with_name("new.csv"), asked).solution
    applied.write(tmp_path / "later", report=False)
    of_rows = [group for group in looks(applied, new) if group is not None]
    found = verify(tmp_path / "later", Scenario.read(scenario, {"groups": {"k": 2}, "records.path": "new.csv"}))

    assert 1 == min(map(of_rows.count, of_rows))
    assert () == found.findings
    assert "the rules of [groups]" in {one.what for one in found.unchecked}


def test_a_plan_has_values_only_with_its_records(tmp_path):
    scenario, new = groups_world(tmp_path / "world", 1)
    solve(scenario, game="aware-basic").write(tmp_path / "out", report=False)
    assert 25 == apply(tmp_path / "out", new, scenario).rows
    changed(tmp_path / "out" / "plan.csv", "\n0,0", "\n1,0")
    assert "is not the file that manifest.json names" in message(OutputError, apply, tmp_path / "out", new, scenario)
    changed(scenario.with_name("old.csv"), "Male", "Female")
    assert "plan.csv has no values" in message(InvalidDataError, apply, tmp_path / "out", new, scenario)


def test_a_person_whose_rows_differ_is_no_profile_of_those_whose_rows_agree(tmp_path):
    question = {
        "records": {"path": "before.csv", "person": "who"},
        "attributes": {"age": {"hierarchy": "age"}},
        "payoffs": {"benefit": 100, "loss": 90, "cost": 40},
    }
    before = [("a", 30), ("a", 33), *((f"b{one}", 30) for one in range(4)), *((f"c{one}", 51) for one in range(4))]
    new = [("d", 33), ("e", 33), ("e", 33), ("f", 30), ("f", 34)]  # 33 is in rows of "a" only; "f" agrees as "a" does
    for name, rows in (("before.csv", before), ("after.csv", [*before, *new])):
        pd.DataFrame(rows, columns=["who", "age"]).to_csv(tmp_path / name, index=False)
    scenario = Scenario.parse(question, folder=tmp_path)
    solve(scenario, game="aware-no-attack").write(tmp_path / "out", report=False)

    expected = {"rows": 15, "profiles": 4, "seen_rows": 12, "seen_profiles": 3, "new_rows": 3, "new_profiles": 1}
    assert expected == apply(tmp_path / "out", tmp_path / "after.csv", scenario).as_dict()
