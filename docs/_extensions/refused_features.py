"""Which features each operation refuses, and which its questions cannot have: for the page, and for its tests."""

from collections.abc import Mapping
from types import MappingProxyType

from gamedeid.capabilities import IMPLIED, REFUSED, Feature, Operation, Refusal

PRECEDING_OPERATION: Mapping[Operation, Operation] = MappingProxyType(
    {
        **dict.fromkeys([Operation.SIMULATED, Operation.SIMULATED_METHOD, Operation.SIMULATED_MORE], Operation.ATTACK),
        Operation.KEPT_RULE: Operation.AWARE_GAME,
        Operation.KEPT_GROUPS: Operation.WITHIN_LIMITS,
    }
)
"""Operation -> another operation that it starts with, whose refusals come first."""

_FOLDERS = frozenset([Feature.LAZY, Feature.CLUSTER, Feature.STREAMED, Feature.PERSON])
_NO_GAME = frozenset([Feature.AWARE, Feature.SEARCHED])

ABSENT_FEATURES: Mapping[Operation, frozenset[Feature]] = MappingProxyType(
    {
        **dict.fromkeys(
            [Operation.SEARCH, Operation.INDUCTION, Operation.AWARE_GAME, Operation.KEPT_RULE],
            frozenset([Feature.SEARCHED]),
        ),
        Operation.BY_REGIONS: _FOLDERS | _NO_GAME | {Feature.SELF},
        **dict.fromkeys([Operation.SIMULATED_METHOD, Operation.SIMULATED_MORE], _FOLDERS),
        **dict.fromkeys([Operation.ATTACK, Operation.UTILITY, Operation.VERIFY], _FOLDERS),
        Operation.SIMULATED: _FOLDERS | {Feature.LARGE, Feature.AWARE},
        **dict.fromkeys(
            [Operation.COMPUTED_AGES, Operation.COUNTED_ZIPS, Operation.WITHIN_LIMITS, Operation.KEPT_GROUPS],
            _NO_GAME | {Feature.PERSON},
        ),
        Operation.GROUPED_ROWS: _NO_GAME | {Feature.PERSON, Feature.KEPT},
        Operation.AFTER_RELEASES: _NO_GAME
        | {Feature.PERSON, Feature.KEPT, Feature.REGIONS, Feature.EARLIER, Feature.ZIPS},
        Operation.SHOWN: _NO_GAME | {Feature.PERSON, Feature.REGIONS, Feature.EARLIER, Feature.ZIPS, Feature.SHOWN},
        Operation.KEPT_KNOWLEDGE: _NO_GAME | {Feature.PERSON, Feature.REGIONS, Feature.ZIPS, Feature.KEPT},
        Operation.OTHER_ROWS: frozenset([Feature.PERSON, Feature.CLUSTER]),
        Operation.ESTIMATE: _NO_GAME | {Feature.SELF, Feature.ZIPS, Feature.EARLIER},
        **dict.fromkeys(
            [
                Operation.COMPARE,
                Operation.SOLVERS,
                Operation.AGAINST_RECIPIENTS,
                Operation.ONE_PERSON,
                Operation.ONE_RECORD,
                Operation.ONE_PROFILE,
                Operation.SWEEP,
                Operation.OTHER_STAKES,
                Operation.BREAKPOINTS,
                Operation.SUGGEST,
                Operation.RISK_UTILITY,
                Operation.EXPOSURE,
                Operation.EXPLORER,
            ],
            _NO_GAME,
        ),
    }
)
"""Operation -> features that its questions cannot have: the operation takes no game, or reads files."""


def find_refusal(operation: Operation, feature: Feature) -> Refusal | None:
    """Return the refusal of a feature, or of the feature that it implies; None if both are supported."""
    rows = [REFUSED.get(PRECEDING_OPERATION.get(operation, operation), {}), REFUSED.get(operation, {})]
    return next((row[one] for row in rows for one in (IMPLIED.get(feature, feature), feature) if one in row), None)
