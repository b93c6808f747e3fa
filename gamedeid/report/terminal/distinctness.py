"""Distinctness measures of risk in words and tables for people, and as plain values for machines."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from types import EllipsisType
from typing import Any

from rich.console import Console

from gamedeid.amounts import number, number_of, percent
from gamedeid.catalogue import sentence, sentences
from gamedeid.report.terminal.console import new_table, print_lines, print_table
from gamedeid.report.terminal.results import print_agreement, print_warnings
from gamedeid.reprs import frozen
from gamedeid.results.manifest import ResultWarning
from gamedeid.results.result import Count, Dollars, Level, Mean, Result, Share, Text
from gamedeid.risk.bins import price_per_reidentification, trust_differential
from gamedeid.risk.matches import Exposure, Whose

TOTAL = "total_risk"

DIGITS = 4
"""Decimals of the percentages of these measures, which are small."""


@frozen
class ExposureFacts(Result):
    """The numbers of distinct people in a release.

    Parameters
    ----------
    people, unmatched : number of released people, and of those who match no one.
    distinct, share : group size -> number of people whom at most so many match, and their share of those matched.
    total_risk, total_risk_share : expected re-identifications, in total and per person matched.
    """

    people: Count
    unmatched: Count
    distinct: Mapping[str, Mean]
    share: Mapping[str, Share]
    total_risk: Mean
    total_risk_share: Share


@frozen
class AgainstFacts(ExposureFacts):
    """The facts under another policy, and the ratios of the two policies' numbers."""

    keys = ("policy", *(one.name for one in fields(ExposureFacts)), "trust_differential")

    policy: Text
    trust_differential: Mapping[str, Mean | None]


@frozen
class GroupFacts(ExposureFacts):
    """The facts of one group."""

    keys = ("group", *(one.name for one in fields(ExposureFacts)))

    group: Text


@frozen
class GroupsFacts(Result):
    """The groups of an attribute at a level."""

    attribute: Text
    level: Level
    groups: tuple[GroupFacts, ...]


@frozen
class DistinctFacts(ExposureFacts):
    """The document that ``gamedeid risk distinct --json`` prints."""

    document = "distinct"
    keys = (
        *("policy", "attacker", "released", "population_levels", *(one.name for one in fields(ExposureFacts))),
        *("against?", "list_price?", "price_per_reidentification?", "by?", "warnings"),
    )

    policy: Text
    attacker: Text
    released: Whose
    population_levels: Mapping[str, Level]
    against: AgainstFacts | None = None
    list_price: Dollars | None = None
    price_per_reidentification: Dollars | EllipsisType | None = ...
    by: GroupsFacts | None = None
    warnings: tuple[ResultWarning, ...] = ()


def distinct_words(size: int) -> str:
    """Return the meaning of g-distinct for a size."""
    return "one of a kind (1-distinct)" if size == 1 else f"among at most {size:,} alike ({size:,}-distinct)"


def price_words(price: float | None) -> str:
    """Return the price per re-identification as a sentence; None if no re-identification is expected."""
    return sentence("distinct.price", {"at_risk": price is not None, "price": price})


def distinct_summary(
    found: Exposure,
    sizes: Sequence[int],
    *,
    against: Exposure | None,
    by: tuple[str, int, Mapping[str, Exposure]] | None,
    list_price: float | None,
    warnings: Sequence[ResultWarning],
) -> DistinctFacts:
    """Return the facts for ``gamedeid risk distinct``; the list price, in dollars, is above 0."""
    compared = grouped = None
    if against is not None:
        ratios = {str(g): trust_differential(found.distinct(g), against.distinct(g)) for g in sizes}
        ratios[TOTAL] = trust_differential(found.total_risk, against.total_risk)
        compared = AgainstFacts(policy=against.policy, trust_differential=ratios, **_measures(against, sizes))
    if by is not None:
        attribute, level, groups = by
        rows = tuple(GroupFacts(group=label, **_measures(part, sizes)) for label, part in groups.items())
        grouped = GroupsFacts(attribute=attribute, level=level, groups=rows)
    return DistinctFacts(
        policy=found.policy,
        attacker=found.attacker,
        released=found.whose,
        population_levels=found.known,
        **_measures(found, sizes),
        against=compared,
        list_price=list_price,
        price_per_reidentification=...
        if list_price is None
        else price_per_reidentification(list_price, found.total_risk),
        by=grouped,
        warnings=tuple(warnings),
    )


def print_distinct(summary: Mapping[str, Any], title: str, unit: str, to: Console) -> None:
    """Print the plain values of :func:`distinct_summary` in words; a record is a ``unit``, a record or a person."""
    of_population = summary["released"] == "population"
    facts = {**summary, "title": title, "of_population": of_population, "counted": number_of(summary["people"], unit)}
    to.print(sentence("distinct.released", facts))
    print_warnings(summary["warnings"], to)
    columns = ["measure", "people" if of_population or unit == "person" else "records", "share"]
    against = summary.get("against")
    if against is not None:
        columns += [against["policy"], "share", "trust differential"]
    table = new_table(*columns)
    for key in (*summary["distinct"], TOTAL):
        words = "expected re-identifications (total risk)" if key == TOTAL else distinct_words(int(key))
        cells = _cells(summary, key)
        if against is not None:
            ratio = against["trust_differential"][key]
            cells += [*_cells(against, key), "no risk" if ratio is None else number(ratio, 2)]
        table.add_row(words, *cells)
    print_table(table, to)
    print_lines(sentences("distinct.unmatched", summary), to)
    if against is not None:
        unequal = against["unmatched"] != summary["unmatched"]
        print_lines(sentences("distinct.against", {**against, "unequal": unequal, "whose": columns[1]}), to)
    if "price_per_reidentification" in summary:
        to.print(price_words(summary["price_per_reidentification"]))
    if "by" in summary:
        _print_groups(summary["by"], list(summary["distinct"]), columns[1], to)
    print_agreement(summary["policy"], to)


def _measures(found: Exposure, sizes: Sequence[int]) -> dict[str, Any]:
    matched = found.released - found.unmatched
    distinct = {str(g): found.distinct(g) for g in sizes}
    return {
        "people": found.released,
        "unmatched": found.unmatched,
        "distinct": distinct,
        "share": {size: people / matched if matched else 0.0 for size, people in distinct.items()},
        TOTAL: found.total_risk,
        "total_risk_share": found.total_risk / matched if matched else 0.0,
    }


def _cells(measures: Mapping[str, Any], key: str) -> list[str]:
    people = measures[TOTAL] if key == TOTAL else measures["distinct"][key]
    share = measures["total_risk_share"] if key == TOTAL else measures["share"][key]
    return [_number(people), percent(share, DIGITS)]


def _number(value: float) -> str:
    return number(value, 2).removesuffix(".00")


def _print_groups(by: Mapping[str, Any], sizes: Sequence[str], whose: str, to: Console) -> None:
    distinct = (f"{int(size):,}-distinct" for size in sizes)
    table = new_table(f"{by['attribute']} (level {by['level']})", whose, *distinct, "total risk")
    for row in by["groups"]:
        shares = [percent(row["share"][size], DIGITS) for size in sizes]
        table.add_row(row["group"], f"{row['people']:,}", *shares, _number(row[TOTAL]))
    print_table(table, to)
