"""Pictures of one record's strategies, and of what the games change for all records."""

from types import SimpleNamespace

import pandas as pd
import pytest
from sample_pictures import picture, quickstart, small_study

from gamedeid.analysis.payoff_differences import BothPlayers, Histogram, PayoffDifference
from gamedeid.choices import GAMES
from gamedeid.errors import InvalidScenarioError
from gamedeid.kernels.tables import WITHHELD
from gamedeid.pictures import strategies as record_strategies
from gamedeid.pictures.differences import histogram_picture
from gamedeid.pictures.picture import MarkedPlace, Points
from gamedeid.pictures.strategies import lattice_picture, strategies_picture
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.solve import solve
from gamedeid.study.study import Study

# By hand, as in small_world: the payoffs of record 0, 40 Male, if 1, 6 or 16 people match.
BY_HAND = {
    "(0, 0)": ("$10.00", "$70.00"),
    "(0, 1)": ("-$23.33", "$70.00"),
    "(1, 0)": ("$66.67", "$0.00"),
    "(1, 1)": ("$33.33", "$0.00"),
    "(2, 0)": ("$33.33", "$0.00"),
    "(2, 1)": ("$0.00", "$0.00"),
}


KINDS = ("attacked", "not attacked", "not permitted")


def points(panel) -> list[Points]:
    return [layer for layer in panel.layers if isinstance(layer, Points) and layer.name in (*KINDS, *GAMES)]


def marked(panel) -> dict[str, tuple[float, float]]:
    """Return the places of the highlighted strategies, by name."""
    found = [layer for layer in panel.layers if layer.name.endswith(")")]
    return {one.name: (one.x, one.y) if isinstance(one, MarkedPlace) else (one.x[0], one.y[0]) for one in found}


def test_a_small_lattice_has_levels_and_both_payoffs_next_to_its_strategies():
    (panel,) = picture("lattice").panels
    texts = [text.split("\n") for layer in points(panel) for text in layer.text]

    assert BY_HAND == {levels: (publisher, adversary) for levels, publisher, adversary in texts}


def test_a_large_lattice_shows_payoffs_by_colour_and_as_tooltips():
    study = quickstart().alone(record=26)
    solution = solve(study, game="sh-friendly")
    publisher, adversary = picture("many strategies").panels

    for panel, expected in ((publisher, solution.publisher_payoff), (adversary, solution.adversary_payoff)):
        chosen = next(xy for name, xy in marked(panel).items() if name.startswith("chosen"))
        assert 1 == sum(name.startswith("Safe Harbor") for name in marked(panel))
        values = {
            place: value
            for layer in points(panel)
            for place, value in zip(zip(layer.x, layer.y, strict=True), layer.values, strict=False)
        }
        assert pytest.approx(expected[0]) == values[chosen]
        assert 288 == sum(len(layer.x) for layer in points(panel))
        assert panel.colours.label == f"{panel.title} (dollars)".lower()
    assert not any(layer.text for layer in points(publisher))
    assert sum("not permitted" in text for layer in points(publisher) for text in layer.hover) == 288 - 192
    assert "permits 192" in picture("many strategies").finding


def test_a_record_that_is_withheld_has_no_strategy_marked(monkeypatch):
    study = small_study().alone(record=0)
    monkeypatch.setattr(
        record_strategies, "solve", lambda *_, **__: SimpleNamespace(choice=SimpleNamespace(nodes=[WITHHELD]))
    )

    drawn = strategies_picture(study, "basic")
    assert "the record is withheld" in drawn.finding
    for panel in (*drawn.panels, lattice_picture(study, "basic").panels[0]):
        assert ["pairs (1, 0)"] == list(marked(panel))
    assert "yes" not in drawn.table["chosen"]


def test_a_picture_of_one_record_refuses_too_many_strategies(monkeypatch):
    monkeypatch.setattr(record_strategies, "MOST_STRATEGIES", 5)
    with pytest.raises(InvalidScenarioError, match=r"6 strategies are too many for a picture \(at most 5\)"):
        lattice_picture(small_study().alone(record=0), "basic")


@pytest.mark.parametrize("drawn", [strategies_picture, lattice_picture])
def test_a_picture_of_a_record_after_an_earlier_release_shows_no_class_of_people(tmp_path, drawn):
    people = pd.DataFrame({"who": list("abcdefgh"), "sex": ["Male"] * 3 + ["Female"] * 5})
    people.to_csv(tmp_path / "records.csv", index=False)
    question = {
        "records": {"path": "records.csv", "drop": ["who"]},
        "attributes": {"sex": {"hierarchy": "sex"}},
        "payoffs": {"benefit": 100, "loss": 90, "cost": 40},
    }
    solve(Scenario.parse(question, folder=tmp_path), game="basic").write(tmp_path / "out", report=False)
    again = Scenario.parse({**question, "earlier": {"releases": ["out"], "key": "who"}}, folder=tmp_path)
    table = drawn(Study.prepare(again).alone(record=0), "basic").table

    assert [("(0)", "sex Male", 3), ("(1)", "sex *", 3)] == sorted(
        zip(table["levels"], table["released"], table["people"], strict=True)
    )


# --- all records ------------------------------------------------------------------------------------------------------


def test_the_table_of_many_strategies_is_sorted_as_it_says():
    table = picture("many strategies").table
    assert 60 == len(table["levels"])
    rows = list(zip((one == "no" for one in table["permitted"]), table["publisher's payoff (dollars)"], strict=True))
    assert sorted(rows, key=lambda row: (row[0], -row[1])) == rows
    assert 1 == table["chosen"].count("yes") == table["Safe Harbor"].count("yes")


def test_where_no_payoff_differs_the_axis_has_no_number_but_0():
    spread = PayoffDifference(shares=(1.0,), mean=0.0, more=0.0, equal=1.0, less=0.0)
    games = {game: BothPlayers(publisher=spread, adversary=spread) for game in GAMES}
    nothing = Histogram(
        policy="pairs", records=6, edges={"publisher": (-0.5, 0.5), "adversary": (-0.5, 0.5)}, games=games
    )

    drawn = histogram_picture(nothing)
    assert all([0.0] == panel.x.ticks for panel in drawn.panels)
    assert all("no difference: {height} of records" == panel.layers[1].says for panel in drawn.panels)
    assert [0.0, 0.0] == drawn.table["from (dollars)"] == drawn.table["to (dollars)"]
