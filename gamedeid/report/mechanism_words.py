"""What the games of a whole population have found, in sentences."""

from collections.abc import Mapping
from typing import Any

from gamedeid.amounts import dollars, number, number_of, percent

UNVERIFIED = (
    "gamedeid verify computes the release and its measures again, against a recipient who counts who matches. It does "
    "not look for the strategies of the population, nor for their bound; gamedeid audit counts each released group."
)
"""What the verification of a folder leaves out."""


def mechanism_words(mechanism: Mapping[str, Any]) -> list[str]:
    """Return what the groups come to if the recipient knows how everybody would have been released.

    Parameters
    ----------
    mechanism : what ``summary.json`` holds under ``mechanism``.
    """
    if "applied" in mechanism:
        return _applied_words(mechanism)
    attacked = percent(mechanism["attacked"]) if mechanism["attacked"] else "none"
    smallest = mechanism["smallest_group"]
    sentences = [
        (
            f"A recipient who knows how everybody would have been released attacks {attacked} of the records; "
            f"{number(mechanism['expected_reidentifications'], 1)} re-identifications are expected, and the publisher "
            f"is paid {dollars(mechanism['publisher_payoff'])} per record."
        ),
        (
            f"The smallest released group has {number_of(smallest, 'person')}; no attack pays on "
            f"{number_of(mechanism['people_needed'], 'person')} or more."
            if smallest
            else "No group with a person of the population is released."
        ),
        _bound_words(mechanism),
    ]
    if mechanism["planned_for"] == "records":
        sentences.append(
            "They were planned for the records: whoever knows which profiles the records have can tell who fills a "
            "group without being one of them. Plan them for the population where that may be known."
        )
    return sentences


def _bound_words(mechanism: Mapping[str, Any]) -> str:
    """Return what no strategies exceed, how much more than these that is, and what proved it."""
    found, bound, by = mechanism["publisher_payoff"], mechanism["payoff_bound"], mechanism["bound_by"]
    if mechanism["optimal"]:
        more = "optimal: within 0.01%"
    else:
        more = f"{percent((bound - found) / found) if found > 0 else dollars(bound - found)} more than these"
    return f"No strategies pay more than {dollars(bound)} per record, {more}; proved by the {by}."


_APPLIED = {
    "as_planned": "released by the strategy that the finished run has for the same values",
    "joined": "of other values, released in groups that the finished run opened",
    "withheld_as_planned": "withheld, as the finished run withholds the same values",
    "no_group": "of other values, withheld: no group of the finished run matches that would be worth no attack",
    "group_too_small": "withheld: the group has fewer people than in the finished run, and would be worth an attack",
}
"""What became of rows to which a finished plan was applied."""


def _applied_words(mechanism: Mapping[str, Any]) -> list[str]:
    """Return what became of rows to which a finished plan was applied, and what it pays."""
    found, bound = dollars(mechanism["publisher_payoff"]), dollars(mechanism["payoff_bound"])
    counts = "; ".join(f"{count:,} {_APPLIED[name]}" for name, count in mechanism["applied"].items() if count)
    paid = (
        f"If the recipient knows the strategies of everybody, the publisher is paid {found} per record; no strategies "
        f"pay more than {bound}."
    )
    return [f"No group was opened. Of the records: {counts}.", paid]


def planned_words(mechanism: Mapping[str, Any]) -> str:
    """Return whose mean payoff was made large, in a sentence.

    Parameters
    ----------
    mechanism : what ``summary.json`` holds under ``mechanism``.
    """
    if mechanism["planned_for"] == "records":
        return "The strategies were planned for the records: their mean payoff was made large."
    return (
        "The strategies were planned for the population: its mean payoff was made large, without a look at which "
        "profiles the records have."
    )
