"""Rows of the population before and after: their choice, their release, and that no record influences them."""

import pandas as pd
import pytest
from kinds_of_hierarchy import write_kinds
from small_world import ALONE, RECORDS, SAMPLED, SCENARIO, small_world

import gamedeid
from gamedeid.analysis.examples import example_rows
from gamedeid.generalization.shipped import shipped_files

QUICKSTART = shipped_files("scenarios")["quickstart"]
NAMES = ["age", "sex", "race", "zip"]
CLUB = SCENARIO + '[recipients.club.population]\npath = "people.csv"\ncount = "count"\n'
WITHOUT = {
    "own": (ALONE, "basic", "the records are their own population, and a row of it would be a record."),
    "sampled": (SAMPLED, "basic", "no row of the population is known in full detail."),
    "planned": (SCENARIO, "aware-no-attack", "this game plans the strategies of all people together."),
    "limits": (SCENARIO + "[limits]\nattacked = 0.5\n", "basic", "more than its attributes and the population."),
    "a list": (CLUB, "basic", "more than its attributes and the population."),
}


def test_the_rows_are_evenly_spaced_among_the_distinct_rows_of_the_population(study):
    solution = gamedeid.solve(study, game="no-attack")
    leaves = {name: one.leaves for name, one in solution.study.instance.hierarchies.items()}
    people = pd.read_csv(QUICKSTART.parent / "quickstart" / "population.csv", dtype=str)
    codes = people[NAMES].apply(
        lambda column: column.map({leaf: code for code, leaf in enumerate(leaves[column.name])})
    )
    rows = sorted(set(codes.itertuples(index=False, name=None)))
    chosen = [rows[round(place * (len(rows) - 1) / 9)] for place in range(10)]
    hidden = {"zip": "#####"}  # the hierarchy's domain is the values in the data

    assert [{name: leaves[name][code] for name, code in zip(NAMES, row, strict=True)} | hidden for row in chosen] == [
        dict(row.before) for row in example_rows(solution)
    ]


def test_each_row_is_released_like_a_record_with_its_values(tmp_path):
    found = example_rows(gamedeid.solve(small_world(tmp_path), game="no-attack"))

    assert {  # by hand, as in tests/kit/small_world.py
        ("40", "Male"): ("[40-41]", "Male", 6),
        ("41", "Male"): ("41", "Male", 5),
        ("50", "Female"): ("50", "*", 12),
        ("51", "Female"): ("[50-51]", "*", 14),
        ("50", "Male"): ("50", "Male", 10),
    } == {tuple(row.before.values()): (*row.released.values(), row.people) for row in found}
    assert not any(row.withheld for row in found)


def test_values_that_are_published_in_another_form_than_the_data_have_are_released_too(tmp_path):
    asked = gamedeid.Scenario.read(write_kinds(tmp_path), {"population.path": "records.csv"})
    found = example_rows(gamedeid.solve(asked, game="basic"))

    assert [("94", "##.#"), ("66", "##"), ("66", "##"), ("25", "##")] == [
        (row.before["visit"], row.before["bmi"]) for row in found
    ]
    assert [1, 2, 2, 1] == [row.people for row in found]  # the two people of 66 are released alike


def test_other_records_do_not_change_the_rows_or_their_releases(tmp_path):
    one = "".join(RECORDS.splitlines(keepends=True)[:2])
    shown = [
        [row.as_dict() for row in example_rows(gamedeid.solve(small_world(tmp_path, records=records)))]
        for records in (RECORDS, one)
    ]

    assert shown[0] == shown[1]
    assert 5 == len(shown[0])


@pytest.mark.parametrize("name", WITHOUT)
def test_no_rows_are_shown_if_they_are_not_people_or_depend_on_more_and_a_sentence_says_why(tmp_path, name):
    scenario, game, why = WITHOUT[name]
    found = example_rows(gamedeid.solve(small_world(tmp_path, scenario=scenario), game=game))

    assert isinstance(found, str)
    assert found.endswith(why)
