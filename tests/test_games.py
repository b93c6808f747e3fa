"""Does each game permit what the oracle permits?"""

import numpy as np
import pytest
from adapters import first_records, floors_of, game_of, setting_of
from hypothesis import given
from oracles import GAMES, World, adversary_attacks, people, permitted, start
from worlds import worlds

from gamedeid.choices import GameName
from gamedeid.game.rules import Game


@pytest.mark.parametrize("name", GAMES)
@given(world=worlds())
def test_a_strategy_is_permitted_where_the_oracle_permits_it(name: GameName, world: World) -> None:
    setting = setting_of(world)
    game = game_of(world, setting, name)
    nodes = np.arange(setting.lattice.size)
    for profile, record in enumerate(first_records(setting)):
        who = np.full(len(nodes), profile)
        attacked = setting.payoffs.attacked(setting.people(who, nodes))
        mask = game.permits(setting, who, nodes, attacked).tolist()

        assert [permitted(world, record, name, setting.lattice.levels_of(node)) for node in nodes] == mask


@pytest.mark.parametrize("name", GAMES)
@given(world=worlds())
def test_the_floor_is_where_the_oracle_starts(name: GameName, world: World) -> None:
    setting = setting_of(world)
    game = game_of(world, setting, name)

    assert [start(world, r, name) for r in first_records(setting)] == [tuple(f) for f in game.floors.tolist()]
    assert (name, name == "no-attack") == (game.name, game.forbids_attack)


@given(world=worlds())
def test_only_the_adversary_s_reply_rules_strategies_out_of_no_attack(world: World) -> None:
    setting = setting_of(world)
    game = game_of(world, setting, "no-attack")
    nodes = setting.lattice.nodes(setting.base)
    replies = [
        adversary_attacks(world, people(world, record, start(world, record, "basic")))
        for record in first_records(setting)
    ]

    mask = game.permits(setting, setting.everyone, nodes, np.array(replies))
    assert [not attacked for attacked in replies] == mask.tolist()


@given(world=worlds())
def test_the_floors_of_a_game_are_its_own(world: World) -> None:
    setting = setting_of(world)
    floors = floors_of(world, setting).copy()
    game = Game.of("sh-friendly", setting, floors)
    before = game.floors.tolist()
    floors += 1

    assert before == game.floors.tolist()
    with pytest.raises(ValueError, match="read-only"):
        game.floors[0] = 0
