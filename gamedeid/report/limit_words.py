"""What is said of limits on the whole dataset: what was reached, what one more is worth, and what they cost."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from gamedeid.amounts import dollars, joined, number, percent
from gamedeid.report.policy_words import policy_words
from gamedeid.reprs import frozen
from gamedeid.study.warnings import counted

_SIXTH = 6
"""Digits of a number as it was asked for."""

_CENT = 0.005
"""Dollars that round to nothing."""

_ROUNDING = 1e-9
"""Share by which sums differ that round in different orders."""

COLUMNS = ("limit", "asked for", "this release", "what loosening it is worth")
"""Names of the columns of the table of limits."""


OF_ONE = "What all attacks of one recipient gain"
"""What the price of a list limits where there are several recipients, each with a list of her own."""


@frozen
class LimitName:
    """What a limit is called in a table, and what it means.

    Parameters
    ----------
    name : a few words.
    bound : "at most" or "at least".
    form : how its values read.
    """

    name: str
    bound: str
    form: Callable[[float], str]


def _plain(value: float) -> str:
    return f"{value:,.{_SIXTH}g}"


NAMES: Mapping[str, LimitName] = {
    "expected_reidentifications": LimitName(name="Expected re-identifications", bound="at most", form=_plain),
    "attacked": LimitName(name="Records worth attacking", bound="at most", form=percent),
    "list_price": LimitName(name="What all attacks together gain", bound="at most", form=dollars),
    "record_risk": LimitName(name="Highest risk of a released record", bound="at most", form=_plain),
    "information_loss": LimitName(name="Mean information loss", bound="at most", form=_plain),
    "publisher_payoff": LimitName(name="Publisher\u2019s payoff per record", bound="at least", form=dollars),
    "smallest_cell": LimitName(name="Records in the smallest cell", bound="at least", form=_plain),
}
"""Every limit, as a table calls it."""

RULES = {
    "basic": (
        "The publisher may release any amount of detail, as long as the release as a whole keeps to its limits. The "
        "strategies are those that are worth most together: the value of the detail, less the losses to be expected "
        "where an attack would pay."
    ),
    "no-attack": (
        "The publisher may release only what {nobody} who counts gains from attacking, and the release as a whole "
        "keeps to its limits. The strategies are those that are worth most together."
    ),
    "sh-friendly": (
        "The publisher never releases more detail than {policy} would, in any attribute, and the release as a whole "
        "keeps to its limits. The strategies are those that are worth most together: the value of the detail, less the "
        "losses to be expected where an attack would pay."
    ),
}
"""Rules of each game within limits."""

EXPECTATIONS = (
    "Limits are on what is expected.",
    (
        "A limit on expected re-identifications, or on what attacks gain, is kept on average. As many as happen may be "
        "more."
    ),
)
"""What a limit on an expectation does not promise, in short, and what follows."""

EXPECTED_NUMBER, LIST_PRICE = "expected_reidentifications", "list_price"
EXPECTED = {EXPECTED_NUMBER, LIST_PRICE}
"""Limits on an expectation."""

TOGETHER = (
    "Records are decided together.",
    "What becomes of a record depends on all the others: with other records its strategy may be another one.",
)
"""What limits make of single records, in short, and what follows."""


def limit_words(summary: Mapping[str, Any]) -> list[str]:
    """Return what became of the limits, a sentence for each and one for all; nothing where there are none.

    Parameters
    ----------
    summary : what ``summary.json`` holds.
    """
    limits = summary.get("limits")
    if limits is None:
        return []
    forms = {**_WORDS, **({LIST_PRICE: _list_of_one} if "recipients" in summary else {})}
    said = [f"Limit {name}: {forms[name](one)}{_price_words(name, limits)}." for name, one in limits["asked"].items()]
    return [*said, cost_words(summary)]


def limit_rows(summary: Mapping[str, Any]) -> Iterator[tuple[str, str, str, str]]:
    """Yield a text for each of ``COLUMNS``, for each limit.

    Parameters
    ----------
    summary : what ``summary.json`` holds.
    """
    limits = summary["limits"]
    for name, one in limits["asked"].items():
        words = NAMES[name]
        worth = loosened(name, limits)
        if worth is None:
            price = "not computed"
        elif worth < _CENT:
            price = "nothing: it is not binding"
        elif not one["shadow_price"]:
            price = f"at most {dollars(worth)}, however much looser"
        else:
            price = f"at most {dollars(worth)} {_STEPS[name].table}"
        called = OF_ONE if name == LIST_PRICE and "recipients" in summary else words.name
        yield called, f"{words.bound} {words.form(one['limit'])}", words.form(one["reached"]), price


def policy_beside_words(summary: Mapping[str, Any]) -> str:
    """Return whether the policy that games within limits are compared with keeps to them by itself, as far as known.

    Parameters
    ----------
    summary : what ``summary.json`` holds.
    """
    asked, policy = summary["limits"]["asked"], summary["policy"]["name"]
    row = summary["policies"][policy]
    unknown = {LIST_PRICE} if "recipients" in summary else set()
    found = {name: of_policy(row) for name, of_policy in _OF_POLICY.items() if name in asked.keys() - unknown}
    broken = [
        f"{_OF_RELEASE[name]} ({number(value, 1) if name == EXPECTED_NUMBER else NAMES[name].form(value)})"
        for name, value in found.items()
        if _breaks(name, value, asked[name]["limit"])
    ]
    if broken:
        does = f"would break the {'limit' if len(broken) == 1 else 'limits'} on {joined(broken, 'and')}"
    elif len(found) == len(asked):
        does = "keeps to them, too"
    else:
        does = "may keep to them or not"
    return f"The games keep to the limits on the whole dataset; {policy_words(policy)}, applied as it is, {does}."


_OF_POLICY: Mapping[str, Callable[[Mapping[str, Any]], float]] = {
    "expected_reidentifications": lambda row: float(row["expected_reidentifications"]),
    "attacked": lambda row: float(row["attacked"]),
    "list_price": lambda row: float(row["adversary_payoff"]) * int(row["records"]),
    "publisher_payoff": lambda row: float(row["publisher_payoff"]),
}
"""What a policy comes to in those limits that its measures tell."""

_OF_RELEASE: Mapping[str, str] = {
    "expected_reidentifications": "expected re-identifications",
    "attacked": "records worth attacking",
    "list_price": "what all attacks together gain",
    "publisher_payoff": "the publisher's payoff",
}
"""What these are called in a sentence."""


def _breaks(name: str, value: float, limit: float) -> bool:
    """Return whether a value is beyond a limit by more than sums round."""
    beyond = limit - value if NAMES[name].bound == "at least" else value - limit
    return beyond > _ROUNDING * max(abs(value), abs(limit))


def limit_notes(summary: Mapping[str, Any], manifest: Mapping[str, Any]) -> list[str]:
    """Return what stands beneath the table of limits: who shares a strategy, what limits cost, and what a price means.

    Parameters
    ----------
    summary, manifest : what ``summary.json`` and ``manifest.json`` hold.
    """
    uniform = manifest["scenario"]["limits"].get("uniform", False)
    notes = []
    if uniform is True:
        notes.append("All released records have one strategy, as the scenario demands.")
    elif uniform:
        notes.append(f"Records with the same {joined(uniform, 'and')} have one strategy, as the scenario demands.")
    notes.append(cost_words(summary))
    if any((loosened(name, summary["limits"]) or 0.0) >= _CENT for name in summary["limits"]["asked"]):
        notes.append(
            "What loosening a limit is worth is its shadow price: dollars of total payoff that the best strategies "
            "could gain at most if it alone were looser by so much. Whoever sets the limit can hold it against the "
            "harm that the limit prevents."
        )
    return notes


@frozen
class Step:
    """How much more of a limit its worth is told for.

    Parameters
    ----------
    size : in the limit's own terms.
    words : begins the sentence on the terminal.
    table : ends the cell of the table.
    """

    size: float
    words: str
    table: str


_STEPS: Mapping[str, Step] = {
    "expected_reidentifications": Step(size=1.0, words="one more", table="for one more"),
    "attacked": Step(size=0.01, words="one percentage point more", table="for one percentage point more"),
    "list_price": Step(size=1.0, words="a list dearer by one dollar", table="for one dollar more"),
    "information_loss": Step(size=0.001, words="0.001 more", table="for 0.001 more"),
}


def loosened(name: str, limits: Mapping[str, Any]) -> float | None:
    """Return the dollars of total payoff that one step more of a limit can add at most; None where it has no price.

    The shadow prices prove it: with a limit greater by some units, no strategies pay more than ``bound_by_prices`` and
    the price of these units.

    Parameters
    ----------
    name : of the limit.
    limits : what ``summary.json`` holds under ``limits``.
    """
    price = limits["asked"][name]["shadow_price"]
    if name not in _STEPS or price is None:
        return None
    slack = max(float(limits["bound_by_prices"]) - float(limits["payoff"]), 0.0)
    return float(price) * _STEPS[name].size + slack


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


def _list_of_one(one: Mapping[str, Any]) -> str:
    """Return the same of what each recipient pays for a list of her own: what is reached is the most of them."""
    gained, price = dollars(one["reached"]), dollars(one["limit"])
    return f"no recipient who weighs costs gains more than {gained} by all her attacks, and a list costs {price}"


def _price_words(name: str, limits: Mapping[str, Any]) -> str:
    worth = loosened(name, limits)
    if worth is None:
        return ""
    if worth < _CENT:
        return " (not binding)"
    if not limits["asked"][name]["shadow_price"]:
        return f" (at most {dollars(worth)} of total payoff could be gained without it)"
    return f"; {_STEPS[name].words} would be worth at most {dollars(worth)} of total payoff"


def cost_words(summary: Mapping[str, Any]) -> str:
    """Return what all limits together cost, and how much better other strategies within them can be.

    Parameters
    ----------
    summary : what ``summary.json`` holds.
    """
    limits, (records, unit) = summary["limits"], counted(summary["data"])
    without = limits["payoff_without_limits"]
    if without is None:
        said = "What the limits cost was not computed"
    elif (cost := without - limits["payoff"]) < _CENT:
        said = "The limits cost nothing"
    else:
        said = f"The limits cost {dollars(cost)} of total payoff ({dollars(cost / records)} per {unit})"
    return f"{said}; {proof_words(limits)}."


def proof_words(limits: Mapping[str, Any]) -> str:
    """Return how much more other strategies within the limits can pay, as a clause.

    Parameters
    ----------
    limits : what ``summary.json`` holds under ``limits``.
    """
    if limits["proved"]:
        return "no strategies within them pay more"
    gap = limits["gap"]
    most = dollars(gap) if gap >= _CENT else "less than $0.01"
    return f"other strategies within them pay at most {most} more in total"
