"""Who matches whom under a policy and to an attacker: compared with hand counts, plain loops and random people."""

import json
import math
from collections import Counter
from itertools import product

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from case_study import POPULATION, SCENARIO
from depth import tries
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import comb
from small_world import ALONE, UNMATCHED_SAFE, gamedeid_prints, small_world
from small_world import SCENARIO as SMALL_WORLD

from gamedeid import Hierarchy, InvalidScenarioError, Scenario, Study, solve
from gamedeid.population.estimates import people_by_class
from gamedeid.risk.bins import chance_of_at_most, distinct_people, total_risk
from gamedeid.risk.matches import exposure
from gamedeid.risk.release import release_risks

AGES = Hierarchy.intervals(40, 47, [2, 4], name="ages", role="age")
PLACES = Hierarchy.from_rows([["a", "ab", "*"], ["b", "ab", "*"], ["c", "c", "*"]], name="places", role="other")
SEXES = Hierarchy.from_rows([["F", "*"], ["M", "*"]], name="sexes")
LADDERS = {"age": AGES, "place": PLACES, "sex": SEXES}
SECTIONS = {
    "attributes": {name: {"hierarchy": ladder} for name, ladder in LADDERS.items()},
    "game": "basic",
    "payoffs": {"benefit": 100, "loss": 90, "cost": 20},
}
PEOPLE = list(product(AGES.leaves, PLACES.leaves, SEXES.leaves))


def study_of(people: list[tuple[str, ...]], **sections) -> Study:
    """Return these people as records that are their own population."""
    table = pa.table({name: [row[place] for row in people] for place, name in enumerate(LADDERS)})
    return Study.prepare(Scenario.parse(SECTIONS | sections), records=table)


def seen(person: tuple[str, ...], levels: tuple[int, ...]) -> tuple[str, ...]:
    """Return the labels of a person at levels."""
    return tuple(
        ladder.label(level, int(ladder.code(value) or 0))
        for ladder, value, level in zip(LADDERS.values(), person, levels, strict=True)
    )


# --- by hand ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """Return four records among 20 people: 1 and 5 men of 40 and 41, 2 and 2 women of 50 and 51, 10 men of 50."""
    scenario = Scenario.read(
        small_world(tmp_path_factory.mktemp("four")),
        {
            "attacker.voter": {"knows": ["sex"]},
            "attacker.pairs": {"levels": {"age": 1}, "knows": ["sex"], "covers": 0.5},
        },
    )
    return Study.prepare(scenario)


@pytest.mark.parametrize(
    ("policy", "attacker", "sizes", "risk"),
    [
        ("raw", "general", {1: 1, 2: 5, 3: 5, 5: 10, 9: 10, 10: 20}, 5),
        ("limited-data-set", "general", {1: 1, 2: 5, 5: 10, 10: 20}, 5),
        ("pairs", "general", {1: 0, 4: 4, 6: 10, 10: 20}, 3),
        ("raw", "voter", {3: 0, 4: 4, 15: 4, 16: 20}, 2),
        ("pairs", "voter", {3: 0, 4: 4, 16: 20}, 2),
        # half of all people are on this list: a group is guessed right once unless none of it is on the list
        ("raw", "pairs", {4: 2, 6: 5, 10: 10}, 3 - 0.5**4 - 0.5**6 - 0.5**10),
    ],
)
def test_a_small_population_is_counted_as_by_hand(four, policy, attacker, sizes, risk):
    found = exposure(four, policy, attacker)
    assert 20 == found.released
    assert sizes == {size: found.distinct(size) for size in sizes}
    assert pytest.approx(risk, rel=1e-15) == found.total_risk


def test_an_attacker_with_a_level_that_is_not_there_is_refused():
    study = study_of(PEOPLE, attacker={"voter": {"levels": {"age": 9}}})
    with pytest.raises(InvalidScenarioError, match=r"^attacker.voter.levels: `ages` has no level 9; its levels are 0"):
        exposure(study, "raw", "voter")


def test_unmatched_records_are_safe_or_unique_as_the_scenario_says():
    records = pa.table({"age": ["40", "41"], "place": ["a", "a"], "sex": ["F", "F"]})
    people = pa.table({"age": ["40"] * 3, "place": ["a"] * 3, "sex": ["F"] * 3})
    for unmatched, unique, risk in (("safe", 0, 1 / 3), ("unique", 1, 4 / 3)):
        scenario = Scenario.parse(SECTIONS | {"population": {"unmatched": unmatched}})
        study = Study.prepare(scenario, records=records, population=people)
        found = exposure(study, "raw", whose="records")
        assert [2, unique, unique + 1] == [found.released, found.distinct(1), found.distinct(3)]
        assert pytest.approx(risk) == found.total_risk
        assert 3 == exposure(study, "raw").released


def test_a_missing_value_is_a_group_of_its_own_and_seen_as_nothing():
    table = pa.table({"age": ["40", None, "40"], "place": ["a", "a", "a"], "sex": ["F", "F", "F"]})
    study = Study.prepare(Scenario.parse(SECTIONS | {"records": {"missing": "suppress"}}), records=table)
    found = exposure(study, "raw")
    assert pytest.approx(1 / 2 + 1 / 2 + 1 / 3) == found.total_risk  # a person without an age matches all three
    _, groups = found.by("age", 0)
    assert {"40": 2, "*": 1} == {label: part.released for label, part in groups.items()}


# --- plain loops ------------------------------------------------------------------------------------------------------


@settings(max_examples=tries(20, 500))
@given(
    people=st.lists(st.sampled_from(PEOPLE), min_size=1, max_size=40),
    least=st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 1)),
    raised=st.integers(0, 3),
    known=st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 1)),
)
def test_loops_over_all_people_count_the_same(people, least, raised, known):
    levels = dict(zip(LADDERS, least, strict=True))
    study = study_of(
        people,
        policy={"own": {"levels": levels, "rules": [{"when": {"place": ["c"]}, "levels": {"age": raised}}]}},
        attacker={"voter": {"levels": dict(zip(LADDERS, known, strict=True))}},
    )
    for attacker, knows in (("general", (0, 0, 0)), ("voter", known)):
        found = exposure(study, "own", attacker)
        matching = []
        for person in people:
            age = max(least[0], raised if person[1] == "c" else 0)
            at = tuple(map(max, (age, *least[1:]), knows))
            matching.append(sum(seen(person, at) == seen(other, at) for other in people))
        assert [sum(n <= g for n in matching) for g in range(1, 42)] == [found.distinct(g) for g in range(1, 42)]
        assert pytest.approx(sum(1 / n for n in matching)) == found.total_risk


@settings(max_examples=tries(20, 500))
@given(
    people=st.lists(st.sampled_from(PEOPLE), min_size=1, max_size=60),
    known=st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 1)),
    covers=st.floats(0.05, 1.0),
)
def test_a_recipient_who_knows_less_or_has_a_shorter_list_is_less_of_a_risk(people, known, covers):
    levels = dict(zip(LADDERS, known, strict=True))
    study = study_of(people, attacker={"whole": {"levels": levels}, "part": {"levels": levels, "covers": covers}})
    general, whole, part = (exposure(study, "raw", name) for name in ("general", "whole", "part"))
    groups = Counter(seen(person, known) for person in people)
    assert len(groups) == whole.total_risk  # exactly: each group is one
    assert part.total_risk <= whole.total_risk + 1e-9
    assert whole.total_risk <= general.total_risk
    for at_most in (1, 2, 5):
        assert part.distinct(at_most) <= whole.distinct(at_most) <= general.distinct(at_most)


def test_guesses_from_a_list_with_gaps_are_right_as_often_as_the_formula_says():
    random = np.random.default_rng(70)
    sizes, covers, trials = [1, 2, 5, 9], 0.6, 20_000
    people = [person for size, person in zip(sizes, PEOPLE, strict=False) for _ in range(size)]
    study = study_of(people, attacker={"voter": {"knows": list(LADDERS), "covers": covers}})
    right = np.zeros(trials)
    for size in sizes:
        listed = random.random((trials, size)) < covers
        for person in range(size):  # his row is guessed by drawing among those listed who match it
            others = listed.sum(axis=1)
            right += listed[:, person] & (random.random(trials) * others < 1)
    error = right.std() / math.sqrt(trials)
    assert abs(right.mean() - exposure(study, "raw", "voter").total_risk) <= 4 * error


# --- the bins estimate against a population in full detail ------------------------------------------------------------


def test_where_birthdays_are_known_the_count_agrees_with_the_estimate_from_ages_alone():
    random = np.random.default_rng(365)
    by_age = [40, 200, 1000, 3000]
    ages = np.repeat(np.arange(len(by_age)), by_age)
    days = Hierarchy.intervals(0, 364, [], name="days", role="other")
    counted, trials = [], 30
    for _ in range(trials):
        table = pa.table({"age": ages, "day": random.integers(365, size=len(ages))})
        scenario = Scenario.parse(
            {
                "attributes": {
                    "age": {"hierarchy": Hierarchy.intervals(0, 3, [], name="ages", role="age")},
                    "day": {"hierarchy": days},
                },
                "game": "basic",
                "payoffs": SECTIONS["payoffs"],
            }
        )
        found = exposure(Study.prepare(scenario, records=table), "raw")
        counted.append([found.distinct(1), found.distinct(5), found.total_risk])
    expected = [distinct_people(by_age, 365, 1).sum(), distinct_people(by_age, 365, 5).sum()]
    expected.append(total_risk(by_age, 365).sum())
    error = np.std(counted, axis=0) / math.sqrt(trials)
    assert (np.abs(np.mean(counted, axis=0) - expected) <= 4 * error).all()


# --- a whole state ----------------------------------------------------------------------------------------------------


def test_tennessee_is_counted_as_pandas_counts_its_table():
    study = Study.prepare(Scenario.read(SCENARIO, {"policy.state.levels": {"zip": 5}}))
    cells = pd.read_csv(POPULATION)
    everywhere = cells.groupby(["age", "race", "sex"])["count"].sum()
    for policy, sizes in (("raw", cells["count"]), ("state", everywhere)):
        found = exposure(study, policy)
        assert sizes.sum() == found.released
        assert len(sizes) == found.total_risk  # the table has no cell without people
        assert [sizes[sizes <= g].sum() for g in (1, 3, 5, 10)] == [found.distinct(g) for g in (1, 3, 5, 10)]


def test_records_that_match_no_one_are_not_in_the_shares(tmp_path):
    (tmp_path / "records.csv").write_text("age\n40\n41\n41\n50\n")
    (tmp_path / "people.csv").write_text("age\n40\n50\n50\n")
    (tmp_path / "ages.csv").write_text("40;*\n41;*\n50;*\n")
    (tmp_path / "safe.toml").write_text(
        '[records]\npath = "records.csv"\n[population]\npath = "people.csv"\nunmatched = "safe"\n'
        '[attributes.age]\nhierarchy = "ages.csv"\nrole = "other"\n[payoffs]\nbenefit = 1\nloss = 1\ncost = 1\n'
    )
    words = ("risk", "distinct", tmp_path / "safe.toml", "--policy", "raw", "--records", "--distinct", "1,2")
    found = json.loads(gamedeid_prints(*words, "--json"))

    assert (4, 2) == (found["people"], found["unmatched"])
    assert {"1": 0.5, "2": 1.0} == found["share"]
    assert (1.5, 0.75) == (found["total_risk"], found["total_risk_share"])


@given(fraction=st.floats(0.01, 0.99), in_sample=st.integers(1, 40), at_most=st.integers(1, 80))
def test_a_class_of_the_sample_has_few_people_with_the_chance_of_the_negative_binomial(fraction, in_sample, at_most):
    people = people_by_class(fraction, 40)[[0, in_sample]]
    others = np.arange(max(at_most - in_sample + 1, 0))
    chance = (comb(in_sample - 1 + others, others) * fraction**in_sample * (1 - fraction) ** others).sum()

    assert [0, chance] == pytest.approx(chance_of_at_most(fraction, people, at_most).tolist())


def test_of_a_sample_few_people_match_a_record_with_the_chance_of_the_model(tmp_path):
    sampled = ALONE + "[population]\nsampling_fraction = 0.1\n"
    words = ("risk", "distinct", small_world(tmp_path, scenario=sampled), "--records", "--policy", "raw")
    found = json.loads(gamedeid_prints(*words, "--distinct", "1,3", "--json"))
    raw = release_risks(solve(tmp_path / "scenario.toml", game="basic")).as_dict()["raw"]

    assert {"1": 4 * 0.1, "3": 4 * (1 - 0.9**3)} == pytest.approx(found["distinct"])  # all four are unique
    assert "Estimated: the records are taken for a random sample of 0.1" in gamedeid_prints(*words)
    assert (0.1, 1 - 0.9**3) == pytest.approx((raw["distinct"]["1"], raw["distinct"]["3"]))
    assert {"unique": 4, "unique_in_population": 0.4, "lambda_1": 0.1, "lambda_2": 0.1} == pytest.approx(
        raw["uniqueness"]
    )
    gamedeid_prints("run", tmp_path / "scenario.toml", "--game", "basic", "-o", tmp_path / "out")
    assert "0.40 of 4 (10.00%)" in gamedeid_prints("risk", "release", tmp_path / "out")


def test_where_ages_are_known_in_pairs_few_people_match_a_record_with_the_chance_of_the_bins(tmp_path):
    scenario = SMALL_WORLD.replace('count = "count"', 'count = "count"\nlevels = { age = 1 }')
    people = "age,sex,count\n[40-41],Male,6\n[50-51],Female,3\n"
    raw = release_risks(solve(small_world(tmp_path, scenario=scenario, people=people), game="basic")).as_dict()["raw"]

    assert (1 / 2**5 + 1 / 2**2) / 2 == pytest.approx(raw["distinct"]["1"])  # no other of 6, of 3, has the same year
    assert 2 / 2**5 + 2 / 2**2 == pytest.approx(raw["uniqueness"]["unique_in_population"])


def test_people_of_a_sample_are_estimated_with_a_recipient_who_knows_kept_columns(tmp_path):
    # the kept column makes classes of records, in which no attribute is counted
    knowing = ALONE + "[population]\nsampling_fraction = 0.1\n[recipients.clerk]\nknows = ['income']\n"
    question = small_world(tmp_path, scenario=knowing)
    raw = release_risks(solve(question, game="basic")).as_dict()["raw"]
    found = json.loads(gamedeid_prints("risk", "distinct", question, "--records", "--policy", "raw", "--json"))

    assert (0.1, 1 - 0.9**3) == pytest.approx((raw["distinct"]["1"], raw["distinct"]["3"]))
    assert {"1": 0.1, "3": 1 - 0.9**3} == pytest.approx({size: found["share"][size] for size in "13"})


def test_records_of_people_are_counted_and_called_people(tmp_path):
    records = "age,sex,id\n40,F,a\n41,F,a\n40,F,b\n40,F,b\n,F,c\n40,F,c\n40,F,d\n,F,e\n"
    (tmp_path / "records.csv").write_text(records)
    (tmp_path / "ages.csv").write_text("40;[40-41];*\n41;[40-41];*\n")
    (tmp_path / "visits.toml").write_text(
        '[records]\npath = "records.csv"\nperson = "id"\nmissing = "suppress"\n'
        '[attributes.sex]\nhierarchy = "sexes.csv"\n'
        '[attributes.age]\nhierarchy = "ages.csv"\nrole = "age"\n[payoffs]\nbenefit = 1\nloss = 1\ncost = 1\n'
    )
    (tmp_path / "sexes.csv").write_text("F;*\nM;*\n")
    words = ("risk", "distinct", tmp_path / "visits.toml", "--policy", "limited-data-set", "--records", "--by")
    groups = [json.loads(gamedeid_prints(*words, f"age:{level}", "--json"))["by"]["groups"] for level in (0, 1, 2)]
    said = gamedeid_prints(*words, "age:0")

    # b and d are 40; the rows of a agree from level 1 on, and those of c nowhere below `*`; e has no age
    assert [{"40": 2, "*": 1, "(several)": 2}, {"[40-41]": 3, "*": 1, "(several)": 1}, {"*": 5}] == [
        {one["group"]: one["people"] for one in level} for level in groups
    ]
    assert "5 people released" in said
    assert "records" not in said


def test_records_without_a_match_under_the_other_policy_are_mentioned(tmp_path):
    scenario = small_world(
        tmp_path,
        scenario=UNMATCHED_SAFE,
        records="name,age,sex,income\nA,40,Male,>50K\nB,51,Female,>50K\n",
        people="age,sex,count\n40,Male,1\n50,Female,2\n",
    )
    words = ("risk", "distinct", scenario, "--records", "--policy")
    said = gamedeid_prints(*words, "pairs", "--against", "raw")

    assert "As released by raw, 1 of them matches no one in the population, and is not counted." in said
    assert "So the trust differential compares different numbers of records." in said
    assert "compares different numbers" not in gamedeid_prints(*words, "raw", "--against", "limited-data-set")
