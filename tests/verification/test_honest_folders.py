"""`verify` finds no fault in honest folders, for any question."""

import pandas as pd
import pytest
from case_study import SCENARIO as ADULT_TN
from depth import tries
from kinds_of_hierarchy import write_kinds
from registry import registry, several_stays
from small_world import RECORDS, gamedeid_prints, small_world
from tampering import change_json

from gamedeid import Hierarchy, Scenario, Study, policy_solution, solve, verify


def written(scenario, folder, game="basic", *, solver="exact", **how):
    solve(scenario, game=game, solver=solver).write(folder, report=False, **how)
    return verify(folder, scenario)


def unchecked(found) -> set[str]:
    return {one.what for one in found.unchecked}


ALWAYS = {
    "whether files were changed together with their digests",
    "summary.json: other policies, columns, kept_columns, other figures of search, robustness, policy.does",
    "summary.json: aware",
}


@pytest.mark.parametrize("unmatched", ["error", "unique", "safe"])
@pytest.mark.parametrize("game", ["basic", "no-attack", "sh-friendly"])
def test_every_game_with_missing_values_and_unmatched_records(tmp_path, game, unmatched):
    scenario = registry(tmp_path / "registry", unmatched=unmatched)
    for form in ("csv", "parquet") if unmatched == "unique" else ("csv",):
        found = written(scenario, tmp_path / form, game, form=form)

        assert ((), ALWAYS) == (found.findings, unchecked(found))
        assert "that no permitted strategy is better: 32 strategies of 37 profiles" in found.checked


@pytest.mark.parametrize("game", ["basic", "no-attack", "sh-friendly"])
def test_several_records_of_one_person(tmp_path, game):
    scenario = Scenario.read(several_stays(registry(tmp_path / "registry")))
    for own, changes in (("own", {"population": None}), ("population", {})):
        found = written(Scenario.read(tmp_path / "registry" / "scenario.toml", changes), tmp_path / own, game)

        assert ((), ALWAYS) == (found.findings, unchecked(found))
        assert "the pseudonyms of 24 people" in found.checked
    (tmp_path / "registry" / "records.csv").unlink()
    assert "measures" in unchecked(verify(tmp_path / "population", scenario))


def test_unlisted_records_match_people_of_a_population_known_at_levels(tmp_path):
    for name, text in {
        "records.csv": "age\n40\n41\n",
        "people.csv": "age,count\n40s,9\n",
        "list.csv": "age,count\n41,3\n",
        "ages.csv": "40;40s;*\n41;40s;*\n",
    }.items():
        (tmp_path / name).write_text(text)
    counted = {"path": "people.csv", "count": "count", "unmatched": "error", "levels": {"age": 1}}
    listed = {"path": "list.csv", "count": "count", "unmatched": "safe"}
    content = {
        "records": {"path": "records.csv"},
        "population": counted,
        "attributes": {"age": {"hierarchy": "ages.csv", "role": "other"}},
        "payoffs": {"benefit": 100, "loss": 90, "cost": 1},
        "recipients": {"broker": {"population": listed}},
    }
    found = written(Scenario.parse(content, folder=tmp_path), tmp_path / "out")

    assert () == found.findings
    assert "the people who match 2 of 2 records" in unchecked(found)


def test_records_that_are_withheld(tmp_path):
    scenario = Scenario.read(registry(tmp_path / "registry", loss=4_700), {"payoffs.gain": 20_000})
    solution = solve(scenario)
    solution.write(tmp_path / "out", report=False)

    assert 0 < solution.measures["withheld"] < 1
    assert () == verify(tmp_path / "out", scenario).findings


@pytest.mark.parametrize("solver", ["lattice-search", "backward-induction"])
def test_other_solvers(tmp_path, solver):
    found = written(registry(tmp_path / "registry"), tmp_path / "out", solver=solver)

    assert () == found.findings
    gap = " by more than the stated gap" * (solver == "lattice-search")
    assert f"that no permitted strategy is better{gap}: 32 strategies of 37 profiles" in found.checked


@pytest.mark.parametrize("policy", ["decades", "limited-data-set"])
def test_a_policy_as_it_is(tmp_path, policy):
    scenario = registry(tmp_path / "registry")
    study = Study.prepare(scenario)
    policy_solution(study, study.policy(policy)).write(tmp_path / "out", report=False)

    assert () == verify(tmp_path / "out", scenario).findings


def test_rules_that_compare_decimals_or_a_hierarchy_with_unlisted_values(tmp_path):
    (tmp_path / "floor.toml").write_text('kind = "interval"\nlow = 0\nhigh = 9\nwidths = [2]\nunlisted = "Other"\n')
    (tmp_path / "bmi.toml").write_text('kind = "number"\nbands = [[18.5, 25]]\n')
    (tmp_path / "records.csv").write_text("floor,bmi\n1,20.5\n8,31\n99,24\n8,19\n")
    rules = [
        {"when": {"floor": {"min": 5}}, "levels": {"floor": 1}},
        {"when": {"bmi": {"max": 20}}, "levels": {"bmi": 1}},
    ]
    content = {
        "records": {"path": "records.csv"},
        "attributes": {name: {"hierarchy": f"{name}.toml", "role": "other"} for name in ("floor", "bmi")},
        "payoffs": {"benefit": 100, "loss": 9, "cost": 1},
        "policy": {"careful": {"rules": rules}},
        "floor": "careful",
    }
    found = written(Scenario.parse(content, folder=tmp_path), tmp_path / "out", game="sh-friendly")

    assert () == found.findings
    assert "every level with those of the policy careful" in found.checked


def test_one_record_and_a_report(tmp_path):
    scenario = small_world(tmp_path, records="".join(RECORDS.splitlines(keepends=True)[:2]))
    solve(scenario).write(tmp_path / "out")
    found = verify(tmp_path / "out", scenario)

    assert () == found.findings
    assert "the row of this game in the comparison of report.json" in found.checked
    assert "the row of this game in the policies of summary.json" in found.checked
    assert "report.html, made again of summary.json, report.json and manifest.json" in found.checked


def test_records_that_are_their_own_population(tmp_path):
    scenario = Scenario.read(registry(tmp_path / "registry"), {"population": None})
    found = written(scenario, tmp_path / "out")

    assert ((), ALWAYS) == (found.findings, unchecked(found))
    assert "the people who match 40 released records" in found.checked


def test_data_frames(tmp_path):
    folder = registry(tmp_path / "registry", unmatched="error").parent
    scenario = Scenario.read(folder / "scenario.toml", {"population": None})
    frames = [pd.read_csv(folder / name, dtype=str, na_filter=False) for name in ("records.csv", "people.csv")]
    people = frames[1].drop(columns="count")
    for population in (None, people):
        out = tmp_path / f"out {population is None}"
        asked = {**scenario.resolved(), "attributes": TABLES}
        solve(asked, frames[0], population, game="basic").write(out, report=False)
        found = verify(out)

        assert () == found.findings
        assert "checks that need the records" in unchecked(found)


TABLES = {
    "age": {"hierarchy": Hierarchy.intervals(30, 69, [10], name="age")},
    "sex": {"hierarchy": "sex"},
    "area": {"hierarchy": Hierarchy.prefixes(["371", "372", "381", "901"], length=3, name="area")},
}


def test_people_who_are_estimated_are_not_counted(tmp_path):
    folder = registry(tmp_path / "registry").parent
    sample = Scenario.read(folder / "scenario.toml", {"population": {"sampling_fraction": 0.1}})
    found = written(sample, tmp_path / "sample")

    assert () == found.findings
    assert "the people who match" in unchecked(found)
    assert "the people who match 40 of 40 records" in unchecked(found)

    lines = (folder / "people.csv").read_text().splitlines()
    decades = [f"[{line[0]}0-{line[0]}9]{line[2:]}" for line in lines[1:]]
    (folder / "people.csv").write_text("\n".join([lines[0], *decades]) + "\n")
    known = Scenario.read(folder / "scenario.toml", {"population.levels": {"age": 1}})
    found = written(known, tmp_path / "known", "no-attack")

    assert () == found.findings
    assert any(line.startswith("the people who match ") for line in found.checked)
    assert "people at finer levels than the population has" in unchecked(found)


def test_missing_inputs_are_unchecked_and_not_findings(tmp_path, monkeypatch):
    scenario = registry(tmp_path / "registry", unmatched="error")
    written(scenario, tmp_path / "out")
    (tmp_path / "registry" / "records.csv").unlink()
    found = verify(tmp_path / "out", scenario)

    assert () == found.findings
    assert {"input: records", "checks that need the records", "attribute area"} <= unchecked(found)

    monkeypatch.chdir(tmp_path)
    found = verify(tmp_path / "out")

    assert ((), "absent") == (found.findings, found.inputs["population"])
    monkeypatch.chdir(tmp_path / "registry")
    assert ((), "equal") == (verify(tmp_path / "out").findings, verify(tmp_path / "out").inputs["population"])


def test_counts_need_no_records_where_the_hierarchies_list_their_values(tmp_path):
    scenario = small_world(tmp_path)
    written(scenario, tmp_path / "out")
    (tmp_path / "records.csv").unlink()
    found = verify(tmp_path / "out", scenario)

    assert () == found.findings
    assert "the people who match 4 released records" in found.checked


@pytest.mark.parametrize("game", ["basic", "sh-friendly"])
def test_dates_ages_numbers_codes_and_unlisted_values(tmp_path, game):
    found = written(Scenario.read(write_kinds(tmp_path)), tmp_path / "out", game)

    assert ((), ALWAYS) == (found.findings, unchecked(found))


@pytest.mark.parametrize("census", ["2000", "2010", "2020"])
def test_the_prefixes_of_each_census(tmp_path, census):
    lines = ["zip,sex", "37201,Male", "37201,Male", "03601,Male", "03602,Female", "82101,Male", "82101,Male"]
    (tmp_path / "records.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "scenario.toml").write_text(
        'game = "basic"\n[records]\npath = "records.csv"\n'
        '[attributes]\nzip = { hierarchy = "us_zip" }\nsex = { hierarchy = "sex" }\n'
        f'[payoffs]\nbenefit = 100\nloss = 90\ncost = 20\n[policy.safe-harbor]\ncensus = "{census}"\n'
    )
    found = written(Scenario.read(tmp_path / "scenario.toml"), tmp_path / "out", "sh-friendly")

    assert ((), "equal") == (found.findings, found.inputs["restricted prefixes"])


@pytest.mark.skipif(tries(quick=True, deep=False), reason="takes ten seconds: python -m pytest --deep")
def test_the_case_study(tmp_path):
    found = written(Scenario.read(ADULT_TN), tmp_path / "out", "sh-friendly")

    assert () == found.findings
    assert "the people who match 32,561 released records" in found.checked


# --- the folders of all commands --------------------------------------------------------------------------------------

WRITERS = {
    "run": "run scenario.toml",
    "run with a report, in the order of the records": "run scenario.toml --keep-order",
    "run in Parquet, in the order of the records": "run scenario.toml --format parquet --no-report --keep-order",
    "run, defused": "run scenario.toml --defuse --no-report",
    "run of a game of everybody": "run scenario.toml --game aware-no-attack --no-report",
    "run on DuckDB": "run scenario.toml --engine duckdb --format parquet --no-report",
    "run with another stake": "run scenario.toml --set payoffs.loss=500 --no-report",
    "apply": "apply finished new.csv --scenario scenario.toml",
    "compare": "compare scenario.toml",
    "sweep": "sweep scenario.toml --vary loss=100,200",
    "sweep in Parquet": "sweep scenario.toml --vary loss=100,200 --vary cost=10,20 --format parquet",
    "sweep of breakpoints": "sweep scenario.toml --exact loss=100:200",
    "sweep of a record": "sweep scenario.toml --record 3 --vary loss=100,200",
    "sweep of a person": "sweep scenario.toml --values age=40,sex=Male,area=371 --exact loss",
    "solvers": "solvers scenario.toml",
    "frontier": "frontier scenario.toml",
    "regions": "regions divided.toml",
    "attack": "attack finished scenario.toml --repeats 2",
    "demographics": "risk demographics counts.csv --place place --detail year",
    "uniqueness-study": "risk uniqueness-study records.csv --attributes sex,area --fractions 0.5 --samples 2",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Return a folder with a question, a finished run of it, and all other input of commands that write a folder."""
    place = registry(tmp_path_factory.mktemp("place") / "registry", unmatched="error").parent
    solve(place / "scenario.toml").write(place / "finished", report=False)
    (place / "new.csv").write_text("".join((place / "records.csv").read_text().splitlines(keepends=True)[:7]))
    (place / "counts.csv").write_text("place,0-4,5-17,65+\nA,100,300,40\nB,7,11,3\n")
    text = (place / "scenario.toml").read_text()
    for name in ("records", "people"):
        table = pd.read_csv(place / f"{name}.csv", dtype=str, na_filter=False)
        (place / name).mkdir()
        for prefix in ("37", "38"):
            table[table["area"].str.startswith(prefix)].to_parquet(place / name / f"{prefix}.parquet", index=False)
        text = text.replace(f'"{name}.csv"', f'"{name}"')
    (place / "divided.toml").write_text(f'{text}\n[regions]\nattribute = "area"\nlevel = 1\n')
    return place


@pytest.mark.parametrize("command", WRITERS)
def test_a_commands_folder_holds_with_and_without_the_scenario_and_inputs(place, command, tmp_path, monkeypatch):
    monkeypatch.chdir(place)
    words = WRITERS[command].split()
    gamedeid_prints(*words, "-o", tmp_path / "out")
    scenario = next((word for word in words if word.endswith(".toml")), None)
    found = [verify(tmp_path / "out"), verify(tmp_path / "out", scenario)]
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    found.append(verify(tmp_path / "out"))

    assert [()] * 3 == [one.findings for one in found]
    assert (words[0] not in {"run", "apply"}) == ("the contents of the files" in unchecked(found[1]))


LIMITS = {
    "smallest_cell": 2,
    "expected_reidentifications": 3.0,
    "attacked": 0.5,
    "list_price": 1.0,
    "record_risk": 0.5,
    "information_loss": 0.9,
    "publisher_payoff": 0.01,
}


@pytest.mark.parametrize(
    "limits", [{"information_loss": 0.0}, {"groups": {"column": "sex", "least": 1, "information_loss": 0.0}}]
)
def test_a_record_is_released_at_a_loss_if_a_limit_demands_its_detail(tmp_path, limits):
    (tmp_path / "records.csv").write_text("age,sex\n20,Female\n" + 9 * "40,Male\n")
    content = {
        "records": {"path": "records.csv"},
        "attributes": {name: {"hierarchy": name} for name in ("age", "sex")},
        "payoffs": {"benefit": 100, "loss": 130, "cost": 1},
        "limits": limits,
    }
    scenario = Scenario.parse(content, folder=tmp_path)
    solution = solve(scenario, game="basic")
    solution.write(tmp_path / "out", report=False)

    assert min(solution.publisher_payoff) < 0
    assert () == verify(tmp_path / "out", scenario).findings


@pytest.mark.parametrize("absent", ["records.csv", "people.csv", "ages.csv", "areas.toml", "*"])
def test_a_run_within_limits_holds_though_inputs_are_not_there(tmp_path, absent):
    limits = {f"limits.{name}": value for name, value in LIMITS.items()}
    scenario = Scenario.read(registry(tmp_path / "registry", unmatched="error"), {**limits, "limits.uniform": True})
    solve(scenario).write(tmp_path / "out", report=False)
    for path in (tmp_path / "registry").glob(absent):
        path.unlink()
    found = verify(tmp_path / "out", scenario)

    assert () == found.findings
    assert "the limit smallest_cell" in unchecked(found)  # of areas every table has to be there
    asked = len(LIMITS) - 1
    assert f"{asked} limits on the whole dataset" in found.checked
    change_json(
        tmp_path / "out",
        "summary.json",
        lambda summary: [one.update(reached=7.0) for one in summary["limits"]["asked"].values()],
    )
    said = [one.says for one in verify(tmp_path / "out", scenario).findings]
    assert asked == sum("reached is not" in one for one in said)


def test_an_overridden_key_is_listed_and_found_where_it_is_overridden_in_another_way(tmp_path):
    scenario = small_world(tmp_path)
    solve(Scenario.read(scenario, {"payoffs.loss": 80})).write(tmp_path / "out", report=False)
    says = ["its scenario differs from the one at hand in payoffs.loss"]

    assert "scenario payoffs.loss" in unchecked(verify(tmp_path / "out", scenario))
    for changes, expected in (
        ({}, []),
        ({"payoffs.loss": 70}, says),
        ({"payoffs": {"benefit": 100, "cost": 20, "loss": 70}}, says),
        ({"payoffs.loss": 80}, []),
    ):
        found = verify(tmp_path / "out", Scenario.read(scenario, changes))
        assert expected == [one.says for one in found.findings]


def test_a_section_added_for_the_run_is_listed_and_not_a_finding(tmp_path):
    scenario = several_stays(registry(tmp_path / "registry", unmatched="error"))
    for name, changes in (("may", {}), ("june", {"earlier.releases": [str(tmp_path / "may")]})):
        solve(Scenario.read(scenario, changes)).write(tmp_path / name, report=False)
    found = verify(tmp_path / "june", scenario)

    assert () == found.findings
    assert {"scenario earlier.releases", "scenario earlier.key", "input: earlier release 0"} <= unchecked(found)


def test_a_person_whose_rows_are_in_several_zip_areas_is_counted_in_none(tmp_path):
    rows = [("a", "37010"), ("b", "37010"), ("c", "37010"), ("d", "37010"), ("d", "38305")]
    rows += [(one, "38301") for one in "efgh"]
    pd.DataFrame(rows, columns=["who", "zip"]).to_csv(tmp_path / "records.csv", index=False)
    question = {
        "records": {"path": "records.csv", "person": "who"},
        "attributes": {"zip": {"hierarchy": "zip"}},
        "policy": {"safe-harbor": {"zip_populations": "population", "limit": 3}},
        "payoffs": {"benefit": 100, "loss": 90, "cost": 40},
    }
    scenario = Scenario.parse(question, folder=tmp_path)
    study = Study.prepare(scenario)
    release = policy_solution(study, study.policy("safe-harbor"))
    release.write(tmp_path / "out", report=False)

    assert [5, 5, 5, 5, 5, 2, 2, 2, 2] == release.strategies["zip"].tolist()  # 370 has three people, 383 has four
    assert () == verify(tmp_path / "out", scenario).findings


def test_too_many_strategies_are_not_tried_whatever_the_number_of_rows(tmp_path):
    columns = [f"attribute_{number}" for number in range(17)]
    attributes = "".join(f'[attributes.{name}]\nhierarchy = "sex"\n' for name in columns)
    text = f'game = "basic"\n[records]\npath = "records.csv"\n{attributes}'
    text += "[payoffs]\nbenefit = 100\nloss = 90\ncost = 20\n"
    records = ",".join(columns) + "\n" + (",".join(["Male"] * 17) + "\n") * 2
    scenario = small_world(tmp_path, scenario=text, records=records)
    solve(scenario).write(tmp_path / "out", report=False)

    why = {one.what: one.why for one in verify(tmp_path / "out", scenario).unchecked}

    assert (
        "131,072 strategies and 1 row of people are too many to try all" == why["that no permitted strategy is better"]
    )
