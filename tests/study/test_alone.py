import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle_worlds import LAYOUTS, instance_of
from questions import question
from worlds import chains, worlds

from gamedeid import Hierarchy, InvalidScenarioError, Scenario, Study, UnmatchedRecordError, solve
from gamedeid.choices import GAMES
from gamedeid.data.profiles import Profiles
from gamedeid.generalization.shipped import shipped_files

PEOPLE = pd.DataFrame({"sex": ["Male"] * 3 + ["Female"], "age": [48, 48, 51, 93]})


@pytest.fixture(scope="module")
def study() -> Study:
    return Study.prepare(Scenario.read(shipped_files("scenarios")["quickstart"]))


@pytest.fixture(scope="module")
def own() -> Study:
    return Study.prepare(question(), PEOPLE)


@given(world=st.one_of(worlds(), chains()), layout=st.sampled_from(LAYOUTS))
def test_the_population_of_one_profile_is_that_of_all(world, layout):
    instance = instance_of(world, layout)
    nodes = np.arange(instance.lattice.size)
    for profile in range(instance.profiles.count):
        permitted = nodes[(instance.hierarchy_tables.levels >= instance.base[profile]).all(axis=1)]
        codes = instance.profiles.codes[profile : profile + 1]
        one = instance.for_profiles(Profiles.of(codes, list(instance.hierarchies.values())))
        expected = instance.people(np.full(len(permitted), profile), permitted)
        assert expected.tolist() == one.people(np.zeros(len(permitted), np.int64), permitted).tolist()


@pytest.mark.parametrize("game", GAMES)
def test_a_record_alone_plays_as_it_does_among_the_others(study, game):
    together = solve(study, game=game).strategies.to_dict("list")
    for record in (0, 17, 399):
        alone = solve(study.alone(record=record), game=game).strategies.to_dict("list")
        assert {name: column[record] for name, column in together.items() if name != "record"} == {
            name: column[0] for name, column in alone.items() if name != "record"
        }


def test_values_name_the_same_person_as_the_number(study):
    row = study.rows.row(17).to_pylist()[0]
    values = {name: row[name] for name in study.instance.hierarchies}
    named, numbered = study.alone(values=values), study.alone(record=17)

    assert numbered.instance.profiles.codes.tolist() == named.instance.profiles.codes.tolist()
    assert numbered.scenario_policy.levels.tolist() == named.scenario_policy.levels.tolist()
    assert [values] == [{name: row[name] for name in values} for row in numbered.rows.row(0).to_pylist()]
    assert study.people == named.people


def test_the_release_of_one_is_its_row(own):
    whole = solve(own, game="no-attack").release(keep_order=True)
    for record in range(4):
        one = solve(own.alone(record=record), game="no-attack").release(keep_order=True)
        assert whole.iloc[record].to_dict() == one.iloc[0].to_dict()
    assert [{"age": "[45-59]", "sex": "Male"}] == solve(
        own.alone(values={"age": 48.0, "sex": "Male"}), game="no-attack"
    ).release(keep_order=True).to_dict("records")


@pytest.mark.parametrize(
    ("who", "says"),
    [
        ({}, "named by either a record's number or values"),
        ({"record": 0, "values": {}}, "named by either a record's number or values"),
        ({"record": 4}, "no record `4`; they are numbered from 0 to 3"),
        ({"record": -1}, "no record `-1`; they are numbered from 0 to 3"),
        ({"values": {"age": 48}}, "there is none for `sex`"),
        ({"values": {"age": 48, "gender": "Male"}}, "no attribute `gender`; known: age, sex"),
        ({"values": {"age": 48, "sec": "Male"}}, "no attribute `sec`; did you mean `sex`"),
        ({"values": {"age": 48, "sex": "male"}}, "`sex` cannot be `male`: .* did you mean `Male`"),
        ({"values": {"age": 480, "sex": "Male"}}, r"no such value; .*"),
        ({"values": {"age": "*", "sex": "Male"}}, "`age` is missing"),
    ],
)
def test_an_unknown_person_is_refused(own, who, says):
    with pytest.raises(InvalidScenarioError, match=says) as raised:
        own.alone(**who)  # type: ignore[arg-type]
    assert "\n" not in str(raised.value)


def test_unmatched_values_are_treated_as_the_scenario_says():
    stranger = {"age": 50, "sex": "Male"}
    with pytest.raises(UnmatchedRecordError, match="1 record matches no one") as raised:
        Study.prepare(question(), PEOPLE).alone(values=stranger)
    assert ("age=50, sex=Male",) == raised.value.data_values
    for unmatched, people in (("unique", 1), ("safe", 0)):
        alone = Study.prepare(question({"population.unmatched": unmatched}), PEOPLE, PEOPLE).alone(values=stranger)
        assert [people] == alone.instance.people(np.zeros(1, np.int64), np.zeros(1, np.int64)).tolist()


def test_a_missing_value_is_a_star_where_missing_values_are_suppressed():
    gaps = pd.DataFrame({"sex": ["Male", "Male", None], "age": [48, 51, 93]})
    harmless = {"records.missing": "suppress", "payoffs.cost": 100}  # no attacks, so all is released
    study = Study.prepare(question(harmless), gaps)
    solution = solve(study.alone(values={"age": "93", "sex": "*"}))

    assert study.alone(record=2).instance.profiles.codes.tolist() == solution.study.instance.profiles.codes.tolist()
    assert [{"age": "93", "sex": "*"}] == solution.release(keep_order=True).to_dict("records")
    assert [{"age": "93", "sex": None}] == solution.study.rows.row(0).to_pylist()


@pytest.mark.parametrize("missing", ["", "NA", None])
def test_a_value_that_is_missing_in_the_data_is_no_unlisted_value(missing):
    sex = Hierarchy.from_rows([["Female", "*"], ["Male", "*"]], name="sex", role="other", unlisted="Other")
    changes = {"records.missing": "suppress", "records.missing_values": ["NA"], "attributes.sex.hierarchy": sex}
    study = Study.prepare(question(changes), pd.DataFrame({"sex": ["Male", "NA"], "age": [48, 48]}))

    alone = study.alone(values={"age": 48, "sex": missing})

    assert study.alone(record=1).instance.profiles.codes.tolist() == alone.instance.profiles.codes.tolist()
