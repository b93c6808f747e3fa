"""The policy and the games side by side over all regions, on a terminal or as plain text in a pipe."""

from rich.console import Console

from gamedeid.amounts import number_of
from gamedeid.analysis.regional_comparison import RegionalComparison
from gamedeid.report.data_words import data_words
from gamedeid.report.terminal.results import policy_does, print_agreement, print_side_by_side, print_warnings
from gamedeid.report.verdict import Verdict


def print_regions(comparison: RegionalComparison, to: Console) -> None:
    """Print the verdict, what was read, and the policy and the games side by side.

    Parameters
    ----------
    comparison : of all regions.
    to : where it is printed.
    """
    said = comparison.as_dict()
    policies, policy, data, divided = said["policies"], said["policy"], said["data"], said["regions"]
    to.print(said["title"] or "Comparison")
    for words in Verdict(
        policies=policies,
        played=policy["name"],
        policy=policy["name"],
        benefit=comparison.study.scenario.payoffs.benefit,
        regional=True,
    ).sentences:
        to.print(words)
    to.print(f"{data_words(data)}; {number_of(divided['count'], 'region')} by {divided['attribute']}")
    print_warnings(said["warnings"], to)
    print_side_by_side(policies, to)
    to.print("Each game is solved exactly: no permitted strategy is better for any record.")
    to.print(policy_does(policy["name"], policy["does"]))
    print_agreement(policy["name"], to)
