"""Records that are a sample of an unknown population: estimated, cautious, and called an estimate."""

from math import comb

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from questions import message, question
from scipy.special import hyp2f1
from small_world import SCENARIO, small_world

import gamedeid
from gamedeid.errors import InvalidScenarioError
from gamedeid.population.estimates import success_by_class
from gamedeid.study.facts import read_facts

SAMPLED = SCENARIO.replace('path = "people.csv"\ncount = "count"\n', "sampling_fraction = 0.25\n")


@pytest.mark.parametrize("fraction", [0.01, 0.1, 0.25, 0.5, 0.501, 0.51, 0.75, 0.99])
def test_the_chances_are_those_of_the_closed_form(fraction):
    sizes = np.arange(1, 41)
    expected = fraction**sizes / sizes * hyp2f1(sizes, sizes, sizes + 1, 1 - fraction)

    assert success_by_class(fraction, 40)[1:] == pytest.approx(expected, rel=1e-8)


def test_the_chances_are_means_over_the_sizes_that_a_class_may_have():
    fraction, size = 0.3, 3
    sizes = range(size, 400)
    mean = sum(comb(n - 1, size - 1) * fraction**size * (1 - fraction) ** (n - size) / n for n in sizes)

    assert success_by_class(fraction, 5)[size] == pytest.approx(mean, rel=1e-12)


@given(fraction=st.floats(1e-4, 0.9999), largest=st.integers(1, 3000))
def test_the_chance_falls_with_the_size_in_the_sample_and_is_no_more_than_one_over_it(fraction, largest):
    chances = success_by_class(fraction, largest)
    sizes = np.arange(1, largest + 1)

    assert (np.diff(chances[1:]) < 1e-12).all()
    assert (chances[1:] <= 1 / sizes + 1e-12).all()
    assert (chances[1:] >= fraction / sizes - 1e-12).all()  # Jensen: the mean of 1 / F is above 1 / its mean


def test_drawn_samples_have_these_chances():
    draw = np.random.default_rng(5)
    population = draw.integers(0, 4000, 20_000)  # classes of about five
    sizes = np.bincount(population)
    fraction, hits, classes = 0.3, np.zeros(12), np.zeros(12)
    for _ in range(60):
        sample = np.bincount(population[draw.random(len(population)) < fraction], minlength=4000)
        for size in range(1, 5):
            found = sizes[sample == size]
            hits[size] += (1 / found).sum()
            classes[size] += len(found)
    # of sizes that are equally likely a priori these are the means; of this population, of about five a class, they
    # are on the safe side for classes of one, whose chance is overrated, as the estimator knows nothing of the rest
    assert hits[1] / classes[1] < success_by_class(fraction, 4)[1]


def test_the_game_counts_the_estimated_people(tmp_path):
    scenario = small_world(tmp_path, scenario=SAMPLED)
    solution = gamedeid.solve(scenario, game="no-attack")
    chances = success_by_class(0.25, 4)

    study = solution.study
    for size, people in ((1, int(1 / chances[1])), (2, int(1 / chances[2])), (4, int(1 / chances[4]))):
        assert size <= people <= size / 0.25
    assert [int(1 / chances[1])] * 4 == study.instance.people(study.instance.all_profiles, np.zeros(4, int)).tolist()
    top = np.full(4, study.instance.lattice.most_general)
    assert [int(1 / chances[4])] * 4 == study.instance.people(study.instance.all_profiles, top).tolist()
    assert study.people == 16
    data = read_facts(study)
    assert (0.25, 16, False) == (data["sampling_fraction"], data["population"], data["population_is_the_records"])
    one = study.alone(record=2)
    assert study.instance.people(np.array([2]), np.array([3])) == one.instance.people(np.array([0]), np.array([3]))


@pytest.mark.parametrize(
    ("section", "says"),
    [
        ({"sampling_fraction": 0}, "population.sampling_fraction"),
        ({"sampling_fraction": 1}, "population.sampling_fraction"),
        ({"sampling_fraction": "many"}, "population.sampling_fraction"),
        (
            {"sampling_fraction": 0.1, "path": "p.csv"},
            "population.path describes a table, and sampling_fraction replaces",
        ),
        (
            {"sampling_fraction": 0.1, "count": "n"},
            "population.count describes a table, and sampling_fraction replaces",
        ),
    ],
)
def test_a_meaningless_argument_is_refused_in_one_line(section, says):
    assert says in message(InvalidScenarioError, question, {"population": section})


def test_a_population_and_a_sampling_fraction_cannot_be_combined():
    frame = pd.DataFrame({"age": [40], "sex": ["Male"]})
    sample = {"population": {"sampling_fraction": 0.5}}
    assert "hand no population over" in message(InvalidScenarioError, gamedeid.solve, question(sample), frame, frame)
