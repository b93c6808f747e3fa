"""The oracle of the group games: worlds solved by hand, and one search compared with the other."""

import random
from dataclasses import replace
from itertools import islice

import pytest
from depth import tries
from group_worlds import KINDS, LOW_TO_HIGH, RULES, one_record_world, random_group_world
from oracle_groups import (
    GroupWorld,
    Recipient,
    best_by_groups,
    best_of_all,
    distance,
    every_mechanism,
    faults,
    mean_payoff,
    meets,
    members,
    price_bound,
    profits,
)
from oracles import World


def test_a_record_is_protected_by_people_without_a_record() -> None:
    best, own = best_by_groups(one_record_world(), "records")
    assert 50 == pytest.approx(best)
    assert {("a0",): (1,), ("a1",): (1,)} == own
    # Planned for the population, the eight stay unchanged: 800 beats nine times 50.
    assert 800 / 9 == pytest.approx(best_by_groups(one_record_world(), "population")[0])
    # A recipient who attacks costs 40 of the record's 100.
    assert 60 == pytest.approx(best_by_groups(replace(one_record_world(), game="aware-basic"), "records")[0])


def test_a_group_that_is_too_small_is_a_fault() -> None:
    assert ["(0,), 'a0'): worth attacking among 1 people"] == [
        one.removeprefix("(") for one in faults(one_record_world(), {("a0",): (0,), ("a1",): (0,)})
    ]
    assert [] == faults(one_record_world(), {("a0",): None, ("a1",): (0,)})


@pytest.mark.parametrize(
    ("rule", "group", "met"),
    [
        ({"distinct": 2}, "aab", True),
        ({"distinct": 3}, "aab", False),
        ({"entropy": 2}, "ab", True),  # ln 2 is reached
        ({"entropy": 2}, "aab", False),  # exp(0.6365) = 1.89
        ({"entropy": 1.8}, "aab", True),
        ({"recursive": [2, 2]}, "aab", False),  # 2 < 2 x 1 is false
        ({"recursive": [2.5, 2]}, "aab", True),
        ({"recursive": [2, 3]}, "aabbc", False),  # 2 < 2 x 1 is false
        ({"recursive": [3, 3]}, "aabbc", True),
        ({"recursive": [9, 3]}, "ab", False),  # there is no third value
        ({"t": 0.25}, "aa", False),  # everybody: aabb
        ({"t": 0.5}, "aa", True),
        ({"t": 0.5, "distinct": 2}, "aa", False),
    ],
)
def test_kept_values_meet_or_break_each_rule(rule: dict, group: str, met: bool) -> None:
    assert met == meets(rule, group, "aabb")


def test_distances_by_hand() -> None:
    order = {"distance": "ordered", "order": "abc"}
    assert 0.5 == pytest.approx(distance({}, "aa", "aabc"))
    # cumulated: a 1 - 1/2, b 1 - 3/4, over two steps
    assert 0.375 == pytest.approx(distance(order, "aa", "aabc"))
    # b is not released: one step from a to c
    assert 0.5 == pytest.approx(distance(order, "aa", "aacc"))
    assert 0 == distance(order, "aa", "aa")


@pytest.mark.parametrize("kind", [kind for kind in KINDS if RULES[kind] != [{}]])
def test_two_groups_that_keep_a_rule_keep_it_together(kind: str) -> None:
    kept = 0
    for seed in range(tries(300, 5000)):
        draw = random.Random(seed)  # noqa: S311
        one, two, others = (draw.choices(LOW_TO_HIGH, k=draw.randint(0, 6)) for _ in range(3))
        everybody = [*one, *two, *others]
        for rule in RULES[kind]:
            if one and two and meets(rule, one, everybody) and meets(rule, two, everybody):
                assert meets(rule, one + two, everybody)
                kept += 1
    assert kept


@pytest.mark.parametrize("kind", KINDS)
def test_dividing_into_groups_finds_the_best_of_all_mechanisms(kind: str) -> None:
    for seed in range(tries(4, 60)):
        asked = random_group_world(seed, kind, most=3)
        for of in ("population", "records"):
            best, own = best_by_groups(asked, of)
            assert best == pytest.approx(best_of_all(asked, of), abs=1e-6), seed
            assert [] == faults(asked, own)
            assert best - 1e-6 <= mean_payoff(asked, own, of)


def test_the_worlds_have_what_they_promise() -> None:
    for kind in KINDS:
        worlds = [random_group_world(seed, kind) for seed in range(60)]
        assert {"aware-basic", "aware-no-attack"} == {asked.game for asked in worlds}
        assert {"population", "records"} == {asked.planned_for for asked in worlds}
        assert {True, False} == {asked.world.population is None for asked in worlds}
        assert 6 == max(len(asked.people) for asked in worlds)
        free = [replace(asked, least=1, rules={}, game="aware-basic") for asked in worlds]
        if kind != "none":  # the rules matter
            both = ([best_by_groups(one, "records")[0] for one in pair] for pair in zip(worlds, free, strict=True))
            assert 21 == len([*islice((one for one in both if one[0] < one[1] - 1e-6), 21)])


def ten_people() -> GroupWorld:
    """Return the worked example of the page on groups."""
    ages = {"40": 2, "41": 2, "42": 1, "43": 5}
    return GroupWorld(
        world=World(
            ladders={"age": [[age, "[40-41]" if age < "42" else "[42-43]", "*"] for age in ages]},
            weights={"age": 1.0},
            records=[{"age": age} for age, people in ages.items() for _ in range(people)],
            benefit=100.0,
            loss=120.0,
            gain=120.0,
            cost=30.0,
        ),
        game="aware-basic",
        kept={},
        rules={},
    )


@pytest.mark.parametrize("game", ["aware-basic", "aware-no-attack"])
def test_the_worked_example_of_the_page(game: str) -> None:
    asked = replace(ten_people(), game=game)
    best, own = best_by_groups(asked, "records")
    assert 70 == pytest.approx(best) == best_of_all(asked, "records")
    assert {("40",): (1,), ("41",): (1,), ("42",): None, ("43",): (0,)} == own
    prices = {("40",): 50.0, ("41",): 50.0, ("42",): 0.0, ("43",): 100.0}
    assert 70 == pytest.approx(price_bound(asked, prices, "records"))
    assert 75 == pytest.approx(price_bound(asked, prices | {("42",): 50.0}, "records"))


def test_the_profits_of_the_page() -> None:
    prices = {("40",): 50.0, ("41",): 50.0, ("42",): 0.0, ("43",): 100.0}
    found = {(group[0][0], group[1]): profit for group, profit in profits(ten_people(), prices, "records").items()}
    as_they_are = {(0, "40"): -20, (0, "41"): -20, (0, "42"): -20, (0, "43"): 0}
    expected = as_they_are | {(1, "[40-41]"): 0, (1, "[42-43]"): -70, (2, "*"): -120}
    assert expected == pytest.approx(found)
    # No mechanism that releases 40 unchanged can pay more.
    asked = ten_people()
    with_40 = max(mean_payoff(asked, own, "records") for own in every_mechanism(asked) if own["40",] == (0,))
    assert with_40 == 66 <= (700 - 20) / 10


@pytest.mark.parametrize("kind", KINDS)
def test_no_prices_are_below_the_best_and_a_group_costs_its_profit(kind: str) -> None:
    for seed in range(tries(4, 60)):
        asked = random_group_world(seed, kind, most=3)
        draw = random.Random(seed)  # noqa: S311
        for of in ("population", "records"):
            prices = {person: draw.choice([0.0, 20.0, 50.0, 80.0, 100.0]) for person in asked.people}
            bound, found = price_bound(asked, prices, of), profits(asked, prices, of)
            everybody = sum(asked.weights(of).values())
            for own in every_mechanism(asked):
                if not faults(asked, own):
                    below = sum(min(0.0, found[group]) for group in members(asked, own))
                    assert mean_payoff(asked, own, of) <= bound + below / everybody + 1e-6


def test_each_of_several_recipients_weighs_an_attack() -> None:
    bold, rare = (Recipient(probability=p, gain=40, cost=cost, loss=40) for p, cost in ((1.0, 10.0), (0.5, 4.0)))
    asked = replace(one_record_world(), game="aware-basic", recipients=(bold, rare))
    assert [bold, rare] == asked.attackers(3)
    assert [rare] == asked.attackers(9)
    # As L both are among 9 people, where the rare one finds the record with the chance 1/9, half of the time.
    assert 50 - 20 / 9 == pytest.approx(mean_payoff(asked, {("a0",): (1,), ("a1",): (1,)}, "records"))
    assert 40 == pytest.approx(mean_payoff(asked, {("a0",): (0,), ("a1",): (0,)}, "records"))
    assert [] != faults(replace(asked, game="aware-no-attack"), {("a0",): (1,), ("a1",): (1,)})
