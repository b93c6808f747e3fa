"""What risk and utility come to, in sentences: which uniform policies beat the policy, and what each record gains."""

from collections.abc import Mapping
from typing import Any

from gamedeid.amounts import expectation, joined, percent
from gamedeid.choices import RiskName
from gamedeid.errors import shown
from gamedeid.pictures.words import POLICY_NAMES, capital

RISK_WORDS: dict[RiskName, str] = {
    "adversary": "expected re-identifications",
    "marketer": "expected re-identifications if all are attacked",
    "attacked": "records attacked",
}
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
    policy, unit = _called(content["policy"]["name"]), "person" if "persons" in content["data"] else "record"
    name, measure = content["risk"]["name"], content["risk"]["measure"]
    return [
        _count(content["uniform"], policy, unit),
        _frontier(content["uniform"], policy),
        _at_risk(content, policy, unit),
        _at_information(content, policy, unit),
        *_shape(content["policy"], policy, content["releases"][content["policy"]["name"]][measure], name, unit),
    ]


def _called(policy: str) -> str:
    return POLICY_NAMES.get(policy, f"the policy \u201c{shown(policy)}\u201d")


def _count(uniform: Mapping[str, int], policy: str, unit: str) -> str:
    beat, both, total = uniform["beat_policy"], uniform["beat_policy_on_both"], uniform["policies"]
    whom = "people" if unit == "person" else "records"
    all_of = (
        f"1 uniform policy, which has one strategy for all {whom}"
        if total == 1
        else f"{total:,} uniform policies, each with one strategy for all {whom}"
    )
    if not beat:
        return f"Of {all_of}, none beats {policy}: none is as good on both axes and better in one of them."
    said = f"Of {all_of}, {beat:,} {'beats' if beat == 1 else 'beat'} {policy}"
    if both == beat:
        return f"{said}: with less risk and more information."
    one = f"{beat - both:,} as good in one and better in the other"
    return f"{said}: {both:,} with less risk and more information, {one}." if both else f"{said}: {one}."


def _frontier(uniform: Mapping[str, int], policy: str) -> str:
    front, both = uniform["on_frontier"], uniform["on_frontier_and_beat_policy"]
    said = f"{front:,} {'is' if front == 1 else 'are'} on the uniform frontier: beaten by no other uniform policy"
    among = f"; {both:,} of them {'beats' if both == 1 else 'beat'} {policy}" if both and front > 1 else ""
    equal = uniform["equal_policy"]
    tied = f" {equal:,} {'stands' if equal == 1 else 'stand'} where {policy} does." if equal else ""
    return f"{said}{among}.{tied}"


def _at_risk(content: Mapping[str, Any], policy: str, unit: str) -> str:
    name, measure = content["risk"]["name"], content["risk"]["measure"]
    there, mine = content["at_policy_risk"], content["releases"][content["policy"]["name"]]
    kept = [percent(one["information_kept"]) for one in (mine, there["uniform"], there["record_level"])]
    return (
        f"{capital(policy)} keeps {kept[0]} of the information, at {risk_words(name, mine[measure], unit)}; at no more "
        f"risk the best uniform policy keeps {kept[1]}, and a strategy for each {unit} keeps {kept[2]}."
    )


def _at_information(content: Mapping[str, Any], policy: str, unit: str) -> str:
    name, measure = content["risk"]["name"], content["risk"]["measure"]
    there = content["at_policy_information"]
    uniform, each = (there[how][measure] for how in ("uniform", "record_level"))
    return (
        f"To keep no less information than {policy}, a uniform policy needs {risk_words(name, uniform, unit)}, and a "
        f"strategy for each {unit} {risk_amount(name, each) if each else 'none'}."
    )


def _shape(policy: Mapping[str, Any], words: str, risk: float, name: RiskName, unit: str) -> list[str]:
    """Return why the policy is no uniform one, and that nobody can have less risk than none."""
    said = []
    if not policy["is_uniform"]:
        several = {attribute: levels for attribute, levels in policy["levels"].items() if len(levels) > 1}
        how = "; ".join(
            f"{attribute} at level {joined(map(str, levels), 'or')}, by the value"
            for attribute, levels in several.items()
        )
        because = f": it releases {how}" if how else ", because of values that are missing or differ"
        said.append(f"{capital(words)} is no uniform policy itself{because}.")
    if not risk:
        said.append(f"Nothing can have less risk than {words}, with {risk_words(name, risk, unit)}.")
    return said
