"""Errors name rows and columns; values of records and of the population only on request."""

import pickle
import re

import pandas as pd
import pytest
from kinds_of_hierarchy import write_kinds
from questions import question
from small_world import PEOPLE, RECORDS, SCENARIO, gamedeid_says, small_world

from gamedeid import solve
from gamedeid.errors import (
    GamedeidError,
    InvalidDataError,
    InvalidHierarchyError,
    InvalidScenarioError,
)
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.study import Study

ZIPS = 'kind = "prefix"\nlength = 5\nkeep = [3]\n'
"""A hierarchy with values from the data."""
OPEN = {"attributes": {"zip": {"hierarchy": "zips.toml", "role": "other"}}}
SEX = {"attributes": {"sex": {"hierarchy": "sex"}}}

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
def test_no_message_shows_a_value_unless_asked(fault, engine, tmp_path):
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


def test_from_python_the_values_are_an_attribute_of_the_error_and_in_no_text_of_it():
    frame = pd.DataFrame({"sex": ["Male", "TOKEN1", "TOKEN1", "TOKEN2"]})
    with pytest.raises(InvalidDataError) as raised:
        solve(question(SEX), frame)
    error = raised.value

    assert ("TOKEN1", "TOKEN2") == error.data_values
    assert "TOKEN" not in f"{error} {error!r}"
    assert f"{error}; values: `TOKEN1`, `TOKEN2`" == error.with_values()
    assert ("TOKEN1", "TOKEN2") == pickle.loads(pickle.dumps(error)).data_values  # noqa: S301


def test_a_kept_value_missing_in_an_order_is_named_only_on_request():
    rule = {"groups": {"kept": {"income": {"t": 0.5, "distance": "ordered", "order": ["low"]}}}}
    frame = pd.DataFrame({"sex": ["Male", "Female", "Male"], "income": ["low", "TOKEN1", None]})
    with pytest.raises(
        InvalidScenarioError, match="2 values of the column are not in it, a missing one among them;"
    ) as raised:
        solve(question({**SEX, **rule, "records": {"keep": ["income"]}}), frame, game="aware-no-attack")

    assert ("TOKEN1",) == raised.value.data_values
    assert "TOKEN" not in str(raised.value)


def test_values_found_only_in_the_data_are_not_hints(tmp_path):
    (tmp_path / "zips.toml").write_text(ZIPS)
    study = Study.prepare(question(OPEN, folder=tmp_path), pd.DataFrame({"zip": ["37201", "37202"]}))
    with pytest.raises(InvalidScenarioError) as raised:
        study.alone(values={"zip": "37209"})

    assert str(raised.value).endswith("the hierarchy `zips` has no such value")


def test_a_label_in_place_of_a_value_is_refused_with_the_form_of_the_data(tmp_path):
    study = Study.prepare(write_kinds(tmp_path))
    values = {"born": "14.03.1958", "visit": "66", "bmi": "24", "code": "E119", "ward": "A1"}
    with pytest.raises(InvalidScenarioError, match="no such value; expected dates of birth written YYYY-MM-DD"):
        study.alone(values=values)
    rule = {"when": {"visit": ["66"]}, "levels": {"visit": 1}}
    with pytest.raises(InvalidScenarioError, match="has no value `66`; expected dates of birth written YYYY-MM-DD"):
        solve(Scenario.read(write_kinds(tmp_path), {"policy.old.rules": [rule], "floor": "old"}))


MERGES = {
    "a value in two merges": ["values = ['37201']", "prefixes = ['372']"],
    "a merge that splits a group": ["values = ['37201']"],
    "two merges that are published alike": ["values = ['37201', '37202']", "values = ['37212', '37209']"],
}


@pytest.mark.parametrize("fault", MERGES)
def test_a_refused_merge_shows_no_values_of_the_data(fault, tmp_path):
    merges = "".join(f"[[merge]]\nfrom_level = 2\n{of}\n" for of in MERGES[fault])
    (tmp_path / "zips.toml").write_text(f"kind = 'prefix'\nlength = 5\nkeep = [4, 3]\n{merges}")
    frame = pd.DataFrame({"zip": ["37201", "37202", "37212", "37209"]})
    with pytest.raises(InvalidHierarchyError, match=r"merge 2: |is in") as raised:
        solve(question(OPEN, folder=tmp_path), frame)
    error = raised.value

    assert "#" in str(error)
    assert not re.search("37|20", f"{error}{error!r}{error.faults}")
    assert any(value.startswith("372") for value in error.data_values)


def test_a_policy_with_unknown_values_gets_none_of_the_datas_values(tmp_path):
    (tmp_path / "zips.toml").write_text("kind = 'prefix'\nlength = 4\nalphabet = 'alphanumeric'\n")

    def refused(condition):
        own = {"policy.own.rules": [{"when": {"zip": condition}, "levels": {"zip": 1}}]}
        study = Study.prepare(question(OPEN | own, folder=tmp_path), pd.DataFrame({"zip": ["TOKM", "TOKN"]}))
        with pytest.raises(InvalidScenarioError) as raised:
            study.policy("own")
        return raised.value

    assert "policy.own.rules: hierarchy `zips` has no value `TOKE`" == str(refused(["TOKE"]))
    error = refused({"min": 1})
    assert str(error).endswith("a number, but hierarchy `zips` has `####`")
    assert ("TOKM",) == error.data_values


def test_an_error_without_values_is_unchanged():
    assert "no value" == GamedeidError("no value").with_values()
    assert () == InvalidDataError("no value").data_values
