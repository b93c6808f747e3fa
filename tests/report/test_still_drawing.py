"""The drawing of a picture that stands on paper, and where no script runs."""

import re
import xml.etree.ElementTree as ET

import pytest
from sample_pictures import KINDS, picture

from gamedeid.report.pictures.picture import Areas, Bars, HeatMap, Line, Mark, Panel, Picture
from gamedeid.report.pictures.scales import Scale
from gamedeid.report.pictures.still_drawing import WIDTH, still
from gamedeid.report.pictures.styles import POLICY, REFERENCE, STAKES

SVG = "{http://www.w3.org/2000/svg}"
ODD = "</svg><script>alert(1)</script> & \u201cso\u201d"


def drawn(*layers, x=None, y=None, title="a panel"):
    """Return the drawing of one panel as a tree."""
    plain = Scale(label="x", limits=(0.0, 10.0))
    panel = Panel(title=title, x=x or plain, y=y or plain, layers=layers)
    one = Picture(kind="", title="", caption="", finding="", table={}, panels=(panel,))
    return ET.fromstring(still(one))  # noqa: S314  (our own)


def inner(tree):
    """Return the box that holds the layers, and how wide and high it is."""
    [box] = [one for one in tree.iter(f"{SVG}svg") if one is not tree]
    return box, float(box.get("width")), float(box.get("height"))


def numbers(text):
    return [float(one) for one in re.findall(r"-?\d+(?:\.\d+)?", text)]


def words(tree):
    return [one.text or "" for one in tree.iter(f"{SVG}text")]


@pytest.mark.parametrize("kind", KINDS)
def test_every_picture_is_drawn_the_same_each_time_with_all_its_words(kind):
    one = picture(kind)
    text = still(one)
    tree = ET.fromstring(text)  # noqa: S314

    assert text == still(one)
    assert not re.search(r"[ (\"MLHV]-?(nan|inf)", text)
    assert WIDTH == numbers(tree.get("viewBox"))[2]
    said = " ".join(words(tree))
    for panel in one.panels:
        assert panel.title in said
        assert panel.x.label in said
        assert panel.y.quantity in said
        assert all(layer.name in said for layer in panel.layers if not isinstance(layer, HeatMap | Areas))


def test_a_line_runs_from_corner_to_corner():
    tree = drawn(Line(name="a", style=POLICY, x=[0.0, 5.0, None, 10.0, 10.0], y=[0.0, 5.0, 1.0, 10.0, 0.0]))
    box, wide, high = inner(tree)
    [path] = [one.get("d") for one in box]

    assert ["M", "L", "M", "L"] == re.findall("[A-Z]", path)
    places = [0, high, wide / 2, high / 2, wide, 0, wide, high]
    assert pytest.approx(places, abs=0.1) == numbers(path)


def test_a_logarithmic_axis_has_equal_steps_for_equal_ratios():
    x = Scale(label="x", log=True, limits=(1.0, 100.0), unit="dollars")
    box, wide, _ = inner(tree := drawn(Line(name="a", style=POLICY, x=[1.0, 10.0, 100.0], y=[0.0, 0.0, 0.0]), x=x))

    assert pytest.approx([0, wide / 2, wide], abs=0.1) == numbers(box[0].get("d"))[::2]
    assert {"$1", "$10", "$100"} <= set(words(tree))


def test_bars_stand_on_zero_and_marks_go_across():
    bars = Bars(name="b", style=POLICY, edges=[0.0, 5.0, 10.0], heights=[0.0, 5.0])
    box, wide, high = inner(drawn(bars, Mark(name="m", style=REFERENCE, x=5.0)))
    bar, mark = (one.get("d") for one in box)

    assert pytest.approx([wide / 2, high / 2, wide, high, wide / 2], abs=0.1) == numbers(bar)
    assert pytest.approx([wide / 2, 0, high], abs=0.1) == numbers(mark)


def test_the_colours_of_a_map_are_those_of_its_bar_and_what_is_unknown_has_none():
    heat = HeatMap(bar="of records (per cent)", x=[1.0, 2.0], y=[1.0, 2.0], z=[[0.0, 0.0], [1.0, None]], unit="percent")
    tree = drawn(heat, Mark(name="here", style=STAKES, x=1.0, y=1.0))
    cells = {one.get("fill"): one.get("d") for one in inner(tree)[0].iter(f"{SVG}path") if one.get("fill")}

    assert {"rgb(0,34,78)": 1, "rgb(254,232,56)": 1} == {colour: path.count("z") for colour, path in cells.items()}
    assert {"0%", "100%"} <= set(words(tree))


def test_one_number_throughout_stands_alone():
    y = Scale(label="y (dollars)", unit="dollars", limits=(-1.0, 1.0), only=(0.0,))

    assert 1 == sum("$" in one for one in words(drawn(Line(name="a", style=POLICY, x=[0.0, 9.0], y=[0.0, 0.0]), y=y)))


def test_words_are_no_markup():
    tree = drawn(Line(name=ODD, style=POLICY, x=[0.0], y=[0.0]), title=ODD)

    assert 2 == words(tree).count(ODD)
    assert not [one for one in tree.iter() if one.tag.endswith("script")]
