"""Distinctness measures of risk in words and tables."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console

from gamedeid.amounts import number, number_of, percent, plural
from gamedeid.catalogue import sentence, sentences
from gamedeid.report.terminal.console import print_lines, print_rows
from gamedeid.report.terminal.results import print_agreement, print_warnings
from gamedeid.risk.distinct import TOTAL

DIGITS = 4
"""Decimals of the percentages of these measures, which are small."""


def distinct_words(size: int) -> str:
    """Return the meaning of g-distinct for a size."""
    return "one of a kind (1-distinct)" if size == 1 else f"among at most {size:,} alike ({size:,}-distinct)"


def price_words(price: float | None) -> str:
    """Return the price per re-identification as a sentence; None if no re-identification is expected."""
    return sentence("distinct.price", {"at_risk": price is not None, "price": price})


def print_distinct(summary: Mapping[str, Any], title: str, unit: str, to: Console) -> None:
    """Print the plain values of :func:`distinct_summary` in words; a record is a ``unit``, a record or a person."""
    of_population = summary["released"] == "population"
    facts = {**summary, "title": title, "of_population": of_population, "counted": number_of(summary["people"], unit)}
    to.print(sentence("distinct.released", facts))
    print_warnings(summary["warnings"], to)
    columns = ["measure", "people" if of_population else plural(unit), "share"]
    against = summary.get("against")
    if against is not None:
        columns += [against["policy"], "share", "trust differential"]
    rows = []
    for key in (*summary["distinct"], TOTAL):
        words = "expected re-identifications (total risk)" if key == TOTAL else distinct_words(int(key))
        cells = _cells(summary, key)
        if against is not None:
            ratio = against["trust_differential"][key]
            cells += [*_cells(against, key), "no risk" if ratio is None else number(ratio, 2)]
        rows.append((words, *cells))
    print_rows(columns, rows, to)
    print_lines(sentences("distinct.unmatched", summary), to)
    if against is not None:
        unequal = against["unmatched"] != summary["unmatched"]
        print_lines(sentences("distinct.against", {**against, "unequal": unequal, "whose": columns[1]}), to)
    if "price_per_reidentification" in summary:
        to.print(price_words(summary["price_per_reidentification"]))
    if "by" in summary:
        _print_groups(summary["by"], list(summary["distinct"]), columns[1], to)
    print_agreement(summary["policy"], to)


def _cells(measures: Mapping[str, Any], key: str) -> list[str]:
    people = measures[TOTAL] if key == TOTAL else measures["distinct"][key]
    share = measures["total_risk_share"] if key == TOTAL else measures["share"][key]
    return [_number(people), _share(measures, share)]


def _share(measures: Mapping[str, Any], share: float) -> str:
    """Return the text of a share of the people who match someone."""
    return "none match" if 0 < measures["people"] == measures["unmatched"] else percent(share, DIGITS)


def _number(value: float) -> str:
    return number(value, 2).removesuffix(".00")


def _print_groups(by: Mapping[str, Any], sizes: Sequence[str], whose: str, to: Console) -> None:
    distinct = (f"{int(size):,}-distinct" for size in sizes)
    rows = (
        (row["group"], f"{row['people']:,}", *(_share(row, row["share"][size]) for size in sizes), _number(row[TOTAL]))
        for row in by["groups"]
    )
    print_rows((f"{by['attribute']} (level {by['level']})", whose, *distinct, "total risk"), rows, to)
