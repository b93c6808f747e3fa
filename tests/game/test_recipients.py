"""Does a count of people, one by one, confirm the games of several recipients; is one the paper's adversary?"""

from dataclasses import replace

import numpy as np
import pytest
from depth import tries
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle_recipients import PlainRecipient, attack, best_outcome, every_list, outcome_at, permitted_outcomes
from oracle_worlds import TABLES, first_records, game_of, instance_of, open_nodes
from oracles import GAMES, SAME, Game, World
from oracles import people as people_alike
from recipient_instances import alone, instance_with, with_recipients
from worlds import worlds

from gamedeid.choices import SolverName
from gamedeid.game.frontier import Frontier
from gamedeid.game.instance import Instance
from gamedeid.game.outcomes import Outcomes
from gamedeid.game.replies import Replies
from gamedeid.game.solvers import SOLVERS
from gamedeid.kernels.tables import WITHHELD
from gamedeid.scenario.payoffs import Adversary, Payoffs
from gamedeid.scenario.recipients import Recipient

PROVING: tuple[SolverName, ...] = ("exact", "backward-induction")


def solved(world: World, instance: Instance, game: Game, solver: SolverName) -> Outcomes:
    choice = SOLVERS[solver](instance, game_of(world, instance, game))
    return Outcomes(instance=instance, profiles=instance.all_profiles, nodes=choice.nodes)


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=tries(6, 500))
@given(drawn=with_recipients(), layout=st.sampled_from(TABLES), solver=st.sampled_from(PROVING))
def test_the_game_agrees_with_recipients_who_look_people_up_one_by_one(game, drawn, layout, solver):
    world, recipients = drawn
    instance = instance_with(world, recipients, layout=layout)
    found = solved(world, instance, game, solver)

    for profile, record in enumerate(first_records(instance)):
        expected = best_outcome(world, recipients, record, game)
        node = int(found.nodes[profile])
        assert expected.strategy == (None if node == WITHHELD else instance.lattice.levels_of(node))
        assert expected.attacked == found.attacked[profile]
        close = {"rel": 1e-9, "abs": 1e-9 * world.benefit}
        risk = found.success_probability[profile] * found.attacked[profile]
        assert expected.reidentifications == pytest.approx(risk, rel=1e-9, abs=1e-12)
        assert expected.publisher_payoff == pytest.approx(found.publisher_payoff[profile], **close)
        assert expected.adversary_payoff == pytest.approx(found.adversary_payoff[profile], **close)


@given(drawn=with_recipients(), game=st.sampled_from(GAMES))
def test_lattice_search_keeps_to_the_rules_and_its_bound_holds(drawn, game):
    world, recipients = drawn
    instance = instance_with(world, recipients)
    rules = game_of(world, instance, game)
    choice = SOLVERS["lattice-search"](instance, rules)
    best = SOLVERS["backward-induction"](instance, rules)
    found, most = (
        Outcomes(instance=instance, profiles=instance.all_profiles, nodes=one.nodes) for one in (choice, best)
    )

    assert choice.bounds is not None
    assert (choice.bounds >= most.publisher_payoff - SAME * world.benefit).all()
    assert (found.publisher_payoff <= most.publisher_payoff + SAME * world.benefit).all()
    released = np.flatnonzero(~found.withheld)
    deterrable = found.replies.deterrable[released]
    assert rules.permits(instance, instance.all_profiles[released], choice.nodes[released], deterrable).all()


@settings(max_examples=tries(6, 500))
@given(world=worlds(), game=st.sampled_from(GAMES), solver=st.sampled_from(list(SOLVERS)))
def test_a_recipients_own_copy_of_the_population_changes_nothing(world, game, solver):
    population = [(values, 1) for values in world.records] if world.population is None else world.population
    one = PlainRecipient(
        probability=0.5, gain=world.cost * 5, cost=world.cost, loss=world.benefit, covers=0.6, known=_all(world)
    )
    unmatched = "unique" if world.unmatched == "unique" else "safe"
    copied = replace(one, people=population, unmatched=unmatched)
    main, own = (instance_with(world, [some, replace(one, cost=0.0)]) for some in (one, copied))
    rules = game_of(world, main, game)

    mine, its = (SOLVERS[solver](instance, rules) for instance in (main, own))
    for ours, theirs in ((mine.nodes, its.nodes), (mine.searched, its.searched), (mine.bounds, its.bounds)):
        assert np.array_equal(ours, theirs)  # type: ignore[arg-type]  (bounds may be None)
    totals = [Outcomes(instance=one, profiles=one.all_profiles, nodes=mine.nodes).totals for one in (main, own)]
    assert totals[0] == totals[1]


@given(
    world=worlds(), solver=st.sampled_from(list(SOLVERS)), game=st.sampled_from(GAMES), layout=st.sampled_from(TABLES)
)
def test_one_recipient_is_the_paper_s_adversary_to_the_bit(world, solver, game, layout):
    paper = instance_of(world, layout)
    several = alone(instance_of(world, layout))
    rules = game_of(world, paper, game)
    one, other = (SOLVERS[solver](instance, rules) for instance in (paper, several))

    for ours, theirs in ((one.nodes, other.nodes), (one.searched, other.searched), (one.bounds, other.bounds)):
        assert np.array_equal(ours, theirs)  # type: ignore[arg-type]  (bounds may be None)
    mine, its = (
        Outcomes(instance=instance, profiles=paper.all_profiles, nodes=one.nodes) for instance in (paper, several)
    )
    for name in ("attacked", "success_probability", "publisher_payoff", "adversary_payoff", "totals"):
        assert np.array_equal(getattr(mine, name), getattr(its, name)), name


@given(drawn=with_recipients(), game=st.sampled_from(GAMES))
def test_a_recipient_with_probability_0_changes_nothing(drawn, game):
    world, recipients = drawn
    thief = replace(recipients[0], probability=0.0, cost=0.0, covers=1.0, people=None)
    without, beside = (instance_with(world, some) for some in (recipients, [*recipients, thief]))

    mine, its = (solved(world, instance, game, "exact") for instance in (without, beside))
    assert np.array_equal(mine.nodes, its.nodes)
    assert mine.totals == its.totals


@settings(max_examples=tries(6, 500))
@given(world=worlds(), data=st.data())
def test_a_recipient_who_may_learn_at_no_price_equals_two_recipients(world, data):
    first, last = next(iter(world.ladders)), list(world.ladders)[-1]
    chance = data.draw(st.sampled_from((0.25, 0.5)))
    one = Recipient.model_validate(
        {"probability": 0.5, "gain": 8, "cost": 1, "levels": {first: 1}, "covers": 0.5}
        | {"learns": {"knows": [last], "probability": chance}}
    )
    ignorant = one.model_copy(update={"probability": 0.5 * (1 - chance), "learns": None})
    knows = {"knows": (last,), "levels": {first: 1} if first != last else {}}
    learned = ignorant.model_copy(update={"probability": 0.5 * chance, **knows})
    instance = instance_of(world)
    both = Instance.of(instance.data, instance.payoffs, {"learned": learned, "ignorant": ignorant})

    mine = solved(world, Instance.of(instance.data, instance.payoffs, {"one": one}), "basic", "exact")
    its = solved(world, both, "basic", "exact")
    assert np.array_equal(mine.nodes, its.nodes)
    assert mine.totals == its.totals


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=tries(6, 500))
@given(drawn=with_recipients(), times=st.sampled_from((0.25, 1.0, 3.0)))
def test_the_frontier_chooses_as_backward_induction_at_other_stakes_too(game, drawn, times):
    world, recipients = drawn
    sections = {f"r{place}": one.section for place, one in enumerate(recipients)}
    sections["r0"] = sections["r0"].model_copy(update={"loss": None, "gain": None, "cost": None})
    instance = instance_with(world, recipients, sections)
    rules = game_of(world, instance, game)
    frontier = Frontier.compile(instance, rules.floors)
    stakes = Payoffs(benefit=world.benefit / times, loss=world.loss * times, cost=world.cost, gain=world.gain)
    there = replace(instance, payoffs=stakes)

    expected = SOLVERS["backward-induction"](there, rules).nodes
    assert expected.tolist() == frontier.choose(there, forbids_attack=rules.forbids_attack).tolist()


@settings(max_examples=tries(6, 500))
@given(drawn=with_recipients())
def test_a_recipient_who_knows_less_finds_no_fewer_people(drawn):
    world, recipients = drawn
    instance = instance_with(world, [replace(one, probability=0.5, people=None) for one in recipients])
    for profile, record in enumerate(first_records(instance)):
        nodes = open_nodes(instance, profile)
        alike = [people_alike(world, record, instance.lattice.levels_of(node)) for node in nodes]
        for people in instance.replies(np.full(len(nodes), profile), nodes).people:
            assert (people >= alike).all()


def test_the_chance_of_success_is_that_over_all_lists_that_can_be():
    recipient = PlainRecipient(probability=1.0, gain=100.0, cost=1.0, loss=1.0, covers=0.3, known={"d": 0})
    adversary = Adversary.of(recipient.section, Payoffs(benefit=1, loss=1, cost=1))
    for people in range(1, 7):
        success = paid = 0.0
        for listed in every_list(people):  # person 0 is the released one
            likely = float(np.prod([0.3 if on else 0.7 for on in listed]))
            if any(listed):
                right = listed[0] / sum(listed)
                success += likely * right
                paid += likely * (100 * right - 1)
        expected = (True, pytest.approx(success), pytest.approx(paid))
        sizes = np.array([people])
        assert expected == attack(recipient, people)
        assert success == pytest.approx((1 - 0.7**people) / people)
        found = adversary.attacked(sizes)[0], adversary.success_probability(sizes)[0], adversary.payoff(sizes)[0]
        assert expected == found


def test_attacks_drawn_at_random_succeed_as_often_as_the_formula_says():
    random = np.random.default_rng(14)
    people, covers, tries = 5, 0.4, 40_000
    on_list = random.random((tries, people)) < covers
    picked = np.argmax(np.where(on_list, random.random((tries, people)), -1.0), axis=1)
    right = on_list.any(axis=1) & (picked == 0)
    adversary = Adversary(probability=1.0, gain=1.0, cost=0.0, loss=1.0, covers=covers)
    expected = float(adversary.success_probability(np.array([people]))[0])

    assert abs(right.mean() - expected) < 4 * (expected * (1 - expected) / tries) ** 0.5


def test_the_expected_loss_may_rise_with_more_people_where_learning_has_a_price():
    learned = Adversary(probability=0.5, gain=90.0, cost=20.0, loss=90.0, covers=1.0, price=8.0, learning_chance=0.5)
    unlearned = replace(learned, price=0.0, learning_chance=1.0)
    people = (np.array([2, 2]), np.array([3, 4]))  # with and without what the recipient may learn
    replies = Replies(adversaries=(learned, unlearned), people=people)

    assert replies.learning[0] is not None
    assert [False, True] == replies.learning[0].tolist()
    assert [30.0, 33.75] == replies.expected_loss.tolist()
    assert [10.0, 5.75] == replies.adversary_payoff.tolist()
    assert [[3, 2], [3, 4]] == [some.tolist() for some in replies.people_decided_among]


@settings(max_examples=tries(6, 500))
@given(drawn=with_recipients())
def test_attacks_only_end_on_the_way_down(drawn):
    world, recipients = drawn
    instance = instance_with(world, recipients)
    levels = instance.hierarchy_tables.levels
    for profile in range(instance.profiles.count):
        nodes = open_nodes(instance, profile)
        replies = instance.replies(np.full(len(nodes), profile), nodes)
        known = np.all([people > 0 for people in replies.people], axis=0)
        for place in np.flatnonzero(replies.attacked):
            finer = (levels[nodes] <= levels[nodes[place]]).all(axis=1) & known
            assert replies.attacked[finer].all()


def test_a_thief_attacks_all_records_and_no_attack_ignores_the_thief():
    thief = Adversary(probability=0.5, gain=1.0, cost=0.0, loss=90.0, covers=1.0)

    assert [False, True, True] == thief.attacked(np.array([0, 1, 10**9])).tolist()
    assert not thief.weighs_cost
    assert 45 / 10**9 == thief.publisher_loss(np.array([10**9]))[0]
    assert 0 == Adversary(probability=1.0, gain=0.0, cost=0.0, loss=1.0, covers=1.0).attack_limit


@settings(max_examples=tries(6, 500))
@given(world=worlds())
def test_with_a_thief_the_no_attack_game_still_releases_and_counts_the_loss(world):
    thief = PlainRecipient(probability=0.5, gain=1.0, cost=0.0, loss=world.benefit, covers=1.0, known=_all(world))
    paper = PlainRecipient(
        probability=1.0, gain=world.benefit, cost=world.cost, loss=world.benefit, covers=1.0, known=_all(world)
    )
    instance = instance_with(world, [paper, thief])
    found = solved(world, instance, "no-attack", "exact")
    for profile, record in enumerate(first_records(instance)):
        expected = best_outcome(world, [paper, thief], record, "no-attack")
        node = int(found.nodes[profile])
        assert expected.strategy == (None if node == WITHHELD else instance.lattice.levels_of(node))
        if expected.strategy is not None:
            assert not outcome_at(world, [paper], record, expected.strategy)[0].attacked
        assert permitted_outcomes(world, [thief], record, "no-attack")


def _all(world: World) -> dict[str, int]:
    return dict.fromkeys(world.ladders, 0)
