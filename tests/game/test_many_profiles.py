"""Are answers the same for any number of profiles in a block, and any number of cores?"""

from contextlib import ExitStack, contextmanager
from importlib import import_module
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle_worlds import floors_of, game_of, instance_of, profiles_of
from oracles import GAMES, World
from worlds import chains, worlds

from gamedeid import grouping, parallel
from gamedeid.game import compiled_data, outcomes
from gamedeid.game import instance as instance_module
from gamedeid.game.measures import Totals
from gamedeid.game.outcomes import strategy_totals
from gamedeid.game.solvers import SOLVERS, exact
from gamedeid.grouping import DIRECT_SPAN, number_keys
from gamedeid.population import contract as counts
from gamedeid.population import cubes
from gamedeid.population.choose import Layout
from gamedeid.population.contract import distinct_nodes
from gamedeid.study import solution
from gamedeid.study.solution import Solution

exact_module, search_module = (import_module(f"gamedeid.game.solvers.{name}") for name in ("exact", "wan2015"))


@contextmanager
def small_blocks(*, block: int, workers: int):
    """Set the number of profiles in a block, and of threads, even for little work."""
    with ExitStack() as stack:
        stack.enter_context(patch.object(parallel, "cores", lambda: workers))
        for module, name, value in (
            (compiled_data, "ARRAY_ROWS", block),
            (outcomes, "PROFILES_PER_BLOCK", block),
            (cubes, "ARRAY_ROWS", block),
            (grouping, "ARRAY_ROWS", block),
            (solution, "ARRAY_ROWS", block),
            (parallel, "LEAST_ITEMS", 1),
            (counts, "LEAST_ITEMS", 8),
            (instance_module, "LEAST_ITEMS", 8),
            (exact_module, "WORTH_A_THREAD", 1),
            (search_module, "WORTH_A_THREAD", 1),
            (compiled_data, "WORTH_A_THREAD", 1),
        ):
            stack.enter_context(patch.object(module, name, value))
        yield


def answers(world: World, layout: Layout) -> list[Any]:
    """Return all answers about a world."""
    there = instance_of(world, layout)
    found: list[Any] = [there.data.kinds.tolist(), there.base.tolist()]
    for solver in SOLVERS:
        for name in GAMES:
            choice = SOLVERS[solver](there, game_of(world, there, name))
            found += [choice.nodes.tolist(), choice.searched.tolist(), tuple(strategy_totals(there, choice.nodes))]
    return found


@given(
    world=st.one_of(worlds(), chains()),
    layout=st.sampled_from(("dense", "sparse")),
    block=st.integers(1, 5),
    workers=st.integers(1, 3),
)
def test_blocks_and_threads_change_nothing(world, layout, block, workers):
    expected = answers(world, layout)
    with small_blocks(block=block, workers=workers):
        found = answers(world, layout)
    for one, other in zip(expected, found, strict=True):
        assert one == (pytest.approx(other) if isinstance(other, tuple) else other)  # sums may round in the last digit


@given(world=st.one_of(worlds(), chains()))
def test_measures_are_the_same_some_profiles_at_a_time(world):
    there = instance_of(world)
    study: Any = SimpleNamespace(instance=there)

    def solved() -> Solution:
        return Solution(study=study, name="basic", solver="exact", choice=exact(there, game_of(world, there, "basic")))

    expected = solved().measures
    with small_blocks(block=2, workers=1):
        assert expected == pytest.approx(solved().measures)


@given(world=st.one_of(worlds(), chains()))
def test_a_game_is_played_alike_before_and_after_another(world):
    alone, after = instance_of(world), instance_of(world)
    exact(after, game_of(world, after, "basic"))
    for _ in range(2):
        one, other = (exact(there, game_of(world, there, "no-attack")) for there in (alone, after))
        assert one.nodes.tolist() == other.nodes.tolist()
        assert one.searched.tolist() == other.searched.tolist()
    exact(alone, game_of(world, alone, "basic"))
    assert (alone.attacked_first == after.attacked_first).all()


def test_totals_of_parts_add_up():
    one, two = Totals(records=2, attacks=1, reidentified=0.5), Totals(records=1, publisher_payoff=3.0)

    assert Totals(records=3, attacks=1, reidentified=0.5, publisher_payoff=3.0) == one.plus(two)
    assert 1.0 == one.plus(two).measures["publisher_payoff"]
    assert 0.5 == one.measures["reidentification_probability_attacked"]
    assert 0.0 == two.measures["reidentification_probability_attacked"]


@given(world=worlds())
def test_lists_are_made_on_first_use_and_kept(world):
    there = instance_of(world)
    floors = floors_of(world, there)
    at_once = there.data.order(floors)
    bit_by_bit = there.data.order(floors)
    length = min(3, there.lattice.size)
    lists, rows = at_once.lists(there.all_profiles, length)
    for profile in reversed(there.all_profiles):
        some, row = bit_by_bit.lists(np.array([profile]), length)
        many = int(some.lengths[row[0]])
        assert many == lists.lengths[rows[profile]]
        assert lists.nodes[rows[profile], :many].tolist() == some.nodes[row[0], :many].tolist()
        assert lists.values[rows[profile], :many].tolist() == some.values[row[0], :many].tolist()
    assert (length == there.lattice.size) == lists.complete


@given(keys=st.lists(st.integers(0, 60), min_size=1, max_size=20), more=st.sampled_from((0, 10_000)))
def test_keys_are_numbered_by_value_however_far_they_reach(keys, more):
    assert 60 + more > DIRECT_SPAN or not more
    examples, numbers = number_keys(np.array(keys), 61 + more)

    assert [sorted(set(keys)).index(key) for key in keys] == numbers.tolist()
    assert sorted(set(keys)) == [keys[example] for example in examples]


@given(nodes=st.lists(st.integers(0, 9), max_size=30))
def test_distinct_nodes_are_found_in_order(nodes):
    assert sorted(set(nodes)) == distinct_nodes(np.array(nodes, np.int64), 10).tolist()


@given(world=worlds())
def test_kinds_are_the_same_where_their_keys_would_be_too_long(world):
    direct, sorted_out = instance_of(world), instance_of(world)
    with patch.object(compiled_data, "DIRECT_SPAN", 0):
        assert direct.data.kinds.tolist() == sorted_out.data.kinds.tolist()
    assert profiles_of(world).count == len(direct.data.kinds)
