"""Warnings for the reader of a run: on its data, kept columns, recipients and identifiers."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from gamedeid.amounts import number_of
from gamedeid.analysis.comparison import Comparison
from gamedeid.analysis.robustness import Robustness
from gamedeid.analysis.summary import Summary, run_summary
from gamedeid.catalogue import sentences
from gamedeid.intake.identifiers.findings import IdentifierCheck
from gamedeid.intake.identifiers.releases import check_release, identifier_warnings
from gamedeid.report.words.risks import first_rows_words
from gamedeid.results.manifest import ResultWarning, WarningKind
from gamedeid.risk.diversity import LEAST_ROWS
from gamedeid.study.solution import Solution
from gamedeid.study.warnings import data_warnings, game_warnings, recipient_warnings

MOST_UNIQUE = 1 / 11
"""Share of unique rows, or people, above which there is a warning. It is a lower bound of the chance that a recipient
who knows the kept values of a random person finds the row. 1 in 11 (0.09) is the highest risk that the European
Medicines Agency and Health Canada accept in published documents."""


def warned_summary(
    solution: Solution,
    identifiers: IdentifierCheck | None,
    robustness: Robustness | None = None,
    comparison: Comparison | None = None,
    *,
    keep_order: bool,
) -> Summary:
    """Return the summary of a run, with all warnings for its reader."""
    study = solution.study
    found = identifiers if identifiers is not None else check_release(study)
    summary = run_summary(solution, robustness, comparison, keep_order=keep_order)
    warnings = [
        *identifier_warnings(found, study.scenario),
        *derived_warnings(summary.as_dict()),
        *game_warnings(
            study.scenario, [summary.game], own=study.is_own_population, applied=solution.applies is not None
        ),
    ]
    return replace(summary, warnings=tuple(warnings))


def derived_warnings(summary: Mapping[str, Any]) -> list[ResultWarning]:
    """Return the warnings derived from a summary: all except those on identifiers and games."""
    recipients = summary.get("recipients", {}).items()
    return [
        *_of_kind("kept-column", kept_words(summary["kept_columns"], summary["data"]["records"])),
        *_of_kind("kept-order", sentences("warnings.order", {"keep_order": summary["keep_order"]})),
        *data_warnings(summary["data"]),
        *recipient_warnings({name: one.get("unmatched_records", 0) for name, one in recipients}, summary["data"]),
    ]


def _of_kind(kind: WarningKind, says: Iterable[str]) -> Iterator[ResultWarning]:
    return (ResultWarning(kind=kind, says=words) for words in says)


def kept_words(kept: Mapping[str, Any], records: int) -> list[str]:
    """Return a sentence for each warning on kept columns; empty for no warning."""
    rows, warnings, unique = kept["rows_looked_at"], kept["warnings"], _unique_facts(kept, records)
    facts = {
        "unchecked": bool(kept["columns"]) and rows is None,
        "partial": bool(warnings) and rows not in {None, records},
        "rows": rows,
    }
    return [
        *(words for one in warnings for words in sentences("warnings.kept", _kept_facts(one))),
        *sentences("warnings.kept_rows", facts),
        *(sentences("warnings.kept_unique", unique) if unique else ()),
    ]


def _kept_facts(warning: Mapping[str, Any]) -> dict[str, Any]:
    why, seen = warning["why"], warning["share"] is not None
    return {
        **warning,
        "gives_back": why == "gives back",
        "unique": why == "unique",
        "name_and_values": why == "identifier" and seen,
        "name_alone": why == "identifier" and not seen,
    }


def _unique_facts(kept: Mapping[str, Any], records: int) -> dict[str, Any] | None:
    """Return the facts on the uniqueness of kept columns; None if too few rows are released."""
    found: Mapping[str, Any] | None = kept.get("uniqueness")
    if found is None or found["together"] is None or found["released"] < LEAST_ROWS:
        return None
    together, pairs = found["together"], found["pairs"]
    first, second = pairs[0]["columns"] if pairs else ("", "")
    high, columns = together["share"] > MOST_UNIQUE, len(together["columns"])
    said = any(one["why"] == "unique" for one in kept["warnings"])
    among = first_rows_words(found["rows_looked_at"], records)
    return {
        **together,
        "columns": columns,
        "column": together["columns"][0],
        "one_column": high and columns == 1 and not said,
        "several_columns": high and columns > 1,
        "pair": bool(pairs) and pairs[0]["share"] > MOST_UNIQUE,
        "pair_share": pairs[0]["share"] if pairs else None,
        "first": first,
        "second": second,
        "people": together.get("share_of_people", 0) > MOST_UNIQUE,
        "released": f"{number_of(found['released'], 'released row')}{among}",
        "all_people": number_of(found.get("people", 0), "person"),
    }
