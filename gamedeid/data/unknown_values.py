"""Hints about values that a hierarchy does not know: what kind of values they are, without showing them."""

import re
from collections.abc import Iterator, Sequence

from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.missing_codes import as_text, missing_values_hint

LOST_ZEROS = "leading zeros seem lost: save and read the column as text"

_DECIMAL = re.compile(r"([+-]?[0-9]+)\.([0-9]+)")


def unknown_values_hint(hierarchy: Hierarchy, attribute: str, values: Sequence[object], *, whose: str) -> str:
    """Return what to try, each part after a semicolon; empty where no hint applies.

    Parameters
    ----------
    hierarchy : that of the attribute.
    attribute : its name.
    values : those that it does not know.
    whose : "records" or "population", or the section of a recipient's own population.
    """
    texts = [as_text(value) for value in values]
    parts = [
        *_unread(hierarchy, values),
        *_lost_zeros(hierarchy, texts),
        *_decimals(hierarchy, texts),
        *_groups(hierarchy, attribute, texts, whose),
    ]
    hint = "".join(f"; {part}" for part in parts) + missing_values_hint(values)
    return hint or (
        "; add them to the hierarchy, as values or as `spellings` of its values, or name a group there: "
        'unlisted = "Other"'
    )


def _unread(hierarchy: Hierarchy, values: Sequence[object]) -> Iterator[str]:
    if hierarchy.reading is not None:
        unread = sum(hierarchy.reading.leaf_of(value) is None for value in values)
        if unread:
            yield f"expected {hierarchy.reading.words}, and {unread:,} of them {'is' if unread == 1 else 'are'} not"


def _lost_zeros(hierarchy: Hierarchy, texts: Sequence[str]) -> Iterator[str]:
    padded = [text.zfill(len(hierarchy.leaves[0])) for text in texts]
    if any(text != full and hierarchy.code(full) is not None for text, full in zip(texts, padded, strict=True)):
        yield LOST_ZEROS


def _decimals(hierarchy: Hierarchy, texts: Sequence[str]) -> Iterator[str]:
    found = [match for text in texts if (match := _DECIMAL.fullmatch(text)) and hierarchy.code(match[1]) is not None]
    whole = sum(not match[2].strip("0") for match in found)
    if whole:
        yield (
            f"{whole:,} of them {'has' if whole == 1 else 'have'} a decimal point that says nothing, as in 4.0: write "
            'whole numbers, or set integer = true in a hierarchy file with kind = "table"'
        )
    odd = len(found) - whole
    if odd:
        yield (
            f"{odd:,} of them {'has' if odd == 1 else 'have'} decimals, and the hierarchy knows whole numbers: round "
            "them down in the data"
        )


def _groups(hierarchy: Hierarchy, attribute: str, texts: Sequence[str], whose: str) -> Iterator[str]:
    for level, labels in enumerate(hierarchy.labels[1:-1], start=1):
        count = len(set(texts).intersection(labels))
        if count:
            found = f"{count:,} of them {'is a group' if count == 1 else 'are groups'} of level {level}"
            if whose == "population" or whose.startswith("recipients."):
                levels = f"{{ {_key(attribute)} = {level} }}"
                yield f"{found}: if there are no finer ones, set [{whose}] levels = {levels}"
            else:
                yield f"{found}: the records must hold the values themselves"
            return


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else f'"{name}"'
