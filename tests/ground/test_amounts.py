"""Money, shares, counts and ranges as people read them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from printed_ranges import printed_ends

from gamedeid.amounts import (
    NO_DOLLARS,
    dollars,
    exact_percent,
    four_decimals,
    money,
    number,
    number_of,
    percent,
    range_words,
)


@pytest.mark.parametrize(
    ("ends", "chosen", "is_open", "expected"),
    [
        ((0.0, None), 300, (False, False), "any"),
        ((2.5, None), 300, (False, False), "$2.50 or more"),
        ((252.0, None), 300, (True, False), "more than $252.00"),
        ((0.0, 348.0), 300, (False, False), "up to $348.00"),
        ((0.0, 348.0), 300, (False, True), "less than $348.00"),
        ((252.0, 348.0), 300, (True, False), "more than $252.00 and at most $348.00"),
        ((252.0, 348.0), 300, (True, True), "more than $252.00 and less than $348.00"),
        ((252.0, 348.0), 300, (False, True), "$252.00 or more, but less than $348.00"),
        ((3.409090909090909, 4.838709677419355), 4, (False, True), "$3.41 to $4.83"),
        ((1268.8, 27_350_000), 2000, (False, False), "$1,269 to $27.3 million"),
        ((0, 4_166_666_321.9), 1200, (False, False), "up to $4.16 billion"),
        ((0.004, None), 4, (False, False), "$0.004 or more"),
        ((0.0516795866, None), 4, (False, False), "$0.0517 or more"),
        ((1199.2, 1200.4), 1200, (False, False), "$1,199.20 to $1,200.40"),
        ((1199.99, 1200.005), 1200, (False, False), "$1,199.99 to $1,200.005"),
        ((99.9999997, 149.99999985), 100, (True, True), "$100.00 to $149.99"),
        ((1200.0, None), 1200, (True, False), "$1,200 or more"),
        ((1200.0, 1200.0), 1200, (False, False), "only $1,200"),
        ((251.99999999999997, None), 300, (False, False), "more than $252.00"),
    ],
)
def test_ranges_are_rounded_inward_with_the_digits_that_matter(ends, chosen, is_open, expected):
    assert expected == range_words(ends, chosen, is_open)


amounts = st.floats(1e-9, 1e15)


@given(ends=st.tuples(amounts, amounts, amounts).map(sorted), is_open=st.tuples(st.booleans(), st.booleans()))
def test_a_printed_range_lies_within_the_exact_one_and_holds_the_chosen_value(ends, is_open):
    low, chosen, high = ends
    printed_low, printed_high, printed_open = printed_ends(range_words((low, high), chosen, is_open))

    assert low <= printed_low <= chosen <= printed_high <= high
    assert printed_low < chosen or not printed_open[0]
    assert chosen < printed_high or not printed_open[1]
    assert printed_open[0] or printed_low > low or not is_open[0] or low == chosen
    assert printed_open[1] or printed_high < high or not is_open[1] or high == chosen
    assert abs(printed_low - low) <= max(0.11 * (chosen - low), 1.1e-6 * chosen)
    assert abs(printed_high - high) <= max(0.11 * (high - chosen), 1.1e-6 * chosen)


def test_money_is_written_for_people():
    assert ["$1,195.39", "-$12.50", "$0.01", "-$0.0012"] == [
        dollars(one) for one in (1195.3866, -12.5, 0.0052, -0.0012)
    ]
    assert ["$0.00499", "$0.0000000123"] == [dollars(one) for one in (0.00499, 1.2345e-8)]
    assert ["$300", "$4.50", "$0.001", "$0.00004"] == [money(one) for one in (300, 4.5, 0.001, 4e-5)]


def test_a_share_reads_as_none_or_all_only_where_it_is():
    shares = (0, 1e-9, 0.00004, 0.0256, 0.99996, 1 - 1e-9, 1, 1 - 1e-15)

    assert ["0.00%", "<0.01%", "<0.01%", "2.56%", ">99.99%", ">99.99%", "100.00%", "100.00%"] == [
        percent(share) for share in shares
    ]
    assert ["<0.1%", ">99.9%", "<0.0001%"] == [percent(1e-6, 1), percent(0.99999, 1), percent(1e-9, 4)]


@given(st.floats(-1e6, 1e6))
def test_only_no_dollars_and_the_rounding_of_sums_read_as_none(amount):
    assert (abs(amount) <= NO_DOLLARS) == (dollars(amount) == "$0.00")
    assert (amount < -NO_DOLLARS) == dollars(amount).startswith("-")


@given(st.floats(0, 1))
def test_no_other_share_reads_as_none_or_all(share):
    assert (share == 0) == (percent(share) == "0.00%")
    assert (share > 1 - 1e-12) == (percent(share) == "100.00%")


def test_a_number_reads_as_0_only_where_it_is():
    assert ["0.0000", "<0.0001", "0.0015", "0.0000"] == [four_decimals(one) for one in (0, 1e-9, 0.00148, -1e-9)]
    assert ["<0.1", "1,234.5", "-2.0"] == [number(one, 1) for one in (0.04, 1234.5, -2)]


def test_a_share_that_was_chosen_keeps_its_digits():
    assert ["95%", "7%", "99.95%", "100%"] == [exact_percent(share) for share in (0.95, 0.07, 0.9995, 1.0)]


def test_one_item_is_singular():
    assert ["1 record", "0 records", "1,000 records"] == [number_of(count, "record") for count in (1, 0, 1000)]
    assert ["1 person", "2 people", "3 strategies", "2 leaves"] == [
        number_of(count, noun) for count, noun in ((1, "person"), (2, "person"), (3, "strategy"), (2, "leaf"))
    ]
