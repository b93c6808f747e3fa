"""Risk and utility in sentences: uniform policies that beat the policy, and the gain of a strategy for each record."""

from collections.abc import Mapping
from typing import Any

from gamedeid.amounts import expectation, joined, percent
from gamedeid.catalogue import catalogue, sentence, sentences
from gamedeid.choices import RiskName
from gamedeid.pictures.words import capital, policy_words

RISK_WORDS: Mapping[RiskName, str] = catalogue("frontier")["risks"]
"""What each risk is called."""


def risk_amount(name: RiskName, value: float) -> str:
    """Return a risk, without its words.

    Examples
    --------
    >>> risk_amount("adversary", 48.104), risk_amount("marketer", 0.0), risk_amount("attacked", 0.0256)
    ('48.1', 'no', '2.56%')
    """
    if name == "attacked":
        return percent(value)
    return expectation(value, "no")


def risk_words(name: RiskName, value: float, unit: str = "record") -> str:
    """Return a risk in words.

    Parameters
    ----------
    name : which risk.
    value : a number of re-identifications, or a share of the records.
    unit : what is counted, "record" or "person".

    Examples
    --------
    >>> risk_words("adversary", 48.104), risk_words("attacked", 0.0256)
    ('48.1 expected re-identifications', '2.56% of records attacked')
    """
    if name == "attacked":
        return f"{percent(value)} of {'people' if unit == 'person' else 'records'} attacked"
    if not value:
        return RISK_WORDS[name].replace("expected re-identifications", "no expected re-identification")
    return f"{risk_amount(name, value)} {RISK_WORDS[name]}"


def uniform_words(levels: Mapping[str, int]) -> str:
    """Return the strategy of a uniform policy.

    Examples
    --------
    >>> uniform_words({"age": 1, "zip": 0})
    'age 1, zip 0'
    """
    return ", ".join(f"{name} {level}" for name, level in levels.items())


def risk_utility_words(content: Mapping[str, Any]) -> list[str]:
    """Return what ``gamedeid frontier`` has found; the first sentence answers the question.

    Parameters
    ----------
    content : what ``frontier.json`` holds.
    """
    uniform, asked = content["uniform"], content["policy"]
    name, measure = content["risk"]["name"], content["risk"]["measure"]
    unit = "person" if "persons" in content["data"] else "record"
    policy = policy_words(asked["name"])
    mine = content["releases"][asked["name"]]
    risks, information = content["at_policy_risk"], content["at_policy_information"]
    each = information["record_level"][measure]
    several = "; ".join(
        f"{attribute} at level {joined(map(str, levels), 'or')}"
        for attribute, levels in asked["levels"].items()
        if len(levels) > 1
    )
    facts = {
        **uniform,
        "single": uniform["policies"] == 1,
        "beat_on_both": uniform["beat_policy_on_both"],
        "beat_on_one": uniform["beat_policy"] - uniform["beat_policy_on_both"],
        "front_beats": uniform["on_frontier"] > 1 and uniform["on_frontier_and_beat_policy"],
        "policy": policy,
        "the_policy": capital(policy),
        "unit": unit,
        "people": "people" if unit == "person" else "records",
        "kept": mine["information_kept"],
        "uniform_kept": risks["uniform"]["information_kept"],
        "each_kept": risks["record_level"]["information_kept"],
        "risk": risk_words(name, mine[measure], unit),
        "uniform_risk": risk_words(name, information["uniform"][measure], unit),
        "each_risk": risk_amount(name, each) if each else "none",
        "is_uniform": asked["is_uniform"],
        "several": several if not asked["is_uniform"] else "",
        "no_risk": not mine[measure],
    }
    facts["beating"] = sentence("frontier.beating", facts)
    return sentences("frontier.findings", facts)
