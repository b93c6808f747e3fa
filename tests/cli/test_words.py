"""The words of the command line that name one person, a size of memory, or a stake and its bounds."""

import pytest
from questions import message

from gamedeid.cli.options import OnePerson, parse_memory, parse_values
from gamedeid.cli.sweep import parse_stake_bounds
from gamedeid.data.engines.options import ReadOptions
from gamedeid.errors import InvalidScenarioError

MEMORY = "memory: expected a size such as 2GB or 512MiB, not `"


@pytest.mark.parametrize(
    ("read", "text", "meant"),
    [
        (parse_values, "age=48, sex = Male", {"age": "48", "sex": "Male"}),
        (parse_values, '"job=clerk, retired",zip=03482', {"job": "clerk, retired", "zip": "03482"}),
        (parse_values, "sum=a=b", {"sum": "a=b"}),
        (parse_memory, "2GB", 2 * 10**9),
        (parse_memory, "2GiB", 2**31),
        (parse_memory, "512 MiB", 2**29),
        (parse_memory, "1.5g", 1_500_000_000),
        (parse_memory, "300000000", 3 * 10**8),
        (parse_stake_bounds, "loss", ("loss", 0.0, float("inf"))),
        (parse_stake_bounds, "cost=0:5", ("cost", 0.0, 5.0)),
        (parse_stake_bounds, "benefit=1e3:inf", ("benefit", 1000.0, float("inf"))),
    ],
)
def test_valid_words_are_parsed(read, text, meant):
    assert meant == read(text)


VALUES = ("", "age", "age=", "=48", "age=48,", "age=48,age=49", '"age=48', "age=48\nsex=Male", "a\0")


@pytest.mark.parametrize(
    ("read", "begins", "text"),
    [
        *((parse_values, "--values", text) for text in VALUES),
        *((parse_memory, MEMORY, text) for text in ("", "lots", "-2GB", "2 PB", "2GB or so")),
    ],
)
def test_words_of_another_form_are_refused_in_one_line(read, begins, text):
    said = message(InvalidScenarioError, read, text)
    assert said.startswith(begins)
    assert "\n" not in said


def test_one_person_is_named_in_one_way():
    assert {} == OnePerson().named()
    assert {"record": 0} == OnePerson(record=0).named()
    assert {"values": {"age": "48"}} == OnePerson(values="age=48").named()
    assert "--record and --values both" in message(InvalidScenarioError, OnePerson(record=0, values="age=48").named)


@pytest.mark.parametrize("text", ["9" * 400, "9" * 400 + "TiB"])
def test_a_size_beyond_all_numbers_is_too_much(text):
    said = message(InvalidScenarioError, ReadOptions, memory=parse_memory(text))
    assert said == "memory must be at most 2^60 bytes; give a size such as 2GB or 512MiB"
