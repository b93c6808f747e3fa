"""Which columns go one to one with a key of persons, and so find a person as the key does."""

from collections.abc import Mapping
from dataclasses import replace

from gamedeid.errors import quoted
from gamedeid.intake.identifiers.counts import stands_for
from gamedeid.intake.recognition.forms import numbers_of
from gamedeid.intake.recognition.observed import ObservedTable
from gamedeid.intake.recognition.recognise import OPEN, Recognised


def with_keys(table: ObservedTable, found: Mapping[str, Recognised]) -> dict[str, Recognised]:
    """Return what columns are taken for, those that stand for a key of persons as identifiers.

    They have as many distinct values as the key, and go one to one with it in the first block of rows; numbers are in
    doubt then.

    Parameters
    ----------
    found : column -> what it is taken for by itself.
    """
    counts = {column.name: len(column.counts) for column in table.columns if column.complete}
    pairs = {
        name: key
        for key, one in found.items()
        if _is_key(one) and key in counts
        for name, other in found.items()
        if (other.kind in OPEN or not other.sure) and counts.get(name) == counts[key]
    }
    if not pairs:
        return dict(found)
    first = table.first_rows
    keys = {name: key for name, key in pairs.items() if stands_for(first.column(name), first.column(key))}
    return {name: _as_key(one, keys[name]) if name in keys else one for name, one in found.items()}


def _is_key(found: Recognised) -> bool:
    return found.kind == "person key" and found.sure


def _as_key(found: Recognised, key: str) -> Recognised:
    because = f"it goes one to one with the key {quoted(key)}"
    return replace(found, kind="identifier", because=because, sure=numbers_of(found.present) is None)
