"""Risk and utility on a terminal: what stands where, and the uniform policies that beat the policy."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from rich.console import Console

from gamedeid.amounts import dollars, number, percent
from gamedeid.analysis.risk_utility import RiskUtility
from gamedeid.catalogue import sentence, sentences
from gamedeid.pictures.risk_utility_words import risk_utility_words, uniform_words
from gamedeid.pictures.words import policy_words
from gamedeid.report.terminal.console import new_table, print_table
from gamedeid.report.terminal.results import print_warnings
from gamedeid.report.words.data import data_words
from gamedeid.report.words.names import heading_words
from gamedeid.study.warnings import as_values, counted, data_warnings

MOST_ROWS = 10
"""Uniform policies that a terminal shows."""


def print_risk_utility(result: RiskUtility, to: Console) -> None:
    """Print the findings, risk and utility of the releases, and the uniform policies that beat the policy."""
    content = result.as_dict()
    to.print(result.study.scenario.title or "Risk and utility")
    for words in risk_utility_words(content):
        to.print(words)
    to.print(data_words(content["data"]))
    print_warnings(as_values(data_warnings(content["data"])), to)
    table = new_table("release", "information kept", "re-identified", "if all attacked", "attacked", "payoff")
    for name, place in _releases(content):
        table.add_row(name, *_measures(place))
    print_table(table, to)
    to.print(sentence("frontier.columns", {"policy": policy_words(content["policy"]["name"])}))
    _print_better(result, content["policy"]["name"], to)


def _releases(content: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield name and place of the releases that a reader compares."""
    for name, place in content["releases"].items():
        yield heading_words(name), place
    for key, words in (("at_policy_risk", "no more risk"), ("at_policy_information", "as much information")):
        uniform, each = content[key]["uniform"], content[key]["record_level"]
        yield f"{words}: uniform, {uniform_words(uniform['levels'])}", uniform
        yield f"{words}: one for each {counted(content['data'])[1]}", each


def _measures(place: Mapping[str, float]) -> tuple[str, ...]:
    return (
        percent(place["information_kept"]),
        number(place["expected_reidentifications"], 1),
        number(place["marketer_reidentifications"], 1),
        percent(place["attacked"]),
        dollars(place["publisher_payoff"]),
    )


def _print_better(result: RiskUtility, policy: str, to: Console) -> None:
    """Print the uniform policies that beat the policy, those on the frontier first, by rising risk."""
    better = np.flatnonzero(result.beaten.better)
    if not len(better):
        return
    risk = result.uniform.risk(result.risk_name)[better]
    better = better[np.lexsort((better, risk, ~result.on_frontier[better]))]
    names = result.study.instance.hierarchies
    facts = {"policy": policy_words(policy), "left": max(0, len(better) - MOST_ROWS)}
    to.print(sentence("frontier.better", facts))
    head = ("information kept", "re-identified", "if all attacked", "attacked", "payoff", "on the frontier")
    table = new_table(*names, *head, left=0)
    for node in better[:MOST_ROWS]:
        levels = map(str, result.study.instance.lattice.levels_of(int(node)))
        table.add_row(*levels, *_measures(result.uniform.at(int(node))), "yes" if result.on_frontier[node] else "")
    print_table(table, to)
    for words in sentences("frontier.more", facts):
        to.print(words)
