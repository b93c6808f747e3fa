"""Tables of people on a terminal: people identifiable by sex, place and birth, and estimates of uniqueness."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console

from gamedeid.amounts import percent
from gamedeid.catalogue import sentence, sentences
from gamedeid.choices import ESTIMATED_BY, ESTIMATORS, EstimatorName
from gamedeid.pictures.people import BIRTH
from gamedeid.report.terminal.console import print_lines, print_rows
from gamedeid.risk.census.identifiable import Identifiable

if TYPE_CHECKING:
    from gamedeid.risk.uniqueness.estimates import UniquenessEstimates


def print_demographics(found: Identifiable, rate: float | None, to: Console) -> None:
    """Print numbers and shares of identifiable people by age group, by state, and in total."""
    whole = found.as_dict(rate)
    known = f"{found.counts.place}, sex and {BIRTH[found.detail]}"
    to.print(sentence("people.identifiable", {**whole, "known": known, "people": found.total.population}))
    of_group = ("threshold", "places_identifiable", "population", "identifiable")
    groups = (
        (row["name"], *(f"{row[key]:,}" for key in of_group), _share(row["share"])) for row in whole["age_groups"]
    )
    print_rows(("age group", "threshold", "places", "people", "identifiable", "share"), groups, to)
    more = {"patients": "patients", "identified": "identified_patients"} if rate is not None else {}
    states = (
        (
            state,
            *(f"{row[key]:,}" for key in ("places", "population", "identifiable")),
            _share(row["share"]),
            *(f"{row[key]:,.0f}" for key in more.values()),
        )
        for state, row in {**whole["states"], "in all": whole}.items()
    )
    print_rows(("state", "places", "people", "identifiable", "share", *more), states, to)
    inhabited = sum(one.population > 0 for one in found.by_place)
    facts = {**whole, "inhabited": inhabited, "at_most": found.boundary == "at-most"}
    print_lines(sentences("people.places", facts), to)


def _share(share: float | None) -> str:
    """Return the text of a share of people; "-" if there are no people."""
    return "-" if share is None else percent(share)


def print_estimates(estimates: "UniquenessEstimates", to: Console) -> None:
    """Print each estimate in percent and in people, and the reason for a missing one."""
    sizes = {"sample": estimates.sample_size, "population": estimates.population_size}
    to.print(sentence("people.estimated", {**sizes, "fraction": estimates.sampling_fraction}))
    rows = []
    for name in ESTIMATORS:
        share = estimates.estimates[name]
        words = f"{ESTIMATED_BY[name]}: {ESTIMATED_BY[estimates.e1_uses]}" if name == "e1" else ESTIMATED_BY[name]
        shown = ("none", "") if share is None else (percent(share), f"{share * estimates.population_size:,.0f}")
        rows.append((words, *shown))
    print_rows(("estimator", "share", "people"), rows, to)
    for name, reason in estimates.reasons.items():
        to.print(sentence("people.no_estimate", {"estimator": ESTIMATED_BY[name], "reason": reason}))
    print_lines(sentences("people.assumed", {}), to)


def print_study(rows: Sequence[Mapping[str, Any]], truth: float, to: Console) -> None:
    """Print the median relative bias of each estimator at each fraction, and the cases of samples without solution."""
    to.print(sentence("people.studied", {"truth": truth}))
    names: dict[EstimatorName, None] = dict.fromkeys(row["estimator"] for row in rows)
    by_fraction: dict[float, dict[str, Mapping[str, Any]]] = {}
    for row in rows:
        by_fraction.setdefault(row["fraction"], {})[row["estimator"]] = row
    table = []
    for fraction, found in by_fraction.items():
        biases = (found[name]["median_relative_bias"] for name in names)
        table.append((f"{fraction:g}", *("none" if bias is None else f"{bias:+.3f}" for bias in biases)))
    print_rows(("fraction", *(ESTIMATED_BY[name] for name in names)), table, to, left=0)
    for row in rows:
        print_lines(sentences("people.unsolved", {**row, "estimator": ESTIMATED_BY[row["estimator"]]}), to)
