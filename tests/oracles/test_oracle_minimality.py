"""What a recipient who knows the method infers: by hand, and that methods without kept values disclose nothing."""

from collections.abc import Iterator
from itertools import chain

import pytest
from depth import tries
from oracle_minimality import (
    METHODS,
    RULES,
    Inferred,
    inferences,
    private_world,
    random_private_world,
    tallied,
)

LADDERS = {"a": [["a0", "L", "*"], ["a1", "L", "*"], ["b", "M", "*"], ["c", "N", "*"]]}
THREE = [{"a": "a0"}, {"a": "a1"}, {"a": "a1"}]
TALKATIVE = ("the best that keeps the rule", "by size, failing groups coarsened", "the least size that keeps the rule")
SILENT = tuple(name for name in METHODS if name not in TALKATIVE)


def learned(name: str, rule: dict, table: str) -> list[Inferred]:
    """Return what is inferred of three persons, one a0 and two a1, for one table of their values, h or f."""
    return inferences(private_world(LADDERS, THREE, rule), METHODS[name], "fh")[tuple(table)]


def everybody(name: str, rule: str, seed: int) -> Iterator[Inferred]:
    """Return what is inferred of each person of a random world, for every table of kept values."""
    return chain.from_iterable(inferences(random_private_world(seed, RULES[rule]), METHODS[name], "hf").values())


def test_three_are_coarsened_because_two_are_alike() -> None:
    """The two of a1 stay as they are if they differ (200); so L (3 x 50) shows that both are f, and a0 is h."""
    one, *others = learned("the best that keeps the rule", {"distinct": 2}, "hff")
    assert Inferred(posterior=1, frequency=2 / 3, different=2, named=1, people=3) == one
    assert [1, 1] == [other.posterior for other in others]
    apart, *together = learned("the best that keeps the rule", {"distinct": 2}, "hfh")
    assert (False, 0.5) == (apart.released, apart.posterior)
    assert [0.5, 0.5] == [other.posterior for other in together]


def test_one_is_withheld_because_the_two_who_stay_are_alike() -> None:
    """One group alone is as close to all that is released as can be. All three would be released if all were f."""
    one, *others = learned("the best that keeps the rule", {"t": 0.25}, "hff")
    assert (False, 1) == (one.released, one.posterior)
    assert [1, 1] == [other.posterior for other in others]
    assert 0.5 == learned("the best that keeps the rule", {"t": 0.25}, "hfh")[0].posterior


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", SILENT)
def test_methods_that_group_by_size_disclose_no_more_than_the_groups_show(name: str, rule: str) -> None:
    released = 0
    for seed in range(tries(4, 100)):
        for one in everybody(name, rule, seed):
            if one.released:
                assert one.frequency == pytest.approx(one.posterior, abs=1e-9)
                assert 1 / one.people == pytest.approx(one.named, abs=1e-9)
                released += 1
    assert released


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", TALKATIVE)
def test_methods_that_use_kept_values_disclose_more(name: str, rule: str) -> None:
    tally = tallied(RULES[rule], METHODS[name], 10)
    assert tally.leaking
    assert tally.named


@pytest.mark.parametrize("rule", ["distinct 2", "entropy 1.8", "recursive (2, 2)"])
def test_a_rule_that_treats_values_alike_discloses_nothing_about_withheld_persons(rule: str) -> None:
    withheld = 0
    for seed in range(6):
        for one in everybody("by size, failing groups withheld", rule, seed):
            if not one.released:
                assert 0.5 == pytest.approx(one.posterior)
                withheld += 1
    assert withheld
