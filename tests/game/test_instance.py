"""Is a question compiled into the instance of its games, and an unplayable one refused?"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from oracle_worlds import LAYOUTS, first_records, instance_of, open_nodes
from oracles import World, information_loss, start
from worlds import worlds

from gamedeid.errors import InvalidDataError, UnmatchedRecordError

every_layout = pytest.mark.parametrize("layout", LAYOUTS)

LONELY = World(
    ladders={"sex": [["m", "*"], ["f", "*"]], "zip": [["1", "*"], ["2", "*"]]},
    weights={"sex": 1.0, "zip": 1.0},
    records=[{"sex": "m", "zip": "1"}, {"sex": "f", "zip": "2"}, {"sex": "f", "zip": "2"}],
    population=[({"sex": "m", "zip": "1"}, 5), ({"sex": "f", "zip": "1"}, 5), ({"sex": "f", "zip": "2"}, 0)],
    benefit=100.0,
    loss=50.0,
    gain=50.0,
    cost=1.0,
)


@given(world=worlds())
def test_a_missing_value_starts_at_the_top_and_all_others_at_the_bottom(world):
    instance = instance_of(world)

    expected = [start(world, record, "basic") for record in first_records(instance)]
    assert expected == [tuple(levels) for levels in instance.base.tolist()]


@given(world=worlds())
def test_v_is_the_oracles_benefit_after_information_loss(world):
    instance = instance_of(world)
    for profile, record in enumerate(first_records(instance)):
        nodes = open_nodes(instance, profile)
        strategies = [instance.lattice.levels_of(node) for node in nodes]
        expected = [world.benefit * (1 - information_loss(world, record, strategy)) for strategy in strategies]
        values = instance.values(np.full(len(nodes), profile), nodes)

        assert expected == pytest.approx(values.tolist(), abs=1e-12 * world.benefit)


@given(world=worlds())
def test_profiles_of_one_kind_have_the_same_v_to_the_last_bit(world):
    instance = instance_of(world)
    everything = np.arange(instance.lattice.size)
    seen: dict[int, list[float]] = {}

    assert set(range(instance.data.kinds.max() + 1)) == set(instance.data.kinds.tolist())
    for profile, kind in enumerate(instance.data.kinds.tolist()):
        values = instance.values(np.full(len(everything), profile), everything).tolist()
        assert seen.setdefault(kind, values) == values


def test_an_attribute_without_weight_does_not_separate_kinds():
    known_or_not = replace(
        LONELY, records=[*LONELY.records, {"sex": None, "zip": "1"}], floors=[{}] * 4, unmatched="safe"
    )
    weightless = replace(known_or_not, weights={"sex": 0.0, "zip": 1.0})

    assert 2 == len(set(instance_of(known_or_not).data.kinds))  # a missing sex cannot be lost
    assert 1 == len(set(instance_of(weightless).data.kinds))


@every_layout
def test_unmatched_records_are_refused_with_their_number_and_an_example(layout):
    with pytest.raises(UnmatchedRecordError) as refused:
        instance_of(LONELY, layout)

    assert isinstance(refused.value, InvalidDataError)
    assert str(refused.value) == (
        "2 records match no one in the population; "
        'check that both describe the same people, or set [population] unmatched = "unique" or "safe"'
    )
    assert ("sex=f, zip=2",) == refused.value.data_values


def test_one_unmatched_record_is_singular_and_its_missing_value_a_star():
    gaps = [{"sex": None, "zip": "2"}, {"sex": "m", "zip": None}]
    alone = replace(LONELY, records=gaps, floors=[{}, {}], population=[({"sex": "m", "zip": "1"}, 3)])

    with pytest.raises(UnmatchedRecordError, match=r"^1 record matches no one in the population;") as refused:
        instance_of(alone)
    assert ("sex=*, zip=2",) == refused.value.data_values


@every_layout
def test_an_unmatched_record_counts_as_one_person_or_none_as_the_question_says(layout):
    sizes = {}
    for unmatched in ("unique", "safe"):
        instance = instance_of(replace(LONELY, unmatched=unmatched), layout)
        sizes[unmatched] = instance.people(instance.all_profiles, np.zeros(2, np.int64)).tolist()

    assert {"unique": [5, 1], "safe": [5, 0]} == sizes


@every_layout
@given(world=worlds())
def test_a_world_where_every_record_matches_is_not_refused(layout, world):
    instance = instance_of(world, layout)

    if world.unmatched == "error":
        assert (instance.people(instance.all_profiles, instance.lattice.nodes(instance.base)) > 0).all()
    assert instance.all_profiles.tolist() == list(range(instance.profiles.count))
