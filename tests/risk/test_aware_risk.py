"""Is the risk to an adversary who knows the mechanism what plain loops over all persons find?"""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from case_study import SCENARIO
from hypothesis import assume, given
from hypothesis import strategies as st
from oracle_worlds import leaf_floors, study_of
from oracles import (
    SAME,
    Outcome,
    Strategy,
    Values,
    World,
    algorithm_1,
    at_top_where_missing,
    measures,
    permitted,
    policy_outcome,
    publisher_payoff,
    release,
    seen,
    withhold,
)
from questions import question
from worlds import few_strategies, worlds

import gamedeid
from gamedeid.risk.aware import AUDITED, aware_risk
from gamedeid.scenario.limits import Limits
from gamedeid.study.solution import Solution
from gamedeid.study.solve import policy_solution, solve
from gamedeid.study.study import Study

OWN = "own"
PEOPLE = pd.DataFrame({"age": [48, 48, 51, 93], "sex": ["Male", "Male", "Male", "Female"]})


def solved(study: Study, game: str) -> Solution:
    return policy_solution(study, study.policy(OWN)) if game == OWN else solve(study, game=game)


def own_outcome(world: World, person: Values, game: str) -> Outcome:
    """Return what would become of somebody if she were a record."""
    floors = leaf_floors(world)
    floor = {name: floors[name].get(value, 0) for name, value in person.items() if value is not None}
    population = world.population or [(values, 1) for values in world.records]
    asked = replace(world, records=[person], population=population, floors=[floor])
    return policy_outcome(asked, 0) if game == OWN else algorithm_1(asked, 0, game)


def aware_people_of(world: World, record: Values, strategy: Strategy, game: str, played: dict[Any, Outcome]) -> int:
    """Count the persons who match and would be released so, their values missing where the record's are."""
    persons = [(values, 1) for values in world.records] if world.population is None else world.population
    count = 0
    for values, times in persons:
        person = values
        if world.population is not None:
            person = {name: None if record[name] is None else value for name, value in values.items()}
        key = tuple(person.values())
        if times and key not in played:
            played[key] = own_outcome(world, person, game)
        if (
            times
            and played[key].strategy == strategy
            and seen(world, person, strategy) == seen(world, record, strategy)
        ):
            count += times
    return count


def aware_outcome(world: World, record: Values, game: str, played: dict[Any, Outcome]) -> Outcome:
    """Return what becomes of a record when the adversary knows the mechanism."""
    outcome = own_outcome(world, record, game)
    if outcome.strategy is None:
        return outcome
    people = aware_people_of(world, record, outcome.strategy, game, played)
    if people == 0 and world.population is not None and world.unmatched == "unique":
        people = 1
    attacked = people > 0 and world.gain > world.cost * people
    value = world.benefit * (1 - outcome.information_loss)
    return replace(
        outcome,
        attacked=attacked,
        success_probability=1 / people if people else 0.0,
        publisher_payoff=value - world.loss / people if attacked else value,
        adversary_payoff=world.gain / people - world.cost if attacked else 0.0,
    )


@given(world=worlds(), game=st.sampled_from(("basic", "no-attack", "sh-friendly", OWN)))
def test_the_risk_is_that_found_person_by_person(world, game):
    world = replace(few_strategies(world, 24), gain=world.gain or 0.25, loss=world.loss or 0.25)
    found = aware_risk(solved(study_of(world), game))

    played: dict[Any, Outcome] = {}
    outcomes = [aware_outcome(world, record, game, played) for record in world.records]
    of_record = found.solution.study.instance.profiles.of_record
    assert [outcome.attacked for outcome in outcomes] == found.attacked[of_record].tolist()
    chances = [outcome.success_probability for outcome in outcomes]
    np.testing.assert_allclose(chances, found.success_probability[of_record])
    near = SAME * max(world.benefit, world.gain, world.loss, 1)
    expected = measures(outcomes)
    assert {name: expected[name] for name in AUDITED} == pytest.approx(found.measures, abs=near)
    assert found.naive == {name: found.solution.measures[name] for name in AUDITED}


def outcome_at(world: World, person: Values, game: str, strategy: Strategy) -> Outcome:
    """Return what would become of somebody, were she a record, where all records have one strategy."""
    floors = leaf_floors(world)
    floor = {name: floors[name].get(value, 0) for name, value in person.items() if value is not None}
    asked = replace(world, records=[person], floors=[floor])
    here = at_top_where_missing(asked, 0, strategy)
    if not permitted(asked, 0, game, here) or publisher_payoff(asked, 0, here) < -SAME * world.benefit:
        return withhold(searched=1)
    return release(asked, 0, here, searched=1)


@given(world=worlds(), game=st.sampled_from(("basic", "no-attack", "sh-friendly")), cell=st.sampled_from((None, 2)))
def test_with_one_strategy_for_all_the_risk_is_that_found_person_by_person(world, game, cell):
    world = replace(few_strategies(world, 24), gain=world.gain or 0.25, loss=world.loss or 0.25)
    if world.population is None:
        world = replace(world, population=[(one, 1) for one in world.records if None not in one.values()])
        assume(world.population)
    study = study_of(world)
    limits = Limits(uniform=True, smallest_cell=cell)
    solution = solve(study.with_scenario(study.scenario.model_copy(update={"limits": limits})), game=game)
    found = aware_risk(solution)

    for record, mine in zip(world.records, solution.study.instance.profiles.of_record, strict=True):
        people = 0
        if not solution.withheld[mine]:
            strategy = tuple(solution.levels[mine].tolist())
            lacking = {name for name, value in record.items() if value is None}
            living = [values for values, times in world.population if times]
            persons = [{name: None if name in lacking else one[name] for name in one} for one in living]
            played = {tuple(one.values()): outcome_at(world, one, game, strategy) for one in persons}
            people = aware_people_of(world, record, strategy, game, played)
            if people == 0 and world.unmatched == "unique":
                people = 1
        assert people == found.people[mine]


@given(world=worlds(missing=False))
def test_knowing_the_mechanism_never_makes_a_record_of_the_population_safer(world):
    world = replace(world, gain=world.gain or 0.25, loss=world.loss or 0.25, unmatched="error")
    if world.population is not None:
        world = replace(world, population=[*world.population, *((record, 1) for record in world.records)])
    found = aware_risk(solve(study_of(world), game="basic"))

    released = ~found.solution.withheld
    assert (found.people[released] >= 1).all()
    assert (found.people <= found.solution.people).all()
    assert not (found.solution.attacked & ~found.attacked).any()
    assert not found.unlike.any()


def test_groups_worth_attacking_are_listed_from_the_smallest():
    solution = gamedeid.solve(question({"payoffs.loss": 200, "payoffs.cost": 60}), PEOPLE)
    found = aware_risk(solution)
    groups = found.worst_groups(with_values=True)

    assert [group["aware_people"] for group in groups] == sorted(group["aware_people"] for group in groups)
    assert sum(group["records"] for group in groups) == found.measures["attacked"] * 4
    assert {"levels", "people", "aware_people", "records", "values"} == set(groups[0])
    assert "values" not in found.worst_groups(1)[0]
    assert not found.worst_groups(0)


def test_what_is_withheld_is_in_no_group():
    solution = gamedeid.solve(question({"payoffs.loss": 1000}), PEOPLE[:1])
    found = aware_risk(solution)

    assert [0] == found.people.tolist()
    assert not found.worst_groups()
    plain = found.as_dict()
    assert plain["naive"] == plain["aware"]
    assert {"1": 0.0, "3": 0.0, "5": 0.0, "10": 0.0} == plain["aware"]["groups"]


def test_the_case_study_is_as_an_independent_program_found_it():
    study = Study.prepare(SCENARIO)
    for game, attacked, probability in (("no-attack", 0.1018, 0.00772), ("basic", 0.2490, 0.01833)):
        found = aware_risk(solve(study, game=game)).measures
        assert attacked == round(found["attacked"], 4)
        assert probability == round(found["reidentification_probability"], 5)
