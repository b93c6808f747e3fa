"""A population known at a level only: spread evenly over finer values, and called an estimate."""

import json
import math
import re
from fractions import Fraction
from itertools import product

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from questions import message, question
from small_world import PEOPLE, SCENARIO, gamedeid_says, small_world

from gamedeid import Hierarchy, InvalidDataError, InvalidScenarioError, Scenario, Study, solve
from gamedeid.population.estimates import expected_people, occupied_bins
from gamedeid.risk.bins import distinct_people, total_risk
from gamedeid.risk.matches import exposure
from gamedeid.study.facts import read_facts

BIRTHS = Hierarchy.from_rows(
    [[f"{year}-{month}", str(year), "*"] for year in (1970, 1980) for month in range(1, 13)], name="births"
)
SEXES = Hierarchy.from_rows([["F", "*"], ["M", "*"]], name="sexes")
TRY = "give it a hierarchy that lists them"
SECTIONS = {
    "attributes": {"birth": {"hierarchy": BIRTHS}, "sex": {"hierarchy": SEXES}},
    "floor": "limited-data-set",
    "game": "basic",
    "payoffs": {"benefit": 100, "loss": 90, "cost": 20},
    "population": {"count": "people", "levels": {"birth": 1}},
}
RECORDED = pa.table({"birth": ["1970-1", "1970-7", "1980-12", "1980-12"], "sex": ["F", "M", "F", "F"]})
POPULATION = pa.table({"birth": ["1970", "1970", "1980"], "sex": ["F", "M", "F"], "people": [1, 240, 30]})


def study_of(**sections) -> Study:
    return Study.prepare(Scenario.parse(SECTIONS | sections), RECORDED, POPULATION)


def of_ages(ages: Hierarchy) -> Scenario:
    section = {"count": "people", "levels": {"age": 1}}
    return question({"attributes": {"age": {"hierarchy": ages}}, "population": section})


def mean_alike(people: int, bins: int) -> Fraction:
    """Return the inverse of the chance of a right guess, by a sum over the number of people in the bin."""
    chance = sum(
        Fraction(math.comb(people - 1, others) * (bins - 1) ** (people - 1 - others), bins ** (people - 1))
        / (others + 1)
        for others in range(people)
    )
    return 1 / chance


# --- the estimate -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("people", "bins"), list(product([1, 2, 3, 12, 40, 97], [1, 2, 3, 12, 97])))
def test_the_number_of_people_alike_follows_from_the_chance_of_a_right_guess_and_is_rounded_down(people, bins):
    assert math.floor(mean_alike(people, bins)) == expected_people(np.array([people]), np.array([bins]))[0]


def test_zero_people_stay_zero_and_a_country_is_right():
    people, bins = np.array([0, 0, 330_000_000, 330_000_000, 365_000]), np.array([1, 365, 1, 365, 365])
    assert [0, 0, 330_000_000, 330_000_000 // 365, 1000] == expected_people(people, bins).tolist()


@given(st.integers(0, 3000), st.integers(1, 500))
def test_more_people_or_fewer_bins_are_never_fewer_alike(people, bins):
    here = expected_people(np.array([people]), np.array([bins]))[0]
    assert here <= expected_people(np.array([people + 1]), np.array([bins]))[0]
    assert here <= people or people == 0
    assert bins == 1 or here <= expected_people(np.array([people]), np.array([bins - 1]))[0]


def test_occupied_bins_take_fractions_of_bins_for_a_list_with_gaps():
    assert pytest.approx(1 - 0.3**5) == 0.7 * float(occupied_bins(5, 1 / 0.7))
    assert [0.0, 1.0, 1.0] == occupied_bins([0, 1, 7], 1).tolist()


# --- the game ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", ["dense", "sparse"])
def test_every_strategy_is_counted_exactly_down_to_the_known_level_and_estimated_below(layout, monkeypatch):
    if layout == "sparse":
        monkeypatch.setattr("gamedeid.population.choose.SMALL_CUBE", 0)
        monkeypatch.setattr("gamedeid.population.choose.DENSE_WASTE", 0)
    instance, fresh = study_of().instance, study_of().instance.uncounted()
    expected = {
        (0, 0): [1, 20, math.floor(mean_alike(30, 12))],
        (1, 0): [1, 240, 30],
        (0, 1): [math.floor(mean_alike(241, 12))] * 2 + [math.floor(mean_alike(30, 12))],
        (2, 0): [31, 240, 31],
        (1, 1): [241, 241, 30],
        (2, 1): [271, 271, 271],
    }
    for levels, people in expected.items():
        nodes = np.full(3, instance.lattice.node(levels))
        assert people == instance.people(instance.all_profiles, nodes).tolist(), levels
        assert people == fresh.people(fresh.all_profiles, nodes).tolist(), levels


def test_all_solvers_agree_and_one_person_alone_is_the_same_game():
    scenario = Scenario.parse(SECTIONS)
    answers = [solve(scenario, RECORDED, POPULATION, solver=name).measures for name in ("exact", "backward-induction")]
    assert answers[0] == answers[1]
    study = study_of()
    alone = study.alone(values={"birth": "1970-7", "sex": "M"}).instance
    assert [20] == alone.people(alone.all_profiles, np.zeros(1, np.int64)).tolist()


def test_a_missing_value_is_not_spread():
    population = pa.table({"birth": [1970.0, None, 1980.0], "sex": ["F"] * 3, "people": [24, 5, 0]})  # years as numbers
    records = pa.table({"birth": ["1970-1", None], "sex": ["F", "F"]})
    study = Study.prepare(Scenario.parse(SECTIONS | {"records": {"missing": "suppress"}}), records, population)
    instance = study.instance
    assert [0, 24, 12] == study.population.cells.codes[:, 0].tolist()
    nodes = instance.lattice.nodes(instance.base)
    assert [math.floor(mean_alike(24, 12)), 29] == instance.people(instance.all_profiles, nodes).tolist()


# --- distinct people --------------------------------------------------------------------------------------------------


def test_the_paper_s_estimate_for_a_population_by_year_of_birth():
    found = exposure(study_of(), "raw")
    assert 271 == found.released
    for at_most in (1, 5, 20):
        expected = distinct_people([1, 240, 30], 12, at_most).sum()
        assert pytest.approx(expected) == found.distinct(at_most)
    assert pytest.approx(total_risk([1, 240, 30], 12).sum()) == found.total_risk
    assert 3.0 == exposure(study_of(policy={"years": {"levels": {"birth": 1}}}), "years").total_risk


def test_records_are_measured_by_the_same_estimate():
    found = exposure(study_of(), "raw", whose="records")
    of_one = [float(distinct_people(people, 12, 5)) / people for people in (1, 240, 30, 30)]
    assert pytest.approx(sum(of_one)) == found.distinct(5)
    assert pytest.approx(sum(float(total_risk(n, 12)) / n for n in (1, 240, 30, 30))) == found.total_risk


def test_months_drawn_at_random_and_a_list_with_gaps_agree_with_the_estimate():
    study = study_of(attacker={"voter": {"knows": ["birth"], "covers": 0.4}})
    expected = exposure(study, "raw", "voter")
    random = np.random.default_rng(12)
    trials, right, distinct = 4000, [], []
    for _ in range(trials):
        months = np.concatenate([random.integers(12, size=241), 12 + random.integers(12, size=30)])
        listed = random.random(len(months)) < 0.4
        alike, known = np.bincount(months, minlength=24), np.bincount(months[listed], minlength=24)
        right.append((known > 0).sum())  # one right guess in each group with people on the list, on average
        distinct.append((listed & (alike[months] <= 3)).sum())
    for drawn, value in ((right, expected.total_risk), (distinct, expected.distinct(3))):
        assert abs(np.mean(drawn) - value) <= 4 * np.std(drawn) / math.sqrt(trials)


def test_a_policy_that_separates_people_known_only_together_is_refused_except_for_records():
    rule = {"when": {"birth": ["1970-1"]}, "levels": {"sex": 1}}
    study = study_of(policy={"own": {"rules": [rule]}})
    said = message(InvalidScenarioError, exposure, study, "own")
    assert said == (
        "policy `own` distinguishes values of `birth` that the population has only together, at level 1; "
        'measure the records instead (whose="records")'
    )
    assert 4 == exposure(study, "own", whose="records").released


def test_safe_harbor_on_open_age_groups_is_refused_where_it_splits_one():
    ages = Hierarchy.intervals(80, 99, [20], name="ages", role="age")
    study = Study.prepare(of_ages(ages), pa.table({"age": [85]}), pa.table({"age": ["[80-99]"], "people": [40]}))
    with pytest.raises(InvalidScenarioError, match=r"policy `safe-harbor` distinguishes values of `age`"):
        exposure(study, "safe-harbor")


def test_single_years_next_to_an_open_group_are_counted_and_only_the_open_group_is_estimated():
    rows = [[str(age), str(age) if age < 90 else "90+", "*"] for age in range(88, 100)]
    ages = Hierarchy.from_rows(rows, name="ages", role="age", integer=True)
    population = pa.table({"age": ["88", "89", "90+"], "people": [3, 2, 25]})
    study = Study.prepare(of_ages(ages), pa.table({"age": [88, 89, 97]}), population)
    instance = study.instance
    expected = [3, 2, math.floor(mean_alike(25, 10))]
    assert expected == instance.people(instance.all_profiles, np.zeros(3, np.int64)).tolist()
    raw, safe = exposure(study, "raw"), exposure(study, "safe-harbor")
    assert pytest.approx(2 + float(total_risk(25, 10))) == raw.total_risk
    assert pytest.approx(2 + float(distinct_people(25, 10, 2))) == raw.distinct(2)
    assert [3.0, 2.0] == [safe.total_risk, safe.distinct(2)]


def test_groups_finer_than_the_population_are_not_made_up():
    found = exposure(study_of(), "raw")
    assert ["1970", "1980"] == list(found.by("birth")[1])
    said = message(InvalidScenarioError, found.by, "birth", 0)
    assert said == "the population has `birth` at level 1 only; its groups at level 0 are not known"


# --- what is said -----------------------------------------------------------------------------------------------------


def test_a_measure_of_it_is_called_an_estimate(tmp_path):
    people = re.sub("\n(.)[01],", r"\n[\g<1>0-\g<1>1],", PEOPLE)
    leveled = SCENARIO.replace('count = "count"', 'count = "count"\nlevels = { age = 1 }')
    scenario = small_world(tmp_path, scenario=leveled, people=people)
    words = ("risk", "distinct", scenario, "--policy", "raw")
    assert "Estimated: the population has age at level 1 only; people are taken" in gamedeid_says(*words).out
    assert {"age": 1} == json.loads(gamedeid_says(*words, "--json").out)["population_levels"]
    assert {"age": 1} == read_facts(Study.prepare(Scenario.read(scenario)))["population_levels"]


@pytest.mark.parametrize(
    ("attributes", "levels", "fault"),
    [
        (
            {},
            {"births": 1},
            "scenario: population.levels names `births`, which is no attribute; did you mean `birth`?",
        ),
        ({}, {"birth": 3}, "population.levels: `births` has no level 3; its levels are 0 to 2"),
        (
            {"zip": {"hierarchy": "us_zip"}},
            {"zip": 2},
            f"population.levels: `zip` takes its values from the data, which have none at level 2; {TRY}",
        ),
    ],
)
def test_meaningless_levels_are_refused(attributes, levels, fault):
    people, records = POPULATION, RECORDED
    if attributes:
        people = people.append_column("zip", pa.array(["372**"] * 3))
        records = records.append_column("zip", pa.array(["37201"] * 4))
    sections = {"attributes": SECTIONS["attributes"] | attributes, "population": {"count": "people", "levels": levels}}

    assert fault == message(
        InvalidScenarioError, lambda: Study.prepare(Scenario.parse(SECTIONS | sections), records, people)
    )


def test_labels_of_another_level_are_refused():
    population = pa.table({"birth": ["1970", "1970-1"], "sex": ["F", "F"], "people": [1, 2]})
    said = message(InvalidDataError, Study.prepare, Scenario.parse(SECTIONS), RECORDED, population)
    assert said == (
        "population: column `birth` has 1 value that the hierarchy `births` does not know at level 1, "
        "in 1 row (first in row 2); it knows 1970, 1980; add them to the hierarchy, as values or as `spellings` "
        'of its values, or name a group there: unlisted = "Other"'
    )


def test_small_zip_areas_cannot_be_added_up_from_parts_of_codes():
    zips = Hierarchy.prefixes(["03481", "03482"], length=5, name="zips", role="zip")
    scenario = question(
        {
            "attributes.zip": {"hierarchy": zips},
            "population": {"levels": {"zip": 1}},
            "policy.safe-harbor.zip_populations": "population",
        }
    )
    people = pa.table({"age": [40], "sex": ["Male"], "zip": ["0348*"]})
    records = pa.table({"age": [40], "sex": ["Male"], "zip": ["03481"]})
    study = message(InvalidScenarioError, lambda: Study.prepare(scenario, records, people).scenario_policy)
    assert study == (
        'policy.safe-harbor: zip_populations = "population" needs whole ZIP codes, and population.levels has `zip` '
        "at a level only"
    )
