"""The document of ``gamedeid risk distinct``: how many people of a release are distinct, and the expected risk."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from types import EllipsisType
from typing import Any

from gamedeid.reprs import frozen
from gamedeid.results.manifest import ResultWarning
from gamedeid.results.result import Count, Dollars, Level, Mean, Result, Share, Text
from gamedeid.risk.bins import price_per_reidentification, trust_differential
from gamedeid.risk.matches import Exposure, Whose

TOTAL = "total_risk"
"""Key of the expected re-identifications."""


@frozen
class ExposureFacts(Result):
    """The numbers of distinct people in a release.

    Parameters
    ----------
    people, unmatched : number of released people, and of those who match no one.
    distinct, share : group size -> number of people whom at most so many people match, and share of those matched.
    total_risk, total_risk_share : expected re-identifications, in total and per person matched.
    """

    people: Count
    unmatched: Count
    distinct: Mapping[str, Mean]
    share: Mapping[str, Share]
    total_risk: Mean
    total_risk_share: Share


@frozen
class AgainstFacts(ExposureFacts):
    """The facts under another policy, and the ratios of the numbers of both policies."""

    keys = ("policy", *(one.name for one in fields(ExposureFacts)), "trust_differential")

    policy: Text
    trust_differential: Mapping[str, Mean | None]


@frozen
class GroupFacts(ExposureFacts):
    """The facts of one group."""

    keys = ("group", *(one.name for one in fields(ExposureFacts)))

    group: Text


@frozen
class GroupsFacts(Result):
    """The groups of an attribute at a level."""

    attribute: Text
    level: Level
    groups: tuple[GroupFacts, ...]


@frozen
class DistinctFacts(ExposureFacts):
    """The facts of a release, and those of another policy and of groups if requested."""

    document = "distinct"
    keys = (
        *("policy", "attacker", "released", "population_levels", *(one.name for one in fields(ExposureFacts))),
        *("against?", "list_price?", "price_per_reidentification?", "by?", "warnings"),
    )

    policy: Text
    attacker: Text
    released: Whose
    population_levels: Mapping[str, Level]
    against: AgainstFacts | None = None
    list_price: Dollars | None = None
    price_per_reidentification: Dollars | EllipsisType | None = ...
    by: GroupsFacts | None = None
    warnings: tuple[ResultWarning, ...] = ()


def distinct_summary(
    found: Exposure,
    sizes: Sequence[int],
    *,
    against: Exposure | None,
    by: tuple[str, int, Mapping[str, Exposure]] | None,
    list_price: float | None,
    warnings: Sequence[ResultWarning],
) -> DistinctFacts:
    """Return the facts of a release; the list price, in dollars, is above 0."""
    compared = grouped = None
    if against is not None:
        ratios = {str(g): trust_differential(found.distinct(g), against.distinct(g)) for g in sizes}
        ratios[TOTAL] = trust_differential(found.total_risk, against.total_risk)
        compared = AgainstFacts(policy=against.policy, trust_differential=ratios, **_measures(against, sizes))
    if by is not None:
        attribute, level, groups = by
        rows = tuple(GroupFacts(group=label, **_measures(part, sizes)) for label, part in groups.items())
        grouped = GroupsFacts(attribute=attribute, level=level, groups=rows)
    return DistinctFacts(
        policy=found.policy,
        attacker=found.attacker,
        released=found.whose,
        population_levels=found.known,
        **_measures(found, sizes),
        against=compared,
        list_price=list_price,
        price_per_reidentification=...
        if list_price is None
        else price_per_reidentification(list_price, found.total_risk),
        by=grouped,
        warnings=tuple(warnings),
    )


def _measures(found: Exposure, sizes: Sequence[int]) -> dict[str, Any]:
    matched = found.released - found.unmatched
    distinct = {str(g): found.distinct(g) for g in sizes}
    return {
        "people": found.released,
        "unmatched": found.unmatched,
        "distinct": distinct,
        "share": {size: people / matched if matched else 0.0 for size, people in distinct.items()},
        TOTAL: found.total_risk,
        "total_risk_share": found.total_risk / matched if matched else 0.0,
    }
