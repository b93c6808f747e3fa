"""Pictures of one record's strategies, and of what the games change for all records."""

from types import SimpleNamespace

import pytest
from sample_pictures import comparison, picture, quickstart, small_study

from gamedeid.amounts import dollars
from gamedeid.analysis.payoff_differences import differences_of
from gamedeid.errors import InvalidScenarioError
from gamedeid.report.pictures import record_strategies
from gamedeid.report.pictures.differences import histogram_picture, scatter_picture
from gamedeid.report.pictures.lattices import lattice_picture
from gamedeid.report.pictures.picture import Bars, Line, Mark, Points
from gamedeid.report.pictures.strategies import strategies_picture
from gamedeid.report.pictures.words import percent
from gamedeid.study.solution import solve_study

# By hand, as small_world says: the payoffs of record 0, 40 Male, where 1, 6 or 16 people match.
BY_HAND = {
    "(0, 0)": ("$10.00", "$70.00"),
    "(0, 1)": ("-$23.33", "$70.00"),
    "(1, 0)": ("$66.67", "$0.00"),
    "(1, 1)": ("$33.33", "$0.00"),
    "(2, 0)": ("$33.33", "$0.00"),
    "(2, 1)": ("$0.00", "$0.00"),
}


def points(panel, *, but: str = "chosen strategy") -> list[Points]:
    return [layer for layer in panel.layers if isinstance(layer, Points) and layer.name != but]


def test_a_small_lattice_has_levels_and_both_payoffs_written_beside_its_strategies():
    (panel,) = picture("lattice").panels
    texts = [text.split("\n") for layer in points(panel) for text in layer.text]

    assert BY_HAND == {levels: (publisher, adversary) for levels, publisher, adversary in texts}


def test_a_lattice_tells_where_the_adversary_attacks_and_what_is_chosen():
    (panel,) = picture("lattice").panels
    attacked = [text.split("\n")[0] for layer in points(panel) for text in layer.text if layer.name == "attacked"]
    (ring,) = (layer for layer in panel.layers if layer.name == "chosen strategy")
    at = {
        place: text.split("\n")[0]
        for layer in points(panel)
        for place, text in zip(zip(layer.x, layer.y, strict=True), layer.text, strict=True)
    }

    assert ["(0, 0)", "(0, 1)"] == attacked
    assert "(1, 0)" == at[ring.x[0], ring.y[0]]


def test_an_edge_of_the_lattice_generalizes_one_attribute_by_one_level():
    (panel,) = picture("lattice").panels
    (edges,) = (layer for layer in panel.layers if isinstance(layer, Line))

    assert 7 == edges.x.count(None) == edges.y.count(None)
    tops, ends = edges.y[0::3], edges.y[1::3]
    assert [1.0] * 7 == [end - top for top, end in zip(tops, ends, strict=True)]


def test_a_large_lattice_shows_payoffs_by_colour_and_tells_them_when_pointed_at():
    study = quickstart().alone(record=26)
    solution = solve_study(study, "sh-friendly")
    publisher, adversary = picture("many strategies").panels

    for panel, expected in ((publisher, solution.publisher_payoff), (adversary, solution.adversary_payoff)):
        (ring,) = (layer for layer in panel.layers if layer.name == "chosen strategy")
        values = {
            place: value
            for layer in points(panel)
            for place, value in zip(zip(layer.x, layer.y, strict=True), layer.values, strict=False)
        }
        assert pytest.approx(expected[0]) == values[ring.x[0], ring.y[0]]
        assert 288 == sum(len(layer.x) for layer in points(panel))
        assert 1 == sum(bool(layer.bar) for layer in points(panel))
    assert not any(layer.text for layer in points(publisher))
    assert sum("not permitted" in text for layer in points(publisher) for text in layer.hover) == 288 - 192
    assert "permits 192" in picture("many strategies").finding


def test_the_strategies_stand_in_walk_order_with_the_chosen_one_marked():
    for panel, player in zip(picture("strategies").panels, (0, 1), strict=True):
        by_place = {x: dollars(y) for layer in points(panel) for x, y in zip(layer.x, layer.y, strict=True)}
        assert [pair[player] for pair in BY_HAND.values()] == [by_place[place] for place in range(1, 7)]
        (mark,) = (layer for layer in panel.layers if isinstance(layer, Mark))
        assert (3, ["$66.67", "$0.00"][player]) == (mark.x, dollars(mark.y))
    assert {"not permitted", "not attacked"} == {layer.name for layer in points(picture("strategies").panels[0])}


def test_what_is_said_of_a_record_is_so():
    assert (
        "The adversary attacks at 2 of 6 strategies; the no-attack game permits 4. It releases age [40-41], sex Male, "
        "levels (1, 0), which pays the publisher $66.67 and the adversary $0.00; she does not attack. As it is, the "
        "record would pay them $10.00 and $70.00."
    ) == picture("strategies").finding


def test_a_record_that_is_withheld_has_no_strategy_marked(monkeypatch):
    study = small_study().alone(record=0)
    monkeypatch.setattr(
        record_strategies,
        "solve_study",
        lambda *_: SimpleNamespace(choice=SimpleNamespace(nodes=[record_strategies.WITHHELD])),
    )

    drawn = strategies_picture(study)
    assert "so that the record is withheld" in drawn.finding
    assert not any(isinstance(layer, Mark) for panel in drawn.panels for layer in panel.layers)
    assert not any(layer.name == "chosen strategy" for layer in lattice_picture(study).panels[0].layers)
    assert "yes" not in drawn.table["chosen"]


def test_a_picture_of_one_record_refuses_many_and_too_many_strategies(monkeypatch):
    with pytest.raises(InvalidScenarioError, match="of one record, not of 4 profiles; choose a record"):
        lattice_picture(small_study())
    monkeypatch.setattr(record_strategies, "MOST_STRATEGIES", 5)
    with pytest.raises(InvalidScenarioError, match=r"6 strategies are too many for a picture \(at most 5\)"):
        lattice_picture(small_study().alone(record=0))


# --- all records ------------------------------------------------------------------------------------------------------


def test_the_bars_are_the_shares_of_the_histogram():
    histogram = differences_of(comparison())
    panels = iter(picture("differences").panels)
    for players in histogram.games.values():
        for player, spread in players.items():
            (bars,) = (layer for layer in next(panels).layers if isinstance(layer, Bars))
            assert (histogram.edges[player], spread.shares) == (bars.edges, bars.heights)


def test_what_is_said_of_the_differences_is_so():
    histogram = differences_of(comparison())
    finding = histogram_picture(histogram).finding
    for game, players in histogram.games.items():
        publisher = players["publisher"]
        assert (
            f"Against pairs, the {game} game pays the publisher more for {percent(publisher.more)} of records, as much "
            f"for {percent(publisher.equal)} and less for {percent(publisher.less)}, on average "
            f"{dollars(abs(publisher.mean))} "
        ) in finding


def test_the_table_of_differences_leaves_out_empty_bins_only():
    table = picture("differences").table

    for game in ("basic", "sh-friendly", "no-attack"):
        assert pytest.approx(2) == sum(table[f"{game}: share of records"])
    rows = zip(*(table[f"{game}: share of records"] for game in ("basic", "sh-friendly", "no-attack")), strict=True)
    assert all(any(row) for row in rows)


def test_the_scatter_has_every_record_under_its_two_payoffs():
    solutions = comparison().solutions
    panels = iter(scatter_picture(comparison()).panels)
    for game in ("basic", "sh-friendly", "no-attack"):
        for measure in ("publisher_payoff", "adversary_payoff"):
            (drawn,) = points(next(panels))
            pairs = zip(getattr(solutions["pairs"], measure), getattr(solutions[game], measure), strict=True)
            expected = {(round(x, 6), round(y, 6)) for x, y in pairs}
            assert expected == {(round(x, 6), round(y, 6)) for x, y in zip(drawn.x, drawn.y, strict=True)}
    assert 4 * 6 == sum(picture("scatter").table["records"])
    assert "the same payoffs to the cent" in picture("scatter").caption
