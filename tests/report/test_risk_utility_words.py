"""Texts of risks, and the axis and the steps on which they are drawn."""

import pytest

from gamedeid.pictures.risk_utility import _stairs, risk_words
from gamedeid.pictures.scales import Scale, zero_based_scale


@pytest.mark.parametrize(
    ("risk", "value", "words"),
    [
        ("adversary", 48.1, "48.1 expected re-identifications"),
        ("adversary", 0.0, "no expected re-identification"),
        ("adversary", 0.05, "0.05 expected re-identifications"),
        ("adversary", 1e-6, "fewer than 0.0001 expected re-identifications"),
        ("adversary", 0.996, "1.0 expected re-identifications"),
        ("marketer", 73.93, "73.9 expected re-identifications if all are attacked"),
        ("attacked", 0.0256, "2.56% of records attacked"),
        ("attacked", 1e-9, "<0.01% of records attacked"),
    ],
)
def test_a_risk_has_its_unit(risk, value, words):
    assert words == risk_words(risk, value)


def test_no_risk_stands_apart_on_a_logarithmic_axis_and_where_it_belongs_on_a_linear_one():
    apart = zero_based_scale([0.0, 2.0, 900.0], "risk", unit="")
    assert apart.log
    assert apart.zero is not None
    assert apart.limits[0] < apart.zero < 2.0
    assert ["0", "10", "100", "1,000"] == [apart.text(tick) for tick in apart.ticks]
    never = zero_based_scale([2.0, 900.0], "risk", unit="")
    assert never.log
    assert never.zero is None
    for linear in (zero_based_scale([0.0, 2.0, 9.0], "risk", unit=""), zero_based_scale([0.0, 0.0], "risk", unit="")):
        assert not linear.log
        assert 0.0 == linear.limits[0] or linear.only == (0.0,)
    assert "0" == Scale(label="risk").text(0.0)


def test_the_uniform_frontier_stays_at_what_is_reached_until_more_is():
    assert ([1.0, 2.0, 2.0, 5.0, 5.0], [0.1, 0.1, 0.4, 0.4, 0.9]) == _stairs([1.0, 2.0, 5.0], [0.1, 0.4, 0.9])
    assert ([1.0], [0.1]) == _stairs([1.0], [0.1])
