"""Does a plain loop over all persons find the people who match for an adversary who knows the mechanism?"""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from oracle_worlds import cells_of, game_of, instance_of
from oracles import Strategy, Values, World, algorithm_1, algorithm_2, seen
from worlds import chains, worlds

from gamedeid.game.mechanism.aware_people import aware_people, population_instance, released_groups
from gamedeid.game.rules import Game
from gamedeid.game.solvers import SOLVERS
from gamedeid.kernels.tables import WITHHELD

PLAY = {"exact": algorithm_1, "lattice-search": algorithm_2}


def persons(world: World) -> list[Values]:
    """Return all people, one by one."""
    if world.population is None:
        return world.records
    return [values for values, times in world.population for _ in range(times)]


def own_strategy(world: World, person: Values, game: str, solver: str) -> Strategy | None:
    """Return the strategy of a person as if the person were a record."""
    population = world.population or [(values, 1) for values in world.records]
    asked = replace(world, records=[person], population=population, floors=[{}])
    return PLAY[solver](asked, 0, game).strategy


def aware_people_one_by_one(world: World, game: str, solver: str) -> list[int]:
    """Count for each record the persons who match it and whose own strategy is the record's."""
    own: dict[tuple[str | None, ...], Strategy | None] = {}
    for person in [*persons(world), *world.records]:
        if tuple(person.values()) not in own:  # the same values, the same game
            own[tuple(person.values())] = own_strategy(world, person, game, solver)
    everybody = [(person, own[tuple(person.values())]) for person in persons(world)]
    found = []
    for record in world.records:
        strategy = own[tuple(record.values())]
        same = [person for person, own in everybody if own == strategy]
        found.append(
            0
            if strategy is None
            else sum(seen(world, person, strategy) == seen(world, record, strategy) for person in same)
        )
    return found


@given(
    world=st.one_of(worlds(), chains()),
    game=st.sampled_from(("basic", "no-attack")),
    solver=st.sampled_from(tuple(PLAY)),
    layout=st.sampled_from(("dense", "sparse", "scan")),
)
def test_aware_people_are_those_found_one_by_one(world, game, solver, layout):
    there = instance_of(world, layout)
    everybody = population_instance(there, cells_of(world))
    chosen = SOLVERS[solver](everybody, Game.of(game, everybody, everybody.base)).nodes
    nodes = SOLVERS[solver](there, game_of(world, there, game)).nodes

    found = aware_people(everybody, chosen, there, nodes)[there.profiles.of_record]
    assert aware_people_one_by_one(world, game, solver) == found.tolist()
    released = np.flatnonzero(nodes != WITHHELD)
    least = aware_people(everybody, chosen, there, nodes)[released]
    assert (least <= there.people(released, nodes[released])).all()


@given(world=worlds(), game=st.sampled_from(("basic", "no-attack")))
def test_groups_of_the_population_hold_all_released_people(world, game):
    there = instance_of(world)
    everybody = population_instance(there, cells_of(world))
    chosen = SOLVERS["exact"](everybody, Game.of(game, everybody, everybody.base)).nodes
    groups = released_groups(everybody, chosen)

    assert everybody.profiles.records.sum() == len(persons(world))
    assert groups.people.sum() == everybody.profiles.records[chosen != WITHHELD].sum()
    assert aware_people(everybody, chosen, everybody, chosen).tolist() == groups.people_of_profile.tolist()
    released = np.flatnonzero(chosen != WITHHELD)
    assert (groups.people_of_profile[released] <= everybody.people(released, chosen[released])).all()
    assert (groups.people_of_profile[released] >= everybody.profiles.records[released]).all()
    assert np.unique(groups.of_profile[released]).tolist() == list(range(len(groups.people)))
