"""Does each game permit what the oracle permits?"""

import numpy as np
import pytest
from hypothesis import given
from oracle_worlds import first_records, floors_of, game_of, instance_of
from oracles import GAMES, permitted, start
from worlds import worlds

from gamedeid.game.rules import Game


@pytest.mark.parametrize("name", GAMES)
@given(world=worlds())
def test_a_strategy_is_permitted_where_the_oracle_permits_it(name, world):
    instance = instance_of(world)
    game = game_of(world, instance, name)
    nodes = np.arange(instance.lattice.size)
    for profile, record in enumerate(first_records(instance)):
        who = np.full(len(nodes), profile)
        attacked = instance.payoffs.attacked(instance.people(who, nodes))
        mask = game.permits(instance, who, nodes, attacked).tolist()

        assert [permitted(world, record, name, instance.lattice.levels_of(node)) for node in nodes] == mask


@pytest.mark.parametrize("name", GAMES)
@given(world=worlds())
def test_the_floor_is_where_the_oracle_starts(name, world):
    instance = instance_of(world)
    game = game_of(world, instance, name)

    assert [start(world, r, name) for r in first_records(instance)] == [tuple(f) for f in game.floors.tolist()]
    assert (name, name == "no-attack") == (game.name, game.forbids_attack)


@given(world=worlds())
def test_the_floors_of_a_game_are_its_own(world):
    instance = instance_of(world)
    floors = floors_of(world, instance).copy()
    game = Game.of("sh-friendly", instance, floors)
    before = game.floors.tolist()
    floors += 1

    assert before == game.floors.tolist()
    with pytest.raises(ValueError, match="read-only"):
        game.floors[0] = 0
