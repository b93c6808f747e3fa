"""The valid content of a scenario, and the errors of invalid content."""

import json
import math
from pathlib import Path

import pytest
from questions import content, message, question

from gamedeid import Hierarchy, InvalidScenarioError, Scenario

RULE = {"when": {"age": {"min": 65}}, "levels": {"age": 2}}


SECTIONS = "title, records, population, attributes, payoffs, sources, game, floor, policy, attacker, recipients"
OPTIONAL = ", identifiers, determination, thresholds, limits, groups, regions, earlier"


def fault(changes):
    text = message(InvalidScenarioError, Scenario.parse, content(changes))
    return text.removeprefix("scenario: ")


def test_missing_keys_have_defaults():
    scenario = question()

    assert ("", "safe-harbor", {}, None) == (scenario.title, scenario.floor, scenario.policy, scenario.population)
    assert ("error", ("",), "utf-8") == (
        scenario.records.missing,
        scenario.records.missing_values,
        scenario.records.encoding,
    )
    assert (1.0, None, None) == (
        scenario.attributes["age"].weight,
        scenario.attributes["age"].role,
        scenario.attributes["age"].safe_harbor,
    )


def test_the_attributes_keep_their_order():
    assert ["age", "sex"] == list(question().attributes)
    reversed_content = content() | {"attributes": {"sex": {"hierarchy": "sex"}, "age": {"hierarchy": "age"}}}
    assert ["sex", "age"] == list(Scenario.parse(reversed_content).attributes)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("payoff", 1, "unknown key `payoff`; did you mean `payoffs`?"),
        ("payoffs.los", 1, "unknown key `payoffs.los`; did you mean `loss`?"),
        ("payoffs.zzz", 1, "unknown key `payoffs.zzz`; known: benefit, loss, cost, gain"),
        ("records.kep", 1, "unknown key `records.kep`; did you mean `keep`?"),
        ("population.conut", 1, "unknown key `population.conut`; did you mean `count`?"),
        ("attributes.age.wieght", 1, "unknown key `attributes.age.wieght`; did you mean `weight`?"),
        ("policy.mine.level", 1, "unknown key `policy.mine.level`; did you mean `levels`?"),
        ("policy.levels.level", 1, "unknown key `policy.levels.level`; did you mean `levels`?"),
        ("folder", 1, f"unknown key `folder`; known: {SECTIONS}{OPTIONAL}"),
        ("overridden", 1, f"unknown key `overridden`; known: {SECTIONS}{OPTIONAL}"),
        (
            "policy.mine.rules",
            [RULE | {"levls": {}}],
            "unknown key `policy.mine.rules.0.levls`; did you mean `levels`?",
        ),
        (
            "policy.mine.rules",
            [RULE | {"when": {"age": {"mn": 1}}}],
            "policy.mine.rules.0.when.age: unknown key `mn`; did you mean `min`?",
        ),
        ("payoffs", {"benefit": 1, "loss": 1, "cots": 1}, "unknown key `payoffs.cots`; did you mean `cost`?"),
        ("payoffs", {"benefit": 1, "loss": 1}, "`payoffs.cost` is required"),
    ],
)
def test_an_unknown_key_is_named_with_the_nearest_known_one_before_what_is_missing(key, value, said):
    assert said == fault({key: value})


@pytest.mark.parametrize("stake", ["benefit", "loss", "cost", "gain"])
@pytest.mark.parametrize(
    ("value", "said"),
    [
        (-1, "expected a number above 0, not `-1`"),
        (0, "expected a number above 0, not `0`"),
        (math.nan, "expected a number above 0, not `nan`"),
        (math.inf, "expected a finite number, not `inf`"),
        (True, "expected a number, not `True`"),
        ("500", "expected a number, not the text `500`"),
        ([1], "expected a number, not `[1]`"),
    ],
)
def test_a_stake_is_a_finite_number_above_nought(stake, value, said):
    assert f"payoffs.{stake}: {said}" == fault({f"payoffs.{stake}": value})


def test_a_huge_number_is_shortened():
    assert "payoffs.loss: expected a number of dollars from 1e-06 to 1e+12, not `1" in fault({"payoffs.loss": 10**400})


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("title", 5, "title: expected a text, not `5`"),
        ("payoffs", 5, "payoffs: expected a section, not `5`"),
        ("attributes", 5, "attributes: expected a section, not `5`"),
        ("attributes", {}, "attributes: expected at least one"),
        ("attributes.age", 5, "attributes.age: expected a section, not `5`"),
        ("attributes.age.hierarchy", 5, "attributes.age.hierarchy: expected a shipped name, a path or a Hierarchy"),
        ("attributes.age.weight", 1e308, "attributes.age.weight: expected a number from 1e-06 to 1e+06, not `1e+308`"),
        ("attributes.age.weight", 1e-9, "attributes.age.weight: expected a number from 1e-06 to 1e+06, not `1e-09`"),
        ("payoffs.cost", 1e308, "payoffs.cost: expected a number of dollars from 1e-06 to 1e+12, not `1e+308`"),
        ("payoffs.cost", 1e-7, "payoffs.cost: expected a number of dollars from 1e-06 to 1e+12, not `1e-07`"),
        ("attributes.age.weight", -1, "attributes.age.weight: expected a number of at least 0, not `-1`"),
        ("attributes.age.weight", math.inf, "attributes.age.weight: expected a finite number, not `inf`"),
        ("attributes.age.weight", True, "attributes.age.weight: expected a number, not `True`"),
        ("attributes.age.safe_harbor", -1, "attributes.age.safe_harbor: expected a number of at least 0, not `-1`"),
        ("attributes.age.safe_harbor", 1.5, "attributes.age.safe_harbor: expected a whole number, not `1.5`"),
        ("attributes.age.role", "agee", "attributes.age.role: expected 'zip'"),
        ("records.path", 5, "records.path: expected a path, not `5`"),
        ("records.keep", "income", "records.keep: expected a list, not `income`"),
        ("records.keep", [1], "records.keep.0: expected a text, not `1`"),
        (
            "records.missing",
            "supress",
            "records.missing: expected 'error', 'suppress' or 'show', not `supress`; did you mean `suppress`?",
        ),
        ("population.unmatched", "no", "population.unmatched: expected 'error', 'unique' or 'safe', not `no`"),
        ("policy.mine.levels", {"age": -1}, "policy.mine.levels.age: expected a number of at least 0, not `-1`"),
        ("policy.mine.levels", {"age": True}, "policy.mine.levels.age: expected a number, not `True`"),
        ("policy.mine.rules", 5, "policy.mine.rules: expected a list, not `5`"),
        ("policy.mine.rules", [5], "policy.mine.rules.0: expected a section, not `5`"),
        ("policy.safe-harbor.census", "1990", "policy.safe-harbor.census: expected '2000', '2010' or '2020'"),
    ],
)
def test_a_value_of_another_kind_is_named_with_what_was_expected(key, value, said):
    assert fault({key: value}).startswith(said)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"when": {}}, "when: expected at least one"),
        ({"levels": {}}, "levels: expected at least one"),
        ({"when": {"age": {}}}, "when.age: needs min, max or both"),
        ({"when": {"age": {"min": 3, "max": 1}}}, "when.age: min 3 is above max 1"),
        ({"when": {"age": {"min": True}}}, "when.age: min: expected a number, not `True`"),
        ({"when": {"age": []}}, "when.age: expected a list of values, or min, max or both, not `[]`"),
        ({"when": {"age": [1.5]}}, "when.age: expected a list of values, or min, max or both, not `[1.5]`"),
        ({"when": {"age": [True]}}, "when.age: expected a list of values, or min, max or both, not `[True]`"),
        ({"when": {"age": "x"}}, "when.age: expected a list of values, or min, max or both, not `x`"),
    ],
)
def test_a_rule_needs_a_condition_and_levels(changes, said):
    assert f"policy.mine.rules.0.{said}" == fault({"policy.mine.rules": [RULE | changes]})


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"records.drop": ["age"]}, "column `age` is in [attributes] and in records.drop; it can have one part only"),
        ({"records.keep": ["a"], "records.drop": ["a"]}, "column `a` is in records.keep and in records.drop"),
        ({"records.keep": ["a", "a"]}, "column `a` is in records.keep and in records.keep; it can have one part only"),
        ({"attributes.record.hierarchy": "sex"}, "attributes.record: results have a column of this name"),
        ({"attributes.attacked.hierarchy": "sex"}, "attributes.attacked: results have a column of this name"),
        ({"population.count": ""}, "population.count: expected the name of a column, not an empty text"),
        ({"population.count": "age"}, "population.count: `age` is an attribute; it cannot be the count too"),
        ({"population.drop": ["age"]}, "population.drop: `age` is needed; it is an attribute or the count"),
        ({"population.drop": ["n"], "population.count": "n"}, "population.drop: `n` is needed"),
        ({"floor": "safe-habor"}, "floor names no policy: `safe-habor`; did you mean `safe-harbor`?"),
        ({"policy.limited-data-set": {}}, "policy: `limited-data-set` is built in; give your policy another name"),
        ({"policy.basic": {}}, "policy: `basic` is a game; give your policy another name"),
        ({"policy.raw": {}}, "policy: `raw` is built in; give your policy another name"),
        ({"attacker.general.knows": ["age"]}, "attacker: `general` is built in; give your attacker another name"),
        ({"attacker.voter.knows": ["agee"]}, "attacker.voter names `agee`, which is no attribute"),
        ({"attacker.voter.levels": {"race": 1}}, "attacker.voter names `race`, which is no attribute"),
        ({"attacker.voter": {}}, "attacker.voter: needs knows, levels or both"),
        ({"attacker.voter.knows": ["age"], "attacker.voter.levels": {"age": 1}}, "attacker.voter: `age` is in knows"),
        ({"attacker.voter": {"knows": ["age"], "covers": 0}}, "attacker.voter.covers: expected a number above 0"),
        (
            {"attacker.voter": {"knows": ["age"], "covers": 1.5}},
            "attacker.voter.covers: expected a number of at most 1",
        ),
        ({"attacker.voter": {"knows": ["age"], "price": 0}}, "attacker.voter.price: expected a number above 0"),
        ({"attacker.voter": {"know": ["age"]}}, "unknown key `attacker.voter.know`; did you mean `knows`?"),
        ({"recipients.r.probability": 1.5}, "recipients.r.probability: expected a number of at most 1, not `1.5`"),
        ({"recipients.r.cost": -1}, "recipients.r.cost: expected a number of at least 0, not `-1`"),
        ({"recipients.r.covers": 0}, "recipients.r.covers: expected a number above 0, not `0`"),
        ({"recipients.r.knows": []}, "recipients.r: knows no attribute, and can distinguish no people"),
        ({"recipients.r": {"knows": ["age"], "levels": {"age": 1}}}, "recipients.r: `age` is in knows and in levels"),
        ({"recipients.r.knows": ["agee"]}, "recipients.r names `agee`, which is no attribute; did you mean `age`?"),
        ({"recipients.r.probabilty": 1}, "unknown key `recipients.r.probabilty`; did you mean `probability`?"),
        ({"recipients.r.probability": 0}, "recipients: none of them is ever active"),
        ({"recipients.r.learns": {"knows": ["sex"], "probability": 0.5}}, "recipients.r knows all attributes, and has"),
        ({"recipients.r": {"knows": ["age"], "learns": {"probability": 0.5}}}, "recipients.r.learns: needs knows, lev"),
        (
            {"recipients.r": {"knows": ["age"], "learns": {"knows": ["sex"], "probability": 0.5, "price": -1}}},
            "recipients.r.learns.price: expected a number of at least 0, not `-1`",
        ),
        ({"policy.mine.levels": {"agee": 1}}, "policy.mine names `agee`, which is no attribute"),
        ({"policy.mine.rules": [RULE | {"when": {"race": ["White"]}}]}, "policy.mine names `race`"),
        ({"policy.mine.census": "2000"}, "policy.mine.census is a key of policy.safe-harbor only"),
        ({"policy.safe-harbor.limit": 5}, "policy.safe-harbor.limit needs zip_populations"),
        (
            {"policy.safe-harbor.census": "2000", "policy.safe-harbor.zip_populations": "population"},
            "policy.safe-harbor has both census and zip_populations; choose one",
        ),
    ],
)
def test_contradictions_are_refused(changes, said):
    assert fault(changes).startswith(said)


def test_a_rule_takes_ranges_and_lists():
    rules = [RULE, {"when": {"sex": ["Male"], "age": {"max": 20}}, "levels": {"sex": 1}}]
    scenario = question({"policy.mine.rules": rules})

    first, second = scenario.policy["mine"].rules
    assert (65, None) == (first.when["age"].min, first.when["age"].max)
    assert {"sex": ("Male",), "age": first.when["age"].model_copy(update={"min": None, "max": 20})} == second.when
    assert second == type(second)(when=second.when, levels=second.levels)  # built from values as well as from text


def test_a_hierarchy_can_be_handed_over():
    mine = Hierarchy.intervals(0, 9, [2], name="mine")
    scenario = question({"attributes.age.hierarchy": mine})

    assert mine is scenario.attributes["age"].hierarchy
    assert "mine" == scenario.resolved()["attributes"]["age"]["hierarchy"]


def test_resolved_values_are_plain_and_state_every_default():
    changes = {"records.path": "a.csv", "policy.mine.rules": [RULE], "population.count": "n"}
    scenario = question(changes, folder=Path("/x"))
    resolved = scenario.resolved()

    assert resolved == json.loads(json.dumps(resolved))
    said = SECTIONS.removesuffix(", recipients").replace(" game,", "")  # others are absent; results name their game
    assert said.split(", ") == [*resolved]
    assert {"benefit": 100.0, "loss": 90.0, "cost": 40.0, "gain": None} == resolved["payoffs"]
    assert {"hierarchy": "age", "weight": 1.0, "role": None, "safe_harbor": None} == resolved["attributes"]["age"]
    assert "a.csv" == resolved["records"]["path"]
    assert {"when": {"age": {"min": 65, "max": None}}, "levels": {"age": 2}} == resolved["policy"]["mine"]["rules"][0]


def test_a_resolved_scenario_can_be_read_again():
    scenario = question({"policy.mine.rules": [RULE]})

    assert scenario.resolved() == Scenario.parse(scenario.resolved()).resolved()


def test_a_file_and_a_dict_given_for_each_other_are_named_in_the_error():
    said = message(InvalidScenarioError, Scenario.parse, "scenario.toml")
    assert said.endswith("sections of a scenario, not str; a file is read with Scenario.read")
    said = message(InvalidScenarioError, Scenario.read, content())
    assert said.endswith("scenario file, not dict; sections in a dict are read with Scenario.parse")


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"title": "a\udcff"}, "title"),
        ({"records.path": "a\udcff.csv"}, "records.path"),
        ({"records.drop": ["name", "\ud800"]}, "records.drop"),
        ({"population.path": "a\0b"}, "population.path"),
        ({"attributes": {"\udcff": {"hierarchy": "age"}}}, "attributes"),
        ({"policy.mine.rules": [{"when": {"age": ["\udcff"]}, "levels": {"age": 1}}]}, "policy.mine.rules.when.age"),
    ],
)
def test_a_text_that_no_file_can_hold_is_refused_anywhere(changes, place):
    said = message(InvalidScenarioError, question, changes)

    assert said.startswith(f"scenario: {place}: `")
    assert said.endswith("holds a character that no text can hold; type it again, or rename the file that it names")
    assert said.isprintable()


def test_the_error_on_a_column_with_a_dot_asks_for_quotes():
    said = fault({"attributes": {"marital": {"status": {"hierarchy": "sex"}}}})

    assert said.startswith("unknown key `attributes.marital.status`")
    assert said.endswith('; a column with a dot in its name needs quotes: [attributes."marital.status"]')
