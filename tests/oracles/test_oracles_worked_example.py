"""Does the oracle reach the figures that wan2015 prints for one record, (48, Asian, Female, 38363)?"""

from dataclasses import replace
from math import log

import pytest
from oracles import World, algorithm_1, algorithm_2, information_loss, people, policy_outcome, publisher_payoff

AGES = [[str(age), *(f"{age // width * width}+{width}" for width in (5, 15, 30, 60)), "*"] for age in range(121)]
RACES = [
    ["White", "White", "White", "*"],
    ["Black", "Black", "Rest", "*"],
    ["Asian", "Asian", "Rest", "*"],
    ["Indian", "Indian or Other", "Rest", "*"],
    ["Other", "Indian or Other", "Rest", "*"],
]
SEXES = [["Male", "*"], ["Female", "*"]]
# 59 of the 628 ZIP codes of Tennessee begin with 383; which ones they are is not important, 38363 is one of them
ZIPS = [
    [str(code)[:kept] or "*" for kept in (5, 4, 3, 2, 1, 0)] for code in [*range(38305, 38364), *range(37000, 37569)]
]

# The neighbours are ours, so made that the paper's group sizes come out: 7 under Safe Harbor, 96 (1 / 0.0104) in the
# basic game.
RECORD = {"age": "48", "race": "Asian", "sex": "Female", "zip": "38363"}
EXAMPLE = World(
    ladders={"age": AGES, "race": RACES, "sex": SEXES, "zip": ZIPS},
    weights={"age": 1.0, "race": 1.0, "sex": 0.0, "zip": 1.0},
    records=[RECORD],
    population=[
        (RECORD, 1),
        ({**RECORD, "zip": "38305"}, 6),
        ({**RECORD, "race": "White", "sex": "Male"}, 95),
    ],
    benefit=1200.0,
    loss=300.0,
    gain=300.0,
    cost=4.0,
    floors=[{"age": 0, "zip": 2}],
)


def test_the_strategy_space_is_the_papers() -> None:
    assert EXAMPLE.heights == (6, 4, 2, 6)
    assert [len(rows) for rows in EXAMPLE.ladders.values()] == [121, 5, 2, 628]
    assert algorithm_1(EXAMPLE, 0, "basic").searched == 288


def test_backward_induction_releases_the_record_as_the_paper_does() -> None:
    outcome = algorithm_1(EXAMPLE, 0, "basic")

    assert (outcome.strategy, outcome.attacked) == ((0, 3, 1, 0), False)
    assert outcome.publisher_payoff == pytest.approx(1049.68, abs=0.005)
    assert outcome.information_loss == pytest.approx(log(5) / log(121 * 5 * 628))
    assert outcome.success_probability == pytest.approx(0.0104, abs=0.00005)
    assert outcome.generalization_intensity == pytest.approx(0.29, abs=0.005)


def test_safe_harbor_pays_what_the_paper_says() -> None:
    outcome = policy_outcome(EXAMPLE, 0)

    assert (outcome.strategy, outcome.attacked, people(EXAMPLE, 0, (0, 0, 0, 2))) == ((0, 0, 0, 2), True, 7)
    assert outcome.publisher_payoff == pytest.approx(1200 * (1 - log(59) / 12.8478) - 300 / 7, abs=0.005)
    assert outcome.publisher_payoff == pytest.approx(776.30, abs=0.005)
    assert outcome.adversary_payoff == pytest.approx(38.86, abs=0.005)
    assert outcome.generalization_intensity == pytest.approx(0.14, abs=0.005)


def test_gender_must_be_left_out_of_the_information_loss() -> None:
    with_gender = replace(EXAMPLE, weights=dict.fromkeys(EXAMPLE.weights, 1.0))

    assert information_loss(EXAMPLE, 0, (0, 0, 1, 0)) == 0
    assert publisher_payoff(with_gender, 0, (0, 3, 1, 0)) == pytest.approx(
        1200 * (1 - log(5 * 2) / log(121 * 5 * 2 * 628))
    )
    assert publisher_payoff(with_gender, 0, (0, 3, 1, 0)) < 1000  # the paper: 1049.70


def test_lattice_search_is_caught_before_it_gets_there() -> None:
    # (0,0,0,0), (0,0,1,0) and (0,1,1,0) all pay 1200 - 300; every child of the last pays less
    outcome = algorithm_2(EXAMPLE, 0, "basic")

    assert (outcome.strategy, outcome.publisher_payoff) == ((0, 1, 1, 0), 900.0)
    assert outcome.searched == 1 + 4 + 3 + 3
