"""The three-digit ZIP prefixes that the Safe Harbor rule restricts, by census."""

import csv
from functools import cache
from pathlib import Path
from typing import NamedTuple

from gamedeid.errors import InvalidScenarioError, did_you_mean, quoted
from gamedeid.generalization.shipped import shipped
from gamedeid.reprs import brief


@brief
class Zip3Prefixes(NamedTuple):
    """The three-digit prefixes that a census knows, and those of them with 20,000 people or fewer."""

    known: frozenset[str]
    restricted: frozenset[str]


def restricted_prefixes(census: str) -> Zip3Prefixes:
    """Return the prefixes `known` to a census ("2000" or "2010") and the `restricted` ones among them.

    Raises
    ------
    InvalidScenarioError : a census of which no list is shipped.
    """
    lists = _read_lists()
    if census not in lists:
        listed = " or ".join(f"`{one}`" for one in sorted(lists))
        raise InvalidScenarioError(
            f"census {quoted(census)} has no list of restricted ZIP prefixes: expected {listed}"
            f"{did_you_mean(census, lists)}"
        )
    return lists[census]


def prefix_list() -> Path:
    """Return the file that the lists are read from."""
    return shipped("hierarchies") / "safe_harbor" / "zip3.csv"


@cache
def _read_lists() -> dict[str, Zip3Prefixes]:
    known: dict[str, set[str]] = {}
    restricted: dict[str, set[str]] = {}
    with prefix_list().open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            known.setdefault(row["census"], set()).add(row["zip3"])
            restricted.setdefault(row["census"], set())
            if row["restricted"] == "true":
                restricted[row["census"]].add(row["zip3"])
    return {census: Zip3Prefixes(frozenset(known[census]), frozenset(restricted[census])) for census in known}
