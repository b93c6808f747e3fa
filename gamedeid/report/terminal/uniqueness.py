"""Estimates of uniqueness, and how good they are, as tables on a terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console

from gamedeid.amounts import percent
from gamedeid.catalogue import sentence, sentences
from gamedeid.choices import ESTIMATED_BY, ESTIMATORS, EstimatorName
from gamedeid.report.terminal.console import new_table, print_table
from gamedeid.risk.uniqueness.estimates import UniquenessEstimates


def print_estimates(estimates: UniquenessEstimates, to: Console) -> None:
    """Print what each estimator says, in percent and in people, and why one says nothing."""
    sizes = {"sample": estimates.sample_size, "population": estimates.population_size}
    to.print(sentence("people.estimated", {**sizes, "fraction": estimates.sampling_fraction}))
    table = new_table("estimator", "share", "people")
    for name in ESTIMATORS:
        share = estimates.estimates[name]
        words = f"{ESTIMATED_BY[name]}: {ESTIMATED_BY[estimates.e1_uses]}" if name == "e1" else ESTIMATED_BY[name]
        shown = ("none", "") if share is None else (percent(share), f"{share * estimates.population_size:,.0f}")
        table.add_row(words, *shown)
    print_table(table, to)
    for name, reason in estimates.reasons.items():
        to.print(sentence("people.no_estimate", {"estimator": ESTIMATED_BY[name], "reason": reason}))


def print_study(rows: Sequence[Mapping[str, Any]], truth: float, to: Console) -> None:
    """Print the median relative bias of each estimator at each fraction, and where some samples had no solution."""
    to.print(sentence("people.studied", {"truth": truth}))
    names: dict[EstimatorName, None] = dict.fromkeys(row["estimator"] for row in rows)
    table = new_table("fraction", *(ESTIMATED_BY[name] for name in names), left=0)
    by_fraction: dict[float, dict[str, Mapping[str, Any]]] = {}
    for row in rows:
        by_fraction.setdefault(row["fraction"], {})[row["estimator"]] = row
    for fraction, found in by_fraction.items():
        biases = (found[name]["median_relative_bias"] for name in names)
        table.add_row(f"{fraction:g}", *("none" if bias is None else f"{bias:+.3f}" for bias in biases))
    print_table(table, to)
    for row in rows:
        facts = {**row, "estimator": ESTIMATED_BY[row["estimator"]]}
        for words in sentences("people.unsolved", facts):
            to.print(words)
