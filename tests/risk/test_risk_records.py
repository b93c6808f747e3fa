"""What a release risks record by record: the same as counting its rows, and people one by one."""

import json
from collections import Counter
from dataclasses import replace

import pandas as pd
import pytest
from depth import tries
from hypothesis import given, settings
from oracle_worlds import played, policy_of, strategies
from oracles import World, label, people
from questions import question
from small_world import small_world
from worlds import HIDDEN, STRANGER, worlds

from gamedeid.choices import GAMES
from gamedeid.errors import InvalidScenarioError
from gamedeid.risk.records import (
    RAW,
    THRESHOLDS,
    class_sizes,
    raw_solution,
    record_risks,
)
from gamedeid.risk.release import release_risks
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.solution import Solution
from gamedeid.study.solve import policy_solution, solve
from gamedeid.study.study import Study

quick = settings(max_examples=tries(15, 500))


def published(world: World, solution: Solution) -> dict[int, tuple[str, ...]]:
    """Return the released row of each record that is released, a missing value as the root."""
    rows = {}
    for record, strategy in enumerate(strategies(solution)):
        if strategy is None:
            continue
        levels = zip(world.ladders.items(), strategy, strict=True)
        rows[record] = tuple(str(label(of, world.records[record][name], level)) for (name, of), level in levels)
    return rows


def releases(world: World) -> list[Solution]:
    solutions = [policy_of(world, played(world, "basic").study.instance), *(played(world, game) for game in GAMES)]
    return [*solutions, raw_solution(solutions[0].study)]


@quick
@given(world=worlds())
def test_the_prosecutors_classes_are_those_of_equal_released_rows(world):
    for solution in releases(world):
        rows = published(world, solution)
        table = pd.DataFrame(list(rows.values()), columns=list(world.ladders))
        sizes = table.groupby(list(world.ladders))[table.columns[0]].transform("size") if rows else pd.Series(dtype=int)
        risks = record_risks(solution)

        assert (len(world.records) - len(rows), len(rows)) == (risks.withheld, risks.released)
        assert (int(sizes.min()) if rows else None) == risks.k_anonymity
        assert (1 / sizes).max() == risks.prosecutor.highest if rows else risks.prosecutor.highest == 0
        assert pytest.approx((1 / sizes).mean() if rows else 0.0) == risks.prosecutor.mean
        for threshold, share in ((float(name), share) for name, share in risks.prosecutor.above.items()):
            assert pytest.approx((1 / sizes > threshold).mean() if rows else 0.0) == share
        of_record = solution.study.instance.profiles.of_record
        assert list(sizes) == [int(class_sizes(solution)[of_record[record]]) for record in rows]


@quick
@given(world=worlds())
def test_the_journalists_risk_is_one_over_the_people_counted_one_by_one(world):
    for solution in releases(world):
        chosen = enumerate(strategies(solution))
        matching = [people(world, record, strategy) for record, strategy in chosen if strategy is not None]
        found = [1 / count for count in matching if count]
        risks = record_risks(solution, thresholds=(0.0, 0.1, 0.5))

        assert min((count for count in matching if count), default=None) == risks.k_map
        assert matching.count(0) == risks.unmatched
        assert max(found, default=0.0) == risks.journalist.highest
        assert pytest.approx(sum(found) / len(found) if found else 0.0) == risks.journalist.mean
        shares = [sum(risk > threshold for risk in found) / max(len(found), 1) for threshold in (0.0, 0.1, 0.5)]
        assert shares == list(risks.journalist.above.values())
        assert pytest.approx(sum(found)) == risks.marketer.journalist.reidentifications


@quick
@given(world=worlds(missing=False))
def test_the_marketers_share_is_the_number_of_classes_over_the_number_of_records(world):
    for solution in releases(world):
        rows = list(published(world, solution).values())
        share = len(Counter(rows)) / len(rows) if rows else 0.0

        assert pytest.approx(share) == record_risks(solution).marketer.prosecutor.share


@quick
@given(world=worlds())
def test_the_games_own_adversary_never_finds_more_than_one_who_attacks_everybody(world):
    for solution in releases(world):
        risks = record_risks(solution)

        assert solution.measures["expected_reidentifications"] == risks.expected_reidentifications
        everybody = risks.marketer.journalist.reidentifications
        assert risks.expected_reidentifications <= everybody + 1e-9


def test_equal_words_of_different_levels_are_one_class():
    """A group of one keeps its leaf's label: `q` at level 0 and `q` at level 1 cannot be told apart."""
    ladder = [["p", "p|r", "*"], ["q", "q", "*"], ["r", "p|r", "*"]]
    floors = [{"a": 0}, {"a": 1}]
    other = [["x", "*"], ["y", "*"]]
    world = replace(
        HIDDEN,
        ladders={"a": ladder, "b": other},
        weights={"a": 1.0, "b": 0.0},
        records=[{"a": "q", "b": "x"}, {"a": "q", "b": "y"}],
        population=None,
        floors=[floors[0] | {"b": 1}, floors[1] | {"b": 1}],
    )
    solution = policy_of(world, played(world, "basic").study.instance)

    assert [(0, 1), (1, 1)] == strategies(solution)
    assert 2 == record_risks(solution).k_anonymity


def test_a_class_of_exactly_one_over_the_threshold_is_not_above_it():
    study = Study.prepare(question(), pd.DataFrame({"age": [48] * 20 + [50] * 19, "sex": ["Male"] * 39}))
    risks = record_risks(raw_solution(study))

    assert (0.05, 0.2) == THRESHOLDS
    assert {"0.05": 19 / 39, "0.2": 0.0} == risks.prosecutor.above


def test_who_matches_nobody_is_stated_apart_and_does_not_lower_the_k_of_the_map():
    solution = raw_solution(played(STRANGER, "basic").study)
    risks = record_risks(solution)

    assert (1, None, 1) == (risks.unmatched, risks.k_map, risks.k_anonymity)
    assert (0.0, 1.0) == (risks.journalist.highest, risks.prosecutor.highest)


def test_a_release_of_nothing_risks_nothing():
    world = replace(HIDDEN, population=None, gain=50.0)  # one record, its own population, attacked whatever is released
    risks = record_risks(played(world, "no-attack"))

    assert (1, 0) == (risks.withheld, risks.released)
    assert (None, None, 0) == (risks.k_anonymity, risks.k_map, risks.unmatched)
    assert {"highest": 0.0, "mean": 0.0, "above": {"0.05": 0.0, "0.2": 0.0}} == risks.as_dict()["prosecutor"]
    assert 0.0 == risks.expected_reidentifications


@pytest.mark.parametrize("threshold", [-0.1, 1.0, float("nan"), float("inf")])
def test_a_threshold_that_is_no_risk_is_refused(threshold):
    with pytest.raises(InvalidScenarioError, match="at least 0 and below 1, not"):
        record_risks(played(HIDDEN, "basic"), thresholds=(threshold,))


def test_the_release_stands_beside_the_policy_and_the_raw_data(tmp_path):
    study = Study.prepare(Scenario.read(small_world(tmp_path)))
    solution = solve(study, game="basic")
    compared = release_risks(solution, thresholds=(0.1,)).as_dict()

    known = ["thresholds", "population_is_the_records", "population_is_estimated", "kept_diversity", "kept_uniqueness"]
    assert [*known, "raw", "policy", "release"] == list(compared)
    assert record_risks(solution, (0.1,)).as_dict().items() <= compared["release"].items()
    assert (
        record_risks(policy_solution(study, study.scenario_policy), (0.1,)).as_dict().items()
        <= compared["policy"].items()
    )
    assert RAW == compared["raw"]["name"]
    assert compared == json.loads(json.dumps(compared, allow_nan=False))


def test_the_classes_of_a_release_are_those_of_the_rows_that_would_be_published(tmp_path):
    study = Study.prepare(Scenario.read(small_world(tmp_path)))
    for game in GAMES:
        solution = solve(study, game=game)
        rows = solution.release(keep_order=True)[list(study.instance.hierarchies)]
        sizes = rows.groupby(list(rows.columns)).size()

        assert int(sizes.min()) == record_risks(solution).k_anonymity
        assert pytest.approx(len(sizes) / len(rows)) == record_risks(solution).prosecutor.mean


@quick
@given(world=worlds().map(lambda world: replace(world, population=None)))
def test_where_the_records_are_the_population_a_class_is_never_larger_than_the_people_who_match(world):
    for solution in releases(world):
        assert (class_sizes(solution) <= solution.people).all()
