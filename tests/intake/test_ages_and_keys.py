"""Ages with a doubtful unit, years of birth of old people, and columns equivalent to the key of persons."""

import random

import pandas as pd
import pytest
from test_recognition import repeated, taken_for

import gamedeid
from gamedeid.data.column_names import is_about


def drafted(folder, table, **more):
    table.to_csv(folder / "some.csv", index=False)
    draft = gamedeid.draft_scenario(folder / "some.csv", year=2026, **more)
    return {column.name: column for column in draft.columns}


@pytest.mark.parametrize(
    ("name", "values", "kind", "words"),
    [
        ("age", repeated("6.9", "8.1", "10.2"), "age", "could be decades or groups"),
        ("age", repeated("2", "5", "11"), "age", "could be decades or groups"),
        ("age", repeated("400", "812", "655"), "whole number", "could be months or days"),
        ("age", repeated("34", "60", "126"), "whole number", "could be months or days"),
        ("age", repeated("400.5", "812"), "decimal number", "could be months or days"),
        ("age_months", repeated("14", "60", "100"), "whole number", "could be months or days"),
        ("age_in_days", repeated("14", "60"), "whole number", "could be months or days"),
        ("age", repeated("0", "5", "12"), "age", "up to 125"),
        ("age_at_visit", repeated("34", "60"), "age", "up to 125"),
        ("age_group", repeated("1", "2"), "category", "as codes do"),
        ("sample.yr", repeated("1995", "1999", "2003"), "year", "its values are years"),
        ("yrs", repeated("14", "60"), "age", "up to 125"),
    ],
)
def test_an_age_with_an_implausible_unit_is_reported_as_an_age(name, values, kind, words):
    found = taken_for(name, values)

    assert (kind, True) == (found.kind, words in found.because)


def test_an_age_with_a_doubtful_unit_is_asked_about_and_dropped_until_answered(tmp_path):
    table = pd.DataFrame({"age": [6.6, 7.1, 9.9] * 40, "age_months": range(200, 320), "sex": ["m", "f"] * 60})
    columns = drafted(tmp_path, table)

    assert [("drop", True)] * 2 == [(columns[name].part, columns[name].doubtful) for name in ("age", "age_months")]


@pytest.mark.parametrize("first", [1936, 1937])
def test_years_of_birth_of_people_over_89_are_reported(tmp_path, first):
    table = pd.DataFrame({"year_of_birth": [first + row % 59 for row in range(300)], "seen": [1920, 2020] * 150})
    columns = drafted(tmp_path, table)

    assert (2026 - first >= 90) == ("show ages over 89" in columns["year_of_birth"].reason)
    assert "over 89" not in columns["seen"].reason


@pytest.mark.parametrize("seed", range(8))
def test_a_column_equivalent_to_the_key_of_persons_is_an_identifier(tmp_path, seed):
    chance = random.Random(seed)  # noqa: S311  (data of a test)
    persons = [chance.randrange(60) for _ in range(400)]
    other = chance.sample(range(1000, 9000), 60)
    table = pd.DataFrame(
        {
            "patient_id": [f"P{one}" for one in persons],
            "chart": [f"C {other[one]}" for one in persons],
            "number": [other[one] for one in persons],
            "almost": [f"C {other[one if chance.random() > 0.01 else 0]}" for one in persons],
            "pair": [f"D {other[one] // 2}" for one in persons],
            "sex": [chance.choice("mf") for _ in persons],
        }
    )
    columns = drafted(tmp_path, table)

    for name in ("chart", "number", "almost", "pair"):
        persons_of, values_of = table.groupby(name)["patient_id"], table.groupby("patient_id")[name]
        alone = persons_of.nunique().max() == values_of.nunique().max() == 1
        assert alone == (columns[name].kind == "identifier" and "one to one" in columns[name].reason)
    assert ("drop", False) == (columns["chart"].part, columns["chart"].doubtful)
    assert ("drop", True) == (columns["number"].part, columns["number"].doubtful)


def test_measurements_that_differ_in_every_row_are_not_a_key(tmp_path):
    table = pd.DataFrame({"patient_id": [f"P{row}" for row in range(100)], "level": [row * 1.7 for row in range(100)]})

    assert "decimal number" == drafted(tmp_path, table.assign(sex=["m", "f"] * 50))["level"].kind


@pytest.mark.parametrize(
    ("topic", "names", "others"),
    [
        (
            "demographic",
            ["SchoolType", "school", "maried"],
            ["DistFromSchool", "school_distance", "years_since_marriage"],
        ),
        ("facility", [], ["distance_hospital", "minutes_to_hospital"]),
        ("state", ["from_state", "moved_to_state"], []),
        ("measured", ["rx", "days_to_death"], []),
    ],
)
def test_a_word_for_the_start_of_a_count_is_not_the_subject_of_a_name(topic, names, others):
    assert names == [name for name in [*names, *others] if is_about(name, topic)]


def test_a_treatment_is_kept_and_marital_status_is_an_attribute(tmp_path):
    table = pd.DataFrame({"rx": ["Obs", "Lev", "Lev+5FU"] * 40, "maried": ["yes", "no"] * 60})
    columns = drafted(tmp_path, table.assign(DistFromSchool=[row % 7 for row in range(120)]))

    assert ["keep", "attribute", "drop"] == [one.part for one in columns.values()]
    assert columns["DistFromSchool"].doubtful
