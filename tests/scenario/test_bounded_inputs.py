"""Does every input of a few kilobytes get an answer within seconds?"""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from questions import message

from gamedeid import Axis, Hierarchy, InvalidDataError, InvalidHierarchyError, InvalidScenarioError, Lattice
from gamedeid.data.files.headers import read_header
from gamedeid.data.files.tables import TableFile
from gamedeid.errors import did_you_mean

MOMENT = 8.0
"""Seconds, on a machine with other work; each took from nine seconds to hours before."""


@contextmanager
def in_a_moment() -> Iterator[None]:
    since = time.perf_counter()
    yield
    assert time.perf_counter() - since < MOMENT


def test_many_levels_of_many_values_are_refused():
    with in_a_moment():
        said = message(InvalidHierarchyError, Hierarchy.intervals, 0, 999_999, [1] * 2000, name="age")
    assert said.startswith("0..999999 has 1000000 values, each with 2002 levels: expected at most 6000000 labels")


def test_a_repeated_name_among_many_columns_is_found(tmp_path):
    names = [f"c{place}" for place in range(60_000)]
    path = tmp_path / "records.csv"
    path.write_text(",".join([*names, "c7"]) + "\n1\n")
    with in_a_moment():
        said = message(InvalidDataError, TableFile.open, path)
    assert "columns 8 and 60001 have the same name" in said


def test_a_quote_that_never_ends_is_looked_for_once(tmp_path):
    path = tmp_path / "records.csv"
    path.write_text('age,"sex\n' + "\n" * 500_000)
    with in_a_moment():
        said = message(InvalidDataError, read_header, path, names=None, encoding="utf-8", expected=())
    assert "line 1 has a quote that does not end where a value ends" in said


def test_long_words_are_not_compared():
    word, other = "ab" * 20_000, "ba" * 20_000
    with in_a_moment():
        assert "" == did_you_mean(word, [other])
        assert "; did you mean `age`?" == did_you_mean("aeg", [other, "age"])


def test_strategies_beyond_counting_are_not_written_out():
    with in_a_moment(), pytest.raises(InvalidScenarioError, match=r"give about 10\^6021 strategies, more than the"):
        Lattice(heights=(2,) * 20_000)


def test_steps_beyond_use_are_refused():
    with in_a_moment():
        said = message(InvalidScenarioError, Axis.parse, "loss=1:2:log10000000")
    assert said.endswith("logarithmic steps run from a number above 0 to one not below it, in 1 to 100,000 points")
