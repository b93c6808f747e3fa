"""The plan in a folder of a game of the whole population: verification, audit and attacks that use it."""

import csv
import json
from collections import Counter

import pytest
from attack_worlds import LADDERS, draw_world, released, write_world
from depth import tries
from small_world import gamedeid_says
from tampering import change_json, change_rows, rows_of

from gamedeid import InvalidDataError, InvalidScenarioError, Scenario, audit, simulate_attacks, solve, verify
from gamedeid.risk import aware_risk

WORLDS = tries((13, 11), range(60))  # in most others the search takes seconds
GAME = "aware-no-attack"
NAMES = ("naive", "aware", "aware-marketer")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plan")
    scenario = write_world(draw_world(11), folder)
    solution = solve(scenario, game=GAME)

    def write(name):
        solution.write(folder / name, report=False)
        return folder / name, scenario

    return write


def played(folder, seed, game=GAME, **changes):
    """Return a random world, its scenario, the solution of a game, and the verification of its folder ``out``."""
    world = draw_world(seed)
    scenario = write_world(world, folder)
    solution = solve(Scenario.read(scenario, changes), game=game)
    solution.write(folder / "out", report=False)
    return world, scenario, solution, verify(folder / "out", scenario)


@pytest.mark.parametrize("seed", WORLDS)
def test_groups_counted_one_by_one_and_no_attack_on_them_pays(tmp_path, seed):
    world, scenario, solution, verified = played(tmp_path, seed)
    rows = rows_of(tmp_path / "out", "plan.csv")
    order = {name: [line[0] for line in ladder] for name, ladder in LADDERS.items()}
    values = sorted(world.people, key=lambda one: [order[name].index(v) for name, v in zip(LADDERS, one, strict=True)])
    assert len(values) == len(rows)
    groups = Counter()
    own = {}
    for one, row in zip(values, rows, strict=True):
        levels = tuple(int(row[name]) for name in LADDERS)
        own[one] = None if row["withheld"] == "true" else (levels, released(one, levels))
        groups[own[one]] += world.people[one]
    stated = rows_of(tmp_path / "out", "strategies.csv")
    for record, row in zip(world.records, stated, strict=True):
        levels = tuple(int(row[name]) for name in LADDERS)
        assert own[record] == (None if row["withheld"] == "true" else (levels, released(record, levels)))
    assert all(world.gain <= world.cost * people for group, people in groups.items() if group is not None)

    found = audit(tmp_path / "out", scenario)
    again = aware_risk(solution)
    assert (again.people.tolist(), again.measures) == (found.people.tolist(), found.measures)
    assert found.measures["attacked"] == 0
    assert verified.holds, verified.findings
    assert any(line.startswith("that no released group is worth an attack") for line in verified.checked)
    attacked = simulate_attacks(tmp_path / "out", scenario, recipients=NAMES, repeats=20)
    assert attacked.agrees
    assert [0, 0] == [one.attacks for one in attacked.recipients[:2]]
    by_hand = sum(1 / groups[own[record]] for record in world.records if own[record] is not None)
    assert attacked.recipients[2].expected_successes == pytest.approx(20 * by_hand)


@pytest.mark.parametrize("seed", WORLDS)
def test_a_plan_of_aware_basic_verifies_too(tmp_path, seed):
    _, scenario, _, verified = played(tmp_path, seed, "aware-basic")
    assert verified.holds, verified.findings
    assert any(line.startswith("the attacks of a recipient who knows the strategies") for line in verified.checked)
    attacked = simulate_attacks(tmp_path / "out", scenario, recipients=NAMES, repeats=20)
    assert attacked.agrees
    stated = json.loads((tmp_path / "out" / "summary.json").read_text("utf-8"))["mechanism"]
    assert attacked.recipients[1].expected_successes == pytest.approx(20 * stated["expected_reidentifications"])

    change_json(tmp_path / "out", "summary.json", lambda summary: summary["mechanism"].update(attacked=0.123))
    said = [one.says for one in verify(tmp_path / "out", scenario).findings]
    assert any("mechanism.attacked is not that of plan.csv" in one for one in said)


def moved(rows):
    """Move a person unlike any record into a separate group."""
    finest = next(row for row in rows if row["withheld"] == "false" and row["steps"] != "0")
    finest.update(dict.fromkeys(LADDERS, "0"))


FAULTS = {
    "a group too small": (moved, "an attack pays for a recipient who knows the plan"),
    "a row too few": (lambda rows: rows[:-1], "has another number of rows than population and records"),
    "a level that there is not": (lambda rows: rows[0].update(shop="7"), "states a level that does not exist"),
    "no number": (lambda rows: rows[0].update(shop="x"), "expected a whole number, 0 or more"),
    "withheld at a level": (lambda rows: rows[0].update(withheld="true", steps="0"), "though no one is released so"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_plan_that_is_not_sound_or_not_of_these_people_is_found(made, fault):
    change, says = FAULTS[fault]
    folder, scenario = made(fault.replace(" ", "-"))
    change_rows(folder, "plan.csv", change)

    assert any(says in one.says for one in verify(folder, scenario).findings)


def test_records_that_are_released_otherwise_than_planned_are_found(made):
    folder, scenario = made("otherwise")
    change_rows(folder, "plan.csv", lambda rows: [row | {"kind": "1", "steps": "3", "shop": "2"} for row in rows])
    change_json(folder, "summary.json", lambda summary: summary["mechanism"].update(smallest_group=1))
    said = [one.says for one in verify(folder, scenario).findings]

    assert any("is not the level that plan.csv has for the record's values" in one for one in said)
    assert any("mechanism.smallest_group is not that of plan.csv" in one for one in said)
    with pytest.raises(InvalidDataError, match="has other results"):
        audit(folder, scenario)


def test_the_audit_refuses_a_plan_of_another_size_and_a_folder_without_a_plan(made):
    folder, scenario = made("refused")
    change_rows(folder, "plan.csv", lambda rows: rows[:-1])
    with pytest.raises(InvalidDataError, match="does not hold the strategies of this population"):
        audit(folder, scenario)
    said = gamedeid_says("attack", folder, scenario)
    assert (2, True) == (said.code, "has another number of rows" in said.complaint)
    (folder / "plan.csv").unlink()
    change_json(folder, "manifest.json", lambda manifest: manifest["outputs"].pop("plan.csv"))

    assert simulate_attacks(folder, scenario, recipients=("naive",)).agrees
    with pytest.raises(InvalidScenarioError, match=r"the folder has no plan\.csv"):
        simulate_attacks(folder, scenario)
    assert any(one.what == "the strategies of all people" for one in verify(folder, scenario).unchecked)


def test_the_plan_has_levels_and_no_values(made):
    folder, _ = made("values")
    with (folder / "plan.csv").open() as stream:
        names, *rows = csv.reader(stream)

    assert [*LADDERS, "withheld"] == names
    assert {"true", "false"} >= {row[-1] for row in rows}
    assert all(cell.isdigit() for row in rows for cell in row[:-1])


@pytest.mark.parametrize("seed", WORLDS)
def test_groups_of_fewer_than_k_records_are_found(tmp_path, seed):
    _, scenario, _, verified = played(tmp_path, seed, "aware-basic", **{"groups.k": 3})
    assert "that released groups hold at least 3 records" in verified.checked
    assert not any("groups.k" in one.says for one in verified.findings if one.file == "plan.csv")

    change_json(tmp_path / "out", "manifest.json", lambda manifest: manifest["scenario"].update(groups={"k": 10_000}))
    said = [one.says for one in verify(tmp_path / "out", scenario).findings]
    released = any(row["withheld"] == "false" for row in rows_of(tmp_path / "out", "strategies.csv"))
    assert released == any("of a group with fewer than 10,000 records (groups.k)" in one for one in said)
