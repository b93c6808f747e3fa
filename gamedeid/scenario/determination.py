"""The determination in a scenario: expert, recipients, validity, and thresholds of risk."""

from datetime import date
from typing import Annotated, Literal, TypeAlias

from pydantic import BeforeValidator, model_validator

from gamedeid.errors import quoted
from gamedeid.scenario.sections import Amount, Section


def day_of(text: str) -> str:
    """Return a date as year-month-day; raise ValueError for any other text."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise ValueError(f"expected a date such as 2027-01-31, not {quoted(text)}") from None


def _day(value: object) -> object:
    """Return a date of TOML, or a text of one, as text; leave other values for pydantic to refuse."""
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
"""Measures of the release that can have a threshold: those that are known without a separate estimate."""


class Determination(Section):
    """The facts of an expert determination that gamedeid cannot know; a missing one is filled in by hand."""

    publisher: str = ""
    """Person or body that releases the data."""
    purpose: str = ""
    """Purpose of the release."""
    recipients: tuple[str, ...] = ()
    """Expected recipients."""
    agreement: str = ""
    """Agreement of the recipients, such as a data use agreement and its date."""
    expert: str = ""
    """Person who determines that the risk is very small."""
    credentials: str = ""
    """Knowledge and experience of this person."""
    population_source: str = ""
    """Source of the population."""
    population_date: str = ""
    """Date of the population."""
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
    """A custom threshold: a measure of the release, and its greatest or least permitted value."""

    measure: ThresholdMeasure
    at_most: Amount | None = None
    at_least: Amount | None = None
    source: str = ""
    """Origin of the threshold, in words."""

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
    """Thresholds for the residual risk."""

    presets: tuple[Preset, ...] = ()
    own: tuple[Criterion, ...] = ()
