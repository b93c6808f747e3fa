"""What do the commands do with too many strategies for a table?"""

import json
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest
from small_world import PEOPLE, RELEASES, gamedeid_prints, gamedeid_says, small_world

from gamedeid.choices import MEASURES
from gamedeid.generalization import lattice


@pytest.fixture(autouse=True)
def _every_lattice_is_large() -> Iterator[None]:
    with patch.object(lattice, "TABLE_LIMIT", 5):
        yield


@pytest.mark.parametrize("game", RELEASES)
def test_run_without_a_report_releases_the_same(tmp_path, game):
    scenario = small_world(tmp_path)
    words = ["--policy", "pairs"] if game == "sh-friendly" else []
    said = gamedeid_prints("run", scenario, "--game", game, *words, "--no-report", "-o", tmp_path / "out")

    assert "exact: proved optimal" in said
    assert RELEASES[game] == (tmp_path / "out" / "release.csv").read_text()


@pytest.mark.parametrize(
    "words",
    [
        ("compare",),
        ("compare", "--solver", "lattice-search"),
        ("run", "--solver", "lattice-search"),
        ("run", "--solver", "bounded-suboptimal"),
        ("solvers", "--solver", "exact", "--solver", "lattice-search"),
    ],
)
def test_commands_without_a_table_print_the_same(tmp_path, words):
    command, *more = words
    asked = (command, small_world(tmp_path), *more, "--json")
    said = json.loads(gamedeid_prints(*asked))
    with patch.object(lattice, "TABLE_LIMIT", 2**16):
        as_ever = json.loads(gamedeid_prints(*asked))

    assert figures(as_ever) == figures(said)


def figures(found: dict[str, Any]) -> list[Any]:
    """Return the measures of all policies, games or solvers, without seconds and counts of the search."""
    rows = (
        found["rows"] if "rows" in found else [found["measures"]] if "measures" in found else found["policies"].values()
    )
    return [found.get("strategies"), [{name: row[name] for name in MEASURES if name in row} for row in rows]]


def test_the_risk_if_the_recipient_knows_the_method_is_not_computed_by_default(tmp_path):
    said = gamedeid_prints("compare", small_world(tmp_path))

    assert "would take long; gamedeid audit computes them." in said


def test_the_reason_names_as_many_profiles_however_the_people_are_listed(tmp_path):
    _, *people = PEOPLE.splitlines()
    listed = small_world(tmp_path, people=f"{PEOPLE}{people[0]}\n40,Female,0\n")
    said = [gamedeid_prints("compare", listed, "--engine", engine) for engine in ("memory", "duckdb")]

    assert said[0] == said[1]
    assert f"the strategies of all people, {len(people)} profiles with " in said[0]


def test_slow_games_are_not_played_in_addition_to_the_requested_one(tmp_path):
    said = gamedeid_says("run", small_world(tmp_path), "--game", "no-attack").out.splitlines()
    short = gamedeid_says("run", small_world(tmp_path), "--game", "no-attack", "--json").out

    assert said[1].startswith("Expected re-identifications of the no-attack game: none (")
    assert "The basic game and the sh-friendly game were not played." in said
    assert "With so many profiles or strategies the other games take long; gamedeid compare plays them." in said
    assert ["safe-harbor", "no-attack"] == list(json.loads(short)["policies"])
