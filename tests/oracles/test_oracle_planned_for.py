"""Who has a record: a plan for the population discloses nothing, the release of a plan for the records does."""

from dataclasses import replace

import pytest
from depth import tries
from oracle_planned_for import PLANS, random_village, rows_named, village

AGES = {"age": [["40", "old", "*"], ["80", "old", "*"], ["2", "child", "*"], ["3", "child", "*"]]}
VILLAGE = [{"age": "80"}, *[{"age": "40"}] * 5]


def test_a_man_of_80_is_named_because_those_of_40_would_have_been_released_as_40() -> None:
    asked = village(AGES, VILLAGE)
    planned = replace(asked, planned_for="records")
    found = list(rows_named(planned, VILLAGE, 1))
    assert [1.0] == [one.chance for one in found if one.people == 6]
    assert [0.2] * 5 == [one.chance for one in found if one.people == 5]
    # Planned for the population he is withheld: five men as old are worth less than as 40.
    assert [0.2] * 5 == [one.chance for one in rows_named(asked, VILLAGE, 1)]


def test_planned_for_the_population_no_row_is_worth_an_attack() -> None:
    released = 0
    for seed in range(tries(40, 400)):
        for one in rows_named(*random_village(seed)):
            assert 1 / one.people == pytest.approx(one.chance)
            assert not one.worth_attacking
            released += 1
    assert released


@pytest.mark.parametrize("plan", [plan for plan in PLANS if plan != "the population"])
def test_a_plan_that_uses_who_has_a_record_makes_rows_worth_an_attack(plan: str) -> None:
    found = []
    for seed in range(40):
        asked, everybody, records = random_village(seed)
        found += rows_named(replace(asked, **PLANS[plan]), everybody, records)
    assert any(one.worth_attacking for one in found)
