"""What knowing the mechanism gives away, in sentences: the two adversaries side by side."""

from collections.abc import Mapping
from typing import Any

from gamedeid.amounts import dollars, number, number_of, percent

NAIVE, AWARE = "counts who matches", "knows how it was made"
"""The two recipients, as headings of columns."""


def aware_words(found: Mapping[str, Any], *, unit: str, released: bool) -> list[str]:
    """Return what a recipient who knows the mechanism can do that one who counts cannot.

    Parameters
    ----------
    found : as ``AwareRisk.as_dict`` gives it.
    unit : what is counted: "record" or "person".
    released : whether anything is.
    """
    if not released:
        return ["Everything is withheld: there is nothing to attack, whatever the recipient knows."]
    naive, aware, records = found["naive"], found["aware"], found["records"]
    whole = number_of(records, unit)
    before = (
        f"A recipient who counts the people that match what she sees finds {_worth(naive, records)} of {whole} worth "
        "attacking."
    )
    if aware["expected_reidentifications"] == naive["expected_reidentifications"]:
        same = (
            "Knowing how the release was made gains her nothing: no further record is worth attacking, and none is "
            "easier to attack."
        )
        return [before, same, *_unlike(found, unit)]
    after = (
        "A recipient who has this program, the scenario and the population can also tell who of these people would "
        f"have been released otherwise. Then {_worth(aware, records)} are worth attacking, and "
        f"{number(aware['expected_reidentifications'], 1)} re-identifications are expected instead of "
        f"{number(naive['expected_reidentifications'], 1)}."
    )
    pays = (
        f"The publisher's real payoff is {dollars(aware['publisher_payoff'])} per {unit}, not "
        f"{dollars(naive['publisher_payoff'])}."
    )
    return [before, after, pays, *_unlike(found, unit)]


def _worth(side: Mapping[str, Any], records: int) -> str:
    attacked = round(side["attacked"] * records)
    return f"{attacked:,} ({percent(side['attacked'])})" if attacked else "none"


def _unlike(found: Mapping[str, Any], unit: str) -> list[str]:
    """Return what is said of records that nobody of the population would be released like."""
    if not found["unlike"]:
        return []
    many = number_of(found["unlike"], unit)
    are = "is" if found["unlike"] == 1 else "are"
    return [
        f"{many} {are} released as nobody of the population would be; population.unmatched says what each counts as."
    ]
