"""The three-digit ZIP prefixes that Safe Harbor restricts, by census."""

import csv
from functools import cache
from pathlib import Path
from typing import NamedTuple

from gamedeid.amounts import joined
from gamedeid.errors import InvalidScenarioError, did_you_mean, quoted
from gamedeid.generalization.shipped import shipped
from gamedeid.reprs import brief

_FILES = {"2000": "zip3.csv", "2010": "zip3.csv", "2020": "zip3_2020.csv"}
"""Census -> the file of its list: a file that results name by its digest is not added to."""


@brief
class Zip3Prefixes(NamedTuple):
    """The three-digit prefixes that a census knows, and those of them with 20,000 people or fewer."""

    known: frozenset[str]
    restricted: frozenset[str]


def restricted_prefixes(census: str) -> Zip3Prefixes:
    """Return the prefixes `known` to a census ("2000", "2010" or "2020") and the `restricted` ones among them."""
    if census not in _FILES:
        listed = joined((f"`{one}`" for one in _FILES), "or")
        raise InvalidScenarioError(
            f"census {quoted(census)} has no list of restricted ZIP prefixes: expected {listed}"
            f"{did_you_mean(census, _FILES)}"
        )
    return _read_list(census)


def prefix_list(census: str) -> Path:
    """Return the file that the list of a census, one that has a list, is read from."""
    return shipped("hierarchies") / "safe_harbor" / _FILES[census]


@cache
def _read_list(census: str) -> Zip3Prefixes:
    with prefix_list(census).open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["census"] == census]
    return Zip3Prefixes(
        frozenset(row["zip3"] for row in rows), frozenset(row["zip3"] for row in rows if row["restricted"] == "true")
    )
