"""A question with ten attributes of UCI Adult and many distinct people: the records are their own population."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa

from gamedeid.generalization.files import read_hierarchy
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.study import Study

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "kit"))

from case_study import ARX_HIERARCHIES, adult_rows

INTERVALS = {
    "capital-gain": (0, 99_999, (100, 500, 1_000, 5_000, 10_000, 50_000)),
    "capital-loss": (0, 4_999, (50, 100, 500, 1_000)),
    "hours-per-week": (1, 99, (5, 10, 20, 40)),
    "education-num": (1, 16, (2, 4, 8)),
}
"""Custom ladders: the least and the greatest value, and the widths of the groups above each value itself."""

ATTRIBUTES = (
    "age",
    "capital-gain",
    "capital-loss",
    "hours-per-week",
    "education-num",
    "workclass",
    "occupation",
    "marital-status",
    "native-country",
    "sex",
)
"""The ten; fewer attributes are the first of these. The other ladders are those that anonymization tools exchange."""

STAKES = {"benefit": 1200, "loss": 300, "cost": 4}
"""Stakes of the case study."""


def complete_records() -> pa.Table:
    """Return the rows of Adult without a missing value, (30,162), the ten attributes as text."""
    complete = [row for row in adult_rows() if "?" not in row.values()]
    return pa.table({name: [row[name] for row in complete] for name in ATTRIBUTES})


def hierarchy_of(attribute: str) -> Hierarchy | str:
    """Return the ladder of one attribute, or the name of a shipped one."""
    if attribute == "age":
        return "age"
    if attribute in INTERVALS:
        low, high, widths = INTERVALS[attribute]
        return Hierarchy.intervals(low, high, widths, name=attribute)
    found = read_hierarchy(ARX_HIERARCHIES / f"{attribute}.csv")
    assert isinstance(found, Hierarchy)
    return found


def study_of(
    records: pa.Table, attributes: Sequence[str] = ATTRIBUTES, ladders: Mapping[str, Hierarchy] | None = None
) -> Study:
    """Return the question about some attributes of some records, who are their own population.

    Parameters
    ----------
    records : rows of :func:`complete_records`.
    attributes : some of ``ATTRIBUTES``.
    ladders : attribute -> ladder that replaces its own.
    """
    of = {name: (ladders or {}).get(name) or hierarchy_of(name) for name in attributes}
    scenario = Scenario.parse(
        {
            "attributes": {name: {"hierarchy": hierarchy} for name, hierarchy in of.items()},
            "payoffs": STAKES,
            "policy": {"older": {"levels": {"age": 2}}},
            "floor": "older",
        }
    )
    return Study.prepare(scenario, records.select(list(attributes)))
