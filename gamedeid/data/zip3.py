"""How many people each three-digit ZIP prefix has, from a file."""

from pathlib import Path

from gamedeid.data.columns import to_people
from gamedeid.data.files.tables import TableFile
from gamedeid.errors import InvalidDataError, quoted

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
