"""Does the arithmetic of node numbers agree with an explicit graph of the lattice?"""

from itertools import pairwise, product
from unittest.mock import patch

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import strategy_graph, walk_order

from gamedeid import Hierarchy, InvalidScenarioError, Lattice
from gamedeid.capabilities import Feature
from gamedeid.generalization import lattice as room
from gamedeid.generalization.lattice import GRAPH_LIMIT, NUMBER_LIMIT

lattices = st.lists(st.integers(1, 5), min_size=1, max_size=4).map(lambda heights: Lattice(heights=tuple(heights)))


@given(lattice=lattices)
def test_every_strategy_has_a_number_of_its_own_in_lexicographic_order(lattice):
    everything = list(product(*map(range, lattice.heights)))

    assert lattice.size == len(everything)
    assert everything == [lattice.levels_of(node) for node in range(lattice.size)]
    assert list(range(lattice.size)) == [lattice.node(levels) for levels in everything]
    assert list(range(lattice.size)) == lattice.nodes(np.array(everything)).tolist()
    assert [list(levels) for levels in everything] == lattice.levels(np.arange(lattice.size)).tolist()


@given(lattice=lattices)
def test_children_and_parents_are_those_of_the_graph_in_the_order_of_the_attributes(lattice):
    graph = strategy_graph(lattice.heights)
    for node in range(lattice.size):
        here = lattice.levels_of(node)
        children = [lattice.levels_of(child) for child in lattice.children(node)]
        parents = [lattice.levels_of(parent) for parent in lattice.parents(node)]
        assert list(graph.successors(here)) == children
        assert set(graph.predecessors(here)) == set(parents)
        raised = [next(place for place, (a, b) in enumerate(zip(p, here, strict=True)) if a < b) for p in parents]
        assert sorted(set(raised)) == raised


@given(lattice=lattices)
def test_the_package_spells_out_the_graph_of_the_oracle(lattice):
    expected = strategy_graph(lattice.heights)

    assert set(expected.nodes) == set(lattice.graph.nodes)
    assert set(expected.edges) == set(lattice.graph.edges)
    assert all(list(expected.successors(node)) == list(lattice.graph.successors(node)) for node in expected)


def test_the_graph_cannot_be_changed_and_is_built_once():
    graph = Lattice(heights=(2, 3)).graph

    with pytest.raises(nx.NetworkXError):
        graph.remove_node((0, 0))
    assert graph is Lattice(heights=(2, 3)).graph


@given(lattice=lattices)
def test_the_walk_goes_by_sum_of_levels_then_lexicographically(lattice):
    walk = lattice.walk_order()

    assert walk_order(strategy_graph(lattice.heights)) == [lattice.levels_of(node) for node in walk]
    assert walk.tolist() == sorted(range(lattice.size), key=lambda node: lattice.walk_keys(np.array([node]))[0])
    assert all(a < b for a, b in pairwise(lattice.walk_keys(walk).tolist()))


@given(lattice=lattices)
def test_the_rank_is_the_length_of_every_way_from_the_most_specific_strategy(lattice):
    lengths = nx.single_source_shortest_path_length(strategy_graph(lattice.heights), (0,) * lattice.attributes)

    assert [lengths[lattice.levels_of(n)] for n in range(lattice.size)] == lattice.ranks(
        np.arange(lattice.size)
    ).tolist()
    assert max(lengths.values()) == lattice.steps
    assert tuple(height - 1 for height in lattice.heights) == lattice.levels_of(lattice.most_general)


def test_hierarchies_span_their_lattice_in_their_order():
    sex = Hierarchy.from_rows([["m", "*"], ["f", "*"]], name="sex")
    age = Hierarchy.intervals(0, 9, [5], name="age")

    assert (2, 3) == Lattice.of([sex, age]).heights
    assert (3, 2) == Lattice.of([age, sex]).heights


@pytest.mark.parametrize("levels", [(0,), (0, 0, 0), (2, 0), (0, -1), (0, 3)])
def test_nonexistent_levels_are_refused(levels):
    with pytest.raises(ValueError, match=r"no strategy of a lattice with heights \(2, 3\)"):
        Lattice(heights=(2, 3)).node(levels)


@pytest.mark.parametrize("node", [-1, 6])
def test_an_invalid_node_number_has_no_levels(node):
    with pytest.raises(InvalidScenarioError, match=f"^there is no strategy `{node}`; they are numbered from 0 to 5$"):
        Lattice(heights=(2, 3)).levels_of(node)


@pytest.mark.parametrize("height", [0, -1, 2.5, True, "2"])
def test_a_height_is_a_number_of_levels(height):
    with pytest.raises(InvalidScenarioError, match=r"^heights: expected whole numbers of 1 or more, not `\("):
        Lattice(heights=(2, height))


def test_a_lattice_needs_an_attribute():
    with pytest.raises(InvalidScenarioError, match="at least one attribute"):
        Lattice(heights=())


def test_a_lattice_that_cannot_be_numbered_is_refused_and_the_largest_is_not():
    largest = Lattice(heights=(2,) * 57)
    top = np.array([largest.most_general])

    assert NUMBER_LIMIT >= 58 * 2**57 > largest.walk_keys(top)[0] == 57 * 2**57 + 2**57 - 1
    with pytest.raises(
        InvalidScenarioError, match="288,230,376,151,711,744 strategies, more than the 156,328,339,607,708,064"
    ):
        Lattice(heights=(2,) * 58)


def test_a_lattice_too_large_for_tables_says_how_many_strategies_it_has():
    assert {} == Lattice(heights=(2**8, 2**8)).features
    says = "attributes: 65,792 strategies, and tables take at most 65,536"
    assert {Feature.LARGE: says} == Lattice(heights=(2**8, 2**8 + 1)).features


def test_a_graph_too_large_is_refused_and_the_arithmetic_goes_on():
    large = Lattice(heights=(GRAPH_LIMIT + 1, 1))

    with pytest.raises(InvalidScenarioError, match="a graph of 200,001 strategies is too large"):
        _ = large.graph
    assert (1,) == large.children(0)
    with patch.object(room, "GRAPH_LIMIT", 6):
        assert 6 == len(Lattice(heights=(3, 2)).graph)
