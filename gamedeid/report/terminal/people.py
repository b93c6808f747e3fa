"""Tables of people on a terminal: people identifiable by sex, place and birth, and estimates of uniqueness."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console

from gamedeid.amounts import percent
from gamedeid.catalogue import sentence, sentences
from gamedeid.choices import ESTIMATED_BY, ESTIMATORS, EstimatorName
from gamedeid.pictures.people import BIRTH
from gamedeid.report.terminal.console import new_table, print_lines, print_table
from gamedeid.risk.census.identifiable import Identifiable

if TYPE_CHECKING:
    from gamedeid.risk.uniqueness.estimates import UniquenessEstimates


def print_demographics(found: Identifiable, rate: float | None, to: Console) -> None:
    """Print numbers and shares of identifiable people by age group, by state, and in total."""
    whole = found.as_dict(rate)
    known = f"{found.counts.place}, sex and {BIRTH[found.detail]}"
    to.print(sentence("people.identifiable", {**whole, "known": known, "people": found.total.population}))
    groups = new_table("age group", "threshold", "places", "people", "identifiable", "share")
    for row in whole["age_groups"]:
        of_group = (row["threshold"], row["places_identifiable"], row["population"], row["identifiable"])
        groups.add_row(row["name"], *(f"{number:,}" for number in of_group), _share(row["share"]))
    print_table(groups, to)
    more = ("patients", "identified") if rate is not None else ()
    states = new_table("state", "places", "people", "identifiable", "share", *more)
    for state, row in {**whole["states"], "in all": whole}.items():
        of_state = (row["places"], row["population"], row["identifiable"])
        patients = (row["patients"], row["identified_patients"]) if rate is not None else ()
        states.add_row(
            state,
            *(f"{number:,}" for number in of_state),
            _share(row["share"]),
            *(f"{number:,.0f}" for number in patients),
        )
    print_table(states, to)
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
    table = new_table("estimator", "share", "people")
    for name in ESTIMATORS:
        share = estimates.estimates[name]
        words = f"{ESTIMATED_BY[name]}: {ESTIMATED_BY[estimates.e1_uses]}" if name == "e1" else ESTIMATED_BY[name]
        shown = ("none", "") if share is None else (percent(share), f"{share * estimates.population_size:,.0f}")
        table.add_row(words, *shown)
    print_table(table, to)
    for name, reason in estimates.reasons.items():
        to.print(sentence("people.no_estimate", {"estimator": ESTIMATED_BY[name], "reason": reason}))
    print_lines(sentences("people.assumed", {}), to)


def print_study(rows: Sequence[Mapping[str, Any]], truth: float, to: Console) -> None:
    """Print the median relative bias of each estimator at each fraction, and the cases of samples without solution."""
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
        print_lines(sentences("people.unsolved", {**row, "estimator": ESTIMATED_BY[row["estimator"]]}), to)
