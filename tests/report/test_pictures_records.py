"""Pictures of one record's strategies, and of what the games change for all records."""

from types import SimpleNamespace

import pytest
from sample_pictures import comparison, picture, quickstart, small_study

from gamedeid.amounts import dollars
from gamedeid.analysis.payoff_differences import BothPlayers, Histogram, PayoffDifference, payoff_differences
from gamedeid.choices import GAMES
from gamedeid.errors import InvalidScenarioError
from gamedeid.kernels.tables import WITHHELD
from gamedeid.pictures import strategies as record_strategies
from gamedeid.pictures.differences import histogram_picture, scatter_picture
from gamedeid.pictures.picture import Bars, Line, MarkedPlace, Points
from gamedeid.pictures.strategies import lattice_picture, strategies_picture
from gamedeid.pictures.words import percent
from gamedeid.study.solve import solve

# By hand, as small_world says: the payoffs of record 0, 40 Male, where 1, 6 or 16 people match.
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
    """Return where the strategies that stand out are, by name."""
    found = [layer for layer in panel.layers if layer.name.endswith(")")]
    return {one.name: (one.x, one.y) if isinstance(one, MarkedPlace) else (one.x[0], one.y[0]) for one in found}


def test_a_small_lattice_has_levels_and_both_payoffs_written_beside_its_strategies():
    (panel,) = picture("lattice").panels
    texts = [text.split("\n") for layer in points(panel) for text in layer.text]

    assert BY_HAND == {levels: (publisher, adversary) for levels, publisher, adversary in texts}


def test_a_lattice_tells_where_the_adversary_attacks_and_what_is_chosen():
    (panel,) = picture("lattice").panels
    attacked = [text.split("\n")[0] for layer in points(panel) for text in layer.text if layer.name == "attacked"]
    at = {
        place: text.split("\n")[0]
        for layer in points(panel)
        for place, text in zip(zip(layer.x, layer.y, strict=True), layer.text, strict=True)
    }

    assert ["(0, 0)", "(0, 1)"] == attacked
    assert {"chosen (1, 0)": "(1, 0)", "pairs (1, 0)": "(1, 0)"} == {name: at[xy] for name, xy in marked(panel).items()}


def test_an_edge_of_the_lattice_generalizes_one_attribute_by_one_level():
    (panel,) = picture("lattice").panels
    (edges,) = (layer for layer in panel.layers if isinstance(layer, Line))

    assert 7 == edges.x.count(None) == edges.y.count(None)
    tops, ends = edges.y[0::3], edges.y[1::3]
    assert [1.0] * 7 == [end - top for top, end in zip(tops, ends, strict=True)]


def test_a_large_lattice_shows_payoffs_by_colour_and_tells_them_when_pointed_at():
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


def test_the_strategies_stand_in_walk_order_with_the_chosen_one_marked():
    for panel, player in zip(picture("strategies").panels, (0, 1), strict=True):
        by_place = {x: dollars(y) for layer in points(panel) for x, y in zip(layer.x, layer.y, strict=True)}
        by_hand = {place: pair[player] for place, pair in enumerate(BY_HAND.values(), start=1)}
        attacked = {place: paid for place, paid in by_hand.items() if paid != "$0.00"}
        assert by_place == (attacked if player else by_hand)
        for name in ("chosen (1, 0)", "pairs (1, 0)"):
            x, y = marked(panel)[name]
            assert (3, ["$66.67", "$0.00"][player]) == (x, dollars(y))
    assert {"not permitted", "not attacked"} == {layer.name for layer in points(picture("strategies").panels[0])}


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


# --- all records ------------------------------------------------------------------------------------------------------


def test_the_bars_are_the_shares_of_the_histogram():
    histogram = payoff_differences(comparison())
    panels = iter(picture("differences").panels)
    for players in histogram.games.values():
        for player, spread in (("publisher", players.publisher), ("adversary", players.adversary)):
            (bars,) = (layer for layer in next(panels).layers if isinstance(layer, Bars))
            assert (histogram.edges[player], spread.shares) == (bars.edges, bars.heights)


def test_what_is_said_of_the_differences_is_so():
    histogram = payoff_differences(comparison())
    finding = histogram_picture(histogram).finding
    for game, players in histogram.games.items():
        publisher = players.publisher
        assert (
            f"the {game} game pays the publisher more for {percent(publisher.more)} of the records, as much for "
            f"{percent(publisher.equal)} and less for {percent(publisher.less)}; the mean difference is "
            f"{dollars(publisher.mean)} "
        ) in finding


def test_the_table_of_differences_leaves_out_empty_bins_only():
    table = picture("differences").table

    for game in ("basic", "sh-friendly", "no-attack"):
        assert pytest.approx(200) == sum(table[f"{game}: records (per cent)"])
    rows = zip(*(table[f"{game}: records (per cent)"] for game in ("basic", "sh-friendly", "no-attack")), strict=True)
    assert all(any(row) for row in rows)


def test_the_scatter_has_every_record_under_its_two_payoffs():
    solutions = comparison().solutions
    panels = iter(scatter_picture(comparison()).panels)
    for game in ("basic", "sh-friendly", "no-attack"):
        for measure in ("publisher_payoff", "adversary_payoff"):
            panel = next(panels)
            (drawn,) = (layer for layer in panel.layers if isinstance(layer, Points) and layer.x)
            assert panel.square
            assert panel.x.limits == panel.y.limits
            assert [*panel.x.limits] == [*panel.layers[0].x] == [*panel.layers[0].y], "the diagonal"
            pairs = zip(getattr(solutions["pairs"], measure), getattr(solutions[game], measure), strict=True)
            expected = {(round(x, 6), round(y, 6)) for x, y in pairs}
            assert expected == {(round(x, 6), round(y, 6)) for x, y in zip(drawn.x, drawn.y, strict=True)}
    sizes = {layer.name: layer.size for layer in panel.layers if isinstance(layer, Points) and not layer.x}
    assert ({"1 record", "2 records"}, 22.0) == (set(sizes), max(sizes.values()))
    assert 4 * 6 == sum(picture("scatter").table["records"])
    assert "the same payoffs to the cent" in picture("scatter").caption


def test_the_tables_are_sorted_as_they_say():
    table = picture("scatter").table
    for game in GAMES:
        for player in ("publisher", "adversary"):
            rows = zip(table["game"], table["player"], table["records"], strict=True)
            records = [count for one, other, count in rows if (one, other) == (game, player)]
            assert sorted(records, reverse=True) == records
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
