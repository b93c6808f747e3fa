"""Which keys the documents that a run stored must hold for a report to be made of them, and which values."""

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

from pydantic import Field, TypeAdapter
from pydantic_core import CoreSchema, SchemaValidator, core_schema

from gamedeid.choices import AwareGameName, GameName, Missing, PlannedFor, PlayedGame, SearchName, Unmatched
from gamedeid.report.limit_words import NAMES
from gamedeid.risk.kept_diversity import Distance
from gamedeid.scenario.grid import StakeName

_LARGEST = 1e100  # far above any amount, and far below what overflows

Number: TypeAlias = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-_LARGEST, le=_LARGEST)]
Dollars: TypeAlias = Annotated[float, Field(strict=True, allow_inf_nan=False, gt=0, le=_LARGEST)]
Share: TypeAlias = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0, le=1)]
Mean: TypeAlias = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0, le=_LARGEST)]
Count: TypeAlias = Annotated[int, Field(strict=True, ge=0, le=2**63)]
OneOrMore: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=2**63)]
Flag: TypeAlias = Annotated[bool, Field(strict=True)]
Text: TypeAlias = Annotated[str, Field(strict=True)]
LimitName: TypeAlias = Annotated[str, Field(strict=True, pattern=f"^({'|'.join(NAMES)})$")]
Digest: TypeAlias = Annotated[str, Field(strict=True, pattern="^[0-9a-f]{64}$")]
Ends: TypeAlias = Annotated[list[Number | None], Field(min_length=2, max_length=2)]
Edges: TypeAlias = Annotated[list[Number], Field(min_length=2)]


Shape: TypeAlias = Any
"""What a value must be.

``{"key": shape, ...: shape}`` : an object that has the key; its other keys have the second shape, or any without one.
``{"key?": shape}`` : the same, where the key may be absent.
``{str: shape}`` : an object with any keys of a type.
``[shape]``, ``[shape, ...]`` : a list, and one that is not empty.
``(shape, None)`` : the one or null.

All else is a type as pydantic checks it.
"""

MEASURES: Shape = {
    "publisher_payoff": Number,
    "adversary_payoff": Number,
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
}

MARKETER: Shape = {"share": Mean, "reidentifications": Number}

_ASKED: Shape = {"limit": Number, "reached": Number, "binding": (Flag, None), "shadow_price": (Number, None)}
LIMITS: Shape = {
    "asked": {LimitName: _ASKED},
    "payoff": Number,
    "bound_by_prices": Number,
    "gap": Number,
    "proved": Flag,
    "payoff_without_limits": Number,
    "unmet_in": [GameName],
}
RECIPIENT: Shape = {
    "probability": Share,
    "attacked": Share,
    "expected_reidentifications": Number,
    "publisher_loss": Number,
    "adversary_payoff": Number,
}
_OF_AWARE_GAMES: Mapping[AwareGameName, Shape] = {
    "aware-basic": {
        "rounds": Count,
        "stable": Flag,
        "start_payoff": Number,
        "attacked": Share,
        "expected_reidentifications": Number,
    },
    "aware-no-attack": {"people_needed": Count, "smallest_group": Count, "greedy_payoff": Number},
}
MECHANISM: Shape = {
    "planned_for": PlannedFor,
    "publisher_payoff": Number,
    "payoff_bound": Number,
    **{f"{key}?": shape for keys in _OF_AWARE_GAMES.values() for key, shape in keys.items()},
}
MECHANISM_KEYS = {game: tuple(keys) for game, keys in _OF_AWARE_GAMES.items()}
"""Keys of ``mechanism`` that only one game has, by game."""

SUMMARY: Shape = {
    "title": Text,
    "game": PlayedGame,
    "payoffs": {"benefit": Dollars, "loss": Dollars, "gain": Dollars, "cost": Dollars},
    "measures": MEASURES,
    "recipients?": {str: RECIPIENT},
    "limits?": LIMITS,
    "mechanism?": MECHANISM,
    "search": {
        "solver": SearchName,
        "searched": Number,
        "searched_most": Count,
        "proved": Flag,
        "gap": Number,
        "gap_most": Number,
    },
    "policies": {str: MEASURES | {"proved": (Flag, None), "gap": (Number, None), "marketer": MARKETER}},
    "policy": {"name": Text, "does": {str: Text}},
    "data": {
        "records": OneOrMore,
        "persons?": {"count": OneOrMore, "differing": {str: Count}},
        "profiles": Count,
        "population": Count,
        "population_rows": (Count, None),
        "population_is_the_records": Flag,
        "population_levels": {str: Count},
        "sampling_fraction": (Share, None),
        "strategies": Count,
        "unmatched": (Unmatched, None),
        "unmatched_records": Count,
        "repeated_keys": [{"column": (Text, None), "rows": Count, "values": Count}],
    },
    "kept_columns": {
        "columns": Count,
        "rows_looked_at": (Count, None),
        "warnings": [{"column": Text, "why": Text, "attribute": (Text, None), "share": (Share, None)}],
    },
    "strategies": [{"levels": {str: Count}, "records": Count, "share": Share}],
    "robustness": (
        {
            "share": Share,
            "ranking": [Text],
            "ranges": {StakeName: {"chosen": Dollars, "keeps": Ends, "ranking": Ends}},
        },
        None,
    ),
}
"""``summary.json``."""

_EXPECTED: Shape = {"share": Share, "reidentifications": Number}
_CHANCES: Shape = {"highest": Share, "mean": Share, "above": {str: Share}}
_RISKS: Shape = {
    "name": Text,
    "released": Count,
    "unmatched": Count,
    "k_anonymity": (Count, None),
    "k_map": (Count, None),
    "prosecutor": _CHANCES,
    "journalist": _CHANCES,
    "marketer": {"prosecutor": _EXPECTED, "journalist": _EXPECTED},
    "expected_reidentifications": Number,
    "distinct": {str: Share},
    "uniqueness": {
        "unique": Count,
        "unique_in_population": Count,
        "lambda_1": (Share, None),
        "lambda_2": Share,
    },
}
_KNOWING: Shape = {
    "attacked": Share,
    "expected_reidentifications": Number,
    "publisher_payoff": Number,
    "groups": {str: Share},
}
_LOOKS: Shape = {"attacked": Share, "expected_reidentifications": Number}
_AWARE: Shape = (
    {
        "records": OneOrMore,
        "unlike": Count,
        "naive": _KNOWING,
        "aware": _KNOWING,
        "recipients?": {str: {"naive": _LOOKS, "aware": _LOOKS}},
    },
    None,
)
_DIVERSITY: Shape = {
    "rows_looked_at": (Count, None),
    "released": Count,
    "classes": Count,
    "columns": [
        {
            "column": Text,
            "values": OneOrMore,
            "distinct": OneOrMore,
            "entropy": Number,
            "closeness": Share,
            "distance": Distance,
            "alone": Count,
        }
    ],
}
_DIFFERENCE: Shape = {"shares": [Share, ...], "mean": Number, "more": Share, "equal": Share, "less": Share}
_SWEPT: Shape = {
    "policy": [Text, ...],
    "generalization_intensity": [Share],
    "attacked": [Share],
    "publisher_payoff": [Number],
    "adversary_payoff": [Number],
    ...: [Number],
}

CONTENT: Shape = {
    "attributes": [
        {"name": Text, "title": Text, "from_data": Flag, "levels": [{"groups": Count, "example": Text}, ...]},
        ...,
    ],
    "comparison": [{**MEASURES, "policy": Text}],
    "best": [{**MEASURES, "policy": Text}],
    "risks": {
        "population_is_the_records": Flag,
        "population_is_estimated": Flag,
        "raw": _RISKS,
        "policy": _RISKS,
        "release": _RISKS,
        "kept_diversity": _DIVERSITY,
    },
    "aware": _AWARE,
    "aware_beside?": {GameName: _AWARE},
    "lines?": {StakeName: _SWEPT},
    "map?": {**_SWEPT, "benefit": [Number], "loss": [Number]},
    "differences": {
        "policy": Text,
        "records": Count,
        "edges": {str: Edges},
        "games": {PlayedGame: {"publisher": _DIFFERENCE, "adversary": _DIFFERENCE}},
    },
}
"""``report.json``."""

MANIFEST: Shape = {
    "gamedeid": Text,
    "scenario": {
        "records": {"columns": ([Text], None), "drop": [Text], "keep": [Text], "missing": Missing},
        "population": ({"columns": ([Text], None), "drop": [Text], "unmatched": Unmatched}, None),
        "attributes": {str: {"weight": Number}},
        "payoffs": {str: (Number, None)},
        "sources": {StakeName: Text},
    },
    "overridden": [Text],
    "inputs": {str: {"path": Text, "sha256": Digest}},
    "outputs": {str: Digest},
}
"""``manifest.json``."""


def validator(shape: Shape) -> SchemaValidator:
    """Return what checks values against a shape."""
    return SchemaValidator(_schema(shape))


def _schema(shape: Shape) -> CoreSchema:
    match shape:
        case (inside, None):
            return core_schema.nullable_schema(_schema(inside))
        case [inside, *rest]:
            return core_schema.list_schema(_schema(inside), min_length=len(rest))
        case dict() if all(key is ... or isinstance(key, str) for key in shape):
            fields = {
                key.removesuffix("?"): core_schema.typed_dict_field(_schema(shape[key]), required=not key.endswith("?"))
                for key in shape
                if key is not ...
            }
            others = _schema(shape.get(..., Any))
            return core_schema.typed_dict_schema(fields, extras_schema=others, extra_behavior="allow")
        case dict():
            [(key, inside)] = shape.items()
            return core_schema.dict_schema(_schema(key), _schema(inside))
        case _:
            return TypeAdapter(shape).core_schema
