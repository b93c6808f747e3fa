"""A scenario prepared with its data."""

import gzip

import pandas as pd
import polars as pl
import pytest
from questions import content, message, question, written_question

from gamedeid.analysis.comparison import compare
from gamedeid.analysis.risk_utility import risk_utility
from gamedeid.choices import AWARE_GAMES, GAMES
from gamedeid.data.engines.options import ReadOptions
from gamedeid.errors import InvalidDataError, InvalidHierarchyError, InvalidScenarioError
from gamedeid.generalization import files
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.scenario.inputs import read_inputs
from gamedeid.study.solve import solve
from gamedeid.study.study import Study

PEOPLE = pd.DataFrame({"age": [48, 48, 93], "sex": ["Male", "Male", "Female"]})
POPULATION = pd.DataFrame({"age": [48, 93, 20], "sex": ["Male", "Female", "Male"], "count": [5, 1, 4]})


def prepare(changes=None, records=PEOPLE, population=None):
    return Study.prepare(question(changes), records, population)


def matching(study):
    """Return how many people match each original record, in input order."""
    instance = study.instance
    start = instance.lattice.nodes(instance.base)
    return instance.people(instance.all_profiles, start)[instance.profiles.of_record].tolist()


@pytest.mark.parametrize(
    ("changes", "population", "expected"),
    [
        ({}, None, (True, 3, [2, 2, 1])),
        ({}, pl.from_pandas(PEOPLE.loc[[0, 1, 2, 2]]), (False, 4, [2, 2, 2])),
        ({"population.count": "count"}, POPULATION, (False, 10, [5, 5, 1])),
    ],
    ids=["the records", "rows", "counted rows"],
)
def test_people_are_those_of_the_population_or_else_of_the_records(changes, population, expected):
    study = prepare(changes, population=population)

    assert expected == (study.is_own_population, study.people, matching(study))


ZIPS = {"attributes": {"zip": {"hierarchy": "us_zip"}}}


NOBODY_HAS = pd.Categorical(["37201"], categories=["37201", "99999"])


@pytest.mark.parametrize(
    ("records", "population"),
    [
        (["38001", "37201"], None),
        ([38001, 37201, 38001], None),
        ([37201.0, float("nan"), 38001.0], None),
        (["37201 ", " 38001"], None),
        (NOBODY_HAS, ["37201", "38001"]),
    ],
    ids=["texts", "whole numbers", "numbers with gaps", "spaces", "those of the population too"],
)
def test_an_open_hierarchy_takes_its_leaves_from_existing_values(records, population):
    people = None if population is None else pd.DataFrame({"zip": population})
    study = prepare({**ZIPS, "records.missing": "suppress"}, pd.DataFrame({"zip": records}), people)

    assert ("37201", "38001") == study.instance.hierarchies["zip"].leaves


def test_games_and_policies_have_names():
    study, other = prepare(), prepare({"floor": "limited-data-set"})

    assert ("safe-harbor", "limited-data-set") == (study.scenario_policy.name, other.scenario_policy.name)
    assert [[0, 0], [0, 0], [3, 0]] == study.game("sh-friendly").floors[study.instance.profiles.of_record].tolist()
    assert not other.game("sh-friendly").floors.any()
    said = message(InvalidScenarioError, study.game, "no-atack")
    assert "there is no game `no-atack`; did you mean `no-attack`?" == said


def test_files_are_read_from_the_folder_of_the_scenario(tmp_path):
    PEOPLE.to_csv(tmp_path / "records.csv", index=False)
    with gzip.open(tmp_path / "population.csv.gz", "wt") as stream:
        POPULATION.to_csv(stream, index=False)
    (tmp_path / "gender.toml").write_text('kind = "table"\npath = "rows.csv"\n')
    (tmp_path / "rows.csv").write_text("Male;*\nFemale;*\n")
    (tmp_path / "zips.csv").write_text("zip3,pop\n372,5\n")
    changes = {
        "records.path": "records.csv",
        "population.path": "population.csv.gz",
        "population.count": "count",
        "attributes.sex.hierarchy": "gender.toml",
        "policy.safe-harbor.zip_populations": "zips.csv",
    }
    scenario = question(changes, folder=tmp_path)

    assert [5, 5, 1] == matching(Study.prepare(scenario))
    files = {name: file.path for name, file in read_inputs(scenario)[0].files.items()}
    assert {
        "records": tmp_path / "records.csv",
        "population": tmp_path / "population.csv.gz",
        "hierarchy sex": tmp_path / "gender.toml",
        "table of hierarchy sex": tmp_path / "rows.csv",
        "zip populations": tmp_path / "zips.csv",
    } == {name: path for name, path in files.items() if name != "hierarchy age"}
    assert "age.toml" == files["hierarchy age"].name


def test_data_passed_in_are_not_input_files():
    hierarchy = prepare().instance.hierarchies["age"]
    changes = {"attributes.age.hierarchy": hierarchy, "policy.safe-harbor.zip_populations": "population"}

    assert ["hierarchy sex"] == list(read_inputs(question(changes))[0].files)
    assert {} == {
        name: path for name, path in read_inputs(question())[0].files.items() if not name.startswith("hierarchy")
    }


@pytest.mark.parametrize(
    ("changes", "depends"),
    [({}, True), ({"policy.safe-harbor.zip_populations": "population"}, False), ({"floor": "limited-data-set"}, False)],
)
def test_the_list_of_restricted_prefixes_counts_as_an_input_where_safe_harbor_asks_it(changes, depends):
    scenario = question({"attributes.zip.hierarchy": "us_zip", **changes})

    assert depends == ("restricted prefixes" in read_inputs(scenario)[0].files)


def test_a_hierarchy_is_parsed_once_to_list_its_files_and_to_read_it(monkeypatch):
    parsed, parse = [], files.tomllib.loads
    monkeypatch.setattr(files.tomllib, "loads", lambda text: parsed.append(text) or parse(text))

    read_inputs(question())
    assert 2 == len(parsed)


@pytest.mark.parametrize(
    ("changes", "operation"),
    [
        ({"records.missing": "show"}, "a release that shows missing values"),
        ({"records.drop": ["id"], "earlier": {"releases": ["may"], "key": "id"}}, "a release after earlier ones"),
        (
            {"records.keep": ["income"], "recipients.registry.knows": ["age", "income"]},
            "knowledge of kept columns",
        ),
    ],
)
def test_unanswerable_questions_are_refused_before_data_are_read(changes, operation):
    absent = {"records.path": "absent.csv", "population": {"path": "absent.csv", "levels": {"age": 1}}}
    said = message(InvalidScenarioError, Study.prepare, question({**absent, **changes}))

    assert said.startswith(f"population.levels: {operation} needs a population with every attribute as it is")


@pytest.mark.parametrize("form", ["scenario", "path", "text", "dict"])
def test_every_public_call_takes_a_scenario_in_any_form(form, tmp_path):
    path = written_question(tmp_path)
    given = {"scenario": question(), "path": path, "text": str(path), "dict": content()}[form]

    assert 3 == Study.prepare(given, PEOPLE).people
    assert 3 == solve(given, PEOPLE).measures["records"]
    assert {"safe-harbor", *GAMES, *AWARE_GAMES} == set(compare(given, PEOPLE).solutions)


@pytest.mark.parametrize("given", [None, 5, PEOPLE, ["scenario.toml"], b"scenario.toml"])
def test_every_public_call_refuses_an_invalid_scenario(given):
    said = "scenario: expected a Scenario, the path of a scenario file, the name of a shipped one, or a dict with its "

    for call in (Study.prepare, solve, compare):
        assert f"{said}sections, not {type(given).__name__}" == message(InvalidScenarioError, call, given, PEOPLE)


@pytest.mark.parametrize(
    ("ages", "hint"),
    [
        (["48", "4.0"], "1 of them has a needless decimal point, as in 4.0: write whole numbers"),
        (["48", "48.5", "51.25"], "2 of them have decimals, and the hierarchy knows whole numbers: round them"),
        (["48", "a b"], "it knows 40, 48, 4, 51"),
        (["48", "[40-48]"], "1 of them is a group of level 1: the records must hold the values themselves"),
    ],
)
def test_hints_on_unknown_values_name_their_kind_and_not_the_values(ages, hint):
    rows = [("40", "[40-48]", "*"), ("48", "[40-48]", "*"), ("4", "[4-51]", "*"), ("51", "[4-51]", "*")]
    ladder = Hierarchy.from_rows(rows, name="h", role="other")
    frame = pd.DataFrame({"age": ages, "sex": ["Male"] * len(ages)})
    said = message(InvalidDataError, prepare, {"attributes.age.hierarchy": ladder}, frame)

    assert hint in said
    assert "48.5" not in said
    assert "a b" not in said


def test_the_error_on_a_population_of_groups_mentions_levels():
    population = pd.DataFrame({"age": ["[45-49]", "[90-94]"], "sex": ["Male", "Female"]})

    assert message(InvalidDataError, prepare, None, PEOPLE, population).endswith(
        "; 2 of them are groups of level 1: if there are no finer ones, set [population] levels = { age = 1 }"
    )


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_codes_without_leading_zeros_are_reported_with_file_column_and_row(tmp_path, engine):
    (tmp_path / "records.csv").write_text("zip,sex\n02138,Male\n2139,Male\n2139,Female\n")
    attributes = {"zip": {"hierarchy": "us_zip"}, "sex": {"hierarchy": "sex"}}
    changes = {"records.path": "records.csv", "attributes": attributes}
    said = message(
        InvalidHierarchyError,
        Study.prepare,
        question(changes, folder=tmp_path),
        read_options=ReadOptions(engine=engine),
    )

    first = " (first in row 2)" if engine == "memory" else ""
    begin = f"records (records.csv): column `zip`, 2 rows{first}: hierarchy `us_zip`: expected codes of 5 digits"
    assert said.startswith(begin)
    assert said.endswith("; leading zeros seem lost: save and read the column as text")
    assert "2139" not in said


def test_a_prepared_study_is_taken_as_it_is_and_without_other_data():
    study = Study.prepare("quickstart")

    assert solve(study).measures == solve("quickstart").measures
    assert compare(study).study is study
    said = "a prepared study has its data; hand over either the study or data frames"
    for call in (solve, compare, risk_utility):
        assert said == message(InvalidScenarioError, call, study, PEOPLE)
