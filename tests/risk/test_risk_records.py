"""The risk of a release record by record: the same as a count of its rows, and of people one by one."""

from collections import Counter
from dataclasses import replace

import pandas as pd
import pytest
from depth import tries
from hypothesis import example, given, settings
from oracle_worlds import played, policy_of, strategies
from oracles import World, label, people
from questions import question
from worlds import HIDDEN, STRANGER, worlds

from gamedeid import InvalidScenarioError, Solution, Study
from gamedeid.choices import GAMES
from gamedeid.risk.records import THRESHOLDS, class_sizes, raw_solution, record_risks

quick = settings(max_examples=tries(15, 500))
NOTHING_RELEASED = replace(HIDDEN, population=None, gain=50.0)
"""One record without a population, attacked at any level: the no-attack game withholds it."""


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
@example(world=NOTHING_RELEASED)
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
        assert pytest.approx(len(Counter(rows.values()))) == risks.marketer.prosecutor.reidentifications
        assert risks.prosecutor.mean == risks.marketer.prosecutor.share
        for threshold, share in ((float(name), share) for name, share in risks.prosecutor.above.items()):
            assert pytest.approx((1 / sizes > threshold).mean() if rows else 0.0) == share
        of_record = solution.study.instance.profiles.of_record
        assert list(sizes) == [int(class_sizes(solution)[of_record[record]]) for record in rows]


@quick
@example(world=STRANGER)
@example(world=NOTHING_RELEASED)
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
        everybody = risks.marketer.journalist.reidentifications
        assert pytest.approx(sum(found)) == everybody
        assert solution.measures["expected_reidentifications"] == risks.expected_reidentifications
        assert risks.expected_reidentifications <= everybody + 1e-9  # which attacks all records


def test_equal_words_of_different_levels_are_one_class():
    """A group of one keeps its leaf's label: `q` at level 0 and `q` at level 1 look the same."""
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


@pytest.mark.parametrize("threshold", [-0.1, 1.0, float("nan"), float("inf")])
def test_an_invalid_threshold_is_refused(threshold):
    with pytest.raises(InvalidScenarioError, match="at least 0 and below 1, not"):
        record_risks(played(HIDDEN, "basic"), thresholds=(threshold,))


@quick
@given(world=worlds().map(lambda world: replace(world, population=None)))
def test_where_the_records_are_the_population_a_class_is_never_larger_than_the_people_who_match(world):
    for solution in releases(world):
        assert (class_sizes(solution) <= solution.people).all()
