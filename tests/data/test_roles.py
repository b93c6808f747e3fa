"""Safe Harbor requires the role of attributes that it may limit, and guesses none."""

import pandas as pd
import pytest
from questions import message, question

import gamedeid
from gamedeid import Hierarchy, InvalidScenarioError, Study
from gamedeid.data.roles import likely_kind

ROLES = "the roles are zip, age, date, county, city, state and other"
ZIPS = [f"37{number:03}" for number in range(201, 241)]
ZIP_ROWS = [[code, code[:4] + "*", code[:3] + "**", "*"] for code in ZIPS]
AGE_ROWS = [[str(age), "0-89" if age < 90 else "90 or over", "*"] for age in range(30, 100)]
DAYS = [f"19{year}-0{month}-1{month}" for year in (31, 35, 58, 61) for month in (1, 2, 3)]


def ladder(*values, name="h", **named):
    return Hierarchy.from_rows([[value, "*"] for value in values], name=name, **named)


def prepared(attributes, frame, changes=None):
    return Study.prepare(question({"attributes": attributes, **(changes or {})}), frame)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *((name, "zip") for name in ("zip", "ZIP", "homeZip", "zip_code2", "postcode", "PLZ", "zcta5")),
        *((name, "age") for name in ("age", "Age.at.visit", "ages", "patient-age", "yrs", "Alter")),
        *((name, "date") for name in ("date", "visitDate", "birth_year", "dob", "Geburtsdatum", "born", "month")),
        *((name, "place") for name in ("county", "City", "homeCity", "home state", "address", "tract", "Wohnort")),
    ],
)
def test_a_name_that_looks_like_a_role_is_asked_about(name, kind):
    assert kind == likely_kind(name, ladder("a", "b")).kind
    assert kind == likely_kind("x", ladder("a", "b", name=name)).kind


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["37201", "38103"], "zip"),
        (["37201-1234", "372011234"], "zip"),
        (["372", "381", "036"], "zip"),
        (["1958-03-14", "1961-01-01"], "date"),
        (["14/03/1958", "unknown"], "date"),
        (["1958", "1961"], "date"),
        ([str(age) for age in range(18, 100)], "age"),
        (["18-64", "65-89", "90+"], "age"),
        (["TN", "KY", "unknown"], "place"),
        (["Davidson County", "Shelby County"], "place"),
    ],
)
def test_values_that_look_like_a_role_are_asked_about(values, kind):
    assert kind == likely_kind("x", ladder(*values)).kind


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("sex", ["Male", "Female"]),
        ("race", ["White", "Black", "Other"]),
        ("ethnicity", ["Hispanic", "other"]),
        ("stage", ["I", "II"]),
        ("language", ["Danish", "German"]),
        ("native-country", ["United-States", "England"]),
        ("hours-per-week", ["20", "40", "60"]),
        ("children", ["0", "1", "2"]),
    ],
)
def test_plainly_other_columns_have_no_likely_kind(name, values):
    assert likely_kind(name, ladder(*values)) is None


def test_numbers_of_three_digits_in_an_interval_are_not_zip_prefixes():
    assert likely_kind("height", Hierarchy.intervals(140, 210, [10], name="height")) is None


@pytest.mark.parametrize(
    ("hierarchy", "value", "looks", "write"),
    [
        (Hierarchy.from_rows(ZIP_ROWS, name="places"), ZIPS[0], "its values look like ZIP codes", '"zip"'),
        (Hierarchy.from_rows(AGE_ROWS, name="h"), 35, "its values look like ages", '"age"'),
        (
            ladder("a", "b", name="county"),
            "a",
            "the name of its hierarchy looks like a place",
            '"county", "city" or "state"',
        ),
    ],
    ids=["zip codes", "ages", "places"],
)
def test_custom_hierarchies_of_limited_attributes_are_refused_without_a_role(hierarchy, value, looks, write):
    assert (
        f"attributes.x: {looks}, and Safe Harbor asks for its role: write role = {write} in its section or its "
        f"hierarchy; {ROLES}"
    ) == message(InvalidScenarioError, prepared, {"x": {"hierarchy": hierarchy}}, pd.DataFrame({"x": [value]}))


def test_values_of_an_open_hierarchy_are_looked_at_when_they_are_known(tmp_path):
    (tmp_path / "codes.toml").write_text('kind = "prefix"\nlength = 5\n')
    study = prepared({"x": {"hierarchy": str(tmp_path / "codes.toml")}}, pd.DataFrame({"x": ZIPS}))

    assert "attributes.x: its values look like ZIP codes" in message(
        InvalidScenarioError, lambda: study.scenario_policy
    )


def test_with_roles_no_full_zip_code_and_no_day_of_a_date_is_released():
    size = len(DAYS)
    frame = pd.DataFrame({"place": ZIPS[:size], "years": range(88, 88 + size), "day": DAYS})
    dates = Hierarchy.prefixes(DAYS, length=10, keep=[7, 4], alphabet="0123456789-", name="days", role="date")
    attributes = {
        "place": {"hierarchy": Hierarchy.from_rows(ZIP_ROWS, name="places", role="zip")},
        "years": {"hierarchy": Hierarchy.from_rows(AGE_ROWS, name="years"), "role": "age"},
        "day": {"hierarchy": dates},
    }
    worth = {"payoffs": {"benefit": 1000, "loss": 1, "cost": 10}, "policy.safe-harbor.year": 2026}
    released = gamedeid.solve(prepared(attributes, frame, worth), game="sh-friendly").release(keep_order=True)

    assert {"372**"} == set(released["place"])
    assert {"88", "89", "90 or over"} == set(released["years"])
    assert {"1958******", "1961******", "*"} == set(released["day"])


def test_a_level_that_the_scenario_states_needs_no_role():
    study = prepared(
        {"zip": {"hierarchy": Hierarchy.from_rows(ZIP_ROWS, name="zip"), "safe_harbor": 1}}, pd.DataFrame({"zip": ZIPS})
    )

    assert {"zip": "level 1, as the scenario states"} == study.scenario_policy.in_words


@pytest.mark.parametrize(
    "changes", [{"floor": "limited-data-set"}, {"floor": "mine", "policy.mine.levels": {"zip": 1}}]
)
def test_other_policies_need_no_roles(changes):
    study = prepared(
        {"zip": {"hierarchy": Hierarchy.from_rows(ZIP_ROWS, name="zip")}}, pd.DataFrame({"zip": ZIPS}), changes
    )

    assert "safe-harbor" != study.scenario_policy.name
    assert "its name looks like a ZIP code" in message(InvalidScenarioError, study.policy, "safe-harbor")


def test_the_policy_names_columns_taken_for_other_and_roles_stated_against_appearance():
    frame = pd.DataFrame({"zip": ZIPS, "ward": "a", "region": "b"})
    attributes = {
        "zip": {"hierarchy": Hierarchy.from_rows(ZIP_ROWS, name="zip", role="other")},
        "ward": {"hierarchy": ladder("a", "b")},
        "region": {"hierarchy": ladder("a", "b"), "role": "state"},
    }

    assert {
        "zip": "as it is (role other is stated, though its name looks like a ZIP code)",
        "ward": "as it is, taken for role other since none is stated",
        "region": "as it is",
    } == prepared(attributes, frame).scenario_policy.in_words
