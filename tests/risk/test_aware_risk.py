"""Do plain loops over all persons confirm the risk by an adversary, or recipients, who know the mechanism?"""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from case_study import SCENARIO as CASE_STUDY
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
    release_among,
    seen,
    withhold,
)
from questions import question
from small_world import SCENARIO, gamedeid_says, small_world
from worlds import few_strategies, worlds

import gamedeid
from gamedeid import Solution, Study, policy_solution, solve
from gamedeid.risk.aware import AUDITED, aware_risk
from gamedeid.scenario.limits import Limits

OWN = "own"
PEOPLE = pd.DataFrame({"age": [48, 48, 51, 93], "sex": ["Male", "Male", "Male", "Female"]})


def solved(study: Study, game: str) -> Solution:
    return policy_solution(study, study.policy(OWN)) if game == OWN else solve(study, game=game)


def own_outcome(world: World, person: Values, game: str) -> Outcome:
    """Return the outcome of a person as if the person were a record."""
    floors = leaf_floors(world)
    floor = {name: floors[name].get(value, 0) for name, value in person.items() if value is not None}
    population = world.population or [(values, 1) for values in world.records]
    asked = replace(world, records=[person], population=population, floors=[floor])
    return policy_outcome(asked, 0) if game == OWN else algorithm_1(asked, 0, game)


def aware_people_of(world: World, record: Values, strategy: Strategy, game: str, played: dict[Any, Outcome]) -> int:
    """Count the persons who match and would be released in the same way, with the record's missing values."""
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
    """Return the outcome of a record if the adversary knows the mechanism."""
    outcome = own_outcome(world, record, game)
    if outcome.strategy is None:
        return outcome
    people = aware_people_of(world, record, outcome.strategy, game, played)
    if people == 0 and world.population is not None and world.unmatched == "unique":
        people = 1
    alone = replace(world, records=[record], floors=[{}])
    return release_among(alone, 0, outcome.strategy, people, searched=outcome.searched)


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
    """Return the outcome of a person as if a record, if all records have one strategy."""
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
        complete = [(one, 1) for one in world.records if None not in one.values()]
        world = replace(world, population=complete, unmatched="unique")  # the others may match no one
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
    assert not found.without_aware_people.any()


def test_groups_worth_attacking_are_listed_from_the_smallest():
    solution = gamedeid.solve(question({"payoffs.loss": 200, "payoffs.cost": 60}), PEOPLE)
    found = aware_risk(solution)
    groups = found.worst_groups(with_values=True)

    assert [group["aware_people"] for group in groups] == sorted(group["aware_people"] for group in groups)
    assert sum(group["records"] for group in groups) == found.measures["attacked"] * 4
    assert {"levels", "people", "aware_people", "records", "values"} == set(groups[0])
    assert "values" not in found.worst_groups(1)[0]
    assert not found.worst_groups(0)


def test_withheld_records_are_in_no_group():
    solution = gamedeid.solve(question({"payoffs.loss": 1000}), PEOPLE[:1])
    found = aware_risk(solution)

    assert [0] == found.people.tolist()
    assert not found.worst_groups()
    plain = found.as_dict()
    assert plain["naive"] == plain["aware"]
    assert {"1": 0.0, "3": 0.0, "5": 0.0, "10": 0.0} == plain["aware"]["groups"]


def test_the_case_study_is_as_an_independent_program_found_it():
    study = Study.prepare(CASE_STUDY)
    for game, attacked, probability in (("no-attack", 0.1018, 0.00772), ("basic", 0.2490, 0.01833)):
        found = aware_risk(solve(study, game=game)).measures
        assert attacked == round(found["attacked"], 4)
        assert probability == round(found["reidentification_probability"], 5)


# --- recipients, by the commands and from Python ----------------------------------------------------------------------


SIX = pd.DataFrame({"age": [48, 48, 51, 93, 48, 50], "sex": ["Male", "Male", "Male", "Female", "Female", "Male"]})

VISITS = SIX.assign(age=[45, 48, 51, 93, 48, 50], who=[0, 1, 2, 3, 4, 1])
"""The same with a man of 45, the first age of the group on which both visits of another person agree."""


@pytest.mark.parametrize("people", [SIX, VISITS], ids=["records", "persons"])
@pytest.mark.parametrize("game", ["basic", "no-attack", "sh-friendly"])
def test_two_halves_of_the_adversary_are_the_adversary(game, people):
    half = {"probability": 0.5}
    changes = {"payoffs.cost": 25, "floor": "own", "policy.own.rules": []} if game == "sh-friendly" else {}
    if people is VISITS:  # a small loss, so that ages are released unchanged
        changes |= {"records.person": "who", "payoffs.loss": 1, "payoffs.gain": 90}
    one = aware_risk(gamedeid.solve(question({"payoffs.cost": 25} | changes), people, game=game))
    asked = question({"payoffs.cost": 25, "recipients": {"first": half, "second": half}} | changes)
    two = aware_risk(gamedeid.solve(asked, people, game=game))

    assert one.people.tolist() == two.people.tolist()
    assert one.attacked.tolist() == two.attacked.tolist()
    assert {name: two.measures[name] for name in AUDITED} == pytest.approx(one.measures)
    assert two.recipients["first"] == {"probability": 0.5, **{k: two.recipients["second"][k] for k in SUMS}}
    for measure in SUMS[1:]:
        total = sum(does[measure] for does in two.recipients.values())
        per_record = {"publisher_loss": None, "adversary_payoff": one.measures["adversary_payoff"]}
        if (expected := per_record.get(measure, one.measures.get(measure))) is not None:
            assert total == pytest.approx(expected)


SUMS = ("attacked", "expected_reidentifications", "publisher_loss", "adversary_payoff")


def test_the_publishers_loss_equals_the_missing_payoff():
    asked = question({"recipients": {"all": {}, "age": {"knows": ["age"], "covers": 0.5}, "thief": {"cost": 0}}})
    found = aware_risk(gamedeid.solve(asked, SIX))
    solution = found.solution
    instance = solution.study.instance
    released = ~solution.withheld
    values = instance.values(instance.all_profiles[released], solution.choice.nodes[released])
    lost = (values - found.publisher_payoff[released]) * instance.profiles.records[released]
    each = sum(does["publisher_loss"] for does in found.recipients.values())
    assert lost.sum() / 6 == pytest.approx(each)
    assert each > 0


def test_a_recipient_who_knows_a_value_that_a_record_lacks_knows_it_of_all_people():
    """A man and a woman of 48 would be released alike, and there is no other woman."""
    asked = question({"records": {"missing": "suppress"}, "recipients": {"sexes": {"knows": ["sex"], "cost": 0}}})
    people = pd.DataFrame({"age": [48, 51, 51, 51, 48], "sex": ["Male"] * 4 + ["Female"]})
    found = aware_risk(gamedeid.solve(asked, pd.DataFrame({"age": [48], "sex": [None]}), people))

    assert found.people.tolist() == [2]
    assert found.measures["expected_reidentifications"] == pytest.approx(1 / 2)


def test_rows_that_differ_tell_people_apart_who_agree_in_them_as_released():
    """Three people of two ages each, two of them men: a recipient who knows the ages knows which are men."""
    recipients = {"ages": {"knows": ["age"], "cost": 0}}
    asked = question({"records.person": "id", "recipients": recipients, "payoffs.loss": 0.01})
    ages, sexes = [20, 80, 21, 81, 22, 82], ["Male"] * 4 + ["Female"] * 2
    rows = pd.DataFrame({"id": [1, 1, 2, 2, 3, 3], "age": ages, "sex": sexes})
    found = aware_risk(gamedeid.solve(asked, rows))

    assert found.solution.levels.tolist() == [[5, 0], [5, 0]]
    assert found.measures["expected_reidentifications"] == pytest.approx(1 / 2 + 1 / 2 + 1)


@pytest.mark.parametrize("learns", [0.25, 1.0])
def test_learning_at_no_price_equals_two_recipients(learns):
    further = {"knows": ["sex"], "probability": learns}
    one = {"r": {"knows": ["age"], "learns": further}}
    two = {"knows": {"probability": learns}, "not": {"knows": ["age"], "probability": 1 - learns}}
    found, expected = (
        aware_risk(gamedeid.solve(question({"recipients": asked}), SIX)).measures for asked in (one, two)
    )
    assert found == pytest.approx(expected)


RECIPIENTS = """
[recipients.researcher]
[recipients.neighbour]
knows = ["sex"]
covers = 0.6
"""


def test_a_folder_of_recipients_is_audited(tmp_path):
    path = small_world(tmp_path, scenario=SCENARIO + RECIPIENTS)
    folder = tmp_path / "results"
    assert gamedeid_says("run", path, "-o", folder).code == 0
    said = gamedeid_says("audit", folder, path, "--json")
    plain = json.loads(said.out)
    assert list(plain["recipients"]) == ["researcher", "neighbour"]
    summary = json.loads((folder / "summary.json").read_text())
    for name, does in plain["recipients"].items():
        assert does["naive"] == summary["recipients"][name]
    stored = json.loads((folder / "report.json").read_text())["aware"]
    assert stored == {key: plain[key] for key in stored}

    shown = gamedeid_says("audit", folder, path, terminal_columns=100).out
    for name in plain["recipients"]:
        assert f"│ {name}: attacks, if it gets the release" in shown
    assert "If each recipient counts the matching people" in shown
