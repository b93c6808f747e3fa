"""Several records of one person: counted once, with one strategy for all of them."""

from collections import Counter
from dataclasses import replace
from typing import Any

import oracle_persons as by_hand
import pytest
from depth import tries
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle_worlds import leaf_floors, strategies, study_of
from oracles import GAMES, SAME, World, measures
from worlds import few_strategies, worlds

from gamedeid import Solution, policy_solution, solve
from gamedeid.choices import AWARE_GAMES
from gamedeid.risk.aware import aware_risk
from gamedeid.risk.records import record_risks


@st.composite
def panels(draw: st.DrawFn) -> tuple[World, list[int]]:
    """Draw a world and the persons of its records; often a person's records differ."""
    world = few_strategies(draw(worlds()), 36)
    owners = draw(st.lists(st.integers(0, 4), min_size=len(world.records), max_size=len(world.records)))
    if draw(st.integers(0, 2)):
        world = replace(world, population=None)  # people are counted among the records, where they may differ
    return replace(world, gain=world.gain or 0.25, loss=world.loss or 0.25), owners


def assert_as_by_hand(solution: Solution, world: World, owners: list[int], outcomes: dict[int, Any]) -> None:
    assert [outcomes[owner].strategy for owner in owners] == strategies(solution)
    expected = measures(list(outcomes.values()))
    found = solution.measures
    assert expected == pytest.approx(found, abs=SAME * max(world.benefit, world.gain, world.loss, 1))
    assert expected["records"] == found["records"] == len(set(owners))


@given(panel=panels(), game=st.sampled_from(GAMES))
def test_every_person_plays_one_strategy_and_is_counted_once(panel, game):
    world, owners = panel
    study = study_of(world, owners)
    floors = leaf_floors(world)

    outcomes = {person: by_hand.play(world, owners, person, game, floors) for person in set(owners)}
    for solver in ("exact", "backward-induction"):
        assert_as_by_hand(solve(study, game=game, solver=solver), world, owners, outcomes)


@given(panel=panels())
def test_a_policy_asks_for_no_less_than_the_levels_at_which_rows_agree(panel):
    world, owners = panel
    study = study_of(world, owners)
    outcomes = {person: by_hand.policy(world, owners, person, leaf_floors(world)) for person in set(owners)}

    assert_as_by_hand(policy_solution(study, study.scenario_policy), world, owners, outcomes)


@settings(max_examples=tries(8, 200))
@given(panel=panels(), game=st.sampled_from(GAMES))
def test_a_quick_search_finds_nothing_below_the_agreement_and_nothing_better(panel, game):
    world, owners = panel
    study = study_of(world, owners)
    best, quick = (solve(study, game=game, solver=solver) for solver in ("exact", "lattice-search"))

    assert (quick.levels >= study.instance.base).all()
    assert (quick.publisher_payoff <= best.publisher_payoff + SAME * world.benefit).all()


@settings(max_examples=tries(8, 200))
@given(panel=panels(), game=st.sampled_from(GAMES))
def test_the_order_of_the_records_and_the_words_of_the_keys_change_nothing(panel, game):
    world, owners = panel
    here, there = (solve(study_of(world, owners, shuffled=shuffled), game=game) for shuffled in (False, True))

    assert strategies(here) == strategies(there)[::-1]
    assert here.measures == pytest.approx(there.measures)


@settings(max_examples=tries(8, 200))
@given(panel=panels(), game=st.sampled_from(GAMES))
def test_risks_are_of_people(panel, game):
    world, owners = panel
    solution = solve(study_of(world, owners), game=game)
    risks = record_risks(solution)
    released = solution.release(keep_order=True)
    classes: dict[tuple[Any, ...], set[int]] = {}
    kept = [owner for owner, strategy in zip(owners, strategies(solution), strict=True) if strategy is not None]
    for owner, row in zip(kept, released[list(world.ladders)].itertuples(index=False), strict=True):
        classes.setdefault(tuple(row), set()).add(owner)

    assert len(set(owners)) == risks.records
    assert len(set(kept)) == risks.released
    assert min((len(people) for people in classes.values()), default=None) == risks.k_anonymity
    assert len(set(kept)) == sum(len(people) for people in classes.values())  # all rows of a person look alike


@settings(max_examples=tries(30, 400))
@given(panel=panels(), game=st.sampled_from((*GAMES, *AWARE_GAMES)))
def test_a_recipient_who_knows_the_method_counts_people_with_all_rows_released_alike(panel, game):
    world, owners = replace(panel[0], population=None), panel[1]
    solution = solve(study_of(world, owners), game=game)
    found, own = aware_risk(solution), strategies(solution)
    rows = solution.release(keep_order=True)[list(world.ladders)].itertuples(index=False)
    of_people: dict[int, set[Any]] = {}
    for owner, strategy in zip(owners, own, strict=True):
        if strategy is not None:
            of_people.setdefault(owner, set()).add((strategy, *next(rows)))
    assert all(1 == len(looks) for looks in of_people.values())  # all rows of a person show the same
    sizes = Counter(next(iter(looks)) for looks in of_people.values())
    expected = [sizes[next(iter(of_people[owner]))] if owner in of_people else 0 for owner in owners]

    assert expected == found.people[solution.study.instance.profiles.of_record].tolist()
    reidentified = sum(1 for people in sizes.values() if world.gain > world.cost * people)
    assert reidentified == pytest.approx(found.measures["expected_reidentifications"])
    if game in GAMES:
        floors = leaf_floors(world)
        by_one = {person: by_hand.play(world, owners, person, game, floors).strategy for person in set(owners)}
        assert [by_one[owner] for owner in owners] == own
    if game == "aware-no-attack":
        assert 0 == reidentified
    if game == "aware-basic":
        assert solution.mechanism is not None
        assert solution.mechanism.facts.publisher_payoff == pytest.approx(found.measures["publisher_payoff"])
