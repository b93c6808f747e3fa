"""Is the best strategy of each record found if the records are the population: the complete rows of Adult?

``python tests/published/test_own_population.py`` plays every profile by hand and prints the file
``gold/adult_own_population.json``.
"""

import csv
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from random import Random
from unittest.mock import patch

import numba
import oracles
import pandas as pd
import pytest
from case_study import ARX_HIERARCHIES, adult_rows
from oracles import Outcome, Strategy, World, algorithm_1

import gamedeid
from gamedeid.analysis.comparison import Comparison
from gamedeid.choices import GameName

HERE = Path(__file__).parents[1]
GOLD = HERE / "gold" / "adult_own_population.json"
PLACES = ("age", "sex", "race", "native-country")
GAMES: tuple[GameName, ...] = ("basic", "no-attack")  # Safe Harbor has nothing to say about these hierarchies
SAMPLE = 250


def hierarchy_file(attribute: str) -> Path:
    return ARX_HIERARCHIES / f"{attribute}.csv"


def read_world() -> World:
    """Return the complete rows and their ladders, read by nothing of the package."""
    rows = [row for row in adult_rows() if "?" not in row.values()]
    ladders = {}
    for attribute in PLACES:
        with hierarchy_file(attribute).open(newline="") as file:
            ladders[attribute] = list(csv.reader(file, delimiter=";"))
    return World(
        ladders=ladders,
        weights=dict.fromkeys(PLACES, 1.0),
        records=[{attribute: row[attribute] for attribute in PLACES} for row in rows],
        benefit=1200.0,
        loss=300.0,
        gain=300.0,
        cost=4.0,
    )


def first_of_each(world: World) -> list[int]:
    """Return the number of the first record of each profile, in the order of the records."""
    firsts: dict[tuple[str | None, ...], int] = {}
    for number, values in enumerate(world.records):
        firsts.setdefault(tuple(values.values()), number)
    return list(firsts.values())


class CountedWorld:
    """The oracle's ``people``, counting everybody once for each strategy instead of once for each question."""

    def __init__(self, world: World) -> None:
        self.rows = {attribute: {row[0]: row for row in rows} for attribute, rows in world.ladders.items()}
        self.everybody = Counter(tuple(values.items()) for values in world.records)
        self.counted: dict[Strategy, Counter[tuple[str, ...]]] = {}

    def seen(self, values: Iterable[tuple[str, str | None]], strategy: Strategy) -> tuple[str, ...]:
        return tuple(self.rows[a][value or ""][level] for (a, value), level in zip(values, strategy, strict=True))

    def __call__(self, world: World, record: int, strategy: Strategy) -> int:
        if strategy not in self.counted:
            groups = self.counted[strategy] = Counter()
            for values, times in self.everybody.items():
                groups[self.seen(values, strategy)] += times
        return self.counted[strategy][self.seen(world.records[record].items(), strategy)]


def by_hand(world: World, records: list[int], game: GameName, counted: CountedWorld) -> list[Outcome]:
    with patch.object(oracles, "people", counted):
        return [algorithm_1(world, record, game) for record in records]


@pytest.fixture(scope="module")
def world() -> World:
    if numba.config.DISABLE_JIT:
        pytest.skip("uncompiled, 30,162 records take too long")
    return read_world()


@pytest.fixture(scope="module")
def counted(world: World) -> CountedWorld:
    return CountedWorld(world)


@pytest.fixture(scope="module")
def comparison(world: World) -> Comparison:
    scenario = gamedeid.Scenario(
        attributes={name: gamedeid.Attribute(hierarchy=str(hierarchy_file(name))) for name in PLACES},
        floor="limited-data-set",
        payoffs={"benefit": 1200, "loss": 300, "cost": 4},
    )
    return gamedeid.compare(scenario, pd.DataFrame(world.records))


@pytest.fixture(scope="module")
def sample(world: World) -> list[int]:
    return Random(2015).sample(first_of_each(world), SAMPLE)  # noqa: S311 - a sample of tests, not a secret


def test_the_fast_count_is_the_oracles_own(world: World, sample: list[int]) -> None:
    few = [world.records[record] for record in sample[:40]]
    small = replace(world, records=few, floors=[{}] * len(few))
    counted = CountedWorld(small)
    strategies = [(0, 0, 0, 0), (1, 0, 1, 1), (2, 1, 0, 2), (4, 1, 1, 2)]

    for record in range(0, 40, 8):
        assert [oracles.people(small, record, s) for s in strategies] == [counted(small, record, s) for s in strategies]


def test_the_question_is_the_one_the_gold_numbers_answer(world: World, comparison: Comparison) -> None:
    gold, instance = json.loads(GOLD.read_text("utf-8")), comparison.study.instance

    assert gold["records"] == len(world.records) == len(instance.profiles.of_record) == 30_162
    assert gold["profiles"] == len(first_of_each(world)) == instance.profiles.count
    assert gold["strategies"] == instance.lattice.size


@pytest.mark.parametrize("game", GAMES)
def test_the_oracle_agrees_about_a_sample_of_the_profiles(
    game: GameName, world: World, counted: CountedWorld, comparison: Comparison, sample: list[int]
) -> None:
    table = comparison.solutions[game].strategies
    for record, expected in zip(sample, by_hand(world, sample, game, counted), strict=True):
        found = table.iloc[record]
        assert expected.strategy == tuple(found[list(PLACES)])
        assert (expected.withheld, expected.attacked) == (found["withheld"], found["attacked"])
        assert expected.publisher_payoff == pytest.approx(found["publisher_payoff"], abs=1e-6)
        assert expected.adversary_payoff == pytest.approx(found["adversary_payoff"], abs=1e-6)
        assert expected.information_loss == pytest.approx(found["information_loss"], abs=1e-9)
        assert expected.success_probability == pytest.approx(found["success_probability"], abs=1e-12)


@pytest.mark.parametrize("game", GAMES)
def test_the_totals_over_all_records_are_the_gold_ones(game: GameName, comparison: Comparison) -> None:
    gold = json.loads(GOLD.read_text("utf-8"))["totals"][game]
    table = comparison.solutions[game].strategies

    found = {name: float(table[name].sum()) for name in gold if name not in PLACES and name != "unmodified"}
    found |= {name: int(table[name].sum()) for name in PLACES}
    found["unmodified"] = int((table["generalization_intensity"] == 0).sum())
    assert gold == pytest.approx(found, abs=1e-4)


def totals(world: World, game: GameName, counted: CountedWorld) -> dict[str, float]:
    """Return sums over all records, by playing every profile by hand."""
    firsts = first_of_each(world)
    times = Counter(tuple(values.values()) for values in world.records)
    outcomes = by_hand(world, firsts, game, counted)
    weighted = [(o, times[tuple(world.records[r].values())]) for o, r in zip(outcomes, firsts, strict=True)]
    names = ("withheld", "attacked", "information_loss", "success_probability", "publisher_payoff", "adversary_payoff")
    sums = {name: round(sum(getattr(outcome, name) * times for outcome, times in weighted), 4) for name in names}
    top = tuple(height - 1 for height in world.heights)
    for place, attribute in enumerate(PLACES):
        sums[attribute] = sum((outcome.strategy or top)[place] * times for outcome, times in weighted)
    sums["unmodified"] = sum(times for outcome, times in weighted if outcome.generalization_intensity == 0)
    return sums


if __name__ == "__main__":
    rows = read_world()
    counted = CountedWorld(rows)
    size = len(oracles.strategy_graph(rows.heights))
    about = {"records": len(rows.records), "profiles": len(first_of_each(rows)), "strategies": size}
    print(json.dumps({**about, "totals": {game: totals(rows, game, counted) for game in GAMES}}, indent=2))  # noqa: T201
