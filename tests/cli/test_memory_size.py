"""The words of the command line for a size of memory."""

import pytest
from questions import message

from gamedeid.cli.options import parse_memory
from gamedeid.data.engines.options import ReadOptions
from gamedeid.errors import InvalidScenarioError


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
