"""What is said of limits on the whole dataset: what was reached, what one more is worth, and what they cost."""

from collections.abc import Callable, Mapping
from typing import Any

from gamedeid.amounts import dollars, number, percent
from gamedeid.report.data_words import counted

_SIXTH = 6
"""Digits of a number as it was asked for."""


def limit_words(summary: Mapping[str, Any]) -> list[str]:
    """Return what became of the limits, a sentence for each and one for all; nothing where there are none.

    Parameters
    ----------
    summary : what ``summary.json`` holds.
    """
    limits = summary.get("limits")
    if limits is None:
        return []
    records, unit = counted(summary["data"])
    said = [f"Limit {name}: {_WORDS[name](one)}{_price_words(name, one)}." for name, one in limits["asked"].items()]
    return [*said, _cost_words(limits, records, unit)]


def _plain(value: float) -> str:
    return f"{value:,.{_SIXTH}g}"


_WORDS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "expected_reidentifications": lambda one: (
        f"{number(one['reached'], 2)} expected re-identifications, at most {_plain(one['limit'])} allowed"
    ),
    "attacked": lambda one: f"{percent(one['reached'])} attacked, at most {percent(one['limit'])} allowed",
    "list_price": lambda one: (
        f"all attacks together gain {dollars(one['reached'])}, and a list costs {dollars(one['limit'])}"
    ),
    "record_risk": lambda one: (
        f"the highest risk of a released record is {_plain(one['reached'])}, at most {_plain(one['limit'])} allowed"
    ),
    "smallest_cell": lambda one: (
        f"the smallest cell has {one['reached']:,.0f} released records, at least {one['limit']:,.0f} demanded"
    ),
    "information_loss": lambda one: (
        f"mean information loss {_plain(one['reached'])}, at most {_plain(one['limit'])} allowed"
    ),
    "publisher_payoff": lambda one: f"mean payoff {dollars(one['reached'])}, at least {dollars(one['limit'])} demanded",
}

_STEPS = {
    "expected_reidentifications": (1.0, "one more would be"),
    "attacked": (0.01, "one percentage point more would be"),
    "list_price": (1.0, "a list dearer by one dollar would be"),
    "information_loss": (0.001, "0.001 more would be"),
}
"""How much more of each limit its price is told for."""


def _price_words(name: str, one: Mapping[str, Any]) -> str:
    if name not in _STEPS:
        return ""
    if not one["binding"]:
        return " (not binding)"
    step, words = _STEPS[name]
    return f"; {words} worth {dollars(one['shadow_price'] * step)} of total payoff"


def _cost_words(limits: Mapping[str, Any], records: int, unit: str) -> str:
    cost = limits["payoff_without_limits"] - limits["payoff"]
    least = 0.005
    if cost < least:
        said = "The limits cost nothing"
    else:
        said = f"The limits cost {dollars(cost)} of total payoff ({dollars(cost / records)} per {unit})"
    gap = limits["gap"]
    if limits["proved"]:
        return f"{said}; no strategies within them pay more."
    most = dollars(gap) if gap >= least else "less than $0.01"
    return f"{said}; other strategies within them pay at most {most} more in total."
