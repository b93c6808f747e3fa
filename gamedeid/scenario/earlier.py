"""Earlier releases that the recipient has: their folders, and the key that identifies people across releases."""

from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field

from gamedeid.errors import quoted
from gamedeid.scenario.sections import Section, Whole

CLASS_NAME = "earlier releases"
"""Name of the classes of people that the recipient can distinguish by earlier releases."""


EARLIER_RELEASE = "earlier release "
"""Prefix of the name of an earlier release among the inputs, before its number from 0."""


def earlier_release_name(number: int) -> str:
    """Return the name of an earlier release among the inputs, by its number from 0."""
    return f"{EARLIER_RELEASE}{number}"


class EarlierRelease(Section):
    """One earlier release, by the folder that a run wrote."""

    folder: Path
    records: Path | None = None
    """File of its records (default: that of the manifest, from the scenario's folder)."""
    rises: dict[str, Whole] = Field(default_factory=dict)
    """Attribute -> rise of its value since then for all people, such as ``{ age = 1 }``."""


def _release(value: object) -> object:
    if isinstance(value, str | Path):
        return {"folder": value}
    if isinstance(value, dict | EarlierRelease):
        return value
    raise ValueError(f"expected the folder of a run, or a table that names it, not {quoted(value)}")


class Earlier(Section):
    """Earlier releases of the same publisher: a recipient who has them knows both rows of a person."""

    releases: tuple[
        Annotated[EarlierRelease, BeforeValidator(_release, json_schema_input_type=str | EarlierRelease)], ...
    ] = Field(min_length=1)
    key: str | None = Field(default=None, repr=False)
    """Column whose equal values are one person in all extracts (default: ``records.person``). It is never released."""
