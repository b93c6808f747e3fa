"""Do the estimators do on Adult what an independent program found, and is the decision rule as good as it should be?"""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from case_study import write_adult

from gamedeid.risk.uniqueness.classes import ClassSizes, read_class_sizes
from gamedeid.risk.uniqueness.simulation import FRACTIONS, StudyPlan, study_uniqueness

HERE = Path(__file__).parents[1]
GOLD = json.loads((HERE / "gold" / "uniqueness_adult.json").read_text("utf-8"))
SINGLE = ("zayatz", "pitman", "snb", "mu_argus")
SAMPLES = 24
COLUMNS = (
    "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,capital-gain,"
    "capital-loss,hours-per-week,native-country,income"
)


@pytest.fixture(scope="module")
def adult(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_adult(tmp_path_factory.mktemp("adult"))


def population(adult: Path, width: str) -> ClassSizes:
    return read_class_sizes(adult, GOLD["attributes"], columns=COLUMNS.split(","), widths={"age": int(width)})


@pytest.fixture(scope="module", params=GOLD["widths"])
def studied(request: pytest.FixtureRequest, adult: Path) -> tuple[dict[str, Any], dict[tuple[float, str], Any]]:
    plan = StudyPlan(population=population(adult, request.param), samples=SAMPLES, seed=11)
    rows = study_uniqueness(plan).rows
    return GOLD["widths"][request.param], {(row["fraction"], row["estimator"]): row for row in rows}


def test_the_records_are_those_of_the_gold_numbers(adult: Path) -> None:
    assert GOLD["sha256"] == hashlib.sha256(adult.read_bytes()).hexdigest()


@pytest.mark.parametrize("width", GOLD["widths"])
def test_the_population_has_the_classes_and_the_unique_people_that_were_counted(width: str, adult: Path) -> None:
    found, expected = population(adult, width), GOLD["widths"][width]
    assert expected["people"] == found.people
    assert expected["classes"] == found.count
    assert expected["unique"] == found.of_size(1)


def test_the_medians_are_those_of_the_independent_program_within_sampling_error(studied) -> None:
    gold, rows = studied
    for fraction in FRACTIONS:
        for name, expected in gold["medians"][str(fraction)].items():
            row = rows[fraction, name]
            # the median of 24 has a standard error of about 0.19 interquartile ranges, that of the gold's 200 of 0.07
            error = 0.002 + 0.8 * row["interquartile_range"]
            assert expected == pytest.approx(row["median_relative_bias"], abs=error), (fraction, name)


def test_the_rule_is_never_much_worse_than_the_best_single_estimator(studied) -> None:
    _, rows = studied
    for fraction in FRACTIONS:
        best = min(abs(rows[fraction, name]["median_relative_bias"]) for name in SINGLE)
        assert abs(rows[fraction, "e1"]["median_relative_bias"]) <= best + 0.05, fraction


def test_the_slide_negative_binomial_has_a_solution_in_every_sample(studied) -> None:
    _, rows = studied
    assert {0.0} == {rows[fraction, "snb"]["no_solution"] for fraction in FRACTIONS}


def test_given_the_sample_pitman_stays_near_the_truth_from_thirty_percent_on(studied) -> None:
    _, rows = studied
    assert all(abs(rows[f, "pitman_given"]["median_relative_bias"]) < 0.025 for f in FRACTIONS if f >= 0.3)
