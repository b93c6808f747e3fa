"""The measures of risk of a release as rows for people: their words, what they tell, and their numbers."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from operator import getitem
from typing import Any

from rich.console import Console

from gamedeid.amounts import four, number, percent
from gamedeid.report.aware_words import SPREAD, spread_words
from gamedeid.report.question_kind import PLAIN, QuestionKind
from gamedeid.report.terminal.console import new_table, print_table
from gamedeid.reprs import frozen

COLUMNS = ("raw", "policy", "release")
"""What is compared, as keys of the stored risks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """What is known to those whose chances are told, by the population that a record is looked up in.

    Parameters
    ----------
    prosecutor, journalist : what they know, as the end of a sentence.
    whom : the people that a released record may match.
    """

    prosecutor: str
    journalist: str
    whom: str


_KNOWN = "knows that the person is among the records, and in which words that record is released"
KNOWLEDGE = {
    "given": Knowledge(
        prosecutor=_KNOWN,
        journalist="knows the population, but not who of it is among the records",
        whom="the population",
    ),
    "estimated": Knowledge(
        prosecutor=_KNOWN,
        journalist="knows the population, here estimated, but not who of it is among the records",
        whom="the estimated population",
    ),
    "records": Knowledge(
        prosecutor=_KNOWN,
        journalist="knows who is among the records, but not in which words each record is released",
        whom="the records",
    ),
}
"""What is known where a population is given, where it is estimated, and where the records are their own population."""


_AT_LEAST = "How many of these attacks may succeed, if each does so whatever comes of the others."

MATCHED = " (of those matched)"
LEFT_OUT = "Records that match nobody in the population are left out."
"""What is added to names and meanings of measures that such records have none of."""


@frozen
class RiskRow:
    """One measure: its name, what it tells, and a text for each of ``COLUMNS``."""

    name: str
    means: str
    cells: tuple[str, ...]


def risk_rows(risks: Mapping[str, Any], kind: QuestionKind = PLAIN) -> Iterator[RiskRow]:
    """Yield the rows of what :func:`gamedeid.risk.release.release_risks` found.

    Parameters
    ----------
    risks : what it found.
    kind : of the question.
    """
    known = knowledge(risks)
    lacking = any(risks[column]["unmatched"] for column in COLUMNS)

    def row(name: str, means: str, form: Callable[[Any], str], *path: str) -> RiskRow:
        cells = (form(reduce(getitem, path, risks[column])) for column in COLUMNS)
        return RiskRow(name=name, means=means, cells=tuple(cells))

    def of_released(name: str, means: str, form: Callable[[Any], str], *path: str) -> RiskRow:
        """Return a measure of the released records, of which there is none where nothing is released."""
        found = row(name, means, form, *path)
        cells = (
            cell if risks[column]["released"] else "none" for column, cell in zip(COLUMNS, found.cells, strict=True)
        )
        return replace(found, cells=tuple(cells))

    def looked_up(name: str, means: str, form: Callable[[Any], str], *path: str) -> RiskRow:
        """Return a measure of the population, of which records that match nobody have none."""
        if not lacking:
            return of_released(name, means, form, *path)
        found = of_released(f"{name}{MATCHED}", f"{means} {LEFT_OUT}", form, *path)
        cells = (
            "none match" if risks[column]["released"] == risks[column]["unmatched"] > 0 else cell
            for column, cell in zip(COLUMNS, found.cells, strict=True)
        )
        return replace(found, cells=tuple(cells))

    yield row("Records released", "All others are withheld.", _count, "released")
    if lacking:
        yield row(
            "Records that match nobody",
            "Of those released: counted as safe only because the population lacks them.",
            _count,
            "unmatched",
        )
    yield row(
        "k-anonymity", "Records of the release that look alike, at least: the smallest class.", _count, "k_anonymity"
    )
    yield looked_up("k-map", f"People of {known.whom} whom a released record matches, at least.", _count, "k_map")
    for key, knows in (("prosecutor", known.prosecutor), ("journalist", known.journalist)):
        of_adversary = looked_up if key == "journalist" else of_released
        name = f"{key.capitalize()} risk"
        means = f"Greatest chance to name the right person for any record, if the recipient {knows}."
        yield of_adversary(f"{name}: highest", means, four, key, "highest")
        means = "The same on average: the share to be re-identified if everybody is attacked (marketer risk)."
        yield of_adversary(f"{name}: mean", means, four, key, "mean")
        for threshold in risks["release"][key]["above"]:
            means = f"Share of the released records whose chance is greater than {threshold}."
            yield of_adversary(f"{name} above {threshold}", means, percent, key, "above", threshold)
    yield looked_up(
        "Re-identified, if all are attacked",
        f"Expected re-identifications if one attacks every released record, at any cost, who {known.journalist}.",
        _one_digit,
        *("marketer", "journalist", "reidentifications"),
    )
    yield looked_up(f"... {SPREAD}", _AT_LEAST, spread_words, "spread_if_all")
    yield looked_up(
        "Re-identified, if attacks must pay",
        _if_attacks_pay(kind),
        _one_digit,
        "expected_reidentifications",
    )
    yield looked_up(f"... {SPREAD}", _AT_LEAST, spread_words, "spread")
    for most in risks["release"]["distinct"]:
        who = "one person" if most == "1" else f"{most} people or fewer"
        means = f"Share of the released records that match {who} of {known.whom} ({most}-distinct)."
        yield looked_up(f"Match {who}", means, percent, "distinct", most)
    yield looked_up(
        "Of unique records, those that match one person",
        f"Of the records whose released words no other record has, those that only one person of {known.whom} matches.",
        _of_unique,
        "uniqueness",
    )


def _if_attacks_pay(kind: QuestionKind) -> str:
    """Return whose attacks that pay are counted."""
    if kind.recipients:
        return "Expected re-identifications if each recipient of the scenario makes only attacks that pay her."
    if kind.aware:
        return (
            "Expected re-identifications if the same recipient, who does not know how the release was made, makes only "
            "attacks that pay."
        )
    return "Expected re-identifications if the same recipient makes only attacks that pay: the adversary of the game."


def knowledge(risks: Mapping[str, Any]) -> Knowledge:
    """Return what is known to those whose chances a release's risks are."""
    if risks["population_is_the_records"]:
        return KNOWLEDGE["records"]
    return KNOWLEDGE["estimated" if risks["population_is_estimated"] else "given"]


def print_risks(risks: Mapping[str, Any], to: Console) -> None:
    """Print the measures side by side: the raw data, the policy, the release."""
    table = new_table("measure", *(risks[column]["name"] for column in COLUMNS))
    for one in risk_rows(risks):
        table.add_row(one.name, *one.cells)
    print_table(table, to)


def _count(value: int | None) -> str:
    return "none" if value is None else f"{value:,}"


def _one_digit(value: float) -> str:
    return number(value, 1)


def _of_unique(found: Mapping[str, Any]) -> str:
    if not found["unique"]:
        return "none unique"
    return f"{found['unique_in_population']:,} of {found['unique']:,} ({percent(found['lambda_1'])})"
