"""Both drawings draw every layer, and files are the same each time and stand alone."""

import html
import json
import re
import stat
import sys
import xml.etree.ElementTree as ET
from functools import cache
from io import BytesIO
from pathlib import Path

import matplotlib as mpl
import numpy as np
import plotly.graph_objects as go
import pytest
from depth import tries
from matplotlib.collections import PathCollection, QuadMesh
from matplotlib.image import imread
from PIL import Image
from sample_pictures import KINDS, picture

from gamedeid.errors import OutputError
from gamedeid.pictures.matplotlib_drawing import borders, draw
from gamedeid.pictures.picture import Area, Bars, HeatMap, Line, Mark, Panel, Picture, Points
from gamedeid.pictures.plotly_drawing import specification
from gamedeid.pictures.saving import FORMS, contents, form_of, page, save_picture
from gamedeid.pictures.scales import Scale, of_colours
from gamedeid.pictures.styles import POLICY, REFERENCE


@cache
def drawn_as(kind, form):
    """Return the bytes of a picture, drawn once."""
    return contents(picture(kind), form)


def layers(panel, of):
    return [layer for layer in panel.layers if isinstance(layer, of)]


def marks_of_a_place(panel):
    return [mark for mark in layers(panel, Mark) if None not in {mark.x, mark.y}]


def lines_across(panel):
    return sum((mark.x is not None) + (mark.y is not None) for mark in layers(panel, Mark))


@pytest.mark.parametrize("kind", KINDS)
def test_plotly_is_given_every_layer(kind):
    drawn, spec = picture(kind), specification(picture(kind))

    for layout in ("layout", "narrow"):
        go.Figure({"data": spec["data"], "layout": spec[layout]})  # refuses what plotly does not know
    by_axis = {}
    for trace in spec["data"]:
        by_axis.setdefault(trace["xaxis"], []).append(trace["type"])
    for number, panel in enumerate(drawn.panels, start=1):
        end = "" if number == 1 else str(number)
        expected = ["heatmap"] * len(layers(panel, HeatMap)) + ["bar"] * len(layers(panel, Bars))
        expected += ["scatter"] * (len(layers(panel, Line | Points)) + len(marks_of_a_place(panel)))
        expected += ["scatter"] * len(layers(panel, Area))
        expected += ["scatter"] * (panel.colours is not None and "heatmap" not in expected)  # the bar of their colours
        assert sorted(expected) == sorted(by_axis[f"x{end}"])
        assert panel.x.label == html.unescape(spec["layout"][f"xaxis{end}"]["title"]["text"])
        assert panel.y.label == html.unescape(spec["layout"][f"yaxis{end}"]["title"]["text"])
        across = [
            one for one in spec["layout"]["shapes"] if f"x{end}" == one["xref"].split()[0] and "opacity" not in one
        ]
        assert lines_across(panel) == len(across)
    assert len(drawn.panels) == len(spec["layout"]["annotations"])


@pytest.mark.parametrize("kind", KINDS)
def test_the_specification_is_json_and_names_each_thing_once_in_the_legend(kind):
    spec = specification(picture(kind))

    assert spec == json.loads(json.dumps(spec, allow_nan=False))
    listed = [one["name"] for one in (*spec["data"], *spec["layout"]["shapes"]) if one.get("showlegend")]
    expected = {layer.name for panel in picture(kind).panels for layer in layers(panel, Line | Points | Bars | Mark)}
    assert sorted(expected - {""}) == sorted(listed)


@pytest.mark.parametrize("kind", KINDS)
def test_matplotlib_draws_every_layer(kind):
    figure = draw(picture(kind))
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
    axes = draw(picture("lines")).axes[0]
    spec = specification(picture("lines"))["data"]

    for line in layers(panel, Line):
        drawn = next(one for one in axes.lines if one.get_label() == line.name)
        assert list(zip(line.x, line.y, strict=True)) == [tuple(point) for point in drawn.get_xydata().tolist()]
        traced = next(one for one in spec if one["name"] == line.name)
        assert line.y == pytest.approx(traced["y"])


def test_no_words_of_a_panel_overlap():
    for kind in KINDS:
        figure = draw(picture(kind))
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
    [
        *((kind, "html") for kind in KINDS),
        *((kind, "svg") for kind in tries(("map", "lattice"), KINDS)),
        ("scatter", "png"),
    ],
)
def test_the_same_picture_gives_the_same_bytes(kind, form):
    assert drawn_as(kind, form) == contents(picture(kind), form)


def test_settings_of_the_user_make_no_difference_and_are_left_as_they_are():
    expected = drawn_as("strategies", "svg")
    with mpl.rc_context({"font.size": 30, "svg.fonttype": "path", "axes.grid": True}):
        assert expected == contents(picture("strategies"), "svg")
        assert 30 == mpl.rcParams["font.size"]


def test_pyplot_is_left_alone():
    contents(picture("lattice"), "png")

    assert "matplotlib.pyplot" not in sys.modules or not sys.modules["matplotlib.pyplot"].get_fignums()


def test_an_image_carries_its_words():
    drawn = picture("differences")
    image = Image.open(BytesIO(drawn_as("differences", "png")))
    svg = ET.fromstring(drawn_as("differences", "svg").decode())  # noqa: S314  (our own)

    assert (drawn.title, f"{drawn.caption} {drawn.finding}") == (image.text["Title"], image.text["Description"])
    space = "{http://www.w3.org/2000/svg}"
    assert [drawn.title, f"{drawn.caption} {drawn.finding}"] == [
        svg.find(f"{space}{tag}").text for tag in ("title", "desc")
    ]
    assert "img" == svg.get("role")
    assert drawn.title in [text.text for text in svg.iter(f"{space}text")], "letters are letters"
    assert b"date" not in drawn_as("differences", "svg").lower()


def test_a_page_stands_alone():
    text = page(picture("map"))
    ours = re.sub(r"<script>/\*\*\n\* plotly\.js.*?</script>", "", text, flags=re.DOTALL)

    assert len(ours) < 100_000 < len(text)
    assert "src=" not in ours
    assert ["data:,"] == re.findall(r'href="([^"]*)"', ours)
    assert html.escape(picture("map").finding) in ours
    assert html.escape(picture("map").caption) in ours
    rows = len(next(iter(picture("map").table.values())))
    assert rows + 1 == ours.count("<tr>")


def test_names_with_marks_of_html_do_no_harm():
    name = "<script>alert('x')</script> & $\\frac{1}{2}$"
    panel = Panel(
        title=name,
        x=Scale(label=name),
        y=Scale(label=name),
        layers=(
            Line(name=name, style=POLICY, x=[0.0, None, 1.0], y=[0.0, None, 1.0]),
            Points(name="p", style=POLICY, x=[0.0], y=[0.0], text=[name], hover=[name]),
            HeatMap(x=[1.0], y=[1.0], z=[[1.0]]),
            Mark(name="m", style=REFERENCE, y=0.5),
        ),
        colours=of_colours((0.0, 2.0), name),
    )
    drawn = Picture(
        kind="x", title=name, caption=name, finding=name, table={name: [name, "", 1, 0.25]}, panels=(panel,)
    )

    assert "<script>alert" not in page(drawn)
    assert name in ET.fromstring(contents(drawn, "svg").decode()).find("{http://www.w3.org/2000/svg}title").text  # noqa: S314
    assert contents(drawn, "png").startswith(b"\x89PNG")


@pytest.mark.parametrize("form", FORMS)
def test_a_file_is_written_whole_for_its_owner_only(tmp_path, form):
    target = tmp_path / f"picture.{form}"
    save_picture(picture("strategies"), target)

    assert drawn_as("strategies", form) == target.read_bytes()
    assert 0o600 == stat.S_IMODE(target.stat().st_mode)
    with pytest.raises(OutputError, match="already exists"):
        save_picture(picture("lattice"), target)
    save_picture(picture("lattice"), target, overwrite=True)
    assert drawn_as("lattice", form) == target.read_bytes()


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("x.pgn", "a picture is written as .png, .svg or .html; did you mean `png`?"),
        ("x", "add one of these to the name"),
        ("x.tar.gz", "written as .png, .svg or .html"),
    ],
)
def test_other_suffixes_are_refused(name, says):
    with pytest.raises(OutputError, match=re.escape(says)):
        form_of(Path(name))
    assert "png" == form_of(Path("X.PNG"))


def test_a_png_is_not_blank():
    pixels = imread(BytesIO(drawn_as("strategies", "png")))

    assert np.unique(pixels.reshape(-1, pixels.shape[-1]), axis=0).shape[0] > 50


def test_borders_of_a_single_value_surround_it():
    assert [2.5, 3.5] == borders([3.0], log=False).tolist()
    low, high = borders([3.0], log=True)
    assert low < 3 < high
