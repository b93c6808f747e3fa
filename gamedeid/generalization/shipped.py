"""Files that come with the package: hierarchies, scenarios, and the ZIP prefixes that Safe Harbor restricts."""

import csv
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from gamedeid.amounts import joined
from gamedeid.errors import InvalidDataError, InvalidScenarioError, did_you_mean, quoted
from gamedeid.reprs import brief

ShippedKind: TypeAlias = Literal["hierarchies", "scenarios"]

_SUFFIXES: dict[ShippedKind, tuple[str, ...]] = {"hierarchies": (".csv", ".toml"), "scenarios": (".toml",)}
_PACKAGE = Path(__file__).resolve().parents[1]


def shipped_folder(kind: ShippedKind) -> Path:
    """Return the folder of the shipped files: inside an installed package, or next to it in the repository."""
    installed, in_tree = _PACKAGE / "_shipped" / kind, _PACKAGE.parent / kind
    for folder in (installed, in_tree):
        if folder.is_dir():
            return folder
    raise InvalidDataError(f"the shipped {kind} are neither in {installed} nor in {in_tree}: install gamedeid again")


def shipped_files(kind: ShippedKind) -> dict[str, Path]:
    """Return the path of each shipped file of a kind by its name without suffix."""
    return {
        path.stem: path for path in shipped_folder(kind).iterdir() if path.suffix in _SUFFIXES[kind] and path.is_file()
    }


_FILES = {"2000": "zip3.csv", "2010": "zip3.csv", "2020": "zip3_2020.csv"}
"""Census -> the file of its list: results name files by digest, so a new census is a new file."""


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
    """Return the file with the list of a census that has one."""
    return shipped_folder("hierarchies") / "safe_harbor" / _FILES[census]


@cache
def _read_list(census: str) -> Zip3Prefixes:
    with prefix_list(census).open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["census"] == census]
    return Zip3Prefixes(
        frozenset(row["zip3"] for row in rows), frozenset(row["zip3"] for row in rows if row["restricted"] == "true")
    )
