"""How messages show values and suggest words."""

import pytest

from gamedeid.errors import (
    GamedeidWarning,
    InvalidDataError,
    InvalidHierarchyError,
    OutputError,
    did_you_mean,
    nearest_word_hint,
    quoted,
)


def test_a_hint_is_given_only_for_a_word_that_is_near_whatever_its_capital_letters():
    assert "; did you mean `widths`?" == did_you_mean("widht", ["low", "widths"])
    assert "" == did_you_mean("xyz", ["low", "widths"])
    assert "; did you mean `Male`?" == did_you_mean("male", ["Female", "Male"])
    assert "; did you mean `zip`?" == did_you_mean("ZIP", ["age", "zip", "Zip"])


def test_if_no_word_is_near_all_are_listed():
    assert "; did you mean `low`?" == nearest_word_hint("lov", ["low", "widths"])
    assert "; known: low, widths" == nearest_word_hint("xyz", iter(["low", "widths"]))


def test_a_value_is_shown_on_one_line_and_cut_short():
    assert r"`a\nb\x00`" == quoted("a\nb\0")
    assert r"`\udcff`" == quoted("\udcff")
    assert f"`{'x' * 80}`" == quoted("x" * 80)
    assert f"`{'x' * 77}...`" == quoted("x" * 81)
    assert 82 == len(quoted("\0" * 80))
    assert "`a int too long to show`" == quoted(10**5000)


def test_a_word_that_is_meant_is_shown_as_any_value_is():
    assert r"; did you mean `wid\nths`?" == did_you_mean("widths", ["low", "wid\nths"])
    assert nearest_word_hint("xyz", [f"word{place}" for place in range(500)]).endswith("word19, ... (500 in all)")
    assert len(nearest_word_hint("xyz", ["y" * 500])) < 100


@pytest.mark.parametrize("kind", [InvalidDataError, OutputError, InvalidHierarchyError, GamedeidWarning])
def test_a_path_is_said_whole_and_one_without_end_by_its_end(kind):
    deep = "/".join(["folder"] * 40) + "/records.csv"
    endless = "x" * 5000 + "/records.csv"

    assert f"{deep}: is empty" == str(kind(f"{deep}: is empty"))
    assert r"C:\temp: is empty" == str(kind("C:\temp: is empty"))
    assert f"...{endless[-396:]}: is empty" == str(kind(f"{endless}: is empty"))
