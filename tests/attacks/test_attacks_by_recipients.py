"""The recipients of a scenario as attackers, compared with a count person by person and list by list."""

from math import comb

import numpy as np
import pytest
from attack_worlds import LADDERS, attacked, draw_world, released, totals, write_world
from depth import tries
from small_world import gamedeid_says, small_world
from tampering import change_rows

from gamedeid import Scenario, simulate_attacks, solve

WORLDS = tries(5, 200)
TOPS = {name: len(ladder[0]) - 1 for name, ladder in LADDERS.items()}


def draw_recipients(world, seed):
    """Draw recipients: their knowledge, their lists, and what they may learn."""
    random = np.random.default_rng([seed, 7])
    found = {"thief": {"cost": 0, "probability": 0.01, "covers": float(random.choice([0.5, 1.0]))}}
    for number in range(2):
        known = {name: int(random.integers(0, top + 1)) for name, top in TOPS.items()}
        known["shop"] = min(known["shop"], 1)
        one = {"levels": known, "covers": float(random.choice([0.3, 0.8, 1.0])), "gain": world.gain * (1 + number)}
        if random.random() < 0.6:
            one["learns"] = {"levels": {"steps": int(random.integers(0, 3))}, "probability": 0.4}
        found[f"list{number}"] = one
    return found


def by_definition(world, recipient, strategies):
    """Return how many rows a recipient should attack, and its expected successes, for records at their strategies."""
    gain = world.gain if recipient.get("gain") is None else recipient["gain"]
    cost, covers = recipient.get("cost", world.cost), recipient.get("covers", 1.0)
    first = recipient.get("levels", dict.fromkeys(TOPS, 0))
    stages = [(1.0, first)]
    if "learns" in recipient:
        learned = recipient["learns"]
        more = {name: min(level, learned["levels"].get(name, level)) for name, level in first.items()}
        stages = [(1 - learned["probability"], first), (learned["probability"], more)]
    attacks = successes = 0.0
    for values, levels in zip(world.records, strategies, strict=True):
        for chance, known in stages:
            seen = tuple(max(level, known[name]) for name, level in zip(TOPS, levels, strict=True))
            look = released(values, seen)
            people = sum(count for others, count in world.people.items() if released(others, seen) == look)
            if gain <= cost * people * (1 + 1e-12):
                continue
            for listed in range(1, people + 1):  # this many of them on the recipient's list
                weight = comb(people, listed) * covers**listed * (1 - covers) ** (people - listed)
                attacks += chance * weight
                successes += chance * weight * (listed / people) * (1 / listed)
    return attacks, successes


@pytest.mark.parametrize("seed", range(WORLDS))
def test_the_simulation_agrees_with_a_count_list_by_list(tmp_path, seed):
    world = draw_world(seed)
    asked = draw_recipients(world, seed)
    scenario = Scenario.read(write_world(world, tmp_path), {"recipients": asked})
    solution = solve(scenario)
    found = attacked(tmp_path, scenario, solution, repeats=10, seed=seed)
    table = solution.strategies
    kept = np.flatnonzero(~table["withheld"])
    world.records[:] = [world.records[row] for row in kept]
    strategies = [tuple(row) for row in table.loc[kept, list(TOPS)].to_numpy().tolist()]

    assert found.agrees, [one.as_dict() for one in found.recipients]
    assert list(asked) == [one.recipient for one in found.recipients]
    for name, recipient in asked.items():
        attacks, successes = by_definition(world, recipient, strategies)
        total = totals(found, name)
        assert total.expected_successes == pytest.approx(10 * successes)
        assert abs(total.attacks - 10 * attacks) <= 5 * (10 * len(kept)) ** 0.5
        if recipient["covers"] == 1 and "learns" not in recipient:
            assert total.attacks == pytest.approx(10 * attacks)


def test_a_recipients_own_stakes_decide_its_attacks_and_payoff(tmp_path):
    """Four people by hand: a list of men and women, known by decades of life; a thief attacks all four."""
    recipients = {"thief": {"cost": 0, "gain": 50}, "list": {"knows": ["sex"], "cost": 1, "gain": 5}}
    scenario = Scenario.read(small_world(tmp_path), {"recipients": recipients})
    found = attacked(tmp_path, scenario, repeats=20)
    thief, listed = totals(found, "thief"), totals(found, "list")

    assert found.agrees
    assert (80, 0.0, 50.0 * thief.successes) == (thief.attacks, thief.dollars_paid, thief.dollars_gained)
    assert listed.dollars_paid == listed.attacks
    assert listed.dollars_gained == 5.0 * listed.successes


def test_a_recipient_with_the_games_stakes_attacks_like_the_naive_one(tmp_path):
    """The recipient's stakes are those of the game: the naive attacker acts in the same way."""
    world = draw_world(2)
    own = {"gain": world.gain, "loss": world.loss, "cost": world.cost}
    scenario = Scenario.read(write_world(world, tmp_path), {"recipients": {"researcher": own}, "payoffs.cost": 77})
    found = attacked(tmp_path, scenario, recipients=("researcher", "naive", "aware"))

    assert found.agrees
    assert totals(found, "researcher").expected_successes == pytest.approx(totals(found, "naive").expected_successes)


def test_names_of_the_scenario_come_first_and_unknown_ones_are_refused(tmp_path):
    recipients = {"noisy": {"probability": 0.25, "covers": 0.5}, "list": {"covers": 0.5}}
    scenario = Scenario.read(small_world(tmp_path), {"recipients": recipients})
    found = attacked(tmp_path, scenario, recipients=("noisy", "naive"))
    words = ("attack", tmp_path / "out", tmp_path / "scenario.toml", "--recipient")

    assert gamedeid_says(*words, "lis").complaint == "there is no recipient `lis`; did you mean `list`?"
    assert (found.agrees, {}) == (True, found.options)
    assert "noisy is present in the simulation; in the scenario with probability 0.25" in found.notes


def test_a_recipient_with_enough_knowledge_notices_an_unmodified_row(tmp_path):
    world = draw_world(5)
    recipients = {"one": {"covers": 0.9}, "other": {"knows": ["kind"], "cost": 0}}
    scenario = Scenario.read(write_world(world, tmp_path), {"recipients": recipients})
    solution = solve(scenario)
    solution.write(tmp_path / "out", report=False)
    kept = np.flatnonzero(~solution.strategies["withheld"])
    place = int(np.argmax(solution.strategies["steps"][kept]))
    own = world.records[kept[place]][0]
    change_rows(tmp_path / "out", "release.csv", lambda rows: rows[place].update({"steps": own}))
    found = simulate_attacks(tmp_path / "out", scenario)

    assert [1, 0] == [one.rows_seen_otherwise for one in found.recipients]


def test_a_recipient_who_only_counts_people_attacks_a_release_within_limits(tmp_path):
    scenario = Scenario.read(write_world(draw_world(1), tmp_path), {"limits": {"attacked": 0.2}})
    assert attacked(tmp_path, scenario, recipients=("naive", "marketer")).agrees
