"""The determination in a scenario: expert, recipients, validity, and thresholds of risk."""

from datetime import date
from typing import Annotated, Literal, TypeAlias

from pydantic import BeforeValidator, model_validator

from gamedeid.errors import quoted
from gamedeid.scenario.sections import Amount, Section


def day_of(text: str) -> str:
    """Return a date as year-month-day; a ValueError says that a text is none."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise ValueError(f"expected a date such as 2027-01-31, not {quoted(text)}") from None


def _day(value: object) -> object:
    """Take a date of TOML or its text; anything else of the kind is refused."""
    return day_of(str(value)) if isinstance(value, str) or type(value) is date else value


Day: TypeAlias = Annotated[str, BeforeValidator(_day)]

Preset: TypeAlias = Literal["0.05", "0.09", "0.2", "cells-11"]
"""Thresholds known by name; `gamedeid.risk.thresholds` has their measures, numbers and sources."""

ThresholdMeasure: TypeAlias = Literal[
    "prosecutor_highest",
    "prosecutor_mean",
    "journalist_highest",
    "journalist_mean",
    "k_anonymity",
    "k_map",
    "attacked",
    "expected_reidentifications",
]
"""What a threshold can be of: measures of the release that are known without an estimate of one's own."""


class Determination(Section):
    """The facts of an expert determination that gamedeid cannot know; a missing one is filled in by hand."""

    publisher: str = ""
    """Who releases the data."""
    purpose: str = ""
    """What the release is for."""
    recipients: tuple[str, ...] = ()
    """Who is expected to receive it."""
    agreement: str = ""
    """What the recipients agree to, such as a data use agreement and its date."""
    expert: str = ""
    """Who determines that the risk is very small."""
    credentials: str = ""
    """Why this person has the knowledge and experience for it."""
    population_source: str = ""
    """Where the population comes from."""
    population_date: str = ""
    """When it was taken."""
    valid_from: Day | None = None
    """First day on which the determination holds."""
    valid_until: Day | None = None
    """Last day on which it holds."""

    @model_validator(mode="after")
    def _in_order(self) -> "Determination":
        if self.valid_from is not None and self.valid_until is not None and self.valid_until < self.valid_from:
            raise ValueError(f"valid_until {self.valid_until} is before valid_from {self.valid_from}")
        return self


_SAFER_ABOVE = frozenset({"k_anonymity", "k_map"})
"""Measures that are numbers of people; all others are risks."""


class Criterion(Section):
    """A threshold of one's own: a measure of the release, and how much or how little it may be."""

    measure: ThresholdMeasure
    at_most: Amount | None = None
    at_least: Amount | None = None
    source: str = ""
    """Where it comes from, in the scenario's own words."""

    @model_validator(mode="after")
    def _safe_side(self) -> "Criterion":
        if self.measure in _SAFER_ABOVE:
            bound, other, safer = "at_least", self.at_most, "larger"
        else:
            bound, other, safer = "at_most", self.at_least, "smaller"
        if getattr(self, bound) is None or other is not None:
            raise ValueError(f"expected {bound} alone for {self.measure}: a {safer} value is safer")
        return self

    @property
    def bound(self) -> float:
        """The value of ``at_most`` or ``at_least``, the one that the measure has."""
        return self.at_least or 0.0 if self.at_most is None else self.at_most


class Thresholds(Section):
    """Thresholds that the residual risk is held against."""

    presets: tuple[Preset, ...] = ()
    own: tuple[Criterion, ...] = ()
