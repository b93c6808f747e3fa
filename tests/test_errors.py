"""How messages show values and suggest words."""

from gamedeid.errors import did_you_mean, quoted


def test_a_hint_is_given_only_for_a_word_that_is_near():
    assert "; did you mean `widths`?" == did_you_mean("widht", ["low", "widths"])
    assert "" == did_you_mean("xyz", ["low", "widths"])


def test_a_value_is_shown_on_one_line_and_cut_short():
    assert r"`a\nb\x00`" == quoted("a\nb\0")
    assert f"`{'x' * 60}`" == quoted("x" * 60)
    assert f"`{'x' * 57}...`" == quoted("x" * 61)
