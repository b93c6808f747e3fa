"""What the commands print: answers of games, audits, measures of risk, and single files that are made or described."""

from typing import Annotated, Any, TypeAlias

from pydantic import Field

from gamedeid.choices import (
    Boundary,
    Detail,
    EstimatorName,
    GameName,
    PictureKind,
    PlayedGame,
    RiskName,
    SearchName,
    SolverName,
)
from gamedeid.generalization.hierarchy import Role
from gamedeid.intake.drafting.parts import Part
from gamedeid.intake.recognition.recognise import Kind
from gamedeid.report.html.document_keys import (
    ANY_SUMMARY,
    AWARE,
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
    Digest,
    Dollars,
    FilePath,
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
from gamedeid.risk.matches import Whose

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


AUDIT: Shape = {
    "game": PlayedGame,
    "solver": SearchName,
    **AWARE,
    "worst_groups": [
        {"levels": LEVELS, "people": Count, "aware_people": Count, "records": Count, "values?": {str: Text}}
    ],
}
"""What ``audit --json`` prints; ``values`` only with ``--show-values``."""


BINS: Shape = {
    "distinct": {str: Mean},
    "total_risk": Mean,
    "price_per_reidentification?": (Dollars, None),
}
"""What ``risk bins --json`` prints."""

_EXPOSED: Shape = {
    "people": Count,
    "unmatched": Count,
    "distinct": {str: Mean},
    "share": {str: Share},
    "total_risk": Mean,
    "total_risk_share": Share,
}

DISTINCT: Shape = {
    "policy": Text,
    "attacker": Text,
    "released": Whose,
    "population_levels": LEVELS,
    **_EXPOSED,
    "against?": {"policy": Text, **_EXPOSED, "trust_differential": {str: (Mean, None)}},
    "list_price?": Dollars,
    "price_per_reidentification?": (Dollars, None),
    "by?": {"attribute": Text, "level": Level, "groups": [{"group": Text, **_EXPOSED}]},
}
"""What ``risk distinct --json`` prints."""

UNIQUENESS_STUDY: Shape = {
    "truth": Share,
    "rows": [
        {
            "fraction": Share,
            "sample_size": OneOrMore,
            "estimator": EstimatorName,
            "samples": OneOrMore,
            "no_solution": Share,
            "median_relative_bias": (Number, None),
            "lower_quartile": (Number, None),
            "upper_quartile": (Number, None),
            "interquartile_range": (Mean, None),
            "median_absolute_error": (Mean, None),
            "used_by_e1": (Share, None),
        }
    ],
}
"""What ``risk uniqueness-study --json`` prints."""

_PEOPLE: Shape = {"population": Count, "identifiable": Count, "share": (Share, None)}
_PATIENTS: Shape = {**_PEOPLE, "patients?": Mean, "identified_patients?": Mean}

DEMOGRAPHICS: Shape = {
    "detail": Detail,
    "boundary": Boundary,
    "places": Count,
    "places_wholly_identifiable": Count,
    "places_partly_identifiable": Count,
    "places_not_identifiable": Count,
    "patients_per_person": (Mean, None),
    **_PATIENTS,
    "age_groups": [{"name": Text, "years": (Mean, None), "threshold": Mean, "places_identifiable": Count, **_PEOPLE}],
    "states": {str: {"places": Count, **_PATIENTS}},
}
"""``demographics.json``."""


DRAFT: Shape = {
    "rows": Count,
    "encoding": (Text, None),
    "delimiter": (Text, None),
    "questions": Count,
    "columns": [{"name": Text, "kind": Kind, "part": Part, "doubtful": Flag, "reason": Text}],
    "scenario": (FilePath, None),
}
"""What ``init --json`` prints."""

SCENARIOS: Shape = {
    "scenarios": [{"name": Text, "title": Text, "path": FilePath, "absent": [FilePath]}],
}
"""What ``scenarios --json`` prints."""

PAGE: Shape = {"path": FilePath, "sha256": Digest}
"""What ``report --json`` prints."""

DETERMINATION: Shape = {"path": FilePath, "sha256": Digest, "to_fill_in": [Text]}
"""What ``determination --json`` prints."""

SIGNATURE: Shape = {"path": FilePath}
"""What ``sign --json`` prints."""

DATASET: Shape = {
    "dataset": Text,
    "path": FilePath,
    "sha256": Digest,
    "already_there": Flag,
}
"""What ``fetch --json`` prints."""

PICTURE: Shape = {
    "kind": PictureKind,
    "title": Text,
    "caption": Text,
    "finding": Text,
    "table": {str: [Any]},
}
"""What the commands under ``plot`` print."""

_HIERARCHY: Shape = {"name": Text, "title": Text, "role": (Role, None), "unlisted": (Text, None)}

HIERARCHY: Shape = (
    {**_HIERARCHY, "open": Flag, "leaves": None, "rule": {str: Any}},
    {
        **_HIERARCHY,
        "open": Flag,
        "integer": Flag,
        "leaves": OneOrMore,
        "levels": [{"level": Level, "groups": OneOrMore, "smallest": OneOrMore, "largest": OneOrMore, "example": Text}],
        "groups?": [{"label": Text, "size": OneOrMore}],
    },
)
"""What ``hierarchy show --json`` prints: a rule whose leaves come from the data, or a ladder."""

HIERARCHY_FILE: Shape = {
    "output": FilePath,
    "name": Text,
    "leaves": OneOrMore,
    "levels": OneOrMore,
}
"""What ``hierarchy write --json`` prints."""

HIERARCHY_FILES: Shape = {
    "files": [
        {"path": FilePath, "name": Text, "leaves": (OneOrMore, None), "levels": (OneOrMore, None), "faults": [Text]}
    ],
}
"""What ``hierarchy check --json`` prints."""
