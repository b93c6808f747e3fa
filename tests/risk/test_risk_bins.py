import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from questions import message
from scipy import stats

from gamedeid.errors import InvalidDataError
from gamedeid.risk.bins import (
    distinct_people,
    distinct_share,
    price_per_reidentification,
    total_risk,
    trust_differential,
)

GROUPS = st.tuples(st.integers(0, 400), st.integers(1, 500))


def expected_bins(people, bins, size):
    """Return how many bins are expected to hold exactly ``size`` people: f_n(i) = b Binomial(n, 1/b).pmf(i)."""
    return bins * stats.binom.pmf(size, people, 1 / bins)


def shared_by(placed: tuple[int, ...]) -> list[int]:
    """Return for each person the number of people in the same bin."""
    return [placed.count(bin_) for bin_ in placed]


# --- against all placements, in fractions -----------------------------------------------------------------------------


@pytest.mark.parametrize(("people", "bins"), [(1, 1), (3, 1), (1, 4), (2, 2), (4, 3), (5, 4), (6, 3), (7, 2)])
def test_every_way_to_place_few_people_in_few_bins_gives_the_same_means(people, bins):
    ways = [shared_by(placed) for placed in product(range(bins), repeat=people)]

    def mean(numbers) -> float:
        return float(Fraction(sum(numbers)) / len(ways))

    for size in range(people + 2):
        empty = bins - mean(sum(Fraction(1, shared) for shared in way) for way in ways)
        holding = mean(Fraction(way.count(size), size) for way in ways) if size else empty
        assert pytest.approx(holding, abs=1e-12) == float(expected_bins(people, bins, size))
    for at_most in range(1, people + 2):
        expected = mean(sum(shared <= at_most for shared in way) for way in ways)
        assert pytest.approx(expected, rel=1e-12) == float(distinct_people(people, bins, at_most))
    risk = mean(sum(Fraction(1, shared) for shared in way) for way in ways)
    assert pytest.approx(risk, rel=1e-12) == float(total_risk(people, bins))


def test_the_formulas_in_fractions_give_the_same_where_the_numbers_are_long():
    people, bins = 200, 365

    def exactly(size: int) -> Fraction:
        return Fraction(math.comb(people, size) * (bins - 1) ** (people - size), bins ** (people - 1))

    for at_most in (1, 2, 3, 5, 10, 200):
        expected = float(sum(size * exactly(size) for size in range(1, at_most + 1)))
        assert pytest.approx(expected, rel=1e-12) == float(distinct_people(people, bins, at_most))
    exact = [float(exactly(size)) for size in range(9)]
    assert pytest.approx(exact, rel=1e-11) == expected_bins(people, bins, range(9))
    risk = float(Fraction(bins**people - (bins - 1) ** people, bins ** (people - 1)))
    assert pytest.approx(risk, rel=1e-13) == float(total_risk(people, bins))


# --- against birthdays drawn at random --------------------------------------------------------------------------------


@pytest.mark.parametrize(("people", "bins"), [(200, 365), (1000, 365), (40, 5)])
def test_birthdays_drawn_at_random_agree_within_the_error_of_sampling(people, bins):
    random = np.random.default_rng(2010)
    trials = 4000
    counts = np.zeros((trials, bins), np.int64)
    np.add.at(counts, (np.arange(trials)[:, None], random.integers(bins, size=(trials, people))), 1)
    drawn = [((counts > 0).sum(axis=1), total_risk(people, bins))]
    drawn += [((counts * (counts <= most)).sum(axis=1), distinct_people(people, bins, most)) for most in (1, 2, 3, 4)]
    for found, expected in drawn:
        assert abs(found.mean() - float(expected)) <= 4 * found.std() / math.sqrt(trials) + 1e-6


def test_a_sample_drawn_from_the_group_has_its_part_of_the_distinct_people_and_of_the_risk():
    random = np.random.default_rng(17)
    people, bins, sampled, trials = 60, 40, 12, 20_000
    birthdays = random.integers(bins, size=(trials, people))
    counts = np.zeros((trials, bins), np.int64)
    np.add.at(counts, (np.arange(trials)[:, None], birthdays), 1)
    shared = counts[np.arange(trials)[:, None], birthdays[:, :sampled]]  # the first people drawn are a random sample
    for found, expected in [
        ((shared <= 2).sum(axis=1), distinct_people(people, bins, 2, sampled)),
        ((1 / shared).sum(axis=1), total_risk(people, bins, sampled)),
    ]:
        assert abs(found.mean() - float(expected)) <= 4 * found.std() / math.sqrt(trials)


# --- limits -----------------------------------------------------------------------------------------------------------


def test_a_million_people_over_the_days_of_a_year_fill_every_day_and_nobody_is_alone():
    assert 365.0 == total_risk(1_000_000, 365)
    assert [0.0, 0.0] == distinct_people(1_000_000, 365, [1, 5]).tolist()
    # half of them share their day with no more than the mean, 2739.7
    assert pytest.approx(0.5, abs=0.01) == float(distinct_share(1_000_000, 365, 2740))
    assert 1_000_000.0 == distinct_people(1_000_000, 365, 1_000_000)


def test_a_country_is_counted_correctly():
    people = 330_000_000
    assert 365.0 == total_risk(people, 365)
    # so many bins that two seldom meet: n - n (n - 1) / 2b + n (n - 1) (n - 2) / 6b^2 bins hold people
    bins = 10**13
    few = people - people * (people - 1) / (2 * bins) + people * (people - 1) * (people - 2) / (6 * bins**2)
    assert pytest.approx(few, rel=1e-13) == float(total_risk(people, bins))
    assert pytest.approx(people * (1 - (people - 1) / bins), abs=0.2) == float(distinct_people(people, bins, 1))
    # 87,600 days: 3767 people to a day, with the spread of a Poisson number
    by_normal = 0.5 * math.erfc(-(4000.5 - people / 87_600) / math.sqrt(2 * people / 87_600))
    assert pytest.approx(by_normal, abs=1e-4) == float(distinct_share(people, 87_600, 4000))


def test_an_empty_group_has_no_distinct_people_and_no_risk():
    assert [0.0, 0.0] == distinct_people(0, [1, 365], 1, 0).tolist()
    assert [0.0, 0.0] == total_risk(0, [1, 365]).tolist()


def test_the_groups_of_a_country_are_answered_at_once_and_each_as_if_alone():
    people = np.random.default_rng(3).integers(0, 5000, size=2000)
    together = distinct_people(people, 365, 5)
    assert (2000,) == together.shape
    assert [float(distinct_people(one, 365, 5)) for one in people[:50].tolist()] == together[:50].tolist()
    assert (3, 2000) == distinct_people(people, 365, np.array([[1], [3], [5]])).shape


# --- laws -------------------------------------------------------------------------------------------------------------


@given(GROUPS)
def test_more_people_are_distinct_the_larger_the_group_allowed_until_all_are(group):
    people, bins = group
    found = distinct_people(people, bins, np.arange(1, people + 2))
    assert (np.diff(found) >= -1e-9).all()
    assert people == found[-1]


@given(GROUPS)
def test_all_bins_hold_all_people_and_occupied_bins_are_the_total_risk(group):
    people, bins = group
    sizes = np.arange(people + 1)
    found = expected_bins(people, bins, sizes)
    assert pytest.approx(bins, rel=1e-9) == found.sum()
    assert pytest.approx(people, rel=1e-9) == (sizes * found).sum()
    assert pytest.approx(found[1:].sum(), rel=1e-9, abs=1e-12) == float(total_risk(people, bins))


@given(GROUPS, st.integers(1, 30))
def test_distinct_people_are_the_people_in_small_bins(group, at_most):
    people, bins = group
    sizes = np.arange(1, at_most + 1)
    in_bins = (sizes * expected_bins(people, bins, sizes)).sum()
    assert pytest.approx(in_bins, rel=1e-9, abs=1e-12) == float(distinct_people(people, bins, at_most))


@given(GROUPS.filter(lambda group: group[0] > 0), st.integers(1, 9), st.data())
def test_a_sample_scales_both_measures(group, at_most, data):
    people, bins = group
    sampled = data.draw(st.integers(0, people))
    for measure in (lambda j: distinct_people(people, bins, at_most, j), lambda j: total_risk(people, bins, j)):
        assert pytest.approx(float(measure(None)) * sampled / people, rel=1e-12) == float(measure(sampled))


@given(GROUPS)
def test_the_total_risk_lies_between_the_unique_people_and_everybody(group):
    people, bins = group
    assert float(distinct_people(people, bins, 1)) <= float(total_risk(people, bins)) + 1e-9
    assert float(total_risk(people, bins)) <= min(people, bins) + 1e-9


# --- the paper --------------------------------------------------------------------------------------------------------


def test_the_papers_two_hundred_people_of_one_age():
    unique, of_five = distinct_people(200, 365, [1, 5])
    assert 116 == round(unique)
    assert pytest.approx(115.86, abs=0.005) == unique
    assert pytest.approx(199.95, abs=0.005) == of_five
    assert pytest.approx(0.99975, abs=0.000005) == float(distinct_share(200, 365, 5))
    assert pytest.approx(2.999, abs=0.0005) == float(distinct_people(200, 365, 5, 3))


def test_equation_2_as_printed_counts_bins_and_gives_another_number():
    as_printed = expected_bins(200, 365, [1, 2, 3, 4, 5]).sum()
    assert pytest.approx(154.13, abs=0.005) == as_printed


@pytest.mark.parametrize(
    ("state", "limited", "safe"),
    [("WI", (72, 174), (2, 6250)), ("WV", (55, 309), (1, 17000)), ("NH", (10, 827), (1, 8267))],
)
def test_the_prices_of_table_2_follow_from_one_list_price_and_two_risks(state, limited, safe):
    # Table 2 prints risk and price, not the list's price; the Safe Harbor row gives it, and the other must follow.
    list_price = safe[0] * safe[1]
    assert safe[1] == price_per_reidentification(list_price, safe[0]), state
    assert limited[1] == round(price_per_reidentification(list_price, limited[0])), state


@pytest.mark.parametrize(
    ("state", "limited", "safe", "printed"),
    [
        ("DE", 37.58, 0.16, 229),
        ("RI", 35.25, 0.13, 275),
        ("AK", 62.51, 0.21, 297),
        ("NY", 25.69, 0.01, 3251),
        ("TX", 36.90, 0.01, 5172),
        ("ND, voter", 12.38, 0.01, 884),
        ("AZ, voter", 24.61, 0.02, 1177),
        ("MO, voter", 36.90, 0.01, 5171),
    ],
)
def test_the_trust_differentials_of_table_1_follow_from_its_shares_as_far_as_they_are_rounded(
    state, limited, safe, printed
):
    least, most = trust_differential(limited, safe + 0.005), trust_differential(limited, safe - 0.005)
    assert least <= printed <= most, state


# --- ratios and prices ------------------------------------------------------------------------------------------------


def test_no_risk_has_no_ratio_and_no_price():
    assert trust_differential(3.0, 0.0) is None
    assert 0.0 == trust_differential(0.0, 2.0)
    assert price_per_reidentification(17000, 0.0) is None


@pytest.mark.parametrize(
    ("question", "fault"),
    [
        (lambda: total_risk([3, 2.5], 365), "people: expected a whole number from 0 to 2^53, not `2.5`"),
        (lambda: total_risk(math.nan, 365), "people: expected a whole number from 0 to 2^53, not `nan`"),
        (lambda: total_risk(10**16, 365), "people: expected a whole number from 0 to 2^53, not `10000000000000000`"),
        (lambda: distinct_people(5, 1, 0), "distinct: expected a whole number from 1 to 2^53, not `0`"),
        (lambda: total_risk([9, 5], 3, [9, 6]), "sampled: 6 people cannot be sampled from 5"),
        (
            lambda: price_per_reidentification(math.inf, 1),
            "list price: expected a number of dollars above 0, not `inf`",
        ),
    ],
)
def test_numbers_that_mean_nothing_are_refused(question, fault):
    assert fault == message(InvalidDataError, question)
