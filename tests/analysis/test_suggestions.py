"""The cheapest change that meets the thresholds, compared with new solutions of all changes and with all releases."""

import io
from collections import Counter
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
from small_world import AGES, PEOPLE, RECORDS

import gamedeid
from gamedeid.analysis.suggestions import limits_from_thresholds, round_value, suggest
from gamedeid.choices import GAMES
from gamedeid.errors import InvalidScenarioError, UnmetLimitsError
from gamedeid.scenario.determination import Thresholds

if TYPE_CHECKING:
    from pathlib import Path

ROWS = pd.read_csv(io.StringIO(RECORDS + "SECRETE,40,Male,<=50K\nSECRETF,51,Female,>50K\n"), dtype=str)
CROWD = pd.read_csv(io.StringIO(PEOPLE), dtype=str)


def own(**bounds: float) -> dict[str, Any]:
    """Return thresholds: measure_at_most=... or measure_at_least=..."""
    found = []
    for name, bound in bounds.items():
        key = "at_most" if name.endswith("at_most") else "at_least"
        found.append({"measure": name.removesuffix(f"_{key}"), key: bound})
    return {"own": found}


CASES = {
    "k-map": (own(k_map_at_least=5), {"record_risk": 0.2}),
    "journalist": (own(journalist_highest_at_most=0.25, attacked_at_most=0.2), {"record_risk": 0.25, "attacked": 0.2}),
    "prosecutor": (own(prosecutor_highest_at_most=0.5), {"smallest_cell": 2}),
    "cells": (
        own(k_anonymity_at_least=3, expected_reidentifications_at_most=0.3),
        {"smallest_cell": 3, "expected_reidentifications": 0.3},
    ),
    "preset": ({"presets": ["0.2"]}, {"smallest_cell": 5, "record_risk": 0.2}),
}


@pytest.fixture(scope="module", name="question")
def _question(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    ages: Path = tmp_path_factory.mktemp("ages") / "ages.csv"
    ages.write_text(AGES)
    return {
        "game": "basic",
        "records": {"drop": ["name"], "keep": ["income"]},
        "population": {"count": "count"},
        "attributes": {"age": {"hierarchy": str(ages), "role": "age"}, "sex": {"hierarchy": "sex"}},
        "payoffs": {"benefit": 100, "loss": 90, "cost": 20},
        "floor": "pairs",
        "policy": {"pairs": {"levels": {"age": 1}}},
    }


def solved(question: dict[str, Any], game: str, **changed: Any) -> gamedeid.Solution | None:
    try:
        return gamedeid.solve({**question, **changed}, ROWS, CROWD, game=game)
    except UnmetLimitsError:
        return None


def meets(solution: gamedeid.Solution, thresholds: dict[str, Any]) -> bool:
    """Measure a release by its rows, and return whether it meets the thresholds."""
    of_record = solution.study.instance.profiles.of_record
    rows = iter(solution.release(keep_order=True)[["age", "sex"]].itertuples(index=False))
    outcomes = zip(solution.withheld, solution.people, solution.attacked, strict=True)
    of_profile = list(outcomes)
    return rows_meet(
        [None if of_profile[one][0] else (next(rows), *of_profile[one][1:]) for one in of_record], thresholds
    )


def rows_meet(rows: list[Any], thresholds: dict[str, Any]) -> bool:
    """Return whether records, each with labels, people and whether it is attacked, or None, meet thresholds."""
    released = [one for one in rows if one is not None]
    if not released:
        return False
    smallest = min(Counter(words for words, *_ in released).values())
    fewest = min(people for _, people, _ in released)
    found = {
        "prosecutor_highest": 1 / smallest,
        "k_anonymity": smallest,
        "journalist_highest": 1 / fewest,
        "k_map": fewest,
        "attacked": sum(attacked for *_, attacked in released) / len(rows),
        "expected_reidentifications": sum(1 / people for _, people, attacked in released if attacked),
    }
    of_presets = [
        {"measure": f"{one}_highest", "at_most": float(preset)}
        for preset in thresholds.get("presets", [])
        for one in ("prosecutor", "journalist")
    ]
    return all(
        found[one["measure"]] <= one["at_most"] if "at_most" in one else found[one["measure"]] >= one["at_least"]
        for one in (*thresholds.get("own", []), *of_presets)
    )


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("game", ["basic", "no-attack"])
def test_each_suggested_question_has_the_result_of_a_new_solution(question, case, game):
    thresholds, limits = CASES[case]
    found = suggest({**question, "thresholds": thresholds}, ROWS, CROWD, game=game)
    present = solved(question, game)
    expected = {}
    for one, some in product(GAMES, ({}, limits, {**limits, "uniform": True})):
        again = solved(question, one, limits=some)
        payoff = None if again is None else again.measures["publisher_payoff"]
        expected[one, tuple(sorted(some.items()))] = (
            again is not None and meets(again, thresholds),
            payoff,
            None if payoff is None else present.measures["publisher_payoff"] - payoff,
        )

    actual = {
        (one.game, tuple(sorted((key.removeprefix("limits."), value) for key, value in one.changes.items()))): (
            one.met,
            one.publisher_payoff,
            one.cost,
        )
        for one in found.tried
    }

    assert expected == actual
    costs = [cost for met, _, cost in expected.values() if met]
    assert (found.cheapest is None) == (not costs)
    assert not costs or abs(min(costs) - found.cheapest.cost) < 1e-8


@pytest.mark.parametrize("case", ["k-map", "journalist", "prosecutor", "cells"])
def test_no_release_that_meets_the_thresholds_costs_less(question, case):
    thresholds, _ = CASES[case]
    study = gamedeid.Study.prepare({**question, "thresholds": thresholds}, ROWS, CROWD)
    found = suggest(study)
    of_record = study.instance.profiles.of_record
    options: list[list[tuple[float, Any]]] = [[(0.0, None)] for _ in of_record]
    for levels in product(range(3), range(2)):
        policy = gamedeid.Policy(levels=dict(zip(("age", "sex"), levels, strict=True)))
        scenario = study.scenario.model_copy(update={"policy": {"pairs": policy}})
        uniform = study.with_scenario(scenario)
        one = gamedeid.policy_solution(uniform, uniform.scenario_policy)
        rows = one.release(keep_order=True)[["age", "sex"]].itertuples(index=False)
        for record, (words, profile) in enumerate(zip(rows, of_record, strict=True)):
            outcome = (words, one.people[profile], one.attacked[profile])
            options[record].append((float(one.publisher_payoff[profile]), outcome))

    releases = [
        (sum(payoff for payoff, _ in each), [outcome for _, outcome in each])
        for choice in product(range(7), repeat=study.instance.profiles.count)
        for each in [[options[record][choice[profile]] for record, profile in enumerate(of_record)]]
    ]
    best = max(payoff for payoff, rows in releases if rows_meet(rows, thresholds))
    assert abs(best / len(of_record) - found.cheapest.publisher_payoff) < 1e-8


@pytest.mark.parametrize(
    ("case", "found_there"),
    [("k-map", {("benefit", "lower"), ("loss", "higher")}), ("journalist", {("benefit", "lower"), ("cost", "higher")})],
)
def test_a_nearest_stake_meets_the_thresholds_and_none_nearer_does(question, case, found_there):
    thresholds, _ = CASES[case]
    found = suggest({**question, "thresholds": thresholds}, ROWS, CROWD)
    nearest = {(one.stake, one.direction): one for one in found.stakes}
    far = {"higher": 1e4, "lower": 1e-4}

    assert found_there <= {name for name, one in nearest.items() if one.value}
    for (stake, direction), one in nearest.items():

        def at(value: float, stake: str = stake) -> bool:
            return meets(solved(question, "basic", payoffs={**question["payoffs"], stake: value}), thresholds)

        present = question["payoffs"][stake]
        end = one.range[direction == "lower"] if one.value else present * far[direction]
        between = [value for value in np.geomspace(present, end, 9)[1:-1] if abs(value - round(value)) > 1e-6]
        assert not any(map(at, between)), (stake, direction)
        if one.value:
            assert at(one.value)
            assert one.range[0] < one.value < one.range[1]
            again = solved(question, "basic", payoffs={**question["payoffs"], stake: one.value})
            assert again.measures["publisher_payoff"] == one.publisher_payoff


def test_the_stakes_of_the_only_recipient_are_moved_where_it_has_separate_ones(question):
    asked = {**question, "thresholds": CASES["k-map"][0]}
    apart = {"payoffs": {"benefit": 100, "loss": 500, "cost": 1}, "recipients": {"thief": {"loss": 90, "cost": 20}}}

    assert suggest({**asked, **apart}, ROWS, CROWD).stakes == suggest(asked, ROWS, CROWD).stakes


def test_trying_fewer_ranges_at_once_finds_the_nearest_value_too(question, monkeypatch):
    asked = {**question, "thresholds": CASES["k-map"][0]}
    whole = suggest(asked, ROWS, CROWD).stakes
    monkeypatch.setattr("gamedeid.analysis.suggestions.LEAST_RANGES", 4)
    monkeypatch.setattr("gamedeid.analysis.suggestions.MOST_RANGES", 0)
    parts = suggest(asked, ROWS, CROWD).stakes

    assert [one.value for one in whole if one.value] == [one.value for one in parts if one.value]
    assert any(some.tried < all_.tried for some, all_ in zip(parts, whole, strict=True))


def test_a_question_that_meets_the_thresholds_needs_no_change(question):
    found = suggest({**question, "thresholds": own(k_map_at_least=2)}, ROWS, CROWD)

    assert found.cheapest == found.present
    assert 0.0 == found.cheapest.cost


def test_within_limits_of_the_scenario_the_closer_bounds_are_tried_and_no_stakes(question):
    limits = {"attacked": 0.5, "record_risk": 0.1}
    found = suggest({**question, "limits": limits, "thresholds": CASES["journalist"][0]}, ROWS, CROWD)

    assert {"limits.attacked": 0.2} in [one.changes for one in found.tried]
    assert () == found.stakes
    games, stakes = found.left_out
    assert games.startswith("the games aware-basic and aware-no-attack")
    assert (
        "limits: a robust range or breakpoint does not take limits on the whole dataset; leave the section out of the "
        "scenario"
    ) == stakes


@pytest.mark.parametrize("thresholds", [None, {}, {"presets": []}])
def test_without_a_threshold_the_keys_are_named(question, thresholds):
    asked = question if thresholds is None else {**question, "thresholds": thresholds}

    with pytest.raises(InvalidScenarioError, match=r"no threshold is named.*thresholds\.presets.*thresholds\.own"):
        suggest(asked, ROWS, CROWD)


def test_thresholds_without_a_matching_limit_get_no_suggestion():
    asked = own(
        attacked_at_most=2, k_map_at_least=0.5, journalist_highest_at_most=0, prosecutor_mean_at_most=0
    )  # fmt: skip

    assert {} == limits_from_thresholds(Thresholds(**asked, presets=[]))
    assert {"smallest_cell": 11, "record_risk": 1 / 11} == limits_from_thresholds(
        Thresholds(presets=["0.09", "cells-11", "0.2"])
    )


@pytest.mark.parametrize("upwards", [True, False])
def test_a_plain_value_is_between_its_ends(upwards):
    draw = np.random.default_rng(3)
    for low in draw.uniform(-6, 11, 200):
        high = low + draw.choice([1e-7, 1e-3, 0.1, 5])
        assert 10**low < round_value(10**low, 10**high, upwards=upwards) < 10**high


def test_the_present_game_is_that_of_the_scenario_unless_another_is_named(question):
    asked = {**question, "game": "no-attack", "thresholds": own(k_map_at_least=2)}

    assert "no-attack" == suggest(asked, ROWS, CROWD).present.game
    assert "basic" == suggest(asked, ROWS, CROWD, game="basic").present.game
    with pytest.raises(InvalidScenarioError, match=r"basic, .*, not for aware-basic; name one of them"):
        suggest({**asked, "game": "aware-basic"}, ROWS, CROWD)
    with pytest.raises(InvalidScenarioError, match="no game is named"):
        suggest({key: section for key, section in asked.items() if key != "game"}, ROWS, CROWD)
