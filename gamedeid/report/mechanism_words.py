"""What the games of a whole population have found, in sentences."""

from collections.abc import Mapping
from typing import Any

from gamedeid.amounts import dollars, number, number_of, percent
from gamedeid.choices import AwareGameName

UNVERIFIED = (
    "gamedeid verify computes the release and its measures again, against a recipient who counts who matches. It does "
    "not look for the strategies of the population, nor for their bound; gamedeid audit counts each released group."
)
"""What the verification of a folder leaves out."""


def mechanism_words(game: AwareGameName, mechanism: Mapping[str, Any]) -> list[str]:
    """Return what the game comes to if the recipient knows how everybody would have been released.

    Parameters
    ----------
    game : which was played.
    mechanism : what ``summary.json`` holds under ``mechanism``.
    """
    if "applied" in mechanism:
        return _applied_words(mechanism)
    return _no_attack_words(mechanism) if game == "aware-no-attack" else _basic_words(mechanism)


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


def _basic_words(mechanism: Mapping[str, Any]) -> list[str]:
    """Return what whoever knows the strategies makes of them, and how good they are known to be."""
    found, bound = mechanism["publisher_payoff"], mechanism["payoff_bound"]
    rounds = number_of(mechanism["rounds"], "round")
    attacked = percent(mechanism["attacked"]) if mechanism["attacked"] else "none"
    expected = number(mechanism["expected_reidentifications"], 1)
    if mechanism["stable"]:
        end = (
            f"After {rounds} of replies nobody in the population could be released otherwise so that all are paid more."
        )
    else:
        end = f"The replies of the population were ended after {rounds}: more of them may pay more."
    return [
        (
            f"Whoever knows how everybody would have been released attacks {attacked} of the records; "
            f"{expected} re-identifications are expected, and the publisher is paid {dollars(found)} per record."
        ),
        end,
        (
            f"No strategies pay more than {dollars(bound)} per record then, {dollars(max(bound - found, 0.0))} "
            f"more than these; those of the basic game, for everybody, pay {dollars(mechanism['start_payoff'])}."
        ),
    ]


def _no_attack_words(mechanism: Mapping[str, Any]) -> list[str]:
    """Return how large released groups are, how good the strategies are known to be, and whom they were planned for."""
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
