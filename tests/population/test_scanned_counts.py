"""Are large lattices solved as small ones are, without a table of strategies, and do bounds hold?"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle_worlds import LAYOUTS, game_of, instance_of, played
from oracles import GAMES, SAME
from worlds import HIDDEN, RISING, chains, worlds

from gamedeid import Hierarchy, InvalidScenarioError, Payoffs
from gamedeid.data.profiles import PopulationCells, Profiles
from gamedeid.game.compiled_data import CompiledData
from gamedeid.game.instance import Instance
from gamedeid.game.solvers import SOLVERS, large_lattices
from gamedeid.generalization import lattice
from gamedeid.population import scan
from gamedeid.population.choose import CountedPopulation
from gamedeid.population.scan import ScannedCounts

any_world = st.one_of(worlds(), chains())
any_game = st.sampled_from(GAMES)
quick = pytest.mark.parametrize("solver", ["exact", "lattice-search"])


@contextmanager
def no_tables() -> Iterator[None]:
    """Treat every lattice as a large one in the block."""
    with patch.object(lattice, "TABLE_LIMIT", 0):
        yield


@quick
@given(world=any_world, game=any_game)
def test_without_tables_the_same_strategies_are_found(solver, world, game):
    expected = played(world, game, solver)
    with no_tables():
        found = played(world, game, solver)

    assert isinstance(found.study.instance.counts, ScannedCounts)
    assert (
        0 == found.study.instance.hierarchy_tables.levels.size == found.study.instance.hierarchy_tables.walk_keys.size
    )
    assert expected.choice.nodes.tolist() == found.choice.nodes.tolist()
    assert expected.measures == found.measures
    assert expected.search.keys() == found.search.keys()


@quick
@given(world=any_world, game=any_game, workers=st.integers(1, 3), together=st.integers(1, 5))
def test_batches_and_workers_of_the_search_change_nothing(solver, world, game, workers, together):
    alone = played(world, game, solver, "scan")
    with (
        patch.object(large_lattices, "SLICE", 1),
        patch.object(large_lattices, "PROFILES_PER_SEARCH", together),
        patch("gamedeid.parallel.cores", return_value=workers),
    ):
        found = played(world, game, solver, "scan")

    assert alone.choice.nodes.tolist() == found.choice.nodes.tolist()
    assert alone.choice.searched.tolist() == found.choice.searched.tolist()
    assert alone.search == found.search
    assert (1 <= found.choice.searched).all()
    assert (found.choice.searched <= found.study.instance.lattice.size).all()


@given(world=worlds(), node=st.integers(0, 2**30))
def test_a_strategy_that_many_profiles_need_is_counted_once(world, node):
    instance = instance_of(world, "scan")
    top, any_one = (np.full(instance.profiles.count, one % instance.lattice.size) for one in (-1, node))
    for nodes in (instance.lattice.nodes(instance.base), top, any_one):
        few = instance.people(instance.all_profiles, nodes).tolist()
        with patch.object(scan, "COUNTED_ONCE_FROM", 1):
            assert few == instance.people(instance.all_profiles, nodes).tolist()


def test_equal_cells_are_searched_together():
    codes = np.array([[0, 1, 0], [1, 1, 0], [0, 1, 0]])
    hierarchies = [Hierarchy.from_rows([["m", "*"], ["f", "*"]], name=name) for name in "abc"]
    world = replace(HIDDEN, ladders={name: [["m", "*"], ["f", "*"]] for name in "abc"}, records=HIDDEN.records)
    world = replace(world, records=[{"a": "m", "b": "f", "c": "m"}])
    instance = instance_of(world, "scan", cells=PopulationCells.of(codes, np.array([1, 2, 4]), hierarchies))

    assert isinstance(instance.counts, ScannedCounts)
    assert 2 == len(instance.counts.scanned.people)
    assert [5, 7] == instance.people(np.array([0, 0]), np.array([0, 4])).tolist()


# --- bounds -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", LAYOUTS)
@given(world=any_world, game=any_game)
def test_no_permitted_strategy_pays_more_than_lattice_search_says(layout, world, game):
    best = played(world, game, "backward-induction")
    found = played(world, game, "lattice-search", layout)

    assert found.choice.bounds is not None
    assert (found.choice.bounds >= best.publisher_payoff).all()
    gaps = found.choice.bounds - found.publisher_payoff
    assert pytest.approx(gaps.max(), abs=SAME * world.benefit) == found.search["gap_most"]
    assert 0 <= found.search["gap"] <= found.search["gap_most"] + SAME * world.benefit


@given(world=any_world, game=any_game)
def test_the_bound_is_the_same_however_people_are_counted(world, game):
    bounds = [played(world, game, "lattice-search", layout).choice.bounds for layout in LAYOUTS]

    assert bounds[0] is not None
    assert all(bounds[0].tolist() == other.tolist() for other in bounds if other is not None)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_bound_falls_to_what_the_steps_of_the_search_prove(layout):
    """By hand: p p p is alone and attacked, and no child pays more."""
    world = replace(HIDDEN, gain=2.5, weights={"a": 1.0, "b": 0.5, "c": 0.5})
    found = played(world, "basic", "lattice-search", layout)

    assert found.choice.bounds is not None
    assert found.publisher_payoff[0] <= found.choice.bounds[0] < world.benefit
    # An attack on one person costs half of the benefit, and any level that is climbed costs a quarter of it or more.
    assert 75.0 == found.choice.bounds[0]


@pytest.mark.parametrize("solver", ["exact", "backward-induction"])
@given(world=any_world, game=any_game, layout=st.sampled_from(LAYOUTS))
def test_where_the_best_is_proved_there_is_no_gap(solver, world, game, layout):
    search = played(world, game, solver, layout).search

    assert (0, 0, True) == (search["gap"], search["gap_most"], search["proved"])


# --- operations with and without tables -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "estimated",
    [{"known": {"a": 1}}, {"sampling_fraction": 0.5}],
)
def test_estimates_are_refused_where_the_lattice_is_large(estimated):
    ladder = Hierarchy.from_rows([["m", "*"], ["f", "*"]], name="a")
    codes = np.array([[0], [1]])
    with no_tables(), pytest.raises(InvalidScenarioError, match="an estimated population needs"):
        CompiledData.compile(
            {"a": ladder},
            weights={"a": 1.0},
            profiles=Profiles.of(codes, [ladder]),
            population=CountedPopulation(
                cells=PopulationCells.of(codes, np.array([1, 1]), [ladder]),
                **estimated,  # type: ignore[arg-type]
            ),
        )


def test_a_lattice_of_a_million_million_million_strategies_is_searched():
    """Fifteen attributes of eleven levels: no person matches the record until the first attribute is hidden."""
    stairs = Hierarchy.intervals(0, 1023, [2**step for step in range(1, 10)], name="stairs")
    names = [f"a{place}" for place in range(15)]
    codes = np.zeros((40, 15), np.int64)
    codes[1:, 0] = 1023
    codes[20:, 1] = 1
    profiles = Profiles.of(codes[:1], [stairs] * 15)
    data = CompiledData.compile(
        dict.fromkeys(names, stairs),
        weights={name: 0.05 if name == "a0" else 1.0 for name in names},
        profiles=profiles,
        population=CountedPopulation(cells=PopulationCells.of(codes, np.ones(40, np.int64), [stairs] * 15)),
    )
    instance = Instance.of(data, Payoffs(benefit=150, loss=30, cost=2))

    assert 11**15 == instance.lattice.size
    game = game_of(replace(RISING, ladders={}, floors=[{}]), instance, "no-attack")
    choice = SOLVERS["exact"](instance, game)
    assert [(10, *[0] * 14)] == [instance.lattice.levels_of(node) for node in choice.nodes]
    assert 11 == choice.searched[0]
    assert [20] == instance.people(instance.all_profiles, choice.nodes).tolist()
