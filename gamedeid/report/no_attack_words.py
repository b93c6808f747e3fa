"""What the game aware-no-attack has found, in sentences."""

from collections.abc import Mapping
from typing import Any

from gamedeid.amounts import dollars, number_of


def no_attack_words(mechanism: Mapping[str, Any]) -> list[str]:
    """Return how large released groups are, how good the strategies are known to be, and whom they were planned for.

    Parameters
    ----------
    mechanism : what ``summary.json`` holds under ``mechanism``.
    """
    least, smallest = mechanism["people_needed"], mechanism["smallest_group"]
    found, bound = mechanism["publisher_payoff"], mechanism["payoff_bound"]
    if smallest:
        groups = (
            f"Every released group is chosen by at least {number_of(least, 'person')}, the smallest by {smallest:,}: "
            "an attack does not pay even for whoever knows how everybody would have been released."
        )
    else:
        groups = f"No group of at least {number_of(least, 'person')} is released."
    sentences = [
        groups,
        (
            f"No such strategies pay more than {dollars(bound)} per record, {dollars(max(bound - found, 0.0))} more "
            f"than these; the greedy ones that the search began with pay {dollars(mechanism['greedy_payoff'])}."
        ),
    ]
    if mechanism["planned_for"] == "records":
        sentences.append(
            "They were planned for the records: whoever knows which profiles the records have can tell who fills a "
            "group without being one of them. Plan them for the population where that may be known."
        )
    return sentences
