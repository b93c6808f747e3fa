"""The words of the command line that name a stake and the bounds between which it is followed."""

import pytest

from gamedeid.cli.sweep import parse_stake_bounds
from gamedeid.errors import InvalidScenarioError


@pytest.mark.parametrize(
    ("text", "bounded"),
    [
        ("loss", ("loss", 0.0, float("inf"))),
        ("cost=0:5", ("cost", 0.0, 5.0)),
        ("benefit=1e3:inf", ("benefit", 1000.0, float("inf"))),
    ],
)
def test_a_stake_and_its_bounds_are_read_from_words(text, bounded):
    assert bounded == parse_stake_bounds(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("los", "exact: there is no stake `los`; did you mean `loss`?"),
        ("loss=1", "expected NAME or NAME=LOW:HIGH"),
        ("loss=1:2:3", "expected NAME or NAME=LOW:HIGH"),
        ("loss=a:b", "expected NAME or NAME=LOW:HIGH"),
        ("loss=2:1", "the range is empty"),
        ("loss=-1:1", "the range is empty"),
        ("loss=nan:1", "the range is empty"),
        ("loss=1:nan", "the range is empty"),
        ("loss=inf:inf", "the range is empty"),
    ],
)
def test_words_that_mean_no_bounds_are_refused(text, says):
    with pytest.raises(InvalidScenarioError) as caught:
        parse_stake_bounds(text)

    assert says in str(caught.value)
