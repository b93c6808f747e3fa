"""The question and the answer in plain words, from the stored figures alone."""

from collections.abc import Mapping
from typing import Any

from gamedeid.amounts import dollars, money, number, number_of, percent
from gamedeid.pictures.words import capital
from gamedeid.report.policy_words import policy_words
from gamedeid.report.question_kind import kind_of
from gamedeid.study.warnings import counted


def question(summary: Mapping[str, Any]) -> str:
    """Return the question in plain words."""
    records = summary["measures"]["records"]
    which = f"each of {records:,} records about people" if records != 1 else "one record"
    if "persons" in summary["data"]:
        which = f"the records of {number_of(*counted(summary['data']))}"
    who = "any of the recipients" if kind_of(summary).recipients else "the recipient"
    return (
        f"How much detail of {which} can be shared, if {who} might try to find out to whom a record belongs, "
        "but only if that pays?"
    )


def answer(summary: Mapping[str, Any], policy: Mapping[str, Any]) -> list[str]:
    """Return the answer in a few sentences: the measures of the run beside those of the policy."""
    kind = kind_of(summary)
    pays = "To a recipient who counts who matches, an attack would pay"
    made = "If that recipient makes every attack that pays"
    if kind.recipients:
        pays = "If each recipient counts who matches, an attack would pay for at least one of them"
        made = "If each recipient who comes to be makes every attack that pays her"
    found, other = summary["measures"], policy_words(policy["policy"])
    most = money(summary["payoffs"]["benefit"])
    unmodified, attacked = (share_words(found[key]) for key in ("unmodified", "attacked"))
    sentences = [
        (
            f"{capital(unmodified)} {_are(found['unmodified'])} released unmodified; under {other}, "
            f"{share_words(policy['unmodified'])}."
        ),
        f"{pays} on {attacked}; under {other}, on {share_words(policy['attacked'])}.",
        (
            f"{made}, {_people(found)} must be expected among "
            f"{number_of(*counted(summary['data']))}; under {other}, {_people(policy)}."
        ),
        f"{_worth(found, most)}; under {other}, {dollars(policy['publisher_payoff'])}.",
    ]
    if found["withheld"] == 1:
        sentences.append("No record is released at all.")
    elif found["withheld"]:
        sentences.append(f"{capital(share_words(found['withheld']))} are not released at all.")
    if not (summary["search"]["proved"] or kind.limits or kind.aware):
        sentences.append(
            f"The strategies were found by {summary['search']['solver']}, which does not prove that none is better."
        )
    return sentences


def share_words(share: float) -> str:
    """Return a share of the records as a sentence has it."""
    words = {0.0: "no record", 1.0: "every record"}
    return words.get(share) or f"{percent(share)} of the records"


def _worth(measures: Mapping[str, Any], most: str) -> str:
    """Return what a record is worth to the publisher, and what a released one is where not all are."""
    mean, withheld = dollars(measures["publisher_payoff"]), measures["withheld"]
    if withheld == 1:
        return f"A record is worth {mean} to the publisher, since none is released, out of {most} in full detail"
    details = f"the losses to be expected taken off, out of {most} in full detail and without any risk"
    if not withheld:
        return f"A released record is worth {mean} to the publisher on average, {details}"
    of_released = dollars(measures["publisher_payoff"] / (1 - withheld))
    return (
        f"A record is worth {mean} to the publisher on average, withheld ones counted as 0, and a released one "
        f"{of_released}, {details}"
    )


def _people(measures: Mapping[str, Any]) -> str:
    expected = measures["expected_reidentifications"]
    words = number(expected, 1)
    if not expected:
        return "no re-identification"
    return f"fewer than {words[1:]} re-identifications" if words[0] == "<" else f"about {words} re-identifications"


def _are(share: float) -> str:
    return "is" if share in {0, 1} else "are"
