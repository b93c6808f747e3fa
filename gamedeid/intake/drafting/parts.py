"""The part of a recognised column in a scenario, with the reason: an attribute, kept or dropped."""

from dataclasses import field
from typing import Literal, TypeAlias

from gamedeid.data.column_names import Topic, identifiers_by_name, is_about, kind_by_name
from gamedeid.intake.drafting.levels import KINDS, DraftedHierarchy, NoHierarchy
from gamedeid.intake.recognition.recognise import Kind, Recognised
from gamedeid.reprs import frozen
from gamedeid.results.result import Flag, Result, Text

Part: TypeAlias = Literal["attribute", "keep", "drop", "person"]
"""The part of a column: generalized record by record, released unchanged, left out, or the key of rows' persons."""


@frozen
class DraftedColumn(Result):
    """A recognised column, and its part in the scenario.

    Parameters
    ----------
    name : of the column.
    kind : its recognised kind.
    part : attribute, keep, drop or person.
    doubtful : whether a person who knows the data should be asked.
    reason : why, in words without any of its values.
    """

    shown = ("kind", "part", "reason", "doubtful")
    table_of = ""

    name: Text = field(repr=False)
    kind: Kind
    part: Part
    doubtful: Flag
    reason: Text


def propose_part(name: str, found: Recognised, drafted: DraftedHierarchy | NoHierarchy) -> DraftedColumn:
    """Return the proposal for a column; in doubt it is dropped."""
    doubtful = False
    part: Part = "drop"
    kind = KINDS[found.kind]
    why = kind.known
    if not why and (word := _named(name, found, "demographic")):
        why = f"its {word} is that of something others can know about a person"
    is_person = found.kind == "person key" and found.form == "repeats"
    if found.declared.left_out and not is_person:
        reason = f": {found.declared.left_out}"
    elif kind.dropped:
        part = "person" if is_person else "drop"
        reason = ": rows of one person are counted as one" if is_person else f": {kind.dropped}"
        doubtful = not (is_person or found.sure)
    elif why and not found.sure:
        reason, doubtful = f": {why}, if it is one", True
    elif why and isinstance(drafted, NoHierarchy):
        reason = f": {why}, but it cannot be generalized: {drafted.reason}"
    elif why:
        part, reason = "attribute", f": {why}"
    elif (word := _named(name, found, "measured", "diagnosis")) and found.kind != "text" and not _states_date(name):
        part, reason = "keep", f"; its {word} is that of something a study measures or does"
    elif (topic := kind_by_name(name)) is not None:
        reason, doubtful = f"; others can know {_TOPICS[topic]}, as its name says", True
    else:
        reason, doubtful = "; nothing shows whether others can know it", True
    return DraftedColumn(name=name, kind=found.kind, part=part, reason=f"{found.because}{reason}", doubtful=doubtful)


_TOPICS = {"zip": "a ZIP code", "date": "a date", "age": "an age", "place": "a place"}


def _states_date(name: str) -> bool:
    """Return whether a name states a date, as `death_date` does, whatever else it is about."""
    return any(kind.words == "dates" and kind.stated for kind in identifiers_by_name(name))


def _named(name: str, found: Recognised, *topics: Topic) -> str:
    """Return the ``name`` of a column or its ``label`` if it is about one of some topics; else empty."""
    named = {"name": name, "label": found.declared.second_name}
    return next((word for word, text in named.items() if any(is_about(text, topic) for topic in topics)), "")
