"""Does the oracle confirm the information loss in the tables?"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from oracle_worlds import first_records, hierarchies_of, instance_of, open_nodes
from oracles import information_loss
from worlds import worlds

from gamedeid import Hierarchy, InvalidScenarioError, Lattice
from gamedeid.generalization import lattice as losses


@given(world=worlds())
def test_the_loss_is_that_of_the_oracle_at_every_strategy(world):
    instance = instance_of(world)
    for profile, record in enumerate(first_records(instance)):
        nodes = open_nodes(instance, profile)
        levels = instance.lattice.levels(nodes)
        expected = [information_loss(world, record, tuple(row)) for row in levels.tolist()]
        codes = np.repeat(instance.profiles.codes[[profile]], len(nodes), axis=0)

        assert expected == pytest.approx(
            losses.information_loss(instance.hierarchy_tables, codes, levels).tolist(), abs=1e-12
        )


@given(world=worlds())
def test_everything_is_lost_at_the_top_and_no_known_value_at_the_bottom(world):
    instance = instance_of(world)
    codes = instance.profiles.codes
    known = ~instance.profiles.missing.any(axis=1)
    top = np.tile(np.array(instance.lattice.heights) - 1, (len(codes), 1))

    assert [1.0] * len(codes) == losses.information_loss(instance.hierarchy_tables, codes, top).tolist()
    assert [0.0] * known.sum() == losses.information_loss(
        instance.hierarchy_tables, codes[known], 0 * top[known]
    ).tolist()


@given(world=worlds())
def test_leaves_of_one_kind_lose_the_same_at_every_level_and_others_do_not(world):
    for hierarchy in hierarchies_of(world).values():
        kinds = losses.loss_kinds(hierarchy).tolist()
        sizes = [tuple(column) for column in hierarchy.sizes.T.tolist()]

        assert len(hierarchy.leaves) + 1 == len(kinds)
        assert kinds.count(kinds[-1]) == 1  # a missing value differs from all others
        assert sorted(set(kinds)) == list(range(len(set(kinds))))
        for one, its_kind in zip(sizes, kinds, strict=False):
            for other, other_kind in zip(sizes, kinds, strict=False):
                assert (one == other) == (its_kind == other_kind)


@given(world=worlds())
def test_multiplying_all_weights_changes_nothing(world):
    heavier = replace(world, weights={attribute: 4 * weight for attribute, weight in world.weights.items()})
    one, other = instance_of(world), instance_of(heavier)
    levels = one.base.astype(int)

    assert (
        losses.information_loss(one.hierarchy_tables, one.profiles.codes, levels).tolist()
        == losses.information_loss(other.hierarchy_tables, other.profiles.codes, levels).tolist()
    )


@pytest.mark.parametrize(("rows", "weight"), [([["m", "*"], ["f", "*"]], 0.0), ([["m", "*"]], 1.0)])
def test_a_question_where_nothing_can_be_lost_is_refused(rows, weight):
    hierarchies = [Hierarchy.from_rows(rows, name="sex")]

    with pytest.raises(InvalidScenarioError, match="information loss is undefined"):
        losses.compile_hierarchy_tables(Lattice.of(hierarchies), hierarchies, [weight])
