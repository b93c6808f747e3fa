"""What the commands that answer a scenario's question print: other games, other stakes, other solvers."""

from typing import Annotated, TypeAlias

from pydantic import Field

from gamedeid.choices import GameName, RiskName, SolverName
from gamedeid.report.html.document_keys import (
    ANY_SUMMARY,
    CAME_OF,
    DATA,
    KNOWN,
    LEVELS,
    MEASURES,
    PAYOFFS,
    POLICY,
    RECIPIENT,
    SEARCHED,
    WARNINGS,
)
from gamedeid.results.quantities import (
    Amount,
    Count,
    Dollars,
    Flag,
    Level,
    Mean,
    Milliseconds,
    Number,
    OneOrMore,
    Seconds,
    Share,
    Text,
)
from gamedeid.results.shapes import Shape

COMPARISON: Shape = {
    "title": Text,
    "warnings": WARNINGS,
    "payoffs": PAYOFFS,
    "policies": {str: {**MEASURES, **KNOWN, **SEARCHED, "unknown?": Text, "recipients?": {str: RECIPIENT}}},
    "policy": POLICY,
    "data": DATA,
    "gamedeid": Text,
}
"""``comparison.json``."""

REGIONS: Shape = {
    "title": Text,
    "warnings": WARNINGS,
    "payoffs": PAYOFFS,
    "regions": {"attribute": Text, "level": Level, "count": OneOrMore},
    "policies": {str: CAME_OF},
    "policy": POLICY,
    "data": DATA,
    "gamedeid": Text,
}
"""``regions.json``."""

APPLIED: Shape = {
    **ANY_SUMMARY,
    "applied": {
        "rows": Count,
        "profiles": Count,
        "seen_rows": (Count, None),
        "seen_profiles": (Count, None),
        "new_rows": (Count, None),
        "new_profiles": (Count, None),
    },
}
"""What ``apply --json`` prints: the summary, and how many rows and profiles are new."""

_SWEPT_MEASURES: Shape = {
    f"{name}?": shape for name, shape in MEASURES.items() if name not in {"records", "unmatched_records"}
}
_POINT: Shape = {"benefit": Dollars, "loss": Dollars, "cost": Dollars, "gain": Dollars}
_OTHERS: TypeAlias = Annotated[
    float, Field(description="The chosen level of an attribute, or the value of a recipient's number that is varied.")
]

_STRETCH: Shape = {
    "policy": Text,
    "low": (Number, None),
    "high": (Number, None),
    "withheld": Flag,
    "attacked": Flag,
    "information_loss": Share,
    "generalization_intensity": Share,
    "success_probability": Share,
    ...: _OTHERS,
}
_BREAKPOINT: Shape = {"policy": Text, "value": Number, "strategies": Count, "replies": Count}

_OF_A_RECORD: Shape = {
    **_POINT,
    "policy": Text,
    "withheld?": Flag,
    "attacked?": Flag,
    "information_loss?": Share,
    "generalization_intensity?": Share,
    "success_probability?": Share,
    "publisher_payoff?": Amount,
    "adversary_payoff?": Amount,
    ...: _OTHERS,
}

_OF_ALL: Shape = {**_POINT, "policy": Text, **_SWEPT_MEASURES, ...: _OTHERS}

SWEEP: Shape = [(_BREAKPOINT, _STRETCH, _OF_A_RECORD, _OF_ALL)]
"""What ``sweep --json`` prints: rows of points, of breakpoints, of one record's points, or of its stretches."""

SOLVERS: Shape = {
    "game": GameName,
    "reference": SolverName,
    "rows": [
        {
            **_POINT,
            "solver": SolverName,
            "publisher_payoff": Amount,
            "adversary_payoff": Amount,
            "publisher_difference": Mean,
            "adversary_difference": Mean,
            "optimal": Share,
            "searched": Mean,
            "seconds": Seconds,
            "milliseconds_per_record": Milliseconds,
        }
    ],
}
"""What ``solvers --json`` prints."""

_POSITION: Shape = {
    "information_kept": Share,
    "expected_reidentifications": Mean,
    "marketer_reidentifications": Mean,
    "attacked": Share,
    "withheld": Share,
    "publisher_payoff": Amount,
}
_UNIFORM: Shape = {"levels": LEVELS, **_POSITION}

FRONTIER: Shape = {
    "title": Text,
    "risk": {"name": RiskName, "measure": Text},
    "payoffs": PAYOFFS,
    "policy": {**POLICY, "is_uniform": Flag, "levels": {str: [Level]}},
    "releases": {str: _POSITION},
    "uniform": {
        "policies": Count,
        "beat_policy": Count,
        "beat_policy_on_both": Count,
        "equal_policy": Count,
        "on_frontier": Count,
        "on_frontier_and_beat_policy": Count,
    },
    "at_policy_risk": {"uniform": _UNIFORM, "record_level": _POSITION, "bound": Share},
    "at_policy_information": {"uniform": _UNIFORM, "record_level": _POSITION},
    "record_level": {"releases": Count, "least_risk": _POSITION, "most_information": _POSITION},
    "data": DATA,
    "gamedeid": Text,
}
"""``frontier.json``."""
