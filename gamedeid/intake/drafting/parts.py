"""Which part a recognised column gets in a scenario, and why: an attribute, kept or dropped."""

from dataclasses import field
from typing import Literal, TypeAlias

from gamedeid.data.column_names import is_about
from gamedeid.intake.drafting.levels import DraftedLadder, NoLadder
from gamedeid.intake.recognition.recognise import Kind, Recognised
from gamedeid.reprs import frozen

Part: TypeAlias = Literal["attribute", "keep", "drop", "person"]
"""What becomes of a column: generalized record by record, released as it is, left out, or the key of rows' persons."""

_DROPPED: dict[Kind, str] = {
    "empty": "there is nothing in it",
    "constant": "it tells no record from another",
    "identifier": "it may name, number or address a person",
    "person key": "a key finds its person wherever else it stands",
    "row number": "the place of a row can be looked up in the original file",
    "free text": "text can hold names, dates and places",
    "unreadable": "it cannot be looked into",
}
"""Kinds that never leave, and why."""

_KNOWN: dict[Kind, str] = {
    "ZIP code": "others can know where somebody lives",
    "age": "others can know it",
    "date": "others can know when something happened",
    "year": "others can know when something happened",
    "sex": "others can know it",
    "race": "others can know it",
    "place": "others can know where somebody lives or was",
    "ICD-10 code": "others can know why somebody was treated",
}
"""Kinds that others can know of a person, and why."""


@frozen
class DraftedColumn:
    """What a column was taken for, and what becomes of it.

    Parameters
    ----------
    name : of the column.
    kind : what it was taken for.
    part : attribute, keep, drop or person.
    reason : why, in words without any of its values.
    doubtful : whether a person who knows the data should be asked.
    """

    name: str = field(repr=False)
    kind: Kind
    part: Part
    reason: str
    doubtful: bool


def propose(name: str, found: Recognised, ladder: DraftedLadder | NoLadder) -> DraftedColumn:
    """Return what is proposed for a column; in doubt that is to drop it."""
    doubtful = False
    part: Part = "drop"
    why = _KNOWN.get(found.kind)
    if why is None and is_about(name, "demographic"):
        why = "its name is that of something others can know of a person"
    if found.kind in _DROPPED:
        is_person = found.kind == "person key" and found.form == "repeats"
        part = "person" if is_person else "drop"
        reason = ": rows of one person are counted as one" if is_person else f": {_DROPPED[found.kind]}"
        doubtful = not (is_person or found.sure)
    elif why is not None and not found.sure:
        reason, doubtful = f": {why}, if it is one", True
    elif why is not None and isinstance(ladder, NoLadder):
        reason = f": {why}, but it cannot be generalized: {ladder.reason}"
    elif why is not None:
        part, reason = "attribute", f": {why}"
    elif (is_about(name, "measured") or is_about(name, "diagnosis")) and found.kind != "text":
        part, reason = "keep", "; its name is that of something a study finds out or does"
    else:
        reason, doubtful = "; nothing tells whether others can know it", True
    return DraftedColumn(name=name, kind=found.kind, part=part, reason=f"{found.because}{reason}", doubtful=doubtful)
