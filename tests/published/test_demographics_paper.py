"""Do we reproduce the numbers of sweeney2000 whose inputs it prints (see tests/gold/README.md)?"""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamedeid.risk.census import LIFETIME
from gamedeid.risk.census.counts import PlaceCounts, age_group
from gamedeid.risk.census.identifiable import IdentifiablePeople, identifiable, predicted_patients, thresholds

GOLD = json.loads((Path(__file__).parents[1] / "gold" / "sweeney2000.json").read_text("utf-8"))
GROUPS = [age_group(name) for name in GOLD["age_groups"]]
DATES = GOLD["thresholds"]["date"]


def one_place(*people: int) -> PlaceCounts:
    return PlaceCounts(places=["here"], states=None, groups=GROUPS, people=np.array([people], np.int64))


@pytest.mark.parametrize("detail", ["date", "month", "year"])
def test_the_thresholds_are_those_of_figures_12_19_and_24(detail):
    assert GOLD["thresholds"][detail] == thresholds(GROUPS, detail).tolist()


def test_a_range_of_two_years_has_half_the_values_of_years():
    assert [limit / 2 for limit in GOLD["thresholds"]["year"]] == thresholds(GROUPS, "two-year").tolist()


def test_uniform_ages_have_the_55480_values_of_section_4():
    zip_01701 = one_place(*[0] * 7, 65_001).of_all_ages(LIFETIME)  # ZIP 01701: only its total is printed

    assert [365 * 76 * 2] == identifiable(zip_01701, "date").thresholds.tolist() == [55_480]
    assert 0 == identifiable(zip_01701, "date").total.identifiable


others = st.lists(st.integers(0, 752), min_size=6, max_size=6).map(sorted)


@given(cuts=others)
def test_13_percent_of_zip_11794_are_identifiable_however_the_others_are_spread(cuts):
    spread = np.diff([0, *cuts, 752]).tolist()
    people = [*spread[:2], 4666, *spread[2:]]
    found = identifiable(one_place(*people), "date")

    assert 5418 == found.total.population
    assert 752 == found.total.identifiable
    assert 13 == int(found.total.share * 100)  # 13.88: the paper cuts, it does not round


@given(over_55=st.integers(11_778, 12_899), share_65=st.floats(0.45, 0.65))
def test_11_percent_of_zip_60623_are_identifiable_if_so_many_are_over_55(over_55, share_65):
    """By Figure 18 the two oldest groups, and no others, are at most as large as their thresholds."""
    old = int(over_55 * share_65)
    left = 112_167 - over_55 - sum(limit + 1 for limit in DATES[:6])
    younger = [limit + 1 for limit in DATES[:6]]
    younger[0] += left
    found = identifiable(one_place(*younger, over_55 - old, old), "date")

    assert 112_167 == found.total.population
    assert over_55 == found.total.identifiable
    assert 11 == round(found.total.share * 100)


def test_no_person_in_the_district_of_columbia_is_identifiable_by_county():
    found = identifiable(one_place(*GOLD["population"]["DC"]), "date")

    assert (606_900, 0) == (found.total.population, found.total.identifiable)


@pytest.mark.parametrize("detail", ["date", "month", "year", "two-year"])
def test_the_one_person_of_crooked_creek_is_identifiable(detail):
    assert 1 == identifiable(one_place(*[0] * 7, 1), detail).total.share


def test_six_of_107_people_of_loving_county_are_identifiable_by_two_years_of_birth():
    """How many the others are is not printed: each group just has more than one for each of its values."""
    found = identifiable(one_place(16, 6, 13, 14, 14, 14, 14, 16), "two-year")

    assert (107, 6) == (found.total.population, found.total.identifiable)
    assert [0, 6, 0, 0, 0, 0, 0, 0] == found.people[0].tolist()
    usa = IdentifiablePeople(population=sum(GOLD["population"]["USA"]), identifiable=6)
    assert "0.00000" == f"{usa.share * 100:.5f}"


@pytest.mark.parametrize("where", ["USA", "IL"])
def test_the_shares_of_experiment_b_are_the_means_of_those_of_its_age_groups(where):
    people, percents = GOLD["population"][where], GOLD["B_percent_by_group"][where]
    unique = sum(count * percent / 100 for count, percent in zip(people, percents, strict=True))
    share = IdentifiablePeople(population=sum(people), identifiable=round(unique)).share

    assert GOLD["B_percent"][where] == round(share * 100, 1)


@pytest.mark.parametrize("experiment", ["C", "D", "F", "J"])
def test_the_shares_of_the_country_follow_from_the_identified_people(experiment):
    printed = GOLD["identified"][experiment]
    people = GOLD["population"]["USA"]
    whole = IdentifiablePeople(population=sum(people), identifiable=sum(printed["people"])).share
    groups = [
        IdentifiablePeople(population=population, identifiable=unique).share
        for population, unique in zip(people, printed["people"], strict=True)
    ]
    half = {3.7: 0.05, 0.04: 0.005, 58.38: 0.005, 18.1: 0.05}[printed["percent"]]

    assert pytest.approx(printed["percent"], abs=half) == whole * 100
    digits = {"C": 0.05, "D": 0.005, "F": 0.05, "J": 0.005}[experiment]
    for percent, share in zip(printed["percent_by_group"], groups, strict=True):
        assert pytest.approx(percent, abs=digits) == share * 100


FLORIDA = 0.004  # percent; printed as 0.00


@pytest.mark.parametrize("figure", ["figure_33", "figure_34"])
def test_the_predicted_patients_follow_from_population_and_percentage(figure):
    printed = GOLD[figure]
    total = 0.0
    for name, state in printed["states"].items():
        percent = state["percent"] or FLORIDA
        predicted = predicted_patients(state["population"], percent / 100)
        total += predicted
        assert state["predicted"] == round(predicted), name

    assert printed["total"] == round(total)


@pytest.mark.parametrize(("figure", "expected"), [("figure_33", 113_126), ("figure_34", 1_971)])
def test_from_the_identified_people_themselves_the_prediction_is_a_little_higher(figure, expected):
    states = GOLD[figure]["states"].values()
    shares = [IdentifiablePeople(population=state["population"], identifiable=state["identified"]) for state in states]

    assert expected == round(sum(predicted_patients(one.population, one.share) for one in shares))


def test_illinois_has_753000_identified_patients_among_a_million_and_fewer_among_those_of_its_population():
    share = GOLD["B_percent"]["IL"] / 100
    population = sum(GOLD["population"]["IL"])

    assert 753_000 == round(predicted_patients(12_000_000, share))
    assert 952_495 == round(predicted_patients(population, 1.0))
    assert 717_229 == round(predicted_patients(population, share))
