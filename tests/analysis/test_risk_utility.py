"""Risk against utility: uniform policies, a strategy for each record, and dominance."""

import dataclasses
import json
from collections.abc import Mapping
from itertools import product

import numpy as np
import pandas as pd
import pytest
from depth import tries
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from oracle_recipients import outcome_at, recipients_of
from oracle_risk_utility import (
    beats,
    every_strategy,
    place_of,
    record_level_places,
    uniform_places,
)
from oracle_worlds import LAYOUTS, game_of, instance_of, played, policy_of, strategies, study_of
from oracles import Strategy, World, at_top_where_missing, information_loss
from questions import message, question
from recipient_instances import instance_with
from small_world import UNMATCHED_SAFE, gamedeid_prints, small_world
from worlds import few_strategies, worlds

import gamedeid
from gamedeid import InvalidScenarioError, Scenario, Study, policy_solution, risk_utility, solve
from gamedeid.analysis import risk_utility_curve
from gamedeid.analysis.risk_utility import RiskUtility
from gamedeid.analysis.risk_utility_curve import RiskUtilityCurve, record_level_curve
from gamedeid.analysis.risk_utility_positions import (
    MEASURED,
    RISK_MEASURES,
    Positions,
    find_dominating,
    measure_sums,
    on_pareto_front,
    uniform_strategy,
    uniform_sums,
)
from gamedeid.choices import GAMES, RISKS, RiskName
from gamedeid.game.frontier import Frontier
from gamedeid.game.instance import Instance

NEAR = 1e-9
SOME = tries(8, 300)  # worlds for tests with a slow oracle
FEW = 8  # strategies of a world whose releases are all tried
PEOPLE = pd.DataFrame({"age": [48, 48, 51, 93, 20, 21], "sex": ["Male", "Male", "Male", "Female", "Female", "Male"]})


def positions(instance: Instance, sums: np.ndarray) -> Positions:
    return Positions.of(np.atleast_2d(sums), int(instance.profiles.records.sum()), instance.payoffs.benefit)


def curve_of(world: World, instance: Instance, risk: RiskName) -> RiskUtilityCurve:
    return record_level_curve(instance, Frontier.compile(instance, game_of(world, instance, "basic").floors), risk)


def smaller(world: World, profiles: int = 3) -> World:
    """Return the world with few strategies, and with the records of the first few profiles."""
    kinds = [tuple(record.values()) for record in world.records]
    first = list(dict.fromkeys(kinds))[:profiles]
    kept = [place for place, kind in enumerate(kinds) if kind in first]
    fewer = dataclasses.replace(
        world,
        records=[world.records[place] for place in kept],
        floors=[world.floors[place] for place in kept],
        population=world.population or [(record, 1) for record in world.records],
    )
    return few_strategies(fewer, FEW)


@settings(max_examples=SOME)
@given(world=worlds(), layout=st.sampled_from(LAYOUTS))
def test_a_plain_loop_gives_the_same_risk_and_utility_of_uniform_policies(world, layout):
    world = few_strategies(world)
    instance = instance_of(world, layout)
    uniform = positions(instance, uniform_sums(instance))

    for node, place in enumerate(uniform_places(world)):
        assert place.kept == pytest.approx(uniform.information_kept[node], abs=NEAR)
        assert float(place.adversary) == pytest.approx(uniform.expected_reidentifications[node], abs=NEAR)
        assert float(place.marketer) == pytest.approx(uniform.marketer_reidentifications[node], abs=NEAR)
        assert float(place.attacked) == pytest.approx(uniform.attacked[node], abs=NEAR)
    assert not uniform.withheld.any()


@given(world=worlds(), risk=st.sampled_from(RISKS))
def test_a_plain_loop_finds_the_same_dominating_and_undominated_policies(world, risk):
    world = few_strategies(world)
    instance = instance_of(world)
    uniform = positions(instance, uniform_sums(instance))
    policy = policy_of(world, instance)
    mine = positions(instance, measure_sums(instance, policy.choice.nodes))
    risks, kept = uniform.risk(risk), uniform.information_kept
    found = find_dominating(risks, kept, (mine.risk(risk)[0], mine.information_kept[0]), risks.max())

    places, its = uniform_places(world), place_of(world, strategies(policy))
    assert [beats(place, its, risk) for place in places] == found.better.tolist()
    both = [getattr(place, risk) < getattr(its, risk) and place.kept > its.kept for place in places]
    assert both == found.better_on_both.tolist()
    equal = [(getattr(place, risk), place.kept) == (getattr(its, risk), its.kept) for place in places]
    assert equal == found.equal.tolist()
    free = [not any(beats(other, place, risk) for other in places) for place in places]
    assert free == on_pareto_front(risks, kept).tolist()


@settings(max_examples=SOME)
@given(world=worlds(), risk=st.sampled_from(RISKS))
def test_the_curve_is_the_concave_hull_of_all_releases(world, risk):
    world = smaller(world)
    curve = curve_of(world, instance_of(world), risk)
    places = [(float(getattr(place, risk)), place.kept) for place in record_level_places(world)]

    for risk_there, kept in places:  # nothing is above it
        assert kept <= curve.bound(risk_there) + NEAR
    possible = np.array(places)
    for point in zip(curve.risk, curve.information_kept, strict=True):  # each of its corners can be reached
        assert (np.abs(possible - point).max(axis=1) < NEAR).any()
    assert possible[:, 0].min() == pytest.approx(curve.risk[0], abs=NEAR)
    assert possible[:, 1].max() == pytest.approx(curve.information_kept[-1], abs=NEAR)
    least = possible[possible[:, 0] < possible[:, 0].min() + NEAR, 1].max()
    assert least == pytest.approx(curve.information_kept[0], abs=NEAR)
    most = possible[possible[:, 1] > possible[:, 1].max() - NEAR, 0].min()
    assert most == pytest.approx(curve.risk[-1], abs=NEAR)
    assert (np.diff(curve.prices) <= NEAR * max(world.benefit, 1)).all()
    assert (np.diff(curve.risk) > 0).all()
    assert (np.diff(curve.information_kept) > 0).all()


@settings(max_examples=SOME)
@given(world=worlds(), layout=st.sampled_from(LAYOUTS))
def test_the_games_are_on_the_curve_of_their_adversary(world, layout):
    instance = instance_of(world, layout)
    curve = curve_of(world, instance, "adversary")
    basic, no_attack = (
        positions(instance, measure_sums(instance, played(world, game).choice.nodes)) for game in ("basic", "no-attack")
    )

    near = NEAR * max(world.benefit, world.loss, 1)
    assert curve.positions.publisher_payoff.max() == pytest.approx(basic.publisher_payoff[0], abs=2 * near)
    assert curve.information_kept[0] == pytest.approx(no_attack.information_kept[0], abs=2 * NEAR)
    assert curve.risk[0] == 0


@settings(max_examples=SOME)
@given(world=worlds(), data=st.data(), risk=st.sampled_from(("adversary", "attacked")))
def test_against_recipients_counting_people_one_by_one_gives_the_same_risk_and_utility(world, data, risk):
    world = smaller(world)
    recipients = data.draw(recipients_of(world))
    instance = instance_with(world, recipients, {f"r{place}": one.section for place, one in enumerate(recipients)})
    of_record = instance.profiles.of_record.tolist()
    records = len(of_record)

    def stands(strategies: Mapping[int, Strategy | None]) -> tuple[float, float, float]:
        """Return a release's risk, information kept and mean payoff, by profile."""
        kept = found = paid = 0.0
        for record, profile in enumerate(of_record):
            if (strategy := strategies[profile]) is not None:
                outcome, _ = outcome_at(world, recipients, record, at_top_where_missing(world, record, strategy))
                kept += 1 - information_loss(world, record, outcome.strategy)
                found += outcome.reidentifications if risk == "adversary" else outcome.attacked / records
                paid += outcome.publisher_payoff
        return found, kept / records, paid / records

    uniform = positions(instance, uniform_sums(instance))
    profiles, every = range(instance.profiles.count), [*every_strategy(world)]
    for node, strategy in enumerate(every):
        there = uniform.risk(risk)[node], uniform.information_kept[node], uniform.publisher_payoff[node]
        assert stands(dict.fromkeys(profiles, strategy)) == pytest.approx(there, abs=NEAR * max(1, world.benefit))
    curve = curve_of(world, instance, risk)
    alone = [dict.fromkeys(profiles) | {one: each} for one in profiles for each in every]
    options = [[(0.0, 0.0), *(stands(one)[:2] for one in alone if one[profile])] for profile in profiles]
    possible = np.array([np.sum(chosen, axis=0) for chosen in product(*options)])
    for risk_there, kept in possible:
        assert kept <= curve.bound(risk_there) + NEAR
    for point in zip(curve.risk, curve.information_kept, strict=True):
        assert (np.abs(possible - point).max(axis=1) < NEAR).any()


@given(world=worlds())
def test_a_policy_is_uniform_where_some_uniform_one_releases_the_same(world):
    world = few_strategies(world)
    instance = instance_of(world)
    levels = instance.lattice.levels(policy_of(world, instance).choice.nodes)
    released = [
        (np.maximum(instance.base, instance.lattice.levels_of(node)) == levels).all()
        for node in range(instance.lattice.size)
    ]
    uniform = uniform_strategy(instance, levels)

    assert any(released) == (uniform is not None)
    if uniform is not None:
        assert released[instance.lattice.node(uniform)]


def test_numbers_that_differ_by_rounding_are_equal():
    risk, kept = np.array([0.1 + 0.2, 0.3, 0.2]), np.array([0.5, 0.5 + 1e-16, 0.1])

    found = find_dominating(risk, kept, (0.3, 0.5), 0.3)
    assert [False, False, False] == found.better.tolist()
    assert [True, True, False] == found.equal.tolist()
    assert [True, True, True] == on_pareto_front(risk, kept).tolist()


def test_sums_are_the_same_however_many_steps_are_added_up_at_once(study, monkeypatch):
    whole = record_level_curve(study.instance, study.frontier("basic"), risk="adversary")
    monkeypatch.setattr(risk_utility_curve, "_BLOCK", 7)
    parts = record_level_curve(study.instance, study.frontier("basic"), risk="adversary")

    assert np.allclose(whole.risk, parts.risk, rtol=0, atol=1e-12)
    assert np.allclose(whole.information_kept, parts.information_kept, rtol=0, atol=1e-14)
    assert whole.prices.tolist() == parts.prices.tolist()


@pytest.fixture(scope="module")
def of_quickstart(study) -> RiskUtility:
    return risk_utility(study)


def test_policy_and_games_have_the_measures_of_their_solutions(of_quickstart):
    study = of_quickstart.study
    solutions = [policy_solution(study, study.scenario_policy), *(solve(study, game=game) for game in GAMES)]

    assert ("safe-harbor", *GAMES) == of_quickstart.names
    for place, solution in enumerate(solutions):
        found = of_quickstart.releases.at(place)
        for name in ("expected_reidentifications", "attacked", "withheld", "publisher_payoff"):
            assert solution.measures[name] == pytest.approx(found[name], rel=1e-12)
        assert solution.marketer["reidentifications"] == pytest.approx(found["marketer_reidentifications"])


def test_the_tables_have_every_uniform_policy_and_the_ends_of_the_curve(of_quickstart):
    uniform, curve = of_quickstart.uniform_rows, of_quickstart.curve_rows
    content = of_quickstart.as_dict()

    assert {288} == {len(column) for column in uniform.values()}
    assert (0, 0, 0, 0) == tuple(uniform[name][0] for name in of_quickstart.study.instance.hierarchies)
    assert content["uniform"]["beat_policy"] == sum(uniform["beats_policy"])
    assert content["uniform"]["on_frontier"] == sum(uniform["on_frontier"])
    assert uniform["value"] == [1200 * kept for kept in uniform["information_kept"]]
    assert content["record_level"]["least_risk"] == {name: curve[name][0] for name in MEASURED}
    assert content["record_level"]["most_information"] == {name: curve[name][-1] for name in MEASURED}
    assert curve["price"][-1] is None
    assert curve["shadow_price"][-1] == 0
    assert all(one >= other for one, other in zip(curve["price"], curve["price"][1:-1], strict=False))
    assert "shadow_price" not in risk_utility(of_quickstart.study, risk="marketer").curve_rows


def test_figures_at_the_policys_risk_and_information_are_the_best_of_their_kind(of_quickstart):
    content, uniform = of_quickstart.as_dict(), of_quickstart.uniform
    mine = of_quickstart.policy
    risk, kept = uniform.expected_reidentifications, uniform.information_kept

    at_risk, at_information = content["at_policy_risk"], content["at_policy_information"]
    within = risk <= mine["expected_reidentifications"]
    assert at_risk["uniform"]["information_kept"] == kept[within].max()
    enough = kept >= mine["information_kept"]
    assert at_information["uniform"]["expected_reidentifications"] == risk[enough].min()
    assert at_risk["record_level"]["expected_reidentifications"] <= mine["expected_reidentifications"]
    assert at_risk["uniform"]["information_kept"] <= at_risk["record_level"]["information_kept"] <= at_risk["bound"]
    assert mine["information_kept"] <= at_information["record_level"]["information_kept"]


@settings(max_examples=tries(8, 100))
@given(world=worlds(), risk=st.sampled_from(RISKS))
def test_at_the_policys_risk_and_information_no_release_is_better_than_the_bound_nor_worse_than_a_uniform_one(
    world, risk
):
    assume(min(world.loss, world.gain) > 0)
    world = smaller(world, 2)
    result = risk_utility(study_of(world), risk=risk)
    content, measure = result.as_dict(), RISK_MEASURES[risk]
    mine = result.policy
    places = [(float(getattr(place, risk)), place.kept) for place in record_level_places(world)]
    within, as_much = content["at_policy_risk"], content["at_policy_information"]

    most = max(kept for other, kept in places if other <= mine[measure] + NEAR)
    least = min(other for other, kept in places if kept >= mine["information_kept"] - NEAR)
    floor = max(mine["information_kept"], within["uniform"]["information_kept"] if within["uniform"] else 0.0)
    assert floor - NEAR <= within["record_level"]["information_kept"] <= most + NEAR <= within["bound"] + 2 * NEAR
    assert within["record_level"][measure] <= mine[measure] + NEAR
    ceiling = min(mine[measure], as_much["uniform"][measure])
    assert least - NEAR <= as_much["record_level"][measure] <= ceiling + NEAR
    assert as_much["record_level"]["information_kept"] >= mine["information_kept"] - NEAR


def test_between_two_corners_of_the_curve_the_policy_is_the_release_at_hand(tmp_path):
    # 41 Male: 5 people unchanged, 6 as a pair of ages (a third lost), 16 without age (two thirds lost): by the
    # risk of the marketer the pair is below the line from 1/16 to 1/5
    scenario = small_world(tmp_path, records="name,age,sex,income\nA,41,Male,>50K\n")
    content = risk_utility(Study.prepare(Scenario.read(scenario, {"floor": "pairs"})), risk="marketer").as_dict()

    for found in (content["at_policy_risk"], content["at_policy_information"]):
        for place in (found["uniform"], found["record_level"]):
            assert (2 / 3, 1 / 6) == pytest.approx((place["information_kept"], place["marketer_reidentifications"]))


def test_a_policy_can_have_less_risk_than_every_uniform_one(tmp_path):
    rule = '[[policy.pairs.rules]]\nwhen = { age = ["40"] }\nlevels = { age = 1, sex = 1 }\n'
    scenario = small_world(
        tmp_path,
        scenario='floor = "pairs"' + UNMATCHED_SAFE.replace("levels = { age = 1 }\n", rule),
        ages="40;*\n41;*\n50;*\n",
        records="name,age,sex,income\nA,40,Male,>50K\nB,41,Female,>50K\n",  # no one of 41 is in the population
        people="age,sex,count\n40,Male,1\n50,Male,2\n50,Female,1\n",
    )
    content = json.loads(gamedeid_prints("frontier", scenario, "--risk", "marketer", "--json"))
    said = gamedeid_prints("frontier", scenario, "--risk", "marketer")

    assert content["at_policy_risk"]["uniform"] is None
    assert 0.5 == content["at_policy_risk"]["record_level"]["information_kept"]
    assert "every uniform policy has more risk, and at no more risk a strategy for each record keeps 50.00%" in said
    assert "no uniform policy has so little" in said


def test_a_long_table_is_thinned_and_keeps_its_ends(of_quickstart):
    curve = of_quickstart.curve
    places = curve.shown(30)

    assert len(places) <= 30
    assert (0, len(curve.risk) - 1) == (places[0], places[-1])
    assert (np.diff(places) > 0).all()
    assert range(len(curve.risk)) == curve.shown(len(curve.risk)).tolist() or len(curve.shown(10**6)) == len(curve.risk)


def test_where_nobody_is_attacked_the_curve_is_one_release():
    study = Study.prepare(question({"payoffs.cost": 1000}), PEOPLE)
    result = risk_utility(study)

    assert [0.0] == result.curve.risk.tolist()
    assert [1.0] == result.curve.information_kept.tolist()
    assert [None] == result.curve_rows["price"]
    assert 1 == result.as_dict()["uniform"]["on_frontier"]


def test_an_incomparable_solution_is_refused():
    study = Study.prepare(question(), PEOPLE)
    assert "there is no risk `markter`; did you mean `marketer`?" in message(
        InvalidScenarioError, gamedeid.risk_utility, study, risk="markter"
    )
    renamed = question({"attributes": {"value": {"hierarchy": "age"}, "sex": {"hierarchy": "sex"}}})
    named = Study.prepare(renamed, PEOPLE.rename(columns={"age": "value"}))
    assert "attributes.value: a table of uniform policies has a column of this name" in message(
        InvalidScenarioError, gamedeid.risk_utility, named
    )
