"""Which part a recognised column gets in a scenario, and why: an attribute, kept or dropped."""

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
class Proposal:
    """What is proposed for a column.

    Parameters
    ----------
    part : attribute, keep, drop or person.
    reason : why, in words without any of its values.
    doubtful : whether a person who knows the data should be asked.
    """

    part: Part
    reason: str
    doubtful: bool = False


def propose(name: str, found: Recognised, ladder: DraftedLadder | NoLadder) -> Proposal:
    """Return what is proposed for a column; in doubt that is to drop it."""
    if found.kind in _DROPPED:
        return _left_out(found)
    if found.kind in _KNOWN:
        return _attribute(found, ladder, _KNOWN[found.kind])
    if is_about(name, "demographic"):
        return _attribute(found, ladder, "its name is that of something others can know of a person")
    if (is_about(name, "measured") or is_about(name, "diagnosis")) and found.kind != "text":
        return Proposal(part="keep", reason=f"{found.because}; its name is that of something a study finds out or does")
    return Proposal(part="drop", reason=f"{found.because}; nothing tells whether others can know it", doubtful=True)


def _left_out(found: Recognised) -> Proposal:
    if found.kind == "person key" and found.form == "repeats":
        return Proposal(part="person", reason=f"{found.because}: rows of one person are counted as one")
    return Proposal(part="drop", reason=f"{found.because}: {_DROPPED[found.kind]}", doubtful=not found.sure)


def _attribute(found: Recognised, ladder: DraftedLadder | NoLadder, why: str) -> Proposal:
    if not found.sure:
        return Proposal(part="drop", reason=f"{found.because}: {why}, if it is one", doubtful=True)
    if isinstance(ladder, NoLadder):
        return Proposal(part="drop", reason=f"{found.because}: {why}, but it cannot be generalized: {ladder.reason}")
    return Proposal(part="attribute", reason=f"{found.because}: {why}")
