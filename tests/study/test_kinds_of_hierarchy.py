"""Questions whose attributes are dates, dates of birth, decimals and codes, from the files to the release."""

import datetime as dt

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from kinds_of_hierarchy import FILES, write_kinds
from questions import question

from gamedeid import GamedeidError, ReadOptions, Scenario, Study, policy_solution
from gamedeid.game.policies import AppliedPolicy


@pytest.fixture
def folder(tmp_path):
    return write_kinds(tmp_path).parent


def columns(solution) -> dict[str, list[str]]:
    return {name: column.tolist() for name, column in solution.release(keep_order=True).items()}


def test_safe_harbor_publishes_dates_ages_numbers_and_codes_by_its_rules(folder):
    study = Study.prepare(Scenario.read(folder / "scenario.toml"))

    assert {
        "born": ["1958", "1958", "<1935", "1999"],
        "visit": ["66", "66", "90+", "25"],
        "bmi": ["24", "24", "31.5", "17"],
        "code": ["E11.9", "E11.9", "A01.0", "B99"],
        "ward": ["A1", "A1", "Other", "B1"],
    } == columns(policy_solution(study, study.policy("safe-harbor")))


def test_the_game_publishes_the_groups_of_every_kind(folder):
    study = Study.prepare(Scenario.read(folder / "scenario.toml"))
    levels = study.instance.lattice.levels(np.arange(study.instance.lattice.size))
    top = policy_solution(study, AppliedPolicy(name="two", levels=np.full((4, 5), 1, np.int8), in_words={}))

    assert 4 * 4 * 4 * 4 * 3 < len(levels)
    assert {
        "born": ["1958-03", "1958-04", "1930-02", "1999-12"],
        "visit": ["[65-69]", "[65-69]", "90+", "[25-29]"],
        "bmi": ["[18.5-<25]", "[18.5-<25]", "30+", "<18.5"],
        "code": ["E11*", "E11*", "A01*", "B99*"],
        "ward": ["A", "A", "Other", "B"],
    } == columns(top)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("1.4.1958", "4/1/1958", "column `born`, 1 row (first in row 2): hierarchy `born`: expected dates written"),
        ("1958-04-01", "01.04.1958", "column `visit` has 1 value that the hierarchy `visit` does not know, in 1 row"),
        ("31.5", "31,5", "column `bmi`, 1 row (first in row 3): hierarchy `bmi`: expected numbers such as 34 or 18.5"),
        ("B99", "Z99", "column `code`, 1 row (first in row 4): hierarchy `code`: expected codes of letters"),
    ],
)
def test_a_value_that_is_not_of_the_kind_is_an_error_that_counts_rows(folder, old, new, said):
    records = folder / "records.csv"
    records.write_text(records.read_text().replace(old, f'"{new}"'))

    with pytest.raises(GamedeidError) as caught:
        Study.prepare(Scenario.read(folder / "scenario.toml"))
    assert said in str(caught.value)
    assert new not in str(caught.value)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_a_date_and_a_number_are_the_same_leaf_from_a_parquet_file(folder, engine):
    text = Study.prepare(Scenario.read(folder / "scenario.toml"))
    table = {
        "born": pa.array([dt.date(1958, 3, 14), dt.date(1958, 4, 1), dt.date(1930, 2, 2), dt.date(1999, 12, 31)]),
        "visit": pa.array([-372384060, -370915200, -1259539200, 946598400], pa.timestamp("s")),
        "bmi": pa.array([24, 24, 31.5, 17], pa.float32()),
        "code": ["E119", "E11.9", "A01.0", "B99"],
        "ward": ["A1", "A1", "C7", "B1"],
    }
    pq.write_table(pa.table(table), folder / "records.parquet")
    scenario = Scenario.read(folder / "scenario.toml", {"records.path": "records.parquet"})
    typed = Study.prepare(scenario, read_options=ReadOptions(engine=engine))

    for name, hierarchy in text.instance.hierarchies.items():
        assert hierarchy.leaves == typed.instance.hierarchies[name].leaves
    assert columns(policy_solution(text, text.policy("safe-harbor"))) == {
        name: [str(value) for value in column]
        for name, column in columns(policy_solution(typed, typed.policy("safe-harbor"))).items()
    }


def test_a_population_may_know_years_where_the_records_know_days(folder):
    (folder / "born.toml").write_text(f"{FILES['born.toml']}low = 1900-01-01\nhigh = 2024-12-31\n")
    (folder / "people.csv").write_text("born,count\n1958,20\n<1935,9\n1999,7\n")
    asked = {
        "records": {"path": "records.csv", "drop": ["visit", "bmi", "code", "ward"]},
        "population": {"path": "people.csv", "count": "count", "levels": {"born": 2}},
        "attributes": {"born": {"hierarchy": "born.toml"}},
    }
    study = Study.prepare(question(asked, folder=folder))
    year = policy_solution(study, AppliedPolicy(name="year", levels=np.full((4, 1), 2, np.int8), in_words={}))

    assert [20, 20, 9, 7] == year.people[study.instance.profiles.of_record].tolist()


def test_rules_of_a_policy_compare_numbers_with_decimals_and_leave_out_the_unlisted(folder):
    (folder / "bmi.toml").write_text(f"{FILES['bmi.toml']}unlisted = 'unknown'\n")
    records = folder / "records.csv"
    records.write_text(records.read_text().replace(",17,", ",?,"))
    rule = {"when": {"bmi": {"min": 24}}, "levels": {"bmi": 1}}
    scenario = Scenario.read(folder / "scenario.toml", {"policy.mine": {"rules": [rule]}})
    study = Study.prepare(scenario)

    assert ["[18.5-<25]", "[18.5-<25]", "30+", "unknown"] == columns(policy_solution(study, study.policy("mine")))[
        "bmi"
    ]


def test_records_and_population_may_write_a_value_in_two_ways(tmp_path):
    for name, text in {
        "born.toml": 'kind = "date"\nformat = ["DD.MM.YYYY", "YYYY-MM-DD"]\nlevels = ["year"]\n',
        "sex.toml": 'kind = "ordered"\nvalues = ["Male", "Female"]\n[spellings]\nMale = ["M"]\nFemale = ["F"]\n',
        "records.csv": "born,sex\n14.03.1958,M\n1.1.1960,F\n",
        "people.csv": "born,sex,n\n1958-03-14,Male,3\n1960-01-01,Female,5\n1960-01-01,F,2\n",
    }.items():
        (tmp_path / name).write_text(text)
    asked = {
        "records": {"path": "records.csv"},
        "population": {"path": "people.csv", "count": "n"},
        "attributes": {"born": {"hierarchy": "born.toml"}, "sex": {"hierarchy": "sex.toml", "role": "other"}},
    }
    study = Study.prepare(question(asked, folder=tmp_path))
    plain = policy_solution(study, AppliedPolicy(name="as it is", levels=np.zeros((2, 2), np.int8), in_words={}))

    assert {"born": ["1958-03-14", "1960-01-01"], "sex": ["Male", "Female"]} == columns(plain)
    assert [3, 7] == plain.people[study.instance.profiles.of_record].tolist()
