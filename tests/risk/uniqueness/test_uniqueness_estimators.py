"""Each estimator compared with a slow and plain one, and with populations of known uniqueness."""

from fractions import Fraction
from math import comb, exp, lgamma

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gamedeid.arrays import IntArray
from gamedeid.risk.uniqueness.classes import ClassSizes
from gamedeid.risk.uniqueness.estimates import (
    estimate_uniqueness,
    mu_argus,
    pitman,
    pitman_given,
    sampled_once_probability,
    slide_negative_binomial,
    zayatz,
)
from gamedeid.risk.uniqueness.pitman import PitmanFit, fit_pitman, pitman_likelihood
from gamedeid.risk.uniqueness.slide_negative_binomial import fit_slide, population_classes

SAMPLES = st.dictionaries(st.integers(1, 9), st.integers(1, 40), min_size=2, max_size=5).map(
    lambda sizes: ClassSizes.counted(sizes.items())
)
WITH_PAIRS = st.tuples(SAMPLES, st.integers(1, 40), st.integers(1, 40)).map(
    lambda parts: ClassSizes.counted(({1: parts[1], 2: parts[2]} | {j: k for j, k in pairs(parts[0]) if j > 2}).items())
)


def pitman_classes(generator: np.random.Generator, *, people: int, theta: float, alpha: float) -> IntArray:
    """Grow classes one person after another, by the Chinese restaurant process.

    The next person opens a class with chance (theta + alpha u) / (theta + n); else joins a class with chance in
    proportion to its size less alpha: that of a random person, who is refused with chance alpha / size of the class.
    """
    sizes = np.zeros(people, np.int64)
    of_person = np.zeros(people, np.int64)
    sizes[0], count = 1, 1
    uniform = generator.random((people, 2)).tolist()
    for person in range(1, people):
        opens, refused = uniform[person]
        if opens * (theta + person) < theta + alpha * count:
            chosen = count
            count += 1
        else:
            chosen = of_person[int(generator.integers(person))]
            while refused < alpha / sizes[chosen]:
                chosen = of_person[int(generator.integers(person))]
                refused = generator.random()
        sizes[chosen] += 1
        of_person[person] = chosen
    return sizes[:count]


def slide_classes(generator: np.random.Generator, *, classes: int, alpha: float, beta: float) -> IntArray:
    """Draw classes of one person and a negative binomial number of others."""
    return 1 + generator.negative_binomial(alpha, beta, classes)


def sample_of(generator: np.random.Generator, population: IntArray, people: int) -> ClassSizes:
    """Draw people without replacement."""
    return ClassSizes.of(generator.multivariate_hypergeometric(population, people, method="marginals"))


def pairs(sample: ClassSizes) -> list[tuple[int, int]]:
    return list(zip(sample.sizes.tolist(), sample.classes.tolist(), strict=True))


# --- Zayatz -----------------------------------------------------------------------------------------------------------


@given(SAMPLES, st.integers(0, 300))
def test_zayatz_is_the_share_worked_out_in_fractions(sample, others):
    n, population = sample.people, sample.people + others
    chances = {j: Fraction(j * comb(population - j, n - 1), comb(population, n)) for j, _ in pairs(sample)}
    ones = sample.of_size(1)
    expected = Fraction(0)
    if ones:
        given_one = ones * chances[1] / sum(count * chances[j] for j, count in pairs(sample))
        expected = ones * given_one / Fraction(n, population) / population
    assert float(expected) == pytest.approx(zayatz(sample, population), rel=1e-9)


def test_the_chance_of_one_in_the_sample_holds_for_a_country_and_for_whole_classes():
    country = 330_000_000
    chances = sampled_once_probability(np.array([1, 2, 10_000, 10**9]), 3_300_000, country)
    assert [0.01, 2 * 0.01 * (1 - 3_299_999 / (country - 1))] == pytest.approx(chances[:2].tolist(), rel=1e-12)
    assert 10_000 * 0.01 * 0.99**9_999 == pytest.approx(chances[2], rel=1e-3)
    assert 0 == chances[3]
    assert [1.0, 0.0] == sampled_once_probability(np.array([1, 2]), 50, 50).tolist()


# --- mu-argus ---------------------------------------------------------------------------------------------------------


def test_mu_argus_counts_the_unique_of_the_sample_over_the_population():
    assert 281 / 1000 == mu_argus(ClassSizes.parse("1:281,2:7"), 1000)


# --- Pitman -----------------------------------------------------------------------------------------------------------


def literal_likelihood(sample: ClassSizes, theta, alpha):
    """Add up the three sums of the definition, term by term, for numbers or for arrays of them."""
    total = sum(np.log(theta + i * alpha) for i in range(1, sample.count))
    total -= sum(np.log(theta + i) for i in range(1, sample.people))
    return total + sum(count * sum(np.log(i - alpha) for i in range(1, size)) for size, count in pairs(sample))


@given(SAMPLES, st.one_of(st.just(0.0), st.floats(1e-100, 0.999)), st.floats(-6, 12))
def test_the_likelihood_is_the_sum_of_its_terms(sample, alpha, logarithm):
    theta = exp(logarithm) - alpha
    expected = literal_likelihood(sample, theta, alpha)
    assert expected == pytest.approx(pitman_likelihood(sample, theta=theta, alpha=alpha), rel=1e-7, abs=1e-7)


@given(SAMPLES)
def test_no_other_parameters_make_a_sample_likelier_than_those_found(sample):
    fit = fit_pitman(sample)
    assert 0 <= fit.alpha < 1
    assert fit.theta > -fit.alpha
    near = np.clip(fit.alpha + np.array([-1e-3, 0, 1e-3]), 0, 0.999)
    alphas = np.concatenate([np.linspace(0, 0.99, 34), near])[:, None]
    above = np.concatenate([np.geomspace(1e-3, 1e6, 60), (fit.theta + fit.alpha) * np.array([0.99, 1, 1.01])])[None, :]
    best = literal_likelihood(sample, fit.theta, fit.alpha)
    assert literal_likelihood(sample, above - alphas, alphas).max() <= best + 1e-7


def test_a_population_without_long_tails_is_ewens_and_theta_is_where_its_slope_is_zero():
    fit = fit_pitman(ClassSizes.parse("4:10,5:10,6:10"))
    assert 0 == fit.alpha
    n = 150
    assert 30 == pytest.approx(sum(fit.theta / (fit.theta + i) for i in range(n)), rel=1e-9)


@pytest.mark.parametrize("estimator", [pitman, pitman_given])
def test_a_unique_sample_has_a_unique_population_and_an_equal_sample_none(estimator):
    assert [1.0, 0.0] == [estimator(ClassSizes.parse(classes), 100) for classes in ("1:5", "5:1")]
    assert "a sample of one person shows nothing about classes" == estimator(ClassSizes.parse("1:1"), 100)


def unique_exactly(fit: PitmanFit, people: int) -> float:
    """Return the share for a population of any size: (theta+alpha)...(theta+alpha+N-2) / (theta+1)...(theta+N-1)."""
    start, steps = fit.theta + fit.alpha, people - 1
    return exp(lgamma(start + steps) - lgamma(start) - lgamma(fit.theta + people) + lgamma(fit.theta + 1))


def test_the_share_of_unique_people_is_that_of_the_process_one_person_after_another():
    theta, alpha, people = 3.5, 0.4, 60
    alone = 1.0
    for others in range(1, people):
        alone *= (theta + alpha + others - 1) / (theta + others)
    fit = PitmanFit(theta=theta, alpha=alpha)
    assert alone == pytest.approx(unique_exactly(fit, people), rel=1e-12)
    usual = exp(lgamma(theta + 1) - lgamma(theta + alpha)) * people**alpha / people
    assert usual == pytest.approx(fit.unique(people), rel=1e-12)


def test_the_share_given_the_sample_is_that_of_growing_it_person_by_person():
    sample, fit, people = ClassSizes.parse("1:12,2:5,4:2"), PitmanFit(theta=6.0, alpha=0.35), 70
    alone, classes = float(sample.of_size(1)), float(sample.count)
    for before in range(sample.people, people):
        opens = (fit.theta + fit.alpha * classes) / (fit.theta + before)
        joins_one_alone = (1 - fit.alpha) / (fit.theta + before) * alone
        alone, classes = alone + opens - joins_one_alone, classes + opens
    assert alone / people == pytest.approx(fit.unique_given(sample, people), rel=1e-12)


@given(SAMPLES)
def test_a_sample_of_the_whole_population_gives_its_own_unique_people(sample):
    assert sample.of_size(1) / sample.people == pytest.approx(pitman_given(sample, sample.people), abs=1e-9)


def test_the_usual_share_is_the_exact_one_in_the_limit_and_above_it_before():
    fit = PitmanFit(theta=500.0, alpha=0.3)
    assert unique_exactly(fit, 10**9) == pytest.approx(fit.unique(10**9), rel=1e-5)
    assert 1.2 < fit.unique(1000) / unique_exactly(fit, 1000) < 1.5
    assert 1 < PitmanFit(theta=500.0, alpha=0.3).unique(100)


def test_a_sample_of_billions_is_answered_as_fast_as_a_small_one():
    billions, millions = (
        estimate_uniqueness(ClassSizes.counted([(1, 1000 * many), (2, 200 * many), (3, 50 * many)]), 10**5 * many)
        for many in (10**6, 10**3)
    )
    assert billions.estimates["pitman"] == pytest.approx(millions.estimates["pitman"], rel=1e-3)


@pytest.mark.parametrize(("theta", "alpha"), [(50.0, 0.6), (400.0, 0.0), (300.0, 0.3)])
def test_a_population_grown_by_the_process_gives_its_parameters_and_its_uniqueness_back(theta, alpha):
    population = pitman_classes(np.random.default_rng(7), people=50_000, theta=theta, alpha=alpha)
    fit = fit_pitman(ClassSizes.of(population))
    assert alpha == pytest.approx(fit.alpha, abs=0.04)
    assert theta == pytest.approx(fit.theta, rel=0.3)
    truth = (population == 1).sum() / 50_000
    shares = []
    for seed in range(20):
        drawn = sample_of(np.random.default_rng(seed), population, 5_000)
        shares.append(pitman(drawn, 50_000))
    assert truth == pytest.approx(np.mean(shares), rel=0.12)


# --- slide negative binomial ------------------------------------------------------------------------------------------


def literal_moments(classes: float, alpha: float, beta: float, fraction: float) -> tuple[float, float]:
    """Add up, over sizes of classes, the chance of the size times the chance of one or two in the sample."""
    ones = twos = 0.0
    chance = beta**alpha
    for others in range(4000):
        size = others + 1
        ones += chance * size * fraction * (1 - fraction) ** (size - 1)
        twos += chance * comb(size, 2) * fraction**2 * (1 - fraction) ** max(size - 2, 0)
        chance *= (others + alpha) / (others + 1) * (1 - beta)
    return classes * ones, classes * twos


@given(WITH_PAIRS, st.floats(0.05, 0.9))
def test_a_solution_explains_how_many_classes_have_one_person_and_two(sample, fraction):
    population = round(sample.people / fraction)
    fit = fit_slide(sample, population)
    assume(not isinstance(fit, str))
    assume(fit.beta > 0.01)  # the plain sum ends at classes of 4000
    one, two = literal_moments(fit.classes, fit.alpha, fit.beta, sample.people / population)
    assert [sample.of_size(1), sample.of_size(2)] == pytest.approx([one, two], rel=1e-6)
    assert fit.classes * fit.beta**fit.alpha / population == pytest.approx(fit.unique(population), rel=1e-9)


@given(WITH_PAIRS, st.floats(0.05, 0.9))
def test_there_is_a_solution_wherever_a_search_over_the_whole_grid_finds_one(sample, fraction):
    population = round(sample.people / fraction)
    fraction = sample.people / population
    classes = population_classes(sample, population)
    beta = np.linspace(1e-5, 1 - 1e-5, 5_000)
    common = (1 - beta) * (1 - fraction)
    kept = 1 - common
    first = sample.of_size(1) * fraction * (1 - beta)
    middle = first * (2 - common) - 2 * sample.of_size(2) * kept * common
    square, last = first * common, -2 * sample.of_size(2) * kept**2
    alpha = (np.sqrt(middle**2 - 4 * square * last) - middle) / (2 * square)
    expected = classes * fraction * (beta / kept) ** alpha * (1 + alpha * common / kept)
    signs = (expected > sample.of_size(1)).tolist()
    fit = fit_slide(sample, population)
    if len(set(signs)) > 1:
        assert not isinstance(fit, str)
    if isinstance(fit, str):
        assert not any(signs)


@given(SAMPLES, st.integers(0, 500))
def test_the_population_has_as_many_classes_as_the_sample_at_least_and_as_people_allow_at_most(sample, others):
    population = sample.people + others
    assert sample.count <= population_classes(sample, population) <= sample.count + others


def test_the_number_of_classes_is_that_of_the_estimator_as_written():
    sample, population = ClassSizes.parse("1:50,2:20,3:5,7:2"), 700
    f = sample.people / population
    first = sum(i * f**2 * (1 - f**2) ** (i - 1) * c for i, c in pairs(sample))
    first /= sum((1 - f) ** i * ((1 + f) ** i - 1) * c for i, c in pairs(sample))
    second = sum((1 - f) ** i * c for i, c in pairs(sample)) / sum(
        i * f * (1 - f) ** (i - 1) * c for i, c in pairs(sample)
    )
    assert sample.count + 50 * first * second**2 == pytest.approx(population_classes(sample, population), rel=1e-12)


@pytest.mark.parametrize(
    ("classes", "people", "words"),
    [("2:9,3:1", 90, "no one is unique"), ("1:9,3:1", 90, "exactly two people"), ("1:10,2:5", 20, "no parameters")],
)
def test_a_missing_solution_has_a_reason(classes, people, words):
    assert words in str(slide_negative_binomial(ClassSizes.parse(classes), people))


def test_a_sample_of_nearly_all_unique_people_has_a_solution_although_beta_is_below_all_numbers():
    fit = fit_slide(ClassSizes.parse("1:1000,2:1"), 10**9)
    assert not isinstance(fit, str)
    assert 0 <= fit.beta < 1e-100
    assert 0.99 < fit.unique(10**9) < 1


@pytest.mark.parametrize(
    ("alpha", "beta", "fraction", "error"),
    [(0.3, 0.3, 0.3, 0.15), (0.3, 0.3, 0.8, 0.02), (1.0, 0.5, 0.3, 0.3), (1.0, 0.5, 0.5, 0.15), (1.0, 0.5, 0.8, 0.05)],
)
def test_a_population_of_the_model_gives_its_uniqueness_back(alpha, beta, fraction, error):
    """In small samples, most of the error is due to the estimated number of classes."""
    population = slide_classes(np.random.default_rng(3), classes=20_000, alpha=alpha, beta=beta)
    people = int(population.sum())
    truth = (population == 1).sum() / people
    assert beta**alpha * 20_000 / people == pytest.approx(truth, rel=0.02)
    shares = [
        slide_negative_binomial(sample_of(np.random.default_rng(seed), population, round(fraction * people)), people)
        for seed in range(20)
    ]
    assert truth == pytest.approx(np.median(shares), rel=error)


@pytest.mark.parametrize("fraction", [0.3, 0.5])
def test_the_models_equations_with_the_true_number_of_classes_give_its_parameters_back(fraction, monkeypatch):
    alpha, beta = 0.8, 0.4
    population = slide_classes(np.random.default_rng(5), classes=50_000, alpha=alpha, beta=beta)
    people = int(population.sum())
    monkeypatch.setattr("gamedeid.risk.uniqueness.slide_negative_binomial.population_classes", lambda *_: 50_000.0)
    fit = fit_slide(sample_of(np.random.default_rng(1), population, round(fraction * people)), people)
    assert not isinstance(fit, str)
    assert [alpha, beta] == pytest.approx([fit.alpha, fit.beta], rel=0.1)
    assert (population == 1).sum() / people == pytest.approx(fit.unique(people), rel=0.05)
