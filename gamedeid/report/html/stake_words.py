"""What the report says of the stakes, and of how far each can move."""

from collections.abc import Mapping
from typing import Any

from gamedeid.amounts import exact_percent, joined, range_words
from gamedeid.report.question_kind import QuestionKind, kind_of

STAKES = {
    "benefit": ("Benefit", "V", "what a record in full detail is worth to the publisher"),
    "loss": ("Loss", "L", "what the publisher loses when a record is re-identified"),
    "gain": ("Gain", "", "what a recipient gains from a re-identified record"),
    "cost": ("Cost", "c", "what one attack costs the recipient"),
}
"""Name, symbol and meaning of each stake."""

BY_EXACT = "The games are played with their best strategies, which an exact search finds; the release is not."
"""Stands beside what does not speak of the release's own strategies."""


def ratios(summary: Mapping[str, Any]) -> str:
    """Return what would be decided with other stakes of the same ratios.

    Parameters
    ----------
    summary : what ``summary.json`` holds.
    """
    dollars_too = [
        name for name in ("list_price", "publisher_payoff") if name in summary.get("limits", {}).get("asked", {})
    ]
    others = ["those of each recipient"] if kind_of(summary).recipients else []
    others += [f"the limit {name}" for name in dollars_too]
    also = f", {joined(others, 'and')} among them," if others else ""
    return f"Only their ratios decide: ten times all of them{also} would change\n  no decision."


def sensitivity_words(kind: QuestionKind, *, has_ranges: bool = False) -> str:
    """Return why it is not shown how the answer moves with the stakes, or not all of it; nothing where it is.

    Parameters
    ----------
    kind : of the question.
    has_ranges : whether robust ranges are shown.
    """
    if kind.recipients and has_ranges:
        return (
            "Benefit, loss and cost are estimates. The ranges say how far each can move alone; with it move the "
            "recipients who have none of their own. Lines and maps are of one adversary, and not drawn here."
        )
    if kind.limits:
        why = "within limits on the whole dataset, each other figure would be a search of its own"
    elif kind.aware:
        why = "for every other figure the strategies of the whole population would have to be looked for again"
    elif kind.recipients:
        why = "ranges do not take a price of learning into account, and lines and maps are of one adversary"
    else:
        return ""
    return (
        f"Benefit, loss and cost are estimates. How far the answer depends on them is not shown here: {why}. Run the "
        "scenario again with other figures to see what they change."
    )


def robust_sentence(robustness: Mapping[str, Any], search: Mapping[str, Any]) -> str:
    """Return how far each stake can move alone while most records keep their strategy, the best or the release's."""
    parts = [f"the {name} {_range(stake_range)}" for name, stake_range in robustness["ranges"].items()]
    decided = "what is decided for them"
    if not search["proved"]:
        decided = f"their best strategy (by an exact search, not by the {search['solver']} of this release)"
    return (
        f"At least {exact_percent(robustness['share'])} of the records keep {decided} as long as "
        f"{joined(parts, 'and')}, each changed alone."
    )


def _range(stake_range: Mapping[str, Any]) -> str:
    words = range_words(stake_range["keeps"], stake_range["chosen"], stake_range["keeps_open"])
    return "has any value" if words == "any" else f"is {words}"
