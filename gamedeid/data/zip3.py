"""Three-digit ZIP prefixes: those that Safe Harbor restricts, by census, and people of each from a file."""

import csv
from functools import cache
from pathlib import Path
from typing import NamedTuple

from gamedeid.amounts import joined
from gamedeid.data.columns import to_people
from gamedeid.data.files.tables import TableFile
from gamedeid.errors import InvalidDataError, InvalidScenarioError, did_you_mean, quoted
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


ZIP_DIGITS = 3
"""Digits of the prefixes that a list of ZIP populations counts."""


def read_zip_populations(path: Path) -> dict[str, int]:
    """Return three-digit ZIP prefix -> people, from a file with columns zip3 and pop; equal prefixes add up."""
    file = TableFile.open(path)
    file.refuse_absent(["zip3", "pop"])
    table = file.read(["zip3", "pop"])
    prefixes = [
        str(value).zfill(ZIP_DIGITS) if isinstance(value, int) else str(value).strip()
        for value in table.column("zip3").to_pylist()
    ]
    for row, prefix in enumerate(prefixes):
        if len(prefix) != ZIP_DIGITS or not (prefix.isascii() and prefix.isdigit()):
            raise InvalidDataError(f"{path}: a ZIP prefix has three digits, not {quoted(prefix)} (row {row + 1})")
    people = to_people(table.column("pop"), "pop", str(path))
    totals: dict[str, int] = {}
    for prefix, count in zip(prefixes, people.tolist(), strict=True):
        totals[prefix] = totals.get(prefix, 0) + count
    return totals
