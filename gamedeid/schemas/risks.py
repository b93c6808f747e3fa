"""What the commands under ``gamedeid risk`` print."""

from gamedeid.choices import Boundary, Detail
from gamedeid.report.html.document_keys import LEVELS
from gamedeid.results.quantities import Count, Dollars, Level, Mean, Number, OneOrMore, Share, Text
from gamedeid.results.shapes import Shape
from gamedeid.risk.matches import Whose
from gamedeid.risk.uniqueness.estimates import EstimatorName

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
