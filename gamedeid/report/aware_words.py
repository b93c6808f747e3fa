"""What knowing the mechanism gives away, in sentences: the two adversaries side by side."""

from collections.abc import Callable, Iterator, Mapping
from math import isclose
from typing import Any

from gamedeid.amounts import dollars, number, number_of, percent
from gamedeid.pictures.words import capital

NAIVE, AWARE = "counts who matches", "knows how it was made"
"""The two recipients, as headings of columns."""


COLUMNS = ("if the recipient ...", NAIVE, AWARE)
"""Names of the columns of the report's table."""

RECIPIENT_ROWS: Mapping[str, tuple[str, Callable[[float], str]]] = {
    "attacked": ("attacks, if it gets the release", percent),
    "expected_reidentifications": ("expected re-identifications", lambda amount: number(amount, 1)),
}
"""Measures of each recipient that are shown for one who counts and one who knows: words, and how each is written."""

SPREAD = "chance of at least one; 95% range"
"""Name of the row beneath expected re-identifications."""

_UNSURE = 1 - 1e-9
"""The greatest chance of what is not certain, as it is printed."""

ROUNDING = 1e-9
"""Sums of chances closer than this share are equal: they are added up in different orders."""

_UNKNOWN = "What a recipient gains who knows how the release was made is not computed here"
"""Begins the sentence where nothing is known."""


def spread_words(spread: Mapping[str, Any] | None) -> str:
    """Return the chance of at least one re-identification, and the range of their number in 95 of 100 cases.

    Parameters
    ----------
    spread : as :class:`gamedeid.game.spread.Spread` has it; None where it was not computed.
    """
    if spread is None:
        return "not computed"
    chance = spread["at_least_one"] if spread["highest"] == 1 else min(spread["at_least_one"], _UNSURE)
    return f"{percent(chance, 0)}; {spread['low']:,} to {spread['high']:,}"


def aware_rows(found: Mapping[str, Any] | str) -> Iterator[tuple[str, str, str]]:
    """Yield a text for each of ``COLUMNS``; none where nothing is known.

    Parameters
    ----------
    found : as ``AwareRisk.as_dict`` gives it, or why nothing is known.
    """
    if isinstance(found, str):
        return
    naive, aware = found["naive"], found["aware"]
    yield "Records worth attacking", percent(naive["attacked"]), percent(aware["attacked"])
    key = "expected_reidentifications"
    yield "Expected re-identifications", number(naive[key], 1), number(aware[key], 1)
    yield capital(SPREAD), spread_words(naive["spread"]), spread_words(aware["spread"])
    key = "publisher_payoff"
    yield "Publisher\u2019s payoff per record", dollars(naive[key]), dollars(aware[key])
    for size, share in naive["groups"].items():
        if size != "1":
            name = f"Released in a group of {size} people or fewer"
            yield name, percent(share), percent(aware["groups"][size])
    for name, does in found.get("recipients", {}).items():
        for measure, (words, form) in RECIPIENT_ROWS.items():
            yield f"{name}: {words}", form(does["naive"][measure]), form(does["aware"][measure])


def aware_words(found: Mapping[str, Any] | str, *, unit: str, released: bool) -> list[str]:
    """Return what a recipient who knows the mechanism can do that one who counts cannot.

    Parameters
    ----------
    found : as ``AwareRisk.as_dict`` gives it, or why nothing is known.
    unit : what is counted: "record" or "person".
    released : whether anything is.
    """
    if isinstance(found, str):
        return [f"{_UNKNOWN}: {found}."]
    if not released:
        return ["Everything is withheld: there is nothing to attack, whatever the recipient knows."]
    naive, aware, records = found["naive"], found["aware"], found["records"]
    if "recipients" in found:
        return [*_of_recipients(found, unit), *_unlike(found, unit)]
    before = (
        "A recipient who counts the people that match a released record finds "
        f"{_worth(naive, records, unit)} worth attacking."
    )
    if aware["expected_reidentifications"] == naive["expected_reidentifications"]:
        same = (
            "Knowing how the release was made gains the recipient nothing: no further record is worth attacking, and "
            "no attack that pays is likelier to succeed."
        )
        return [before, same, *_unlike(found, unit)]
    after = (
        "A recipient who has this program, the scenario and the population can also tell who of these people would "
        f"have been released otherwise. This recipient finds {_worth(aware, records, unit)} worth attacking; "
        f"{number(aware['expected_reidentifications'], 1)} re-identifications are expected instead of "
        f"{number(naive['expected_reidentifications'], 1)}."
    )
    pays = (
        f"The publisher's real payoff is {dollars(aware['publisher_payoff'])} per {unit}, not "
        f"{dollars(naive['publisher_payoff'])}."
    )
    return [before, after, pays, *_unlike(found, unit)]


def _of_recipients(found: Mapping[str, Any], unit: str) -> Iterator[str]:
    """Yield the same of recipients, one or several, who may know some attributes only, or some of the people."""
    naive, aware, records = found["naive"], found["aware"], found["records"]
    yield (
        "If each recipient counts the people that match what the recipient sees and knows, "
        f"at least one of them finds {_worth(naive, records, unit)} worth attacking."
    )
    key = "expected_reidentifications"
    if isclose(aware[key], naive[key], rel_tol=ROUNDING) and aware["attacked"] == naive["attacked"]:
        yield (
            "Knowing how the release was made gains them nothing: no further record is worth attacking, and as many "
            "re-identifications are expected."
        )
        return
    yield (
        "Who has this program, the scenario and the population\u2019s numbers can also tell how many of these people "
        "would have been released otherwise, as far as the recipient tells people apart. If each recipient does so, "
        f"at least one of them finds {_worth(aware, records, unit)} worth attacking; "
        f"{number(aware[key], 1)} re-identifications are expected instead of {number(naive[key], 1)}."
    )
    yield (
        f"The publisher's real payoff is {dollars(aware['publisher_payoff'])} per {unit}, not "
        f"{dollars(naive['publisher_payoff'])}."
    )


def _worth(side: Mapping[str, Any], records: int, unit: str) -> str:
    attacked = round(side["attacked"] * records)
    return f"{attacked:,} of {number_of(records, unit)} ({percent(side['attacked'])})" if attacked else "no record"


def _unlike(found: Mapping[str, Any], unit: str) -> list[str]:
    """Return what is said of records that nobody of the population would be released like."""
    if not found["unlike"]:
        return []
    many = number_of(found["unlike"], unit)
    are = "is" if found["unlike"] == 1 else "are"
    return [
        f"{many} {are} released as nobody of the population would be; population.unmatched says what each counts as."
    ]
