"""Every value lies between the lowest and the highest value that its labels stand for."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamedeid import Hierarchy, OpenHierarchy, read_hierarchy
from gamedeid.generalization.bounds import LabelBounds, bounds_of, label_bounds, value_type
from gamedeid.generalization.kinds import build_hierarchy
from gamedeid.generalization.shipped import shipped_files

NONE = LabelBounds(None, None)
DATA = {
    "icd10": ["E11.9", "I10", "Z99.8"],
    "us_zip": ["03601", "10001", "37010", "99950"],
}


def closed(hierarchy, values=()):
    return hierarchy.close(values) if isinstance(hierarchy, OpenHierarchy) else hierarchy


def check_law(hierarchy, parse):
    """Compare labels with leaves one by one; return how many labels have bounds."""
    labels = {label for level in hierarchy.labels for label in level}
    found, bounded = label_bounds(hierarchy, labels), 0
    for leaf, text in enumerate(hierarchy.leaves):
        for level in range(hierarchy.levels):
            low, high = found[hierarchy.label(level, leaf)]
            if (low, high) != NONE:
                assert low is None or low <= parse(text)
                assert high is None or parse(text) <= high
                bounded += 1
    return bounded


@pytest.mark.parametrize("name", sorted(shipped_files("hierarchies")))
def test_of_shipped_hierarchies_every_value_lies_within_the_bounds_of_all_its_labels(name):
    hierarchy = closed(read_hierarchy(shipped_files("hierarchies")[name]), DATA.get(name, ()))
    bounded = check_law(hierarchy, Decimal)
    below_root = len(hierarchy.leaves) * (hierarchy.levels - 1)

    assert (below_root if name == "age" else 0) == bounded
    assert ("number" if name == "age" else "text") == value_type(hierarchy)


@given(
    low=st.integers(-150, 150),
    count=st.integers(2, 90),
    widths=st.lists(st.integers(2, 4), min_size=1, max_size=3),
    is_open=st.booleans(),
)
def test_of_intervals_every_label_but_the_root_has_bounds(low, count, widths, is_open):
    products = [widths[0]]
    for width in widths[1:]:
        products.append(products[-1] * width)
    products = [width for width in products if width <= count] or [count]
    hierarchy = Hierarchy.intervals(
        low, low + count - 1, products, name="x", open_from=low + count - 1 if is_open else None
    )

    assert count * (hierarchy.levels - 1) == check_law(hierarchy, Decimal)


@given(
    edges=st.lists(st.decimals(-50, 50, places=1), min_size=3, max_size=6, unique=True),
    values=st.lists(st.decimals(-90, 90, places=2), min_size=1, max_size=20),
)
def test_of_bands_every_number_lies_within_its_band(edges, values):
    edges = sorted(map(float, edges))
    rule = build_hierarchy({"kind": "number", "bands": [edges, edges[::2][:1]]}, name="x")
    hierarchy = rule.close(map(str, values))

    assert "number" == value_type(rule) == value_type(hierarchy)
    assert len(hierarchy.leaves) * (hierarchy.levels - 1) == check_law(hierarchy, Decimal)


@given(
    first=st.dates(date(1890, 1, 1), date(2090, 1, 1)),
    days=st.integers(0, 4000),
    levels=st.sampled_from([["week"], ["month", "quarter", "year", "decade"], ["year", "5 years"], ["quarter"]]),
    earliest=st.none() | st.integers(1880, 2100),
    by_month=st.booleans(),
)
def test_of_dates_every_day_lies_within_its_week_month_quarter_or_years(first, days, levels, earliest, by_month):
    by_month = by_month and "year" in levels and levels[0] != "month"
    whole = earliest if {"year", "decade"} & set(levels) else None
    description = {"kind": "date", "levels": levels, "format": "YYYY-MM" if by_month else "YYYY-MM-DD"}
    rule = build_hierarchy(description | ({} if whole is None else {"earliest": whole}), name="x")
    hierarchy = rule.close([str(day)[:7] if by_month else str(day) for day in (first, first + timedelta(days))])

    assert "date" == value_type(rule) == value_type(hierarchy)
    checked = check_law(hierarchy, lambda text: date.fromisoformat(f"{text}-15"[:10]))
    assert len(hierarchy.leaves) * (hierarchy.levels - 1) == checked


@pytest.mark.parametrize(
    ("label", "values", "low", "high"),
    [
        ("34", "number", 34, 34),
        ("[30-34]", "number", 30, 34),
        ("[-5--1]", "number", -5, -1),
        ("[14-<15]", "number", 14, 15),
        ("[-2.5-<-1]", "number", Decimal("-2.5"), -1),
        ("[14, 15)", "number", 14, 15),
        ("[14, 15[", "number", 14, 15),
        ("[1 to 3]", "number", 1, 3),
        ("<2000", "number", None, 2000),
        ("1942-1946", "number", 1942, 1946),
        ("90+", "number", 90, None),
        (">=90", "number", 90, None),
        ("*", "number", None, None),
        ("[34-30]", "number", None, None),
        ("034", "number", None, None),
        ("90+", "text", None, None),
        ("1958-03-14", "date", date(1958, 3, 14), date(1958, 3, 14)),
        ("1958-W01", "date", date(1957, 12, 30), date(1958, 1, 5)),
        ("2024-02", "date", date(2024, 2, 1), date(2024, 2, 29)),
        ("1958-Q4", "date", date(1958, 10, 1), date(1958, 12, 31)),
        ("1958", "date", date(1958, 1, 1), date(1958, 12, 31)),
        ("[0000-0009]", "date", date(1, 1, 1), date(9, 12, 31)),
        ("[9990-9999]", "date", date(9990, 1, 1), date(9999, 12, 31)),
        ("<1935", "date", None, date(1934, 12, 31)),
        ("<0001", "date", None, None),
        ("1934 or earlier", "date", None, date(1934, 12, 31)),
        ("1958-13", "date", None, None),
        ("2023-02-29", "date", None, None),
        ("*", "date", None, None),
    ],
)
def test_labels_in_all_forms(label, values, low, high):
    assert LabelBounds(low, high) == bounds_of(label, values)


def test_a_table_has_bounds_where_its_labels_hold_its_values_and_only_there():
    rows = [["1942", "1942-1946", "1940+", "*"], ["1946", "1942-1946", "1940+", "*"], ["1951", "7", "1940+", "*"]]
    table = Hierarchy.from_rows(rows, name="born")
    found = label_bounds(table, ["1942", "1942-1946", "7", "1940+", "*"])

    assert "number" == value_type(table)
    assert {"1942": (1942, 1942), "1942-1946": (1942, 1946), "7": NONE, "1940+": (1940, None), "*": NONE} == found


def test_codes_of_places_and_groups_of_unlisted_values_are_not_numbers():
    rows = [["37010", "*"], ["37011", "*"]]
    others = Hierarchy.intervals(0, 9, [5], name="x", unlisted="99")

    assert "text" == value_type(Hierarchy.from_rows(rows, name="x", role="zip"))
    assert {"99": NONE, "[0-4]": (0, 4)} == label_bounds(others, ["99", "[0-4]"])
