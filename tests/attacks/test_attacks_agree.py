"""Attackers succeed as often as formulas say in random worlds, and more often if a release is wrong."""

import pytest
from attack_worlds import LADDERS, Oracle, draw_world, totals, write_world
from depth import tries
from tampering import change_rows

from gamedeid import simulate_attacks, solve

WORLDS = tries(12, 200)


def attacked(folder, game="basic", **how):
    return simulate_attacks(folder / game, folder / "scenario.toml", **how)


def made(seed, folder, game="basic"):
    world = draw_world(seed)
    solve(write_world(world, folder), game=game).write(folder / game, report=False, keep_order=True)
    return world


@pytest.mark.parametrize("seed", range(WORLDS))
def test_the_simulation_agrees_with_a_count_person_by_person(tmp_path, seed):
    game = ("basic", "no-attack")[seed % 2]
    world = made(seed, tmp_path, game)
    names = ("naive", "aware", "in-release")
    found = attacked(tmp_path, game, recipients=names, repeats=10, seed=seed)
    oracle = Oracle(world, game)

    assert found.agrees, [one.as_dict() for one in found.recipients]
    for name in names:
        attacks, successes = oracle.expected(name)
        total = totals(found, name)
        assert (10 * attacks, pytest.approx(10 * successes)) == (total.attacks, total.expected_successes)


def test_neither_workers_nor_other_recipients_change_a_number(tmp_path):
    made(3, tmp_path)
    alone = attacked(tmp_path, recipients=("noisy",), repeats=5)
    both = attacked(tmp_path, recipients=("naive", "noisy"), repeats=5, workers=3)

    assert totals(alone, "noisy").as_dict() == totals(both, "noisy").as_dict()
    assert both.as_dict() == attacked(tmp_path, recipients=("naive", "noisy"), repeats=5).as_dict()
    assert both.as_dict() != attacked(tmp_path, recipients=("naive", "noisy"), repeats=5, seed=2).as_dict()


def test_unmodified_rows_are_noticed(tmp_path):
    world = made(5, tmp_path, "no-attack")

    def publish_as_is(rows):
        for row, values in list(zip(rows, world.records, strict=True))[:8]:
            row.update(zip(LADDERS, values, strict=True))

    change_rows(tmp_path / "no-attack", "release.csv", publish_as_is)
    found = attacked(tmp_path, "no-attack", recipients=("naive",))
    naive = totals(found, "naive")

    assert (False, False, 0.0) == (found.agrees, naive.total_agrees, naive.expected_successes)
    assert naive.rows_seen_otherwise > 0
    assert naive.successes > 0


def test_a_single_unmodified_row_is_noticed(tmp_path):
    world = made(5, tmp_path, "no-attack")
    place = max(range(len(world.records)), key=lambda number: -world.people[world.records[number]])
    change_rows(
        tmp_path / "no-attack",
        "release.csv",
        lambda rows: rows[place].update(zip(LADDERS, world.records[place], strict=True)),
    )

    assert not attacked(tmp_path, "no-attack", recipients=("naive",)).agrees


def test_a_wrong_hierarchy_is_noticed(tmp_path):
    made(5, tmp_path)
    path = tmp_path / "steps.csv"
    path.write_text(path.read_text().replace("6;[6-7];high", "6;[4-5];high").replace("7;[6-7]", "7;[4-5]"))
    found = attacked(tmp_path, recipients=("naive",))

    assert not found.agrees
    assert "labels that their hierarchy does not have" in " ".join(found.notes)
