"""What the page shows of strategies, games and measures, as texts."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gamedeid.amounts import dollars, number_of, percent
from gamedeid.pictures.words import capital
from gamedeid.report.html.measure_words import meaning
from gamedeid.report.limit_words import COLUMNS as LIMIT_COLUMNS
from gamedeid.report.limit_words import limit_notes, limit_rows, proof_words
from gamedeid.report.mechanism_words import UNVERIFIED, mechanism_words, planned_words
from gamedeid.report.policy_words import heading_words
from gamedeid.report.question_kind import QuestionKind, kind_of
from gamedeid.report.recipient_words import (
    OUTCOME_COLUMNS,
    OUTCOME_NOTE,
    STAKE_COLUMNS,
    outcome_rows,
    stake_rows,
)
from gamedeid.report.release_risks import COLUMNS
from gamedeid.report.terminal.results import measure_rows
from gamedeid.scenario.recipients import Recipient

LEAST_BAR = 0.01
"""Share from which a bar is drawn beside it; a shorter one would be a speck."""

_SOLVERS = {
    "exact": "an exact search",
    "backward-induction": "looking at every strategy (backward induction)",
    "lattice-search": "a quick search that may miss it (lattice search)",
    "bounded-suboptimal": "a search that comes within 5% of the benefit of it (bounded-suboptimal)",
    "groups": "opening groups greedily, by prices of people and by local search (groups)",
}


def strategy_view(row: Mapping[str, Any], attributes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return one strategy: its level of each attribute, and the share of the records that have it."""
    cells = []
    for attribute in attributes:
        level, levels = row["levels"][attribute["name"]], attribute["levels"]
        cells.append({"level": level, "top": level == len(levels) - 1, "example": levels[level]["example"]})
    share = row["share"]
    bar = f"{100 * share:.1f}" if share >= LEAST_BAR else None
    return {"cells": cells, "records": f"{row['records']:,}", "share": percent(share), "bar": bar}


def search_view(summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return how the strategies were found, and whether they are proved to be the best."""
    search, kind = summary["search"], kind_of(summary)
    if kind.limits:
        limits = summary["limits"]
        return {
            "search": f"The strategies keep to the limits, and {proof_words(limits)}; {search['searched']:.2f} of "
            f"{number_of(summary['data']['strategies'], 'strategy')} could matter for a record on average.",
            "solver": _SOLVERS[search["solver"]],
            "proved": search["proved"],
            "method": f"Strategies were chosen for all records together, within the limits, and {proof_words(limits)}.",
        }
    said = "It is proved" if search["proved"] else "It is not proved"
    if kind.aware:
        return {
            "search": f"{said} that no other groups pay over 0.01% more; the verdict has the bound.",
            "solver": _SOLVERS[search["solver"]],
            "proved": search["proved"],
            "method": f"The strategies of the population were looked for by {_SOLVERS[search['solver']]}.",
        }
    looked = f"{search['searched']:.2f} of {number_of(summary['data']['strategies'], 'strategy')} were looked at"
    return {
        "search": f"{said} that no permitted strategy is better for any record; {looked} for a record on average.",
        "solver": _SOLVERS[search["solver"]],
        "proved": search["proved"],
        "method": None,
    }


def column_view(row: Mapping[str, Any], played: str) -> dict[str, Any]:
    """Return the head of the column of a game or policy."""
    return {"heading": heading_words(row["policy"]), "played": row["policy"] == played}


def measures_view(policies: Mapping[str, Mapping[str, Any]], kind: QuestionKind) -> Iterator[dict[str, Any]]:
    """Yield each measure as a row: name, meaning, a cell for each game or policy, and which are the best."""
    for key, words, cells, best in measure_rows(policies):
        name = words.replace("'", "\u2019")
        name = name.replace("... over", "the same over") if key else name.removeprefix("... ")
        yield {"name": capital(name), "means": meaning(key, kind) if key else "", "cells": cells, "best": best}


def solvers_view(summary: Mapping[str, Any], content: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the best strategies would bring beside those of a solver that proves nothing, game by game."""
    if not content["best"]:
        return {"played_by": None, "best": []}
    found = {row["policy"]: row for row in content["comparison"]}
    rows = [
        (
            heading_words(row["policy"]),
            dollars(found[row["policy"]]["publisher_payoff"]),
            dollars(row["publisher_payoff"]),
            percent(found[row["policy"]]["optimal"]),
        )
        for row in content["best"]
    ]
    return {"played_by": summary["search"]["solver"], "best": rows}


def beyond_one_adversary(
    summary: Mapping[str, Any],
    manifest: Mapping[str, Any],
    recipients: Mapping[str, Recipient],
) -> dict[str, Any]:
    """Return what is shown of limits, of recipients, and of strategies for the whole population."""
    shown: dict[str, Any] = {"limit_words": [], "limit_rows": [], "recipient_rows": [], "mechanism_words": []}
    if "limits" in summary:
        shown |= {"limit_words": limit_notes(summary, manifest), "limit_rows": list(limit_rows(summary))}
    if recipients:
        shown["recipient_rows"] = list(outcome_rows(summary))
        learning = any(one.learns is not None for one in recipients.values())
        shown["stake_columns"] = STAKE_COLUMNS if learning else STAKE_COLUMNS[:-1]
        stakes = stake_rows(recipients, manifest["scenario"]["payoffs"])
        shown["recipient_stakes"] = [row if learning else row[:-1] for row in stakes]
    if "mechanism" in summary:
        mechanism = summary["mechanism"]
        shown["mechanism_words"] = [planned_words(mechanism), *mechanism_words(mechanism), UNVERIFIED]
    return shown | {
        "limit_columns": LIMIT_COLUMNS,
        "recipient_columns": OUTCOME_COLUMNS,
        "recipient_note": OUTCOME_NOTE,
    }


def risk_columns(risks: Mapping[str, Any]) -> list[str]:
    """Return the heads of the columns of risk by other measures."""
    names = {"raw": "Raw data", "release": "This release"}
    return [names.get(column) or heading_words(risks[column]["name"]) for column in COLUMNS]
