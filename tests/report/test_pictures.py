"""Pictures as descriptions: their words, axes and numbers, as a reviewer compared them with the results.

`PYTHONPATH=tests/kit python tests/report/test_pictures.py` renews tests/gold/pictures.txt: read the difference.
"""

import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from sample_pictures import CHOSEN, KINDS, along_axis, picture, plane, small_study

from gamedeid.analysis.sweep import sweep
from gamedeid.choices import GAMES
from gamedeid.errors import InvalidScenarioError
from gamedeid.pictures.lines import deviation_picture, lines_picture
from gamedeid.pictures.maps import map_picture
from gamedeid.pictures.picture import Picture
from gamedeid.pictures.scales import Scale, colour_scale
from gamedeid.pictures.styles import DARK, FAINT, GAME_STYLES, INK, PAPER, POLICY, Style, shade, style_of
from gamedeid.pictures.svg_drawing import drawing
from gamedeid.pictures.words import MOST_ROWS, evenly_spaced
from gamedeid.results.tables import rows_to_columns
from gamedeid.scenario.grid import values_around

GOLD = Path(__file__).parents[1] / "gold" / "pictures.txt"
DESCRIBED = [kind for kind in KINDS if kind != "many strategies"]


def plain(value: Any) -> str:
    """Return a part of a picture in one line, numbers with six digits."""
    match value:
        case Style():
            return f"{value.colour} {value.dash} {value.marker}"
        case Scale():
            ticks = ", ".join(map(value.text, value.ticks))
            return f"{value.label}{' log' * value.log}; {plain(value.limits)}; {ticks}"
        case tuple() | list():
            return f"[{', '.join(map(plain, value))}]"
        case float():
            return f"{value + 0.0:.6g}"
    return repr(value)


def described(drawn: Picture) -> Iterator[str]:
    """Yield the lines that describe all of a picture except its size."""
    yield from (drawn.title, drawn.caption, drawn.finding)
    yield from (f"{name}: {plain(column)}" for name, column in drawn.table.items())
    for panel in drawn.panels:
        yield f"{panel.title} | x {plain(panel.x)} | y {plain(panel.y)} | colours {plain(panel.colours)}"
        for layer in panel.layers:
            given = {one.name: getattr(layer, one.name) for one in fields(layer)}
            words = (f"{name}={plain(one)}" for name, one in given.items() if one or one == 0)
            yield f"  {type(layer).__name__} {' '.join(words)}"


def texts() -> dict[str, str]:
    return {kind: "".join(f"{line}\n" for line in described(picture(kind))) for kind in DESCRIBED}


def test_every_picture_is_as_reviewed():
    assert texts() == dict(one.split("\n", 1) for one in GOLD.read_text("utf-8").split("## ")[1:])


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


def test_values_without_the_chosen_stakes_do_not_mention_them():
    other, axis = {**CHOSEN, "loss": 91.0}, values_around("loss", 90, 9, 20)
    columns, solvers = sweep(small_study(), [axis]).columns, along_axis(small_study(), axis)

    assert lines_picture({"loss": columns}, other).finding.startswith("Along the loss, from $4.50 to $1,800, ")
    columns = rows_to_columns([row for one in solvers for row in one.rows])
    assert deviation_picture({"loss": columns}, other).finding.startswith("Along the loss, ")


def test_payoffs_that_are_all_zero_are_drawn_at_zero():
    columns = {name: [0.0] * 6 for name in ("publisher_payoff", "adversary_payoff")}
    columns |= {"policy": ["pairs", "no-attack"] * 3, "loss": [1.0, 1.0, 2.0, 2.0, 3.0, 3.0]}

    for panel in lines_picture({"loss": columns}, {**CHOSEN, "loss": 2.0}).panels:
        assert ([0.0], (-1.0, 1.0)) == (panel.y.ticks, panel.y.limits)


def test_without_a_benefit_there_is_no_share_of_it():
    columns = {name: [0.0, 0.0, 5.0, 5.0] for name in ("publisher_payoff", "adversary_payoff")}
    columns |= {"policy": ["pairs", "basic"] * 2, "benefit": [0.0, 0.0, 10.0, 10.0]}

    line = lines_picture({"benefit": columns}, {**CHOSEN, "benefit": 10.0}).panels[0].layers[1]
    assert [None, 0.5] == line.y


def test_colours_mean_the_same_in_the_maps_of_all_games():
    maps = [map_picture(plane(), CHOSEN, game) for game in GAMES]
    ends = [[panel.colours.limits for panel in one.panels] for one in maps]

    assert (0.0, 1.0) == ends[0][1], "shares go from none to all"
    assert ends[0] == ends[1] == ends[2]
    for place, name in ((0, "generalization_intensity"), (3, "adversary_payoff")):
        of_games = [value for value, who in zip(plane()[name], plane()["policy"], strict=True) if who in GAMES]
        assert (0.0, max(of_games)) == ends[0][place]


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


def test_a_map_names_the_first_of_the_points_whose_values_differ_by_rounding_only():
    columns = plane()
    first = columns["generalization_intensity"].copy()
    columns["generalization_intensity"] = [value - 1e-17 * row for row, value in enumerate(first)]

    drawn = map_picture(columns, CHOSEN, "basic")

    assert map_picture({**columns, "generalization_intensity": first}, CHOSEN, "basic").finding == drawn.finding


def test_a_map_needs_loss_and_benefit_varied_and_nothing_else():
    columns = plane()
    gap = {name: values[4:] for name, values in columns.items()}
    twice = {name: values + values for name, values in columns.items()}

    for wrong in (gap, twice):
        with pytest.raises(InvalidScenarioError, match="a map needs loss and benefit varied"):
            map_picture(wrong, CHOSEN, "basic")


# --- styles and words -------------------------------------------------------------------------------------------------


def luminance(colour: str) -> float:
    """Return the relative luminance of #rrggbb by the accessibility guidelines."""
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


def test_text_and_lines_contrast_with_white():
    assert contrast_with_white(INK) >= 4.5
    assert all(contrast_with_white(style.colour) >= 3 for style in (POLICY, *GAME_STYLES.values()))


def test_text_and_lines_contrast_with_a_dark_page_too():
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


if __name__ == "__main__":
    GOLD.write_text("".join(f"## {kind}\n{text}" for kind, text in texts().items()), "utf-8")
