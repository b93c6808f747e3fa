"""Are the people who match a profile at a strategy counted right, in either layout and in any order of asking?"""

from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle_worlds import LAYOUTS, cells_of, first_records, hierarchies_of, instance_of, open_nodes, profiles_of
from oracles import World, people
from worlds import worlds

from gamedeid.arrays import IntArray
from gamedeid.data.profiles import PopulationCells, Profiles
from gamedeid.game.instance import Instance
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.lattice import Lattice, compile_hierarchy_tables
from gamedeid.population import choose as counting
from gamedeid.population import rows
from gamedeid.population.choose import Layout, count_population
from gamedeid.population.rows import RowCounts

every_layout = pytest.mark.parametrize("layout", LAYOUTS)


def pairs(instance: Instance) -> tuple[IntArray, IntArray]:
    """Return every profile with every strategy open to it."""
    nodes = [open_nodes(instance, profile) for profile in instance.all_profiles]
    return np.repeat(instance.all_profiles, [len(some) for some in nodes]), np.concatenate(nodes)


@every_layout
@given(world=worlds())
def test_the_oracle_counts_the_same_people_for_every_profile_at_every_strategy(layout, world):
    instance = instance_of(world, layout)
    profiles, nodes = pairs(instance)
    records = first_records(instance)
    expected = [
        people(world, records[profile], instance.lattice.levels_of(node))
        for profile, node in zip(profiles, nodes, strict=True)
    ]

    counted = instance.people(profiles, nodes)
    assert expected == counted.tolist()
    assert np.int64 == counted.dtype


@every_layout
@given(world=worlds(), data=st.data())
def test_the_order_of_asking_does_not_matter(layout, world, data):
    at_once, bit_by_bit = instance_of(world, layout), instance_of(world, layout)
    profiles, nodes = pairs(at_once)
    expected = at_once.people(profiles, nodes)

    for place in data.draw(st.lists(st.integers(0, len(nodes) - 1), min_size=1, max_size=20)):
        one = slice(place, place + 1)
        assert expected[one].tolist() == bit_by_bit.people(profiles[one], nodes[one]).tolist()


@given(world=worlds(missing=False))
def test_all_layouts_agree_below_and_above_every_floor(world):
    dense, *others = (instance_of(world, layout) for layout in LAYOUTS)
    profiles, nodes = pairs(dense)

    for other in others:
        assert dense.people(profiles, nodes).tolist() == other.people(profiles, nodes).tolist()


@every_layout
@given(world=worlds().map(lambda world: replace(world, unmatched="safe")))
def test_a_person_without_a_match_counts_as_unique(layout, world):
    safe, unique = instance_of(world, layout), instance_of(replace(world, unmatched="unique"), layout)
    profiles, nodes = pairs(safe)

    assert np.maximum(1, safe.people(profiles, nodes)).tolist() == unique.people(profiles, nodes).tolist()


@every_layout
def test_people_are_kept_in_as_few_bytes_as_they_need_and_no_fewer(layout):
    sex = Hierarchy.from_rows([["m", "*"], ["f", "*"]], name="sex")
    for men, women in ((2**30, 2**30 - 1), (2**30, 2**30), (2**31 - 1, 2**31 + 1), (0, 0), (2**52, 1)):
        instance = counted_by(sex, [men, women], layout)
        found = instance.people(np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1]))
        assert [men, women, men + women, men + women] == found.tolist()


@given(worlds(), st.data())
def test_evicted_counts_are_counted_again(world, data):
    instance = instance_of(world, layout="sparse")
    counts = instance.counts
    assert isinstance(counts, RowCounts)
    chosen, nodes = pairs(instance)
    found = instance.people(chosen, nodes).tolist()
    with patch.object(rows, "FIRST_BYTES", 1):  # so that room grows row by row
        counts.forget()
    assert (counts.tables.offsets < 0).all()
    assert len(counts.tables.rows) == 1

    order = data.draw(st.permutations(range(len(nodes))))
    assert [found[place] for place in order] == instance.people(chosen[order], nodes[order]).tolist()
    assert instance.profiles.count * instance.lattice.size * counts.tables.rows.itemsize == counts.most_bytes


@given(worlds(), st.data())
def test_with_little_room_only_requested_counts_are_kept(world, data):
    instance = instance_of(world, layout="sparse")
    counts = instance.counts
    assert isinstance(counts, RowCounts)
    nodes = np.array([data.draw(st.sampled_from(open_nodes(instance, one).tolist())) for one in instance.all_profiles])
    found = instance.people(instance.all_profiles, nodes).tolist()
    with patch.object(rows, "FIRST_BYTES", 0):
        counts.forget()
        assert found == instance.people(instance.all_profiles, nodes).tolist()
    assert (counts.tables.offsets < 0).all()
    some = instance.all_profiles[::2]
    assert found[::2] == instance.people(some, nodes[some]).tolist()
    assert (counts.tables.offsets < 0).all()


def counted_by(hierarchy: Hierarchy, leaf_people: list[int], layout: Layout) -> Instance:
    """Return an instance of one attribute with one record and so many people of each leaf, ``leaf_people``."""
    codes = np.arange(len(leaf_people))[:, None]
    world = World(
        ladders={hierarchy.name: [[leaf, "*"] for leaf in hierarchy.leaves]},
        weights={hierarchy.name: 1.0},
        records=[{hierarchy.name: leaf} for leaf in hierarchy.leaves],
        benefit=1.0,
        loss=1.0,
        gain=1.0,
        cost=1.0,
        unmatched="safe",
    )
    return instance_of(world, layout, cells=PopulationCells.of(codes, np.array(leaf_people), [hierarchy]))


def chosen_layout(world: World) -> str:
    hierarchies = list(hierarchies_of(world).values())
    lattice = Lattice.of(hierarchies)
    ladders = compile_hierarchy_tables(lattice, hierarchies, list(world.weights.values()))
    counts = count_population(cells_of(world), profiles_of(world), lattice, ladders)
    assert counts.scanned is None
    return "dense" if counts.tables.dense else "sparse"


@given(world=worlds())
def test_a_small_domain_is_counted_densely_and_one_too_large_is_not(world):
    assert "dense" == chosen_layout(world)
    with patch.object(counting, "DENSE_LIMIT", 1):
        assert "sparse" == chosen_layout(world)
    with patch.object(counting, "SMALL_CUBE", 0), patch.object(counting, "DENSE_WASTE", 0):
        assert "sparse" == chosen_layout(world)


def test_a_domain_of_a_million_million_places_is_counted_only_where_people_live():
    wide = [Hierarchy.intervals(0, 9999, [10, 100, 1000], name=name) for name in "abc"]
    lattice = Lattice.of(wide)
    ladders = compile_hierarchy_tables(lattice, wide, [1.0, 1.0, 1.0])
    codes = np.array([[0, 0, 0], [5, 5, 5], [9999, 0, 0], [0, 99, 999]])
    profiles = Profiles.of(codes, wide)
    counts = count_population(PopulationCells.of(codes, np.array([1, 2, 4, 8]), wide), profiles, lattice, ladders)

    nodes = [lattice.node(levels) for levels in [(0, 0, 0), (1, 1, 1), (0, 4, 4), (2, 2, 3), (4, 4, 4)]]
    found = [counts.people(profiles, np.array([0]), np.array([node]))[0] for node in nodes]
    assert not counts.tables.dense
    assert [1, 3, 9, 11, 15] == found
