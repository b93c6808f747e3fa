"""Numbers in bands of any width, compared with a plain search for the band of each."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hierarchy_laws import check_laws, labels_of
from hypothesis import given
from hypothesis import strategies as st

from gamedeid.errors import InvalidHierarchyError
from gamedeid.generalization.kinds import build_hierarchy
from gamedeid.generalization.readings import NumberReading

BMI = [[0, 18.5, 25, 30], [0, 25]]
NUMBERS = st.decimals(-1000, 1000, places=2)


def close(values, bands=BMI, **keys):
    return build_hierarchy({"kind": "number", "bands": bands, **keys}, name="h").close(values)


@pytest.mark.parametrize(
    ("value", "labels"),
    [
        ("-0.1", ["-0.1", "<0", "<0", "*"]),
        ("-0", ["0", "[0-<18.5]", "[0-<25]", "*"]),
        ("18.49", ["18.49", "[0-<18.5]", "[0-<25]", "*"]),
        (18.5, ["18.5", "[18.5-<25]", "[0-<25]", "*"]),
        ("25.0", ["25", "[25-<30]", "25+", "*"]),
        (" 30 ", ["30", "30+", "25+", "*"]),
        (1e3, ["1000", "30+", "25+", "*"]),
    ],
)
def test_a_band_has_its_lower_edge_and_the_ends_are_open(value, labels):
    assert labels == labels_of(close([value]), value)


@given(st.lists(NUMBERS, min_size=1), st.lists(NUMBERS, min_size=1, max_size=9, unique=True), st.data())
def test_a_plain_search_finds_the_same_bands_of_numbers(numbers, edges, data):
    edges.sort()
    coarser = sorted(data.draw(st.sets(st.sampled_from(edges), min_size=1)))
    bands = [edges] if coarser == edges else [edges, coarser]
    tree = close(map(str, numbers), bands)

    assert sorted({Fraction(number) for number in numbers}) == [Fraction(leaf) for leaf in tree.leaves]
    for number in numbers:
        for level, cuts in enumerate(bands, start=1):
            band = [
                other for other in numbers if sum(cut <= other for cut in cuts) == sum(cut <= number for cut in cuts)
            ]
            leaf = tree.code(str(number))
            assert len({Fraction(one) for one in band}) == tree.sizes[level, leaf]
    check_laws(tree)


@given(NUMBERS, st.integers(0, 5))
def test_one_number_is_one_leaf_however_it_is_written(number, zeros):
    spelled = {
        f"{number}" + "0" * zeros,
        f" +{number} " if number >= 0 else str(number),
        f"{number:E}",
        f"{float(number)!r}",
    }
    assert {NumberReading().leaf_of(text) for text in spelled} == {NumberReading().leaf_of(float(number))}
    assert Decimal(NumberReading().leaf_of(str(number))) == number


@pytest.mark.parametrize(
    "text", ["", "x", "1,5", "1 000", "nan", "inf", "1e999", "1" * 41, "0x10", "--1", "1.2.3", "٣"]
)
def test_a_value_that_is_not_a_number_is_an_error(text):
    with pytest.raises(InvalidHierarchyError, match=r"expected numbers such as 34 or 18.5, but 1 of the 2 distinct"):
        close(["34", text])


def test_a_decimal_comma_is_read_where_it_is_stated_and_a_point_is_published():
    tree = close(["18,5", "25", 30.5, " ,5"], decimal=",")

    assert ("0.5", "18.5", "25", "30.5") == tree.leaves
    assert (tree.code("18,50"), None) == (tree.code(18.5), tree.code("18.5"))
    with pytest.raises(InvalidHierarchyError, match="expected numbers such as 34 or 18,5, but 1 of the 1 distinct"):
        close(["1.234,5"], decimal=",")
    with pytest.raises(InvalidHierarchyError, match=r"`decimal` is `;`: expected `.` or `,`"):
        close([], decimal=";")


def test_a_code_for_a_missing_value_among_numbers_is_named():
    with pytest.raises(InvalidHierarchyError, match=r'write \[records\] missing_values = \["NA"\]'):
        close(["34", "NA"])


@pytest.mark.parametrize(
    ("bands", "fault"),
    [
        ([[1, 1]], "`bands` list 1 does not rise: expected each edge above the one before"),
        ([[]], "`bands` list 1 has no edges: expected at least one"),
        ([[0, 25], [0, 18.5]], "`bands` list 2 has the edge 18.5, which list 1 does not have: it would split a band"),
        ([[0, 25], [0, 25.0]], "`bands` list 2 has all edges of list 1: expected fewer at each level"),
        ([[True]], r"`bands` is `\[\[True\]\]`: expected a list of lists of numbers"),
        ([[float("inf")]], "expected a list of lists of numbers"),
        ([1, 2], "expected a list of lists of numbers"),
    ],
)
def test_bands_that_do_not_nest_are_refused_at_once(bands, fault):
    with pytest.raises(InvalidHierarchyError, match=fault):
        build_hierarchy({"kind": "number", "bands": bands}, name="h")
