"""The commands `gamedeid plot KIND`: a file for each kind in each form, or one line with the reason."""

import json
import stat
from itertools import product

import pytest
from depth import tries
from small_world import gamedeid_says, refused

KINDS = {
    "lattice": "scenario.toml --policy pairs --record 0",
    "strategies": "scenario.toml --policy pairs --values age=41,sex=Male --game no-attack",
    "differences": "scenario.toml --policy pairs",
    "scatter": "scenario.toml --policy pairs",
    "record-map": "scenario.toml --policy pairs --record 3 --game pairs --vary loss=10,90",
    "map": "scenario.toml --policy pairs --game sh-friendly --vary benefit=50:150:50 --vary loss=0:100:50",
    "lines": "scenario.toml --policy pairs --vary gain=0:100:25 --vary cost=5:80:log5",
    "deviation": "scenario.toml --policy pairs --vary loss=90,180",
    "frontier": "scenario.toml --policy pairs --risk marketer",
    "demographics": "counts.csv --drop state --place zip --detail year",
    "uniqueness": "people.csv --attributes age,sex --count count --fractions .5 --samples 2",
}
SIGNS = {"png": b"\x89PNG", "svg": b"<svg xmlns=", "html": b"<!DOCTYPE html>"}


PAIRS = [*product(KINDS, SIGNS)]
EACH_ONCE = [pair for place, pair in enumerate(PAIRS) if place % len(SIGNS) == place // len(SIGNS) % len(SIGNS)]
"""Each kind in one form, and each form for some kinds: what a form needs is the same for all kinds."""


@pytest.mark.parametrize(("kind", "form"), tries(EACH_ONCE, PAIRS))
def test_each_kind_is_written_in_each_form_for_its_owner_only(folder_of_commands, kind, form):
    target = folder_of_commands / f"picture.{form}"
    said = gamedeid_says("plot", kind, *KINDS[kind].split(), "-o", target)

    assert (0, f"Written to {target}.\n", "") == (said.code, said.out, said.err)
    assert target.read_bytes().startswith(SIGNS[form])
    assert 0o600 == stat.S_IMODE(target.stat().st_mode)
    if form == "html" and "scenario.toml" in KINDS[kind]:
        assert b"Four people" in target.read_bytes()


@pytest.mark.parametrize(
    ("kind", "words", "gain"),
    [
        ("lines", (), ""),
        ("lines", ("--set", "payoffs.gain=50"), ", gain $50"),
        ("map", (), ""),
        ("record-map", ("--record", 0), ""),
        ("deviation", (), ""),
    ],
)
def test_stakes_are_varied_around_the_chosen_ones_unless_given(scenario, tmp_path, kind, words, gain):
    said = gamedeid_says("plot", kind, scenario, *words, "-o", tmp_path / "x.html", "--json")
    shown = json.loads(said.out)

    assert kind.removeprefix("record-") == shown["kind"]
    assert f"the chosen stakes: benefit $100, loss $90, cost $20{gain}." in shown["caption"]
    assert shown["finding"].startswith("At the chosen stakes ")
    values = shown["table"]["loss (dollars)" if "map" in kind else "value (dollars)"]
    assert {4.5, 90.0, 1800.0} <= set(values)


def test_json_has_the_content_of_the_picture(scenario, tmp_path):
    said = gamedeid_says("plot", "lattice", scenario, "--record", 0, "-o", tmp_path / "x.svg", "--json")
    shown = json.loads(said.out)

    assert ["schema", "kind", "title", "caption", "finding", "table", "warnings"] == list(shown)
    assert ["(1, 0)", "(1, 1)", "(2, 0)", "(0, 0)", "(2, 1)", "(0, 1)"] == shown["table"]["levels"]
    assert (tmp_path / "x.svg").exists()


def test_a_file_is_replaced_only_when_asked(scenario, tmp_path):
    target = tmp_path / "x.svg"
    words = ("plot", "differences", scenario, "-o", target)
    gamedeid_says(*words)
    first = target.read_bytes()

    target.write_bytes(b"old")
    assert "already exists" in refused(*words)
    assert b"old" == target.read_bytes()
    assert 0 == gamedeid_says(*words, "--overwrite").code
    assert first == target.read_bytes()
