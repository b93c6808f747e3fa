"""Which keys the documents that a run stored must hold for a report to be made of them, and which values."""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from gamedeid.analysis.payoff_differences import Histogram
from gamedeid.analysis.summary import KeptColumns
from gamedeid.choices import BoundName, GameName, Missing, PlannedFor, PlayedGame, SearchName, Unmatched
from gamedeid.game.spread import Spread
from gamedeid.report.words.limits import LIMITS as LIMIT_WORDS
from gamedeid.results.quantities import (
    Amount,
    Count,
    Digest,
    Dollars,
    Ends,
    FilePath,
    Flag,
    Level,
    Mean,
    Number,
    OneOrMore,
    OpenEnds,
    Share,
    Text,
)
from gamedeid.results.shapes import Shape
from gamedeid.risk.release import ReleaseRisks
from gamedeid.scenario.grid import StakeName
from gamedeid.study.warnings import WarningKind

LimitName: TypeAlias = Annotated[str, Field(strict=True, pattern=f"^({'|'.join(LIMIT_WORDS)})$")]

MEASURES: Shape = {
    "publisher_payoff": Amount,
    "adversary_payoff": Amount,
    "suppressed": Share,
    "unmodified": Share,
    "withheld": Share,
    "unmatched": Share,
    "generalization_intensity": Share,
    "attacked": Share,
    "reidentification_probability": Mean,
    "reidentification_probability_attacked": Mean,
    "expected_reidentifications": Number,
    "records": OneOrMore,
    "unmatched_records": Count,
}

PAYOFFS: Shape = {"benefit": Dollars, "loss": Dollars, "gain": Dollars, "cost": Dollars}
POLICY: Shape = {"name": Text, "does": {str: Text}}
LEVELS: Shape = {str: Level}

CAME_OF: Shape = MEASURES | {
    "proved": (Flag, None),
    "gap": (Amount, None),
    "spread": (Spread, None),
    "marketer": {"share": Mean, "reidentifications": Number, "spread": (Spread, None)},
    "aware": (
        {"publisher_payoff": Amount, "attacked": Share, "expected_reidentifications": Number, "spread": Spread},
        Text,
    ),
    "highest_risk": (Share, None),
}
"""What a game or policy comes to."""

_ASKED: Shape = {"limit": Number, "reached": Number, "binding": (Flag, None), "shadow_price": (Number, None)}
LIMITS: Shape = {
    "asked": {LimitName: _ASKED},
    "payoff": Amount,
    "bound": Amount,
    "bound_by_prices": Amount,
    "gap": Amount,
    "proved": Flag,
    "payoff_without_limits": (Amount, None),
    "unmet_in": [GameName],
}
KNOWN: Shape = {
    "aware_publisher_payoff": (Amount, None),
    "aware_attacked": (Share, None),
    "aware_expected_reidentifications": (Number, None),
}
SEARCHED: Shape = {"searched": (Mean, None), "optimal": (Share, None)}
RECIPIENT: Shape = {
    "probability": Share,
    "attacked": Share,
    "expected_reidentifications": Number,
    "publisher_loss": Amount,
    "adversary_payoff": Amount,
    "unmatched_records?": Count,
}
_KNOWS: Shape = {key: shape for key, shape in RECIPIENT.items() if key != "unmatched_records?"}
_SEARCHED_GROUPS: Shape = {
    "people_needed": Count,
    "smallest_group": Count,
    "attacked": Share,
    "expected_reidentifications": Number,
    "steps": Count,
    "history": [[(Number, None)]],
}
MECHANISM: Shape = {
    "planned_for": PlannedFor,
    "publisher_payoff": Amount,
    "payoff_bound": Amount,
    "bound_by": BoundName,
    "optimal": Flag,
    "applied?": dict.fromkeys(("as_planned", "joined", "withheld_as_planned", "no_group", "group_too_small"), Count),
    **{f"{key}?": shape for key, shape in _SEARCHED_GROUPS.items()},
}
MECHANISM_KEYS = tuple(_SEARCHED_GROUPS)
"""Keys of ``mechanism`` that are there unless a finished plan was applied."""

DATA: Shape = {
    "records": OneOrMore,
    "persons?": {
        "count": OneOrMore,
        "with_several_records": Count,
        "differing": {str: Count},
        "pseudonyms": (Text, None),
    },
    "profiles": Count,
    "repeated_keys": [{"column": (Text, None), "rows": Count, "values": Count}],
    "population": Count,
    "population_rows": (Count, None),
    "population_is_the_records": Flag,
    "unmatched": (Unmatched, None),
    "unmatched_records": Count,
    "population_levels": LEVELS,
    "sampling_fraction": (Share, None),
    "strategies": Count,
}

_RANGE: Shape = {
    "chosen": Dollars,
    "keeps": Ends,
    "keeps_open": OpenEnds,
    "ranking": Ends,
    "ranking_open": OpenEnds,
}

_SEARCH: Shape = {
    "solver": SearchName,
    "searched": Mean,
    "searched_most": Count,
    "proved": Flag,
    "gap": Amount,
    "gap_most": Amount,
}

WARNINGS: Shape = [{"kind": WarningKind, "says": Text}]

SUMMARY: Shape = {
    "title": Text,
    "game": PlayedGame,
    "warnings": WARNINGS,
    "payoffs": PAYOFFS,
    "measures": MEASURES,
    "recipients?": {str: RECIPIENT},
    "policies": {str: CAME_OF},
    "search": _SEARCH,
    "limits?": LIMITS,
    "policy": POLICY,
    "data": DATA,
    "kept_columns": KeptColumns,
    "strategies": [{"levels": LEVELS, "records": Count, "share": Share}],
    "mechanism?": MECHANISM,
    "robustness": (
        {"solver": Literal["exact"], "share": Share, "ranking": [Text], "ranges": {StakeName: _RANGE}},
        None,
    ),
    "gamedeid": Text,
}
"""``summary.json`` of a game."""

ANY_SUMMARY: Shape = SUMMARY | {"game": Text, "search": {key: (shape, None) for key, shape in _SEARCH.items()}}
"""The same of a policy too, for which nothing was searched."""

_KNOWING: Shape = {
    "attacked": Share,
    "expected_reidentifications": Number,
    "reidentification_probability": Mean,
    "reidentification_probability_attacked": Mean,
    "publisher_payoff": Amount,
    "adversary_payoff": Amount,
    "spread": Spread,
    "groups": {str: Share},
}
AWARE: Shape = {
    "records": OneOrMore,
    "naive": _KNOWING,
    "aware": _KNOWING,
    "unlike": Count,
    "recipients?": {str: {"naive": RECIPIENT, "aware": _KNOWS}},
}
_SWEPT: Shape = {
    "policy": [Text, ...],
    "generalization_intensity": [Share],
    "attacked": [Share],
    "publisher_payoff": [Number],
    "adversary_payoff": [Number],
    ...: [Number],
}

_ROW: Shape = {"policy": Text, **MEASURES}

CONTENT: Shape = {
    "attributes": [
        {"name": Text, "title": Text, "from_data": Flag, "levels": [{"groups": Count, "example": Text}, ...]},
        ...,
    ],
    "comparison": [{**_ROW, **KNOWN, **SEARCHED}],
    "best": [_ROW],
    "risks": ReleaseRisks,
    "aware": (AWARE, Text),
    "lines?": {StakeName: _SWEPT},
    "map?": {**_SWEPT, "benefit": [Number], "loss": [Number]},
    "differences": Histogram,
}
"""``report.json``."""

FOLDER_MANIFEST: Shape = {
    "gamedeid": Text,
    "scenario": {str: Any},
    "overridden": [Text],
    "inputs": {str: {"path": FilePath, "sha256": Digest}},
    "outputs": {str: Digest},
    "warnings": WARNINGS,
    "seed": (Count, None),
}
"""``manifest.json`` of any folder of results: ``scenario`` is the question as resolved, whatever was asked."""

MANIFEST: Shape = FOLDER_MANIFEST | {
    "scenario": {
        "records": {"columns": ([Text], None), "drop": [Text], "keep": [Text], "missing": Missing},
        "population": ({"columns": ([Text], None), "drop": [Text], "unmatched": Unmatched}, None),
        "attributes": {str: {"weight": Number}},
        "payoffs": {str: (Number, None)},
        "sources": {StakeName: Text},
    },
}
"""The same of a run, as far as a report reads it."""
