"""Limits on the whole dataset: the reached values, the price of each limit, and the cost of all limits."""

from collections.abc import Callable, Mapping
from math import inf
from typing import Any

from gamedeid.amounts import joined, value_words
from gamedeid.catalogue import FORMS, catalogue, fill_template, sentence, sentences
from gamedeid.pictures.words import policy_words
from gamedeid.report.words.measures import SUMS_DIFFER, Grid
from gamedeid.scenario.limits import OF_GROUPS
from gamedeid.study.warnings import counted_words

_HALF_CENT = 0.005  # dollars

_CELL = "smallest_cell"
"""Least number of records that are released alike; if no record is released, no cell is too small."""

_LIST_PRICE, _OF_ONE = "list_price", "list_price_of_one"
"""The price of a list; and for a scenario with recipients, each with a separate list."""


_OF_RISKS = frozenset({"expected_reidentifications", "attacked", _LIST_PRICE, "record_risk", "groups.attacked"})
"""Limits on attacks and their success."""

LIMITS: Mapping[str, Callable[[Any], str]] = {
    name: FORMS[one["form"]] for name, one in catalogue("limits")["names"].items() if name != _OF_ONE
}
"""Limit -> the format of its values."""

_IN_SENTENCE = {"expected_reidentifications": FORMS["one digit"]}
"""Limit -> the format of its values in a sentence, if it is another one."""

_OF_POLICY: Mapping[str, Callable[[Mapping[str, Any]], float]] = {
    "expected_reidentifications": lambda row: float(row["expected_reidentifications"]),
    "attacked": lambda row: float(row["attacked"]),
    _LIST_PRICE: lambda row: float(row["adversary_payoff"]) * int(row["records"]),
    "publisher_payoff": lambda row: float(row["publisher_payoff"]),
    _CELL: lambda row: round(1 / row["highest_risk"]) if row["highest_risk"] else inf,
}
"""Limit -> its value for a policy, for limits among the measures of a policy."""


def limit_words(summary: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each limit and one for all; empty for no limits."""
    if "limits" not in summary:
        return []
    each = [sentence("limits.limit", _limit_facts(name, summary)) for name in summary["limits"]["asked"]]
    return [*each, *_risk_words(summary), cost_words(summary)]


def _risk_words(summary: Mapping[str, Any]) -> list[str]:
    """Return a sentence on the recipient of the limited risks; empty if no limit is on a risk."""
    return sentences("limits.risks", {"of_risks": not _OF_RISKS.isdisjoint(summary["limits"]["asked"])})


def limit_grid(summary: Mapping[str, Any]) -> Grid:
    """Return the limits and the reached values, a row each; no row without limits."""
    each = [_limit_facts(name, summary) for name in summary.get("limits", {"asked": ()})["asked"]]
    rows = [
        (one["title"], f"{one['bound']} {one['limit']}", one["reached"], sentence("limits.price", one)) for one in each
    ]
    return Grid(("limit", "asked for", "this release", "worth of loosening it"), rows)


def _limit_facts(name: str, summary: Mapping[str, Any]) -> dict[str, Any]:
    words = catalogue("limits")["names"][_OF_ONE if name == _LIST_PRICE and "recipients" in summary else name]
    one, worth = summary["limits"]["asked"][name], gain_of_loosening(name, summary["limits"])
    nothing = name == _CELL and one["reached"] == 0
    facts = {
        "step_in_table": words.get("step"),
        **words,
        "name": name,
        "reached": LIMITS[name](None if nothing else one["reached"]),
        "limit": LIMITS[name](one["limit"]),
        "no_price": worth is None,
        "idle": worth is not None and worth <= _no_payoff(summary["limits"]),
        "priced": one["shadow_price"],
        "worth": worth,
    }
    return {**facts, "says": fill_template(words["says_of_nothing" if nothing else "says"], facts)}


def gain_of_loosening(name: str, limits: Mapping[str, Any]) -> float | None:
    """Return the dollars of total payoff that loosening a limit by one step can add at most; None for no price.

    The shadow prices prove it: with a limit greater by some units, no strategies pay more than ``bound_by_prices`` plus
    the price of these units.
    """
    price, step = limits["asked"][name]["shadow_price"], catalogue("limits")["names"][name].get("step_size")
    if step is None or price is None:
        return None
    slack = max(float(limits["bound_by_prices"]) - float(limits["payoff"]), 0.0)
    return float(price) * float(step) + slack


def _no_payoff(limits: Mapping[str, Any]) -> float:
    """Return the dollars up to which a part of the total payoff is none: half a cent, or a billionth of the total."""
    return min(_HALF_CENT, SUMS_DIFFER * abs(float(limits["payoff"])))


def policy_limit_words(summary: Mapping[str, Any]) -> str:
    """Return a sentence on whether the policy satisfies the limits of the games, as far as known."""
    asked, policy, names = summary["limits"]["asked"], summary["policy"]["name"], catalogue("limits")["names"]
    row, unknown = summary["policies"][policy], {_LIST_PRICE} if "recipients" in summary else set()
    if _CELL in asked and (row["highest_risk"] is None or "earlier" in summary):  # no classes, or those of all releases
        unknown.add(_CELL)
    values = {name: of_policy(row) for name, of_policy in _OF_POLICY.items() if name in asked.keys() - unknown}
    broken = [
        f"{names[name]['noun']} ({value_words(value, asked[name]['limit'], _IN_SENTENCE.get(name, LIMITS[name]))})"
        for name, value in values.items()
        if _breaks(names[name]["bound"], value, asked[name]["limit"])
    ]
    facts = {
        "policy": policy_words(policy),
        "broken": broken,
        "all_kept": [names[name]["noun"] for name in values] if len(values) == len(asked) else [],
    }
    return sentence("limits.policy", facts)


def _breaks(bound: str, value: float, limit: float) -> bool:
    """Return whether a value exceeds a limit by more than rounding."""
    beyond = limit - value if bound == "at least" else value - limit
    return beyond > SUMS_DIFFER * max(abs(value), abs(limit))


def limit_notes(summary: Mapping[str, Any], manifest: Mapping[str, Any]) -> list[str]:
    """Return the notes below the table of limits: shared strategies, the cost of the limits, groups, prices."""
    limits, asked = summary["limits"], manifest["scenario"]["limits"]
    uniform, groups = asked.get("uniform", False), asked.get("groups")
    facts = {
        "uniform": bool(uniform),
        "differ": any(summary["data"].get("persons", {"differing": {}})["differing"].values()),
        "uniform_all": uniform is True,
        "uniform_within": uniform is not True and bool(uniform),
        "alike": joined(uniform, "and") if uniform and uniform is not True else "",
        "priced": any((gain_of_loosening(name, limits) or 0.0) > _no_payoff(limits) for name in limits["asked"]),
        "cost": cost_words(summary),
        "of_groups": groups is not None,
        **(groups or {}),
    }
    return [*_risk_words(summary), *sentences("limits.notes", facts)]


def cost_words(summary: Mapping[str, Any]) -> str:
    """Return a sentence on the cost of all limits, and on the possible gain of other strategies within them."""
    limits, (records, unit) = summary["limits"], counted_words(summary["data"])
    without = limits["payoff_without_limits"]
    cost = 0.0 if without is None else without - limits["payoff"]
    facts = {
        "unknown": without is None,
        "free": cost <= _no_payoff(limits),
        "cost": cost,
        "each": cost / records,
        "unit": unit,
        "proof": proof_words(limits),
    }
    return sentence("limits.cost", facts)


def proof_words(limits: Mapping[str, Any]) -> str:
    """Return a clause on the possible gain of other strategies within the limits."""
    of_groups = not limits["asked"].keys().isdisjoint(OF_GROUPS)
    return sentence("limits.proof", {"proved": limits["proved"], "gap": limits["gap"], "of_groups": of_groups})
