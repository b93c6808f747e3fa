"""Axes of a grid: parsed from words, and refused if invalid."""

from itertools import pairwise

import pytest
from questions import message

from gamedeid.errors import InvalidScenarioError
from gamedeid.scenario.grid import Axis, grid_axes, values_around
from gamedeid.scenario.recipients import Recipient


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("loss=0:2000:500", (0, 500, 1000, 1500, 2000)),
        ("loss=0:1:0.1", (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1)),
        ("loss=0:9:5", (0, 5)),
        ("cost=4:4:1", (4,)),
        ("cost=1:1000:log4", (1, 10, 100, 1000)),
        ("cost=7:9:log1", (7,)),
        ("gain=300,0,300", (300, 0, 300)),
    ],
)
def test_an_axis_is_read_from_words(text, values):
    axis = Axis.parse(text)

    assert values == pytest.approx(axis.values, abs=1e-12)
    assert text.partition("=")[0] == axis.name


NO_AXES = ("loss", "loss=", "loss=1:2", "loss=1:2:3:4", "loss=one,two", "loss=1:2:logx", "loss=0:inf:1")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("los=1,2", "there is no stake `los`; did you mean `loss`?"),
        ("x=1", "there is no stake `x`; known: benefit, loss, cost, gain"),
        *((text, "expected NAME=START:STOP:STEP") for text in NO_AXES),
        ("loss=2:1:1", "the range is empty"),
        ("loss=1:2:0", "the step must be above 0, not `0`"),
        ("loss=1:2:-1", "the step must be above 0, not `-1`"),
        ("loss=0:100000000:1", "100,000,001 points are too many (at most 10,000,000)"),
        *(
            (f"loss={one}", "logarithmic steps run from a number above 0")
            for one in ("0:10:log3", "10:1:log3", "1:10:log0")
        ),
        ("benefit=0,1", "expected a number above 0, not `0`"),
        ("cost=-1,1", "expected a number above 0, not `-1`"),
        ("gain=-1", "expected a number of 0 or more, not `-1`"),
        ("loss=1e19", "expected a number of dollars from 1e-12 to 1e+18, not `1e+19`"),
        ("cost=1e-13,1", "expected a number of dollars from 1e-12 to 1e+18, not `1e-13`"),
        ("loss=nan", "expected a number of 0 or more, not `nan`"),
    ],
)
def test_a_meaningless_axis_is_refused(text, says):
    assert says in message(InvalidScenarioError, Axis.parse, text)


def test_an_axis_without_values_is_refused():
    with pytest.raises(InvalidScenarioError, match="the range is empty"):
        Axis(name="loss", values=())


RECIPIENTS = {"thief": Recipient(cost=0), "insurer": Recipient(probability=0)}


@pytest.mark.parametrize(
    ("axes", "recipients", "says"),
    [
        ([], None, "nothing is varied"),
        (["loss=1", "loss=2"], None, "loss is varied twice"),
        (["loss=0:9999:1", "benefit=1:10000:1"], None, "100,000,000 points are too many (at most 10,000,000)"),
        (["recipients.thief.cost=1"], None, "only a sweep of all records varies the stakes of a recipient"),
        (["recipients.thief.cost=1"], {}, "the scenario has no [recipients]"),
        (["recipients.theif.cost=0"], RECIPIENTS, "theif.cost: there is no recipient `theif`; did you mean `thief`?"),
        (["recipients.thief.prob=0"], RECIPIENTS, "vary recipients.thief.prob: `prob` of a recipient cannot be varied"),
        (["recipients.thief.prbability=0"], RECIPIENTS, "cannot be varied; did you mean `probability`?"),
        (["recipients.cost=0"], RECIPIENTS, "vary `recipients.cost`: expected recipients.NAME.KEY, where KEY is gain"),
        (["recipients.thief.covers=0"], RECIPIENTS, "expected a number above 0, up to 1, not `0`"),
        (["recipients.thief.probability=1,1.5"], RECIPIENTS, "expected a number from 0 to 1, not `1.5`"),
        (["recipients.thief.gain=-1"], RECIPIENTS, "vary recipients.thief.gain: expected a number of 0 or more, not"),
        (["recipients.thief.probability=0,1"], RECIPIENTS, "at 0 no recipient is ever active"),
    ],
)
def test_a_meaningless_grid_is_refused(axes, recipients, says):
    assert says in message(InvalidScenarioError, grid_axes, axes, recipients)


@pytest.mark.parametrize(("chosen", "points"), [(300.0, 41), (4.0, 31), (1234.5678901, 5), (0.1, 1)])
def test_values_around_the_chosen_one_have_it_in_the_middle_exactly(chosen, points):
    values = values_around("loss", chosen, points, 20).values

    assert points == len(values)
    assert chosen == values[points // 2]
    assert sorted(values) == list(values)
    if points > 1:
        assert (chosen / 20, chosen * 20) == pytest.approx((values[0], values[-1]), rel=1e-5)
        ratios = [high / low for low, high in pairwise(values)]
        assert ratios == pytest.approx([400 ** (1 / (points - 1))] * (points - 1), rel=1e-4)


def test_multiples_of_zero_and_an_even_number_of_values_are_refused():
    with pytest.raises(InvalidScenarioError, match="no range of values around a gain of 0; say which with vary gain="):
        values_around("gain", 0.0, 5, 20)
    with pytest.raises(ValueError, match="an odd number of points, not of 4"):
        values_around("gain", 1.0, 4, 20)
