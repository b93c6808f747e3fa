"""Pictures as descriptions: they hold the numbers of the results, say what those say, and mark the chosen stakes."""

import re

import pytest
from sample_pictures import CHOSEN, KINDS, along, picture, plane, record_plane, solvers_along

from gamedeid.amounts import dollars, money
from gamedeid.choices import GAMES
from gamedeid.errors import InvalidScenarioError
from gamedeid.pictures.lines import deviation_picture, lines_picture
from gamedeid.pictures.maps import map_picture
from gamedeid.pictures.picture import HeatMap, Line, MarkedPlace
from gamedeid.pictures.scales import colour_scale
from gamedeid.pictures.styles import DARK, FAINT, GAME_STYLES, INK, PAPER, POLICY, shade, style_of
from gamedeid.pictures.svg_drawing import drawing
from gamedeid.pictures.words import MOST_ROWS, evenly_spaced, percent

SENSITIVITY = ("lines", "map", "record-map", "deviation")


def layers(kind, of):
    return [layer for panel in picture(kind).panels for layer in panel.layers if isinstance(layer, of)]


def amounts(text: str) -> list[float]:
    return [float(sign + digits.replace(",", "")) for sign, digits in re.findall(r"(-?)\$([\d,]+(?:\.\d+)?)", text)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_picture_has_words_for_those_who_cannot_see_it(kind):
    drawn = picture(kind)

    assert drawn.title
    assert kind == "demographics" or "dollars" in drawn.caption
    assert len(drawn.finding) > 40
    lengths = {len(values) for values in drawn.table.values()}
    assert 1 == len(lengths)
    assert 1 <= lengths.pop() <= MOST_ROWS


@pytest.mark.parametrize("kind", KINDS)
def test_every_axis_with_numbers_says_what_it_measures(kind):
    scales = [scale for panel in picture(kind).panels for scale in (panel.x, panel.y)]

    assert all(scale.label for scale in scales if scale.shown)
    assert all("(dollars" in scale.label for scale in scales if scale.unit == "dollars")


@pytest.mark.parametrize("kind", SENSITIVITY)
def test_the_chosen_stakes_are_marked_in_every_panel_about_them(kind):
    chosen = {"benefit": 1200.0, "loss": 2000.0} if kind == "deviation" else CHOSEN
    for panel in picture(kind).panels:
        (mark,) = (layer for layer in panel.layers if isinstance(layer, MarkedPlace))
        along_x = panel.x.label.split()[0]
        assert ("chosen stakes", chosen[along_x]) == (mark.name, mark.x)
        assert mark.y == (chosen["benefit"] if "map" in kind else None)


def test_the_lines_are_the_payoffs_of_the_sweep():
    measures = [("benefit", "publisher_payoff"), ("benefit", "adversary_payoff"), ("loss", "publisher_payoff")]
    measures += [("loss", "adversary_payoff"), ("cost", "publisher_payoff"), ("cost", "adversary_payoff")]

    for panel, (name, measure) in zip(picture("lines").panels, measures, strict=True):
        columns = along()[name]
        lines = [layer for layer in panel.layers if isinstance(layer, Line)]
        assert ["pairs", "basic", "sh-friendly", "no-attack"] == [line.said for line in lines]
        assert ["pairs", "basic", "sh-friendly (stricter than pairs)", "no-attack"] == [line.name for line in lines]
        of_benefit = (name, measure) == ("benefit", "publisher_payoff")
        assert ("percent" if of_benefit else "dollars") == panel.y.unit
        for line in lines:
            rows = zip(columns["policy"], columns[name], columns[measure], strict=True)
            expected = [(x, y / x if of_benefit else y) for policy, x, y in rows if policy == line.said]
            assert expected == list(zip(line.x, line.y, strict=True))


def test_what_is_said_of_the_lines_is_so():
    finding = picture("lines").finding
    for name, columns in along().items():
        rows = list(zip(columns["policy"], columns[name], columns["publisher_payoff"], strict=True))
        by_policy = {policy: {value: payoff for who, value, payoff in rows if who == policy} for policy, _, _ in rows}
        leads = [by_policy["basic"][value] - payoff for value, payoff in by_policy["pairs"].items()]
        assert f"{dollars(max(leads))} more per record at the best value" in finding
        assert f"{dollars(abs(min(leads)))} {'more' if min(leads) >= 0 else 'less'} at the worst" in finding
        for policy, line in by_policy.items():
            assert f"{policy} {dollars(line[CHOSEN[name]])}" in finding.split(".  ")[0]


def test_values_without_the_chosen_stakes_say_nothing_of_them():
    other, columns = {**CHOSEN, "loss": 91.0}, along()["loss"]

    assert lines_picture({"loss": columns}, other).finding.startswith("Along the loss, from $4.50 to $1,800, ")
    assert deviation_picture({"loss": solvers_along()["loss"]}, other).finding.startswith("Along the loss, ")


def test_payoffs_that_are_all_nothing_stand_at_the_one_number_that_they_are():
    columns = {name: [0.0] * 6 for name in ("publisher_payoff", "adversary_payoff")}
    columns |= {"policy": ["pairs", "no-attack"] * 3, "loss": [1.0, 1.0, 2.0, 2.0, 3.0, 3.0]}

    for panel in lines_picture({"loss": columns}, {**CHOSEN, "loss": 2.0}).panels:
        assert ([0.0], (-1.0, 1.0)) == (panel.y.ticks, panel.y.limits)


def test_without_a_benefit_there_is_no_share_of_it():
    columns = {name: [0.0, 0.0, 5.0, 5.0] for name in ("publisher_payoff", "adversary_payoff")}
    columns |= {"policy": ["pairs", "basic"] * 2, "benefit": [0.0, 0.0, 10.0, 10.0]}

    line = lines_picture({"benefit": columns}, {**CHOSEN, "benefit": 10.0}).panels[0].layers[1]
    assert [None, 0.5] == line.y


def test_a_map_holds_each_measure_at_its_loss_and_benefit():
    columns = plane()
    columns = {**columns, "publisher_payoff": shares_of_benefit(columns)}
    for heat, name in zip(
        layers("map", HeatMap),
        ("generalization_intensity", "attacked", "publisher_payoff", "adversary_payoff"),
        strict=True,
    ):
        assert [25.0, 100.0, 400.0] == heat.y
        for row, policy in enumerate(columns["policy"]):
            if policy == "basic":
                x, y = heat.x.index(columns["loss"][row]), heat.y.index(columns["benefit"][row])
                assert columns[name][row] == heat.z[y][x]


def shares_of_benefit(columns):
    return [payoff / benefit for payoff, benefit in zip(columns["publisher_payoff"], columns["benefit"], strict=True)]


def test_colours_mean_the_same_in_the_maps_of_all_games():
    maps = [map_picture(plane(), CHOSEN, game) for game in GAMES]
    ends = [[panel.colours.limits for panel in one.panels] for one in maps]

    assert (0.0, 1.0) == ends[0][1], "shares go from none to all"
    assert ends[0] == ends[1] == ends[2]
    for place, name in ((0, "generalization_intensity"), (3, "adversary_payoff")):
        of_games = [value for value, who in zip(plane()[name], plane()["policy"], strict=True) if who in GAMES]
        assert (0.0, max(of_games)) == ends[0][place]


@pytest.mark.parametrize(
    ("kind", "columns", "policy"), [("map", plane, "basic"), ("record-map", record_plane, "no-attack")]
)
def test_what_is_said_of_a_map_is_so(kind, columns, policy):
    rows = [row for row, who in enumerate(columns()["policy"]) if who == policy]
    payoffs = [columns()["publisher_payoff"][row] for row in rows]
    shares = [shares_of_benefit(columns())[row] for row in rows]
    here = [row for row in rows if (columns()["loss"][row], columns()["benefit"][row]) == (90.0, 100.0)]
    finding = picture(kind).finding

    assert f"publisher's payoff is lowest, {percent(min(shares))} of the benefit, at " in finding
    assert f"and highest, {percent(max(shares))} of the benefit, at " in finding
    assert finding.startswith(f"At the chosen stakes the {policy} game has: generalization intensity ")
    assert f"publisher's payoff {dollars(payoffs[rows.index(here[0])])}" in finding


def test_a_map_may_show_the_policy_and_a_grid_without_the_chosen_stakes():
    drawn = map_picture(plane(), {**CHOSEN, "loss": 91.0}, "pairs")

    assert "The policy \u201cpairs\u201d over loss and benefit" == drawn.title
    assert drawn.finding.startswith("The generalization intensity is ")


def test_the_table_of_a_large_map_shows_some_of_its_points_the_chosen_ones_among_them():
    values = [float(value) for value in range(1, 101)]
    points = [(loss, benefit) for loss in values for benefit in values]
    columns = {name: [0.5] * len(points) for name in ("generalization_intensity", "attacked", "publisher_payoff")}
    columns |= {"adversary_payoff": [0.0] * len(points), "policy": ["basic"] * len(points)}
    columns |= {"loss": [loss for loss, _ in points], "benefit": [benefit for _, benefit in points]}

    drawn = map_picture(columns, {"benefit": 37.0, "loss": 64.0, "cost": 1.0}, "basic")

    rows = list(zip(drawn.table["loss (dollars)"], drawn.table["benefit (dollars)"], strict=True))
    assert "The table shows 121 of 10,000 rows." in drawn.caption
    assert 121 == len(rows)
    assert {(64.0, 37.0), (1.0, 1.0), (100.0, 100.0)} <= set(rows)
    assert "The adversary's payoff is $0.00 at every point." in drawn.finding


def test_a_map_needs_loss_and_benefit_varied_and_nothing_else():
    columns = plane()
    gap = {name: values[4:] for name, values in columns.items()}
    twice = {name: values + values for name, values in columns.items()}

    for wrong in (gap, twice):
        with pytest.raises(InvalidScenarioError, match="a map needs loss and benefit varied"):
            map_picture(wrong, CHOSEN, "basic")


def test_the_deviation_is_the_mean_difference_that_the_solvers_have():
    finding = picture("deviation").finding
    for panel, (name, columns) in zip(picture("deviation").panels, solvers_along().items(), strict=True):
        (line,) = (layer for layer in panel.layers if isinstance(layer, Line))
        rows = zip(columns["solver"], columns[name], columns["publisher_difference"], strict=True)
        assert [(x, y) for solver, x, y in rows if solver == "lattice-search"] == list(zip(line.x, line.y, strict=True))
        most = line.x[line.y.index(max(line.y))]
        assert f"this difference is at most {dollars(max(line.y))}, at {money(most)}, where " in finding
    assert "At the chosen stakes lattice-search finds the best payoff for " in finding


def test_the_likely_unique_people_are_those_that_are_counted():
    drawn = picture("demographics")
    ages, places = (panel.layers[0].heights for panel in drawn.panels)

    assert [24 / 9054, 15 / 9015] == ages
    assert {"none": 1 / 3, "\u226420": 1 / 3, "all": 1 / 3} == {
        name: share for name, share in zip(drawn.panels[1].layers[0].names, places, strict=True) if share
    }
    assert [9054, 9015, 18069] == drawn.table["people"]
    assert (
        "Likely unique by zip, sex and year of birth: 39 of 18,069 people (0.22%). By age group, the share is lowest "
        "at 65+ (0.2%) and highest at under 12 (0.3%). All people are likely unique in 1 of 3 places; no one is in 1."
    ) == drawn.finding


# --- styles and words -------------------------------------------------------------------------------------------------


def luminance(colour: str) -> float:
    """Return the relative luminance of #rrggbb as the accessibility guidelines have it."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast_with_white(colour: str) -> float:
    return 1.05 / (luminance(colour) + 0.05)


def test_policies_are_told_apart_without_colour():
    lines, points = (("safe-harbor", *GAMES, more) for more in ("within limits", "aware-basic"))
    assert 5 == len({style_of(name).dash for name in lines}) == len({style_of(name).marker for name in lines})
    assert 6 == len({style_of(name).marker for name in (*points, "aware-no-attack")})
    assert POLICY == style_of("a policy of my own") == style_of("safe-harbor")


def test_text_and_lines_stand_out_from_white():
    assert contrast_with_white(INK) >= 4.5
    assert all(contrast_with_white(style.colour) >= 3 for style in (POLICY, *GAME_STYLES.values()))


def test_text_and_lines_stand_out_from_a_dark_page_too():
    paper = luminance(DARK[PAPER]) + 0.05

    assert (luminance(DARK[INK]) + 0.05) / paper >= 4.5
    assert all((luminance(DARK[colour]) + 0.05) / paper >= 3 for colour in DARK if colour not in {PAPER, FAINT})


@pytest.mark.parametrize("kind", KINDS)
def test_every_colour_of_a_figure_has_one_for_dark_pages(kind):
    used = set(re.findall(r'"(#[0-9a-fA-F]{3,6})"', drawing(picture(kind), "x")))

    assert used - {shade(place / 100) for place in range(101)} <= set(DARK)


def test_some_places_are_never_more_than_asked_for():
    for count in (1, 5, 50, 101):
        for must in ([], [3], [0, 4]):
            chosen = evenly_spaced(count, 7, [place for place in must if place < count])
            assert len(chosen) <= 7
            assert {0, count - 1, *(place for place in must if place < count)} <= set(chosen)


def test_colours_of_one_number_have_no_other_beside_them():
    for number in (0.0, 5.0):
        scale = colour_scale((number, number), "dollars", "dollars")
        assert ([number], (number, number + 1)) == (scale.ticks, scale.limits)
