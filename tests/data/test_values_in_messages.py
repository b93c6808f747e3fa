"""Errors say rows and columns; values of records and of the population only where they are asked for."""

import pickle
import re

import pandas as pd
import pytest
from small_world import PEOPLE, RECORDS, SCENARIO, gamedeid_says, small_world

from gamedeid import Scenario, solve
from gamedeid.errors import (
    GamedeidError,
    InvalidDataError,
    InvalidHierarchyError,
    InvalidScenarioError,
    UnmatchedRecordError,
)
from gamedeid.study.study import Study

ZIPS = 'kind = "prefix"\nlength = 5\nkeep = [3]\n'
"""A hierarchy whose values come from the data."""

FAULTY = {
    "a value that its hierarchy lacks": {"records": RECORDS.replace("41,Male", "TOKEN1,Male")},
    "one that the population has": {"people": f"{PEOPLE}TOKEN2,Male,3\n"},
    "a person whom nobody matches": {"people": PEOPLE.replace("41,Male,5\n", "")},
    "a count that is no number": {"people": PEOPLE.replace("Male,5", "Male,TOKEN3")},
    "a count below none": {"people": PEOPLE.replace("Male,5", "Male,-54321")},
    "a code of another length": {
        "scenario": SCENARIO.replace('"ages.csv"', '"zips.toml"').replace("age = 1 }", "sex = 0 }"),
        "records": RECORDS.replace("41,Male", "TOKEN4,Male"),
    },
}
TOKENS = ("TOKEN", "54321", "41, sex=Male", "age=41")


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("fault", FAULTY)
def test_no_message_tells_a_value_unless_it_is_asked_for(fault, engine, tmp_path):
    (tmp_path / "zips.toml").write_text(ZIPS)
    words = ("run", small_world(tmp_path, **FAULTY[fault]), "-o", tmp_path / "out", "--engine", engine)
    said = gamedeid_says(*words)

    assert 2 == said.code
    assert [] == [token for token in TOKENS if token in said.complaint]
    assert not (tmp_path / "out").exists()
    if engine == "memory":
        assert said.complaint.endswith("; --show-values shows the values")
        with_values = gamedeid_says("--show-values", *words).complaint
        assert with_values == gamedeid_says(*words, "--show-values").complaint
        assert any(token in with_values for token in TOKENS)
        assert with_values.startswith(said.complaint.removesuffix("--show-values shows the values"))


def test_it_says_how_many_rows_and_in_which_column(tmp_path):
    twice = RECORDS.replace("41,Male", "TOKEN1,Male").replace("50,Female", "TOKEN2,Female")
    said = gamedeid_says("run", small_world(tmp_path, records=twice), "--show-values").complaint

    assert "column `age` has 2 values that the hierarchy `ages` does not know, in 2 rows (first in row 2)" in said
    assert said.endswith("; values: `TOKEN1`, `TOKEN2`")


def test_from_python_the_values_are_an_attribute_of_the_error_and_in_no_text_of_it():
    frame = pd.DataFrame({"sex": ["Male", "TOKEN1", "TOKEN1", "TOKEN2"]})
    scenario = {
        "attributes": {"sex": {"hierarchy": "sex"}},
        "game": "basic",
        "payoffs": {"benefit": 1, "loss": 1, "cost": 1},
    }
    with pytest.raises(InvalidDataError) as raised:
        solve(scenario, frame)
    error = raised.value

    assert ("TOKEN1", "TOKEN2") == error.data_values
    assert "TOKEN" not in f"{error} {error!r}"
    assert f"{error}; values: `TOKEN1`, `TOKEN2`" == error.with_values()
    assert ("TOKEN1", "TOKEN2") == pickle.loads(pickle.dumps(error)).data_values  # noqa: S301


def test_an_unmatched_person_is_not_described():
    scenario = {
        "attributes": {"sex": {"hierarchy": "sex"}},
        "game": "basic",
        "payoffs": {"benefit": 1, "loss": 1, "cost": 1},
    }
    people, records = pd.DataFrame({"sex": ["Male"]}), pd.DataFrame({"sex": ["Male", "Female"]})
    with pytest.raises(UnmatchedRecordError, match="1 record matches no one in the population; check") as raised:
        solve(scenario | {"population": {}}, records, people)

    assert ("sex=Female",) == raised.value.data_values


def test_values_that_only_the_data_have_are_no_hint_for_whoever_asks_for_another(tmp_path):
    (tmp_path / "zips.toml").write_text(ZIPS)
    zips = {"hierarchy": "zips.toml", "role": "other"}
    content = {"attributes": {"zip": zips}, "game": "basic", "payoffs": {"benefit": 1, "loss": 1, "cost": 1}}
    study = Study.prepare(Scenario.parse(content, folder=tmp_path), pd.DataFrame({"zip": ["37201", "37202"]}))
    with pytest.raises(InvalidScenarioError) as raised:
        study.alone(values={"zip": "37209"})

    assert str(raised.value).endswith("the hierarchy `zips` has no such value")


MERGES = {
    "a value in two merges": ["values = ['37201']", "prefixes = ['372']"],
    "a merge that splits a group": ["values = ['37201']"],
    "two merges that are published alike": ["values = ['37201', '37202']", "values = ['37212', '37209']"],
}


@pytest.mark.parametrize("fault", MERGES)
def test_a_merge_that_the_data_do_not_bear_tells_none_of_their_values(fault, tmp_path):
    merges = "".join(f"[[merge]]\nfrom_level = 2\n{of}\n" for of in MERGES[fault])
    (tmp_path / "zips.toml").write_text(f"kind = 'prefix'\nlength = 5\nkeep = [4, 3]\n{merges}")
    zips = {"hierarchy": "zips.toml", "role": "other"}
    content = {"attributes": {"zip": zips}, "game": "basic", "payoffs": {"benefit": 1, "loss": 1, "cost": 1}}
    frame = pd.DataFrame({"zip": ["37201", "37202", "37212", "37209"]})
    scenario = Scenario.parse(content, folder=tmp_path)
    with pytest.raises(InvalidHierarchyError, match=r"merge 2: |lies in") as raised:
        solve(scenario, frame)
    error = raised.value

    assert "#" in str(error)
    assert not re.search("37|20", f"{error}{error!r}{error.faults}")
    assert any(value.startswith("372") for value in error.data_values)


def test_a_policy_that_asks_for_other_values_than_the_data_have_is_told_none_of_theirs(tmp_path):
    (tmp_path / "codes.toml").write_text("kind = 'prefix'\nlength = 4\nalphabet = 'alphanumeric'\n")
    study = {}
    for name, condition in (("unlike", ["TOKE"]), ("least", {"min": 1})):
        content = {
            "attributes": {"code": {"hierarchy": "codes.toml", "role": "other"}},
            "game": "basic",
            "payoffs": {"benefit": 1, "loss": 1, "cost": 1},
            "policy": {name: {"rules": [{"when": {"code": condition}, "levels": {"code": 1}}]}},
        }
        study[name] = Study.prepare(Scenario.parse(content, folder=tmp_path), pd.DataFrame({"code": ["TOKM", "TOKN"]}))
    with pytest.raises(InvalidScenarioError) as raised:
        study["unlike"].policy("unlike")
    assert "policy.unlike.rules: hierarchy `codes` has no value `TOKE`" == str(raised.value)
    with pytest.raises(InvalidScenarioError, match=r"a number, but hierarchy `codes` has `####`$") as raised:
        study["least"].policy("least")
    assert ("TOKM",) == raised.value.data_values


def test_an_error_without_values_is_told_as_it_is():
    assert "no value" == GamedeidError("no value").with_values()
    assert () == InvalidDataError("no value").data_values
