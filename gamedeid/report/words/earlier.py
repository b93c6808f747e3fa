"""A release and the earlier releases that its recipient has, in sentences."""

from collections.abc import Mapping
from typing import Any

from gamedeid.catalogue import sentences


def earlier_words(summary: Mapping[str, Any]) -> list[str]:
    """Return who is found in the earlier releases, and what these cost; nothing where there are none."""
    found = summary.get("earlier")
    if found is None:
        return []
    cost = found["cost"] or {}
    changes = sentences("earlier.change", cost) if cost else []
    return sentences(
        "earlier.earlier", {**found, **cost, "costed": bool(cost), "free": not changes, "changes": changes}
    )
