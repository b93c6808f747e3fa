"""Risk by the measures of the literature, and the diversity of kept columns: names, meanings and numbers."""

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from operator import getitem
from typing import Any

from gamedeid.amounts import four, number, number_of, percent
from gamedeid.report.question_kind import PLAIN, QuestionKind
from gamedeid.report.words.catalogue import sentence, sentences
from gamedeid.report.words.names import SPREAD, spread_words
from gamedeid.reprs import frozen

COLUMNS = ("raw", "policy", "release")
"""The releases that are compared, as keys of the stored risks."""

DIVERSITY_COLUMNS = (
    "kept column",
    "values",
    "distinct l-diversity",
    "entropy l-diversity",
    "t-closeness",
    "disclosed by the class",
)
"""Columns of the table of kept columns."""


@frozen
class Knowledge:
    """The knowledge of the adversaries of the literature, by the population that a record is looked up in.

    Parameters
    ----------
    prosecutor, journalist : the end of a sentence.
    whom : the people that a released record may match.
    """

    prosecutor: str
    journalist: str
    whom: str


_PROSECUTOR = "knows that the person is among the records, and the released values of that record"
KNOWLEDGE = {
    "given": Knowledge(
        prosecutor=_PROSECUTOR,
        journalist="knows the population, but not which of its people are among the records",
        whom="the population",
    ),
    "estimated": Knowledge(
        prosecutor=_PROSECUTOR,
        journalist="knows the population, here estimated, but not which of its people are among the records",
        whom="the estimated population",
    ),
    "records": Knowledge(
        prosecutor=_PROSECUTOR,
        journalist="knows the people of the records, but not the released values of each record",
        whom="the records",
    ),
}
"""Their knowledge where a population is given, estimated, or the records themselves."""


def knowledge(risks: Mapping[str, Any]) -> Knowledge:
    """Return the knowledge of the adversaries of a release's risks."""
    if risks["population_is_the_records"]:
        return KNOWLEDGE["records"]
    return KNOWLEDGE["estimated" if risks["population_is_estimated"] else "given"]


@frozen
class RiskRow:
    """One measure: its name, its meaning, and a text for each of ``COLUMNS``."""

    name: str
    means: str
    cells: tuple[str, ...]


_AT_LEAST = "Number of these attacks that may succeed, if each succeeds independently of the others."
_MATCHED, _LEFT_OUT = " (of those matched)", "Records that match no one in the population are left out."


def risk_rows(risks: Mapping[str, Any], kind: QuestionKind = PLAIN) -> Iterator[RiskRow]:
    """Yield the rows of the risks of a release.

    Parameters
    ----------
    risks : as :func:`gamedeid.risk.release.release_risks` returns them.
    kind : of the question.
    """
    known = knowledge(risks)
    paying = sentence("risks.paying", {"recipients": kind.recipients, "aware": kind.aware})
    lacking = any(risks[column]["unmatched"] for column in COLUMNS)

    def row(name: str, means: str, form: Callable[[Any], str], *path: str) -> RiskRow:
        cells = (form(reduce(getitem, path, risks[column])) for column in COLUMNS)
        return RiskRow(name=name, means=means, cells=tuple(cells))

    def of_released(name: str, means: str, form: Callable[[Any], str], *path: str) -> RiskRow:
        """Return a measure of the released records, of which there is none where nothing is released."""
        cells = zip(COLUMNS, row(name, means, form, *path).cells, strict=True)
        shown = (cell if risks[column]["released"] else "none" for column, cell in cells)
        return RiskRow(name=name, means=means, cells=tuple(shown))

    def of_population(name: str, means: str, form: Callable[[Any], str], *path: str) -> RiskRow:
        """Return a measure of the population, which records that match no one do not have."""
        found = of_released(name, means, form, *path)
        if not lacking:
            return found
        cells = (
            "none match" if risks[column]["released"] == risks[column]["unmatched"] > 0 else cell
            for column, cell in zip(COLUMNS, found.cells, strict=True)
        )
        return RiskRow(name=f"{name}{_MATCHED}", means=f"{means} {_LEFT_OUT}", cells=tuple(cells))

    yield row("Records released", "All others are withheld.", _count, "released")
    if lacking:
        means = "Of those released: counted as safe only because the population lacks them."
        yield row("Records that match no one", means, _count, "unmatched")
    yield row(
        "k-anonymity", "Size of the smallest equivalence class of the release, in records.", _count, "k_anonymity"
    )
    yield of_population("k-map", f"People of {known.whom} who match a released record, at least.", _count, "k_map")
    for key, knows in (("prosecutor", known.prosecutor), ("journalist", known.journalist)):
        of_adversary = of_population if key == "journalist" else of_released
        name = f"{key.capitalize()} risk"
        means = f"Greatest chance to name the right person for any record, if the recipient {knows}."
        yield of_adversary(f"{name}: highest", means, four, key, "highest")
        means = "The same on average: the share re-identified if every record is attacked (marketer risk)."
        yield of_adversary(f"{name}: mean", means, four, key, "mean")
        for threshold in risks["release"][key]["above"]:
            means = f"Share of the released records whose chance is greater than {threshold}."
            yield of_adversary(f"{name} above {threshold}", means, percent, key, "above", threshold)
    yield of_population(
        "Re-identified, if all are attacked",
        "Expected re-identifications by a recipient who attacks every released record, at any cost, and "
        f"{known.journalist}.",
        _one_digit,
        *("marketer", "journalist", "reidentifications"),
    )
    yield of_population(f"... {SPREAD}", _AT_LEAST, spread_words, "spread_if_all")
    yield of_population(
        "Re-identified, if attacks must pay",
        paying,
        _one_digit,
        "expected_reidentifications",
    )
    yield of_population(f"... {SPREAD}", _AT_LEAST, spread_words, "spread")
    for most in risks["release"]["distinct"]:
        who = "one person" if most == "1" else f"{most} people or fewer"
        means = f"Share of the released records that match {who} of {known.whom} ({most}-distinct)."
        yield of_population(f"Match {who}", means, percent, "distinct", most)
    yield of_population(
        "Of unique records, those that match one person",
        f"Of the records alone in their equivalence class, those that match only one person of {known.whom}.",
        _of_unique,
        "uniqueness",
    )


def _count(value: int | None) -> str:
    return "none" if value is None else f"{value:,}"


def _one_digit(value: float) -> str:
    return number(value, 1)


def _of_unique(found: Mapping[str, Any]) -> str:
    if not found["unique"]:
        return "none unique"
    return f"{found['unique_in_population']:,} of {found['unique']:,} ({percent(found['lambda_1'])})"


def diversity_words(found: Mapping[str, Any], records: int, *, of_people: bool = False) -> list[str]:
    """Return the sentences above the table of kept columns; none where no column is kept.

    Parameters
    ----------
    found : ``kept_diversity`` of :func:`gamedeid.risk.release.release_risks`.
    records : how many there are.
    of_people : whether several of them may be of one person.
    """
    rows, noun = found["rows_looked_at"], "row" if of_people else "record"
    of = "" if rows in {None, records} else f" of the first {number_of(rows, noun)}"
    facts = {
        "unmeasured": rows is None,
        "measured": rows is not None and found["columns"],
        "of_people": of_people,
        "released": f"{number_of(found['released'], f'released {noun}')}{of}",
        "classes": number_of(found["classes"], "class"),
    }
    return sentences("risks.diversity", facts)


def diversity_rows(found: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield a text for each of ``DIVERSITY_COLUMNS``, for each kept column.

    Parameters
    ----------
    found : as for :func:`diversity_words`.
    """
    for one in found["columns"]:
        yield (
            one["column"],
            f"{one['values']:,}",
            f"{one['distinct']:,}",
            f"{one['entropy']:.2f}",
            f"{four(one['closeness'])} ({one['distance']})",
            f"{one['alone']:,} ({percent(one['alone'] / found['released'])})",
        )
