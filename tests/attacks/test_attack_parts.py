"""Draws of worlds, intervals and chances, each compared with a count of all cases."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import chisquare

from gamedeid.attacks.recipients import attack_limit, list_guess_chances
from gamedeid.attacks.result import wilson_interval
from gamedeid.attacks.simulate import surprise_of
from gamedeid.attacks.worlds import draw_persons, group_rows
from gamedeid.scenario.sections import Stakes
from gamedeid.verification.people import People


def people_of(counts: list[int]) -> People:
    values = np.zeros((len(counts), 1), np.int64)
    return People(values=values, counts=np.array(counts), known={}, unmatched="error", floors=values)


def test_the_people_behind_rows_are_distinct_and_each_as_likely():
    people = people_of([2, 0, 5, 9]).living()  # without the row that matches no person
    cell = np.array([1, 1, 1, 0, -1, 2, 2, 1])
    random = np.random.default_rng(3)
    drawn = np.stack([draw_persons(cell, people, random) for _ in range(1000)])

    assert (drawn[:, 4] == -1).all()
    judged = drawn[:, cell >= 0]
    assert all(len(set(row)) == len(row) for row in judged.tolist())
    for column, first, count in ((0, 2, 5), (7, 2, 5), (3, 0, 2), (5, 7, 9)):
        seen = np.bincount(drawn[:, column] - first, minlength=count)
        assert count == len(seen)
        assert chisquare(seen).pvalue > 1e-4


def test_with_more_rows_than_people_each_person_is_used_once_before_any_twice():
    people = people_of([3])
    drawn = draw_persons(np.zeros(5, np.int64), people, np.random.default_rng(1))

    assert [1, 2, 2] == sorted(np.bincount(drawn).tolist())


def test_numbers_of_successes_against_all_outcomes():
    chances, times = np.array([0.5, 0.25, 0.0, 1.0, 0.25]), 2
    numbers = np.zeros(11)
    for outcome in product((0, 1), repeat=10):
        weight = 1.0
        for hit, chance in zip(outcome, np.repeat(chances, times), strict=True):
            weight *= chance if hit else 1 - chance
        numbers[sum(outcome)] += weight
    for successes in range(11):
        below, above = numbers[: successes + 1].sum(), numbers[successes:].sum()
        assert surprise_of(successes, chances, times) == pytest.approx(min(1, 2 * min(below, above)), abs=1e-12)


def test_without_an_attack_a_success_has_probability_0():
    assert (1.0, 0.0) == (surprise_of(0, np.zeros(3), 5), surprise_of(1, np.zeros(3), 5))


def test_wilsons_interval_at_both_ends():
    low, high = wilson_interval(0, 20)
    assert (0.0, pytest.approx(0.1611, abs=1e-4)) == (low, high)
    low, high = wilson_interval(20, 20)
    assert (pytest.approx(0.8389, abs=1e-4), 1.0) == (low, high)


@pytest.mark.parametrize("gain", [3.0, 5.0, 100.0])
def test_a_list_that_lacks_people_against_all_lists(gain):
    stakes, share = Stakes(benefit=100, loss=gain, cost=2), 0.7
    for people in range(1, 7):
        expected = 0.0
        for on_list in product((False, True), repeat=people):
            weight = np.prod([share if one else 1 - share for one in on_list])
            listed = sum(on_list)
            if on_list[0] and gain > 2 * listed:
                expected += weight / listed
        assert list_guess_chances(np.array([people]), share, stakes)[0] == pytest.approx(expected)


def test_the_largest_group_worth_an_attack():
    limits = [attack_limit(Stakes(benefit=1, loss=300, cost=cost), 1000) for cost in (4, 299, 300, 0.001)]
    assert [74, 1, 0, 1000] == limits


def test_groups_of_few_records_are_reported_together():
    levels = np.array([[0, 0]] * 20 + [[1, 0]] * 12 + [[2, 0]] * 5 + [[0, 1]] * 3)
    group, names = group_rows(levels)

    assert [(0, 0), None] == names
    assert [20, 20] == np.bincount(group).tolist()
    assert ([(0, 0)], 20) == (group_rows(levels[:20])[1], len(group_rows(levels[:20])[0]))
