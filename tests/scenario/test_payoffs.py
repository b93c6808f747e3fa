"""The payoffs of publisher and adversary, and the groups that are attacked."""

from fractions import Fraction
from math import inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamedeid.errors import InvalidScenarioError
from gamedeid.game.replies import Replies
from gamedeid.scenario.payoffs import EVERY_GROUP, Adversary, Payoffs, success_probability
from gamedeid.scenario.recipients import Recipient

cents = st.integers(1, 100_000)


@given(gain=st.integers(0, 100_000), cost=cents)
def test_the_largest_group_attacked_is_the_last_that_pays_in_exact_decimals(gain, cost):
    limit = Payoffs(benefit=1, loss=1, gain=gain / 100, cost=cost / 100).attack_limit

    assert limit == 0 or Fraction(gain, 100) > Fraction(cost, 100) * limit
    assert Fraction(gain, 100) <= Fraction(cost, 100) * (limit + 1)


@given(cost=cents, people=st.integers(1, 10_000))
def test_a_gain_of_a_whole_number_of_costs_is_a_tie_and_one_cent_more_is_not(cost, people):
    tie = Payoffs(benefit=1, loss=1, gain=cost * people / 100, cost=cost / 100)
    more = Payoffs(benefit=1, loss=1, gain=(cost * people + 1) / 100, cost=cost / 100)

    assert people - 1 == tie.attack_limit
    assert [True, False] == tie.attacked(np.array([people - 1, people])).tolist() or people == 1
    assert people <= more.attack_limit


@pytest.mark.parametrize(
    ("gain", "cost", "limit"),
    [
        (300, 4, 74),
        (301, 4, 75),
        (29, 0.29, 99),
        (0.3, 0.1, 2),
        (0, 1, 0),
        (1, 1, 0),
        (4, 300, 0),
        (1e18, 1e-12, 2**62),
    ],
)
def test_the_largest_group_attacked(gain, cost, limit):
    assert limit == Payoffs(benefit=1, loss=1, gain=gain, cost=cost).attack_limit


def test_above_the_population_every_group_is_attacked():
    everybody = Payoffs(benefit=1, loss=1, gain=float(EVERY_GROUP), cost=1)

    assert [False, True, True] == everybody.attacked(np.array([0, 1, 2**61])).tolist()


@given(
    value=st.floats(0, 1e6),
    people=st.integers(0, 10**9),
    stakes=st.tuples(cents, st.integers(0, 10_000), cents, st.integers(0, 10_000)),
)
def test_both_payoffs_follow_the_papers_table(value, people, stakes):
    benefit, loss, cost, gain = stakes
    payoffs = Payoffs(benefit=benefit, loss=loss, cost=cost, gain=gain)
    attacked = people > 0 and gain > cost * people

    assert attacked == bool(payoffs.attacked(np.array([people]))[0])
    replies = Replies(adversaries=(Adversary.of(Recipient(), payoffs),), people=(np.array([people]),))
    publisher, adversary = value - replies.expected_loss[0], replies.adversary_payoff[0]
    assert (value - loss / people if attacked else value) == publisher
    assert (gain / people - cost if attacked else 0) == adversary
    assert adversary >= 0


def test_the_adversary_gains_the_publishers_loss_by_default():
    assert 300 == Payoffs(benefit=1200, loss=300, cost=4).adversary_gain
    assert 0 == Payoffs(benefit=1200, loss=300, cost=4, gain=0).adversary_gain


@given(people=st.integers(1, EVERY_GROUP))
def test_an_attack_finds_the_right_one_of_all_who_match(people):
    assert [0.0, 1 / people] == success_probability(np.array([0, people])).tolist()


@given(name=st.sampled_from(("benefit", "loss", "cost", "gain")), amount=st.sampled_from((-1.0, -0.01, nan, inf, -inf)))
def test_an_invalid_amount_is_refused_by_name(name, amount):
    with pytest.raises(InvalidScenarioError, match=rf"payoffs\.{name} must be a finite number of dollars >=? 0, not"):
        Payoffs(**{"benefit": 1.0, "loss": 1.0, "cost": 1.0, "gain": 1.0, name: amount})


@pytest.mark.parametrize("name", ["benefit", "cost"])
def test_neither_a_benefit_nor_a_cost_of_nothing_makes_a_game(name):
    with pytest.raises(InvalidScenarioError, match=rf"payoffs\.{name} must be a finite number of dollars > 0, not 0"):
        Payoffs(**{"benefit": 1.0, "loss": 1.0, "cost": 1.0, name: 0.0})


def test_a_loss_or_gain_of_zero_is_a_game():
    harmless = Payoffs(benefit=1, loss=0, cost=1, gain=5)

    replies = Replies(adversaries=(Adversary.of(Recipient(), harmless),), people=(np.array([2]),))
    assert [0.0] == replies.expected_loss.tolist()
    assert [1.5] == replies.adversary_payoff.tolist()


@given(benefit=cents, loss=st.integers(0, 100), cost=cents)
def test_the_inner_loops_get_the_same_numbers(benefit, loss, cost):
    payoffs = Payoffs(benefit=benefit, loss=loss, cost=cost)

    assert (benefit, loss, payoffs.attack_limit, benefit * 1e-9) == tuple(payoffs.stakes)
