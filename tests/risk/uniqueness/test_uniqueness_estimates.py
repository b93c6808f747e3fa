"""Uniqueness with a known population, classes by size, and the rule that chooses between estimators."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gamedeid.choices import ESTIMATORS
from gamedeid.errors import InvalidDataError
from gamedeid.risk.uniqueness.classes import MOST_PEOPLE, ClassSizes, measure_uniqueness
from gamedeid.risk.uniqueness.estimates import choose_estimator, estimate_uniqueness

# dankar2012, Figure 1: the 39 voters by sex and year of birth, and the 14 of them in the data. Voter 24 is printed as
# born in 1966; the totals that the paper gives (2 of 9, 2 of 14, 6 of 39) hold only if she was born in 1964.
_BORN = {
    1: "M1959 M1962 F1955 M1959 F1942 F1975 F1966 F1987 M1975 M1978 F1964 M1959 F1975 M1967",
    15: "M1961 M1974 F1955 F1942 F1975 M1975 F1965 M1967 M1967 F1964 F1977 M1975 M1978 F1987",
    29: "F1956 F1956 F1986 M1978 F1965 M1967 M1971 F1964 F1977 M1968 M1961",
}
VOTERS = [person for line in _BORN.values() for person in line.split()]
DISCLOSED = VOTERS[:14]


def test_the_figure_has_two_people_unique_in_both_of_nine_of_fourteen_and_six_of_thirty_nine():
    found = measure_uniqueness(DISCLOSED, VOTERS)
    assert (14, 39) == (found.sample, found.population)
    assert (9, 2, 6) == (found.sample_unique, found.both_unique, found.population_unique)
    assert 0.64 == round(found.sample_unique / found.sample, 2)
    assert (2 / 9, 2 / 14, 6 / 39) == (found.lambda_1, found.lambda_2, found.lambda_3)


def test_with_the_year_as_printed_the_figure_has_other_totals():
    printed = [*VOTERS[:23], "F1966", *VOTERS[24:]]
    found = measure_uniqueness(DISCLOSED, printed)
    assert (9, 1, 5) == (found.sample_unique, found.both_unique, found.population_unique)


def test_two_unique_records_of_a_thousand_are_all_of_the_unique_and_few_of_the_data():
    sample = ["a", "b", *(["c"] * 998)]
    found = measure_uniqueness(sample, [*sample, *(["d"] * 500)])
    assert (1.0, 0.002) == (found.lambda_1, found.lambda_2)


@pytest.mark.parametrize(
    ("sample", "population", "words"),
    [([], ["a"], "there are no people"), (["b"], ["a"], "does not"), (["a", "a"], ["a"], "does not")],
)
def test_a_sample_that_is_no_part_of_its_population_is_refused(sample, population, words):
    with pytest.raises(InvalidDataError, match=words):
        measure_uniqueness(sample, population)


@given(st.lists(st.integers(0, 6), min_size=1, max_size=30), st.data())
def test_measured_shares_are_what_counting_by_hand_gives(population, data):
    size = data.draw(st.integers(1, len(population)))
    sample = population[:size]
    found = measure_uniqueness(sample, population)
    alone = [one for one in sample if sample.count(one) == 1]
    both = [one for one in alone if population.count(one) == 1]
    assert len(both) / size == found.lambda_2
    assert (len(both) / len(alone) if alone else None) == found.lambda_1
    assert sum(population.count(one) == 1 for one in population) / len(population) == found.lambda_3


# --- classes by size --------------------------------------------------------------------------------------------------


def test_classes_are_read_in_any_order_and_written_by_rising_size():
    classes = ClassSizes.parse(" 3:1, 1:281 ,2:7")
    assert "1:281,2:7,3:1" == classes.as_text()
    assert (298, 289) == (classes.people, classes.count)
    assert [281, 7, 1, 0] == [classes.of_size(size) for size in range(1, 5)]
    assert [1] * 281 + [2] * 7 + [3] == classes.each().tolist()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        *((text, "no SIZE:CLASSES") for text in ("", "1:2,", "1", "1:-2", "1:2.5", "a:b")),
        ("0:3", "at least 1"),
        ("2:0", "at least 1"),
        ("1:2,1:3", "size 1 is given twice"),
        (f"{MOST_PEOPLE}:2", "more than"),
    ],
)
def test_classes_that_make_no_sense_are_refused(text, words):
    with pytest.raises(InvalidDataError, match=words):
        ClassSizes.parse(text)


def test_empty_classes_do_not_count_and_negative_ones_are_refused():
    assert "1:1,2:2" == ClassSizes.of(np.array([2, 0, 1, 2])).as_text()
    with pytest.raises(InvalidDataError, match="there are no people"):
        ClassSizes.of(np.array([0]))
    with pytest.raises(InvalidDataError, match="not -1"):
        ClassSizes.of(np.array([1, -1]))


# --- the decision rule ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fraction", "snb", "zayatz", "used"),
    [
        (0.01, 0.2, 0.3, "pitman"),
        (0.1, 0.2, 0.3, "pitman"),
        (0.1001, 0.2, 0.3, "snb"),
        (0.5, 0.3, 0.2, "zayatz"),
        (0.5, 0.2, 0.2, "snb"),
        (0.5, "no solution", 0.2, "zayatz"),
    ],
)
def test_the_rule_takes_pitman_for_small_samples_and_else_the_lower_of_the_others(fraction, snb, zayatz, used):
    assert used == choose_estimator({"snb": snb, "zayatz": zayatz, "pitman": 0.25, "mu_argus": 0.1}, fraction)


def test_an_estimate_without_a_solution_is_none_with_a_reason_and_the_others_stand():
    said = estimate_uniqueness(ClassSizes.parse("1:30,3:2"), 100)
    assert None is said.estimates["snb"]
    assert {"snb"} == set(said.reasons)
    assert "zayatz" == said.e1_uses
    content = said.as_dict()
    assert ["schema", "sample_size", "sampling_fraction", "estimates", "e1_uses", "reasons"] == list(content)
    assert list(ESTIMATORS) == list(content["estimates"])
    assert (36, 0.36) == (content["sample_size"], content["sampling_fraction"])
    assert "reasons" not in estimate_uniqueness(ClassSizes.parse("1:281,2:7,3:1"), 10_000).as_dict()


@given(
    st.dictionaries(st.integers(1, 12), st.integers(1, 60), min_size=1, max_size=6),
    st.one_of(st.integers(0, 500), st.integers(10**5, 330_000_000)),
)
@example({1: 5}, 6)
def test_every_estimate_is_a_share_or_has_a_reason_and_the_rule_takes_one_of_them(sizes, others):
    sample = ClassSizes.counted(sizes.items())
    said = estimate_uniqueness(sample, sample.people + others)
    for name, share in said.estimates.items():
        assert (share is None) == (name in said.reasons)
        assert share is None or 0 <= share <= 1
    assert said.estimates["e1"] == said.estimates[said.e1_uses]
    if said.estimates["snb"] is not None and said.sampling_fraction > 0.1:
        assert min(said.estimates["snb"], said.estimates["zayatz"]) == said.estimates["e1"]
