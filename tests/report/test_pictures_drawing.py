"""Both drawings draw every layer, and files are the same each time and stand alone."""

import html
import json
import re
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from depth import tries
from matplotlib.collections import PathCollection, QuadMesh
from PIL import Image
from sample_pictures import KINDS, picture

from gamedeid.errors import FontWarning
from gamedeid.pictures.matplotlib_drawing import draw
from gamedeid.pictures.picture import Area, Bars, HeatMap, Line, MarkedPlace, Panel, Picture, Points
from gamedeid.pictures.saving import page, picture_content, picture_form
from gamedeid.pictures.scales import Scale, borders, colour_scale
from gamedeid.pictures.styles import COLOURS, POLICY, REFERENCE, shade
from gamedeid.pictures.svg_drawing import drawing, svg

SPACE = "{http://www.w3.org/2000/svg}"


@cache
def drawn_as(kind, form):
    """Return the bytes of a picture, drawn once."""
    return picture_content(picture(kind), form)


def layers(panel, of):
    return [layer for layer in panel.layers if isinstance(layer, of)]


def marks_of_a_place(panel):
    return [mark for mark in layers(panel, MarkedPlace) if None not in {mark.x, mark.y}]


def lines_across(panel):
    return sum((mark.x is not None) + (mark.y is not None) for mark in layers(panel, MarkedPlace))


@cache
def panels_of(kind):
    """Return the file of a picture, and the elements of its panels."""
    root = ET.fromstring(drawn_as(kind, "svg").decode())  # noqa: S314  (our own)
    return root, root.findall(f"{SPACE}svg")


def texts(element):
    return ["".join(one.itertext()) for one in element.iter(f"{SPACE}text")]


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_of_svg_has_every_layer_and_names_each_thing_once_in_the_legend(kind):
    drawn, (root, panels) = picture(kind), panels_of(kind)

    assert len(drawn.panels) == len(panels)
    for panel, element in zip(drawn.panels, panels, strict=True):
        words = texts(element)
        assert set(panel.colours.names if panel.colours else ()) <= set(words)
        assert {panel.title, panel.x.label, panel.y.label} <= {*words, ""}
        assert {panel.x.text(tick) for tick in panel.x.ticks} <= set(words)
        marks = len(element.findall(f"{SPACE}circle") + element.findall(f"{SPACE}polygon"))
        points = sum(len(one.x) for one in layers(panel, Points)) + len(marks_of_a_place(panel))
        marked = sum(one.marked for one in layers(panel, Line))
        assert points + 3 * marked <= marks <= points + 16 * marked
        bars = sum(height > 0 for one in layers(panel, Bars) for height in one.heights)
        plain = [one for one in element.findall(f"{SPACE}rect") if one.get("fill").startswith("#")]
        assert bars == len(plain) - len(panel.colours.names if panel.colours else ())
        assert len(layers(panel, Area)) == sum("data-say" in one.attrib for one in element.iter())
        dashed = [one for one in element.findall(f"{SPACE}path") if one.get("stroke-width") == "1.4"]
        assert lines_across(panel) == len(dashed)
    named = [words for entry in root.findall(f"{SPACE}g") for words in texts(entry)]
    expected = {layer.name for panel in drawn.panels for layer in layers(panel, Line | Points | Bars | MarkedPlace)}
    assert sorted(expected - {""}) == sorted(named)


def test_lines_of_svg_are_at_their_numbers():
    """By linear interpolation between the lines of the axes, whose ends are those of the scale."""
    panel, element = picture("lines").panels[0], panels_of("lines")[1][0]
    paths = [one.get("d") for one in element.findall(f"{SPACE}path")]
    left, top, bottom, right = map(float, re.fullmatch(r"M(\S+) (\S+)V(\S+)H(\S+)", paths[1]).groups())
    ends = np.log10(panel.x.limits)
    drawn = [path for path in paths if "L" in path]
    for line, path in zip(layers(panel, Line), drawn, strict=True):
        x = np.interp(np.log10(line.x), ends, (left, right))
        y = np.interp(line.y, panel.y.limits, (bottom, top))
        steps = np.array([one.split() for one in re.split("[ML]", path)[1:]], float)
        assert steps == pytest.approx(np.column_stack([x, y]), abs=0.06)


def test_long_numbers_along_an_axis_of_svg_leave_room_for_its_label():
    """The vertical label is at 14, and takes 6 more; a digit is 7 units wide at most."""
    drawn = picture("lines")
    long = replace(drawn.panels[0].y, limits=(-12_500.0, 0.0), unit="dollars")
    file = svg(replace(drawn, panels=tuple(replace(panel, y=long) for panel in drawn.panels)))
    root = ET.fromstring(file)  # noqa: S314  (our own)
    numbers = [one for one in root.iter(f"{SPACE}text") if one.get("text-anchor") == "end"]

    assert "-$12,500" in [one.text for one in numbers]
    assert min(float(one.get("x")) - 7 * len(one.text) for one in numbers) >= 17


def test_colours_of_numbers_are_those_of_matplotlib():
    for place in np.linspace(0, 1, 60):
        expected = 255 * np.array(mpl.colormaps[COLOURS](place)[:3])
        assert [*bytes.fromhex(shade(place)[1:])] == pytest.approx(expected, abs=9)


def test_cells_of_a_heat_map_fill_its_axes_and_leave_out_unknown_values():
    heat = HeatMap(x=[1.0, 2.0, 4.0], y=[1.0, 2.0], z=[[0.0, 0.0, 1.0], [None, 0.5, 1.0]], says="{} of them")
    panel = Panel(
        title="t",
        x=Scale(label="x", limits=(1.0, 4.0)),
        y=Scale(label="y", limits=(1.0, 2.0)),
        layers=(heat,),
        colours=colour_scale((0.0, 1.0), "share", "percent"),
    )
    drawn = Picture(kind="x", title="t", caption="c", finding="f", table={}, panels=(panel,))
    cells = re.findall(r'<path d="([^"]*)" fill="(#\w+)" shape', drawing(drawn, "x"))
    said = json.loads(html.unescape(re.search("data-spots='([^']*)'", drawing(drawn, "x"))[1]))

    assert [(shade(0), 1), (shade(1), 2), (shade(0.5), 1)] == [(colour, path.count("M")) for path, colour in cells]
    assert [["0%", "0%", "100%"], [None, "50%", "100%"]] == said[0]["says"]
    assert ["x 1", "x 2", "x 4"] == said[0]["across"]


@cache
def figure_of(kind):
    return draw(picture(kind))


@pytest.mark.parametrize("kind", KINDS)
def test_matplotlib_draws_every_layer(kind):
    figure = figure_of(kind)
    titled = [axes for axes in figure.axes if axes.get_title(loc="left")]

    assert [panel.title for panel in picture(kind).panels] == [axes.get_title(loc="left") for axes in titled]
    for panel, axes in zip(picture(kind).panels, titled, strict=True):
        assert len(layers(panel, Line)) + 2 * lines_across(panel) + len(marks_of_a_place(panel)) == len(axes.lines)
        assert len(layers(panel, Points)) == sum(isinstance(one, PathCollection) for one in axes.collections)
        assert len(layers(panel, HeatMap)) == sum(isinstance(one, QuadMesh) for one in axes.collections)
        assert len(layers(panel, Area)) + sum(len(bars.heights) for bars in layers(panel, Bars)) == len(axes.patches)
        assert sum(len(points.text) for points in layers(panel, Points)) == len(axes.texts)
        assert (panel.x.label, panel.y.label) == (axes.get_xlabel(), axes.get_ylabel())


def test_the_drawn_lines_are_those_of_the_description():
    panel = picture("lines").panels[0]
    axes = figure_of("lines").axes[0]

    for line in layers(panel, Line):
        drawn = next(one for one in axes.lines if one.get_label() == line.name)
        assert list(zip(line.x, line.y, strict=True)) == [tuple(point) for point in drawn.get_xydata().tolist()]


def test_no_words_of_a_panel_overlap():
    for kind in KINDS:
        figure = figure_of(kind)
        figure.draw_without_rendering()
        boxes = [
            box.get_window_extent()
            for axes in figure.axes
            for box in (axes.title, axes._left_title, axes.xaxis.label, axes.yaxis.label)  # noqa: SLF001
            if box.get_text()
        ]
        assert not any(one.overlaps(other) for place, one in enumerate(boxes) for other in boxes[place + 1 :]), kind


@pytest.mark.parametrize(
    ("kind", "form"),
    [*((kind, "html") for kind in KINDS), *((kind, "svg") for kind in tries(("map", "lattice"), KINDS))],
)
def test_the_same_picture_gives_the_same_bytes(kind, form):
    assert drawn_as(kind, form) == picture_content(picture(kind), form)


def test_user_settings_have_no_effect_and_they_and_pyplot_are_unchanged():
    expected = drawn_as("strategies", "png")
    with mpl.rc_context({"font.size": 30, "axes.grid": True}):
        assert expected == picture_content(picture("strategies"), "png")
        assert 30 == mpl.rcParams["font.size"]
    assert "matplotlib.pyplot" not in sys.modules or not sys.modules["matplotlib.pyplot"].get_fignums()


def test_an_image_carries_its_words():
    drawn = picture("differences")
    image = Image.open(BytesIO(drawn_as("differences", "png")))
    svg, _ = panels_of("differences")

    assert (drawn.title, f"{drawn.caption} {drawn.finding}") == (image.text["Title"], image.text["Description"])
    assert 1600 == image.width
    assert [drawn.title, f"{drawn.caption} {drawn.finding}"] == [
        svg.find(f"{SPACE}{tag}").text for tag in ("title", "desc")
    ]
    assert "img" == svg.get("role")
    assert drawn.title in texts(svg), "letters are letters"
    assert "Whose" in texts(ET.fromstring(picture_content(replace(drawn, subject="Whose"), "svg").decode()))  # noqa: S314
    assert b"date" not in drawn_as("differences", "svg").lower()


def test_a_page_stands_alone():
    text = page(picture("map"))

    assert len(text) < 100_000
    assert "src=" not in text
    assert ["data:,"] == re.findall(r'href="([^"]*)"', text)
    assert html.escape(picture("map").finding) in text
    assert html.escape(picture("map").caption) in text
    rows = len(next(iter(picture("map").table.values())))
    assert rows + 1 == text.count("<tr>")


def test_html_in_names_is_escaped():
    name = "<script>alert('x')</script> & $\\frac{1}{2}$"
    panel = Panel(
        title=name,
        x=Scale(label=name),
        y=Scale(label=name),
        layers=(
            Line(name=name, style=POLICY, x=[0.0, None, 1.0], y=[0.0, None, 1.0]),
            Points(name="p", style=POLICY, x=[0.0], y=[0.0], text=[name], hover=[name]),
            HeatMap(x=[1.0], y=[1.0], z=[[1.0]]),
            MarkedPlace(name="m", style=REFERENCE, y=0.5),
        ),
        colours=colour_scale((0.0, 2.0), name, unit=""),
    )
    drawn = Picture(
        kind="x", title=name, caption=name, finding=name, table={name: [name, "", 1, 0.25]}, panels=(panel,)
    )

    assert "<script>alert" not in page(drawn)
    assert name in ET.fromstring(picture_content(drawn, "svg").decode()).find("{http://www.w3.org/2000/svg}title").text  # noqa: S314
    assert picture_content(drawn, "png").startswith(b"\x89PNG")


def test_a_form_may_be_named_in_capital_letters():
    assert "png" == picture_form(Path("X.PNG"))


def test_borders_of_a_single_value_surround_it():
    assert [0.0, 6.0] == borders([3.0], log=False).tolist()
    low, high = borders([3.0], log=True)
    assert low < 3 < high


def test_letters_without_a_font_are_warned_of_once_and_not_named():
    foreign = replace(picture("map"), title="\u5e74\u9f62", subject="\u5730")

    with pytest.warns(FontWarning) as warned:
        picture_content(foreign, "png")

    assert ["the picture as .png shows letters that its font lacks as boxes; .svg and .html show them"] == [
        str(one.message) for one in warned
    ]
