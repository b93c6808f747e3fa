"""Risk and utility on a terminal: the compared releases, and the uniform policies that beat the policy."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from rich.console import Console

from gamedeid.amounts import dollars, number, percent
from gamedeid.analysis.risk_utility import RiskUtility
from gamedeid.catalogue import sentence, sentences
from gamedeid.pictures.risk_utility import risk_utility_words, uniform_words
from gamedeid.pictures.words import policy_words
from gamedeid.report.terminal.console import print_lines, print_rows
from gamedeid.report.terminal.results import print_data
from gamedeid.report.words.measures import MARK, heading_words
from gamedeid.study.warnings import counted_words

MOST_ROWS = 10
"""Most uniform policies that a terminal shows."""


def print_risk_utility(result: RiskUtility, to: Console) -> None:
    """Print the findings, risk and utility of the releases, and the uniform policies that beat the policy."""
    content = result.as_dict()
    to.print(result.study.scenario.title or "Risk and utility")
    print_lines(risk_utility_words(content), to)
    print_data(result.study, to)
    print_rows(("release", *_COLUMNS), ((name, *_measures(place)) for name, place in _releases(content)), to)
    alike = {key: content[key]["uniform"] and uniform_words(content[key]["uniform"]["levels"]) for key in _INSTEAD}
    facts = {**alike, "policy": policy_words(content["policy"]["name"]), "unit": counted_words(content["data"])[1]}
    facts["no_more_risk"] = sentence("frontier.no_more_risk", facts)
    to.print(sentence("frontier.columns", facts))
    _print_better(result, content["policy"]["name"], to)


_COLUMNS = ("kept", "re-identified", "all attacked", "attacked", "payoff")
_INSTEAD = {"at_policy_risk": "AB", "at_policy_information": "CD"}
"""Alternative to the policy -> the letters of its uniform release, and of its release record by record."""


def _releases(content: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the name and the measures of the compared releases; the legend explains the letters."""
    for name, place in content["releases"].items():
        yield heading_words(name), place
    for key, letters in _INSTEAD.items():
        both = zip(letters, (content[key]["uniform"], content[key]["record_level"]), strict=True)
        yield from ((letter, place) for letter, place in both if place is not None)


def _measures(place: Mapping[str, float]) -> tuple[str, ...]:
    return (
        percent(place["information_kept"]),
        number(place["expected_reidentifications"], 1),
        number(place["marketer_reidentifications"], 1),
        percent(place["attacked"]),
        dollars(place["publisher_payoff"]),
    )


def _print_better(result: RiskUtility, policy: str, to: Console) -> None:
    """Print the uniform policies that beat the policy, those on the frontier first, by increasing risk."""
    better = np.flatnonzero(result.beaten.better)
    if not len(better):
        return
    risk = result.uniform.risk(result.risk_name)[better]
    better = better[np.lexsort((better, risk, ~result.on_frontier[better]))]
    names = result.study.instance.hierarchies
    facts = {"policy": policy_words(policy), "left": max(0, len(better) - MOST_ROWS)}
    to.print(sentence("frontier.better", facts))
    rows = []
    for node in better[:MOST_ROWS]:
        levels = map(str, result.study.instance.lattice.levels_of(int(node)))
        kept, *others = _measures(result.uniform.at(int(node)))
        rows.append((*levels, f"{MARK if result.on_frontier[node] else ''}{kept}", *others))
    print_rows((*names, *_COLUMNS), rows, to, left=0)
    print_lines(sentences("frontier.more", facts), to)
