"""Whether a release meets named thresholds of risk, and which groups are too small to be shown alone."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.reprs import frozen
from gamedeid.results.result import Count, Number, Result, Text
from gamedeid.scenario.determination import Criterion, Preset, ThresholdMeasure, Thresholds

Verdict: TypeAlias = Literal["met", "not met", "not decided"]
"""It is not decided if nothing is released, or if records that the measure leaves out are released."""


class GroupSize(NamedTuple):
    """A threshold by the size of groups: the greatest permitted chance is one over the size."""

    people: int
    source: str


_PRECEDENTS = "El Emam, Guide to the De-Identification of Personal Health Information (2013), on cell size precedents"

GROUPS: Mapping[Preset, GroupSize] = {
    "0.05": GroupSize(20, f"cells of 20 or more, 1/20, in published US and Canadian patient data: {_PRECEDENTS}"),
    "0.09": GroupSize(
        11,
        "groups of 11 or more, 1/11, rounded to 0.09, in published clinical documents: European Medicines Agency, "
        "Policy 0070, external guidance (EMA/90915/2016), and Health Canada, Public Release of Clinical Information",
    ),
    "0.2": GroupSize(5, f"cells of 5 or more, 1/5, the usual rule for tables of counts: {_PRECEDENTS}"),
}
"""Presets that require groups of a size, for the highest prosecutor and journalist risk."""

CELL_PRESET = GroupSize(
    11,
    "no cell of 1 to 10 in published counts: Centers for Medicare & Medicaid Services, cell size suppression policy",
)
"""Requirement of the preset ``cells-11`` on the classes of the release."""

SMALLEST_GROUP = CELL_PRESET.people
"""Groups of fewer records are combined, as in published tables of counts."""

OWN_NAME = "own"
"""Name of the scenario's own thresholds."""


@frozen
class JudgedThreshold(Result):
    """One threshold, and whether the release meets it.

    Parameters
    ----------
    at_most, at_least : the bound; one of them is None.
    value : value of the release; None if nothing is released, or no released record matches a person.
    left_out : released records that match no one, if the measure leaves them out.
    source : origin of a preset's number; otherwise the scenario's text, which may be empty.
    """

    keys = ("name", "measure", "at_most", "at_least", "value", "verdict", "left_out", "source")

    name: Text
    measure: ThresholdMeasure
    at_most: Number | None
    at_least: Number | None
    value: Number | None
    left_out: Count
    source: Text

    @property
    def verdict(self) -> Verdict:
        """Whether the threshold is met; not decided if the value does not cover every released record."""
        if self.value is None:
            return "not decided"
        above = self.at_most is not None and self.value > self.at_most
        below = self.at_least is not None and self.value < self.at_least
        if above or below:
            return "not met"
        return "not decided" if self.left_out else "met"


def judged_thresholds(
    thresholds: Thresholds, risks: Mapping[str, Any], measures: Mapping[str, Any]
) -> tuple[JudgedThreshold, ...]:
    """Return whether a release meets each threshold of a scenario: presets first, then the scenario's."""
    release = risks["release"]
    left_out = release["unmatched"]
    values = {
        "prosecutor_highest": (release["prosecutor"]["highest"], 0),
        "prosecutor_mean": (release["prosecutor"]["mean"], 0),
        "journalist_highest": (release["journalist"]["highest"], left_out),
        "journalist_mean": (release["journalist"]["mean"], left_out),
        "k_anonymity": (release["k_anonymity"], 0),
        "k_map": (release["k_map"], left_out),
        "attacked": (measures["attacked"], left_out),
        "expected_reidentifications": (measures["expected_reidentifications"], left_out),
    }
    found = []
    for name, one in criteria(thresholds):
        value, without = values[one.measure]
        of_population = without > 0 or one.measure.startswith(("journalist", "k_map"))
        undefined = not release["released"] or (of_population and release["released"] == left_out)
        found.append(
            JudgedThreshold(
                name=name,
                measure=one.measure,
                at_most=one.at_most,
                at_least=one.at_least,
                value=None if undefined or value is None else float(value),
                left_out=without,
                source=one.source,
            )
        )
    return tuple(found)


def criteria(thresholds: Thresholds) -> Iterator[tuple[str, Criterion]]:
    """Yield each threshold of a scenario, with the name of its preset or "own": presets first."""
    for name in dict.fromkeys(thresholds.presets):
        if name == "cells-11":
            yield name, Criterion(measure="k_anonymity", at_least=CELL_PRESET.people, source=CELL_PRESET.source)
            continue
        group = GROUPS[name]
        for measure in ("prosecutor_highest", "journalist_highest"):
            yield name, Criterion(measure=measure, at_most=1 / group.people, source=group.source)
    for one in thresholds.own:
        yield OWN_NAME, one


def small_groups(records: FloatArray | IntArray, withheld: FloatArray | int = -1) -> BoolArray:
    """Return which groups, (g,), are not shown alone, by their numbers of records and of withheld records, (g,)."""
    small: BoolArray = (records < SMALLEST_GROUP) | (withheld == records)
    while small.any() and not small.all() and records[small].sum() < SMALLEST_GROUP:
        small[np.argmin(np.where(small, np.inf, records))] = True
    return small
