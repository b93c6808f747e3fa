"""Attacks on releases of every kind of question, refused questions, and the command's files and output."""

import json
import re
import stat

import numpy as np
import pandas as pd
import pytest
from attack_worlds import LADDERS, AttackWorld, attacked, covers, draw_world, totals, write_world
from registry import registry
from small_world import contents, gamedeid_says, small_world

from gamedeid import InvalidScenarioError, Scenario, Study, policy_solution, simulate_attacks, solve
from gamedeid.choices import SIMULATED_RECIPIENTS

COMPARED = tuple(name for name in SIMULATED_RECIPIENTS if name != "noisy")


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Return a folder of results and its scenario."""
    folder = tmp_path_factory.mktemp("finished")
    scenario = registry(folder / "registry")
    solve(scenario).write(folder / "out", report=False)
    return folder / "out", scenario


@pytest.mark.parametrize(("game", "unmatched"), [("basic", "unique"), ("no-attack", "error"), ("sh-friendly", "safe")])
def test_every_game_with_missing_values_and_unmatched_records(tmp_path, game, unmatched):
    scenario = registry(tmp_path / "registry", unmatched=unmatched)
    found = attacked(tmp_path, scenario, solve(scenario, game=game), recipients=COMPARED, repeats=5)

    assert found.agrees, [one.as_dict() for one in found.recipients]
    assert 0 < found.left_out < found.released  # those with missing values: no person of the population has one
    assert found.released - found.left_out == found.recipients[0].records


def test_withheld_records_are_not_released_rows(tmp_path):
    scenario = Scenario.read(registry(tmp_path / "registry", loss=4_700), {"payoffs.gain": 20_000})
    found = attacked(tmp_path, scenario, recipients=COMPARED)

    assert found.agrees
    assert 0 < found.released < found.records


def test_attacks_work_on_every_form_of_a_release(tmp_path):
    scenario = registry(tmp_path / "registry")
    solution, expected = solve(scenario), []
    for place, how in enumerate([{}, {"defuse": True}, {"form": "parquet"}, {"keep_order": True}]):
        solution.write(tmp_path / str(place), report=False, **how)
        found = simulate_attacks(tmp_path / str(place), scenario, recipients=COMPARED)
        assert found.agrees, how
        expected.append([one.expected_successes for one in found.recipients])

    assert all(expected[0] == pytest.approx(other) for other in expected)


def test_a_policy_as_it_is(tmp_path):
    scenario = registry(tmp_path / "registry")
    study = Study.prepare(scenario)
    assert attacked(tmp_path, scenario, policy_solution(study, study.policy("decades")), recipients=COMPARED).agrees


def test_records_that_are_their_own_population(tmp_path):
    write_world(draw_world(4), tmp_path)
    scenario = Scenario.read(tmp_path / "scenario.toml", {"population": None})
    found = attacked(tmp_path, scenario, recipients=COMPARED)

    assert found.agrees
    assert (found.records, 0) == (found.people, found.more_records_than_people)


def test_all_records_are_withheld_and_none_is_attacked(tmp_path):
    scenario = Scenario.read(small_world(tmp_path), {"payoffs.loss": 100_000, "payoffs.cost": 0.01})
    found = attacked(tmp_path, scenario, recipients=SIMULATED_RECIPIENTS)

    assert (0, True) == (found.released, found.agrees)
    assert {0} == {one.attacks for one in found.recipients}


def test_four_people_by_hand(tmp_path):
    """The example of the page on theory; with a list of every second person more succeed than with all."""
    how = {"recipients": SIMULATED_RECIPIENTS, "repeats": 4, "covers": 0.5, "wrong": 0.0}
    found = attacked(tmp_path, small_world(tmp_path), **how)
    listed = 56 / 64 / 6 + 30 / 32 / 5 + 793 / 4096 / 12 + 3 / 4 / 2
    by_hand = {"naive": 0.5, "aware": 2, "marketer": 0.95, "aware-marketer": 2.2, "in-release": 3.5, "noisy": listed}

    assert found.agrees
    assert {name: pytest.approx(4 * expected) for name, expected in by_hand.items()} == {
        one.recipient: one.expected_successes for one in found.recipients
    }
    assert [4, 12, 16] == [totals(found, name).attacks for name in ("naive", "aware", "in-release")]


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"recipients": ("naiv",)}, "there is no recipient `naiv`; did you mean `naive`?"),
        ({"recipients": ()}, "recipients must be one or several, each named once"),
        ({"repeats": 10**9}, "repeats must be 1,000,000 or fewer, not `1000000000`"),
        ({"repeats": 0}, "repeats must be a whole number, 1 or more, not `0`"),
        ({"covers": 0.0}, "covers must be a share above 0 and at most 1, not `0.0`"),
        ({"wrong": 1.0}, "wrong must be a chance from 0 to below 1, not `1.0`"),
    ],
)
def test_a_meaningless_argument_is_refused_in_one_line(finished, how, words):
    with pytest.raises(InvalidScenarioError, match=re.escape(words)):
        simulate_attacks(*finished, **how)


def registered(folder, *, moved=0):
    """Write a register with a key, in which some people have other values than in the records."""
    world = draw_world(9)
    persons = [values for values, count in world.people.items() for _ in range(count)]
    order = np.random.default_rng(2).permutation(len(persons))
    rows = [f"{','.join(persons[place])},id{number}" for number, place in enumerate(order)]
    records = rows[:60]
    rows[:moved] = [f"{rows[-1].rsplit(',', 1)[0]},id{number}" for number in range(moved)]
    path = write_world(world, folder)
    header = "steps,shop,kind,key\n"
    (folder / "people.csv").write_text(header + "\n".join(rows) + "\n")
    (folder / "records.csv").write_text(header + "\n".join(records) + "\n")
    text = path.read_text().replace('count = "count"', 'unmatched = "safe"\ndrop = ["key"]')
    path.write_text(text.replace('path = "records.csv"', 'path = "records.csv"\ndrop = ["key"]'))
    return path


def test_a_register_that_is_right_agrees_and_one_that_is_not_shows_fewer_successes(tmp_path):
    results = {}
    for moved in (0, 40):
        path = registered(tmp_path / str(moved), moved=moved)
        how = {"recipients": ("marketer", "in-release"), "repeats": 200, "identity": "key"}
        results[moved] = attacked(path.parent, path, **how)

    assert (True, False) == (results[0].agrees, results[40].agrees)
    marketer = totals(results[40], "marketer")
    assert marketer.successes < marketer.expected_successes
    said = gamedeid_says("attack", tmp_path / "40" / "out", path, "--identity", "key", "--recipient", "marketer")
    assert "marketer: fewer successes than expected by the formulas" in said.out
    assert (3, False) == (said.code, "id1" in said.out)
    said = gamedeid_says("attack", tmp_path / "40" / "out", path, "--identity", "kind")
    assert said.complaint.endswith("the column of identities names a person in several rows")


def showing(path, rows):
    """Replace the records of a scenario by others whose missing values are shown."""
    path.write_text(path.read_text().replace('path = "records.csv"', 'path = "records.csv"\nmissing = "show"'))
    path.with_name("records.csv").write_text("".join(",".join(row) + "\n" for row in rows))
    return path


def fields(path):
    return [line.split(",") for line in path.read_text().split()]


def test_missing_values_that_are_shown_are_those_of_rows_and_not_of_the_register(tmp_path):
    path, repeats = registered(tmp_path), 400
    header, *rows = fields(tmp_path / "records.csv")
    gaps = [["", *row[1:]] if place % 3 == 0 else [*row[:2], "", row[3]] for place, row in enumerate(rows)]
    found = attacked(tmp_path, showing(path, [header, *gaps]), recipients=["marketer"], repeats=repeats, identity="key")
    people = [tuple(row[:3]) for row in fields(tmp_path / "people.csv")[1:]]
    chances = []
    for row in fields(tmp_path / "out" / "release.csv")[1:]:
        texts = ["*" if text == "missing" else text for text in row]
        alone = [["*"] * place + [text] + ["*"] * (2 - place) for place, text in enumerate(texts)]
        chances.append(1 / min(sum(covers(one, values) for values in people) for one in alone))
    expected = repeats * sum(chances)

    assert found.agrees, [one.as_dict() for one in found.recipients]
    assert 60 == len(chances)
    assert 5 * expected**0.5 > abs(found.recipients[0].one_attribute_successes - expected)


def test_a_wrong_value_of_a_list_is_never_one_that_is_missing(tmp_path):
    """All eight people are alike, and a group of eight is just not worth an attack."""
    path = write_world(
        AttackWorld(people={("1", "p1", "x"): 8}, records=[], benefit=90, loss=8, gain=8, cost=1), tmp_path
    )
    showing(path, [list(LADDERS), ["1", "p1", "x"], ["1", "", "x"], ["", "p1", "x"]])
    found = attacked(tmp_path, path, recipients=["noisy"], repeats=30, covers=1.0, wrong=0.9)

    assert (3, 0) == (found.released, found.recipients[0].attacks)


def test_the_command_writes_sums_and_the_same_bytes_by_any_number_of_workers(tmp_path):
    write_world(draw_world(1), tmp_path)
    words = ("attack", tmp_path / "results", tmp_path / "scenario.toml", "--recipient", "noisy", "--recipient", "naive")
    assert 0 == gamedeid_says("run", tmp_path / "scenario.toml", "--no-report", "-o", tmp_path / "results").code
    said = [
        gamedeid_says(*words, "--groups", "-o", tmp_path / name, "--workers", workers)
        for name, workers in (("one", 1), ("three", 3))
    ]

    assert [(0, ""), (0, "")] == [(one.code, one.err) for one in said]
    assert contents(tmp_path / "one") == contents(tmp_path / "three")
    assert {"attack.json", "attacks.csv", "manifest.json"} == set(contents(tmp_path / "one"))
    assert 0o600 == stat.S_IMODE((tmp_path / "one" / "attack.json").stat().st_mode)
    table = pd.read_csv(tmp_path / "one" / "attacks.csv")
    whole = json.loads((tmp_path / "one" / "attack.json").read_text())
    for one in whole["recipients"]:
        parts = table[(table.recipient == one["recipient"]) & (table.records_of != "all")]
        assert (one["attacks"], one["successes"]) == (parts.attacks.sum(), parts.successes.sum())
        assert parts.records.min() >= 11
    assert "The successes agree with the formulas: naive." in said[0].out
    assert "noisy: there is no formula for a list with errors" in said[0].out


def test_another_scenario_or_input_than_that_of_the_release_is_noted(finished):
    folder, scenario = finished
    found = simulate_attacks(folder, Scenario.read(scenario, {"payoffs.loss": 1}))

    assert "manifest.json: its scenario differs from the one at hand in payoffs.loss" in found.notes


def test_bad_input_writes_nothing(tmp_path):
    write_world(draw_world(1), tmp_path)
    gamedeid_says("run", tmp_path / "scenario.toml", "--no-report", "-o", tmp_path / "results")
    (tmp_path / "people.csv").unlink()
    said = gamedeid_says("attack", tmp_path / "results", tmp_path / "scenario.toml", "-o", tmp_path / "fresh")

    assert (2, False) == (said.code, (tmp_path / "fresh").exists())
    assert said.complaint.startswith("attacks need the input `population`, and it is not there")
    assert 2 == gamedeid_says("attack", tmp_path / "nothing").code
