"""The words of the command line that name one person, a size of memory, or a stake and its bounds."""

import pytest
from questions import message

from gamedeid.cli.options import OnePerson, parse_memory, parse_values
from gamedeid.cli.sweep import parse_stake_bounds
from gamedeid.data.engines.options import ReadOptions
from gamedeid.errors import InvalidScenarioError


def test_one_person_is_named_in_one_way():
    assert {} == OnePerson().named()
    assert {"record": 0} == OnePerson(record=0).named()
    assert {"values": {"age": "48"}} == OnePerson(values="age=48").named()
    assert "--record and --values both" in message(InvalidScenarioError, OnePerson(record=0, values="age=48").named)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("age=48, sex = Male", {"age": "48", "sex": "Male"}),
        ('"job=clerk, retired",zip=03482', {"job": "clerk, retired", "zip": "03482"}),
        ("sum=a=b", {"sum": "a=b"}),
    ],
)
def test_values_are_read_as_a_row_of_csv(text, values):
    assert values == parse_values(text)


@pytest.mark.parametrize(
    "text", ["", "age", "age=", "=48", "age=48,", "age=48,age=49", '"age=48', "age=48\nsex=Male", "a\0"]
)
def test_values_of_another_form_are_refused_in_one_line(text):
    said = message(InvalidScenarioError, parse_values, text)
    assert said.startswith("--values")
    assert "\n" not in said


@pytest.mark.parametrize(
    ("text", "size"),
    [("2GB", 2 * 10**9), ("2GiB", 2**31), ("512 MiB", 2**29), ("1.5g", 1_500_000_000), ("300000000", 3 * 10**8)],
)
def test_sizes_of_memory_are_read(text, size):
    assert size == parse_memory(text)


@pytest.mark.parametrize("text", ["", "lots", "-2GB", "2 PB", "2GB or so"])
def test_sizes_of_memory_that_mean_nothing_are_refused(text):
    said = message(InvalidScenarioError, parse_memory, text)
    assert said.startswith("memory: expected a size such as 2GB or 512MiB, not `")


@pytest.mark.parametrize("text", ["9" * 400, "9" * 400 + "TiB"])
def test_a_size_beyond_all_numbers_is_too_much(text):
    said = message(InvalidScenarioError, ReadOptions, memory=parse_memory(text))
    assert said == "memory must be at most 2^60 bytes; give a size such as 2GB or 512MiB"


@pytest.mark.parametrize(
    ("text", "bounded"),
    [
        ("loss", ("loss", 0.0, float("inf"))),
        ("cost=0:5", ("cost", 0.0, 5.0)),
        ("benefit=1e3:inf", ("benefit", 1000.0, float("inf"))),
    ],
)
def test_a_stake_and_its_bounds_are_read_from_words(text, bounded):
    assert bounded == parse_stake_bounds(text)
